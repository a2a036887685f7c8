"""Declarations: the vocabulary of a layer and its terms."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from compiler.source.nodes.expressions import Call, Expression
from compiler.source.nodes.types import Moment, Parameter, RangeType, Type
from compiler.source.nodes.words import Reads, Scalar, Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Item(Node):
    """A declared word, its wording if that differs, its number, and the marker of a feature that has one."""

    name: Word
    reads: str | None
    marker: str | None = None
    number: str | None = None


@frozen_dataclass
class Measure(Node):
    """`measure MP "movement point", hexes`."""

    items: tuple[Item, ...]


@frozen_dataclass
class Sides(Node):
    """`side elves, dwarves`."""

    items: tuple[Item, ...]


@frozen_dataclass
class Enumeration(Node):
    """`enum NAME: a, b`; with `extends`, more members for an existing one."""

    name: Word
    items: tuple[Item, ...]
    extends: bool


@frozen_dataclass
class Domain(Node):
    """`domain die = 1..6 pips`."""

    name: Word
    type: RangeType


@frozen_dataclass
class ScaleItem(Node):
    """`'2-1' = 1`, `'1-2' = 1/2`."""

    name: Word
    value: int | Fraction


@frozen_dataclass
class Scale(Node):
    """`scale odds in columns: '1-2' = -1, '1-1' = 0`."""

    name: Word
    measure: Word | None
    items: tuple[ScaleItem, ...]
    extends: bool


@frozen_dataclass
class Kind(Node):
    """`kind unit has attack: 0..60 factors, ...`: a kind of piece and its printed values."""

    name: Word
    printed: tuple[Parameter, ...]


@frozen_dataclass
class AddedFactor(Node):
    """`morale: 0..9 = 5`: a factor, and what counters show that no chart gives another value; None if it is missing."""

    name: Word
    type: Type
    first: Scalar | None


@frozen_dataclass
class ExtendKind(Node):
    """`extend kind unit has morale: 0..9 = 5`: what a layer prints on the counters of a kind besides."""

    name: Word
    added: tuple[AddedFactor, ...]


@frozen_dataclass
class Flags(Node):
    """`trait unit: a, b`, `feature hex: a, b marker "B"`, `path lane` (owner "path")."""

    what: str  # trait | feature | path
    owner: Word | None
    items: tuple[Item, ...]

    @property
    def owner_name(self) -> str:
        """Return the name of what has the flags; paths belong to nothing but themselves."""
        return self.owner.text if self.owner else self.what


@frozen_dataclass
class Place(Node):
    """`place inside of den`."""

    name: Word
    of: Word


@frozen_dataclass
class StatusItem(Node):
    """`sleepy "sleepy" marker "D" until end of own_turn`."""

    name: Word
    reads: str | None
    marker: str | None
    until: Moment | None


@frozen_dataclass
class Status(Node):
    """`status unit: a, b`."""

    owner: Word
    items: tuple[StatusItem, ...]


@frozen_dataclass
class Requirement(Node):
    """`required "why" when CONDITION for NAME, NAME`: each card must set a fact, with the reason.

    With a condition, this applies to cards whose other facts satisfy it; with names, to cards whose text mentions one
    of them.
    """

    why: str
    condition: Expression | None
    asked: tuple[Word, ...]


@frozen_dataclass
class Track(Node):
    """`track unit.spent: 0..12 MP = 0 MP until end of movement`; owner may be hex, side, game, scenario."""

    owner: Word
    name: Word
    type: Type
    initial: Expression | None
    until: Moment | None
    required: Requirement | None = None


@frozen_dataclass
class Requires(Node):
    """`requires scenario.ways_out "why" for departures`: a requirement of a fact that is declared elsewhere."""

    owner: Word
    name: Word
    demand: Requirement


@frozen_dataclass
class Relation(Node):
    """`relation rides(mount: unit, riders: unit) one mount keeps since: 0..99 turns ends when mount is gone`."""

    name: Word
    left: Parameter
    right: Parameter
    one: Word | None
    keeps: Parameter | None
    ends: Expression | None


@frozen_dataclass
class Record(Node):
    """`record run {unit: unit, entry: hex, landing: hex?}`; an optional field may be absent until set.

    `record plan secret {by: side, ..}` is known to the side `by` alone.
    """

    name: Word
    fields: tuple[Parameter, ...]
    optional: tuple[Word, ...]
    secret: bool


@frozen_dataclass
class Task(Node):
    """A task: `task works(by: side, site: hex) counts stood: 0..9 turns each end of own_turn { .. }`.

    A record type with a counter. At its moment a task is removed if `lost` holds, else restarts if `over` holds, else
    pauses if `waits` holds, else its counter is incremented; `this` is the task.
    """

    name: Word
    fields: tuple[Parameter, ...]
    counter: Parameter
    moment: Moment
    cites: tuple[Word, ...]
    lost: Expression | None
    over: Expression | None
    waits: Expression | None


@frozen_dataclass
class Event(Node):
    """`event entered(imp: unit, to: hex)`."""

    name: Word
    parameters: tuple[Parameter, ...]


@frozen_dataclass
class Always(Node):
    """`always LABEL [cites] condition`: an invariant of the data, checked and used by proofs."""

    label: Word
    cites: tuple[Word, ...]
    condition: Expression


@frozen_dataclass
class Outcome(Node):
    """`outcome overall from level`: the term over a side whose value ranks its result; the highest wins.

    The victory conditions of a situation card contribute their levels to the second term.
    """

    term: Word
    collected: Word | None


@frozen_dataclass
class Aim(Node):
    """`aim herding instead of overall`: the term over a side whose value greedy players of the side raise.

    It adds to what they derive from the outcome, or replaces it if that is named. `aim none "why"` leaves them to the
    preferences of the rules.
    """

    term: Word | None
    replaced: Word | None
    reason: str


@frozen_dataclass
class Wording(Node):
    """`wording MP "movement points"`: the text of a declared word in sentences; `form.direct`, of an enum member.

    `says` is the clause that states a value of it, `denied` the clause that denies one; `number` is singular or plural.
    """

    of: Word | None
    name: Word
    number: str | None
    reads: str | None
    says: str | None
    denied: str | None

    @property
    def namespace(self) -> str:
        """Return the namespace of the word; without an owner, that of all declared words."""
        return f"member {self.of.text}" if self.of else "word"


@frozen_dataclass
class Term(Node):
    """A term. `form` is value, sum, min, max, set, verdict or condition."""

    form: str
    name: Word
    parameters: tuple[Parameter, ...]
    type: Type | None
    cites: tuple[Word, ...]
    stages: tuple[Word, ...]
    capped: RangeType | None
    default: str | None  # allowed | forbidden | yes | no
    otherwise: Expression | None
    reads: Reads | None


@frozen_dataclass
class Stage(Node):
    """`extend stages strength_as: dusk after dawn`."""

    term: Word
    name: Word
    after: Word


@frozen_dataclass
class StandsBeside(Node):
    """`question may_peep beside may_look(u, h) but not open-sights`: what the other denies is denied here, too."""

    term: Word
    other: Call
    excepted: tuple[Word, ...]


@frozen_dataclass
class Define(Node):
    """`define spent(u: unit) [cites] = e`: a value term with one rule of the same name."""

    name: Word
    parameters: tuple[Parameter, ...]
    type: Type | None
    cites: tuple[Word, ...]
    body: Expression
    reads: Reads | None


Declaration = (
    Measure | Sides | Enumeration | Domain | Scale | Kind | ExtendKind | Flags | Place | Status | Track | Requires
    | Relation | Record | Task | Event | Always | Outcome | Aim | Wording | Term | Stage | StandsBeside | Define
)  # fmt: skip


def lifetimes(declaration: Any) -> Iterator[tuple[Word, Moment]]:
    """Yield the names that a declaration, or an item of it, declares until a moment, with the moment."""
    for part in (declaration, *getattr(declaration, "items", ())):
        if isinstance(until := getattr(part, "until", None), Moment):
            yield part.name, until
