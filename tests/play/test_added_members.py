"""What a step adds to a collection in a record is read back by generated code as by the interpreter."""

from pathlib import Path

from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.play.game import Game
from runtime.state.setup import from_position
from tests.analysis.planted import compiled

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart
record log {cart: cart, seen: set of hex}
define hexes_seen(c: cart): 0..9 [house] = sum(count(l.seen) for l in all log where l.cart = c)
  reads "the hexes that {c} has seen"
action look by player in moving "Look." {
  choose c from {c in all cart where c.side = player}
  write l = log(cart: c, seen: {})
  add c.hex to l.seen
}
sequence game { each turn in 1..2 { each player in {north, south} { phase moving "Moving" { offer look } } } }
example "nothing seen" {
  row A
  piece R: cart of north at A
  ask hexes_seen(R) = 0
}
"""


def test_a_member_added_to_a_field_is_read_back(tmp_path: Path) -> None:
    rules = compiled({"layer.yaml": LAYER, "rules.rules": RULES}, tmp_path)
    evaluator = GeneratedEvaluator(rules)
    game = Game(rules, evaluator)
    playthrough = game.start("1", from_position(rules, rules.examples[0].position))
    while not playthrough.state.records["log"]:
        decision = game.run(playthrough)
        assert decision is not None
        game.take(playthrough, decision.options[0])
    game.run(playthrough)
    answers = [each.ask(playthrough.state, "hexes_seen", (0,)).value for each in (evaluator, Interpreter(rules))]
    assert answers[0] == answers[1] > 0
