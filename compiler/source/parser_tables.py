"""The tables and builders of lark, arranged for a parser with few steps per token.

The input is the actions of each state and the builders of rules; the output is the same as plain numbers and names.
Three optimizations are applied in advance: a growing list is extended in place instead of being popped and pushed, unit
reductions are followed to the last one as soon as the part is built, and a builder receives its parts without a test
for absent ones.
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

# The actions besides building from a number of parts: shift the token; shift it as the first token of a list member;
# append the last parts to the list before them; rename a part. DONE is not an action, but the end.
SHIFT, BEGIN, LENGTHEN, RENAME, DONE = -1, -2, -3, -4, -5
# The index of an absent part: behind all others.
MISSING = -1

# For each state: a size, a target and a builder by the name of a terminal, and the goto by the name of a rule.
Moves = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class Parser:
    """The stacks of a parser; each value lies between two states."""

    state_stack: list[Any]
    value_stack: list[Any]


class Goto(dict[str, int]):
    """The goto of a rule, by the lookahead terminal.

    A chain of unit reductions, from a name to a sum to a condition, takes up to seven states for each token; the last
    of them is found at the first lookup and cached.
    """

    __slots__ = ("_below", "_moves", "_state")

    def __init__(self, moves: Moves, below: int, state: int) -> None:
        """Store the state that the tables contain."""
        super().__init__()
        self._moves, self._below, self._state = moves, below, state

    def __missing__(self, terminal: str) -> int:
        state = self._state
        while (move := self._moves[state].get(terminal)) and move[0] == RENAME:
            state = self._moves[self._below][move[1]]._state
        self[terminal] = state
        return state


def expand(moves: Moves, stack: list[int], values: list[Any], terminal: str) -> tuple[int, int] | None:
    """Reduce as far as the next terminal requires; return its action and the next state, None if it is unexpected.

    lark's own loop does the same, but builds a list and calls a function for unit reductions, too.
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
    """Build the flat tables, with a builder for each rule; in the states of `lists` a member may start."""
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
            # Interned names are found by identity, without comparison of their text.
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
    """Return whether a rule is a unit rule, which only renames its one part."""
    is_unit = bool(rule.options.expand1) and len(rule.expansion) == 1 and not rule.alias
    return is_unit and (rule.expansion[0].is_term or not rule.expansion[0].name.startswith("_"))


def _lengthens(build: Any) -> bool:
    """Return whether one of lark's builders appends all other parts to the list that is the first part."""
    if not isinstance(build, ChildFilterLALR_NoPlaceholders):
        return False
    lists = isinstance(build.node_builder, partial) and build.node_builder.func is Tree
    return lists and build.to_include == [(index, index == 0) for index in range(len(build.to_include))]


def _quicker(build: Any) -> Any:
    """Return a builder that is equivalent to one of lark's with fewer steps."""
    if not isinstance(build, ChildFilterLALR | ChildFilterLALR_NoPlaceholders):
        return build
    places = tuple(_places(build))
    if any(spread for _, spread in places):
        return partial(_spread, places, build.node_builder)
    return partial(_filled, tuple(index for index, _ in places), build.node_builder)


def _places(build: Any) -> Iterator[tuple[int, bool]]:
    """Return the indices of the parts that a builder takes, in order, and which of them are lists.

    An absent part has an index behind the last.
    """
    for index, spread, *missing in build.to_include:
        yield from [(MISSING, False)] * sum(missing)
        yield index, spread
    yield from [(MISSING, False)] * getattr(build, "append_none", 0)


def _filled(places: tuple[int, ...], build: Any, parts: list[Any]) -> Any:
    """Build from the parts at these indices."""
    parts.append(None)
    return build([parts[index] for index in places])


def _spread(places: tuple[tuple[int, bool], ...], build: Any, parts: list[Any]) -> Any:
    """Build from the parts at these indices and from the elements of those that are lists."""
    parts.append(None)
    arguments: list[Any] = []
    for index, spread in places:
        if spread:
            arguments += parts[index].children
        else:
            arguments.append(parts[index])
    return build(arguments)
