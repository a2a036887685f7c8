"""Golden trials of the shipped situations, short enough to be read: one line a choice.

A line has the abbreviated digest of the game at the decision, the index of the option, the number of options, the side,
the question and the option's label. `python3 -m tests tests/trials --reset` records them again.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulewright.games.scenarios import game_of
from rulewright.library.stacks import PackageSet, open_packages
from runtime.play.game import Game
from runtime.play.labels import option_label
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS

FOLDER = Path(__file__).parent / "shipped"
# Covers the set-up and a first exchange; tests/shipped plays whole games.
CHOICES = 160
DIGITS = 10
SEED = "golden"


@cache
def package_set() -> PackageSet:
    """Open the shipped packages."""
    return open_packages()


@cache
def situations() -> tuple[str, ...]:
    """Return the situations that need no boards of other packages."""
    cards = package_set().library.scenarios
    return tuple(name for name in sorted(cards) if (card := cards.get(name)) and not package_set().missing_boards(card))


@cache
def game(name: str) -> Game:
    """Prepare a situation for play."""
    card = package_set().library.scenarios[name]
    rules = package_set().compiled(card.uses.text, card).graph
    assert rules is not None
    return game_of(rules)


def recorded(name: str) -> Iterator[str]:
    """Play greedily, and yield a line for every choice."""
    here = game(name)
    playthrough = here.start(SEED)
    yield f"{name} under {here.graph.stack}, seed {SEED}, greedy"
    seats = seat_players(
        dict.fromkeys(here.graph.scenario.order if here.graph.scenario else (), PLAYERS["greedy"]), SEED
    )
    while isinstance(now := here.advance(playthrough), Decision) and playthrough.choice_count < CHOICES:
        index = choose_option(here, playthrough, now, seats)
        yield line(
            playthrough.digest(),
            now,
            index,
            option_label(playthrough.state, here.programs.entries, now, now.options[index]),
        )
        here.apply(playthrough, now, index)
    yield f"{playthrough.choice_count} choices, {len(playthrough.dice)} dice, {playthrough.digest()[:DIGITS]}"


def replayed(name: str, lines: list[str]) -> Iterator[str]:
    """Apply the choices of a trial again, and yield the resulting lines."""
    here = game(name)
    playthrough = here.start(SEED)
    yield f"{name} under {here.graph.stack}, seed {SEED}, greedy"
    for written in lines[1:-1]:
        now = here.advance(playthrough)
        if not isinstance(now, Decision):
            yield "the game is over"
            return
        index = int(written.split()[1].partition("/")[0])
        if index >= len(now.options):
            yield f"{playthrough.digest()[:DIGITS]} -/{len(now.options)} {now.side} {now.question}"
            return
        yield line(
            playthrough.digest(),
            now,
            index,
            option_label(playthrough.state, here.programs.entries, now, now.options[index]),
        )
        here.apply(playthrough, now, index)
    here.advance(playthrough)
    yield f"{playthrough.choice_count} choices, {len(playthrough.dice)} dice, {playthrough.digest()[:DIGITS]}"


def line(digest: str, now: Decision, index: int, message: str) -> str:
    """Return the line of a choice."""
    return f"{digest[:DIGITS]} {index}/{len(now.options)} {now.side} {now.question.replace(', ', '|')}: {message}"
