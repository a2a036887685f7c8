"""The instructions that procedures are flattened into, and the programs made of them.

A step without a body is its own instruction; loops, branches, phases and the clock become the
instructions below. No instruction holds another, so where a procedure stands is one number and a
whole game, half-played loops included, is plain data that copies and hashes. Generators would be
shorter, but a suspended generator can be neither copied nor written down.
"""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Jump:
    """Goes on at `target`."""

    target: int


@dataclass(frozen=True, slots=True)
class Unless:
    """Goes on at `target` if the condition fails."""

    condition: graph.Expr
    target: int


@dataclass(frozen=True, slots=True)
class Gather:
    """Fixes the members of a loop; `slot` keeps those still to come."""

    slot: str
    source: graph.Expr
    member: graph.Type


@dataclass(frozen=True, slots=True)
class Next:
    """Binds the next member that is not gone, or goes on at `target`."""

    slot: str
    name: str
    member: graph.Type
    target: int


@dataclass(frozen=True, slots=True)
class NextMoment:
    """The same for a loop of the clock, which also sets game.`name`."""

    slot: str
    name: str
    target: int


@dataclass(frozen=True, slots=True)
class Enter:
    """Sets game.phase."""

    phase: str


@dataclass(frozen=True, slots=True)
class Lapse:
    """What lasts until the end of this moment falls back."""

    moment: str


@dataclass(frozen=True, slots=True)
class ReturnIfGone:
    """Ends the action if the piece it is about is gone; stands after every event that it tells."""

    subject: str


@dataclass(frozen=True, slots=True)
class Return:
    """Ends the procedure."""


Plain = (
    graph.Let | graph.Legal | graph.Choose | graph.Offer | graph.Do | graph.Tell | graph.Roll | graph.Draw
    | graph.Assign | graph.Mark | graph.Move | graph.Flip | graph.Remove | graph.Create | graph.Pair
    | graph.Write | graph.Strike | graph.Add
)  # fmt: skip
Instruction = Plain | Jump | Unless | Gather | Next | NextMoment | Enter | Lapse | ReturnIfGone | Return


@dataclass(frozen=True, slots=True)
class Program:
    """A procedure ready to run.

    `members` runs beside `code` and says, for each choice, what one of its options is. `prefix`
    counts the instructions before the first effect of an action. `subject` is the piece it is about.
    `offers`: it is a hook that lets somebody react. `parameters` are their names. `account_starts` are the
    instructions at one of which its account begins; where there are none, it begins behind the prefix.
    """

    key: str
    procedure: graph.Procedure
    parameters: tuple[str, ...]
    code: tuple[Instruction, ...]
    members: tuple[graph.Type | None, ...]
    prefix: int
    subject: str
    offers: bool
    account_starts: frozenset[int]


@dataclass(frozen=True, slots=True)
class Programs:
    """All programs of a graph by the key of their procedure, and hooks by the event they hear."""

    of: dict[str, Program]
    hooks: dict[str, tuple[str, ...]]
