"""The wording of steps and values: conditions that follow each other, choices of numbers, measures in cases."""

from pathlib import Path

from compiler.rulebook.sentences import rule_sentence
from compiler.rulebook.steps import procedure_lines
from tests.analysis.planted import compiled

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
measure pips "on the die"
value best_die(c: cart): 0..6 pips
rule lucky best_die is if c.side = north then 6 pips else 0 pips
value way(d: 1..6 pips): 1..6
rule drifts way is if d = 1 pips then 1 else 8 - number(d)
value turn(d: 1..6 pips): 1..6 pips
rule slow turn is clamp(d, 2 pips, 5 pips)
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


def test_conditions_of_a_chain_stay_at_one_level(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    lines = procedure_lines(book, book.procedures["action:set_out"])
    assert [(line.text, len(line.inside)) for line in lines] == [
        ("Choose a number from 1 to 6.", 0),
        ("If that number is 1:", 1),
        ("Otherwise, if that number is 2:", 1),
        ("Otherwise:", 1),
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


def test_an_offer_to_a_side_says_that_it_may_do_what_follows(tmp_path: Path) -> None:
    book = compiled({"layer.yaml": LAYER, "a.rules": RULES}, tmp_path)
    [moving] = procedure_lines(book, book.procedures["sequence"])
    [each_side] = moving.inside
    assert [line.text for line in each_side.inside] == ["That side may do any of these, as often as wanted:"]
