"""Notes that give a direction are drawn in the book, on the map of the page and of `show`, and at the terminal."""

import re
from pathlib import Path

import pytest

from compiler.rulebook.drawings.diagrams import draw_position, map_centers
from rulewright.explain.views.picture import position_svg
from rulewright.library.stacks import load_stack
from runtime.graph import nodes as graph
from runtime.graph.facings import facing_tracks
from runtime.state.setup import from_position

MANIFEST = "layer: fleet\ntitle: Fleet\nkind: base\ncites: house\n"
SHIPS = """
side red, blue
kind ship has guns: 0..9
enum bearing: e, ne, nw, w, sw, se
scale tack: 'east' = 1, 'north_east' = 2, 'north_west' = 3, 'west' = 4, 'south_west' = 5, 'south_east' = 6
track ship.course: 1..6 = 1
track ship.fires: 1..6
track ship.points: bearing
track ship.tacks: tack
track ship.mooring: hex
track ship.start: hex
track ship.crew: 1..6
define ahead(from: hex, way: 1..6): set of hex [house] = {h in toward(from, way)}
define course_of(s: ship): set of hex [house] = ahead(s.hex, s.course)
action moor by player in sailing [house] "Moor." {
  choose s from {s in all ship where s.side = player}
  choose h from {h in neighbors(s.hex) where count(ship at h) = 0}
  set s.mooring to h
  set s.start to s.hex
}
sequence game { each turn in 1..3 { each player in {red, blue} { phase sailing "Sailing" { offer moor until yes } } } }
example "ships" {
  row A, B, C
  row D from B se
  piece S: ship at B (guns 1, course 3, crew 2)
  piece T: ship at B (guns 1, points sw, mooring D)
  piece U: ship at C (guns 1, tacks 'west', start B)
  ask count(course_of(U)) = 0
}
"""


@pytest.fixture
def rules(tmp_path: Path) -> graph.Graph:
    folder = tmp_path / "fleet"
    folder.mkdir()
    (folder / "layer.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "ships.rules").write_text(SHIPS, encoding="utf-8")
    stack = load_stack("fleet", [tmp_path])
    assert stack.graph, stack.problems
    return stack.graph


def test_facings_are_found_by_their_names_and_by_their_use(rules: graph.Graph) -> None:
    assert facing_tracks(rules) == ("ship.course", "ship.mooring", "ship.points", "ship.tacks")


def pointing(svg: str, piece: str) -> list[tuple[int, int]]:
    """Return where the arrows on a counter point: to the right or left, and down or up."""
    [counter] = re.findall(rf'<g data-(?:unit|piece)="{piece}">(.*?)</g>', svg, re.DOTALL)
    found = []
    for points in re.findall(r'<polygon[^>]* points="([^"]*)"', counter):
        (x, y), (left_x, left_y), _, (right_x, right_y) = (map(float, each.split(",")) for each in points.split())
        right, down = x - (left_x + right_x) / 2, y - (left_y + right_y) / 2
        found.append(((right > 1) - (right < -1), (down > 1) - (down < -1)))
    return found


def test_maps_draw_facings_in_the_book_and_on_the_page(rules: graph.Graph) -> None:
    position = rules.examples[0].position
    state = from_position(rules, position)
    for svg in (draw_position(rules, position).svg, position_svg(state)):
        assert pointing(svg, "S") == [(-1, -1)], "the third direction is northwest"
        assert pointing(svg, "T") == [(1, 0), (1, 1), (-1, 1)], "eastward at first, to the mooring, and southwest"
        assert pointing(svg, "U") == [(1, 0), (-1, 0)]


def test_only_an_arrow_that_points_to_a_hex_is_turned_when_its_counter_is_moved(rules: graph.Graph) -> None:
    position = rules.examples[0].position
    drawing = draw_position(rules, position)
    [counter] = re.findall(r'<g data-unit="T">(.*?)</g>', drawing.svg, re.DOTALL)
    aims = [re.search(r' data-aim="([^"]*)"', arrow) for arrow in re.findall(r"<polygon[^>]*>", counter)]
    assert [bool(aim) for aim in aims] == [False, True, False]
    assert aims[1]
    centers = map_centers(position)
    assert [float(each) for each in aims[1][1].split()] == pytest.approx([*centers["B"], *centers["D"]], abs=0.1)
