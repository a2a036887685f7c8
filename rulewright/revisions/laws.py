"""The difference of a law from an earlier version: a number, a sign, a verb, a quantifier, a name for another.

In: the words of two versions, and the names that were known then and are known now. Out: the first place where they
part. A name that stands for another one counts only where both were and are known: else it was renamed.
"""

from collections import Counter
from collections.abc import Sequence, Set
from difflib import SequenceMatcher

# What turns a law wherever it stands; names are compared one by one.
TURNS = frozenset(
    "not and or is some every none any all count sum min max least greatest allowed forbidden holds fails includes"
    " excludes adds offers exception suppresses replaces withdraws clarifies reorders inserts wraps before after"
    " round_up round_down yes no default < <= > >= = != + - * /".split()
)

# What joins a part of a condition to the rest.
JOINS = frozenset({"and", "or", "when"})


def is_number(word: str) -> bool:
    """Return whether a word of a law is a number."""
    return word[0].isdigit()


def numbers_of(law: Sequence[str]) -> Counter[str]:
    """Count the numbers of a law."""
    return Counter(filter(is_number, law))


def law_otherwise(was: Sequence[str], now: Sequence[str], known: Set[str]) -> tuple[str, str] | None:
    """Return the first place where a law says otherwise, as it was and as it is; None if there is none.

    Of conditions that came or went only one that is gone alone counts: of 319 commits to the shipped rules 6 dropped
    one under its old sentence. One that came makes a law as narrow as its sentence was.
    """
    for tag, first, last, start, stop in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        one, other = was[first:last], now[start:stop]
        if tag != "equal" and (_is_denied(one, other) or _is_exchanged(one, other, known)):
            return _shown(was, first, last), _shown(now, start, stop)
    return _condition_gone(was, now)


def _condition_gone(was: Sequence[str], now: Sequence[str]) -> tuple[str, str] | None:
    """Return the part of a condition that is gone, where nothing else differs."""
    parts = [part for part in SequenceMatcher(None, was, now, autojunk=False).get_opcodes() if part[0] != "equal"]
    if len(parts) != 1 or parts[0][0] != "delete":
        return None
    _, first, last, start, stop = parts[0]
    # Of `a and b and c` without `b` either `and` may be the one that is gone.
    if {was[first], was[last - 1]}.isdisjoint(JOINS):
        return None
    return _shown(was, first, last), _shown(now, start, stop)


def _is_denied(was: Sequence[str], now: Sequence[str]) -> bool:
    """Return whether a `not`, and nothing else but brackets, came or went."""
    words = ([word for word in each if word not in "()"] for each in (was, now))
    return sorted(words) == [[], ["not"]]


def _is_exchanged(was: Sequence[str], now: Sequence[str], known: Set[str]) -> bool:
    """Return whether a word stands where another one stood, of stretches of as many words."""
    return len(was) == len(now) and any(_is_exchange(a, b, known) for a, b in zip(was, now, strict=True))


def _is_exchange(was: str, now: str, known: Set[str]) -> bool:
    turn = [word in TURNS or is_number(word) for word in (was, now)]
    return was != now and (all(turn) or (not any(turn) and {was, now} <= known))


def _shown(law: Sequence[str], first: int, last: int) -> str:
    """Write a place with a word or two around it, spaced as rules are written."""
    text = " ".join(word for word in law[max(first - 2, 0) : last + 2] if word not in {"asks", "answers"})
    for sign in (". ", " .", "( ", " (", " )", " ,", " |", "| "):
        text = text.replace(sign, sign.strip())
    return text
