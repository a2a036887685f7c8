"""The changes that can be made to a stack without writing rules: one class per kind of change.

All names are declared by the stack; amounts have the syntax of rules, `6 MP` or, if the measure is implied, `6`. `why`
is a sentence of the designer, printed as that of the rule.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a parameter or the game: `mover is not dispersed` (test "is") or `to.name = A4` (test "=")."""

    subject: str
    test: str
    word: str
    negated: bool = False

    @property
    def text(self) -> str:
        """Format the condition in the rule language."""
        sign = {"is": ("is", "is not"), "=": ("=", "!="), "": ("", "not")}[self.test][self.negated]
        return " ".join(
            part for part in ((sign, self.subject) if not self.test else (self.subject, sign, self.word)) if part
        )


@dataclass(frozen=True, slots=True)
class SetCell:
    """A change of a cell of a chart; `keys` are the labels of its row, such as `slope` and `truck`."""

    chart: str
    keys: tuple[str, ...]
    value: str
    prose: str


@dataclass(frozen=True, slots=True)
class SetNumber:
    """A change of a number in a rule: `old_number` is its text."""

    rule: str
    old_number: str
    new_number: str
    prose: str


@dataclass(frozen=True, slots=True)
class SetPrinted:
    """A change of a printed number or class of a counter."""

    counter: str
    column: str
    value: str
    prose: str


@dataclass(frozen=True, slots=True)
class SetTrait:
    """A trait that is added to a counter, or removed from it."""

    counter: str
    trait: str
    is_present: bool
    prose: str


@dataclass(frozen=True, slots=True)
class Forbid:
    """A prohibition of what a question of permission is about, or of an action, when all conditions hold."""

    subject: str
    conditions: tuple[Condition, ...]
    prose: str


@dataclass(frozen=True, slots=True)
class Allow:
    """A permission when all conditions hold: an exception to the prohibitions `prohibitions`, or to all of them."""

    subject: str
    conditions: tuple[Condition, ...]
    prose: str
    prohibitions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetDefault:
    """A change of the default of a question of permission: `allowed`, `forbidden`, `yes` or `no`."""

    term: str
    value: str
    prose: str


@dataclass(frozen=True, slots=True)
class AddStatus:
    """A new status of a kind of piece (or of `hex`) that lasts until a moment.

    `event` is the event that sets it, "" for none; `forbids` the question of permission that it answers with no.
    """

    name: str
    kind: str
    marker: str
    moment: str
    prose: str
    event: str = ""
    forbids: str = ""


@dataclass(frozen=True, slots=True)
class AddOption:
    """A fact that a scenario card sets; conditions of other changes may test it as `scenario.NAME`."""

    name: str
    prose: str


@dataclass(frozen=True, slots=True)
class AddRuling:
    """A ruling: a question and its answer, which confirm a rule."""

    asks: str
    answers: str
    clarifies: str
    prose: str = ""


@dataclass(frozen=True, slots=True)
class SetForce:
    """A change of the number of a counter of a side on a scenario card; `group` if the side has several forces."""

    card: str
    side: str
    unit: str
    count: int
    prose: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class SetTurns:
    """A change of the length of a situation, in turns."""

    card: str
    turns: int
    prose: str


@dataclass(frozen=True, slots=True)
class SetFact:
    """A change of the value of a fact on a scenario card."""

    card: str
    fact: str
    value: str
    prose: str


Change = (
    SetCell | SetNumber | SetPrinted | SetTrait | Forbid | Allow | SetDefault | AddStatus | AddOption | AddRuling
    | SetForce | SetTurns | SetFact
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A request of changes to a stack, by a new layer or by extending the layer of that name.

    `kind` is the kind of the layer: "variant", or "optional" for an option of the players.
    """

    stack: str
    name: str
    changes: tuple[Change, ...]
    kind: str
