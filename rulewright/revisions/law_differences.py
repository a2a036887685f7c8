"""The difference of a law from an earlier version: an exchanged number, operator, verb, quantifier or name.

In: the words of two versions, and the names that both versions know. Out: the first difference. An exchange of
names only counts if both versions know both names: otherwise it is a renaming.
"""

from collections import Counter
from collections.abc import Sequence, Set
from difflib import SequenceMatcher

# The words that change a law wherever they are exchanged; names are compared individually.
LAW_CHANGING_WORDS = frozenset(
    "not and or is some every none any all count sum min max least greatest allowed forbidden holds fails includes"
    " excludes adds offers exception suppresses replaces withdraws clarifies reorders inserts wraps before after"
    " round_up round_down yes no default < <= > >= = != + - * /".split()
)

# The words that join the parts of a condition.
JOINS = frozenset({"and", "or", "when"})


def is_number(word: str) -> bool:
    """Return whether a word of a law is a number."""
    return word[0].isdigit()


def law_numbers(law: Sequence[str]) -> Counter[str]:
    """Return the multiset of the numbers of a law."""
    return Counter(filter(is_number, law))


def law_difference(old_words: Sequence[str], new_words: Sequence[str], known: Set[str]) -> tuple[str, str] | None:
    """Return the first difference in meaning of a law, as (former, current) text; None if there is none.

    A removed condition counts if nothing else differs: of 319 commits to the shipped rules, 6 removed one under an
    unchanged sentence. An added condition does not count, since it usually restricts a law to what its sentence states.
    """
    for tag, first, last, start, stop in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes():
        old_part, new_part = old_words[first:last], new_words[start:stop]
        if tag != "equal" and (_is_denied(old_part, new_part) or _is_exchanged(old_part, new_part, known)):
            return _excerpt(old_words, first, last), _excerpt(new_words, start, stop)
    return _removed_condition(old_words, new_words)


def _removed_condition(old_words: Sequence[str], new_words: Sequence[str]) -> tuple[str, str] | None:
    """Return the removed part of a condition, if nothing else differs; None otherwise."""
    parts = [
        part for part in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes() if part[0] != "equal"
    ]
    if len(parts) != 1 or parts[0][0] != "delete":
        return None
    _, first, last, start, stop = parts[0]
    # If `b` is removed from `a and b and c`, either `and` may be the removed one.
    if {old_words[first], old_words[last - 1]}.isdisjoint(JOINS):
        return None
    return _excerpt(old_words, first, last), _excerpt(new_words, start, stop)


def _is_denied(old_words: Sequence[str], new_words: Sequence[str]) -> bool:
    """Return whether only a `not`, apart from brackets, was added or removed."""
    words = ([word for word in each if word not in "()"] for each in (old_words, new_words))
    return sorted(words) == [[], ["not"]]


def _is_exchanged(old_words: Sequence[str], new_words: Sequence[str], known: Set[str]) -> bool:
    """Return whether a word is exchanged between two sequences of equal length."""
    return len(old_words) == len(new_words) and any(
        _is_exchange(a, b, known) for a, b in zip(old_words, new_words, strict=True)
    )


def _is_exchange(old_word: str, new_word: str, known: Set[str]) -> bool:
    turn = [word in LAW_CHANGING_WORDS or is_number(word) for word in (old_word, new_word)]
    return old_word != new_word and (all(turn) or (not any(turn) and {old_word, new_word} <= known))


def _excerpt(law: Sequence[str], first: int, last: int) -> str:
    """Format words of a law with context, spaced like rules."""
    text = " ".join(word for word in law[max(first - 2, 0) : last + 2] if word not in {"asks", "answers"})
    for sign in (". ", " .", "( ", " (", " )", " ,", " |", "| "):
        text = text.replace(sign, sign.strip())
    return text
