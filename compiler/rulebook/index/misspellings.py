"""Tell a word with a slip in it from a word of its own."""

SHORT = 4  # Letters of a word in which no letter is taken for another; of shorter ones nothing is.
SURE = 6  # Letters of a word that has a slip in it if one of them is another; a shorter one is another word.


def is_misspelling(one: str, two: str) -> bool:
    """Return whether one word is another with a slip in it, and no word of its own.

    Who slips leaves a letter out, doubles one or exchanges two, and seldom gets the first one wrong. Where a letter is
    another, a short word is more often one that the book does not say: night is no slip for fight, nor march for marsh.
    """
    if not is_one_edit_apart(one, two) or (one[0] != two[0] and sorted(one[:2]) != sorted(two[:2])):
        return False
    return len(one) != len(two) or len(one) >= SURE or sorted(one) == sorted(two)


def is_one_edit_apart(one: str, two: str) -> bool:
    """Return whether two words are one letter apart: another one, one too many, or two exchanged.

    Short words are told apart by each of their letters: of these one is missing, or two are exchanged.
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
