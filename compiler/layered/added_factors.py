"""Assembly of added factors: the values that counters have of factors that layers add to their kind.

In: the counters of all layers, the extensions of kinds (`extend kind unit has morale: 0..9 = 5`), and the values in
patches (`add factors`, and `set` of such a column). Out: the same counters with these values, stored apart from the row
of the lower layer, whose sources and layer are unchanged. A counter without a value has the first value
(compiler/typed/tables.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.layered.effective_changes import EffectiveChanges, LayerChange
from compiler.layered.problems import DuplicateTable, Problem, UnknownCell
from compiler.source import nodes as source
from compiler.source.suggestions import nearest_names

# By kind, then by factor; several if layers declare it twice, which the typed stage reports.
AddedFactors = Mapping[str, Mapping[str, tuple[source.AddedFactor, ...]]]


def added_factors(statements: Iterable[layered.LayerStatement[source.ExtendKind]]) -> AddedFactors:
    """Collect the factors that layers add, by kind."""
    found: dict[str, dict[str, tuple[source.AddedFactor, ...]]] = {}
    for statement in statements:
        of_kind = found.setdefault(statement.node.name.text, {})
        for factor in statement.node.added:
            of_kind[factor.name.text] = (*of_kind.get(factor.name.text, ()), factor)
    return found


def value_before_patch(counter: layered.Counter, column: str, factors: AddedFactors) -> source.Scalar | None:
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


def add_values(
    merged: dict[str, layered.Counter],
    layer: str,
    patch: source.PiecePatch,
    factors: AddedFactors,
    touched: EffectiveChanges,
    problems: list[Problem],
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
