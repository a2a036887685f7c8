"""Plays the cards of the two games on imported boards: `python -m tests.situations.wake FACTS [TURNS [CARD..]]`.

FACTS is a folder that `rulewright import` reads. One turn of all cards takes a minute or two; the tests play less.
"""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from compiler.report.render.line import diagnostic_line
from rulewright.exchange import import_package
from rulewright.games.scenarios import game_of
from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS

GAMES = ("pl_situation_", "pb_situation_")


def cards(package_set: PackageSet) -> list[str]:
    """Return the names of the cards of the two games."""
    return [name for name in sorted(package_set.library.scenarios) if name.startswith(GAMES)]


def awake(facts: Path, folder: Path) -> PackageSet:
    """Import the boards, and open the packages with them."""
    import_package(facts, folder / "boards")
    return open_packages([folder / "boards"])


def ready_card(package_set: PackageSet, name: str) -> tuple[graph.Graph, graph.Scenario]:
    """Return the rules of a card that waits for no boards, and the card."""
    card = package_set.library.scenarios[name]
    stack = package_set.compiled(card.uses.text, card)
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    assert stack.graph.scenario is not None
    assert stack.graph.scenario.waits_for == ()
    return stack.graph, stack.graph.scenario


def play(package_set: PackageSet, name: str, turns: int, choices: int) -> Playthrough:
    """Play a card with random players, at most this number of turns and choices."""
    rules, scenario = ready_card(package_set, name)
    game = game_of(rules)
    playthrough = game.start("wake")
    seats = seat_players(dict.fromkeys(scenario.order, PLAYERS["random"]), "wake")
    warmed_count = 0
    while (
        isinstance(now := game.advance(playthrough), Decision)
        and playthrough.state.turn <= turns
        and warmed_count < choices
    ):
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
        warmed_count += 1
    return playthrough


def main(facts: str, turns: str = "1", *names: str) -> Iterable[str]:
    """Play cards, and yield a line about each."""
    with tempfile.TemporaryDirectory() as folder:
        package_set = awake(Path(facts), Path(folder))
        for name in names or cards(package_set):
            playthrough = play(package_set, name, int(turns), 1_000_000)
            on_map = sum(hex_ >= 0 for hex_ in playthrough.state.hex)
            count = playthrough.choice_count
            yield f"{name}: turn {playthrough.state.turn}, {count} choices, {on_map} pieces on the map"


if __name__ == "__main__":
    for told in main(*sys.argv[1:]):
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
