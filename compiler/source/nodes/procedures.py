"""Procedures: the only text that changes the game. Steps, and the paragraphs that hold them."""

from compiler.source.nodes.accounts import Account
from compiler.source.nodes.effects import Add, Assign, Create, Flip, Mark, Move, Pair, Remove, Strike, Write
from compiler.source.nodes.expressions import Expression, Range
from compiler.source.nodes.procedure_names import Replacing
from compiler.source.nodes.types import Parameter
from compiler.source.nodes.words import Reads, Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Let:
    """`let x = e`, in procedures and examples."""

    span: Span
    name: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Legal:
    """`legal e`: the action may be taken only if e is yes."""

    span: Span
    condition: Expression


@dataclass(frozen=True, slots=True)
class Choose:
    """`choose [any|order] x of 1..3 from S by side preferring e`."""

    span: Span
    how: str | None
    name: Word
    bounds: Range | None
    source: Expression
    by: Expression | None
    preferring: Expression | None


@dataclass(frozen=True, slots=True)
class Offered:
    """An action named in an offer, with its arguments."""

    span: Span
    action: Word
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """`offer hop, fire [X.1] by player until e`; with `must` in the place of `until`, no action leads away from it.

    `keeping` is what each action has to keep so. `escapes`: what is done otherwise is the next step.
    """

    span: Span
    actions: tuple[Offered, ...]
    cites: tuple[Word, ...]
    by: Expression | None
    until: Expression | None
    must: bool = False
    keeping: Expression | None = None
    escapes: bool = False


@dataclass(frozen=True, slots=True)
class Loop:
    """`for each x in S { ... }`; S may be a range, `1..n`."""

    span: Span
    name: Word
    source: Expression | Range
    body: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """`if e { ... } else { ... }`."""

    span: Span
    condition: Expression
    then: tuple["Step", ...]
    orelse: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Invoke:
    """`do resolution(args) [X.1]` (what is "do") or `tell event(args)` (what is "tell")."""

    span: Span
    what: str
    name: Word
    arguments: tuple[Expression, ...]
    cites: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """`roll d: die`, or of a size that is worked out: `roll d: 1..u.strength`."""

    span: Span
    name: Word
    domain: Word | Range


@dataclass(frozen=True, slots=True)
class Draw:
    """`draw x from S`, `draw any xs of 3 from S`, `draw order xs from S`: chance takes members, none of them twice."""

    span: Span
    how: str | None
    name: Word
    count: Expression | None
    source: Expression | Range


@dataclass(frozen=True, slots=True)
class Each:
    """`each turn [X.1] in 1..8 { ... }`, `each player in scenario.order { ... }`: the clock."""

    span: Span
    name: Word
    cites: tuple[Word, ...]
    source: Expression | Range
    body: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Proceed:
    """`proceed`, in the steps of `wraps`: here stands what they are put around."""

    span: Span


@dataclass(frozen=True, slots=True)
class BeginAccount:
    """From here on the account tells what is done. It has no syntax: it stands where `proceed` stood in `wraps`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    """`phase combat "Combat" { ... }`."""

    span: Span
    name: Word
    title: str | None
    cites: tuple[Word, ...]
    body: tuple["Step", ...]
    replaces: Replacing | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop`: ends this action or resolution."""

    span: Span


Step = (
    Let
    | Legal
    | Choose
    | Offer
    | Loop
    | Branch
    | Invoke
    | Roll
    | Draw
    | Each
    | Phase
    | Stop
    | Proceed
    | BeginAccount
    | Assign
    | Mark
    | Move
    | Flip
    | Remove
    | Create
    | Pair
    | Write
    | Strike
    | Add
)


@dataclass(frozen=True, slots=True)
class Sequence:
    """`sequence NAME { ... }`: the whole game, set-up included."""

    span: Span
    name: Word
    cites: tuple[Word, ...]
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Insert:
    """`insert phase dusk "Dusk" { ... } after combat`. `guard` is the condition under which a layer leaves it in."""

    span: Span
    phase: Phase
    order: str  # after | before
    anchor: Word
    guard: Expression | None = None


@dataclass(frozen=True, slots=True)
class NamedOffer:
    """An action, with names for what it is offered with."""

    span: Span
    action: Word
    parameters: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """`offer dash(imp), hide(imp) beside hop(imp)`: wherever the host is offered, these are, too."""

    span: Span
    actions: tuple[NamedOffer, ...]
    host: NamedOffer


@dataclass(frozen=True, slots=True)
class Unpreferred:
    """`preferring none "why"`: the action is never begun by preference, and the reason."""

    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player may do. Steps before the first effect are choices, names and legality."""

    span: Span
    name: Word
    parameters: tuple[Parameter, ...]
    by: Word | None
    phases: tuple[Word, ...]
    cites: tuple[Word, ...]
    prose: str | None
    reads: Reads | None
    body: tuple[Step, ...]
    replaces: Replacing | None = None
    unpreferred: Unpreferred | None = None
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """A named procedure."""

    span: Span
    name: Word
    parameters: tuple[Parameter, ...]
    cites: tuple[Word, ...]
    prose: str | None
    body: tuple[Step, ...]
    replaces: Replacing | None = None
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Stands:
    """`, before goes-first`: which of two hooks on one event runs first."""

    span: Span
    order: str  # after | before
    label: Word


@dataclass(frozen=True, slots=True)
class Hook:
    """`after entered(imp, to) as goes-first, before goes-next { ... }`: runs whenever the event is told.

    `after end of own_turn { ... }` runs on the event "end of own_turn", before notes and marks fall back.
    """

    span: Span
    event: Word
    parameters: tuple[Word, ...]
    label: Word | None
    stands: tuple[Stands, ...]
    cites: tuple[Word, ...]
    prose: str | None
    body: tuple[Step, ...]
    replaces: Replacing | None = None
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """`reaction snap by enemy to entered(imp, to) { .. }`: an action offered to others when the event is told."""

    span: Span
    name: Word
    by: Word
    event: Word
    parameters: tuple[Word, ...]
    cites: tuple[Word, ...]
    prose: str | None
    reads: Reads | None
    body: tuple[Step, ...]
    replaces: Replacing | None = None
    unpreferred: Unpreferred | None = None
    account: Account | None = None


Conduct = Sequence | Insert | Beside | Action | Reaction | Resolution | Hook | Phase
