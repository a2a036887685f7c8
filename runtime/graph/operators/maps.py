"""Functions of the map: of its hexes, its hexsides, and the paths between them."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from runtime.graph import nodes as graph
from runtime.graph.interval import Interval, IntervalLimit
from runtime.graph.operators.record import Call, Clause, Operator, Phrase, unbounded

HEX, HEXSIDE, COUNT, YES_NO = graph.Hex(), graph.Hexside(), graph.Number(None, None, ""), graph.YesNo()
HEXES = graph.Many("set", HEX)
DIRECTION = graph.Number(1, 6, "")


def _distance_bounds(_parts: Sequence[Interval], far: IntervalLimit) -> Interval:
    return Interval(Fraction(0), far)


# Functions of the map.
_on_map = partial(
    Operator, needs="board", reads="", algebra="", commutes=False, notation=Call(), alterations=(), first_alone=False,
)  # fmt: skip


MAPS = (
    _on_map(
        "distance", ("hex, hex -> number hexes",),
        "how many hexes the second is away: 0 from itself, 1 from a neighbor",
        takes=(HEX, HEX), result=graph.Number(0, None, "hexes"), compute=lambda b, x, y: b.distance(x, y),
        python="{b}.far[{0}][{1}]", phrase=Phrase("the distance from {0} to {1}", None, ""), bounds=_distance_bounds,
        whole="always", cost="look", large=False, of_hexes=False, beyond_rows=False,
    ),
    _on_map(
        "adjacent", ("hex, hex -> yes_no",), "whether one hex is next to the other, or a connection leads there",
        takes=(HEX, HEX), result=YES_NO, compute=lambda b, x, y: b.adjacent(x, y), python="({1} in {b}.beside[{0}])",
        phrase=Clause("{0} is next to {1}", "{0} is not next to {1}"), cost="look", bounds=unbounded,
        whole="never sure", large=False, of_hexes=False, beyond_rows=False,
    ),
    _on_map(
        "neighbors", ("hex -> set hex",), "the hexes that a step leads to",
        takes=(HEX,), result=HEXES, compute=lambda b, h: b.around[h], python="{b}.around[{0}]",
        phrase=Phrase("the neighbors of {0}", None, "neighbor of {0}"), cost="look", bounds=unbounded,
        whole="never sure", large=False, of_hexes=False, beyond_rows=True,
    ),
    _on_map(
        "within", ("hex, number hexes -> set hex",), "the hexes at most so far away, the hex itself among them",
        takes=(HEX, COUNT), result=HEXES, compute=lambda b, h, n: b.within(h, n), python="{b}.within({0}, {1})",
        phrase=Phrase("the hexes within {1} of {0}", None, "hex within {1} of {0}"), cost="hexes", large=True,
        bounds=unbounded, whole="never sure", of_hexes=False, beyond_rows=True,
    ),
    _on_map(
        "between", ("hex, hex -> hexside",), "the hexside between two neighbors",
        takes=(HEX, HEX), result=HEXSIDE, compute=lambda b, x, y: b.side(x, y), python="{b}.side({0}, {1})",
        phrase=Phrase("the hexside between {0} and {1}", None, ""), cost="look", bounds=unbounded, whole="never sure",
        large=False, of_hexes=False, beyond_rows=False,
    ),
    _on_map(
        "beyond", ("hex, hex -> set hex",), "the hex behind the second, seen from its neighbor; none at the edge",
        takes=(HEX, HEX), result=HEXES, compute=lambda b, x, y: b.beyond(x, y), python="{b}.beyond({0}, {1})",
        phrase=Phrase("the hex beyond {1}, seen from {0}", None, "hex beyond {1}, seen from {0}"), large=True,
        cost="look", bounds=unbounded, whole="never sure", of_hexes=True, beyond_rows=True,
    ),
    _on_map(
        "toward", ("hex, number m -> list hex",),
        "the hexes behind it up to the edge, in a direction, 1 to 6 for e, ne, nw, w, sw, se",
        takes=(HEX, DIRECTION), result=graph.Many("list", HEX), compute=lambda b, h, n: b.toward(h, n),
        python="{b}.toward({0}, {1})",
        phrase=Phrase("the hexes from {0} in direction {1}", None, "hex from {0} in direction {1}"), large=True,
        cost="look", bounds=unbounded, whole="never sure", of_hexes=True, beyond_rows=True,
    ),
    _on_map(
        "line", ("hex, hex -> list crossing",), "what the straight line between two hex centers crosses, in order",
        takes=(HEX, HEX), result=graph.Many("list", graph.Crossing()), compute=lambda b, x, y: b.line(x, y),
        python="{b}.line({0}, {1})",
        phrase=Phrase("the crossings of the line from {0} to {1}", None, "crossing of the line from {0} to {1}"),
        cost="hexes", large=True, bounds=unbounded, whole="never sure", of_hexes=True, beyond_rows=False,
    ),
    _on_map(
        "touching", ("hexside -> set hexside",), "the hexsides that share an end with this one, up to four",
        takes=(HEXSIDE,), result=graph.Many("set", HEXSIDE), compute=lambda b, s: b.touching(s),
        python="{b}.touching({0})", phrase=Phrase("the hexsides touching {0}", None, "hexside touching {0}"),
        cost="hexes", bounds=unbounded, whole="never sure", large=False, of_hexes=True, beyond_rows=True,
    ),
    _on_map(
        "ends", ("hexside -> set hex",), "the two hexes of a hexside",
        takes=(HEXSIDE,), result=HEXES, compute=lambda b, s: b.ends(s), python="{b}.ends({0})",
        phrase=Phrase("the hexes beside {0}", None, "hex beside {0}"), cost="look", bounds=unbounded,
        whole="never sure", large=False, of_hexes=False, beyond_rows=False,
    ),
    _on_map(
        "linked", ("set hex, set hex -> set hex",),
        "the hexes of the second that a chain of neighbors within it links to those of the first",
        takes=(HEXES, HEXES), result=HEXES, compute=lambda b, xs, ys: b.linked(xs, ys), python="{b}.linked({0}, {1})",
        phrase=Phrase("the hexes that a chain links to {0} in {1}", None, ""), cost="map", bounds=unbounded,
        whole="never sure", large=False, of_hexes=False,
        beyond_rows=False,
    ),
    _on_map(
        "edge", ("hex -> yes_no",), "whether the hex lies at the edge of the map",
        takes=(HEX,), result=YES_NO, compute=lambda b, h: b.is_edge(h), python="{b}.is_edge({0})",
        phrase=Clause("{0} lies at the edge of the map", "{0} does not lie at the edge of the map"), cost="look",
        bounds=unbounded, whole="never sure", large=False, of_hexes=True,
        beyond_rows=True,
    ),
)  # fmt: skip
