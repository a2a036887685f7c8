"""The machine plays like the reference: options in order, positions, dice and journals, at each decision."""

from pathlib import Path

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.state.setup import from_card, from_position
from tests.analysis.planted import compiled as planted
from tests.constructs.test_constructs import rules as constructs
from tests.play.side_by_side import side_by_side
from tests.play.test_obligations import KEPT, SEARCHED
from tests.play.test_obligations import rules as obliging
from tests.sample import LONG, sampled
from tests.soak.stacks import compiled, package_set, wanted
from tests.toys.hares import hares

PACKAGES = package_set()
# The other cards are incomplete without their boards.
CARDS = [name for name in sorted(PACKAGES.library.scenarios) if "_situation_" not in name]
# Cards that the reference, with the interpreter, plays to their end within a second.
SHORT = ("before_the_tide", "before_winter")


def rules_of(card: str, stack: str) -> graph.Graph:
    """Compile a card under a stack."""
    return compiled(PACKAGES, PACKAGES.library.scenarios[card], stack)


def test_every_kind_of_step_of_the_hares() -> None:
    game = Game(found := hares(), GeneratedEvaluator(found))
    reports = [side_by_side(game, from_card(found), seed, 200) for seed in ("0", "1", "action/0", "action/1")]
    assert [differences for _, differences in reports] == [[]] * 4
    assert all(decisions > 5 for decisions, _ in reports)


@sampled(0)
def test_every_construct() -> None:
    """The game is played on from the position of each example; a graph without a sequence has no decisions."""
    found = constructs()
    game = Game(found, GeneratedEvaluator(found))
    reports = [
        (example.title, *side_by_side(game, from_position(found, example.position), f"{dice}{example.title}", 12))
        for example in found.examples
        for dice in ("", "action/")
    ]
    assert [each for each in reports if each[2]] == []
    assert sum(decisions for _, decisions, __ in reports) > 200


@sampled(1)
@pytest.mark.parametrize(
    ("ends", "position"), [(SEARCHED, "one each"), (KEPT, "one each"), (KEPT, "one each, and two apart")]
)
def test_obligations(ends: str, position: str, tmp_path: Path) -> None:
    game = Game(found := obliging(tmp_path, ends), GeneratedEvaluator(found))
    (example,) = (each for each in found.examples if each.title == position)
    decisions, differences = side_by_side(game, from_position(found, example.position), "1", 6)
    assert differences == []
    assert decisions > 3


TOLD = """
side north, south
kind cart
status cart: seen, waved, nodded
event moved(c: cart)
event hailed(c: cart)
action step by player in moving "Step." {
  choose c from {c in all cart where c.side = player and c is not seen}
  mark c as seen
  tell moved(c)
}
after moved(c) as calls { tell hailed(c) }
action wave(c: cart) "Wave." { legal c is not waved  mark c as waved }
action nod(c: cart) "Nod." { legal c is not nodded  mark c as nodded }
after moved(c) as waves, after calls { offer wave(c) }
after hailed(c) as nods { offer nod(c) }
sequence game { each turn in 1..2 { each player in {north, south} { phase moving "Moving" { offer step } } } }
example "two" {
  row A, B
  piece N: cart of north at A
  piece S: cart of south at B
  act step(c: N) by north
}
"""


def test_an_event_before_the_first_step_of_a_reaction_opens_reactions(tmp_path: Path) -> None:
    """A reaction that waits for another hook has not begun, so it does not prevent reactions to a further event."""
    manifest = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    found = planted({"layer.yaml": manifest, "r.rules": TOLD}, tmp_path)
    game = Game(found, GeneratedEvaluator(found))
    (example,) = found.examples
    reports = [side_by_side(game, from_position(found, example.position), str(seed), 20) for seed in range(4)]
    assert [differences for _, differences in reports] == [[]] * 4
    playthrough = game.start("1", from_position(found, example.position))
    questions = []
    while isinstance(now := game.advance(playthrough), Decision):
        questions.append(now.question)
        game.apply(playthrough, now, 0)
    assert questions[:3] == ["offer step", "offer nod", "offer wave"]


@pytest.mark.parametrize("seed", ["1", "action/1"])
@pytest.mark.parametrize("card", SHORT)
def test_a_situation_with_the_interpreter(card: str, seed: str) -> None:
    rules = rules_of(card, PACKAGES.library.scenarios[card].uses.text)
    decisions, differences = side_by_side(Game(rules, GeneratedEvaluator(rules)), from_card(rules), seed, 100)
    assert differences == []
    assert decisions > 20


@pytest.mark.parametrize(
    ("card", "stack"),
    [
        pytest.param(card, stack, marks=() if (card, number) == ("hazel_ford", 0) else LONG)
        for card in CARDS
        for number, stack in enumerate(wanted(PACKAGES, PACKAGES.library.scenarios[card]))
    ],
)
def test_a_situation_with_generated_code(card: str, stack: str) -> None:
    """Both sides use generated code: other tests compare the evaluators, and the interpreter is too slow here."""
    rules = rules_of(card, stack)
    decisions, differences = side_by_side(
        Game(rules, GeneratedEvaluator(rules)), from_card(rules), "1", 120, GeneratedEvaluator(rules)
    )
    assert differences == []
    assert decisions > 20
