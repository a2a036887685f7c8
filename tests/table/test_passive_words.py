"""What is asked about the piece that is acted on, about what attacks do, and with words that layers declare."""

from pathlib import Path

import pytest

from rulewright.cli.app import run
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]
FIELD = """\
position: field
stack: panzer_leader
game: {turn: 4, player: allied, phase: combat}
board:
  rows:
    - [A, B, C, D]
    - [E, F, G, H]
    - [I, J, M, L town]
pieces:
  - {name: tank, type: m4, at: A}
  - {name: squad, type: us_rifle, at: I}
  - {name: foe, type: rifle, side: german, at: B}
  - {name: gun, type: pak75, side: german, at: G}
  - {name: shelter, type: fort20, side: german, at: L}
  - {name: guard, type: rifle, side: german, at: L, in: inside}
  - {name: jug, type: thunderbolt, at: C, load: bombs}
"""
MINES = """\
position: mines
stack: panzer_leader
game: {turn: 4, player: german, phase: movement}
board:
  rows: [[A, B, C, D]]
pieces:
  - {name: tiger, type: tiger, at: A}
  - {name: minefield, type: mines, at: B, side: allied}
"""
TRENCH = """\
position: trench
stack: panzer_grenadier
board: {rows: [[A, B, C]]}
pieces:
  - {name: pioneers, type: pioneer, side: axis, at: A}
  - {name: men, type: rifle, side: allied, at: B}
  - {name: armor, type: tank, side: axis, at: A}
"""


def printed(capsys: Capture, folder: Path, position: str, query: str) -> str:
    """Return the printed answer to a query about a position."""
    file = folder / "position.yaml"
    file.write_text(position, encoding="utf-8")
    stack = next(line.removeprefix("stack: ") for line in position.splitlines() if line.startswith("stack: "))
    run(["ask", stack, "-p", str(file), query])
    return capsys.readouterr().out


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("can foe be raided", "raid a hex (B, droppers none, strafers jug)"),
        ("can foe be destroyed", "fire at one unit (firers tank and squad)"),
        ("can foe be dispersed", "fire at one unit (firers tank and squad)"),
        ("can tank disperse foe", "An M4 Sherman in A fires at a rifle in B"),
        ("can tank knock out gun", "fire at one unit (target gun)"),
        ("what can tank attack", "fire at one unit (target foe)"),
        ("what if squad rolls a 1", "on 1: The 75mm Pak is dispersed"),
        ("is shelter full", "Shelter is not full."),
        ("how strong is tank", "A; attack 11, range 8, defense 9"),
        ("who can see tank", "spotted(tank, german)"),
    ],
)
def test_the_words_of_players_are_understood(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    text = printed(capsys, tmp_path, FIELD, query)
    assert line in text
    assert "is not among" not in text
    assert "in place of the braces" not in text


def test_what_a_side_does_to_its_own_is_no_attack(capsys: Capture, tmp_path: Path) -> None:
    """The question has all words, so attacks of the named piece are not listed."""
    text = printed(capsys, tmp_path, FIELD, "can tank be destroyed by its own side")
    assert "may not be destroyed by its own side" in text
    assert "fire at" not in text


@sampled(1)
@pytest.mark.parametrize("query", ["can tank be overrun", "who can overrun tank", "can squad be loaded"])
def test_who_is_acted_on_is_not_read_as_who_acts(capsys: Capture, tmp_path: Path, query: str) -> None:
    """There is nobody to overrun the tank, and nothing that carries the squad."""
    text = printed(capsys, tmp_path, FIELD, query)
    assert "can do that to" in text
    assert "Nothing forbids it" not in text
    assert "is not vehicular" not in text


def test_a_move_that_ends_is_refused_as_a_move(capsys: Capture, tmp_path: Path) -> None:
    """The tank could overrun the next hex only if somebody were there, so that is not what is asked."""
    text = printed(capsys, tmp_path, MINES, "can tiger go to C")
    assert "Go on: Tiger must end its move in B." in text
    assert "verrun" not in text


def test_where_nothing_is_reached_is_no_list_of_acts(capsys: Capture, tmp_path: Path) -> None:
    """The gun does not move without a carrier."""
    text = printed(capsys, tmp_path, FIELD, "how far can gun move")
    assert "gun gets to no other place." in text
    assert "fire" not in text


def test_a_verb_is_no_member_of_a_choice(capsys: Capture, tmp_path: Path) -> None:
    """*Fire* of a tank names no anti-tank fire: the form by which it may fire is found, as without that word."""
    for query in ("can armor fire at men", "can armor attack men"):
        text = printed(capsys, tmp_path, TRENCH, query)
        assert "one unit fires at one enemy in range (target men, form direct fire)" in text
        assert "cannot harm" not in text
