"""The difference of a sentence from an earlier version, detected by words that change its sense.

In: two versions of a sentence, and the stems of the names in the rules. Out: the differing phrases, if a number,
a negation, a quantifier, a bound, a party, an order or a name differs. Other words may be reworded. Sentences are
English, and "no more than three" equals "at most three".
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from typing import NamedTuple

from compiler.analysis.numerals import NUMBER_OF_WORD, numeral_value

COMMON = frozenset(
    "the a an of to in is it its on for and or not no be by with as at if may who what that this one they their them he"
    " his has have does do did from than only are was were which when how can any all each there nobody nothing so but"
    " into out up more most other others also then where whom whose must will would cannot yes".split()
)
ENDINGS = ("ing", "ies", "ed", "es", "er", "ly", "s")
# Phrases with one sense are tokenized as one word; "cannot" as two.
SENTENCE_TOKEN = re.compile(
    r"(?P<atmost>\b(?:no|not) (?:more|higher|greater) than\b|\bat (?:the )?most\b|\bup to\b"
    r"|\bor (?:less|fewer|lower)\b)"
    r"|(?P<atleast>\b(?:no|not) (?:less|fewer|lower) than\b|\bat (?:the )?least\b|\bor (?:more|higher|greater)\b)"
    r"|(?P<only>\b(?:nobody|none|no one|nothing) but\b)|(?P<must>\b(?:has|have|had) to\b)"
    r"|(?P<may_not>\bcan(?: |no)t\b|\bcan not\b)|(?P<not>n't\b)|[a-z]+|\d+"
)
# Each row has the words of one sense; words in no row do not affect the sense.
SENSES = (
    "not no never nobody none nothing nor neither nowhere", "without", "unless", "except", "only solely alone",
    "also too", "may can might", "must needs need shall", "all every each everybody everyone", "both",
    "any anybody anyone", "some somebody someone", "either", "before", "after", "until", "during", "first", "last",
    "next", "previous", "begins begin beginning starts start", "ends end", "more higher greater longer farther",
    "less fewer lower smaller shorter", "most", "least", "atmost", "atleast", "within", "beyond",
    "inside", "outside", "above", "below", "behind", "ahead front", "own friendly friend friends",
    "enemy enemies hostile foe foes opposing", "attacker attackers", "defender defenders", "adds add added",
    "subtracts subtract subtracted", "raises raise", "lowers", "gains gain", "loses lose", "enters enter entering",
    "leaves leave leaving", "allowed permitted", "forbidden barred prohibited", "always", "same", "other another",
    "and", "or", "free", "up", "down", "over", "under", "half halved", "double doubled twice", "full whole entire",
)  # fmt: skip
SENSE_OF = {word: row.split()[0] for row in SENSES for word in row.split()}
# Words that depend on the wording, and change the sense only if one is exchanged for another.
WEAK = {"and", "or", "free", "up", "down", "over", "under"}
# The least length of exchanged words that are compared as names; shorter ones are part of too many phrases.
SHORTEST_COMPARED_NAME = 3
# An exchange of at most so many words, with at least so many unchanged ones, is a change of meaning and no rewording.
MOST_EXCHANGED_WORDS, FEWEST_UNCHANGED_WORDS = 3, 3
# The similarity of words above which they are two spellings of one.
SPELLED_ALIKE = 0.75


class SentenceWord(NamedTuple):
    """A word of a sentence, with its offsets."""

    word: str
    start: int
    end: int


def word_root(word: str) -> str:
    """Return a word without its ending, which "fires" and "fire" share."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word[: -len(ending)].removesuffix("e")
    return word.removesuffix("e")


def tokens_of(sentence: str) -> list[SentenceWord]:
    """Split a sentence into words, with phrases of one sense as one word."""
    return [
        SentenceWord(word, found.start(), found.end())
        for found in SENTENCE_TOKEN.finditer(sentence.lower())
        for word in (found.lastgroup.split("_") if found.lastgroup else (found[0],))
    ]


def word_sense(word: str) -> str:
    """Return the sense or the number of a word; "" if it has none."""
    if word in SENSE_OF:
        return SENSE_OF[word]
    return str(numeral_value(word)) if word in NUMBER_OF_WORD or word.isdigit() else ""


def sentence_numbers(sentences: Sequence[str]) -> Counter[str]:
    """Return the multiset of the values of the numbers in sentences."""
    words = (each.word for sentence in sentences for each in tokens_of(sentence))
    return Counter(str(numeral_value(word)) for word in words if word in NUMBER_OF_WORD or word.isdigit())


def changed_sense(old_sentence: str, new_sentence: str, names: Set[str], law_stems: Set[str]) -> tuple[str, str] | None:
    """Return the first phrase whose sense differs, as (former, current) text; None if the sense is unchanged.

    `names` are the stems of names in the rules, `law_stems` those of the law of the sentence.
    """
    old, new = tokens_of(old_sentence), tokens_of(new_sentence)
    old_words, new_words = ([each.word for each in tokens] for tokens in (old, new))
    if exchanged := _exchanged(old_words, new_words, names):
        first, last = exchanged
        return _excerpt(old_sentence, old, first, last + 1), _excerpt(new_sentence, new, first, last + 1)
    same = _strong(old_words) == _strong(new_words)
    for tag, first, last, start, stop in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        before, after = old_words[first:last], new_words[start:stop]
        has_changed = not same and _strong(before) != _strong(after)
        if has_changed or any(_is_exchange(a, b, names, law_stems) for a, b in _word_pairs(before, after)):
            return _excerpt(old_sentence, old, first, last), _excerpt(new_sentence, new, start, stop)
    return None


def exchanged_words(old_sentence: str, new_sentence: str, law_stems: Set[str]) -> tuple[str, str] | None:
    """Return the only differing phrase of two sentences, if it exchanges a few words for words of other stems.

    None of the 74 sentences that 379 commits to the shipped rules changed with unchanged laws differs in this way.
    """
    old, new = tokens_of(old_sentence), tokens_of(new_sentence)
    old_words, new_words = ([each.word for each in tokens] for tokens in (old, new))
    parts = SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes()
    differences = [part for part in parts if part[0] != "equal"]
    if len(differences) != 1 or differences[0][0] != "replace":
        return None
    _, first, last, start, stop = differences[0]
    if (
        last - first != stop - start
        or last - first > MOST_EXCHANGED_WORDS
        or len(old_words) - (last - first) < FEWEST_UNCHANGED_WORDS
    ):
        return None
    lost, gained = (
        {word_root(word) for word in words if word not in COMMON}
        for words in (old_words[first:last], new_words[start:stop])
    )
    lost, gained = lost - gained, gained - lost
    if not lost or not gained or gained & law_stems > lost & law_stems:
        return None
    if all(any((SequenceMatcher(None, a, b, autojunk=False).ratio() >= SPELLED_ALIKE) for b in lost) for a in gained):
        return None
    return _excerpt(old_sentence, old, first, last), _excerpt(new_sentence, new, start, stop)


def _exchanged(old_words: Sequence[str], new_words: Sequence[str], names: Set[str]) -> tuple[int, int] | None:
    """Return the indices of two swapped words, if all others are unchanged and the swap changes the sense."""
    if len(old_words) != len(new_words):
        return None
    moved = [
        index
        for index, (old_word, new_word) in enumerate(zip(old_words, new_words, strict=True))
        if old_word != new_word
    ]
    if len(moved) != 2 or (old_words[moved[0]], old_words[moved[1]]) != (new_words[moved[1]], new_words[moved[0]]):
        return None
    words = old_words[moved[0]], old_words[moved[1]]
    changes_sense = any(word_sense(word) and word_sense(word) not in WEAK for word in words)
    return (moved[0], moved[1]) if changes_sense or {*map(word_root, words)} <= names else None


def _strong(words: Sequence[str]) -> Counter[str]:
    return Counter(sense for sense in map(word_sense, words) if sense and sense not in WEAK)


def _word_pairs(old_words: Sequence[str], new_words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return the pairs of words at equal positions of two sequences of equal length; empty otherwise."""
    return zip(old_words, new_words, strict=True) if len(old_words) == len(new_words) else iter(())


def _is_exchange(old_word: str, new_word: str, names: Set[str], law_stems: Set[str]) -> bool:
    """Return whether a word is exchanged for one of another sense, or for another name."""
    senses = word_sense(old_word), word_sense(new_word)
    if all(senses):
        return senses[0] != senses[1]
    if any(senses) or min(len(old_word), len(new_word)) < SHORTEST_COMPARED_NAME or {old_word, new_word} & COMMON:
        return False
    old, new = word_root(old_word), word_root(new_word)
    # A change to a name in the law is a correction of the sentence.
    corrected = new in law_stems and old not in law_stems
    return old != new and not corrected and (old in law_stems or {old, new} <= names)


def _excerpt(sentence: str, tokens: Sequence[SentenceWord], first: int, last: int) -> str:
    """Return a phrase with a word of context on each side."""
    phrase_tokens = tokens[max(first - 1, 0) : last + 1]
    if not phrase_tokens:
        return ""
    start = sentence.rfind(" ", 0, phrase_tokens[0].start + 1) + 1
    end = sentence.find(" ", phrase_tokens[-1].end)
    return sentence[start : end if end >= 0 else None].strip(" .,;:")
