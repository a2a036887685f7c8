"""Random playouts of abstract games: by rules in this language, by OpenSpiel driven from Python, and by hand in C.

The rules are small packages in workload/, written as the documentation of the language has it. A move of Breakthrough
is two draws, a pawn and its step, in the rules and in C; OpenSpiel draws one of all moves. Winners, lengths of games
and legal moves of the rules are those of C, which is compared before the clock starts.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import Any

from bench.c_by_hand import ABSENT, compiled_program, output_of
from bench.compiled import native_game
from bench.finding import AT_LEAST, Finding, in_turns
from rulewright.games.scenarios import load_scenario
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.game import DRAWS, EXTERNAL, NativeGame
from runtime.graph import nodes as graph

SECTION = "playouts of abstract games"
PACKAGES = Path(__file__).parent / "workload"
WARM, ROUNDS = 10, 3
COMPARED, COMPARED_GAMES = 300, 3
# Games that a round in C takes, as many times as one of ours: enough for a clock that counts in milliseconds.
MORE_IN_C = 50
# How far two shares may lie apart, in standard deviations: fifty thousand comparisons may pass before one is wrong.
MOST_DEVIATIONS = 4.3


@dataclass(frozen=True, slots=True)
class AbstractGame:
    """A game: its package, card and title, its name in OpenSpiel, games in a round, and the ratios that are wanted.

    `least` is ours over OpenSpiel's, `most` is C's over ours. A move is made by `draws` choices.
    """

    package: str
    card: str
    title: str
    peer: str
    games: int
    least: float | None = None
    most: float | None = None
    draws: int = 1


GAMES = (
    AbstractGame("hex", "hex_11", "Hex, 11 by 11", "hex(board_size=11)", 500, 8.0, 6.0),
    AbstractGame("breakthrough", "breakthrough_8", "Breakthrough, 8 by 8", "breakthrough", 500, 4.0, 30.0, 2),
    AbstractGame("connect_four", "connect_four_7", "Connect Four", "connect_four", 1_000, 3.0, 80.0),
    AbstractGame("tic_tac_toe", "tic_tac_toe_3", "Tic-tac-toe", "tic_tac_toe", 3_000),
)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many playouts there were, how many the first and the second side won, and how many moves they had."""

    games: int
    first: int
    second: int
    moves: int

    def is_like(self, other: "Outcomes", spread: float) -> bool:
        """Whether shares and mean lengths differ by chance alone; `spread` is the standard deviation of a length."""
        error = sqrt(1 / self.games + 1 / other.games) * MOST_DEVIATIONS
        lengths = abs(self.moves / self.games - other.moves / other.games)
        firsts = abs(self.first / self.games - other.first / other.games)
        seconds = abs(self.second / self.games - other.second / other.games)
        return lengths <= spread * error and max(firsts, seconds) <= error / 2


def playouts(*, quick: bool) -> Iterator[Finding]:
    """Measure every game."""
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            program = compiled_program(game.package, Path(folder))
            rules = rules_of(game)
            native = native_game(rules, DRAWS)
            if program is not None:
                own_outcomes, spread = outcomes(rules, native, COMPARED)
                assert own_outcomes.is_like(outcomes_in_c(program, COMPARED * MORE_IN_C), spread), game.package
                assert compared_positions(game, rules, program, range(COMPARED_GAMES)), game.package
            yield from raced(game, native, program, game.games // 10 if quick else game.games)


def raced(game: AbstractGame, native: NativeGame, program: Path | None, games: int) -> Iterator[Finding]:
    """Let the sides play in turns, and say how many playouts a second each had in its best round."""
    own_seconds(native, WARM)
    timers = {"ours": partial(own_seconds, native, games)}
    if (peer := peer_playout(game)) is not None:
        timers["peer"] = partial(peer_seconds, peer, games)
    if program is not None:
        timers["C"] = partial(seconds_in_c, program, games * MORE_IN_C)
    seconds = dict(zip(timers, in_turns(*timers.values(), rounds=ROUNDS), strict=True))
    rates = {side: 1 / each for side, each in seconds.items()}
    own_rate = rates["ours"]
    name = f"{game.title}, random playouts a second"
    line = f"{name} / OpenSpiel's, driven from Python"
    if "peer" in rates:
        yield Finding(SECTION, line, "/s", own_rate, rates["peer"], own_rate / rates["peer"], game.least, AT_LEAST)
    else:
        yield Finding(SECTION, line, "/s", own_rate, note="open_spiel is absent")
    line = f"{name}, those of C by hand / ours"
    if "C" in rates:
        yield Finding(SECTION, line, "/s", own_rate, rates["C"], rates["C"] / own_rate, game.most)
    else:
        yield Finding(SECTION, line, "/s", own_rate, note=ABSENT)


# Our side.


def rules_of(game: AbstractGame) -> graph.Graph:
    """Compile the package of a game; the board of Hex is written first."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / game.package
        package.mkdir()
        for file in (PACKAGES / game.package).iterdir():
            (package / file.name).write_bytes(file.read_bytes())
        if game.package == "hex":
            (package / "rhombus.yaml").write_text(rhombus(11), encoding="utf-8")
        rules = load_scenario(game.card, None, (package,)).graph
    assert rules is not None, game.package
    return rules


def own_seconds(native: NativeGame, games: int) -> float:
    """Return the seconds of CPU of one of our playouts."""
    began = time.process_time()
    for number in range(games):
        native.start(f"playout {number}")
        native.run()
    return (time.process_time() - began) / games


def outcomes(rules: graph.Graph, native: NativeGame, games: int) -> tuple[Outcomes, float]:
    """Play games of ours; return what came of them, and the standard deviation of their lengths."""
    assert rules.scenario is not None
    first, second = rules.scenario.order
    evaluator = GeneratedEvaluator(rules)
    wins = {first: 0, second: 0}
    lengths = []
    for number in range(games):
        native.start(f"outcome {number}")
        native.run()
        position = native.position()
        lengths.append(2 * position.turn - (position.player == first))
        for side in wins:
            wins[side] += evaluator.value(position, "prize", (side,))
    mean = sum(lengths) / games
    spread = sqrt(sum((length - mean) ** 2 for length in lengths) / games)
    return Outcomes(games, wins[first], wins[second], sum(lengths)), spread


# The other sides.


def peer_playout(game: AbstractGame) -> Callable[[int], None] | None:
    """Return a random playout of OpenSpiel; None where it is not installed."""
    try:
        module: Any = import_module("pyspiel")
    except ImportError:
        return None
    rules = module.load_game(game.peer)

    def playout(seed: int) -> None:
        chance, state = random.Random(seed), rules.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[chance.randrange(len(actions))])

    return playout


def peer_seconds(playout: Callable[[int], None], games: int) -> float:
    """Return the seconds of CPU of one of OpenSpiel's playouts."""
    began = time.process_time()
    for number in range(games):
        playout(number)
    return (time.process_time() - began) / games


def seconds_in_c(program: Path, games: int) -> float:
    """Return the seconds of CPU of a playout in C."""
    return float(output_of(program, "playouts", str(games))[0].split()[0]) / games


def outcomes_in_c(program: Path, games: int) -> Outcomes:
    """Play games in C; return what came of them."""
    _, first, second, moves = output_of(program, "playouts", str(games))[0].split()
    return Outcomes(games, int(first), int(second), int(moves))


# Legal moves.


def compared_positions(game: AbstractGame, rules: graph.Graph, program: Path, seeds: Sequence[int]) -> int:
    """Compare the options of each decision in games of ours with the legal moves in C; return how many agree.

    A move is written as the spaces that are chosen for it, "A1" or "A2B3". Raises AssertionError where they differ.
    """
    native = native_game(rules, EXTERNAL, logs=True)
    count = 0
    for seed in seeds:
        decisions = decisions_of(native, seed)
        *positions, end = [moves_of(spaces, game.draws) for spaces, _ in decisions]
        legal = output_of(program, "moves", text="\n".join(map(" ".join, [*positions, end])) + "\n")
        for (spaces, options), moves, line in zip(decisions, [*positions, end], legal, strict=True):
            beginning = "".join(spaces[len(moves) * game.draws :])
            length = len(beginning) + 2 if game.draws > 1 else None
            in_c = {move[:length] for move in line.split() if move.startswith(beginning)}
            assert {beginning + option for option in options} == in_c, (game.package, moves, options, in_c)
            count += 1
    return count


def decisions_of(native: NativeGame, seed: int) -> list[tuple[list[str], list[str]]]:
    """Play a game at random; return the spaces chosen before each decision, and those that may be; none at the end."""
    chance = random.Random(seed)
    names = native.state.board.names
    decisions = []
    native.start(str(seed))
    under_way = True
    while under_way:
        under_way = native.run() != 0
        spaces = [names[entry.value] for entry in native.choices_taken()]
        options = native.options() if under_way else []
        decisions.append((spaces, [names[option] for option in options]))
        if under_way:
            native.choose(chance.randrange(len(options)))
    return decisions


def moves_of(spaces: Sequence[str], draws: int) -> list[str]:
    """Join the spaces of each move that is complete."""
    ends = range(draws, len(spaces) + 1, draws)
    return ["".join(spaces[end - draws : end]) for end in ends]


# The board of Hex.


def rhombus(wide: int) -> str:
    """Write the board of Hex and a card: spaces in a rhombus, each next to six others."""
    spaces, connections = [], []
    for row in range(wide):
        for column in range(wide):
            edges = {"top": row == 0, "bottom": row == wide - 1, "left": column == 0, "right": column == wide - 1}
            printed = ", ".join(edge for edge, is_there in edges.items() if is_there)
            spaces.append(f"  {name(row, column)}: {{at: [{20 * column + 10 * row}, {17 * row}], is: [{printed}]}}")
            for down, across in ((0, 1), (1, 0), (1, -1)):
                if row + down < wide and 0 <= column + across < wide:
                    connections.append(f"{name(row, column)}-{name(row + down, column + across)}")
    return (
        "board: rhombus\nkind: points\ncites: house\nspaces:\n" + "\n".join(spaces)
        + f"\nconnections: [{', '.join(connections)}]\n---\nscenario: hex_{wide}\ntitle: Hex\nuses: hex\n"
        f"map: [[rhombus]]\nturns: {wide * wide // 2 + 1}\norder: [red, blue]\nforces: []\n"
    )  # fmt: skip


def name(row: int, column: int) -> str:
    """Name a space by its column and row."""
    return f"{chr(ord('A') + column)}{row + 1}"
