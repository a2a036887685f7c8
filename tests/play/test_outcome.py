"""The winner is the side with the greater answer; of a side that plays alone, whether its answer is above zero."""

from pathlib import Path

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.experiment.game_outcome import outcome_of
from runtime.experiment.tally import ArmTally
from runtime.play.game import FinishedGame, Game
from runtime.state.setup import from_position
from tests.analysis.planted import compiled

RULES = """
side keeper SIDES
kind host
track game.level: -9..9 = LEVEL
outcome holds_out
define holds_out(of: side): -9..9 = if of = keeper then game.level else 0
action wait by player in watch "Wait." { choose h from all host }
sequence siege { each turn in 1..1 { each player in {keeper} { phase watch "Watch" { offer wait until yes } } } }
example "a host" { row A piece H: host at A ask count(all host) = 1 }
"""
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


@pytest.mark.parametrize(
    ("others", "level", "winner"),
    [("", 2, "keeper"), ("", 0, ""), ("", -1, ""), (", foe", 2, "keeper"), (", foe", 0, ""), (", foe", -1, "foe")],
)
def test_the_winner_by_level(others: str, level: int, winner: str, tmp_path: Path) -> None:
    """A game that a side loses alone is no draw, and is not counted as a draw."""
    text = RULES.replace(" SIDES", others).replace("LEVEL", str(level))
    rules = compiled({"layer.yaml": LAYER, "r.rules": text}, tmp_path)
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start(1, from_position(rules, rules.examples[0].position))
    end = game.advance(playthrough)
    if not isinstance(end, FinishedGame):
        game.apply(playthrough, end, -1)
        end = game.advance(playthrough)
    assert isinstance(end, FinishedGame)
    count = ArmTally()
    count.add(outcome_of(playthrough.state, end, "1"))
    assert count.draws == (bool(others) and not winner)
    assert count.won == {winner: 1}
    assert (end.winner, end.level) == (winner, (max(level, 0) if others else level) if winner else None)
