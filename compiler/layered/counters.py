"""Merge unit charts: the counters of all layers, with the changes of higher layers and the factors that layers add.

In: the unit charts of all layers, lowest first, the patches of counters, and the extensions of kinds (`extend kind unit
has morale: 0..9 = 5`). Out: one counter per id. Values of added factors (`add factors`, and `set` of such a column) are
stored apart from the row of the lower layer, whose sources and layer are unchanged; a counter without a value has the
first value (compiler/typed/counters.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from compiler.layered import nodes as layered
from compiler.layered.effective_changes import EffectiveChanges, LayerChange
from compiler.layered.findings.patches import DuplicateTable, NotAsExpected, PatchesNothing, UnknownCell
from compiler.layered.repetitions import are_related
from compiler.layered.tables import leaves_unchanged, same_value
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written
from compiler.source.finding import Finding
from compiler.source.suggestions import nearest_names

# By kind, then by factor; several if layers declare it twice, which the typed stage reports.
AddedFactors = Mapping[str, Mapping[str, tuple[source.AddedFactor, ...]]]


def merge_counters(
    charts: Iterable[tuple[str, source.PieceChart]],
    patches: Iterable[tuple[str, source.PiecePatch]],
    factors: AddedFactors,
    reach: Mapping[str, frozenset[str]],
    database: Database,
) -> tuple[dict[str, layered.Counter], list[Finding]]:
    """Return the counters by id, with what higher layers change on them and add to them, and the problems found."""
    problems: list[Finding] = []
    merged: dict[str, layered.Counter] = {}

    def add_counters(layer: str, chart: source.PieceChart | source.PiecePatch) -> None:
        for counter in database.derive("counters of chart", (chart,), partial(_counters, layer, chart), layer):
            word = counter.node.id
            first = merged.setdefault(word.text, counter)
            if first is counter or (
                not are_related(first.layer, layer, reach) and equal_as_written(first.node, counter.node)
            ):
                continue
            problems.append(DuplicateTable(word.span, merged[word.text].node.id.span, "counter", word.text))

    for layer, chart in charts:
        add_counters(layer, chart)
    touched = EffectiveChanges(reach)
    for layer, patch in patches:
        add_counters(layer, patch)
        _add_values(merged, layer, patch, factors, touched, problems)
        for change in patch.set:
            _set_printed(merged, layer, patch, change, factors, touched, problems)
    return merged, [*problems, *touched.undecided_changes()]


def _counters(layer: str, chart: source.PieceChart | source.PiecePatch) -> tuple[layered.Counter, ...]:
    """Return the counters of a chart, or those that a patch adds."""
    rows = chart.rows if isinstance(chart, source.PieceChart) else chart.add
    cites = chart.cites
    return tuple(
        layered.Counter(layer, chart.kind, row, row.cites or cites, row.cites not in ((), cites)) for row in rows
    )


def _set_printed(  # noqa: PLR0913 - what is patched, by whom, and what is known of the stack
    merged: dict[str, layered.Counter],
    layer: str,
    patch: source.PiecePatch,
    change: source.PrintedChange,
    factors: AddedFactors,
    touched: EffectiveChanges,
    problems: list[Finding],
) -> None:
    counter = merged.get(change.id.text)
    if counter is None or counter.kind.text != patch.kind.text:
        problems.append(unknown_counter(merged, patch.kind, change.id))
        return
    values = {word.text: (word, value) for word, value in counter.node.values}
    column = change.column.text
    added = _value_before_patch(counter, column, factors) if column not in values else None
    if column not in values and added is None:
        known = (*values, *factors.get(counter.kind.text, ()))
        problems.append(UnknownCell(change.column.span, "column", column, nearest_names(column, known)))
        return
    cell_name = f"{change.id.text}.{column}"
    below = touched.add_change(cell_name, cell_name, LayerChange(layer, change.span, change.now.text))
    if below is None:
        return
    word, value = (change.column, added) if added is not None else values[column]
    if not any(same_value(found, change.expects.text) for found in (value.text, *below)):
        problems.append(NotAsExpected(change.expects.span, value.span, cell_name, change.expects.text, value.text))
    elif leaves_unchanged(value.text, change.now.text):
        problems.append(PatchesNothing(change.now.span, value.span, cell_name, value.text))
    own_cites = change.cites or patch.cites
    if added is not None:
        merged[change.id.text] = with_value(counter, layered.AddedValue(layer, word, change.now, own_cites))
        return
    values[column] = (word, change.now)
    cites = own_cites or counter.cites
    merged[change.id.text] = layered.Counter(
        layer,
        counter.kind,
        replace(counter.node, values=tuple(values.values())),
        cites,
        bool(own_cites) or counter.singled_out,
        counter.added,
    )


# ---------------------------------------------------------------- factors that layers add


def added_factors(statements: Iterable[layered.LayerStatement[source.ExtendKind]]) -> AddedFactors:
    """Return the factors that layers add: by kind, then by name, in the order of the layers."""
    found: dict[str, dict[str, tuple[source.AddedFactor, ...]]] = {}
    for statement in statements:
        of_kind = found.setdefault(statement.node.name.text, {})
        for factor in statement.node.added:
            of_kind[factor.name.text] = (*of_kind.get(factor.name.text, ()), factor)
    return found


def _value_before_patch(counter: layered.Counter, column: str, factors: AddedFactors) -> source.Scalar | None:
    """Return the value of an added factor on a counter before a patch; None if its kind does not have the factor."""
    declared = factors.get(counter.kind.text, {}).get(column)
    if declared is None:
        return None
    values = (each.value for each in counter.added if each.column.text == column)
    return next(values, declared[0].first or source.Scalar(declared[0].name.span, ""))


def with_value(counter: layered.Counter, value: layered.AddedValue) -> layered.Counter:
    """Return a counter with another value of an added factor."""
    others = tuple(each for each in counter.added if each.column.text != value.column.text)
    return replace(counter, added=(*others, value))


def unknown_counter(merged: Mapping[str, layered.Counter], kind: source.Word, id_: source.Word) -> UnknownCell:
    """Return the problem of an id that no counter of the patched kind has, or of a kind without counters."""
    ids = [name for name, other in merged.items() if other.kind.text == kind.text]
    if not ids:
        kinds = sorted({counter.kind.text for counter in merged.values()})
        return UnknownCell(kind.span, "kind of counters", kind.text, nearest_names(kind.text, kinds) or tuple(kinds))
    return UnknownCell(id_.span, "counter", id_.text, nearest_names(id_.text, ids))


def _add_values(
    merged: dict[str, layered.Counter],
    layer: str,
    patch: source.PiecePatch,
    factors: AddedFactors,
    touched: EffectiveChanges,
    problems: list[Finding],
) -> None:
    """Apply `add factors`: set values of counters that had the first value."""
    known = factors.get(patch.kind.text, {})
    unknown: set[str] = set()
    for each in patch.values:
        column, id_ = each.column.text, each.id.text
        counter = merged.get(id_)
        if counter is None or counter.kind.text != patch.kind.text:
            problems.append(unknown_counter(merged, patch.kind, each.id))
            continue
        values_by_column = {word.text: value for word, value in counter.node.values}
        values_by_column |= {value.column.text: value.value for value in counter.added}
        cell_name = f"{id_}.{column}"
        if column in values_by_column and len(known.get(column, ())) > 1:
            continue
        if column in values_by_column:
            # Values from independent layers conflict, which is reported.
            if touched.add_change(cell_name, cell_name, LayerChange(layer, each.span, each.now.text)) is not None:
                problems.append(
                    DuplicateTable(
                        each.span, values_by_column[column].span, "value", cell_name, values_by_column[column].text
                    )
                )
        elif column in known:
            touched.add_change(cell_name, cell_name, LayerChange(layer, each.span, each.now.text))
            merged[id_] = with_value(counter, layered.AddedValue(layer, each.column, each.now, each.cites))
        elif column not in unknown:
            unknown.add(column)
            problems.append(
                UnknownCell(each.column.span, "added factor", column, nearest_names(column, known) or (*known,))
            )
