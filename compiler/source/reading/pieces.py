"""Read piece charts and patches to them."""

from collections.abc import Iterator
from dataclasses import replace

from compiler.source.findings.yaml_documents import MissingKey
from compiler.source.nodes import (
    AddedValue,
    Counter,
    PieceChart,
    PiecePatch,
    PrintedChange,
    Scalar,
    Value,
    ValueList,
    ValueMap,
    Word,
)
from compiler.source.reading.values import (
    DocumentProblems,
    columns_of,
    read_entries,
    read_items,
    read_maps,
    read_scalar,
    read_sources,
    read_text,
    read_word,
    read_words,
)
from compiler.source.suggestions import nearest_names

# Keys in the row of a counter that are not printed on it.
_NOT_PRINTED = ("id", "traits", "cites")


def read_pieces(document: ValueMap, reports: DocumentProblems) -> PieceChart:
    """Read `pieces:`."""
    cites = read_sources(document.get("cites"), reports)
    columns = columns_of(document, reports)
    items = read_items(document.get("rows"))
    if not columns and any(isinstance(row, ValueList) for row in items):
        reports.problems.append(MissingKey(document.entries[0][0].span, "columns", "piece chart"))
    rows = _titled([_counter(row, columns, cites, reports) for row in items], document, reports)
    return PieceChart(document.span, read_word(document.get("pieces")), cites, columns, rows)


def _titled(found: list[Counter | None], document: ValueMap, reports: DocumentProblems) -> tuple[Counter, ...]:
    """Assign titles from `titles:` to counters, as if they were in a column of that name, and nicknames."""
    rows = [row for row in found if row is not None]
    known = {row.id.text for row in rows}
    titled, nicknamed = (read_entries(document.get(key)) for key in ("titles", "nicknames"))
    for name, _ in (*titled, *nicknamed):
        if name.text not in known and len(rows) == len(found):  # Otherwise its row may have been reported.
            reports.report_shape(
                name.span, "the id of a counter of this chart", f"`{name.text}`", nearest_names(name.text, known)
            )
    titles = {name.text: (Word(name.span, "title"), value) for name, value in titled if isinstance(value, Scalar)}
    nicknames = {name.text: tuple(map(read_text, read_items(value))) for name, value in nicknamed}
    return tuple(
        replace(
            row,
            values=(*row.values, titles[row.id.text]) if row.id.text in titles else row.values,
            nicknames=nicknames.get(row.id.text, ()),
        )
        for row in rows
    )


def _counter(
    row: Value, columns: tuple[Word, ...], cites: tuple[Word, ...], reports: DocumentProblems
) -> Counter | None:
    """Read one counter, written as a list or as a mapping of its columns."""
    if isinstance(row, ValueMap):
        return _named(row, row.entries, cites, reports)
    values = read_items(row)
    if len(values) != len(columns):
        if not columns or len({column.text for column in columns}) < len(columns):
            return None  # Missing or superfluous columns were reported.
        reports.report_shape(row.span, f"{len(columns)} values (one for each column)", f"{len(values)}")
        return None
    return _named(row, tuple(zip(columns, values, strict=True)), cites, reports)


def _named(
    row: Value, values: tuple[tuple[Word, Value], ...], cites: tuple[Word, ...], reports: DocumentProblems
) -> Counter | None:
    by_name = {name.text: value for name, value in values}
    if not isinstance(by_name.get("id"), Scalar):
        reports.problems.append(MissingKey(row.span, "id", "counter"))
        return None
    for name, value in values:
        if isinstance(value, ValueList) and name.text not in _NOT_PRINTED:
            reports.report_shape(value.span, f"a single value for `{name.text}`", "a list")
    return Counter(
        row.span,
        read_word(by_name["id"]),
        tuple((name, value) for name, value in values if name.text not in _NOT_PRINTED and isinstance(value, Scalar)),
        read_words(by_name.get("traits")),
        read_sources(by_name.get("cites"), reports) or cites,
    )


def is_piece_patch(document: ValueMap) -> bool:
    """Return whether a patch changes counters: by adding some or factors of some, or by naming an id and a column."""
    if any(document.get(key) is not None for key in ("add counters", "add factors")):
        return True
    if any(document.get(key) is not None for key in ("add rows", "add columns")):
        return False
    changes = [{name.text for name, _ in read_entries(each)} for each in read_items(document.get("set"))]
    return bool(changes) and all(keys - {"expect", "now", "cites"} == {"id", "column"} for keys in changes)


def read_piece_patch(document: ValueMap, reports: DocumentProblems) -> PiecePatch:
    """Read `patch:` of a kind of pieces."""
    cites = read_sources(document.get("cites"), reports)
    added = (_counter(row, (), cites, reports) for row in read_items(document.get("add counters")))
    return PiecePatch(
        document.span,
        read_word(document.get("patch")),
        cites,
        tuple(each for each in added if each is not None),
        tuple(
            PrintedChange(
                change.span,
                read_word(change.get("id")),
                read_word(change.get("column")),
                read_scalar(change.get("expect")),
                read_scalar(change.get("now")),
                read_sources(change.get("cites"), reports) or cites,
            )
            for change in read_maps(document.get("set"))
        ),
        tuple(
            each
            for name, column in read_entries(document.get("add factors"))
            for each in _added_values(name, column, cites, reports)
        ),
    )


def _added_values(
    factor: Word, column: Value, cites: tuple[Word, ...], reports: DocumentProblems
) -> Iterator[AddedValue]:
    """Read a column of an added factor: its values by counter, each plain or with citations of its own."""
    column_cites = read_sources(column.get("cites") if isinstance(column, ValueMap) else None, reports) or cites
    for counter, cell in read_entries(column):
        if counter.text == "cites":
            continue
        value = cell.get("is") if isinstance(cell, ValueMap) else cell
        cited = read_sources(cell.get("cites"), reports) if isinstance(cell, ValueMap) else ()
        if isinstance(value, Scalar):
            yield AddedValue(cell.span, counter, factor, value, cited or column_cites)
