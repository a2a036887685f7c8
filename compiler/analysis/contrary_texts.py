"""Contrary words, and texts that make contrary claims about the same thing.

In: two texts. Out: a word or a number with the noun it applies to, and its contrary with the same noun in the other
text: "before the attack" and "after the attack", "three units" and "four units". A text that has both words makes no
claim. Texts are English; words are compared by their stems.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from compiler.analysis import numerals
from compiler.analysis.numerals import NUMBER_OF_WORD, numeral_value
from compiler.analysis.section_profiles import COMMON, bare_word

OPPOSITE_WORDS = (
    "before after, first last, always never, own enemy, friendly enemy, above below, more less, more fewer, most least,"
    " higher lower, begins ends, adds subtracts, inside outside, enter leave, enters leaves, both neither, all none,"
    " same other, near far, over under, shorter longer, up down"
)


def contraries_of(pairs: str, form: Callable[[str], str] = str) -> defaultdict[str, set[str]]:
    """Return the contraries of each word from a list such as "more less, own enemy", each word mapped by `form`."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs.split(","):
        first, second = map(form, pair.split())
        found[first].add(second)
        found[second].add(first)
    return found


CONTRARY = contraries_of(OPPOSITE_WORDS)
IN_PAIRS = {word: word for word in CONTRARY}
# Number words that state a factor or a frequency, and count nothing.
MEASURES = {"double", "doubled", "twice", "half", "halved", "third", "quarter"}
# Numbers that occur in prose without a count.
UNCOUNTED_NUMERALS = {str(value) for value in numerals.UNCOUNTED_NUMBERS}
ARTICLES = {"the", "a", "an"}
WORD_OR_NUMBER = re.compile(r"[a-z]+(?:-[a-z]+)*|\d+(?:[-/]\d+)?")
FIGURE = re.compile(r"\d+$")

# Claims by the stem of the noun that they are about: each word or number, with the phrase as it is written.
WordsByStem = Mapping[str, Mapping[str, str]]


class TextClaims(NamedTuple):
    """The contrary words and the numbers above one that a text applies to a noun, and all its numbers."""

    words: WordsByStem
    counts: WordsByStem
    numbers: frozenset[str]


def claims_of(text: str) -> TextClaims:
    """Extract the claims of a text."""
    tokens = WORD_OR_NUMBER.findall(text.lower())
    numbers = {word: str(numeral_value(word)) for word in tokens if word in NUMBER_OF_WORD or FIGURE.match(word)}
    counts = {
        word: value for word, value in numbers.items() if value not in UNCOUNTED_NUMERALS and word not in MEASURES
    }
    spaced = WORD_OR_NUMBER.findall(text.lower().replace("_", " ")) if "_" in text else tokens
    pairs = list(pairwise(word for word in spaced if word not in ARTICLES))
    return TextClaims(_by_next(pairs, IN_PAIRS), _by_next(pairs, counts), frozenset(numbers.values()))


def contrary_claims(first: TextClaims, second: TextClaims) -> tuple[str, str] | None:
    """Return a claim of the first text and the contrary claim of the other about the same noun.

    None if there is none.
    """
    return next(_opposed(first.words, second.words), None) or next(_counted(first, second), None)


def _opposed(first: WordsByStem, second: WordsByStem) -> Iterator[tuple[str, str]]:
    for noun in first.keys() & second.keys():
        for word, written in first[noun].items():
            for opposite in CONTRARY[word] & second[noun].keys():
                if opposite not in first[noun] and word not in second[noun]:
                    yield written, second[noun][opposite]


def _counted(first: TextClaims, second: TextClaims) -> Iterator[tuple[str, str]]:
    """List pairs of different numbers of the same noun, neither of which occurs in the other text."""
    for noun in first.counts.keys() & second.counts.keys():
        first_counts, second_counts = first.counts[noun], second.counts[noun]
        if second.numbers.isdisjoint(first_counts) and first.numbers.isdisjoint(second_counts):
            yield next(iter(first_counts.values())), next(iter(second_counts.values()))


def _by_next(pairs: Iterable[tuple[str, str]], written_forms: Mapping[str, str]) -> WordsByStem:
    """Index the words in `written_forms` by the stem of the word that succeeds them."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for word, next_word in pairs:
        if (
            word in written_forms
            and next_word[0].isalpha()
            and next_word not in COMMON
            and next_word not in CONTRARY
            and next_word not in NUMBER_OF_WORD
        ):
            found[bare_word(next_word).removesuffix("e")][written_forms[word]] = f"{word} {next_word}"
    return found
