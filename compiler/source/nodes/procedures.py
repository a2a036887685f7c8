"""Procedures, the only declarations that change the position: steps, and the declarations that contain them."""

from collections.abc import Iterable, Iterator

from compiler.source.nodes.effects import Change
from compiler.source.nodes.expressions import Expression, Range
from compiler.source.nodes.procedure_names import ReplacedProcedure
from compiler.source.nodes.types import Parameter
from compiler.source.nodes.words import Reads, Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Let(Node):
    """`let x = e`, in procedures and examples."""

    name: Word
    value: Expression


@frozen_dataclass
class Legal(Node):
    """`legal e`: the action may be taken only if e is yes."""

    condition: Expression


@frozen_dataclass
class Choose(Node):
    """`choose [any|order] x of 1..3 from S by side preferring e`."""

    how: str | None
    name: Word
    bounds: Range | None
    source: Expression
    by: Expression | None
    preferring: Expression | None


@frozen_dataclass
class Offered(Node):
    """An action in an offer, with its arguments."""

    action: Word
    arguments: tuple[Expression, ...]


@frozen_dataclass
class Offer(Node):
    """`offer hop, fire [X.1] by player until e`; with `must` instead of `until`, no action may make it unreachable.

    `keeping` is the condition that each action must preserve. `escapes`: the `otherwise` block is the next step.
    """

    actions: tuple[Offered, ...]
    cites: tuple[Word, ...]
    by: Expression | None
    until: Expression | None
    must: bool = False
    keeping: Expression | None = None
    escapes: bool = False


@frozen_dataclass
class Loop(Node):
    """`for each x in S { ... }`; S may be a range, `1..n`."""

    name: Word
    source: Expression | Range
    body: tuple["Step", ...]


@frozen_dataclass
class Branch(Node):
    """`if e { ... } else { ... }`."""

    condition: Expression
    then: tuple["Step", ...]
    orelse: tuple["Step", ...]


@frozen_dataclass
class Invoke(Node):
    """`do resolution(args) [X.1]` (what is "do") or `tell event(args)` (what is "tell")."""

    what: str
    name: Word
    arguments: tuple[Expression, ...]
    cites: tuple[Word, ...]


@frozen_dataclass
class Roll(Node):
    """`roll d: die`, or with a computed size: `roll d: 1..u.strength`."""

    name: Word
    domain: Word | Range


@frozen_dataclass
class Draw(Node):
    """`draw x from S`, `draw any xs of 3 from S`, `draw order xs from S`: random members, without replacement."""

    how: str | None
    name: Word
    count: Expression | None
    source: Expression | Range


@frozen_dataclass
class Each(Node):
    """`each turn [X.1] in 1..8 { ... }`, `each player in scenario.order { ... }`: the clock."""

    name: Word
    cites: tuple[Word, ...]
    source: Expression | Range
    body: tuple["Step", ...]


@frozen_dataclass
class Proceed(Node):
    """`proceed`, in the steps of `wraps`: the place of the wrapped steps."""


@frozen_dataclass
class AccountField(Node):
    """`before odds = column(a)` or `after d`: evaluated before the first effect, or at the end of the procedure."""

    moment: str  # before | after
    name: Word
    value: Expression | None


@frozen_dataclass
class AccountText(Node):
    """`previews ".."`, `tells ".."` or `results ".." when e`: a sentence, or a part of one, with fields in braces."""

    what: str  # previews | tells | results
    text: Word
    condition: Expression | None


@frozen_dataclass
class Account(Node):
    """`account [X.1] { .. }` behind a procedure."""

    cites: tuple[Word, ...]
    fields: tuple[AccountField, ...]
    texts: tuple[AccountText, ...]


@frozen_dataclass
class BeginAccount(Node):
    """The start of what an account reports. It has no syntax: it replaces `proceed` in `wraps`."""


@frozen_dataclass
class Phase(Node):
    """`phase combat "Combat" { ... }`."""

    name: Word
    title: str | None
    cites: tuple[Word, ...]
    body: tuple["Step", ...]
    replaces: ReplacedProcedure | None = None


@frozen_dataclass
class Stop(Node):
    """`stop`: ends this action or resolution."""


Step = (
    Let | Legal | Choose | Offer | Loop | Branch | Invoke | Roll | Draw | Each | Phase | Stop | Proceed | BeginAccount
    | Change
)  # fmt: skip


def steps_inside(step: Step) -> tuple[Step, ...]:
    """Return the steps directly inside a step."""
    match step:
        case Each(body=body) | Loop(body=body) | Phase(body=body):
            return body
        case Branch(then=then, orelse=orelse):
            return (*then, *orelse)
        case _:
            return ()


def nested_steps(body: Iterable[Step]) -> Iterator[Step]:
    """Yield steps and those nested in them, in preorder."""
    for step in body:
        yield step
        yield from nested_steps(steps_inside(step))


@frozen_dataclass
class Sequence(Node):
    """`sequence NAME { ... }`: the whole game, including set-up."""

    name: Word
    cites: tuple[Word, ...]
    body: tuple[Step, ...]


@frozen_dataclass
class Insert(Node):
    """`insert phase dusk "Dusk" { ... } after combat`. `guard` is the condition under which a layer includes it."""

    phase: Phase
    order: str  # after | before
    anchor: Word
    guard: Expression | None = None


@frozen_dataclass
class NamedOffer(Node):
    """An action with names for its arguments."""

    action: Word
    parameters: tuple[Word, ...]


@frozen_dataclass
class Beside(Node):
    """`offer dash(imp), hide(imp) beside hop(imp)`: these actions are offered wherever the host is offered."""

    actions: tuple[NamedOffer, ...]
    host: NamedOffer


@frozen_dataclass
class PreferringNone(Node):
    """`preferring none "why"`: the action is never preferred, with the reason."""

    why: str


@frozen_dataclass
class Action(Node):
    """An action of a player. The steps before the first effect are choices, bindings and legality conditions."""

    name: Word
    parameters: tuple[Parameter, ...]
    by: Word | None
    phases: tuple[Word, ...]
    cites: tuple[Word, ...]
    prose: str | None
    reads: Reads | None
    body: tuple[Step, ...]
    replaces: ReplacedProcedure | None = None
    unpreferred: PreferringNone | None = None
    account: Account | None = None


@frozen_dataclass
class Resolution(Node):
    """A named procedure."""

    name: Word
    parameters: tuple[Parameter, ...]
    cites: tuple[Word, ...]
    prose: str | None
    body: tuple[Step, ...]
    replaces: ReplacedProcedure | None = None
    account: Account | None = None


@frozen_dataclass
class HookOrder(Node):
    """`, before goes-first`: the order of two hooks on one event."""

    order: str  # after | before
    label: Word


@frozen_dataclass
class Hook(Node):
    """`after entered(imp, to) as goes-first, before goes-next { ... }`: runs whenever the event is raised.

    `after end of own_turn { ... }` runs on the event "end of own_turn", before notes and marks are reset.
    """

    event: Word
    parameters: tuple[Word, ...]
    label: Word | None
    stands: tuple[HookOrder, ...]
    cites: tuple[Word, ...]
    prose: str | None
    body: tuple[Step, ...]
    replaces: ReplacedProcedure | None = None
    account: Account | None = None


@frozen_dataclass
class Reaction(Node):
    """`reaction snap by enemy to entered(imp, to) { .. }`: an action offered to others when the event is raised."""

    name: Word
    by: Word
    event: Word
    parameters: tuple[Word, ...]
    cites: tuple[Word, ...]
    prose: str | None
    reads: Reads | None
    body: tuple[Step, ...]
    replaces: ReplacedProcedure | None = None
    unpreferred: PreferringNone | None = None
    account: Account | None = None


Conduct = Sequence | Insert | Beside | Action | Reaction | Resolution | Hook | Phase
