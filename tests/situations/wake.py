"""Wake the cards of the two games on imported boards: `python -m tests.situations.wake FACTS [TURNS [CARD..]]`.

FACTS is a folder that `rulewright import` reads. A minute or two for one turn of all; the tests play less.
"""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from compiler.report.render.line import line
from rulewright.games import game_of
from rulewright.importing import bring_in
from rulewright.library.stacks import PackageSet, open_shelves
from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.players.named import PLAYERS
from runtime.players.player import answer, seat

GAMES = ("pl_situation_", "pb_situation_")


def cards(shelves: PackageSet) -> list[str]:
    """List the cards of the two games."""
    return [name for name in sorted(shelves.library.scenarios) if name.startswith(GAMES)]


def awake(facts: Path, folder: Path) -> PackageSet:
    """Import the boards, and open the shelves with them."""
    bring_in(facts, folder / "boards")
    return open_shelves([folder / "boards"])


def play(shelves: PackageSet, name: str, turns: int, choices: int) -> Course:
    """Set a card up and play it with random players, so many turns or choices."""
    card = shelves.library.scenarios[name]
    stack = shelves.compiled(card.uses.text, card)
    assert stack.graph is not None, [line(each) for each in stack.diagnostics]
    assert stack.graph.scenario is not None
    assert stack.graph.scenario.waits_for == ()
    game = game_of(stack.graph)
    course = game.start("wake")
    seats = seat(dict.fromkeys(stack.graph.scenario.order, PLAYERS["random"]), "wake")
    made = 0
    while isinstance(now := game.advance(course), Decision) and course.state.turn <= turns and made < choices:
        game.apply(course, now, answer(game, course, now, seats))
        made += 1
    return course


def main(facts: str, turns: str = "1", *names: str) -> Iterable[str]:
    """Play and tell."""
    with tempfile.TemporaryDirectory() as folder:
        shelves = awake(Path(facts), Path(folder))
        for name in names or cards(shelves):
            course = play(shelves, name, int(turns), 1_000_000)
            on_map = sum(hex_ >= 0 for hex_ in course.state.hex)
            yield f"{name}: turn {course.state.turn}, {course.choices} choices, {on_map} pieces on the map"


if __name__ == "__main__":
    for told in main(*sys.argv[1:]):
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
