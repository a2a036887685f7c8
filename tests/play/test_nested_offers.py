"""An example executes an action that other actions offer only where one of these may begin or is under way."""

from pathlib import Path

import pytest

from runtime.examples.run import run_examples
from tests.analysis.planted import compiled

RULES = """
side north, south
kind cart
status hex: muddy until end of game
status cart: tired until end of own_turn, lame until end of game
verdict may_go(c: cart) default allowed
rule tired-stay "The tired stay."  may_go forbidden  when c is tired
action drive by player in moving "Drive." {
  choose c from {c in all cart where c.side = player and may_go(c)}
  offer step(c) until yes
  mark c as lame
}
action step(c: cart) by player "Go on." { choose to from {h in neighbors(c.hex) where c is not lame}  move c to to }
action haul by player in moving "Haul." { choose c from {c in all cart where c.hex is not muddy} }
action hop(c: cart) by player "Hop." { choose to from neighbors(c.hex)  move c to to  tell hopped(c) }
event hopped(c: cart)
reaction jeer by enemy to hopped(c) "Two or more jeer." {
  choose any mockers from {m in all cart where m.side = player}
  legal count(mockers) > 1
  for each m in mockers { mark m as tired }
}
sequence game { each turn in 1..3 { each player in {north, south} {
  phase moving "Moving" { offer drive, haul until yes  for each c in all cart { offer hop(c) until yes } }
} } }
"""
HEAD = 'example "x" {\n  row A, B, C\n  piece T: cart of north at A\n'


def failures(folder: Path, *lines: str) -> list[str]:
    """Return the actual results of the lines that fail in an example with these lines."""
    example = HEAD + "".join(f"  {line}\n" for line in (*lines, "ask T is cart")) + "}\n"
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "rules.rules": RULES + example}
    return [failure.actual for run in run_examples(compiled(files, folder)) for failure in run.failures]


@pytest.mark.parametrize(
    "lines",
    [
        ("act step(c: T, to: B)",),
        ("mark T as tired", "act step(c: T, to: B) refused"),
        ("act step(c: T, to: B)", "mark T as tired", "act step(c: T, to: C)"),
        ("mark T as tired", "act hop(c: T, to: B)"),
        ("mark T as tired", "end of own_turn", "act step(c: T, to: B)"),
    ],
)
def test_an_action_that_its_offer_allows_is_executed(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert failures(tmp_path, *lines) == []


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            ("mark T as tired", "act step(c: T, to: B)"),
            "refused by tired-stay: `c` is not open in `drive`, which offers it",
        ),
        (("mark T as lame", "act step(c: T, to: B)"), "refused by lame: `to` is not open: T is lame"),
        (
            ("act step(c: T, to: B)", "end of own_turn", "mark T as tired", "act step(c: T, to: C)"),
            "refused by tired-stay: `c` is not open in `drive`, which offers it",
        ),
    ],
)
def test_an_action_that_its_offer_does_not_allow_is_refused(lines: tuple[str, ...], why: str, tmp_path: Path) -> None:
    assert failures(tmp_path, *lines) == [why]


def test_a_removed_piece_is_refused_without_a_question_about_its_place(tmp_path: Path) -> None:
    lost = ("piece U: cart of north at B", "remove U")
    assert failures(tmp_path / "lost", *lost, "act haul(c: U) refused") == []
    assert failures(tmp_path / "gone", *lost, "act haul(c: U)") == ["refused: `c` is not open: U is gone"]


@pytest.mark.parametrize(
    ("mockers", "tired"),
    [
        ("{U, V}", "ask (U is tired and V is tired and W is not tired)"),
        # The action needs two pieces: if the example names only one, the reaction is passed.
        ("{U} refused by jeer", "ask (U is not tired and V is not tired and W is not tired)"),
        ("{U, V, W}", "ask (U is tired and V is tired and W is tired)"),
    ],
)
def test_only_the_named_pieces_react(mockers: str, tired: str, tmp_path: Path) -> None:
    others = "piece U, V, W: cart of south at C"
    assert failures(tmp_path, others, f"act hop(c: T, to: B, mockers: {mockers})", tired) == []
