"""Answers about positions in which rulings meet: the clauses that are cited, and the words that name an action."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled

PASSING = """\
position: passing
stack: panzer_leader+opportunity_fire
game: {turn: 3, player: allied, phase: movement}
board: {rows: [[A, B, C]]}
pieces:
  - {name: T, type: m4, at: B, path: [{from: A, to: B, paid: 1, rate: terrain, act: moving}]}
  - {name: G, type: pak75, at: C}
"""
PLANE = """\
position: plane
stack: panzer_leader
game: {turn: 3, player: allied, phase: air}
board: {rows: [[A, B, C]]}
pieces:
  - {name: P, type: thunderbolt, side: allied, at: C}
  - {name: G, type: rifle, side: german, at: C}
  - {name: H, type: pak75, side: german, at: B}
"""
GUNNER = """\
position: gunner
stack: panzerblitz
game: {turn: 3, player: german, phase: combat}
board: {rows: [[A, B, C]]}
pieces:
  - {name: G, type: hmg, side: german, at: A}
  - {name: P, type: panther, side: german, at: A}
  - {name: T, type: t34, side: russian, at: C}
"""
COMING = """\
position: coming
stack: panzer_leader
game: {turn: 1, player: allied, phase: movement}
board: {rows: [[A, B, C]]}
pieces:
  - {name: T, type: m4, side: allied, arrives: 1, area: [A]}
"""
ARMIES = """\
position: armies
stack: long_frost
game: {turn: 1, player: raiders, phase: movement}
board: {rows: [[A, B, C]], sides: {B/C: river}}
pieces:
  - {name: F, type: foot, at: A}
  - {name: R, type: rifles, at: C}
  - {name: W, type: worn_foot, at: B}
"""
SMOKE = """\
position: smoke
stack: panzer_leader+smoke_shells
game: {turn: 2, player: german, phase: combat}
board: {rows: [[A, B, C, D]]}
hexes: {C: {smoked: yes}}
pieces:
  - {name: G, type: pak75, at: A}
  - {name: T, type: m4, at: D}
"""
GUNNERS = """\
position: gunners
stack: panzer_leader
game: {turn: 3, player: allied, phase: close_assault, ways_out: [A]}
board: {rows: [[A, B]]}
pieces:
  - {name: R, type: us_rifle, at: A, dispersed: yes}
  - {name: S, type: us_rifle, at: A}
  - {name: N, type: us_mg, at: A}
  - {name: P, type: panther, at: B}
"""
SHIP = """\
position: ship
stack: panzer_leader+naval_support
game: {turn: 2, player: allied, phase: combat, drawn_up: yes}
board: {rows: [[A sea, B]]}
pieces:
  - {name: S, type: destroyer, at: A}
"""


def answer_in(folder: Path, position: str, question: str, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    file = folder / "position.yaml"
    file.write_text(position)
    stack = position.partition("stack: ")[2].partition("\n")[0]
    assert run(["ask", stack, "-p", str(file), question, *flags]) == 0
    return " ".join(capsys.readouterr().out.split())


@sampled(2)
@pytest.mark.parametrize(
    ("position", "question", "clause", "unrelated"),
    [
        (ARMIES, "B in zone(keepers)", "Whoever stands in R's hex does not cover B.", "needs the Guard"),
        (ARMIES, "may_rebuild(W)", "W is cut off.", "the Column"),
        (ARMIES, "may_enter(F, A, C)", "A and C are not next to each other", "next to each other — "),
        (SMOKE, "can_see(G, D)", "[through-the-smoke: PLQ.EXP-SMOKE.01]", "B/C"),
        (
            GUNNERS,
            "column(attack(form: assault, by: allied, hex: B, firers: {N}, targets: {P}), chosen)",
            "are 2 odds columns below 1-4",
            "2 below",
        ),
        (SHIP, "may_order_ship(S, 2)", "The turn is 2, at most 2", ". 2, at most"),
        (GUNNERS, "may N close assault B", "N may not take part in the attack", "Not every unit"),
        (PLANE, "may P strafe C", "P may not strafe C", "Nothing forbids it"),
        (GUNNER, "may G fire at C", "G may not take part in the attack", "Nothing forbids it"),
        (COMING, "may T enter C", "T is not on the map", "neighbors of T's hex"),
        (GUNNERS, "may R leave the map", "[only-movers-leave: ", "by-the-ways-out"),
    ],
)  # fmt: skip
def test_an_answer_names_what_decides_and_nothing_else(
    position: str, question: str, clause: str, unrelated: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answer_in(tmp_path, position, question, capsys)
    assert clause in answer
    assert unrelated not in answer


def test_what_no_rule_allows_is_explained_by_what_a_rule_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answer_in(tmp_path, PASSING, "may_snap(G, T)", capsys, "--explain")
    assert "what T has spent in the unbroken view of G is 1 movement point, less than" in answer
