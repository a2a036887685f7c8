"""Procedures: sequence of play, actions, resolutions, hooks, and their steps, names resolved."""

from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.nodes.accounts import Account
from runtime.graph.nodes.expressions import Expr, GameTrack, Get, New
from runtime.graph.nodes.kinds import Choosing, Face, ProcedureKind
from runtime.graph.nodes.types import Type
from runtime.graph.nodes.vocabulary import Origin, Parameter


@dataclass(frozen=True, slots=True)
class Cited:
    """What a step with a citation of its own cites, and where it was written: its place in the order is a rule, too.

    A step that another layer put into a procedure counts by itself too, and may cite nothing.
    """

    cites: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Let:
    """Names a value for the steps that follow."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Legal:
    """The action may be taken only where this holds."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Choose:
    """One decision. how "": one member; "any": a subset, add-one-or-stop; "order": an order of all.

    `by` None: the acting side. `preferring` is what a greedy player maximizes, with `name` bound. `least` and
    `most` bound how many members a subset has; with them, an order is one of so many.
    """

    how: Choosing
    name: str
    source: Expr
    by: Expr | None
    preferring: Expr | None
    least: Expr | None = None
    most: Expr | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """Repeatedly lets a side take one of the actions, or end if `until` holds (None: it may always end).

    With `must` only that is offered after which `until` can still come to hold, as far as that can be told; with
    `keeping` that after which it holds or `keeping` does. `escapes`: where no action is open, or `must` cannot be met
    any more, the offer may end all the same, and the next step says what happens then.
    """

    actions: tuple[tuple[str, tuple[Expr, ...]], ...]
    by: Expr | None
    until: Expr | None
    cited: Cited | None = None
    must: bool = False
    keeping: Expr | None = None
    escapes: bool = False


@dataclass(frozen=True, slots=True)
class Loop:
    """For each member, in canonical order; members gone meanwhile are skipped."""

    name: str
    source: Expr
    body: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """If and else."""

    condition: Expr
    then: tuple["Step", ...]
    orelse: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Do:
    """Runs a resolution.

    `answers`: in an example, what is chosen on the way, named as by `Perform`.
    """

    resolution: str
    arguments: tuple[Expr, ...]
    cited: Cited | None = None
    answers: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Tell:
    """Announces an event: every hook on it runs."""

    event: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """Takes the next die: an integer of the domain, low..high."""

    name: str
    domain: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance takes members, each as likely as any other and none twice.

    how "": one member, and there has to be one; "any": a set of `count`; "order": a list in random order, of all or of
    `count`. Of fewer than `count` members all are taken. Numbers, `of` says what the members are, are dice whose size
    is worked out.
    """

    how: Choosing
    name: str
    source: Expr
    count: Expr | None
    of: Type


@dataclass(frozen=True, slots=True)
class Each:
    """A loop of the clock: sets game.turn or game.player (`name`) and ends that moment after each round."""

    name: str
    source: Expr
    body: tuple["Step", ...]
    cited: Cited | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """Sets game.phase; what lasts until its end falls back after it."""

    name: str
    title: str
    body: tuple["Step", ...]
    cited: Cited | None = None


@dataclass(frozen=True, slots=True)
class End:
    """A moment ends: hooks on it run, and what lasts until then falls back. Stands in examples only."""

    moment: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends this action or resolution."""


@dataclass(frozen=True, slots=True)
class BeginAccount:
    """What is done from here on is told by the account of the procedure; where nothing comes by this, nothing is told.

    Stands in procedures that a rule wraps, where what is wrapped begins.
    """


@dataclass(frozen=True, slots=True)
class Assign:
    """Sets a track or a record field."""

    target: Get | GameTrack
    value: Expr


@dataclass(frozen=True, slots=True)
class Mark:
    """Sets (`on`) or clears a status."""

    subject: Expr
    owner: str
    status: str
    on: bool


@dataclass(frozen=True, slots=True)
class Move:
    """Puts a piece into a hex, open or in a place; what it carries does not follow by itself."""

    subject: Expr
    to: Expr
    place: str


@dataclass(frozen=True, slots=True)
class Flip:
    """Turns a piece over: to the counter on its back, or to the one that it is the back of (`to` "front")."""

    subject: Expr
    to: Face = "back"


@dataclass(frozen=True, slots=True)
class Remove:
    """The piece is gone; if not `for_good`, it is off the map and may come back."""

    subject: Expr
    for_good: bool = True


@dataclass(frozen=True, slots=True)
class Create:
    """A new piece of a kind, named `name` ("" for none) in the steps that follow.

    It shows `counter`; where that is "", the only counter of its kind that its side may use, or nothing printed.
    """

    kind: str
    name: str
    at: Expr
    owner: Expr | None
    counter: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Adds (`on`) or removes a related pair."""

    relation: str
    left: Expr
    right: Expr
    payload: Expr | None
    on: bool


@dataclass(frozen=True, slots=True)
class Write:
    """Writes a record, named `name` ("" for none) in the steps that follow."""

    name: str
    record: New


@dataclass(frozen=True, slots=True)
class Strike:
    """Strikes a record out."""

    record: Expr


@dataclass(frozen=True, slots=True)
class Add:
    """Adds to a track that is a list or a set."""

    element: Expr
    target: Get | GameTrack


Step = (
    Let | Legal | Choose | Offer | Loop | Branch | Do | Tell | Roll | Draw | Each | Phase | End | Stop | BeginAccount
    | Assign | Mark | Move | Flip | Remove | Create | Pair | Write | Strike | Add
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Begin:
    """An action begins with these choices, all that stand before its first effect being made. In preconditions only."""

    action: str
    choices: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Precondition:
    """What has to hold before a step is carried out.

    `step` is the pattern: of the same class and names as the steps it governs, each argument one of `parameters`.
    `needs` speaks of these and of `player`, in the position right before the step; it is asked where `condition` holds
    (None: always), and not in procedures that `exempt` names, as `action:x`, `resolution:x` or `hook:event`.
    No step: what needs it is done at the table, by no procedure.
    """

    label: str
    parameters: tuple[Parameter, ...]
    step: Step | Begin | None
    needs: Expr
    condition: Expr | None
    exempt: tuple[str, ...]
    prose: str
    cites: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Procedure:
    """A sequence, action, resolution or hook (`what`).

    Actions: `phases` where offers may name it, steps before the first effect (anything but Let, Legal,
    Choose) are its prefix: a choice is offered only if some completion of the prefix is legal.
    Hooks: `event` is what they hear; those on one event run in the order of their keys. Parameters are bound
    by the caller; `player` is always bound to the acting side. `no_preference`: of an action, why nobody begins it
    of his own accord; "" if that is not said.
    """

    what: ProcedureKind
    name: str
    event: str
    parameters: tuple[Parameter, ...]
    phases: tuple[str, ...]
    body: tuple[Step, ...]
    reads: str
    prose: str
    cites: tuple[str, ...]
    origin: Origin
    behind: tuple[str, ...] = ()  # hooks: keys of those on the same event that are said to run before
    instead_of: "Procedure | None" = None  # what it stands in the place of, as the layer below has it
    no_preference: str = ""
    account: Account | None = None
