"""The tests whether a head can be completed, printed."""

from pathlib import Path

from compiler.core.game import lower_game
from compiler.core.text import expression_text
from tests.analysis.planted import compiled as planted

PICKED = """
side north, south
kind cart
status cart: worn
action visit by player in moving "Visit." {
  choose c from {c in {d in all cart where d is worn} where c.side != player}
  choose h from {d.hex for d in all cart where d.side = player}
  legal distance(c.hex, h) <= 1
  mark c as worn
}
sequence game { each turn in 1..8 { each player in {north, south} { phase moving "Moving" { offer visit } } } }
"""
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"


def test_filters_of_choices_are_evaluated_for_members_that_are_tried(tmp_path: Path) -> None:
    """A filter joins the test of the members and narrows their set; a source that is no filter is a set first.

    What the whole head reads decides how long the first answer is valid.
    """
    game = lower_game(planted({"layer.yaml": LAYER, "r.rules": PICKED}, tmp_path))
    head = game.procedures.procedures_by_key["action:visit"].head
    assert head is not None
    assert [expression_text(test) for test in head.finish[:2]] == [
        "(kept by @player, resting on mark:cart.worn anywhere, outside anywhere, placed anywhere, "
        "sheet anywhere: "
        "some(c.2 in (pieces_on_map(cart) & mask(mark:cart.worn)) where (not((side[c.2] = @player)) and "
        "(let @c = c.2 in finish:visit:1())): c.2))",
        "some(h.4 in gather(d.3 in pieces_on_map(cart) where (side[d.3] = @player): hex[d.3]) where "
        "(let @h = h.4 in finish:visit:2()): h.4)",
    ]
