"""Distinguish a misspelled word from a different word."""

EXACT_LETTERS = 4  # Up to this number of letters, none may be replaced; shorter words have no misspellings.
SURE = 6  # From this number of letters on, a replaced one is a misspelling; a shorter word is a different one.


def is_misspelling(first: str, second: str) -> bool:
    """Return whether one word is a misspelling of another, and not a different word.

    Typical errors omit a letter, double one or exchange two, and seldom affect the first one. Where a letter is
    replaced, a short word is more often a different one that the book does not contain: night is no misspelling of
    fight, nor march of marsh.
    """
    if not _is_one_edit_apart(first, second) or (first[0] != second[0] and sorted(first[:2]) != sorted(second[:2])):
        return False
    return len(first) != len(second) or len(first) >= SURE or sorted(first) == sorted(second)


def _is_one_edit_apart(first: str, second: str) -> bool:
    """Return whether the edit distance of two words is one: a letter replaced, inserted, omitted, or two exchanged.

    Short words are distinguished by each of their letters: only an omission or an exchange counts.
    """
    if abs(len(first) - len(second)) > 1 or first == second:
        return False
    if len(first) <= EXACT_LETTERS and len(second) <= EXACT_LETTERS and sorted(first) != sorted(second):
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    a, b = first[start:], second[start:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
