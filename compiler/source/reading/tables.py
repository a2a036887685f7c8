"""Read charts and patches of charts.

In: a document whose shape has been checked (shape.py). Out: a `source.Table` or a `source.TablePatch`: each cell of a
grid or of a list becomes a `source.Row`, with the accepted values of its keys, its content and its citations.
"""

from compiler.source.findings.yaml_documents import MissingKey
from compiler.source.nodes import (
    AddedLine,
    CellChange,
    Match,
    MatchRange,
    NameType,
    Parameter,
    Row,
    Scalar,
    Table,
    TablePatch,
    TitleChange,
    Type,
    Value,
    ValueList,
    ValueMap,
    Word,
)
from compiler.source.reading.values import (
    DocumentProblems,
    columns_of,
    optional_text,
    read_entries,
    read_items,
    read_maps,
    read_range,
    read_scalar,
    read_sources,
    read_text,
    read_type,
    read_word,
)

# Keys of a row or a change that are not keys of the table.
_NO_KEYS = ("is", "cites", "expect", "now")


def read_table(document: ValueMap, reports: DocumentProblems) -> Table:
    """Read `table:`."""
    cites = read_sources(document.get("cites"), reports)
    keys = tuple(
        Parameter(value.span, name, type_)
        for name, value in read_entries(document.get("keys"))
        if (type_ := read_type(value, reports)) is not None
    )
    hit, _, operator = read_text(document.get("hit"), "unique").partition(" ")
    rows: tuple[Row, ...] = ()
    grid, listed = document.get("grid"), document.get("rows")
    if isinstance(grid, ValueMap) and listed is None:
        rows = _grid(document, grid, keys, cites, reports)
    elif grid is None and listed is not None:
        rows = _rows(read_items(listed), cites, reports)
    else:
        found = "neither" if grid is None else "both"
        reports.report_shape(document.entries[0][0].span, "a `grid` or a list of `rows`", found)
    if hit == "first" and document.get("reason") is None:
        reports.problems.append(MissingKey(document.entries[0][0].span, "reason", "table"))
    return Table(
        document.span,
        read_word(document.get("table")),
        cites,
        keys,
        _cell_kinds(document.get("cell"), reports),
        hit,
        operator or None,
        optional_text(document.get("reason")),
        optional_text(document.get("title")),
        optional_text(document.get("edition")),
        optional_text(document.get("reads")),
        rows,
    )


def _cell_kinds(cell: Value | None, reports: DocumentProblems) -> tuple[tuple[Word, Type | None], ...]:
    """Read `cell:`, one type or several kinds by name."""
    if isinstance(cell, ValueMap):
        return tuple((name, _cell_type(value, reports)) for name, value in cell.entries)
    only = read_scalar(cell)
    return ((Word(only.span, ""), _cell_type(only, reports)),)


def _cell_type(value: Value, reports: DocumentProblems) -> Type | None:
    """Read the type of a cell; a bare `word` has no type."""
    type_ = read_type(value, reports)
    if isinstance(type_, NameType) and [name.text for name in type_.names] == ["word"]:
        return None
    return type_


# ---------------------------------------------------------------- rows


def _grid(
    document: ValueMap, grid: ValueMap, keys: tuple[Parameter, ...], cites: tuple[Word, ...], reports: DocumentProblems
) -> tuple[Row, ...]:
    """Read a grid: the first key down, the second across."""
    columns = columns_of(document, reports)
    if len(keys) != (2 if columns else 1):
        expected = "two keys for a grid with columns" if columns else "one key for a grid without `columns`"
        place = document.get("keys") or document
        reports.report_shape(place.span, expected, f"{len(keys)}")
        return ()
    rows: list[Row] = []
    for row, line in grid.entries:
        first = (keys[0].name, (_match(Scalar(row.span, row.text), reports),))
        if not columns:
            rows.append(_cell(line, (first,), cites, reports))
            continue
        for column, cell in _cells_by_column(line, columns, reports):
            rows.append(_cell(cell, (first, (keys[1].name, (_match(column, reports),))), cites, reports))
    return tuple(rows)


def _cells_by_column(line: Value, columns: tuple[Word, ...], reports: DocumentProblems) -> list[tuple[Scalar, Value]]:
    """Pair the cells of a line with their columns; a line may name its columns."""
    names = {column.text: Scalar(column.span, column.text) for column in columns}
    if isinstance(line, ValueMap):
        for name, _ in line.entries:
            if name.text not in names:
                reports.report_shape(name.span, "a column of this table", f"`{name.text}`")
        return [(names[name.text], cell) for name, cell in line.entries if name.text in names]
    cells = read_items(line)
    if len(cells) != len(columns):
        reports.report_shape(line.span, f"{len(columns)} cells (one for each column)", f"{len(cells)}")
    return list(zip(names.values(), cells, strict=False))


def _cell(
    cell: Value, keys: tuple[tuple[Word, tuple[Match, ...]], ...], cites: tuple[Word, ...], reports: DocumentProblems
) -> Row:
    """Read one cell of a grid, plain or with its own citations."""
    if isinstance(cell, ValueMap):
        cell_cites = read_sources(cell.get("cites"), reports)
        return Row(cell.span, keys, read_scalar(cell.get("is")), cell_cites or cites)
    if isinstance(cell, ValueList):
        reports.report_shape(cell.span, "a single cell", "a list")
        return Row(cell.span, keys, Scalar(cell.span, ""), cites)
    return Row(cell.span, keys, cell, cites)


def _rows(listed: tuple[Value, ...], cites: tuple[Word, ...], reports: DocumentProblems) -> tuple[Row, ...]:
    """Read a list of rows."""
    return tuple(
        Row(
            row.span,
            _keys(row, reports),
            read_scalar(row.get("is")),
            read_sources(row.get("cites"), reports) or cites,
        )
        for row in listed
        if isinstance(row, ValueMap)
    )


def _keys(row: ValueMap, reports: DocumentProblems) -> tuple[tuple[Word, tuple[Match, ...]], ...]:
    """Read the values that a row accepts for each of its keys."""
    return tuple(
        (name, tuple(_match(read_scalar(each), reports) for each in read_items(value)))
        for name, value in row.entries
        if name.text not in _NO_KEYS
    )


def _match(value: Scalar, reports: DocumentProblems) -> Match:
    """Read one accepted key: a word, a number, or a range."""
    ends = read_range(value, reports)
    return Word(value.span, value.text) if ends is None else MatchRange(value.span, *ends)


# ---------------------------------------------------------------- patches


def read_table_patch(document: ValueMap, reports: DocumentProblems) -> TablePatch:
    """Read `patch:` of a chart."""
    cites = read_sources(document.get("cites"), reports)
    return TablePatch(
        document.span,
        read_word(document.get("patch")),
        cites,
        tuple((name, _cell_type(value, reports)) for name, value in read_entries(document.get("add kinds"))),
        _rows(_listed_cells(document), cites, reports),
        (
            *(
                _line(name, line, cites, reports, is_column=True)
                for name, line in read_entries(document.get("add columns"))
            ),
            *(
                _line(name, line, cites, reports, is_column=False)
                for name, line in read_entries(document.get("add rows"))
            ),
        ),
        tuple(
            CellChange(
                change.span,
                _keys(change, reports),
                read_scalar(change.get("expect")),
                read_scalar(change.get("now")),
                read_sources(change.get("cites"), reports) or cites,
            )
            for change in read_maps(document.get("set"))
        ),
        _title_change(document.get("title")),
    )


def _title_change(change: Value | None) -> TitleChange | None:
    """Read the change of a title."""
    if not isinstance(change, ValueMap):
        return None
    return TitleChange(change.span, *(read_text(change.get(key)) or "" for key in ("expect", "now")))


def _listed_cells(document: ValueMap) -> tuple[Value, ...]:
    """Return the cells that `add rows` lists; none if it has rows by their names."""
    cells = document.get("add rows")
    return () if isinstance(cells, ValueMap) else read_items(cells)


def _line(name: Word, line: Value, cites: tuple[Word, ...], reports: DocumentProblems, *, is_column: bool) -> AddedLine:
    """Read a new column or row, with its cells by the other key; one cell has no other key."""
    if not isinstance(line, ValueMap) or line.get("is") is not None:
        row = _cell(line, (), cites, reports)
        return AddedLine(line.span, name, is_column, ((None, row.value, row.cites),))
    line_cites = read_sources(line.get("cites"), reports) or cites
    cells = []
    for key, cell in line.entries:
        if key.text != "cites":
            row = _cell(cell, (), line_cites, reports)
            cells.append((key, row.value, row.cites))
    return AddedLine(line.span, name, is_column, tuple(cells))
