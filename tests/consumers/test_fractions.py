"""The analysis of fractions follows numbers through every operator and every kind of flow."""

from pathlib import Path

import pytest

from compiler.analysis.fractions import FRACTION_PRESERVING, Fractions
from runtime.graph.operators import OPERATORS
from tests.analysis.planted import compiled

# Operators with a case of their own, and operators that give collections, whose members are not followed.
OWN = {"/", "payload"}
COLLECTIONS = {"union", "flat", "without", "span", "reserve"}
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
RULES = """
side north
kind cart
relation tows(front: cart, rear: cart) keeps since: 0..9
track cart.load: 0..9 = 0
track game.all: 0..9 = 0
record bundle { carried: 0..9 }
define half(n: 0..9): number = n / 2
define twice(n: 0..9): number = n + n
resolution heard(n: number) { let it = n  set game.all to it }
resolution asked(c: cart) { WAY }
event rung(n: number)
after rung(n) { set game.all to n }
action go by player in moving "Go." { choose c from all cart do asked(c) }
sequence game { each turn in 1..1 { each player in {north} { phase moving "Moving" { offer go } } } }
example "a cart" { row A piece C: cart of north at A ask twice(2) = 4 }
"""


def test_each_operator_passes_fractions_or_is_exempt() -> None:
    numeric = {name for name, each in OPERATORS.items() if callable(each.result)}
    assert {name for name in numeric if OPERATORS[name].whole != "always"} == FRACTION_PRESERVING | OWN | COLLECTIONS


@pytest.mark.parametrize(
    ("construct", "slot"),
    [
        ("set game.all to c.load / 2", ("track", "game", "all")),
        ("set c.load to c.load / 2", ("note", "cart", "load")),
        ("let it = c.load / 2 set game.all to it", ("track", "game", "all")),
        ("do heard(c.load / 2)", ("track", "game", "all")),
        ("tell rung(c.load / 2)", ("track", "game", "all")),
        ("relate tows(c, c, c.load / 2)", ("payload", "tows")),
        ("set game.all to half(c.load)", ("track", "game", "all")),
        ("write it = bundle(carried: c.load / 2) set game.all to it.carried", ("track", "game", "all")),
        ("set game.all to sum(d.load / 2 for d in all cart)", ("track", "game", "all")),
        ("if c.load > 1 { set game.all to max(1, c.load / 2) }", ("track", "game", "all")),
    ],
)
def test_each_flow_of_a_number_is_followed(construct: str, slot: tuple[str, ...], tmp_path: Path) -> None:
    found = Fractions(compiled({"layer.yaml": LAYER, "r.rules": text(construct)}, tmp_path)).slots
    assert slot[1:] in {each[1:] for each in found}
    whole = Fractions(
        compiled({"layer.yaml": LAYER, "r.rules": text(construct.replace(" / 2", " + 1"), half="n + 1")}, tmp_path)
    )
    assert not whole.slots


def text(construct: str, half: str = "n / 2") -> str:
    return RULES.replace("WAY", construct).replace("number = n / 2", f"number = {half}")
