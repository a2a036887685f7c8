"""A step that reads the hex of a piece that is off the map stops the game in every engine, unless a test guards it."""

import pytest

from runtime.answer.evaluator import Evaluator
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.engine.trap import TrapError
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import AbsentError
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.state.setup import from_position
from tests.analysis.planted import compiled
from tests.core.playing import engines, side_by_side
from tests.sample import sampled

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north, south
kind cart
track game.seen: 0..9 = 0
verdict may_rest(c: cart, h: hex) default allowed reads "{{c}} may rest in {{h}}" denied "{{c}} may not rest in {{h}}"
rule rest-by-itself [house] "A cart rests by itself."
  may_rest forbidden when count(d in cart at h) > 1
define is_shore(c: cart): yes_no [house] = some(n in neighbors(c.hex) where may_rest(c, n))
  reads "{{c}} is at the shore"
resolution shell(c: cart) {{ {removal} }}
action march by player in moving [house] "March." {{
  choose c from all cart
  do shell(c)
  {step}
}}
action wait by player in moving [house] "Wait." {{ set game.seen to 2 }}
sequence game {{
  phase moving "Moving" {{ offer march by north until yes }}
}}
example "a cart" {{
  row A, B
  piece P, Q: cart of north at A
  ask count(all cart) = 2
}}
"""
STEPS = {
    "a condition": "if adjacent(c.hex, c.hex) { set game.seen to 1 }",
    "an argument": "if may_rest(c, c.hex) { set game.seen to 1 }",
    "a term that reads it": "if is_shore(c) { set game.seen to 1 }",
    "the end of an offer": "offer wait by player until may_rest(c, c.hex)",
}
GUARDED = {
    "a condition": "if c is gone|off or may_rest(c, c.hex) { set game.seen to 1 }",
    "the end of an offer": "offer wait by player until c is gone|off or may_rest(c, c.hex)",
}


def rules_of(folder: pytest.TempPathFactory, step: str, removal: str) -> graph.Graph:
    text = RULES.format(step=step, removal=removal)
    return compiled({"layer.yaml": LAYER, "r.rules": text}, folder.mktemp("planted"))


def end_of(game: Game, rules: graph.Graph) -> FinishedGame:
    """March with the first cart, then take the last option at each decision."""
    playthrough = game.start("1", from_position(rules, rules.examples[0].position))
    now = game.advance(playthrough)
    while isinstance(now, Decision):
        game.apply(playthrough, now, 0 if playthrough.choice_count < 2 else len(now.options) - 1)
        now = game.advance(playthrough)
    return now


@pytest.mark.parametrize("removal", ["remove c", "move c off"])
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_the_hex_of_a_removed_piece_is_read(tmp_path_factory: pytest.TempPathFactory, step: str, removal: str) -> None:
    rules = rules_of(tmp_path_factory, step, removal)
    evaluators: list[Evaluator] = [Interpreter(rules), GeneratedEvaluator(rules)]
    for evaluator in evaluators:
        with pytest.raises(AbsentError) as stopped:
            end_of(Game(rules, evaluator), rules)
        assert stopped.value.without_hex() == "the `hex` of `P` is read, which is off the map or out of the game"
    native = engines(rules, 2, 2).native(from_position(rules, rules.examples[0].position))
    native.start("1")
    for _ in range(2):  # March with the first cart.
        assert native.run()
        native.choose(0)
    with pytest.raises(TrapError) as trapped:
        native.run()
    assert trapped.value.reason == "absent"


@sampled(1)
@pytest.mark.parametrize("step", GUARDED.values(), ids=GUARDED)
def test_a_guarded_read_is_none(tmp_path_factory: pytest.TempPathFactory, step: str) -> None:
    rules = rules_of(tmp_path_factory, step, "remove c")
    for evaluator in (Interpreter(rules), GeneratedEvaluator(rules)):
        end_of(Game(rules, evaluator), rules)
    for seed in ("1", "2"):
        assert side_by_side(engines(rules, 2, 2), from_position(rules, rules.examples[0].position), seed, 20)[1] == ""
