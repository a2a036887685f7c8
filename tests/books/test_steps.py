"""The wording of steps and values: conditions that follow each other, choices of numbers, measures in cases."""

from fractions import Fraction
from pathlib import Path

import pytest

from compiler.rulebook.steps import procedure_lines
from compiler.rulebook.table import table_lines
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import untyped_text
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.wording import Wording
from runtime.state.position import State
from tests.analysis.planted import compiled

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
enum pace: slow, fast
record deal {by: side, pay: 0..9, pace: pace, secret: yes_no}
measure MP "movement points"
track cart.spent: 0..9 MP = 0 MP until end of turn
condition rested(c: cart) default yes
rule worn rested fails when c.spent > 0 MP
condition matched(c: cart, d: cart) default no
rule one-of-two matched holds when (c.side = north) != (d.side = north)
measure pips "on the die"
value best_die(c: cart): 0..6 pips
rule lucky best_die is if c.side = north then 6 pips else 0 pips
value way(d: 1..6 pips): 1..6
rule drifts way is if d = 1 pips then 1 else 8 - number(d)
value turn(d: 1..6 pips): 1..6 pips
rule slow turn is clamp(d, 2 pips, 5 pips)
value crowd(c: cart): 0..4
rule herd crowd is clamp(count(d in all cart where d.side = c.side), 0, 4)
side north, south
kind cart
track side.carts: 0..9 = 0
domain load = 1..6
action set_out by player in moving "Set out." {
  choose n from all load
  if n = 1 { set player.carts to 1 } else if n = 2 { set player.carts to 2 } else { set player.carts to 3 }
}
sequence planted { phase moving "Moving" { for each s in {north, south} { offer set_out by s until yes } } }
"""

PLACES = """
side north, south
kind cart
kind house
place barn of house
place roof of house
wording barn "in the barn"
wording roof "on the roof"
status cart: tired marker "T" until end of game
track game.resting: set of side = {}
wording resting "sides at rest"
resolution mark(c: cart) "Mark a cart." { mark c as tired }
action shelter by player in moving "Go inside." {
  choose c from {c in all cart where c.side = player}
  move c to c.hex in barn
  move c to c.hex
  choose d from {d in all cart where d != c}
  move c to d.hex in barn
  set game.resting to {s in game.resting where s != player}
  add player to game.resting
}
action rest by player in moving "Rest." {
  choose c from all cart
  choose d from all cart
  do mark(c)
  do mark(d)
}
sequence planted { phase moving "Moving" { for each s in {north, south} { offer shelter, rest by s until yes } } }
"""


def test_conditions_of_a_chain_stay_at_one_level(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    lines = procedure_lines(book, book.procedures["action:set_out"])
    assert [(line.text, len(line.inside)) for line in lines] == [
        ("Choose a number from 1 to 6.", 0),
        ("If that number is 1:", 1),
        ("Otherwise, if that number is 2:", 1),
        ("Otherwise:", 1),
    ]


def test_an_offer_of_one_action_names_it(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    [moving] = procedure_lines(book, book.procedures["sequence"])
    [each_side] = moving.inside
    [offer] = each_side.inside
    assert offer.text == "Set out, as often as wanted."


def test_equal_runs_of_a_resolution_have_their_arguments(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": PLACES}, tmp_path)
    lines = table_lines(book, book.procedures["action:rest"])
    assert [line.text for line in lines[2:]] == [
        "Carry out “mark” for that cart.", "Carry out “mark” for that other cart.",
    ]  # fmt: skip


@pytest.mark.parametrize("secret", [True, False])
def test_a_record_has_the_phrase_of_a_new_one(tmp_path: Path, secret: bool) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    new = graph.New(
        "deal",
        (
            ("by", graph.Member("side", "north")), ("pay", graph.Num(Fraction(3), "")),
            ("pace", graph.Member("pace", "slow")), ("secret", graph.Truth(secret)),
        ),
    )  # fmt: skip
    state = State(book, Board(graph.Board("nowhere", {}, (), (), {})))
    text = untyped_text(state, Interpreter(book).evaluate(state, new, {}))
    assert (
        text
        == Wording(book).phrase(new)
        == f"a deal by the north side (pay: 3; slow; {'' if secret else 'not '}secret)"
    )
