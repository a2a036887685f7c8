"""Access paths of steps: the bindings and conditions on the way to a step, and what a step does behind them.

A path is made by a traversal of a procedure (ranged_writes.py). In terms of a path are given: a write to a slot with a
declared range, a condition of a step, an expression that a step evaluates, and the step itself.
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.analysis.parties import Party
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.slots import PositionSlot
from runtime.graph.steps import StepPath


@frozen_dataclass
class SymbolicPath(StepPath):
    """The access path of a step: names and conditions so far, what has changed, and the names with unknown values."""

    changed: frozenset[PositionSlot]
    unknown_names: frozenset[str]
    bindings: tuple[tuple[str, graph.Expr], ...]  # all names with their values, those of unknown value included
    guards: tuple[graph.Expr, ...] = ()  # all conditions so far, including those that later steps may have invalidated

    def with_guard(self, condition: graph.Expr) -> "SymbolicPath":
        """Return the path with a condition that held when it was evaluated."""
        return replace(self, guards=(*self.guards, condition))

    def with_unknown(self, name: str, value_type: graph.Type) -> "SymbolicPath":
        """Return the path with a name whose value is unknown in the initial state."""
        return replace(self.with_parameter(name, value_type), unknown_names=self.unknown_names | {name})


@frozen_dataclass
class RangedWrite:
    """A write of a number `value` to `target`, which has the range `declared`, by a step of the procedure `key`.

    Of a rule, `step` is None, `key` its label or "" for the default of a term, and `term` the term whose parameters
    come first on the path. `is_argument`: the number is an argument or a field, on whose range others rely.
    """

    key: str
    step: graph.Step | None
    target: str
    declared: graph.Number
    value: graph.Expr
    path: SymbolicPath
    of_initial_state: bool
    term: str = ""
    is_argument: bool = False
    full_range: graph.Number | None = None  # the declared range, where `declared` is what remains to be proved of it
    party: Party | None = None  # the party, where it is none of these


@frozen_dataclass
class PathCondition:
    """A step that is passed only where `condition` holds, with its path if that is `of_initial_state`."""

    key: str
    step: graph.Step
    condition: graph.Expr
    path: SymbolicPath
    of_initial_state: bool


@frozen_dataclass
class StepQuestion:
    """An expression of a step, with the types of its names; `picking` if it filters the members of a choice."""

    key: str
    step: graph.Step
    expr: graph.Expr
    types: Mapping[str, graph.Type]
    picking: bool


@frozen_dataclass
class GuardedStep:
    """A step with its access path."""

    key: str
    step: graph.Step
    path: SymbolicPath
