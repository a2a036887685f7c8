"""The instructions of the core: what procedures become, one row of them for each, with jumps instead of nested steps.

A procedure stands at one instruction and keeps its names in a frame, so a game can stop at a decision, be copied there,
and go on. Names are `ir.Local`s that live in the frame; expressions read them like any other local.
"""

from dataclasses import dataclass
from typing import Literal

from compiler.core.ir import Core, Local, TrapReason
from compiler.core.representation import Representation

Outside = Literal["gone", "aside"]


@dataclass(frozen=True, slots=True)
class Bind:
    """Gives a name a value."""

    name: Local
    value: Core


@dataclass(frozen=True, slots=True)
class Require:
    """Stops the game where a condition does not hold."""

    condition: Core


@dataclass(frozen=True, slots=True)
class Jump:
    """Goes on at another instruction."""

    target: int


@dataclass(frozen=True, slots=True)
class JumpUnless:
    """Goes on at another instruction unless a condition holds."""

    condition: Core
    target: int


@dataclass(frozen=True, slots=True)
class BeginLoop:
    """Fixes the members of a loop. `members` and `cursor` keep what is to come; `book` what records there are."""

    members: Local
    cursor: Local
    source: Core
    book: Local | None
    record: str


@dataclass(frozen=True, slots=True)
class NextMember:
    """Binds the next member that is not gone, or goes on at `target`."""

    name: Local
    members: Local
    cursor: Local
    book: Local | None
    record: str
    target: int


@dataclass(frozen=True, slots=True)
class Expire:
    """Resets what lasts until the end of a moment; with `own` for the pieces of the player alone."""

    moment: str
    own: bool


@dataclass(frozen=True, slots=True)
class Invoke:
    """Puts a procedure on the stack, for the same player. It begins at once."""

    procedure: str
    arguments: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class EmitEvent:
    """Puts the hooks of an event on the stack, in the order of their keys; in a reaction those that offer stay out."""

    hooks: tuple[str, ...]
    arguments: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class ReturnIfGone:
    """Ends the procedure if its piece has left the map for good or has been laid aside."""

    piece: Local


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the procedure."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Stops the game, for a reason: nothing follows."""

    reason: TrapReason


@dataclass(frozen=True, slots=True)
class Store:
    """Writes an element of an array of the layout; None is absent."""

    array: str
    index: Core | None
    value: Core | None


@dataclass(frozen=True, slots=True)
class StoreBit:
    """Sets or clears a bit of a bit set of the layout; that of a hexside lies at its slot."""

    array: str
    index: Core
    on: bool


@dataclass(frozen=True, slots=True)
class StoreField:
    """Writes a field of a record."""

    record: Core
    place: int
    value: Core


@dataclass(frozen=True, slots=True)
class Extend:
    """Adds an element to a collection in an array of the layout or, with `record`, in a field of one."""

    array: str
    index: Core | None
    element: Core
    of: Representation
    record: Core | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class MovePiece:
    """Puts a piece into a hex; one that is gone is not moved."""

    piece: Core
    to: Core
    place: str


@dataclass(frozen=True, slots=True)
class RemovePiece:
    """Takes a piece off the map, for good or to lay it aside."""

    piece: Core
    how: Outside


@dataclass(frozen=True, slots=True)
class FlipPiece:
    """Turns a piece to its other face."""

    piece: Core
    to: str


@dataclass(frozen=True, slots=True)
class CreatePiece:
    """Makes a piece of a kind, of a side or of none, in a hex, showing a counter, or the only one there is for it."""

    kind: str
    name: Local | None
    at: Core
    owner: Core | None
    counter: str


@dataclass(frozen=True, slots=True)
class RelatePieces:
    """Relates two pieces (`on`), or relates them no longer. `one` says which end admits one partner only."""

    relation: str
    left: Core
    right: Core
    payload: Core | None
    on: bool
    one: str


@dataclass(frozen=True, slots=True)
class WriteRecord:
    """Writes a record into the book."""

    record: Core
    type: str
    name: Local | None


@dataclass(frozen=True, slots=True)
class StrikeRecord:
    """Strikes a record out of the book."""

    record: Core
    type: str


@dataclass(frozen=True, slots=True)
class Roll:
    """Throws the next die of the procedure, which is about `subjects`: pieces, hexes, or sets of them."""

    name: Local
    low: int
    high: int
    domain: str
    subjects: tuple[Core, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """Takes members at random, none twice: one (`how` ""), or `count` of them, as a set ("any") or a list ("order")."""

    name: Local
    how: str
    source: Core
    count: Core | None
    numbers: bool


@dataclass(frozen=True, slots=True)
class AskOffer:
    """Asks which action to begin, until the offer ends. `by` is the side that is asked.

    `met`: what the offer must come to, or else, where it `keeps`, what each action has to leave so; None if nothing.
    """

    site: int
    by: Core
    actions: tuple[tuple[str, tuple[Core, ...]], ...]
    until: Core | None
    escapes: bool
    met: Core | None
    keeps: bool


@dataclass(frozen=True, slots=True)
class Movement:
    """The role of a choice in movement, for players with orders to pieces (runtime/graph/movement.py).

    `piece`: the piece a hex is for; None where the choice is of a piece itself, and `when` says whether it moves: to
    a hex of this procedure ("at_once"), of a later one, or not at all ("").
    """

    piece: Local | None
    when: Literal["", "at_once", "later"]


@dataclass(frozen=True, slots=True)
class AskChoice:
    """Asks for one member (`how` "") or several.

    `everybody` and `passes`: the source before it is filtered, and the filter, where it is a filter. `head`: the number
    of the choice in the head of an action, which has to be finished legally; None behind a head. `preferring`, a
    fraction, is what a greedy player maximizes.
    """

    site: int
    by: Core
    name: Local
    chosen: Local
    how: str
    source: Core
    everybody: Core
    member: Local
    passes: Core | None
    least: Core | None
    most: Core | None
    preferring: Core | None
    movement: Movement | None
    head: int | None


Instruction = (
    Bind | Require | Jump | JumpUnless | BeginLoop | NextMember | Expire | Invoke | EmitEvent | ReturnIfGone | Return
    | Halt | Store | StoreBit | StoreField | Extend | MovePiece | RemovePiece | FlipPiece | CreatePiece | RelatePieces
    | WriteRecord | StrikeRecord | Roll | Draw | AskOffer | AskChoice
)  # fmt: skip


Stage = Core | tuple[Local, Core]  # A condition, or a name with its value.


@dataclass(frozen=True, slots=True)
class Head:
    """The head of an action: `stages[n]` stand between choice n - 1 and choice n.

    `finish[n]`: whether the action can still be finished legally once n choices are made.
    """

    stages: tuple[tuple[Stage, ...], ...]
    choices: tuple["HeadChoice", ...]
    finish: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class HeadChoice:
    """A choice in a head: where it is bound, what from, how many (`how` not ""), what a player maximizes."""

    name: Local
    how: str
    source: Core
    member: Local
    least: Core | None
    most: Core | None
    preferring: Core | None
    movement: Movement | None


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class PairEnding:
    """The condition under which a pair of a relation ends."""

    relation: str
    left: Local
    right: Local
    payload: Local | None
    condition: Core


@dataclass(frozen=True, slots=True)
class Procedures:
    """All procedures of a graph by key, how pairs end, and what lasts until when, as `track:` and `mark:` arrays."""

    of: dict[str, Procedure]
    endings: tuple[PairEnding, ...]
    expiring: dict[str, tuple[tuple[str, Core | None, Representation | None], ...]]
