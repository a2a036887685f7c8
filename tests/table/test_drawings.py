"""Maps in the terminal and pictures of positions show every hex and every piece at any width."""

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from compiler.rulebook.drawings.counters import name_lines
from rulewright.explain.views.chart import draw_chart, hexside_lines
from rulewright.explain.views.picture import BARE, position_svg, save_picture
from rulewright.explain.views.shown_scenes import load_scene
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.system.errors import UsageError
from runtime.graph import words
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state.position import State


@cache
def late(scenario: str = "ridge_farm") -> State:
    """Return a position after the set-up."""
    rules = load_scenario(scenario, None).graph
    assert rules is not None
    assert rules.scenario is not None
    game = game_of(rules)
    playthrough = game.start("1")
    seats = seat_players(dict.fromkeys(rules.scenario.order, PLAYERS["greedy"]), "1")
    while isinstance(now := game.advance(playthrough), Decision) and playthrough.choice_count < 90:
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
    return playthrough.state


def page(state: State, wide: int) -> str:
    """Draw the map as in a terminal without colors."""
    console = Console(width=wide, color_system=None)
    with console.capture() as held:
        console.print(draw_chart(state, wide))
    return held.get()


@pytest.mark.parametrize("wide", [120, 200])
def test_every_hex_is_on_a_map_within_the_width(wide: int) -> None:
    drawn = page(late(), wide)
    assert max(map(len, drawn.splitlines())) <= wide
    assert all(name in drawn for name in late().board.names)


def test_a_map_too_wide_is_cut_at_the_right() -> None:
    drawn = page(late(), 40)
    assert "0105" in drawn
    assert "1205" not in drawn
    assert "the map goes on" in drawn


def test_a_picture_shows_every_hex_and_every_counter() -> None:
    state = late()
    drawn = position_svg(state)
    ElementTree.fromstring(drawn)
    texts = re.findall(r">([^<>]+)</text>", drawn)
    assert set(state.board.names) <= {text.split()[0] for text in texts if text.strip()}
    crowded = {h for h, pieces in state.at.items() if len(pieces) > 4}
    for piece, sheet in enumerate(state.sheets):
        if state.hex[piece] >= 0 and state.hex[piece] not in crowded:
            assert f"<title>{sheet.name}</title>" in drawn
    assert "var(" not in drawn  # A viewer without the style sheet of the book must be able to draw the picture.


BOARD = """position: rim
stack: mine
board: {rows: [[A rim woods, B woods, C rim]]}
pieces: []
"""
MINE = """side red, blue
kind bead has movement: 0..9
feature hex: woods, rim "a rim" marker "R"
"""


@pytest.fixture
def rim(tmp_path: Path) -> State:
    """Return a position with a feature that is drawn over the ground."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "layer.yaml").write_text("layer: mine\ntitle: Mine\nkind: base\n")
    (tmp_path / "mine" / "mine.rules").write_text(MINE)
    (tmp_path / "rim.yaml").write_text(BOARD)
    scene = load_scene(str(tmp_path / "rim.yaml"), None, [tmp_path]).scene
    assert scene is not None
    return scene.opening()


def test_a_feature_over_the_ground_does_not_hide_it(rim: State) -> None:
    drawn = page(rim, 80)
    assert drawn.splitlines()[0].split() == ["A", "wR", "B", "w", "C", "R"]
    picture = position_svg(rim)
    fills = re.findall(r'<polygon points="[^"]+" fill="([^"]+)" stroke="rgb\(150', picture)
    assert fills[0] == fills[1] != fills[2] == BARE
    assert {"A R", "B", "C R", "R rim"} <= set(re.findall(r">([^<>]+)</text>", picture))
    assert picture.count("<polygon") == 3  # A feature over the ground has no ring.


def test_the_suffix_selects_the_format_of_a_picture(tmp_path: Path) -> None:
    save_picture(late(), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == position_svg(late())
    with pytest.raises(UsageError, match=r"pictures are \.svg or \.png, not `\.gif`"):
        save_picture(late(), tmp_path / "a.gif")


def test_a_png_is_painted(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed: no PNG is painted")
    save_picture(late(), tmp_path / "a.png")
    painted = (tmp_path / "a.png").read_bytes()
    assert painted.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(painted) > 20_000


STRAIT = {
    "layer.yaml": "layer: strait\ntitle: Strait\nkind: base\nplayable: yes\n",
    "world.rules": 'side one, two\nfeature connection: reef "a reef"\nkind band\n',
    "map.yaml": """board: strait
kind: points
spaces: {Camp: {at: [0, 0]}, Rock: {at: [40, 0]}}
connections: [Camp-Rock]
sides: {reef: [Camp/Rock]}
---
scenario: crossing
title: Crossing
uses: strait
map: [[strait]]
turns: 1
order: [one, two]
forces: []
""",
}


def test_a_feature_of_a_connection_has_no_sign_of_a_hexside(tmp_path: Path) -> None:
    """It is listed with the connection; on a map of points, sides have no signs."""
    for name, text in STRAIT.items():
        (tmp_path / name).write_text(text)
    rules = load_scenario("crossing", None, [tmp_path]).graph
    assert rules is not None
    state = game_of(rules).set_up()
    assert "hexside" not in page(state, 80)
    assert "connections: Camp/Rock reef" in list(hexside_lines(state))


def test_names_have_the_line_breaks_of_counters_in_books() -> None:
    state = late("bridge_at_millbrook")
    drawn = position_svg(state)
    counters = state.graph.counters
    broken = [name_lines(words.counter(sheet.counter, counters))[0] for sheet in state.sheets if sheet.counter]
    assert any(len(lines_) > 1 for lines_ in broken)
    on_map = ElementTree.fromstring(drawn)
    texts = ["".join(text.itertext()) for text in on_map.iter("{http://www.w3.org/2000/svg}text")]
    assert all(line in texts for lines_ in broken for line in lines_ if lines_[0] in texts)
