"""The wording of steps and values: conditions that follow each other, choices of numbers, measures in cases."""

from fractions import Fraction
from pathlib import Path

import pytest

from compiler.rulebook.sentences import rule_sentence, wording_of
from compiler.rulebook.steps import ProcedureLine, procedure_lines
from compiler.rulebook.table import table_lines
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import untyped_text
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.wording import Wording
from runtime.state.position import State
from tests.analysis.planted import compiled
from tests.books.site import write_book

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


NOTES = """
side north, south
track game.day: 0..999 = 0
track game.ahead: set of side = {}
wording ahead "sides in front"
track side.carts: 0..6 = 0
action note by player in moving "Note." {
  set game.day to min(999, game.day + 1)
  set game.day to clamp(game.turn, 0, 999)
  set player.carts to min(6, player.carts + 1)
  set game.ahead to {player}
}
sequence planted { phase moving "Moving" { for each s in {north, south} { offer note by s until yes } } }
"""


def test_a_bound_that_only_the_computer_needs_is_left_out(tmp_path: Path) -> None:
    """A side does not become another; a limit that play can reach is stated."""
    book = compiled({"layer.yaml": LAYER, "a.rules": NOTES}, tmp_path)
    assert [line.text for line in procedure_lines(book, book.procedures["action:note"])] == [
        "The day goes up by 1.",
        "The day becomes the turn.",
        "The carts of the player go up by 1 (at most 6).",
        "The sides in front are now the player.",
    ]


def test_a_phase_is_not_called_a_phase_twice(tmp_path: Path) -> None:
    rules = NOTES.replace("in moving", "in moving_phase").replace("phase moving", "phase moving_phase")
    book = compiled({"layer.yaml": LAYER, "a.rules": rules}, tmp_path)
    assert "In the moving phase." in write_book(book)["play.html"].decode()


def test_conditions_of_a_chain_stay_at_one_level(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    lines = procedure_lines(book, book.procedures["action:set_out"])
    assert [(line.text, len(line.inside)) for line in lines] == [
        ("Choose a number from 1 to 6.", 0),
        ("If that number is 1:", 1),
        ("Otherwise, if that number is 2:", 1),
        ("Otherwise:", 1),
    ]


STEERING = """
side north, south
measure knots
kind cart
domain wheel = -1..1
track cart.speed: 0..6 knots = 0 knots
action steer by player in moving "Steer." {
  choose c from all cart
  choose to from {1 knots, 2 knots}
  choose by from all wheel
  let over = by + 1
  draw via from all side
  if over = 2 and via = north { set c.speed to to }
}
sequence planted { phase moving "Moving" { for each s in {north, south} { offer steer by s until yes } } }
"""


def test_a_preposition_is_called_by_its_type_where_a_step_binds_it(tmp_path: Path) -> None:
    """A name like `to` is "the hex" only if it is one."""
    book = compiled({"layer.yaml": LAYER, "a.rules": STEERING}, tmp_path)
    assert [line.text for line in procedure_lines(book, book.procedures["action:steer"])][1:] == [
        "Choose the number from 1 knot and 2 knots.",
        "Choose the number from numbers from -1 to 1.",
        "Let the number be the number plus 1.",
        "Draw the side at random from sides.",
        "If the number is 2 and the side is north:",
    ]


def test_a_measure_is_not_repeated_in_the_cases_of_a_value(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    sentence = rule_sentence(book, book.rules["lucky"])
    assert sentence == "The best die of the cart is 6 if the cart's side is north, otherwise 0."


def test_a_number_on_a_die_is_named_once_beside_its_bounds(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    assert [rule_sentence(book, book.rules[label]) for label in ("drifts", "slow")] == [
        "The way of the number on the die is 1 if the number on the die is 1, otherwise 8 minus the number on the die.",
        "The turn of the number on the die is the number on the die (at least 2, at most 5).",
    ]


def test_a_count_has_no_lower_bound(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    sentence = rule_sentence(book, book.rules["herd"])
    assert sentence == "The crowd of the cart is the number of carts of the cart's side (at most 4)."


def test_an_offer_to_a_side_says_that_it_may_do_what_follows(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    [moving] = procedure_lines(book, book.procedures["sequence"])
    [each_side] = moving.inside
    [offer] = each_side.inside
    assert offer.text == "That side may do any of these, as often as wanted:"


@pytest.mark.parametrize(
    ("of_several", "of_one"),
    [
        ("That side may do any of these, as often as wanted:", "That side may do this as often as wanted:"),
        ("Any of these, as often as wanted:", "As often as wanted:"),
        ("These as often as wanted, at least as required:", "As often as wanted, at least as required:"),
        ("If any of these hexes is free:", "If any of these hexes is free:"),
    ],
)
def test_an_offer_of_one_action_is_not_worded_as_one_of_several(of_several: str, of_one: str) -> None:
    assert ProcedureLine(of_several, "", (), ("action:drive",), ()).printed_text == of_one
    assert ProcedureLine(of_several, "", (), ("action:drive", "action:walk"), ()).printed_text == of_several


def test_a_piece_that_stays_in_its_hex_changes_its_place(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": PLACES}, tmp_path)
    lines = procedure_lines(book, book.procedures["action:shelter"])
    assert [line.text for line in lines] == [
        "Choose a cart of the player.",
        "That cart is now in the barn.",
        "That cart is no longer in the barn or on the roof.",
        "Choose a cart other than that cart.",
        "That cart moves to that other cart's hex, in the barn.",
        "The player is no longer among the sides at rest.",
        "Add the player to the sides at rest.",
    ]


def test_equal_runs_of_a_resolution_have_their_arguments(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": PLACES}, tmp_path)
    lines = table_lines(book, book.procedures["action:rest"])
    assert [line.text for line in lines[2:]] == [
        "Carry out “mark” for that cart.", "Carry out “mark” for that other cart.",
    ]  # fmt: skip


def test_an_amount_above_zero_is_some(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    guard = book.rules["worn"].guard
    assert guard
    wording = wording_of(book, book.terms["rested"].parameters)
    assert wording.clause(guard) == "the cart has spent movement points"
    assert wording.opposite_clause(guard) == "the cart has spent no movement points"


def test_two_conditions_that_are_compared_are_listed(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    rule = book.rules["one-of-two"]
    assert rule.guard
    compared = "the first cart's side is north; the second cart's side is north"
    wording = wording_of(book, book.terms["matched"].parameters)
    assert wording.clause(rule.guard) == f"only one of these holds: {compared}"
    assert wording.opposite_clause(rule.guard) == f"either both of these hold or neither: {compared}"


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
