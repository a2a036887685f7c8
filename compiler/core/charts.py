"""Lowering of charts: a constant array where all keys are finite, else a chain of comparisons.

In: a table of the graph, and the keys of one read of it in the core. Out: the core of the cell. The hit policies are
those of DMN (docs/language.md, 7). Where no row matches, or more than the policy allows, the cell is a trap.
"""

from functools import reduce
from itertools import product
from math import prod
from operator import and_
from typing import TYPE_CHECKING

from compiler.core import ir
from compiler.core.construct import all_hold, number_constant, one_holds, to_ratio
from compiler.core.ir import Apply, Const, Core, EnumConst, If, Primitive, Trap
from compiler.core.representation import BOOL, ENUM, INT, RATIO, CellRow, Representation
from compiler.core.trap_reason import TrapReason
from runtime.graph import nodes as graph
from runtime.graph.members import members_of

if TYPE_CHECKING:
    from compiler.core.expressions import ExpressionLowering

MOST_ARRAY_ELEMENTS = 1 << 15  # Elements of one constant array: 256 KiB.
Domain = tuple[int | str, ...]


def lower_cell(lowering: "ExpressionLowering", table: graph.Table, keys: list[Core], kind: str) -> Core:
    """Lower the read of a cell: its content, or the row where cells are of several kinds and none is asked for."""
    plain = bool(kind) or all(not row.kind for row in table.rows)
    values: list[Core] = [
        (Trap(TrapReason.ABSENT, INT) if row.value is None else lowering.lower(row.value, {}))
        if plain
        else Const(row_classes(table, index), CellRow(table.name))
        for index, row in enumerate(table.rows)
    ]
    if all(isinstance(value, Trap) for value in values):
        return Trap(TrapReason.GAP, INT)
    values = _common_representation(lowering, values)
    representation = (
        next(value.representation for value in values if not isinstance(value, Trap)) if plain else CellRow(table.name)
    )
    if table.hit == "collect":
        return _joined_cells(table, keys, values, representation)
    return _constant_array(lowering, table, keys, values, representation) or _row_chain(
        table, keys, values, representation
    )


def _common_representation(lowering: "ExpressionLowering", values: list[Core]) -> list[Core]:
    """Return all contents of a chart, coerced to one representation."""
    present = iter(lowering.in_one_representation(*[value for value in values if not isinstance(value, Trap)]))
    return [value if isinstance(value, Trap) else next(present) for value in values]


def row_classes(table: graph.Table, index: int) -> int:
    """Return the index of the first row with equal content, so that equal cells have equal numbers."""
    row = table.rows[index]
    return next(n for n, each in enumerate(table.rows) if (each.kind, each.value) == (row.kind, row.value))


def _constant_array(
    lowering: "ExpressionLowering",
    table: graph.Table,
    keys: list[Core],
    values: list[Core],
    representation: Representation,
) -> Core | None:
    """Return a constant array for a chart; None where keys are infinite."""
    domains = [_key_domain(lowering, part, key.representation) for part, key in zip(table.keys, keys, strict=True)]
    found = [each for each in domains if each is not None]
    if len(found) < len(domains) or prod(map(len, found)) > MOST_ARRAY_ELEMENTS:
        return None
    accepting = [[_rows_accepting(table, index, key) for key in keys] for index, keys in enumerate(found)]
    cells = tuple(_constant_lookup(table, reduce(and_, rows), values) for rows in product(*accepting))
    return ir.TableLookup(table.name, tuple(keys), tuple(found), cells, representation)


def _key_domain(lowering: "ExpressionLowering", part: graph.Parameter, representation: Representation) -> Domain | None:
    """Return the values of a key in order; None where they are infinite or have no index."""
    vocabulary = lowering.rules.vocabulary
    match part.type:
        case graph.Number(int(low), int(high)) if representation == INT and high - low < MOST_ARRAY_ELEMENTS:
            return tuple(range(low, high + 1))
        case graph.Scale(name) if representation == INT:
            places = [index for _, index in vocabulary.scales[name].places]
            return tuple(range(int(min(places)), int(max(places)) + 1)) if places else None
        case graph.YesNo():
            return (0, 1)
        case graph.Enum(name) if members_of(vocabulary, name):
            return members_of(vocabulary, name)
        case _:
            return None


def _rows_accepting(table: graph.Table, key_index: int, key: int | str) -> int:
    """Return the rows that match a constant key, as a bit set."""
    found = 0
    for index, row in enumerate(table.rows):
        accepted = row.keys[key_index]
        if accepted is None or any(key_match.low <= key <= key_match.high for key_match in accepted):  # type: ignore[operator]
            found |= 1 << index
    return found


def _constant_lookup(table: graph.Table, matching: int, values: list[Core]) -> Const | EnumConst | None:
    """Evaluate a cell at compile time, by its matching rows; None where it is a trap."""
    if not matching or (table.hit == "unique" and matching.bit_count() > 1):
        return None
    first = values[(matching & -matching).bit_length() - 1]
    if not isinstance(first, Const | EnumConst):
        return None
    if table.hit != "first":
        while matching := matching & (matching - 1):
            if values[(matching & -matching).bit_length() - 1] != first:
                return None
    return first


def _row_chain(table: graph.Table, keys: list[Core], values: list[Core], representation: Representation) -> Core:
    """Lower a chart to comparisons with each row; all matching rows must have equal contents."""
    clauses = _row_clauses(table, keys, values, representation)
    if table.hit == "any":
        return ir.Resolve(ir.Form.VALUE, clauses, None, representation)
    cases = tuple((each.guard or Const(1, BOOL), each.value) for each in clauses if each.value is not None)
    found = ir.FirstMatch(cases, TrapReason.GAP, representation)
    if table.hit == "first":
        return found
    # At most one row may match, whatever its content.
    match_count = ir.Resolve(
        ir.Form.SUM, tuple(ir.Clause(each.label, (), (), each.guard, Const(1, INT)) for each in clauses), None, INT
    )
    return If(
        Apply(Primitive.EQUAL, (match_count, Const(1, INT)), BOOL),
        found,
        Trap(TrapReason.CLASH, representation),
        representation,
    )


def tallied_cell(table: graph.Table, keys: list[Core], cell: Core, tally: int | None) -> Core:
    """Return a cell before which it is recorded which rows match; of a chart with the policy `first` the first one."""
    labels = [f"{table.name} {index}" for index in range(len(table.rows))]
    clauses = tuple(
        ir.Clause(
            label, (), tuple(labels[:index]) if table.hit == "first" else (), row_matches(row, keys), Const(0, INT)
        )
        for index, (label, row) in enumerate(zip(labels, table.rows, strict=True))
    )
    # A sum of zeros is never negative: the comparison is there to evaluate the clauses.
    never = Apply(Primitive.LESS, (ir.Resolve(ir.Form.SUM, clauses, None, INT, tally), Const(0, INT)), BOOL)
    return If(never, Trap(TrapReason.GAP, cell.representation), cell, cell.representation)


def _retyped_trap(value: Core, representation: Representation) -> Core:
    """Return a trap with the representation of the other cells; any other cell is returned unchanged."""
    return Trap(value.reason, representation) if isinstance(value, Trap) else value


def _joined_cells(table: graph.Table, keys: list[Core], values: list[Core], representation: Representation) -> Core:
    """Combine the cells of all matching rows."""
    form = {"sum": ir.Form.SUM, "min": ir.Form.MIN, "max": ir.Form.MAX}.get(table.operator)
    if form is None:
        return Trap(TrapReason.UNSUPPORTED, representation)
    return ir.Resolve(form, _row_clauses(table, keys, values, representation), None, representation)


def _row_clauses(
    table: graph.Table, keys: list[Core], values: list[Core], representation: Representation
) -> tuple[ir.Clause, ...]:
    return tuple(
        ir.Clause(f"{table.name} {index}", (), (), row_matches(row, keys), _retyped_trap(value, representation))
        for index, (row, value) in enumerate(zip(table.rows, values, strict=True))
    )


def row_matches(row: graph.TableRow, keys: list[Core]) -> Core:
    """Lower the match of keys with a row."""
    return all_hold(
        [
            one_holds([_key_matches(key_match, key) for key_match in accepted])
            for accepted, key in zip(row.keys, keys, strict=True)
            if accepted is not None
        ]
    )


def _key_matches(match: graph.Match, key: Core) -> Core:
    """Lower the match of a key with one value or range."""
    if key.representation == ENUM:
        return Apply(Primitive.EQUAL, (key, EnumConst(str(match.low), ENUM)), BOOL)
    if key.representation not in (INT, RATIO):
        return Apply(Primitive.EQUAL, (key, Const(int(match.low), key.representation)), BOOL)
    low, high = _range_bound(match.low, key), _range_bound(match.high, key)
    if match.low == match.high:
        return Apply(Primitive.EQUAL, (low[0], low[1]), BOOL)
    above = Apply(Primitive.NOT, (Apply(Primitive.LESS, (low[0], low[1]), BOOL),), BOOL)
    return If(
        above, Apply(Primitive.NOT, (Apply(Primitive.LESS, (high[1], high[0]), BOOL),), BOOL), Const(0, BOOL), BOOL
    )


def _range_bound(end: object, key: Core) -> tuple[Core, Core]:
    """Return a key and a bound of a range, coerced to one representation."""
    bound = number_constant(end)  # type: ignore[arg-type]
    return (to_ratio(key), to_ratio(bound)) if RATIO in (key.representation, bound.representation) else (key, bound)
