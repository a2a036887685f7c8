"""An amended procedure keeps its account, which is reported only where its steps are executed."""

from pathlib import Path

import pytest

from compiler.report.diagnose import sentence_of
from runtime.examples.run import run_row
from tests.constructs.test_replaced_procedures import compiled

DUEL = """
side north, south
kind cart has room: 0..9
trait cart: steady
track cart.spent: 0..9 = 0
domain die = 1..6
resolution duel(c: cart) "A die." {
  roll d: die
  let lost = {x in {c} where d > 3}
  for each x in lost { remove x }
}
account {
  before c
  after d, lost
  tells "{c} fights, die {d}"
  results "{the lost} {lost: is, are} lost" when count(lost) > 0
  results "nothing happens" when count(lost) = 0
}
resolution tire(c: cart) "It gets tired." { set c.spent to min(9, c.spent + 1) }
account { before c tells "{c} is tired" }
resolution rest(c: cart) "A die." { roll d: die  set c.spent to 0 }
account { before c after d tells "{c} rests, die {d}" }
action fight by player "Fight." { choose c from all cart  do duel(c) }
account { before c after c_spent = c.spent tells "{c} has fought, and has {c_spent}" }
sequence game { each turn in 1..3 { each player in {north, south} { phase on "On" { offer fight until yes } } } }
"""
CARTS = """
example "what is told" {
  row A
  piece S: cart of north at A (steady, room 3)
  piece G: cart of south at A (room 3)
"""
RULE = 'rule a [house] "x" '


def failed(folder: Path, law: str, lines: str) -> list[str]:
    """Run lines of an example under a law; return the actual values of its failures."""
    found = compiled(folder, RULE + law + CARTS + lines + "}", base=DUEL)
    assert found.graph is not None, [sentence_of(each).message for each in found.problems]
    example = next(each for each in found.graph.examples if each.title == "what is told")
    return [each.actual for each in run_row(found.graph, example, 0).failures]


@pytest.mark.parametrize(
    ("law", "lines"),
    [
        ("wraps resolution duel by { if c is steady { proceed } }",
         'dice 2 do duel(S) tells "A cart fights, die 2: nothing happens." do duel(G) tells ""'),
        ("wraps resolution duel by { if c is steady { proceed } else { remove c } }",
         'dice 5 do duel(S) tells "A cart fights, die 5: the cart is lost." do duel(G) tells "" ask G is gone'),
        ("wraps resolution duel by { if c is not steady { stop } proceed }",
         'dice 2 do duel(S) tells "A cart fights, die 2: nothing happens." do duel(G) tells ""'),
        ("wraps resolution duel by { set c.spent to 5  proceed } when c is steady",
         'dice 2, 5 do duel(S) tells "A cart fights, die 2: nothing happens." ask S.spent = 5 '
         'do duel(G) tells "A cart fights, die 5: the cart is lost."'),
        ("wraps resolution duel by { proceed  if lost = {} { remove c } }",
         'dice 2 do duel(S) tells "A cart fights, die 2: nothing happens." ask S is gone'),
        ("withdraws resolution duel when c is steady",
         'dice 2 do duel(S) tells "" do duel(G) tells "A cart fights, die 2: nothing happens."'),
        # No field reads a name bound by the steps; still, skipped steps have no account.
        ("wraps resolution tire by { if c is steady { proceed } }",
         'do tire(S) tells "A cart is tired." do tire(G) tells ""'),
        ("withdraws resolution tire when c is steady", 'do tire(S) tells "" do tire(G) tells "A cart is tired."'),
        ("inserts { set c.spent to 4 } before step do duel of action fight",
         'dice 2 act fight(c: S) tells "A cart has fought, and has 4."'),
        ("wraps action fight by { proceed  set c.spent to 4 }",
         'dice 2 act fight(c: S) tells "A cart has fought, and has 4."'),
    ],
)  # fmt: skip
def test_an_account_is_reported_where_its_steps_are_executed(tmp_path: Path, law: str, lines: str) -> None:
    assert failed(tmp_path, law, lines) == []
