"""The layout of a drawn graph: boxes do not overlap, routes connect their boxes, and it is deterministic.

A path without cycles runs from left to right.
"""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.format.layered_drawing import place_nodes
from tests.sample import sampled

NAMES = [f"n{number}" for number in range(12)]
SIZES = st.dictionaries(st.sampled_from(NAMES), st.tuples(st.integers(10, 200), st.integers(10, 60)), min_size=1)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[str, tuple[float, float]], list[tuple[str, str]]]:
    """Draw sizes of boxes and edges between them, with cycles."""
    sizes: dict[str, tuple[float, float]] = dict(draw(SIZES))
    names = st.sampled_from(sorted(sizes))
    return sizes, draw(st.lists(st.tuples(names, names).filter(lambda ends: ends[0] != ends[1]), max_size=24))


@sampled(0)
@settings(max_examples=150, deadline=None)
@given(graphs())
def test_boxes_are_disjoint_and_routes_connect_them(
    drawn: tuple[dict[str, tuple[float, float]], list[tuple[str, str]]],
) -> None:
    sizes, edges = drawn
    placed = place_nodes(sizes, edges)
    assert placed == place_nodes(sizes, edges)
    assert placed.boxes.keys() == sizes.keys()
    width, height = placed.size
    for left, top, wide, high in placed.boxes.values():
        assert -0.01 <= left <= left + wide <= width + 0.01
        assert -0.01 <= top <= top + high <= height + 0.01
    for (a, b, c, d), (e, f, g, h) in combinations(placed.boxes.values(), 2):
        assert a + c <= e or e + g <= a or b + d <= f + 0.01 or f + h <= b + 0.01
    assert len(placed.routes) == len(edges)
    for (start, end), route in zip(edges, placed.routes, strict=True):
        left, _, wide, _ = placed.boxes[start]
        assert route[0][0] in (left, left + wide)
        left, _, wide, _ = placed.boxes[end]
        assert route[-1][0] in (left, left + wide)
        assert len(route) % 2 == 0


def test_a_path_leads_to_the_right() -> None:
    placed = place_nodes(dict.fromkeys("abcd", (50, 20)), [("a", "b"), ("b", "c"), ("a", "c"), ("d", "c")])
    columns = [placed.boxes[name][0] for name in "abcd"]
    assert columns[0] < columns[1] == columns[3] < columns[2]
