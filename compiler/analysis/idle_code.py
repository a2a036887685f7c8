"""Findings about code without effect (see problems.py): conditions that decide nothing, steps that change nothing."""

from typing import Literal

from compiler.analysis.parties import Party, StepPlace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NeverHolds:
    """A condition inside an expression is unsatisfiable: `clashing` are those of its parts that exclude one another.

    `form`: "where" (of what is counted or collected), "if", "or" (one of its sides), "and". Of an `if`, its negation
    may be unsatisfiable instead: then `always` is set; likewise for a whole `or` ("either") and for a conjunct
    ("part").
    """

    procedure: Party
    step: StepPlace | None
    form: str
    clashing: tuple[str, ...]
    always: bool


@dataclass(frozen=True, slots=True)
class PairOutlives:
    """Pairs of the relation `name` remain when the piece at the end `role` is removed, as `removers` do."""

    name: str
    role: str
    declared: graph.Origin | None
    removers: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class RestsOnNothing:
    """The outcome depends on a `fact` of the scenario that a card need not set (`card` None), or that `card` omits.

    `rule` reads the fact, None if the question itself does; `declared` is its declaration.
    """

    fact: str
    declared: graph.Origin | None
    rule: Party | None
    card: Party | None


@dataclass(frozen=True, slots=True)
class IdleAim:
    """A level of victory of a side decides nothing on this card.

    `clashing` are the conditions that exclude one another; or, with `higher_level`, the higher level that is reached as
    well.
    """

    rule: Party
    side: str
    level: str
    clashing: tuple[str, ...]
    higher_level: Party | None


@dataclass(frozen=True, slots=True)
class TooMuchToProve:
    """The proofs of a question or place exhausted their budget of `steps`; `size` is the number of parts to prove.

    `subject`: "rules" of a question, "conditions" of a rule or term, "step" of a procedure; "stack" where the budget of
    the stack was exhausted: then `size` counts the places like this one from here on. Findings up to that point are
    reported.
    """

    procedure: Party
    step: StepPlace | None
    subject: Literal["rules", "conditions", "step", "stack"]
    size: int
    steps: int


@dataclass(frozen=True, slots=True)
class UndoesNothing:
    """A step ends `fact`, "carries(mover, cargo)", and no guard on its access path establishes it for `name`."""

    procedure: Party
    step: StepPlace
    fact: str
    name: str


@dataclass(frozen=True, slots=True)
class NeverAsked:
    """A row of a table is never looked up: `key` never has a value that the row matches."""

    table: str
    row: Party
    key: str


@dataclass(frozen=True, slots=True)
class SetTooLate:
    """Rules and actions (`readers`) require a status that is never set at their moments: it is set later, and ends.

    `set_by` are the procedures that set it, and `until` the moment at which it ends.
    """

    status: str
    until: str
    readers: tuple[Party, ...]
    set_by: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class ExceptionForgotten:
    """`rule` is an exception to `base`, whose other exceptions, `defeated_exceptions`, are defeated by `defeater`.

    The layer of `defeater` does not import that of `rule`.
    """

    rule: Party
    defeater: Party
    base: Party
    defeated_exceptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnusedName:
    """A name that a step, a loop or a rule binds is never read."""

    procedure: Party
    step: StepPlace | None
    name: str


@dataclass(frozen=True, slots=True)
class NeverReached:
    """A `rule` compares a track with a number that no step sets it to, so `condition` never or always holds in play.

    `reached` are the values to which steps set it, "at most 2"; `set_by` are the procedures with these steps.
    """

    rule: Party
    condition: str
    track: str
    reached: str
    outcome: Literal["never", "always"]
    set_by: tuple[Party, ...]


IdleCode = (
    NeverHolds | PairOutlives | RestsOnNothing | IdleAim
    | TooMuchToProve
    | UndoesNothing | NeverAsked | SetTooLate | ExceptionForgotten | UnusedName | NeverReached
)  # fmt: skip
