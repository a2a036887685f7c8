"""The instructions of the core: each procedure is a linear sequence with jumps instead of nested steps.

A running procedure has a program counter and a frame of bindings, so that a game can stop at a decision, be copied, and
continue. Bindings are `ir.Local`s in the frame; expressions read them like any other local.
"""

from typing import Literal

from compiler.core.ir import Core, Local
from compiler.core.representation import Representation
from compiler.core.trap_reason import TrapReason
from runtime.graph.effects.primitives import PrimitiveEffect
from runtime.graph.frozen_dataclass import frozen_dataclass

FRAME_MARK = "@"  # What the names of a frame begin with.


@frozen_dataclass
class Bind:
    """Bind a name to a value."""

    name: Local
    value: Core


@frozen_dataclass
class Require:
    """Stop the game unless a condition holds."""

    condition: Core


@frozen_dataclass
class Jump:
    """Jump to another instruction."""

    target: int


@frozen_dataclass
class JumpUnless:
    """Jump to another instruction unless a condition holds."""

    condition: Core
    target: int


@frozen_dataclass
class BeginLoop:
    """Evaluate the members of a loop. `members` and `cursor` hold the rest; `book` the written records at its start."""

    members: Local
    cursor: Local
    source: Core
    book: Local | None
    record: str


@frozen_dataclass
class NextMember:
    """Bind the next member that still exists, or jump to `target`."""

    name: Local
    members: Local
    cursor: Local
    book: Local | None
    record: str
    target: int


@frozen_dataclass
class Expire:
    """Reset the values that last until the end of a moment; with `is_own_only` only those of the player's pieces."""

    moment: str
    is_own_only: bool


@frozen_dataclass
class Invoke:
    """Call a procedure, for the same player."""

    procedure: str
    arguments: tuple[Core, ...]


@frozen_dataclass
class EmitEvent:
    """Call the hooks on an event, in the order of their keys; in a reaction those with offers are left out."""

    hooks: tuple[str, ...]
    arguments: tuple[Core, ...]


@frozen_dataclass
class ReturnIfGone:
    """Return if the subject has been removed or is off the board."""

    piece: Local


@frozen_dataclass
class Return:
    """Return from the procedure."""


@frozen_dataclass
class Halt:
    """Stop the game, for a reason."""

    reason: TrapReason


@frozen_dataclass
class Store:
    """Store an element of an array of the layout; None is absence."""

    array: str
    index: Core | None
    value: Core | None


@frozen_dataclass
class StoreBit:
    """Set or clear a bit of a bit set of the layout; the index of a hexside is its slot."""

    array: str
    index: Core
    on: bool


@frozen_dataclass
class StoreField:
    """Store a field of a record."""

    record: Core
    place: int
    value: Core


@frozen_dataclass
class Extend:
    """Add an element to a collection in an array of the layout or, with `record`, in a field of one."""

    array: str
    index: Core | None
    element: Core
    representation: Representation
    record: Core | None = None
    place: int = 0


@frozen_dataclass
class ApplyEffect:
    """Apply a primitive effect of a step; `name` holds the piece or record that it creates."""

    effect: PrimitiveEffect[Core]
    name: Local | None


@frozen_dataclass
class Roll:
    """Roll the next die of the procedure, keyed by `subjects`: pieces, hexes, or sets of them."""

    name: Local
    low: int
    high: int
    domain: str
    subjects: tuple[Core, ...]


@frozen_dataclass
class Draw:
    """Draw members without replacement: one (`mode` ""), or `count` of them, as a set ("any") or a list ("order")."""

    name: Local
    mode: str
    source: Core
    count: Core | None
    numbers: bool


@frozen_dataclass
class AskOffer:
    """An offer of actions, until it ends. `decider` is the side that decides.

    `obligation`: the obligation at the end of the offer or, with `keeps`, after each action; None without one.
    """

    site: int
    decider: Core
    actions: tuple[tuple[str, tuple[Core, ...]], ...]
    until: Core | None
    escapes: bool
    obligation: Core | None
    keeps: bool


@frozen_dataclass
class Movement:
    """The role of a choice in movement, for players with orders to pieces (runtime/graph/movement.py).

    `piece`: the piece that moves to the chosen hex; None where the choice is of a piece itself, and `when` is the
    procedure that chooses its destination: this one ("at_once"), a later one, or none ("").
    """

    piece: Local | None
    when: Literal["", "at_once", "later"]


@frozen_dataclass
class AskChoice:
    """Choose one member (`mode` "") or several.

    `unfiltered_source` and `filter_condition`: the source without its filter, and the filter, for a filtered source.
    `head`: the index of the choice in the head of an action, which has to be completed legally; None after a head.
    `preferring`, a ratio, is the value that a greedy player maximizes.
    """

    site: int
    decider: Core
    name: Local
    chosen: Local
    mode: str
    source: Core
    unfiltered_source: Core
    member: Local
    filter_condition: Core | None
    least: Core | None
    most: Core | None
    preferring: Core | None
    movement: Movement | None
    head: int | None


Instruction = (
    Bind | Require | Jump | JumpUnless | BeginLoop | NextMember | Expire | Invoke | EmitEvent | ReturnIfGone | Return
    | Halt | Store | StoreBit | StoreField | Extend | ApplyEffect | Roll | Draw | AskOffer | AskChoice
)  # fmt: skip


Stage = Core | tuple[Local, Core]  # A condition, or a name with its value.


@frozen_dataclass
class Head:
    """The head of an action: `stages[n]` are the steps between choice n - 1 and choice n.

    `finish[n]`: whether the action can be completed legally after n choices.
    """

    stages: tuple[tuple[Stage, ...], ...]
    choices: tuple["HeadChoice", ...]
    finish: tuple[Core, ...]


@frozen_dataclass
class HeadChoice:
    """A choice in a head: its local, source, sizes (`mode` not ""), and preference."""

    name: Local
    mode: str
    source: Core
    member: Local
    least: Core | None
    most: Core | None
    preferring: Core | None
    movement: Movement | None


@frozen_dataclass
class Procedure:
    """A procedure: its frame, which holds `player` first and the parameters next, and its instructions.

    `offers`: it is a hook that offers a reaction. `head` None: it is no action.
    """

    key: str
    parameters: tuple[Local, ...]
    names: tuple[Local, ...]
    code: tuple[Instruction, ...]
    offers: bool
    head: Head | None

    @property
    def action(self) -> str:
        """The name of the action."""
        return self.key.removeprefix("action:")

    def completion_test(self, number: int) -> str:
        """Return the name of the test whether the action can be completed after a number of choices."""
        return f"finish:{self.action}:{number}"


@frozen_dataclass
class PairEnding:
    """The condition under which a pair of a relation ends."""

    relation: str
    left: Local
    right: Local
    payload: Local | None
    condition: Core


@frozen_dataclass
class Procedures:
    """Procedures of a graph by key, end conditions of pairs, and resets by moment as `track:` and `mark:` arrays."""

    procedures_by_key: dict[str, Procedure]
    endings: tuple[PairEnding, ...]
    expiring: dict[str, tuple[tuple[str, Core | None, Representation | None], ...]]
