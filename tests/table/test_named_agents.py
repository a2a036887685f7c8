"""Who acts in plain words: those that are named, in the role that is named, and no others."""

from pathlib import Path

import pytest

from rulewright.cli.app import run
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]
ASSAULT = """\
position: assault
stack: panzer_leader
game: {turn: 4, player: allied, phase: close_assault}
board:
  rows: [[A, B, C], [D, E, F]]
pieces:
  - {name: guns1, type: us_mg, at: A}
  - {name: sappers, type: sapper, at: A}
  - {name: guns2, type: us_mg, at: D}
  - {name: men, type: us_rifle, at: D}
  - {name: near, type: pak75, at: B}
  - {name: far, type: pak75, at: E}
"""
RAID = """\
position: raid
stack: panzer_leader
game: {turn: 4, player: allied, phase: air}
board:
  rows: [[A, B, C], [D, E, F]]
pieces:
  - {name: jug, type: thunderbolt, at: A, load: bombs}
  - {name: men, type: rifle, at: B}
"""
STACK = """\
position: stack
stack: panzer_leader
game: {turn: 4, player: allied, phase: combat}
board:
  rows: [[A, B, C], [D, E, F]]
pieces:
  - {name: tank, type: m4, at: A}
  - {name: men, type: us_rifle, at: D}
  - {name: track, type: halftrack, at: B}
  - {name: cargo, type: rifle, at: B}
  - {name: crew, type: pak75, at: B}
  - {name: block, type: rifle, at: B}
relations:
  carries: [{carrier: track, passengers: cargo}]
"""
YARD = """\
position: yard
stack: panzer_leader
game: {turn: 4, player: allied, phase: movement}
board:
  rows: [[A, B, C], [D, E, F]]
pieces:
  - {name: truck, type: us_truck, at: B, path: [{from: A, to: B, paid: 2, rate: terrain, act: moving}]}
  - {name: gun, type: at57, at: B}
  - {name: bunker, type: fort20, at: E}
  - {name: guard, type: rifle, at: E, in: inside}
  - {name: roof, type: us_rifle, at: E}
"""


def printed(capsys: Capture, folder: Path, position: str, query: str) -> str:
    """Return the printed answer to a query about a position."""
    file = folder / "position.yaml"
    file.write_text(position, encoding="utf-8")
    assert run(["ask", "panzer_leader", "-p", str(file), query]) == 0
    return capsys.readouterr().out


@sampled(1)
@pytest.mark.parametrize(
    "query", ["what are the odds of guns1 and sappers against near", "may guns1 and sappers assault near"]
)
def test_only_those_who_are_named_attack_together(capsys: Capture, tmp_path: Path, query: str) -> None:
    """The guns may not assault without the sappers: of all who could, these two alone are answered."""
    text = printed(capsys, tmp_path, ASSAULT, query)
    assert "Together: A US machine gun and a sapper in A assault a 75mm Pak in B: 3 factors" in text
    assert "in D" not in text


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line", "other"),
    [
        ("can jug raid men", "raid a hex (B, strafers none, targets men)", "may not be flown"),
        ("can jug strafe B", "raid a hex (B, droppers none, targets men)", "strafers none"),
        ("can jug drop on B", "raid a hex (B, strafers none, targets men)", "droppers none"),
        ("what can jug do", "raid a hex (B, droppers none, targets men)", "may not be flown"),
    ],
)
def test_a_plane_drops_or_strafes(capsys: Capture, tmp_path: Path, query: str, line: str, other: str) -> None:
    """Two choices admit the plane, and no raid takes it in both."""
    text = printed(capsys, tmp_path, RAID, query)
    assert line in text
    assert other not in text


def test_what_words_name_in_several_ways_is_listed_whole(capsys: Capture, tmp_path: Path) -> None:
    text = printed(capsys, tmp_path, STACK, "what can tank fire at")
    assert "fire at one unit (target crew)" in text
    assert "fire at a whole hex (B" in text


def test_a_named_piece_is_more_than_its_place(capsys: Capture, tmp_path: Path) -> None:
    """The cargo itself is refused as a target, not all who are in its hex."""
    text = printed(capsys, tmp_path, STACK, "can men fire at cargo")
    assert "forbidden, by cargo-is-hidden" in text
    assert "whole hex" not in text


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("may truck load gun and then enter A", "forbidden, by drive-then-load"),
        ("may truck load gun and then go to A", "forbidden, by drive-then-load"),
        ("can guard enter D", "forbidden, by locked-in"),
    ],
)
def test_the_rule_that_refuses_a_move_is_named(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    assert line in printed(capsys, tmp_path, YARD, query)


def test_an_act_without_dice_is_answered_with_its_figures(capsys: Capture, tmp_path: Path) -> None:
    text = printed(capsys, tmp_path, STACK.replace("combat", "movement"), "can tank overrun crew")
    assert "The M4 Sherman alone would attack with 11 factors against 14 factors, 1-1." in text
