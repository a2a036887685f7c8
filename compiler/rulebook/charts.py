"""Charts as tables of HTML: grids for two keys, rows otherwise.

The input is tables of the graph; the output is headers, cells and notes, ready to print. Each cell has its citations:
where they differ from those of the whole chart, a letter refers to a note. Each cell has the name that explanations
use, `chart[key, key]`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from string import ascii_lowercase

from compiler.rulebook.sentences import type_words
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import DocumentRole
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.wording import Wording

MULTIPLIER = graph.Number(None, None, "")  # the type of numbers that count nothing
MOST_WORDS_OF_CELL = 3  # words of a reading in a cell of a grid
# Words that lead on to a key; a title ends before them.
LEADING = ("for", "of", "to", "at", "on", "in", "by", "with", "under", "against", "when", "after")


@frozen_dataclass
class ChartCell:
    """One cell. `note` is the letter of its note, "" if it has none; `name` its name in explanations.

    Its `role` is a value, a word (where other cells have values) or empty (no row covers it).
    """

    text: str
    name: str
    note: str
    role: DocumentRole


@frozen_dataclass
class ChartRow:
    """A row: its headers (one in a grid, one for each key in a list) and its cells."""

    heads: tuple[str, ...]
    cells: tuple[ChartCell, ...]


@frozen_dataclass
class PrintedChart:
    """A printable chart.

    In a grid `down` and `across` are the titles of the keys; in a list `heads` are the columns. `edition` is the
    printed edition that alone contains it, "" for all.
    """

    name: str
    title: str
    grid: bool
    down: str
    across: str
    heads: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    measures: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, tuple[str, ...]], ...]
    cites: tuple[str, ...]
    edition: str


ALL_OTHERS = "all others"  # the head of a line for what no line above it has


ChartLine = tuple[tuple[str, ...], graph.TableRow]  # the heads of a row, and the row


def printed_chart(book: graph.Graph, table: graph.Table) -> PrintedChart:
    """Build the printable form of a table."""
    lines = _lines(book, table)
    grid = _is_grid(table, lines)
    keys = tuple(key_title(book, key) for key in table.keys)
    names = {heads: _cell_name(book, row, table) for heads, row in lines}
    letters = _note_letters(table)
    readings = _word_readings(book, table)
    codes = readings if any(_is_code(name, reads, grid=grid) for name, reads in readings.items()) else {}

    def cell(heads: tuple[str, ...], row: graph.TableRow | None) -> ChartCell:
        name = names.get(heads) or f"{table.name}[{', '.join(heads)}]"
        if row is None:
            return ChartCell("–", name, "", DocumentRole.EMPTY)
        text = _cell_text(book, table, row, {} if codes else readings)
        role = DocumentRole.WORD if row.value is None else DocumentRole.VALUE
        return ChartCell(text, name, letters.get(row.cites, ""), role)

    columns = (*keys, _result_heading(book, table))
    rows = [ChartRow(heads, (cell(heads, row),)) for heads, row in lines]
    if grid:
        crossed = dict(lines)
        columns = tuple(dict.fromkeys(heads[1] for heads in crossed))
        rows = []
        for down in dict.fromkeys(heads[0] for heads in crossed):
            cells = (cell((down, across), crossed.get((down, across))) for across in columns)
            rows.append(ChartRow((down,), tuple(cells)))
    return PrintedChart(
        table.name, chart_title(table), grid, keys[0] if keys else "", keys[1] if grid else "", columns, tuple(rows),
        _measures(book, table), tuple(codes.items()),
        tuple((letter, cites) for cites, letter in letters.items()), table.cites, table.edition,
    )  # fmt: skip


def _lines(book: graph.Graph, table: graph.Table) -> list[ChartLine]:
    """Return the rows of a table with their heads; where the lines above apply first, the last is for all others."""
    lines: list[ChartLine] = []
    for row in table.rows:
        heads = tuple(heading(book, *pair) for pair in zip(row.keys, table.keys, strict=False))
        if lines and table.hit == "first" and len(table.keys) == 1 and row.keys == (None,):
            heads = (ALL_OTHERS,)
        lines.append((heads, row))
    return lines


def _is_grid(table: graph.Table, lines: list[ChartLine]) -> bool:
    """Return whether a table of two keys is printed with one of them across: if most of its cells have one row."""
    if len(table.keys) != 2 or any(None in row.keys for row in table.rows):
        return False
    heads = {heads for heads, _ in lines}
    down, across = ({head[key] for head in heads} for key in (0, 1))
    is_dense = len(heads) == len(lines) and 2 * len(lines) > len(down) * len(across)
    return is_dense and len(across) > 1 and not _overlapping(table)


def chart_rank(book: graph.Graph) -> Callable[[PrintedChart], tuple[str, int, str, str]]:
    """Return the sort key of charts: as on the card, the others by their titles, last those of one edition."""
    card = list(dict.fromkeys(name for layer in book.layers for side in layer.card for name in side))
    return lambda chart: (
        chart.edition,
        card.index(chart.name) if chart.name in card else len(card),
        chart.title,
        chart.name,
    )


def cell_titles(chart: PrintedChart) -> dict[str, str]:
    """Return the title of each cell, by its name: its chart and the values of its keys."""
    return {
        cell.name: f"{chart.title}: {', '.join(key_values_of(chart, row, index))}"
        for row in chart.rows
        for index, cell in enumerate(row.cells)
    }


def key_values_of(chart: PrintedChart, row: ChartRow, index: int) -> list[str]:
    """Return the values of the keys of a cell; numbers, yes and no follow the title of their key.

    Arbitrary ones are omitted.
    """
    if chart.grid:
        return [row.heads[0], chart.heads[index]]
    named = zip(chart.heads, row.heads, strict=False)
    return [
        f"{name} {head}" if head in ("yes", "no") or head[:1].isdigit() else head
        for name, head in named
        if head not in ("any", ALL_OTHERS)
    ]


def chart_title(table: graph.Table) -> str:
    """Return the title of a chart; without one, its wording up to the first key, or its name."""
    if table.title:
        return table.title
    head = re.sub(r"^(the|a|an) ", "", table.reads.split("{")[0].strip())
    if "{" in table.reads:
        head = re.sub(rf"( ({'|'.join(LEADING)})( [\w-]+)?)$", "", head)
    if len(head.split()) < 2 or head.startswith("what"):
        head = words.readable_name(table.name)
    return f"{head[:1].upper()}{head[1:]}"


def _note_letters(table: graph.Table) -> dict[tuple[str, ...], str]:
    citations = dict.fromkeys(row.cites for row in table.rows if row.cites and row.cites != table.cites)
    return {cites: _letter(index) for index, cites in enumerate(citations)}


def _letter(number: int) -> str:
    cycle, index = divmod(number, len(ascii_lowercase))
    return (ascii_lowercase[cycle - 1] if cycle else "") + ascii_lowercase[index]


def key_title(book: graph.Graph, key: graph.Parameter) -> str:
    """Return the title of a key: its name, or what it counts, if the name is a letter or the name of a place."""
    if key.name not in ("row", "column") and len(key.name) > 1:
        return words.readable_name(key.name)
    if isinstance(key.type, graph.Enum | graph.Scale):
        return words.factor_name(key.type.name, book.vocabulary)
    domains = [
        name
        for name, domain in book.vocabulary.domains.items()
        if isinstance(key.type, graph.Number) and replace(key.type, is_whole=domain.is_whole) == domain
    ]
    return words.readable_name(domains[0]) if len(domains) == 1 else type_words(book, key.type)


def _overlapping(table: graph.Table) -> bool:
    """Return whether the ranges that head columns overlap, so that a number has more than one column."""
    spans = set()
    for row in table.rows:
        for match in row.keys[1] or ():
            if not isinstance(match.low, str) and not isinstance(match.high, str):
                spans.add((match.low, match.high))
    return any(after[0] <= before[1] for before, after in pairwise(sorted(spans)))


def _result_heading(book: graph.Graph, table: graph.Table) -> str:
    """Return the head of the column of answers in a list."""
    types = {type_.name for _, type_ in table.cells if isinstance(type_, graph.Enum | graph.Scale)}
    measures = [reads.removeprefix("in ") for reads in _measures(book, table)]
    if len(types) == 1:
        return words.readable_name(types.pop())
    if all(type_ == MULTIPLIER for _, type_ in table.cells):
        return "times"
    return measures[0] if len(measures) == 1 else "result"


def _cell_name(book: graph.Graph, row: graph.TableRow, table: graph.Table) -> str:
    """Return the name of a cell in explanations: its keys as they are declared."""
    keys = (
        "any" if matches is None else ", ".join(_match_text(book, match, key.type) for match in matches)
        for matches, key in zip(row.keys, table.keys, strict=False)
    )  # fmt: skip
    return f"{table.name}[{', '.join(keys)}]"


def heading(book: graph.Graph, matches: tuple[graph.Match, ...] | None, key: graph.Parameter) -> str:
    """Return the head of a row or a column; what is declared by a code has its wording."""
    if matches is None:
        return "any"
    return ", ".join(_heading_of_match(book, match, key.type) for match in matches)


def _heading_of_match(book: graph.Graph, match: graph.Match, type_: graph.Type) -> str:
    name = _match_text(book, match, type_)
    if isinstance(type_, graph.Number) and type_.low != match.low != match.high == type_.high:
        return f"{_value_text(book, match.low, type_)} or more"  # The ends of a domain are unknown at the table.
    if not isinstance(type_, graph.Enum) or not isinstance(match.low, str):
        return name
    reads = words.member(type_.name, match.low, book.vocabulary)
    if name in reads and words.name_in(name, reads):
        return name
    short = words.printed_abbreviation(type_.name, match.low, book.vocabulary)
    return short if short != name else _without_article(reads)


def _match_text(book: graph.Graph, match: graph.Match, type_: graph.Type) -> str:
    low, high = (_value_text(book, value, type_) for value in (match.low, match.high))
    return low if low == high else f"{low} to {high}"


def _value_text(book: graph.Graph, value: int | Fraction | str | bool, type_: graph.Type) -> str:  # noqa: FBT001 - a key of a chart.
    match type_, value:
        case _, bool():
            return "yes" if value else "no"
        case graph.Scale(name), int() | Fraction():
            return words.place_name(name, value, book.vocabulary)
        case _, int() | Fraction():
            return str(value).replace("-", "−")
        case _:
            return words.readable_name(value)


def _cell_text(book: graph.Graph, table: graph.Table, row: graph.TableRow, readings: Mapping[str, str]) -> str:
    """Return the text of a cell; a word has its reading, or its name where the names are explained as codes."""
    valued = [kind for kind, type_ in table.cells if type_ is not None]
    if row.value is None:
        return words.readable_name(row.kind)
    match row.value:
        case graph.Num(value, _):
            text = words.number(value).replace("-", "−")
        case graph.Member(_, name):
            text = _without_article(readings.get(words.readable_name(name), words.readable_name(name)))
        case value:
            text = Wording(book).phrase(value)
    return f"{text} {words.readable_name(row.kind)}" if row.kind and len(valued) > 1 else text


def _measures(book: graph.Graph, table: graph.Table) -> tuple[str, ...]:
    """Return what the numbers in the cells count."""
    measures = [type_.measure for _, type_ in table.cells if isinstance(type_, graph.Number) and type_.measure]
    reads = dict.fromkeys(words.measure_name(measure, book.vocabulary) for measure in measures)
    return tuple(
        name if words.measure_after_number(name, 2) == name and name.startswith("on ") else f"in {name}"
        for name in reads
        if name
    )


def _word_readings(book: graph.Graph, table: graph.Table) -> dict[str, str]:
    """Return the readings of the words in the cells that differ from their names, by name."""
    readings = {}
    for row in table.rows:
        if isinstance(row.value, graph.Member):
            name = words.readable_name(row.value.name)
            reads = words.member(row.value.enum, row.value.name, book.vocabulary)
            if reads != name:
                readings[name] = reads
    return readings


def _is_code(name: str, reading: str, *, grid: bool) -> bool:
    """Return whether a name is printed and explained below the chart: a code, or in a grid that of a long reading."""
    return len(name) <= words.LONGEST_CODE or (grid and len(_without_article(reading).split()) > MOST_WORDS_OF_CELL)


def _without_article(reading: str) -> str:
    return re.sub(r"^(the|a|an) ", "", reading)
