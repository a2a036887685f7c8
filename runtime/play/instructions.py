"""The instruction set of procedures, and the programs that consist of it.

A step without a body is its own instruction; loops, branches, phases and the clock are compiled to the instructions
below. Instructions are not nested, so that the program counter is one number, and a running game, including loops in
progress, is plain data that can be copied and hashed. A suspended Python generator can be neither copied nor stored.
"""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.record import Value


@frozen_dataclass
class Jump:
    """Jump to `target`."""

    target: int


@frozen_dataclass
class JumpUnless:
    """Jump to `target` if the condition fails."""

    condition: graph.Expr
    target: int


@frozen_dataclass
class BeginLoop:
    """Evaluate the members of a loop; `slot` holds the remaining ones."""

    slot: str
    source: graph.Expr
    member: graph.Type


@frozen_dataclass
class NextMember:
    """Bind the next member that still exists, or jump to `target`."""

    slot: str
    name: str
    member: graph.Type
    target: int


@frozen_dataclass
class NextMoment:
    """Like `NextMember`, for a loop of the clock, which also sets game.`name`."""

    slot: str
    name: str
    target: int


@frozen_dataclass
class EnterPhase:
    """Set game.phase."""

    phase: str


@frozen_dataclass
class Expire:
    """Reset the values that last until the end of this moment."""

    moment: str


@frozen_dataclass
class ReturnIfGone:
    """Return from an action whose subject is gone; follows every event that it emits."""

    subject: str


@frozen_dataclass
class Return:
    """Return from the procedure."""


SimpleInstruction = (
    graph.Let | graph.Legal | graph.Choose | graph.Offer | graph.Do | graph.Tell | graph.Roll | graph.Draw
    | graph.ChangingStep
)  # fmt: skip
Instruction = (
    SimpleInstruction
    | Jump
    | JumpUnless
    | BeginLoop
    | NextMember
    | NextMoment
    | EnterPhase
    | Expire
    | ReturnIfGone
    | Return
)


@frozen_dataclass
class Program:
    """A compiled procedure.

    `members` is parallel to `code` and holds for each choice the type of its options. `head_length` is the number of
    instructions before the first effect of an action. `subject` is the name of its subject. `offers`: it is a hook with
    a reaction. `parameters` are names. `account_starts` are the instructions at which its account may begin; without
    them it begins after the head.
    """

    key: str
    procedure: graph.Procedure
    parameters: tuple[str, ...]
    code: tuple[Instruction, ...]
    members: tuple[graph.Type | None, ...]
    head_length: int
    subject: str
    offers: bool
    account_starts: frozenset[int]

    def bind_parameters(self, values: tuple[Value, ...], player: Value) -> dict[str, Value]:
        """Return the bindings with which the procedure begins."""
        names: dict[str, Value] = {"player": player}
        if values:
            names.update(zip(self.parameters, values, strict=True))
        return names


@frozen_dataclass
class Programs:
    """The programs of a graph by the key of their procedure, and hooks by event."""

    entries: dict[str, Program]
    hooks: dict[str, tuple[str, ...]]
