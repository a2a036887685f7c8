"""Playing: decisions and games a second, what a game takes of memory, two processes, and positions of any size."""

import os
import pickle
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.compiling import environment_with
from bench.finding import AT_LEAST, Finding
from rulewright.games.scenarios import load_scenario
from rulewright.library.generated_code import known_code
from runtime.answer.code import CompiledCode
from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.plan import ExperimentPlan
from runtime.experiment.processes import play_range, start_processes
from runtime.graph import nodes as graph
from runtime.graph.digest import graph_digest
from runtime.play.game import Game
from runtime.play.garbage_collection import exempt_objects
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import choose_option, play_out, seat_players, uniform_option
from runtime.players.player_names import PLAYERS

SECTION = "playing"
CARDS = Path(__file__).parent / "cards"
WANTED = 20_000.0
SITUATIONS = ("old_millbrook", "landing_at_mill_cove", "ridge_farm", "before_the_tide")
SIZED = "old_millbrook"
SIXTY = 60
# Who ponders long measures himself, not play.
QUICK_PLAYERS = ("random", "greedy")
SIZES = (20, 60, 120, 200)
# Games before those that count, as a thousand have them: they make functions and look along lines of sight, the
# random player's along most of all; and games that count. What the first of all take is measured by itself.
GAMES, FIRST = {"random": (100, 20), "greedy": (10, 6)}, 10
QUICKLY = (1, 1)
ALL = 1_000_000  # decisions: no game has as many


@dataclass(slots=True)
class Pace:
    """Games played, what was asked in them and how many options were listed, and the CPU they took."""

    games: int = 0
    decisions: int = 0
    options: int = 0
    seconds: float = 0.0
    units: int = 0
    first: "Pace | None" = None  # The first games of a process.

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


def playing(*, quick: bool) -> Iterator[Finding]:
    """Measure play."""
    for name in SITUATIONS[:2] if quick else SITUATIONS:
        game = afresh(situation(name))
        for player in QUICK_PLAYERS:
            found = pace(game, player, quick=quick)
            yield from paced(f"{name}, {player}", found)
    yield from sized(quick=quick)
    yield from two_processes(40 if quick else 240)


def situation(name: str) -> graph.Graph:
    """Compile a card of the bench, which does not change, or a shipped one."""
    frozen = CARDS / f"{name}.yaml"
    rules = load_scenario(str(frozen) if frozen.is_file() else name, None).graph
    assert rules is not None, name
    return rules


def afresh(rules: graph.Graph) -> Game:
    """Make rules ready to play, with no function generated before."""
    exempt_objects()
    return Game(rules, GeneratedEvaluator(rules))


def paced(name: str, found: Pace) -> Iterator[Finding]:
    """Say how fast games went, and what one takes."""
    yield Finding(SECTION, f"{name}, decisions a second", "/s", found.rate)
    if found.options:
        yield Finding(SECTION, f"{name}, legal options listed a second", "/s", found.options / found.seconds)
    yield Finding(SECTION, f"{name}, games a second", "/s", found.games / found.seconds)


def pace(game: Game, player: str, *, quick: bool) -> Pace:
    """Play games under the clock: first those that warm up, then those that count."""
    found = Pace(first=Pace())
    warm, games = QUICKLY if quick else GAMES[player]
    for number in range(-warm, games):
        playthrough = game.start(f"bench {number}")
        began = time.process_time()
        decisions, options = play(game, playthrough, player, f"bench {number}")
        now = found if number >= 0 else found.first if number < FIRST - warm else None
        if now is None:
            continue
        now.seconds += time.process_time() - began
        now.games += 1
        now.decisions += decisions
        now.options += options
        now.units = len(playthrough.state.sheets)
    return found


def play(game: Game, playthrough: Playthrough, player: str, seed: str, most: int = ALL) -> tuple[int, int]:
    """Play a game, or its beginning; count decisions, and options where they are listed."""
    assert game.graph.scenario is not None
    seats = seat_players(dict.fromkeys(game.graph.scenario.order, PLAYERS[player]), seed)
    if PLAYERS[player] is uniform_option and most == ALL:
        return play_out(game, playthrough, seats).choice_count, 0
    decisions = options = 0
    while decisions < most and isinstance(now := game.advance(playthrough), Decision):
        decisions += 1
        options += len(now.options)
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
    return decisions, options


def sized(*, quick: bool) -> Iterator[Finding]:
    """Play one situation with more and more units."""
    rules = situation(SIZED)
    found: dict[int, Pace] = {}
    for size in SIZES:
        found[size] = pace(afresh(with_units(rules, size)), "random", quick=quick)
        yield Finding(
            SECTION, f"{SIZED} with {found[size].units} units, random, decisions a second", "/s", found[size].rate
        )
    sixty, first = found[SIXTY].rate, found[SIXTY].first
    assert first is not None
    name = f"{SIZED} with 60 units, random, its first {first.games} games, decisions a second"
    yield Finding(SECTION, name, "/s", first.rate)
    yield first_game(with_units(rules, SIXTY))
    yield Finding(
        SECTION, "60 units, random / 20,000 decisions a second", "/s", sixty, WANTED, sixty / WANTED, 1.0, AT_LEAST
    )
    few, many = found[SIZES[0]], found[SIZES[-1]]
    grown, units = few.rate / many.rate, many.units / few.units
    name = f"a decision with {many.units} units / with {few.units}, {units:.1f}x as many"
    yield Finding(SECTION, name, "s", 1 / many.rate, 1 / few.rate, grown, units)
    yield Finding(SECTION, f"{SIZED}, a game under way", "KiB", memory(afresh(rules)))


def first_game(rules: graph.Graph) -> Finding:
    """Play a first game with all its functions generated before, and one that generates them."""
    code = CompiledCode()
    now = beginning(rules, code)
    before = beginning(rules, code.copy())
    name = f"{SIZED} with 60 units, random, a first game, functions generated before / now"
    return Finding(SECTION, name, "s", before, now, before / now)


def beginning(rules: graph.Graph, code: CompiledCode) -> float:
    """Play one game as a process that has just read the rules does; give the seconds of CPU."""
    read = pickle.loads(pickle.dumps(rules))
    began = time.process_time()
    game = Game(read, GeneratedEvaluator(read, code=code))
    play(game, game.start("first"), "random", "first")
    return time.process_time() - began


def with_units(rules: graph.Graph, size: int) -> graph.Graph:
    """Enlarge or shrink every force in proportion; at least one of each counter stays."""
    card = rules.scenario
    assert card is not None
    now = sum(count for force in card.forces for _, count in force.units)
    forces = []
    over = 0.0
    for force in card.forces:
        units = []
        for counter, count in force.units:
            wanted = count * size / now + over
            unit_count = max(1, round(wanted))
            over = wanted - unit_count
            units.append((counter, unit_count))
        forces.append(replace(force, units=tuple(units)))
    changed_rules = replace(rules, scenario=replace(card, forces=tuple(forces)))
    return replace(changed_rules, hash=graph_digest(changed_rules))


def memory(game: Game) -> float:
    """Say what a game under way takes beside the map and the rules, which all games share."""
    play(game, game.start("weighed"), "random", "weighed", 200)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    playthrough = game.start("weighed")
    play(game, playthrough, "random", "weighed", 200)
    playthrough.state.forget_answers()
    memory_used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return memory_used / 1024


def two_processes(games: int) -> Iterator[Finding]:
    """Play the same games on one process and on two: by the clock on the wall, and by what all of them took of CPU.

    On a busy machine only the CPU says something: two processes that take no more of it than one are twice as
    fast wherever two cores are free. What all of them generate they find on the disk, as whoever compares once more.
    """
    rules = situation(SIZED)
    assert rules.scenario is not None
    players = tuple((side, "greedy") for side in rules.scenario.order)
    plan = ExperimentPlan((pickle.dumps(rules),), (players,), "two", counted_games=0, code_of=known_code)
    spent: dict[int, float] = {}
    worked: dict[int, float] = {}
    rows: dict[int, Any] = {}
    with tempfile.TemporaryDirectory() as folder, environment_with(RULEWRIGHT_CACHE=folder):
        with start_processes(2) as pool:
            list(play_range(pool, plan, 0, 4))
        for jobs in (1, 2):
            began, working = time.perf_counter(), cpu_seconds()
            with start_processes(jobs) as pool:
                rows[jobs] = list(play_range(pool, plan, 0, games))
            spent[jobs], worked[jobs] = time.perf_counter() - began, cpu_seconds() - working
    assert rows[1] == rows[2]
    times = spent[1] / spent[2]
    yield Finding(SECTION, f"{games} games, two processes / one", "s", spent[2], spent[1], times, 1.8, AT_LEAST)
    more = worked[2] / worked[1]
    yield Finding(SECTION, f"{games} games, CPU of two processes / of one", "s", worked[2], worked[1], more, 2 / 1.8)


def cpu_seconds() -> float:
    """Say how much CPU this process and those that it has seen end have taken."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
