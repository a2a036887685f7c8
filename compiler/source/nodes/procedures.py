"""Procedures, the only declarations that change the position: steps, and the declarations that contain them."""

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
    """An action in an offer, with its arguments."""

    span: Span
    action: Word
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """`offer hop, fire [X.1] by player until e`; with `must` instead of `until`, no action may make it unreachable.

    `keeping` is the condition that each action must preserve. `escapes`: the `otherwise` block is the next step.
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
    """`roll d: die`, or with a computed size: `roll d: 1..u.strength`."""

    span: Span
    name: Word
    domain: Word | Range


@dataclass(frozen=True, slots=True)
class Draw:
    """`draw x from S`, `draw any xs of 3 from S`, `draw order xs from S`: random members, without replacement."""

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
    """`proceed`, in the steps of `wraps`: the place of the wrapped steps."""

    span: Span


@dataclass(frozen=True, slots=True)
class AccountField:
    """`before odds = column(a)` or `after d`: evaluated before the first effect, or at the end of the procedure."""

    span: Span
    moment: str  # before | after
    name: Word
    value: Expression | None


@dataclass(frozen=True, slots=True)
class AccountText:
    """`previews ".."`, `tells ".."` or `results ".." when e`: a sentence, or a part of one, with fields in braces."""

    span: Span
    what: str  # previews | tells | results
    text: Word
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Account:
    """`account [X.1] { .. }` behind a procedure."""

    span: Span
    cites: tuple[Word, ...]
    fields: tuple[AccountField, ...]
    texts: tuple[AccountText, ...]


@dataclass(frozen=True, slots=True)
class BeginAccount:
    """The start of what an account reports. It has no syntax: it replaces `proceed` in `wraps`."""

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
    Let | Legal | Choose | Offer | Loop | Branch | Invoke | Roll | Draw | Each | Phase | Stop | Proceed | BeginAccount
    | Assign | Mark | Move | Flip | Remove | Create | Pair | Write | Strike | Add
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sequence:
    """`sequence NAME { ... }`: the whole game, including set-up."""

    span: Span
    name: Word
    cites: tuple[Word, ...]
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Insert:
    """`insert phase dusk "Dusk" { ... } after combat`. `guard` is the condition under which a layer includes it."""

    span: Span
    phase: Phase
    order: str  # after | before
    anchor: Word
    guard: Expression | None = None


@dataclass(frozen=True, slots=True)
class NamedOffer:
    """An action with names for its arguments."""

    span: Span
    action: Word
    parameters: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """`offer dash(imp), hide(imp) beside hop(imp)`: these actions are offered wherever the host is offered."""

    span: Span
    actions: tuple[NamedOffer, ...]
    host: NamedOffer


@dataclass(frozen=True, slots=True)
class Unpreferred:
    """`preferring none "why"`: the action is never preferred, with the reason."""

    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a player. The steps before the first effect are choices, bindings and legality conditions."""

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
    """`, before goes-first`: the order of two hooks on one event."""

    span: Span
    order: str  # after | before
    label: Word


@dataclass(frozen=True, slots=True)
class Hook:
    """`after entered(imp, to) as goes-first, before goes-next { ... }`: runs whenever the event is raised.

    `after end of own_turn { ... }` runs on the event "end of own_turn", before notes and marks are reset.
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
    """`reaction snap by enemy to entered(imp, to) { .. }`: an action offered to others when the event is raised."""

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
