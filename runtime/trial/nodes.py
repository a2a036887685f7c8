"""A trial: a recorded game, as plain facts.

One line of JSON each: a heading, a line for every choice, and the result. A line for a choice holds
what was asked, how many options there were, which was taken, the dice thrown since the line
before, and the digest of the game when it was asked. A choice that was taken back stays in the file,
with a line that says so; whoever reads the trial finds neither.
"""

from fractions import Fraction

from runtime.graph.frozen_dataclass import dataclass

# Raised whenever a line changes its meaning; a reader refuses numbers it does not know.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Heading:
    """What was played: stack, the hash of its graph, scenario, seed, and who played which side."""

    version: int
    stack: str
    hash: str
    scenario: str
    seed: str
    players: dict[str, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `label` says option `choice` in words; `dice` are those thrown since the last line."""

    step: int
    turn: int
    side: str
    question: str
    options: int
    choice: int
    label: str
    dice: tuple[int, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The choices from `step` on are taken back."""

    step: int


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended."""

    winner: str
    level: int | Fraction | None
    turn: int
    choices: int
    dice: tuple[int, ...]
    state: str


Node = Heading | Choice | Undo | Result


@dataclass(frozen=True, slots=True)
class Trial:
    """A recorded game. `result` None: it was broken off."""

    heading: Heading
    choices: tuple[Choice, ...]
    result: Result | None
