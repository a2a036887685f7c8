"""Nodes of amendments to procedures: the selected step or procedure, and the change."""

from typing import Literal

from compiler.source.nodes.expressions import Expression
from compiler.source.nodes.procedure_names import ProcedureName
from compiler.source.nodes.procedures import Step
from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class StepSelector(Node):
    """A step as an amendment selects it, by its beginning: `do pay`, `do pay(u)`, `offer march`, `if u is tired`.

    `what` is the first word of the step, `name` its subject if that is a name, `values` the expressions that are
    written, None where arguments are omitted. `place` is the ordinal among equal steps: 1 is the first, -1 the last, 0
    the only one.
    """

    what: str
    name: Word | None
    values: tuple[Expression, ...] | None
    place: int = 0


@frozen_dataclass
class AmendmentTarget(Node):
    """The target of an amendment: a step of a procedure or phase, or (`step` None) the whole of it.

    `layer` distinguishes hooks on one event; `expecting` is the hash of the procedure or phase
    (layered/replaced_procedures.py).
    """

    step: StepSelector | None
    within: ProcedureName
    layer: Word | None
    expecting: Word | None


AmendVerb = Literal["withdraws", "reorders", "inserts", "wraps", "replaces", "until"]


@frozen_dataclass
class Amend(Node):
    """One amendment of a procedure by a rule, of which `layered/amendment_verbs.py` has the verbs.

    `order` is before or after: relative to the `anchor` for reorders, to the target itself for inserts. `body` are the
    steps that are inserted, that replace others or that wrap them; `value` is the new `until` condition of an offer.
    """

    verb: AmendVerb
    target: AmendmentTarget
    order: str = ""
    anchor: StepSelector | None = None
    body: tuple[Step, ...] = ()
    value: Expression | None = None
