"""Abbreviate the words in a wide table, so that it can be set in larger type.

The input is the words or a chart; the output is unique letters for each: the initials of its words, or more letters of
the first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from compiler.rulebook.charts import PrintedChart
from compiler.rulebook.contents import Contents
from compiler.rulebook.sentences import with_capital

LONGEST_UNABBREVIATED = 4  # letters of a word that is no longer than its abbreviation would be
LETTERS_OF_COLUMN = 52  # letters of a row of a chart that fit into a column of the page in type of 9.5 points
SPACE = 1.3  # between two columns of a chart, in letters
OFTEN = 3  # cells with a word for which a legend is worth its line
ABREAST = 6  # table columns that fit into a column of the page, if they contain words


def cell_abbreviations(cells: Iterable[str], columns: int) -> dict[str, str]:
    """Return abbreviations for the words of a table; none if it is narrow enough or little would be saved."""
    long_words = dict.fromkeys(cell for cell in cells if len(cell) > LONGEST_UNABBREVIATED and cell[0].isalpha())
    if columns <= ABREAST or not long_words or len(long_words) > columns:
        return {}
    return _unique_codes(long_words, ())


def umpire_counts(contents: Contents) -> str:
    """Return the numbers of things in a book, and how many examples paper lacks: those at no rule or ruling."""
    missing = sum(len(printed) for (what, _), printed in contents.examples.items() if what not in ("rule", "ruling"))
    return f"{contents.counts_text}{f', of which {missing} are only on the pages of the site' if missing else ''}"


def chart_abbreviations(chart: PrintedChart) -> dict[str, str]:
    """Return abbreviations for words that widen a chart: none if it is narrow enough, or a legend would be long."""
    table_columns = [*_columns(chart)]
    if not _is_wide(table_columns):
        return {}
    counts = Counter(text for _, cells in table_columns for text in cells if _is_long_word(text))
    widening = {
        text for head, cells in table_columns for text in cells if counts[text] >= OFTEN and len(text) > len(head)
    }
    # Words in a column of others that are abbreviated are abbreviated as well.
    beside = (text for _, cells in table_columns if widening.intersection(cells) for text in cells)
    long_words = dict.fromkeys(text for text in beside if _is_long_word(text))
    if len(long_words) > len(table_columns):
        return {}
    printed = {text for head, cells in table_columns for text in (head, *cells)}
    return _unique_codes(long_words, {*printed, *(code for code, _ in chart.codes)})


def head_lines(chart: PrintedChart) -> dict[str, tuple[str, ...]]:
    """Return the lines of each head of a chart: one, or two if the head alone widens a column of a wide chart."""
    table_columns = [*_columns(chart)]
    wide = _is_wide(table_columns)
    return {
        head: _two_lines(head) if wide and len(head) > max(map(len, cells), default=0) else (head,)
        for head, cells in table_columns
    }


def _two_lines(head: str) -> tuple[str, ...]:
    """Split a text at the blank that leaves the shortest lines."""
    cuts = [match.start() for match in re.finditer(" ", head)]
    at = min(cuts, key=lambda cut: max(cut, len(head) - cut), default=None)
    return (head,) if at is None else (head[:at], head[at + 1 :])


def _is_wide(table_columns: Iterable[tuple[str, tuple[str, ...]]]) -> bool:
    """Return whether the columns of a chart do not fit into a column of the page."""
    widths = [max(map(len, (head, *cells))) for head, cells in table_columns]
    return sum(widths) + SPACE * len(widths) > LETTERS_OF_COLUMN


def _columns(chart: PrintedChart) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the head and the texts of each column of a chart."""
    lines = [(*row.heads, *(cell.text for cell in row.cells)) for row in chart.rows]
    yield from zip(("", *chart.heads) if chart.grid else chart.heads, zip(*lines, strict=True), strict=True)


def _is_long_word(text: str) -> bool:
    return len(text) > LONGEST_UNABBREVIATED and re.fullmatch(r"[^\W\d]+(?:[ -][^\W\d]+)*", text) is not None


def _unique_codes(long_words: Iterable[str], printed: Iterable[str]) -> dict[str, str]:
    short: dict[str, str] = {}
    used = {*printed}
    for word in long_words:
        first, *rest = word.split()
        tries = ["".join(each[0] for each in (first, *rest)).upper(), *(first[:end] for end in range(2, len(first)))]
        short[word] = next((code for try_ in tries if (code := with_capital(try_)) not in used), word)
        used.add(short[word])
    return short
