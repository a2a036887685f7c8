"""Games in compiled code: decisions beside one question written by hand in Python, growth, copies, first games, Hex.

The yardstick is `may_enter` as one writes it by hand (leader_by_hand.py), timed in the same run. Games of Hex are
played at random, as OpenSpiel plays its own Hex when it is driven from Python.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.compiling import environment_with
from bench.finding import AT_LEAST, Finding, best
from bench.playing import SIZED, SIZES, situation, with_units
from bench.terms import MICRO, SITUATION, run, subjects
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.game import DRAWS, GREEDY, NativeGame
from runtime.graph import nodes as graph

SECTION = "games in compiled code"
PLAYERS = {"random": (DRAWS, 2.0), "greedy": (GREEDY, 10.0)}
SIXTY, FEW, MANY = SIZES[1], SIZES[0], SIZES[-1]
WARM, GAMES, QUICKLY = 10, 100, 10
HEX, WIDE, PLAYOUTS = Path(__file__).parent / "workload", 11, 2_000
COPIES = 2_000
OPTIONS = (
    "panzer_leader+emplacing+field_of_fire+functional_mobility+naval_support+opportunity_fire+panzerblitz_assault"
    "+quick_time+smoke_shells"
)


def compiled(*, quick: bool) -> Iterator[Finding]:
    """Measure games in modules."""
    games = QUICKLY if quick else GAMES
    yardstick = by_hand(3 if quick else 12)
    yield Finding(SECTION, "the yardstick: `may_enter` by hand", "us", yardstick)
    rules = situation(SIZED)
    paces: dict[int, float] = {}
    for name, (player, most) in PLAYERS.items():
        for size in (FEW, SIXTY, MANY) if player == DRAWS else (SIXTY,):
            native = native_game(with_units(rules, size), player)
            paces[size] = pace(native, games)
            if size == SIXTY:
                times = paces[size] / yardstick
                line = f"a {name} decision with {size} units / the yardstick"
                yield Finding(SECTION, line, "us", paces[size], yardstick, times, most)
        if player == DRAWS:
            grown = paces[MANY] / paces[FEW]
            line = f"a decision with {MANY} units / with {FEW}"
            yield Finding(SECTION, line, "us", paces[MANY], paces[FEW], grown, 1.5)
    yield from copied(native_game(rules, DRAWS))
    yield from first_games()
    yield hex_playouts(200 if quick else PLAYOUTS)


def by_hand(count: int) -> float:
    """Time the question that is written by hand: microseconds for each."""
    rules = GeneratedEvaluator(situation(SITUATION))
    written, arguments = next(
        (written, arguments) for name, written, arguments in subjects(rules, count, 600) if name == "may_enter"
    )
    questions = sum(len(each) for _, each in arguments)
    (spent,) = best(partial(run, arguments, written, ()), rounds=9)
    return spent / questions * MICRO


def native_game(rules: graph.Graph, player: int) -> NativeGame:
    """Compile a situation, with one player for all sides."""
    assert rules.scenario is not None
    game = game_of(rules)
    return NativeGame(module_of(game), game.set_up(), dict.fromkeys(rules.scenario.order, player), logs=False)


def played(native: NativeGame, seed: str) -> int:
    """Play a game to its end; count the choices made."""
    native.start(seed)
    assert native.run() == 0
    return native.choice_count


def pace(native: NativeGame, games: int) -> float:
    """Time decisions, after games that warm up what is known of the map: microseconds of CPU for each."""
    for number in range(WARM):
        played(native, f"warm {number}")
    began = time.process_time()
    decisions = sum(played(native, f"bench {number}") for number in range(games))
    return (time.process_time() - began) / decisions * MICRO


def copied(native: NativeGame) -> Iterator[Finding]:
    """Time a copy of a game under way, and say how much memory it is."""
    played(native, "copied")
    at = native.reserve_checkpoint()
    size = (native.call_function("save", at) - at) / 1024

    def copies() -> None:
        for _ in range(COPIES):
            native.save(at)

    (spent,) = best(copies)
    each = spent / COPIES * MICRO
    yield Finding(SECTION, f"{SIZED}, a game at its end", "KiB", size, 64.0, size / 64.0, 1.0)
    yield Finding(SECTION, "to copy a game / 1 us a KiB", "us", each, size, each / size, 1.0)


def first_games() -> Iterator[Finding]:
    """Time a first game of the largest stack: compiled to machine code now, and taken from the cache."""
    rules = load_scenario("reed_water", OPTIONS).graph
    assert rules is not None
    with tempfile.TemporaryDirectory() as folder, environment_with(RULEWRIGHT_CACHE=folder):
        times = []
        for _ in range(2):
            began = time.process_time()
            module_of(game_of(rules))
            times.append(time.process_time() - began)
    cold, warm_time = times
    yield Finding(SECTION, "panzer_leader with all options, compiled to a module / 2 s", "s", cold, 2.0, cold / 2, 1.0)
    yield Finding(SECTION, "the same, from the cache / 50 ms", "s", warm_time, 0.05, warm_time / 0.05, 1.0)


def hex_playouts(games: int) -> Finding:
    """Play Hex at random, beside OpenSpiel's."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "hex"
        package.mkdir()
        for file in (HEX / "hex").iterdir():
            (package / file.name).write_bytes(file.read_bytes())
        (package / "rhombus.yaml").write_text(rhombus(WIDE), encoding="utf-8")
        found = load_scenario("hex_11", None, (package,)).graph
        assert found is not None
        native = native_game(found, DRAWS)
        pace(native, WARM)
        began = time.process_time()
        for number in range(games):
            played(native, f"hex {number}")
        own_time = games / (time.process_time() - began)
    peer_rate = peer()
    name = "Hex, 11 by 11, random playouts a second / OpenSpiel's, driven from Python"
    if peer_rate is None:
        return Finding(SECTION, name, "/s", own_time, note="open_spiel is absent")
    began = time.process_time()
    for number in range(games):
        peer_rate(number)
    peers = games / (time.process_time() - began)
    return Finding(SECTION, name, "/s", own_time, peers, own_time / peers, 1.0, AT_LEAST)


def peer() -> Callable[[int], None] | None:
    """Give a random playout of OpenSpiel's Hex; None where it is not installed."""
    try:
        module: Any = import_module("pyspiel")
    except ImportError:
        return None
    rules = module.load_game(f"hex(board_size={WIDE})")

    def playout(seed: int) -> None:
        chance, state = random.Random(seed), rules.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[chance.randrange(len(actions))])

    return playout


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
