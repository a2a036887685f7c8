"""Games in compiled code: decisions beside one question by hand in Python and beside C, growth, copies, first games.

The yardstick is `may_enter` as one writes it by hand (leader_by_hand.py), timed in the same run. C by hand
(in_c/march_and_fire.c) has a tenth of the rules, on the same map with the same units.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.c_by_hand import ABSENT, compiled_program, output_of
from bench.compiling import environment_with
from bench.finding import Finding, best, in_turns, once
from bench.march_and_fire import SOURCE, battlefield
from bench.playing import CARDS, SIZED, SIZES, cpu_seconds, situation, with_units
from bench.terms import MICRO, SITUATION, run, subjects
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.game import DRAWS, GREEDY, NativeGame
from runtime.graph import nodes as graph

SECTION = "games in compiled code"
FEW, SIXTY, MANY = SIZES_TIMED = (SIZES[0], SIZES[1], SIZES[-1])
# The most that is wanted of a decision, by units: in times of the yardstick, and of a decision in C.
MOST_RANDOM = {FEW: None, SIXTY: 2.0, MANY: None}
MOST_GREEDY = {FEW: 3.0, SIXTY: 4.0, MANY: 10.0}
# How the C draws one of the units that may do something: it tries units in random order, as the module does, or lists
# all of them.
OWN_METHOD = "tries"
METHODS = (OWN_METHOD, "lists")
MOST_IN_C = {FEW: 20.0, SIXTY: 12.0, MANY: 10.0}
# Games in a round, and how many times as many a round in C takes.
WARM, GAMES, QUICKLY, MORE_IN_C = 10, 40, 5, 10
ROUNDS = 3
COPIES = 2_000
# Pairs of games that `compare` plays, and the most seconds that are wanted for them.
PAIRS, FEW_PAIRS, MOST_COMPARED = 1_000, 50, 25.0
OPTIONS = (
    "panzer_leader+emplacing+field_of_fire+functional_mobility+naval_support+opportunity_fire+panzerblitz_assault"
    "+quick_time+smoke_shells"
)


def compiled(*, quick: bool) -> Iterator[Finding]:
    """Measure games in modules."""
    yardstick = by_hand(3 if quick else 12)
    rules = situation(SIZED)
    paces: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_program(SOURCE, Path(folder))
        for size in SIZES_TIMED:
            found = decisions_timed(with_units(rules, size), size, yardstick, program, QUICKLY if quick else GAMES)
            paces[size] = found[0].own_value or 0.0
            yield from found
    few, many = paces[FEW], paces[MANY]
    yield Finding(SECTION, f"a decision with {MANY} units / with {FEW}", "us", many, few, many / few, 1.5)
    yield from copied(native_game(rules, DRAWS))
    yield from first_games()
    yield compared(FEW_PAIRS if quick else PAIRS)


def decisions_timed(
    rules: graph.Graph, size: int, yardstick: Callable[[], float], program: Path | None, games: int
) -> list[Finding]:
    """Time decisions, a random one first, in turns with the yardstick and with a program in C, if there is one."""
    paced = [partial(pace, native_game(rules, player), games) for player in (DRAWS, GREEDY)]
    times = []
    if program is not None:
        field = battlefield(rules)
        times = [partial(pace_in_c, program, method, field, games * MORE_IN_C) for method in METHODS]
    drawn, greedy, one_question, *in_c = in_turns(*paced, yardstick, *times, rounds=ROUNDS)
    found = []
    for name, own_time, most in (("random", drawn, MOST_RANDOM[size]), ("greedy", greedy, MOST_GREEDY[size])):
        line = f"a {name} decision with {size} units / the yardstick, `may_enter` by hand"
        found.append(Finding(SECTION, line, "us", own_time, one_question, own_time / one_question, most))
    line = f"a random decision with {size} units / a tenth of the rules by hand in C"
    if not in_c:
        found.append(Finding(SECTION, line, "us", drawn, note=ABSENT))
    for method, time_in_c in zip(METHODS, in_c, strict=False):
        most = MOST_IN_C[size] if method == OWN_METHOD else None
        found.append(Finding(SECTION, f"{line} that {method} options", "us", drawn, time_in_c, drawn / time_in_c, most))
    return found


def by_hand(count: int) -> Callable[[], float]:
    """Return what times the question that is written by hand: microseconds for each."""
    rules = GeneratedEvaluator(situation(SITUATION))
    written, arguments = next(
        (written, arguments) for name, written, arguments in subjects(rules, count, 600) if name == "may_enter"
    )
    questions = sum(len(each) for _, each in arguments)
    return lambda: once(partial(run, arguments, written, ())) / questions * MICRO


def pace_in_c(program: Path, method: str, field: str, games: int) -> float:
    """Time decisions in C: microseconds of CPU for each."""
    seconds, decision_count, _ = output_of(program, method, str(games), text=field)[0].split()
    return float(seconds) / int(decision_count) * MICRO


def native_game(rules: graph.Graph, player: int, *, logs: bool = False) -> NativeGame:
    """Compile a situation, with one player for all sides; `logs` as NativeGame has it."""
    assert rules.scenario is not None
    game = game_of(rules)
    return NativeGame(module_of(game), game.set_up(), dict.fromkeys(rules.scenario.order, player), logs=logs)


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
    yield Finding(SECTION, "panzer_leader with all options, compiled to a module / 1 s", "s", cold, 1.0, cold, 1.0)
    yield Finding(SECTION, "the same, from the cache / 50 ms", "s", warm_time, 0.05, warm_time / 0.05, 1.0)


def compared(pairs: int) -> Finding:
    """Time `compare` in a process that has its modules from the cache; fewer pairs than wanted have no target."""
    rules = [part for stack in ("panzer_leader", "panzer_leader+opportunity_fire") for part in ("--rules", stack)]
    options = (str(CARDS / f"{SIZED}.yaml"), *rules, "--players", "greedy", "--jobs", "1", "-n")
    command = (sys.executable, "-m", "rulewright", "compare", *options)
    subprocess.run((*command, "1"), check=True, capture_output=True)
    began = cpu_seconds()
    subprocess.run((*command, str(pairs)), check=True, capture_output=True)
    spent = cpu_seconds() - began
    name = f"`compare`, {pairs:,} greedy pairs of {SIZED}"
    if pairs < PAIRS:
        return Finding(SECTION, name, "s", spent)
    wanted = MOST_COMPARED
    return Finding(SECTION, f"{name} / {wanted:.0f} s", "s", spent, wanted, spent / wanted, 1.0)
