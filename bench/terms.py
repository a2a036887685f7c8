"""Real questions of Panzer Leader, asked in positions of real games, against the same written by hand.

Generated code forgets between rounds what it remembers of a position; what it remembers of a map it
keeps, and so does the code by hand.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from bench.finding import Finding, best
from bench.leader_by_hand import Leader
from bench.playing import situation
from rulewright.games.scenarios import game_of
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.support import MemoizedChart
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state.position import State
from runtime.state.record import Record

SECTION = "real terms"
SITUATION = "old_millbrook"
EVERY, POSITIONS, QUESTIONS = 40, 12, 600
MICRO = 1e6

Question = tuple[Any, ...]
Asked = list[tuple[State, list[Question]]]


def terms(*, quick: bool) -> Iterator[Finding]:
    """Measure single terms."""
    compiled = GeneratedEvaluator(situation(SITUATION))
    for name, written, arguments in subjects(compiled, 3 if quick else POSITIONS, QUESTIONS):
        yield from compared(compiled, name, written, arguments)


def subjects(compiled: GeneratedEvaluator, count: int, most: int) -> Iterator[tuple[str, Callable[..., Any], Asked]]:
    """List the terms, the same by hand, and at most so many questions in each of so many positions."""
    rules = compiled.graph
    leader = Leader({name: MemoizedChart(rules.tables[name]) for name in ("tec", "weapons")})
    states = positions(rules, count)
    for name, written, questions in (
        ("entry_cost", leader.entry_cost, steps),
        ("may_enter", leader.may_enter, steps),
        ("spotted", leader.spotted, sightings),
        ("can_see", leader.can_see, looks),
        ("strength", leader.strength, shots),
        ("column", leader.odds, volleys),
    ):
        yield name, written, [(state, list(islice(questions(state), most))) for state in states]


def agreed(compiled: GeneratedEvaluator, name: str, written: Callable[..., Any], asked_question: Asked) -> int:
    """Compare every answer of a term with the hand-written one; count them."""
    value, why, more = compiled.values[name], compiled.terms[name], beside(name)
    count = 0
    for state, questions in asked_question:
        for question in questions:
            count += 1
            expected = written(state, *question)
            assert value(state, *question, *more) == expected, (name, question, expected)
            assert why(state, *question, *more)[0] == expected, (name, question, expected)
    return count


def beside(name: str) -> tuple[str, ...]:
    """Give what a term is asked with that the code by hand takes for granted."""
    return ("chosen",) if name == "column" else ()


def compared(
    compiled: GeneratedEvaluator, name: str, written: Callable[..., Any], asked_question: Asked
) -> Iterator[Finding]:
    """Check all answers, then time the term both ways: with its value alone, and with its decision id."""
    count, more = agreed(compiled, name, written, asked_question), beside(name)
    value, why = compiled.values[name], compiled.terms[name]
    floor, plain, masked = best(
        partial(run, asked_question, written, ()),
        partial(run, asked_question, value, more),
        partial(run, asked_question, why, more),
        rounds=9,
    )
    floor, plain, masked = (spent / count * MICRO for spent in (floor, plain, masked))
    yield Finding(SECTION, f"{name} / by hand", "us", plain, floor, plain / floor, 1.5)
    yield Finding(SECTION, f"{name} with its decision id / by hand", "us", masked, floor, masked / floor, 3.0)


def run(asked_question: Asked, answer: Callable[..., Any], more: tuple[str, ...]) -> None:
    """Ask everything once, remembering nothing of a position from before."""
    for state, questions in asked_question:
        state.forget_answers()
        for question in questions:
            answer(state, *question, *more)


def positions(rules: Any, count: int) -> list[State]:
    """Take positions out of games, some way apart."""
    game = game_of(rules)
    found: list[State] = []
    number = 0
    while len(found) < count:
        playthrough = game.start(f"positions {number}")
        seats = seat_players(dict.fromkeys(rules.scenario.order, PLAYERS["greedy"]), f"positions {number}")
        while isinstance(now := game.advance(playthrough), Decision) and len(found) < count:
            if playthrough.choice_count % EVERY == EVERY - 1 and playthrough.state.turn > 1:
                found.append(playthrough.state.copy())
            game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
        number += 1
    return found


# Questions, in every position the same kinds.


def steps(s: State) -> Iterator[Question]:
    """Every unit into every hex next to it."""
    for mover in s.in_play(("unit",)):
        here = s.hex[mover]
        for to in s.board.around[here]:
            for rate, intent in (("terrain", "march"), ("road", "march"), ("terrain", "overrun")):
                yield mover, here, to, rate, intent


def sightings(s: State) -> Iterator[Question]:
    """Every unit by every side."""
    for unit in s.in_play(("unit",)):
        for side in set(s.side):
            if side != s.side[unit]:
                yield unit, side


def looks(s: State) -> Iterator[Question]:
    """Every unit at every third hex."""
    for watcher in s.in_play(("unit",)):
        for h in range(watcher % 3, s.board.size, 3):
            yield watcher, h


def shots(s: State) -> Iterator[Question]:
    """Every unit at every enemy in reach."""
    for firer, target in pairs(s):
        yield firer, shot(s, (firer,), target)


def volleys(s: State) -> Iterator[Question]:
    """Everybody in reach of an enemy at once."""
    targets: dict[int, list[int]] = {}
    for firer, target in pairs(s):
        targets.setdefault(target, []).append(firer)
    for target, firers in targets.items():
        yield (shot(s, tuple(firers), target),)


def pairs(s: State) -> Iterator[tuple[int, int]]:
    """Who could reach whom."""
    for firer in s.in_play(("unit",)):
        for target in s.in_play(("unit",)):
            far = s.board.distance(s.hex[firer], s.hex[target])
            if s.side[firer] != s.side[target] and far <= s.printed[firer]["range"]:
                yield firer, target


def shot(s: State, firers: tuple[int, ...], target: int) -> Record:
    """Direct fire at one unit."""
    fields = {"form": "direct", "by": s.side[firers[0]], "hex": s.hex[target], "firers": firers, "targets": (target,)}
    return s.new_record("attack", fields)
