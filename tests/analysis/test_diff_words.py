"""Comparisons of stacks with rules on words that the other stack has no rules on, and with facts of scenario cards."""

from dataclasses import replace
from pathlib import Path

import pytest

from runtime.graph import nodes as graph
from runtime.witness.alike_graphs import with_flags_of
from runtime.witness.behavioral_diff import behavioral_diff
from tests.analysis.planted import compiled

BASE = """
measure MP "point"
side north, south
kind cart has speed: 0..12 MP
trait cart: wheeled, tall
feature hex: bog, thicket
feature hexside: hedge, ditch
path track
status cart: dizzy, lame
status hex: smoky
track scenario.frost: yes_no = no
relation tows(tower: cart, towed: cart) one tower
verdict may_go(mover: cart, from: hex, to: hex) default allowed
  reads "{mover} may go to {to}" denied "{mover} may not go to {to}"
rule no-hedges "No hedges." may_go forbidden when between(from, to) is hedge
rule dizzy-stays "The dizzy stay." may_go forbidden when mover is dizzy
rule no-thickets "The tall fear thickets." may_go forbidden when to is thicket and mover is tall
"""

WORDS = {
    "a feature of hexes": ("hex is thicket when hex is bog", "hex.thicket"),
    "a feature that is taken away": ("hex is not thicket when hex is bog", "hex.thicket"),
    "a feature of hexsides": ("hexside is hedge when hexside is ditch", "hexside.hedge"),
    "a status": ("cart is dizzy when cart is lame", "cart.dizzy"),
    "a trait": ("cart is tall when cart is wheeled", "cart.tall"),
    "a relation": ("cart is dizzy when cart has towed", "cart.dizzy"),
    "a status of hexes": ("hex is thicket when hex is smoky", "hex.thicket"),
    "a fact": ("hex is thicket when scenario.frost", "hex.thicket"),
}
CARD = {
    "turns": "game.turn > scenario.turns / 2",
    "order": "count(scenario.order) > 1",
    "the side on move": "game.player = south",
}


def graphs(option: str, folder: Path) -> tuple[graph.Graph, graph.Graph]:
    """Compile a game, and the game with an option."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": BASE,
        "game/option/layer.yaml": "layer: option\ntitle: Option\nkind: optional\non: [game]\ncites: house\n",
        "game/option/option.rules": option,
    }
    return compiled(files, folder, "game"), compiled(files, folder, "game+option")


@pytest.mark.parametrize("case", WORDS)
def test_rules_on_a_word_that_the_other_stack_only_declares_are_a_difference(tmp_path: Path, case: str) -> None:
    law, word = WORDS[case]
    found = behavioral_diff(*graphs(f'rule as-if "It counts as that." {law}', tmp_path))
    (term,) = found.terms
    assert (term.term, term.only) == (word, "")
    assert [group.rules for group in term.groups] == [("as-if",)]


def test_rules_on_a_word_that_only_one_stack_declares_are_its_own(tmp_path: Path) -> None:
    a, b = graphs('feature hex: rim\nrule as-if "It counts as that." hex is rim when hex is bog', tmp_path)
    assert with_flags_of(a, b) is a
    assert [(term.term, term.only) for term in behavioral_diff(a, b).terms] == [("hex.rim", "b")]


@pytest.mark.parametrize("case", CARD)
def test_a_witness_sets_facts_of_a_card_in_its_position(tmp_path: Path, case: str) -> None:
    law = f'rule late "Late." may_go forbidden when {CARD[case]}'
    other = 'rule lame-stays "The lame stay." may_go forbidden when mover is lame'
    found = behavioral_diff(*graphs(f"{law}\n{other}", tmp_path))
    assert {label for group in found.terms[0].groups for label in group.rules} == {"late", "lame-stays"}


def test_a_term_without_its_rule_has_no_answer(tmp_path: Path) -> None:
    price = 'value price(mover: cart): 0..9 MP\nrule flat "One." price is 1 MP'
    _, b = graphs(price, tmp_path)
    dropped = replace(b, rules={label: rule for label, rule in b.rules.items() if label != "flat"}, hash="")
    without_rules = replace(dropped, terms={**b.terms, "price": replace(b.terms["price"], rules=())})
    (term,) = behavioral_diff(b, without_rules).terms
    (group,) = term.groups
    assert (group.rules, group.witness.a, group.witness.b) == (
        ("flat",),
        "1 point",
        "no answer (no rule answers price)",
    )
