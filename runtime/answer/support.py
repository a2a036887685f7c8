"""What generated code calls: the few things that are not one line of Python.

Everything here is in the namespace of the generated functions, under the same name.
"""

from collections.abc import Callable, Iterable
from math import ceil, floor
from typing import Any, NoReturn

from runtime.answer.answer import ClashError, GapError, OutsideError
from runtime.answer.expressions import everything, named_object, run
from runtime.answer.tables import Cell, look_up
from runtime.board.board import NOTHING
from runtime.board.search import cheapest_cost, cheapest_way, linked_by, reachable, searched
from runtime.graph import nodes as graph
from runtime.graph.budget import passed, passed_if_many
from runtime.graph.operators import add_up, clamp, contains, divide, plain, same, span, without
from runtime.state.constants import Scope, evaluate_constant
from runtime.state.position import GONE, NOBODY, OUTSIDE, State
from runtime.state.ranges import check_range
from runtime.state.record import Value


class Chart(dict[tuple[Value, ...], Value]):
    """A chart that is read by the reference once a key, and by one dict lookup ever after."""

    def __init__(self, table: graph.Table, rank: dict[str, int]) -> None:
        """Begin empty."""
        super().__init__()
        self.table = table
        self.rank = rank
        self.single = all(kind == "" for kind, _ in table.cells)

    def __missing__(self, keys: tuple[Value, ...]) -> Value:
        cell, _ = look_up(self.table, keys, lambda expr, names: evaluate_constant(expr, Scope(names, self.rank)))
        found = self[keys] = cell.value if self.single else cell
        return found


def clash(term: graph.Term, arguments: tuple[Value, ...], mask: int) -> NoReturn:
    """Stop at two answers."""
    raise ClashError(term.name, arguments, tuple(label for bit, label in enumerate(term.rules) if mask >> bit & 1))


def gap(term: graph.Term, arguments: tuple[Value, ...]) -> NoReturn:
    """Stop at no answer."""
    raise GapError(term.name, arguments, term.rules)


def outside(term: graph.Term, arguments: tuple[Value, ...]) -> NoReturn:
    """Stop at an answer that the term's domain excludes."""
    raise OutsideError(term.name, arguments)


def least(members: Iterable[Value], by: Callable[[Value], Any], otherwise: Callable[[], Value] | None = None) -> Value:
    """Take the first member with the smallest number; of none, what is given `otherwise`."""
    found = list(members)
    if not found:
        if otherwise is not None:
            return otherwise()
        raise GapError("least", ())
    return min(found, key=by)


def greatest(
    members: Iterable[Value], by: Callable[[Value], Any], otherwise: Callable[[], Value] | None = None
) -> Value:
    """Take the first member with the largest number; of none, what is given `otherwise`."""
    found = list(members)
    if not found:
        if otherwise is not None:
            return otherwise()
        raise GapError("greatest", ())
    return max(found, key=by)


def smallest(numbers: list[Value]) -> Value:
    """Take the smallest number."""
    if not numbers:
        raise GapError("min", ())
    return min(numbers)


def largest(numbers: list[Value]) -> Value:
    """Take the largest number."""
    if not numbers:
        raise GapError("max", ())
    return max(numbers)


def leading(members: Iterable[Value], holds: Callable[[Value], bool]) -> tuple[Value, ...]:
    """Take the unbroken run at the start."""
    return run(members, holds)


def trailing(members: tuple[Value, ...], holds: Callable[[Value], bool]) -> tuple[Value, ...]:
    """Take the unbroken run at the end."""
    return run(reversed(members), holds)[::-1]


def united(state: State, included: list[Value], excluded: list[Value]) -> tuple[Value, ...]:
    """Unite sets, without what is excluded."""
    if len(included) == 1 and not excluded:
        return tuple(included[0])
    barred = {member for members in excluded for member in members}
    return state.frame.ordered(m for members in included for m in members if m not in barred)


def on_path(state: State, path: str, where: Value) -> bool:
    """Return whether a path runs through a hex or crosses a hexside."""
    if isinstance(where, tuple):
        return state.board.on_path(path, where)
    return state.board.has_path(path, where)


NAMESPACE: dict[str, Any] = {
    "Cell": Cell, "GONE": GONE, "NOBODY": NOBODY, "NOTHING": NOTHING, "OUTSIDE": OUTSIDE, "add_up": add_up,
    "ceil": ceil, "cheapest_cost": cheapest_cost, "cheapest_way": cheapest_way, "clamp": clamp, "clash": clash,
    "contains": contains, "divide": divide, "everything": everything, "floor": floor, "gap": gap,
    "greatest": greatest, "hold": check_range, "largest": largest, "leading": leading, "least": least,
    "on_path": on_path, "linked_by": linked_by, "outside": outside, "passed": passed,
    "passed_if_many": passed_if_many, "plain": plain,
    "reachable": reachable, "same": same, "searched": searched,
    "smallest": smallest, "span": span, "spot": named_object, "trailing": trailing,
    "united": united, "without": without,
}  # fmt: skip
