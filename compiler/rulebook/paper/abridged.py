"""Words in the cells of a wide table as letters, and what these stand for.

In: the words. Out: letters for each, no two alike: the initials of its words, or more letters of the first.
"""

from collections.abc import Iterable

from compiler.rulebook.charts import SHORT
from compiler.rulebook.sentences import capitalize

ABREAST = 6  # columns that a column of the page has room for, if words stand in them


def letters_of(cells: Iterable[str], columns: int) -> dict[str, str]:
    """Return letters for the words of a table, none where it has room for them or little would be saved."""
    said = dict.fromkeys(cell for cell in cells if len(cell) > SHORT and cell[0].isalpha())
    if columns <= ABREAST or not said or len(said) > columns:
        return {}
    short: dict[str, str] = {}
    for cell in said:
        first, *rest = cell.split()
        tries = ["".join(word[0] for word in (first, *rest)).upper(), *(first[:end] for end in range(2, len(first)))]
        short[cell] = next((capitalize(each) for each in tries if capitalize(each) not in short.values()), cell)
    return short
