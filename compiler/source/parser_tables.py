"""The LALR tables of lark, with chains of unit reductions followed in advance.

The input is the actions of each state and the builders of rules; the output is the same as plain numbers and names. A
parser that follows chains of unit reductions one by one, as lark's own does, takes half as long again.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lark.grammar import Rule
from lark.parsers.lalr_analysis import Shift

# The actions besides building from a number of parts: shift the token; shift it as the first token of a list member;
# rename a part. END_OF_ACTIONS is not an action, but the end.
SHIFT, BEGIN, RENAME, END_OF_ACTIONS = -1, -2, -3, -4

# For each state: a size, a target and a builder by the name of a terminal, and the goto by the name of a rule.
ParserActions = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class Parser:
    """The stacks of a parser; each value lies between two states."""

    state_stack: list[Any]
    value_stack: list[Any]


class _Goto(dict[str, int]):
    """The goto of a rule, by the lookahead terminal.

    A chain of unit reductions, from a name to a sum to a condition, takes up to seven states for each token; the last
    of them is found at the first lookup and cached.
    """

    __slots__ = ("_below", "_moves", "_state")

    def __init__(self, moves: ParserActions, below: int, state: int) -> None:
        """Store the state that the tables contain."""
        super().__init__()
        self._moves, self._below, self._state = moves, below, state

    def __missing__(self, terminal: str) -> int:
        state = self._state
        while (move := self._moves[state].get(terminal)) and move[0] == RENAME:
            state = self._moves[self._below][move[1]]._state
        self[terminal] = state
        return state


def expand(moves: ParserActions, stack: list[int], values: list[Any], terminal: str) -> tuple[int, int] | None:
    """Reduce as far as the next terminal requires; return its action and the next state, None if it is unexpected."""
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
        else:
            stack[-1] = moves[stack[-2]][to][terminal]
    return None


def flatten_tables(
    states: Mapping[int, Mapping[str, tuple[Any, Any]]], builders: Mapping[Any, Any], lists: Collection[int]
) -> ParserActions:
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
                move = _Goto(moves, state, to)
            # Interned names are found by identity, without comparison of their text.
            moves[state][sys.intern(str(name))] = move
    return moves


def _reduction(rule: Rule, build: Any) -> tuple[int, Any, Any]:
    size, name = len(rule.expansion), sys.intern(str(rule.origin.name))
    if _renames(rule):
        return RENAME, name, None
    return size, name, build


def _renames(rule: Rule) -> bool:
    """Return whether a rule is a unit rule, which only renames its one part."""
    is_unit = bool(rule.options.expand1) and len(rule.expansion) == 1 and not rule.alias
    return is_unit and (rule.expansion[0].is_term or not rule.expansion[0].name.startswith("_"))
