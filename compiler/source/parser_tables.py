"""lark's tables and builders, laid out for a parser that does as little as it can for each word.

In: for each state, what is to be done on a terminal, and what is built by each rule. Out: the same as plain
numbers and names. Three things are settled here that a parser would otherwise do over and over: a list that
gets longer is not taken off the stack and put back, rules that only give a part another name are followed to the
last as soon as the part is built, and a builder is handed its parts without asking which of them may be missing.
"""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lark import Tree
from lark.grammar import Rule
from lark.parse_tree_builder import ChildFilterLALR, ChildFilterLALR_NoPlaceholders
from lark.parsers.lalr_analysis import Shift

# What to do instead of building from so many parts: take the token; take it as the beginning of a member of a list;
# put the last parts behind the list that stands before them; give a part another name. DONE is no move, but the end.
SHIFT, BEGIN, LENGTHEN, RENAME, DONE = -1, -2, -3, -4, -5
# Where a part stands that was left out: behind all others.
MISSING = -1

# For each state, a size, a target and a builder by the name of a terminal, and where it leads by the name of a rule.
Moves = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class Parser:
    """The stacks of a parser; each value stands between two states."""

    state_stack: list[Any]
    value_stack: list[Any]


class Goto(dict[str, int]):
    """The state that a rule leads to, by the terminal ahead.

    Where a name is to turn into a sum and the sum into a condition, that is seven states for every word; the last
    of them is found when it is first asked for, and then known.
    """

    __slots__ = ("_below", "_moves", "_state")

    def __init__(self, moves: Moves, below: int, state: int) -> None:
        """Begin with the state that the tables name."""
        super().__init__()
        self._moves, self._below, self._state = moves, below, state

    def __missing__(self, terminal: str) -> int:
        state = self._state
        while (move := self._moves[state].get(terminal)) and move[0] == RENAME:
            state = self._moves[self._below][move[1]]._state
        self[terminal] = state
        return state


def expand(moves: Moves, stack: list[int], values: list[Any], terminal: str) -> tuple[int, int] | None:
    """Build what is complete when a terminal comes next; say how it is taken and what state follows, if it fits.

    lark's own loop does the same, but builds a list and calls a function even where a name turns into a sum and a sum
    into a condition.
    """
    while move := moves[stack[-1]].get(terminal):
        size, to, build = move
        if size >= 0:
            bottom = len(values) - size
            parts = values[bottom:]
            del stack[bottom + 1 :], values[bottom:]
            stack.append(moves[stack[bottom]][to][terminal])
            values.append(build(parts))
        elif size >= BEGIN:
            return size, to
        elif size == LENGTHEN:
            values[to - 1].children += values[to:]
            del stack[to:], values[to:]
        else:
            stack[-1] = moves[stack[-2]][to][terminal]
    return None


def flatten_tables(
    states: Mapping[int, Mapping[str, tuple[Any, Any]]], builders: Mapping[Any, Any], lists: Collection[int]
) -> Moves:
    """Lay the tables out, with a builder for each rule; in the states of `lists` a member may begin."""
    moves: list[dict[str, Any]] = [{} for _ in states]
    reductions = {rule: _reduction(rule, build) for rule, build in builders.items()}
    for state, actions in states.items():
        for name, (action, to) in actions.items():
            if action is not Shift:
                move: Any = reductions[to]
            elif name.isupper() or name.startswith("__ANON") or name == "$END":
                move = BEGIN if state in lists else SHIFT, to, None
            else:
                move = Goto(moves, state, to)
            # Names that are one object are found without comparing them.
            moves[state][sys.intern(str(name))] = move
    return moves


def _reduction(rule: Rule, build: Any) -> tuple[int, Any, Any]:
    size, name = len(rule.expansion), sys.intern(str(rule.origin.name))
    if _renames(rule):
        return RENAME, name, None
    if _lengthens(build):
        return LENGTHEN, 1 - size, None
    return size, name, _quicker(build)


def _renames(rule: Rule) -> bool:
    """Return whether a rule only gives its one part another name."""
    one = bool(rule.options.expand1) and len(rule.expansion) == 1 and not rule.alias
    return one and (rule.expansion[0].is_term or not rule.expansion[0].name.startswith("_"))


def _lengthens(build: Any) -> bool:
    """Return whether one of lark's builders puts all that follows behind the list that comes first."""
    if not isinstance(build, ChildFilterLALR_NoPlaceholders):
        return False
    lists = isinstance(build.node_builder, partial) and build.node_builder.func is Tree
    return lists and build.to_include == [(at, at == 0) for at in range(len(build.to_include))]


def _quicker(build: Any) -> Any:
    """Return a builder equal to one of lark's that takes fewer steps."""
    if not isinstance(build, ChildFilterLALR | ChildFilterLALR_NoPlaceholders):
        return build
    places = tuple(_places(build))
    if any(spread for _, spread in places):
        return partial(_spread, places, build.node_builder)
    return partial(_filled, tuple(at for at, _ in places), build.node_builder)


def _places(build: Any) -> Iterator[tuple[int, bool]]:
    """Yield which parts a builder takes, in order, and which are lists; what is left out stands behind the last."""
    for at, spread, *missing in build.to_include:
        yield from [(MISSING, False)] * sum(missing)
        yield at, spread
    yield from [(MISSING, False)] * getattr(build, "append_none", 0)


def _filled(places: tuple[int, ...], build: Any, parts: list[Any]) -> Any:
    """Build from the parts at these places."""
    parts.append(None)
    return build([parts[at] for at in places])


def _spread(places: tuple[tuple[int, bool], ...], build: Any, parts: list[Any]) -> Any:
    """Build from the parts at these places and from what is in their lists."""
    parts.append(None)
    taken: list[Any] = []
    for at, spread in places:
        if spread:
            taken += parts[at].children
        else:
            taken.append(parts[at])
    return build(taken)
