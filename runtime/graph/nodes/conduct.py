"""Procedures: the sequence of play, actions, resolutions, hooks, and their steps, with names resolved."""

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.expressions import Expr, GameTrack, Get, New
from runtime.graph.nodes.kinds import Choosing, Face, Moment, ProcedureKind, Telling
from runtime.graph.nodes.types import Type
from runtime.graph.nodes.vocabulary import Origin, Parameter


@frozen_dataclass
class Cited:
    """The citation of a single step, and where it was written: its place in the order is a rule, too.

    A step that another layer inserts into a procedure has one as well, which may cite nothing.
    """

    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Let:
    """Binds a name to a value for the steps that follow."""

    name: str
    value: Expr


@frozen_dataclass
class Legal:
    """The action is legal only where this holds."""

    condition: Expr


@frozen_dataclass
class Choose:
    """A decision. how "": one member; "any": a subset, add-one-or-stop; "order": an order of all.

    `by` None: the acting side. `preferring` is what a greedy player maximizes, with `name` bound. `least` and `most`
    bound how many members a subset has; with them, an order is one of so many.
    """

    how: Choosing
    name: str
    source: Expr
    by: Expr | None
    preferring: Expr | None
    least: Expr | None = None
    most: Expr | None = None


@frozen_dataclass
class Offer:
    """Repeatedly lets a side choose one of the actions, or end if `until` holds (None: it may always end).

    With `must`, only actions after which `until` is still satisfiable are offered, as far as that can be decided; with
    `keeping`, those after which it or `keeping` holds. `escapes`: where no action is open, or `must` is unsatisfiable,
    the offer may end all the same, and the next step defines what happens then.
    """

    actions: tuple[tuple[str, tuple[Expr, ...]], ...]
    by: Expr | None
    until: Expr | None
    cited: Cited | None = None
    must: bool = False
    keeping: Expr | None = None
    escapes: bool = False


@frozen_dataclass
class Loop:
    """Runs its body for each member, in canonical order; members removed meanwhile are skipped."""

    name: str
    source: Expr
    body: tuple["Step", ...]


@frozen_dataclass
class Branch:
    """If and else."""

    condition: Expr
    then: tuple["Step", ...]
    orelse: tuple["Step", ...]


@frozen_dataclass
class Do:
    """Runs a resolution.

    `answers`: in an example, the choices on the way, named as in `Perform`.
    """

    resolution: str
    arguments: tuple[Expr, ...]
    cited: Cited | None = None
    answers: tuple[tuple[str, Expr], ...] = ()


@frozen_dataclass
class Tell:
    """Raises an event: every hook on it runs."""

    event: str
    arguments: tuple[Expr, ...]


@frozen_dataclass
class Roll:
    """Takes the next die: an integer of the domain, low..high."""

    name: str
    domain: str
    low: int
    high: int


@frozen_dataclass
class Draw:
    """Draws members at random, uniformly and without replacement.

    how "": one member, and there has to be one; "any": a set of `count`; "order": a list in random order, of all or of
    `count`. Of fewer than `count` members all are drawn. Numbers, where `of` is their type, are dice of computed size.
    """

    how: Choosing
    name: str
    source: Expr
    count: Expr | None
    of: Type


@frozen_dataclass
class Each:
    """A loop of the clock: sets game.turn or game.player (`name`) and ends that moment after each round."""

    name: str
    source: Expr
    body: tuple["Step", ...]
    cited: Cited | None = None


@frozen_dataclass
class Phase:
    """Sets game.phase; what lasts until its end is reset after it."""

    name: str
    title: str
    body: tuple["Step", ...]
    cited: Cited | None = None


@frozen_dataclass
class End:
    """Ends a moment: hooks on it run, and what lasts until then is reset. In examples only."""

    moment: str


@frozen_dataclass
class Stop:
    """Ends this action or resolution."""


@frozen_dataclass
class AccountField:
    """A value with a name.

    `moment` "before": evaluated when a resolution or hook starts, in an action after its choices; "after": evaluated at
    the end of the procedure, from all names that it has bound, including the fields before.
    """

    name: str
    moment: Moment
    value: Expr
    type: Type


@frozen_dataclass
class AccountText:
    """A text with fields in braces (runtime/graph/templates.py), included where `condition` holds (None: always).

    `what` "previews": before the dice; "tells": the start of the report afterwards; "results": the outcome.
    """

    what: Telling
    text: str
    condition: Expr | None
    origin: Origin


@frozen_dataclass
class Account:
    """The account of a procedure. `cites` are its own, or those of the procedure."""

    fields: tuple[AccountField, ...]
    texts: tuple[AccountText, ...]
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class BeginAccount:
    """The start of what the account of a procedure reports; if it is not reached, nothing is reported.

    It occurs in procedures that a rule wraps, before the wrapped steps.
    """


@frozen_dataclass
class Assign:
    """Sets a track or a record field."""

    target: Get | GameTrack
    value: Expr


@frozen_dataclass
class Mark:
    """Sets (`on`) or clears a status."""

    subject: Expr
    owner: str
    status: str
    on: bool


@frozen_dataclass
class Move:
    """Moves a piece into a hex, open or in a place; what it carries does not move with it."""

    subject: Expr
    to: Expr
    place: str


@frozen_dataclass
class Flip:
    """Flips a piece: to the counter on its back, or to the one that it is the back of (`to` "front")."""

    subject: Expr
    to: Face = "back"


@frozen_dataclass
class Remove:
    """Removes a piece; if not `for_good`, it is off the map and may return. `as_lost`: it counts as lost until then."""

    subject: Expr
    for_good: bool = True
    as_lost: bool = False


@frozen_dataclass
class Create:
    """Creates a piece of a kind, bound to `name` ("" for none) in the steps that follow.

    It shows `counter`; where that is "", the only counter of its kind that its side may use, or nothing printed.
    """

    kind: str
    name: str
    at: Expr
    owner: Expr | None
    counter: str = ""


@frozen_dataclass
class Pair:
    """Adds (`on`) or removes a related pair."""

    relation: str
    left: Expr
    right: Expr
    payload: Expr | None
    on: bool


@frozen_dataclass
class Write:
    """Creates a record, bound to `name` ("" for none) in the steps that follow."""

    name: str
    record: New


@frozen_dataclass
class Strike:
    """Deletes a record."""

    record: Expr


@frozen_dataclass
class Add:
    """Adds an element to a track that is a list or a set."""

    element: Expr
    target: Get | GameTrack


# The steps that change the position themselves; each has a record in runtime/graph/effects.
ChangingStep = Assign | Mark | Move | Flip | Remove | Create | Pair | Write | Strike | Add
Step = (
    Let | Legal | Choose | Offer | Loop | Branch | Do | Tell | Roll | Draw | Each | Phase | End | Stop | BeginAccount
    | ChangingStep
)  # fmt: skip


@frozen_dataclass
class Begin:
    """The start of an action with these choices, all that precede its first effect. In preconditions only."""

    action: str
    choices: tuple[tuple[str, Expr], ...]


@frozen_dataclass
class Precondition:
    """A condition that must hold before a step is executed.

    `step` is the pattern: of the same class and names as the steps it governs, each argument one of `parameters`.
    `needs` refers to these and to `player`, in the position directly before the step; it is evaluated where `condition`
    holds (None: always), and not in procedures in `exempt`, as `action:x`, `resolution:x` or `hook:event`. Without a
    step, what needs it is done at the table, by no procedure.
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


@frozen_dataclass
class Procedure:
    """A sequence, action, resolution or hook (`what`).

    Actions: `phases` are those in which offers may contain it; the steps before the first effect (anything but Let,
    Legal, Choose) are its head: a choice is offered only if some completion of the head is legal. Hooks: `event` is
    the event that runs them; those on one event run in the order of their keys. Parameters are bound by the caller;
    `player` is always bound to the acting side. `no_preference`: for an action, the reason why it is never preferred;
    "" if none is stated.
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
    behind: tuple[str, ...] = ()  # hooks: keys of those on the same event that are declared to run before
    instead_of: "Procedure | None" = None  # the procedure that it replaces, as in the layer below
    no_preference: str = ""
    account: Account | None = None
