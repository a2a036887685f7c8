"""The run-time library of generated code.

Every public name here is in the namespace of the generated functions.
"""

from collections.abc import Callable, Iterable
from math import ceil, floor
from typing import Any, NoReturn

from runtime.answer.answer import live_labels
from runtime.answer.expressions import everything, named_object, run
from runtime.answer.tables import CellContent, look_up
from runtime.board.board import NOTHING
from runtime.board.search import cheapest_cost, cheapest_way, linked_by, reachable, searched
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import AbsentError, ClashError, GapError, OutsideError
from runtime.graph.budget import compared, passed, passed_if_many
from runtime.graph.operators import add_up, clamp, contains, divide, plain, same, span, without
from runtime.state.position import GONE, NOBODY, OUTSIDE, State
from runtime.state.ranges import check_range
from runtime.state.record import Value


class MemoizedChart(dict[tuple[Value, ...], Value]):
    """A memoized chart: the reference evaluates a cell at its first read, later reads are dictionary lookups."""

    def __init__(self, table: graph.Table) -> None:
        """Start without cells."""
        super().__init__()
        self.table = table
        self.single = all(kind == "" for kind, _ in table.cells)

    def __missing__(self, keys: tuple[Value, ...]) -> Value:
        cell, _ = look_up(self.table, keys)
        found = self[keys] = cell.value if self.single else cell
        return found


def card_fact(state: State, key: str) -> Value:
    """Return a fact that every card gives; raises `AbsentError` in a position that does not."""
    value = state.facts.get(key)
    if value is None:
        raise AbsentError(key, ())
    return value


def clash(term: graph.Term, arguments: tuple[Value, ...], mask: int) -> NoReturn:
    """Raise `ClashError` with the live rules of a decision mask."""
    raise ClashError(term.name, arguments, live_labels(term, mask))


def gap(term: graph.Term, arguments: tuple[Value, ...]) -> NoReturn:
    """Raise `GapError`."""
    raise GapError(term.name, arguments, term.rules)


def outside(term: graph.Term, arguments: tuple[Value, ...]) -> NoReturn:
    """Raise `OutsideError`."""
    raise OutsideError(term.name, arguments)


def least(members: Iterable[Value], key: Callable[[Value], Any], default: Callable[[], Value] | None = None) -> Value:
    """Return the first member with the smallest number; for no member `default()`, or `GapError` without it."""
    return _extreme("least", min, members, key, default)


def greatest(
    members: Iterable[Value], key: Callable[[Value], Any], default: Callable[[], Value] | None = None
) -> Value:
    """Return the first member with the largest number; for no member `default()`, or `GapError` without it."""
    return _extreme("greatest", max, members, key, default)


def _extreme(
    name: str, choose: Callable[..., Value], members: Iterable[Value], key: Callable[[Value], Any],
    default: Callable[[], Value] | None,
) -> Value:  # fmt: skip
    found = list(members)
    if found:
        return choose(found, key=key)
    if default is None:
        raise GapError(name, ())
    return default()


def smallest(numbers: list[Value]) -> Value:
    """Return the smallest number; raises `GapError` for none."""
    if not numbers:
        raise GapError("min", ())
    return min(numbers)


def largest(numbers: list[Value]) -> Value:
    """Return the largest number; raises `GapError` for none."""
    if not numbers:
        raise GapError("max", ())
    return max(numbers)


def trailing(members: tuple[Value, ...], holds: Callable[[Value], bool]) -> tuple[Value, ...]:
    """Return the longest suffix whose members satisfy a condition."""
    return run(reversed(members), holds)[::-1]


def united(state: State, included: list[Value], excluded: list[Value]) -> tuple[Value, ...]:
    """Return the union of the included sets without the excluded ones, in canonical order."""
    if len(included) == 1 and not excluded:
        return tuple(included[0])
    excluded_members = {member for members in excluded for member in members}
    return state.frame.ordered(m for members in included for m in members if m not in excluded_members)


def on_path(state: State, path: str, place: Value) -> bool:
    """Return whether a path runs through a hex or crosses a hexside."""
    if isinstance(place, tuple):
        return state.board.is_side_on_path(path, place)
    return state.board.has_path(path, place)


NAMESPACE: dict[str, Any] = {
    "Cell": CellContent, "GONE": GONE, "NOBODY": NOBODY, "NOTHING": NOTHING, "OUTSIDE": OUTSIDE, "add_up": add_up,
    "card_fact": card_fact,
    "ceil": ceil, "cheapest_cost": cheapest_cost, "cheapest_way": cheapest_way, "clamp": clamp, "clash": clash,
    "compared": compared,
    "contains": contains, "divide": divide, "everything": everything, "floor": floor, "gap": gap,
    "greatest": greatest, "hold": check_range, "largest": largest, "leading": run, "least": least,
    "on_path": on_path, "linked_by": linked_by, "outside": outside, "passed": passed,
    "passed_if_many": passed_if_many, "plain": plain,
    "reachable": reachable, "same": same, "searched": searched,
    "smallest": smallest, "span": span, "spot": named_object, "trailing": trailing,
    "united": united, "without": without,
}  # fmt: skip
