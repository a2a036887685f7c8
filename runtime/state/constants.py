"""Evaluation of constant expressions: numbers, members, sets, records, names of hexes and pieces.

In: an expression without questions. Out: its value. Initial values of tracks, printed factors and the lines of a
position are constants, so that a state can be built without an evaluator.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import count

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.identity_memo import memoized_by_identity
from runtime.graph.literals import literal_value
from runtime.graph.operators import OPERATORS
from runtime.state.record import Record, Value


@frozen_dataclass
class ConstantScope:
    """The scope of constants: hexes, pieces, bound names; and the canonical order of members and records."""

    names: Mapping[str, Value]
    rank: Mapping[str, int]
    serials: Iterator[int] = field(default_factory=count)


def canonical_set(values: Iterable[Value], rank: Mapping[str, int]) -> tuple[Value, ...]:
    """Return values as a set: without duplicates, in canonical order; members by rank, all others by value."""
    distinct = set(values)
    if len(distinct) < 2:
        return tuple(distinct)
    if isinstance(next(iter(distinct)), str):
        return tuple(sorted(distinct, key=lambda word: (rank.get(word, len(rank)), word)))
    return tuple(sorted(distinct))


@memoized_by_identity(1024)
def printed_values(counter: graph.Counter, rank: Mapping[str, int]) -> dict[str, Value]:
    """Return the printed values of a counter of the unit chart, by name; `rank` is the canonical order of members."""
    scope = ConstantScope({}, rank)
    return {name: evaluate_constant(value, scope) for name, value in counter.printed}


def first_values(kind: graph.Kind, scope: ConstantScope) -> dict[str, Value]:
    """Return what layers added to all pieces of a kind, by name: what shows one that no chart gives another value."""
    return {name: evaluate_constant(value, scope) for name, value in kind.first}


def evaluate_constant(expr: graph.Expr, scope: ConstantScope) -> Value:
    """Return the value of a constant expression; `ValueError` for an expression that depends on a position."""
    if isinstance(expr, graph.LiteralExpr):
        return literal_value(expr)
    match expr:
        case graph.Spot(_, name) | graph.Var(name):
            return scope.names[name]
        case graph.SetOf(elements):
            return canonical_set([evaluate_constant(element, scope) for element in elements], scope.rank)
        case graph.New(record, fields):
            serial = next(scope.serials)
            return Record(record, serial, {name: evaluate_constant(value, scope) for name, value in fields})
        case graph.Op(op, arguments) if not OPERATORS[op].needs:
            return OPERATORS[op].compute(*[evaluate_constant(argument, scope) for argument in arguments])
        case _:
            raise ValueError(f"{type(expr).__name__} is not a value that can be written down")
