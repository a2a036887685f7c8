"""The changes that can be made to a stack without writing rules: one class for each kind of change.

All names are those that the stack declares; amounts are written as in rules, `6 MP` or, where the measure is clear,
`6`. `why` is one sentence of the designer's, printed as the rule's own.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """`mover is not dispersed` (test "is") or `to.name = A4` (test "="): a fact of a parameter or of the game."""

    subject: str
    test: str
    word: str
    negated: bool = False

    @property
    def text(self) -> str:
        """Write it in the rule language."""
        sign = {"is": ("is", "is not"), "=": ("=", "!="), "": ("", "not")}[self.test][self.negated]
        return " ".join(
            part for part in ((sign, self.subject) if not self.test else (self.subject, sign, self.word)) if part
        )


@dataclass(frozen=True, slots=True)
class SetCell:
    """Another value in a cell of a chart; `keys` as the chart's rows are labeled, such as `slope` and `truck`."""

    chart: str
    keys: tuple[str, ...]
    now: str
    why: str


@dataclass(frozen=True, slots=True)
class SetNumber:
    """Another number in a rule: in place of `was`, as it is written there."""

    rule: str
    was: str
    now: str
    why: str


@dataclass(frozen=True, slots=True)
class SetPrinted:
    """Another number or class on a counter."""

    counter: str
    column: str
    now: str
    why: str


@dataclass(frozen=True, slots=True)
class SetTrait:
    """A trait that a counter has from now on, or has no longer."""

    counter: str
    trait: str
    present: bool
    why: str


@dataclass(frozen=True, slots=True)
class Forbid:
    """Forbid what a question of permission is about, or an action, when all conditions hold."""

    what: str
    when: tuple[Condition, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Allow:
    """Allow it when all conditions hold: an exception to the prohibitions `against`, or to all of them."""

    what: str
    when: tuple[Condition, ...]
    why: str
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetDefault:
    """The answer to a question of permission where no rule answers: `allowed`, `forbidden`, `yes` or `no`."""

    what: str
    now: str
    why: str


@dataclass(frozen=True, slots=True)
class AddStatus:
    """A new status of a kind of piece (or of `hex`) that lasts until a moment.

    `after`: the event that brings it about, "" for none. `forbids`: the question of permission that it answers with no.
    """

    name: str
    of: str
    marker: str
    until: str
    why: str
    after: str = ""
    forbids: str = ""


@dataclass(frozen=True, slots=True)
class AddOption:
    """A fact that a situation card switches on; conditions of other changes may ask for it as `scenario.NAME`."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class AddRuling:
    """A question and its answer, which confirm a rule."""

    asks: str
    answers: str
    clarifies: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class SetForce:
    """The number of one counter that a side has on a situation card; `group` where the side has several forces."""

    card: str
    side: str
    unit: str
    now: int
    why: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class SetTurns:
    """The length of a situation, in turns."""

    card: str
    now: int
    why: str


@dataclass(frozen=True, slots=True)
class SetFact:
    """The value of a fact on a situation card."""

    card: str
    fact: str
    now: str
    why: str


Change = (
    SetCell
    | SetNumber
    | SetPrinted
    | SetTrait
    | Forbid
    | Allow
    | SetDefault
    | AddStatus
    | AddOption
    | AddRuling
    | SetForce
    | SetTurns
    | SetFact
)


@dataclass(frozen=True, slots=True)
class Request:
    """Changes that a new layer makes to a stack, or that are added to the layer of that name.

    `kind` is what the layer is: "variant", or "optional" for what players may choose to play with.
    """

    stack: str
    name: str
    changes: tuple[Change, ...]
    kind: str = "variant"
