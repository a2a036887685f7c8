"""The difference of a law from an earlier version: an exchanged number, operator, verb, quantifier or name.

Input: the words of two versions, and the names that both versions know. Output: the first difference. An exchange of
names only counts if both versions know both names: otherwise it is a renaming.
"""

from collections import Counter
from collections.abc import Sequence, Set
from difflib import SequenceMatcher

# The words that change a law wherever they are exchanged; names are compared individually.
TURNS = frozenset(
    "not and or is some every none any all count sum min max least greatest allowed forbidden holds fails includes"
    " excludes adds offers exception suppresses replaces withdraws clarifies reorders inserts wraps before after"
    " round_up round_down yes no default < <= > >= = != + - * /".split()
)

# The words that join the parts of a condition.
JOINS = frozenset({"and", "or", "when"})


def is_number(word: str) -> bool:
    """Return whether a word of a law is a number."""
    return word[0].isdigit()


def numbers_of(law: Sequence[str]) -> Counter[str]:
    """Return the multiset of the numbers of a law."""
    return Counter(filter(is_number, law))


def law_otherwise(was: Sequence[str], now: Sequence[str], known: Set[str]) -> tuple[str, str] | None:
    """Return the first difference in meaning of a law, as (former, current) text; None if there is none.

    A removed condition counts if nothing else differs: of 319 commits to the shipped rules, 6 removed one under an
    unchanged sentence. An added condition does not count, since it usually restricts a law to what its sentence states.
    """
    for tag, first, last, start, stop in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        one, other = was[first:last], now[start:stop]
        if tag != "equal" and (_is_denied(one, other) or _is_exchanged(one, other, known)):
            return _shown(was, first, last), _shown(now, start, stop)
    return _condition_gone(was, now)


def _condition_gone(was: Sequence[str], now: Sequence[str]) -> tuple[str, str] | None:
    """Return the removed part of a condition, if nothing else differs; None otherwise."""
    parts = [part for part in SequenceMatcher(None, was, now, autojunk=False).get_opcodes() if part[0] != "equal"]
    if len(parts) != 1 or parts[0][0] != "delete":
        return None
    _, first, last, start, stop = parts[0]
    # If `b` is removed from `a and b and c`, either `and` may be the removed one.
    if {was[first], was[last - 1]}.isdisjoint(JOINS):
        return None
    return _shown(was, first, last), _shown(now, start, stop)


def _is_denied(was: Sequence[str], now: Sequence[str]) -> bool:
    """Return whether only a `not`, apart from brackets, was added or removed."""
    words = ([word for word in each if word not in "()"] for each in (was, now))
    return sorted(words) == [[], ["not"]]


def _is_exchanged(was: Sequence[str], now: Sequence[str], known: Set[str]) -> bool:
    """Return whether a word is exchanged between two sequences of equal length."""
    return len(was) == len(now) and any(_is_exchange(a, b, known) for a, b in zip(was, now, strict=True))


def _is_exchange(was: str, now: str, known: Set[str]) -> bool:
    turn = [word in TURNS or is_number(word) for word in (was, now)]
    return was != now and (all(turn) or (not any(turn) and {was, now} <= known))


def _shown(law: Sequence[str], first: int, last: int) -> str:
    """Format words of a law with context, spaced like rules."""
    text = " ".join(word for word in law[max(first - 2, 0) : last + 2] if word not in {"asks", "answers"})
    for sign in (". ", " .", "( ", " (", " )", " ,", " |", "| "):
        text = text.replace(sign, sign.strip())
    return text
