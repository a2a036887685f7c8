"""Distinguish a misspelled word from a different word."""

SHORT = 4  # Up to this number of letters, none may be replaced; shorter words have no misspellings.
SURE = 6  # From this number of letters on, a replaced one is a misspelling; a shorter word is a different one.


def is_misspelling(one: str, two: str) -> bool:
    """Return whether one word is a misspelling of another, and not a different word.

    Typical errors omit a letter, double one or exchange two, and seldom affect the first one. Where a letter is
    replaced, a short word is more often a different one that the book does not contain: night is no misspelling of
    fight, nor march of marsh.
    """
    if not is_one_edit_apart(one, two) or (one[0] != two[0] and sorted(one[:2]) != sorted(two[:2])):
        return False
    return len(one) != len(two) or len(one) >= SURE or sorted(one) == sorted(two)


def is_one_edit_apart(one: str, two: str) -> bool:
    """Return whether the edit distance of two words is one: a letter replaced, inserted, omitted, or two exchanged.

    Short words are distinguished by each of their letters: only an omission or an exchange counts.
    """
    if abs(len(one) - len(two)) > 1 or one == two:
        return False
    if len(one) <= SHORT and len(two) <= SHORT and sorted(one) != sorted(two):
        return False
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    a, b = one[start:], two[start:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
