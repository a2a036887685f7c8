"""The lines of a trial, a recorded game.

One line of JSON each: a heading, a line for every choice, and the result. The line of a choice contains the question,
the number of options, the option taken, the dice thrown since the line before, and the digest of the game at the
decision. A choice that was taken back stays in the file with a line that states it; a reader of the trial gets neither.
"""

from fractions import Fraction

from runtime.graph.frozen_dataclass import frozen_dataclass

# Incremented whenever a line changes its meaning; a reader rejects numbers it does not know.
TRIAL_VERSION = 2  # Of version 1 seeds threw other dice.


@frozen_dataclass
class Heading:
    """The heading of a game: the stack, the hash of its play, the scenario, the seed, and the players of the sides."""

    version: int
    stack: str
    hash: str
    scenario: str
    seed: str
    players: dict[str, str]


@frozen_dataclass
class Choice:
    """One choice. `label` is the text of option `choice`; `dice` are those thrown since the last line."""

    step: int
    turn: int
    side: str
    question: str
    options: int
    choice: int
    label: str
    dice: tuple[int, ...]
    state: str


@frozen_dataclass
class Undo:
    """A line that takes back the choices from `step` on."""

    step: int


@frozen_dataclass
class Result:
    """The end of the game."""

    winner: str
    level: int | Fraction | None
    turn: int
    choices: int
    dice: tuple[int, ...]
    state: str


Node = Heading | Choice | Undo | Result


@frozen_dataclass
class Trial:
    """A recorded game. `result` is None if it was aborted."""

    heading: Heading
    choices: tuple[Choice, ...]
    result: Result | None
