"""A second declaration of a name is reported once; uses of the first declaration cause no other findings."""

from pathlib import Path

import pytest

from compiler.compile import problems_of_stack
from compiler.report.diagnose import diagnose
from tests.analysis.planted import library_of

BASE = """
measure pips
side north, south
kind cart has speed: 0..9
domain die = 1..6 pips
enum mood: calm, wild
scale odds: '1-1' = 0, '2-1' = 1
record order {by: side, target: hex}
task works(by: side, site: hex) counts stood: 0..9 each end of own_turn { lost when this.site is bog }
feature hex: bog
status cart: tired
track cart.spent: 0..9 = 0
relation pulls(puller: cart, pulled: cart)
event rolled(mover: cart, to: hex)
value pace(c: cart): 0..9 reads "the pace of {c}"
rule printed-pace [house] "A cart has its pace." pace is c.speed
rule bogged-pace [house] "In a bog it is slow."
  pace is 1
  exception to printed-pace
  when c.hex is bog and some(o in all order where o.target = c.hex) and c.spent < 9 and not c is tired
"""
TWICE = {
    "kind": "kind cart has weight: 0..3",
    "enum": "enum mood: sad",
    "domain": "domain die = 1..4",
    "scale": "scale odds: '9-1' = 3",
    "record": "record order {size: 0..3}",
    "task": "task works(size: 0..3) counts hours: 0..9 each end of own_turn { lost when this.size > 2 }",
    "track": "track cart.spent: yes_no = no",
    "status": "status cart: tired until end of turn",
    "relation": "relation pulls(one: cart, other: cart)",
    "event": "event rolled(mover: cart)",
    "value": 'value pace(c: cart, h: hex): 0..9 reads "the pace of {c} in {h}"',
}


@pytest.mark.parametrize("what", TWICE)
def test_a_second_declaration_is_one_finding(what: str, tmp_path: Path) -> None:
    library = library_of(
        {
            "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\nplayable: yes\ncites: house\n",
            "game/words.rules": BASE,
            "more/layer.yaml": "layer: more\ntitle: More\nkind: optional\non: [game]\ncites: house\n",
            "more/words.rules": TWICE[what] + "\n",
        },
        tmp_path,
    )
    assert not diagnose(problems_of_stack(library, "game"), library.texts)
    found = diagnose(problems_of_stack(library, "game+more"), library.texts)
    assert [each.code for each in found] == ["R0205"], [each.message for each in found]
