"""Give counters the values of factors that layers add to their kind.

In: the counters of all layers, what layers add to kinds (`extend kind unit has morale: 0..9 = 5`), and the values that
patches give (`add factors`, and `set` of such a column). Out: the same counters with these values, apart from the row
that the layer below wrote: its sources and its layer stay what they are. A counter of which nothing is said shows the
first value (compiler/typed/tables.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.layered.effective_changes import Change, EffectiveChanges
from compiler.layered.problems import DuplicateTable, Problem, UnknownCell
from compiler.source import nodes as source
from compiler.source.suggestions import nearest_names

# By kind, then by factor; more than one where layers declare it twice, which typing tells.
AddedFactors = Mapping[str, Mapping[str, tuple[source.AddedFactor, ...]]]


def added_factors(statements: Iterable[layered.LayerStatement[source.ExtendKind]]) -> AddedFactors:
    """List what layers add to kinds."""
    found: dict[str, dict[str, tuple[source.AddedFactor, ...]]] = {}
    for statement in statements:
        of_kind = found.setdefault(statement.node.name.text, {})
        for factor in statement.node.added:
            of_kind[factor.name.text] = (*of_kind.get(factor.name.text, ()), factor)
    return found


def value_below(counter: layered.Counter, column: str, factors: AddedFactors) -> source.Scalar | None:
    """Return what an added factor comes to on a counter before a patch; None if it is none of the counter's kind."""
    declared = factors.get(counter.kind.text, {}).get(column)
    if declared is None:
        return None
    given = (each.value for each in counter.added if each.column.text == column)
    return next(given, declared[0].first or source.Scalar(declared[0].name.span, ""))


def with_value(counter: layered.Counter, value: layered.AddedValue) -> layered.Counter:
    """Return a counter that shows another value of an added factor."""
    others = tuple(each for each in counter.added if each.column.text != value.column.text)
    return replace(counter, added=(*others, value))


def no_counter(merged: Mapping[str, layered.Counter], kind: source.Word, id_: source.Word) -> UnknownCell:
    """Return the problem of a counter that the kind of a patch does not have, or of a kind that nothing is of."""
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
    """Apply `add factors`: values for counters that had none but the first."""
    known = factors.get(patch.kind.text, {})
    unknown: set[str] = set()
    for each in patch.values:
        column, id_ = each.column.text, each.id.text
        counter = merged.get(id_)
        if counter is None or counter.kind.text != patch.kind.text:
            problems.append(no_counter(merged, patch.kind, each.id))
            continue
        there = {word.text: value for word, value in counter.node.values}
        there |= {value.column.text: value.value for value in counter.added}
        what = f"{id_}.{column}"
        if column in there and len(known.get(column, ())) > 1:
            continue
        if column in there:
            # Layers that do not stand on one another clash, and are told so.
            if touched.add_change(what, what, Change(layer, each.span, each.now.text)) is not None:
                problems.append(DuplicateTable(each.span, there[column].span, "value", what, there[column].text))
        elif column in known:
            touched.add_change(what, what, Change(layer, each.span, each.now.text))
            merged[id_] = with_value(counter, layered.AddedValue(layer, each.column, each.now, each.cites))
        elif column not in unknown:
            unknown.add(column)
            problems.append(
                UnknownCell(each.column.span, "added factor", column, nearest_names(column, known) or (*known,))
            )
