"""Abbreviate the words in the cells of a wide table.

The input is the words; the output is unique letters for each: the initials of its words, or more letters of the first.
"""

from collections.abc import Iterable

from compiler.rulebook.charts import SHORT
from compiler.rulebook.sentences import capitalize

ABREAST = 6  # table columns that fit into a column of the page, if they contain words


def letters_of(cells: Iterable[str], columns: int) -> dict[str, str]:
    """Return abbreviations for the words of a table; none if it is narrow enough or little would be saved."""
    long_words = dict.fromkeys(cell for cell in cells if len(cell) > SHORT and cell[0].isalpha())
    if columns <= ABREAST or not long_words or len(long_words) > columns:
        return {}
    short: dict[str, str] = {}
    for cell in long_words:
        first, *rest = cell.split()
        tries = ["".join(word[0] for word in (first, *rest)).upper(), *(first[:end] for end in range(2, len(first)))]
        short[cell] = next((capitalize(each) for each in tries if capitalize(each) not in short.values()), cell)
    return short
