"""Findings of idle code (see problems.py): conditions that decide nothing, steps that change nothing."""

from typing import Literal

from compiler.analysis.parties import Party, StepPlace
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NeverHolds:
    """A condition inside an expression never holds: `clashing` are its parts that hold nowhere together.

    `what`: "where" (of what is counted or gathered), "if", "or" (one of its sides), "and". Of an `if` it may be turned
    round: then the condition `always` holds; so it is with a whole `or` ("either") and with what must hold besides
    others ("part").
    """

    procedure: Party
    step: StepPlace | None
    what: str
    clashing: tuple[str, ...]
    always: bool


@dataclass(frozen=True, slots=True)
class SaidTwice:
    """A `condition` is asked where its answer is known; `whole`: the `or` that always holds for it, "" if none."""

    procedure: Party
    step: StepPlace | None
    condition: str
    whole: str


@dataclass(frozen=True, slots=True)
class HoldsAnyway:
    """A `condition` is part of an `and` though nothing else is left, once the conditions `by` hold."""

    procedure: Party
    step: StepPlace | None
    condition: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Absorbed:
    """A `condition` is a side of an `or`, and wherever it holds one of the sides `by` holds as well."""

    procedure: Party
    step: StepPlace | None
    condition: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairOutlives:
    """Pairs of the relation `name` stay when the piece at the end `role` is removed, as `removers` do."""

    name: str
    role: str
    declared: graph.Origin | None
    removers: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class RestsOnNothing:
    """The outcome rests on a `fact` of the scenario which a card need not give (`card` None), or which `card` omits.

    `rule` reads the fact, None if the question does itself; `declared` is where the fact is declared.
    """

    fact: str
    declared: graph.Origin | None
    rule: Party | None
    card: Party | None


@dataclass(frozen=True, slots=True)
class IdleAim:
    """A level of victory of a side that decides nothing on this card.

    `clashing` are the conditions that hold nowhere together; or, with `by`, the higher level that is reached as well.
    """

    rule: Party
    side: str
    level: str
    clashing: tuple[str, ...]
    by: Party | None


@dataclass(frozen=True, slots=True)
class TooMuchToProve:
    """The proofs of a question or place came to the end of their budget of `steps`; `size` is what there was.

    `what`: "rules" of a question, "conditions" of a rule or term, "step" of a procedure; "stack" where nothing was left
    of the budget of all: then `size` counts the places like this one and behind it. What was found until then is told;
    the rest is open.
    """

    procedure: Party
    step: StepPlace | None
    what: Literal["rules", "conditions", "step", "stack"]
    size: int
    steps: int


How = Literal["again", "undone", "gone"]


@dataclass(frozen=True, slots=True)
class IdleStep:
    """A step changes nothing.

    `how`: it repeats the step before it ("again"), is taken back or written over by the next ("undone"), or is done to
    a piece that was removed ("gone").
    """

    procedure: Party
    step: StepPlace
    how: How


@dataclass(frozen=True, slots=True)
class ToldAgain:
    """A step announces an `event` of the same things once more; `in_own_hook`: it is the event of this hook itself."""

    procedure: Party
    step: StepPlace
    event: str
    in_own_hook: bool


@dataclass(frozen=True, slots=True)
class IdleAction:
    """An action of which no step changes anything."""

    action: Party


@dataclass(frozen=True, slots=True)
class OfferedTwice:
    """Two actions, word for word the same, are offered on one event."""

    action: Party
    first: Party
    event: str


@dataclass(frozen=True, slots=True)
class UnmarksPrint:
    """A step takes off a feature that is printed, and that nothing puts on."""

    procedure: Party
    step: StepPlace
    feature: str


@dataclass(frozen=True, slots=True)
class ExceptionsIdle:
    """None of the exceptions to a rule, two at least, is ever live where the rule would speak."""

    rule: Party
    exceptions: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class UndoesNothing:
    """A step takes back `fact`, "carries(mover, cargo)", and nothing on the way says that it is so of `name`."""

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
class ExceptionForgotten:
    """`rule` is an exception to `base`, where `closer`, of a layer that does not know it, `suppressed` all others."""

    rule: Party
    closer: Party
    base: Party
    suppressed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnusedName:
    """A step names something, or goes through something by name, or a rule does: and nothing asks for that name."""

    procedure: Party
    step: StepPlace | None
    name: str


IdleCode = (
    NeverHolds
    | SaidTwice
    | HoldsAnyway
    | Absorbed
    | PairOutlives
    | RestsOnNothing
    | IdleAim
    | TooMuchToProve
    | IdleStep
    | ToldAgain
    | IdleAction
    | OfferedTwice
    | UnmarksPrint
    | ExceptionsIdle
    | UndoesNothing
    | NeverAsked
    | ExceptionForgotten
    | UnusedName
)
