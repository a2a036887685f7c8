"""Merge charts, and apply the changes of higher layers, cell by cell. (Unit charts are merged in counters.py.)

The input is tables and patches of the chosen layers, lowest first, and the cell patches of rules; the output is one
table per name with the layer of each row. A patch that does not find what it expects is a problem, never a silent
overwrite.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from compiler.layered import nodes as layered
from compiler.layered.effective_changes import EffectiveChanges, LayerChange
from compiler.layered.findings.patches import DuplicateTable, NotAsExpected, PatchesNothing, UnknownCell
from compiler.layered.repetitions import are_related
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.amounts import amount_of
from compiler.source.expression_text import expression_text
from compiler.source.finding import Finding
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names

Keys = tuple[tuple[source.Word, tuple[source.Match, ...]], ...]


def merge_tables(
    tables: Iterable[tuple[str, source.Table]],
    patches: Iterable[tuple[str, source.TablePatch]],
    cell_patches: Iterable[tuple[str, tuple[source.Word, ...], source.CellPatch]],
    reach: Mapping[str, frozenset[str]],
    database: Database,
) -> tuple[dict[str, layered.Table], list[Finding]]:
    """Build each chart from its rows, with the changes of higher layers.

    `cell_patches` are (layer, cites, patch) of rules; `reach` contains the layers, lowest first.
    """
    problems: list[Finding] = []
    merged: dict[str, layered.Table] = {}
    for layer, table in tables:
        known = merged.get(table.name.text)
        if known:
            problems.append(DuplicateTable(table.name.span, known.node.name.span, "table", table.name.text))
            continue
        merged[table.name.text] = database.derive("placed table", (table,), partial(_placed, layer, table), layer)
    touched = EffectiveChanges(reach)
    in_tables, in_rules = list(patches), list(cell_patches)
    for layer in reach:
        for patch in (each for home, each in in_tables if home == layer):
            _patch_table(merged, layer, patch, touched, problems)
        for cites, cell in ((cites, each) for home, cites, each in in_rules if home == layer):
            patched = merged.get(cell.table.text)
            if patched is None:
                candidates = nearest_names(cell.table.text, merged)
                problems.append(UnknownCell(cell.table.span, "table", cell.table.text, candidates))
                continue
            change = _change_of(patched.node, cell, cites)
            merged[cell.table.text] = _set_cell(patched, layer, change, touched, problems)
    return merged, [*problems, *touched.undecided_changes()]


def _placed(layer: str, table: source.Table) -> layered.Table:
    return layered.Table(layer, table, tuple(layered.LayerStatement(layer, row) for row in table.rows))


def _patch_table(
    merged: dict[str, layered.Table],
    layer: str,
    patch: source.TablePatch,
    touched: EffectiveChanges,
    problems: list[Finding],
) -> None:
    name = patch.table.text
    table = merged.get(name)
    if table is None:
        problems.append(UnknownCell(patch.table.span, "table", name, nearest_names(name, merged)))
        return
    table = _with_title(_with_kinds(table, patch, problems), layer, patch, touched, problems)
    rows = [
        layered.LayerStatement(layer, row if row.cites else replace(row, cites=patch.cites))
        for row in patch.add
        if not _is_repeated(table, row, layer, touched.reach)
    ]
    for line in patch.lines:
        cells = [*_rows_of_line(table, line, patch.cites)]
        if cells and all(_is_repeated(table, row, layer, touched.reach) for row in cells):
            continue
        if known := _existing_line(table, line):
            category = "column" if line.is_column else "row"
            problems.append(DuplicateTable(line.name.span, known, category, line.name.text, name))
            continue
        rows += [layered.LayerStatement(layer, row) for row in cells]
    table = replace(table, rows=table.rows + tuple(rows))
    for change in patch.set:
        table = _set_cell(table, layer, replace(change, cites=change.cites or patch.cites), touched, problems)
    merged[name] = table


def _is_repeated(table: layered.Table, row: source.Row, layer: str, reach: Mapping[str, frozenset[str]]) -> bool:
    """Return whether an unrelated layer has added the same row: the same keys and the same content."""
    place = _place_of_row(table.rows, row.keys)
    if place is None:
        return False
    first = table.rows[place]
    return first.node.value.text == row.value.text and not are_related(first.layer, layer, reach)


def _rows_of_line(table: layered.Table, line: source.AddedLine, cites: tuple[source.Word, ...]) -> Iterator[source.Row]:
    """Yield the cells of an added row or column with the keys of the table.

    A name for which the table has no key is taken for that key, which elaboration reports as unknown.
    """
    line_key, cell_key = _key_names(table, is_column=line.is_column)
    line_keys = ((source.Word(line.name.span, line_key or line.name.text), (line.name,)),)
    for key, value, cell_cites in line.cells:
        cell_keys = () if key is None else ((source.Word(key.span, cell_key or key.text), (key,)),)
        keys: Keys = (*cell_keys, *line_keys) if line.is_column else (*line_keys, *cell_keys)
        yield source.Row(value.span, keys, value, cell_cites or cites)


def _key_names(table: layered.Table, *, is_column: bool) -> tuple[str, str]:
    """Return the names of the key of rows or of columns, and of the other one; "" for one that the table lacks."""
    row_key, column_key, *_ = *(key.name.text for key in table.node.keys), "", ""
    return (column_key, row_key) if is_column else (row_key, column_key)


def _existing_line(table: layered.Table, line: source.AddedLine) -> Span | None:
    """Return a line that a patch adds although it exists; a line that only receives missing cells may exist."""
    line_key, cell_key = _key_names(table, is_column=line.is_column)
    new = {key.text for key, _, _ in line.cells if key is not None}
    spans = []
    for placed in table.rows:
        keys = {word.text: matches for word, matches in placed.node.keys}
        if line.name.text in _accepted(keys.get(line_key, ())) and not new.isdisjoint(
            _accepted(keys.get(cell_key, ()))
        ):
            spans.append(keys[line_key][0].span)
    return spans[0] if len(spans) > 1 else None


def _with_kinds(table: layered.Table, patch: source.TablePatch, problems: list[Finding]) -> layered.Table:
    """Add kinds of cells to a table; a table whose cells are of one unnamed kind accepts none."""
    kinds = {word.text: word for word, _ in table.node.cells}
    for word, _ in patch.kinds:
        if "" in kinds:
            problems.append(UnknownCell(word.span, "named kind of cell", table.node.name.text, ()))
        elif word.text in kinds:
            problems.append(DuplicateTable(word.span, kinds[word.text].span, "kind of cell", word.text))
    new = tuple((word, type_) for word, type_ in patch.kinds if "" not in kinds and word.text not in kinds)
    return replace(table, node=replace(table.node, cells=(*table.node.cells, *new))) if new else table


def _with_title(
    table: layered.Table,
    layer: str,
    patch: source.TablePatch,
    touched: EffectiveChanges,
    problems: list[Finding],
) -> layered.Table:
    """Change the title of a table, if it has the one that is expected there."""
    change, old_title, name = patch.title, table.node.title or "", f"the title of {table.node.name.text}"
    if change is None:
        return table
    below = touched.add_change(name, name, LayerChange(layer, change.span, change.now))
    if below is None:
        return table
    if change.expects not in (old_title, *below):
        problems.append(NotAsExpected(change.span, table.node.name.span, name, change.expects, old_title))
    elif change.now == old_title:
        problems.append(PatchesNothing(change.span, table.node.name.span, name, old_title))
    return replace(table, node=replace(table.node, title=change.now))


def _set_cell(
    table: layered.Table, layer: str, change: source.CellChange, touched: EffectiveChanges, problems: list[Finding]
) -> layered.Table:
    """Change a cell that has the expected content; a row that covers others as well is split."""
    name = table.node.name.text
    cell_name = _cell_name(name, change.keys)
    below = touched.add_change(cell_name, cell_name, LayerChange(layer, change.span, change.now.text))
    if below is None:
        return table
    rows = table.rows
    place = _place_of_row(rows, change.keys)
    if place is None and (split_rows := split_row(rows, change.keys)) is not None:
        rows, place = split_rows, _place_of_row(split_rows, change.keys)
    if place is None:
        near, beside = _similar_cells(name, rows, change.keys)
        problems.append(UnknownCell(change.span, "cell", cell_name, beside, near=near))
        return table
    row = rows[place].node
    if not any(same_value(found, change.expects.text) for found in (row.value.text, *below)):
        problems.append(
            NotAsExpected(change.expects.span, row.value.span, cell_name, change.expects.text, row.value.text)
        )
    elif leaves_unchanged(row.value.text, change.now.text):
        problems.append(PatchesNothing(change.now.span, row.value.span, cell_name, row.value.text))
    fresh = layered.LayerStatement(layer, source.Row(change.span, row.keys, change.now, change.cites or row.cites))
    return replace(table, rows=(*rows[:place], fresh, *rows[place + 1 :]))


def _cell_name(table: str, keys: Keys) -> str:
    """Return the name of a cell in problems: the table, and the accepted values of each key."""
    return f"{table}[{', '.join('|'.join(sorted(_accepted(matches))) for _, matches in keys)}]"


def _similar_cells(
    table: str, rows: Sequence[layered.LayerStatement[source.Row]], keys: Keys
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cells that may be meant by a missing one, and those that differ from it in a single key.

    The values of that key are compared: the whole names share so much that all are near.
    """
    cell_name = _cell_name(table, keys)
    wanted = {word.text: "|".join(sorted(_accepted(matches))) for word, matches in keys}
    beside: dict[str, tuple[str, str]] = {}
    for placed in rows:
        found = {word.text: "|".join(sorted(_accepted(matches))) for word, matches in placed.node.keys}
        differing = [key for key, value in found.items() if wanted.get(key) != value]
        if len(differing) == 1:
            beside[_cell_name(table, placed.node.keys)] = wanted.get(differing[0], ""), found[differing[0]]
    near = tuple(cell for cell, (value, found) in beside.items() if nearest_names(value, (found,)))
    if not beside:
        near = nearest_names(cell_name, (_cell_name(table, placed.node.keys) for placed in rows))
    return near, tuple(beside)


def _place_of_row(rows: Sequence[layered.LayerStatement[source.Row]], keys: Keys) -> int | None:
    """Return the index of the row that accepts exactly the values of these keys; None if there is none."""
    wanted = {word.text: _accepted(matches) for word, matches in keys}
    found = (
        index
        for index, placed in enumerate(rows)
        if {word.text: _accepted(matches) for word, matches in placed.node.keys} == wanted
    )
    return next(found, None)


def _accepted(matches: tuple[source.Match, ...]) -> frozenset[str]:
    return frozenset(
        match.text if isinstance(match, source.Word) else f"{match.low}..{match.high}" for match in matches
    )


def same_value(found: str, expected: str) -> bool:
    """Return whether two cells are equal: `3` and `3 MP` are, in a table whose cells have one measure."""
    return found == expected or _amount(found) == _amount(expected) != ""


def leaves_unchanged(found: str, replacement: str) -> bool:
    """Return whether a patch leaves a cell unchanged; `3` and `3 MP` may be two kinds of cell."""
    measures = {text.partition(" ")[2] for text in (found, replacement)} - {""}
    return same_value(found, replacement) and len(measures) < 2


def _amount(text: str) -> str:
    amount = amount_of(text.partition(" ")[0])
    return "" if amount is None else str(amount)


def _change_of(table: source.Table, cell: source.CellPatch, cites: tuple[source.Word, ...]) -> source.CellChange:
    keys = tuple(
        (source.Word(written.span, key.name.text), (source.Word(written.span, expression_text(written).strip("'")),))
        for key, written in zip(table.keys, cell.keys, strict=False)
    )
    return source.CellChange(cell.table.span, keys, _scalar(cell.expects), _scalar(cell.value), cites)


def _scalar(expression: source.Expression) -> source.Scalar:
    text = str(expression.value) if isinstance(expression, source.Amount) else expression_text(expression)
    return source.Scalar(expression.span, text.strip("'"))


# ---------------------------------------------------------------- cells that are split off a row


def split_row(
    rows: Sequence[layered.LayerStatement[source.Row]], keys: Keys
) -> tuple[layered.LayerStatement[source.Row], ...] | None:
    """Split the row that covers a cell together with others; None if no row does, or several do."""
    texts_by_key = {
        word.text: matches[0].text
        for word, matches in keys
        if len(matches) == 1 and isinstance(matches[0], source.Word)
    }
    if len(texts_by_key) != len(keys):
        return None
    found = [index for index, placed in enumerate(rows) if _gives(placed.node, texts_by_key)]
    if len(found) != 1:
        return None
    index = found[0]
    row = rows[index].node
    parts = (replace(row, keys=each) for each in _parts(row.keys, texts_by_key))
    return (*rows[:index], *(replace(rows[index], node=each) for each in parts), *rows[index + 1 :])


def _gives(row: source.Row, texts_by_key: dict[str, str]) -> bool:
    """Return whether a row accepts each of these values explicitly; one that accepts anything has no finite rest."""
    matches_by_key = {word.text: matches for word, matches in row.keys}
    return matches_by_key.keys() == texts_by_key.keys() and all(
        any(_is(match, text) for match in matches_by_key[name]) for name, text in texts_by_key.items()
    )


def _is(match: source.Match, text: str) -> bool:
    """Return whether an accepted key is, or contains, a value."""
    if isinstance(match, source.Word):
        return match.text == text
    return text.lstrip("-").isdecimal() and match.low <= int(text) <= match.high


def _parts(keys: Keys, texts_by_key: dict[str, str]) -> Iterator[Keys]:
    """Return the keys of the cell, then those of the rest: for each key, its remaining values."""
    single = tuple((word, (_single_match(matches, texts_by_key[word.text]),)) for word, matches in keys)
    yield single
    for index, (word, matches) in enumerate(keys):
        if rest := tuple(_without(matches, texts_by_key[word.text])):
            yield (*single[:index], (word, rest), *keys[index + 1 :])


def _single_match(matches: Sequence[source.Match], text: str) -> source.Match:
    """Return the accepted key that is one value."""
    match = next(each for each in matches if _is(each, text))
    return match if isinstance(match, source.Word) else source.Word(match.span, text)


def _without(matches: Sequence[source.Match], text: str) -> Iterator[source.Match]:
    """Return the accepted keys without one value."""
    for match in matches:
        if not _is(match, text):
            yield match
        elif isinstance(match, source.MatchRange):
            value = int(text)
            yield from (
                replace(match, low=low, high=high)
                for low, high in ((match.low, value - 1), (value + 1, match.high))
                if low <= high
            )
