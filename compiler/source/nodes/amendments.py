"""Nodes of amendments of play: which step or procedure is meant, and what is done to it."""

from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.procedure_names import Doing
from compiler.source.nodes.procedures import Step
from compiler.source.nodes.words import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class StepSelector:
    """A step as an amendment names it: how it begins, as `do pay`, `do pay(u)`, `offer march`, `if u is tired`.

    `what` is the first word of the step, `name` what it is about, if that is a name, `values` the expressions that are
    written, None where arguments are left out. `place` says which of several: 1 is the first, -1 the last, 0 the only.
    """

    span: Span
    what: str
    name: Word | None
    values: tuple[Expression, ...] | None
    place: int = 0


@dataclass(frozen=True, slots=True)
class AmendmentTarget:
    """The target of an amendment: a step of a procedure or phase, or (`step` None) the whole of it.

    `layer` tells hooks on one event apart; `expecting` is the print of the procedure or phase
    (layered/replaced_procedures.py).
    """

    span: Span
    step: StepSelector | None
    within: Doing
    layer: Word | None
    expecting: Word | None


@dataclass(frozen=True, slots=True)
class Amend:
    """One amendment of play by a rule: `verb` is withdraws, reorders, inserts, wraps, replaces or until.

    `order` is before or after: of the `anchor` for reorders, of the spot itself for inserts. `body` are the steps that
    are inserted, stand in the place of others or around them; `value` is the new condition of an offer's `until`.
    """

    span: Span
    verb: str
    spot: AmendmentTarget
    order: str = ""
    anchor: StepSelector | None = None
    body: tuple[Step, ...] = ()
    value: Expression | None = None
