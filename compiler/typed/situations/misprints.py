"""Likely errors on a printed board or on a card: places that differ from all others of their kind.

In: a board, or a card and its map. Out: suspects, each with its place: a hexside with two features that no other has
together; a hexside or a hex without what is at all others of its kind; a gap in a line of hexsides; two sides, or one
counter twice, in a hex at the start of the game. `printed_so` lists the hexes and hexsides that are printed that way.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import combinations

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.findings.misprints import SuspectedMisprint
from compiler.typed.situations.board_edges import lies_on_rim
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates, neighbor_hexes

# The number of places that have to agree before one is an outlier.
FEWEST_AGREEING = 12
FEWEST_LISTED = 5
# A feature of hexsides forms lines if it has so many, and at most two of them meet at this share of its corners; with
# more ends it has no expected form.
FEWEST_SIDES, LINES, MOST_ENDS = 8, 0.9, 6

Pair = frozenset[Coordinates]
CornerPoint = frozenset[Coordinates]


@frozen_dataclass
class _BoardIndex:
    """An index of a board by coordinates: the features of hexes and hexsides, with their spans."""

    names: Mapping[Coordinates, str]
    declared: frozenset[Pair]  # the places listed in `printed_so`
    ground: dict[str, dict[Coordinates, Span]] = field(default_factory=dict)
    sides: dict[str, dict[Pair, Span]] = field(default_factory=dict)

    def side(self, pair: Pair) -> str:
        """Format a hexside by its two hexes."""
        return "/".join(self.names[point] for point in sorted(pair, key=lambda at: (at[1], at[0])))

    def neighbors_of(self, point: Coordinates) -> list[Coordinates]:
        """Return the neighbors of a hex on the board."""
        return [other for other in neighbor_hexes(point) if other in self.names]

    def drawn(self, point: Coordinates) -> Span | None:
        """Return the span of a hex in the picture of the board, from another hex of its row that is drawn there."""
        for hexes in self.ground.values():
            for (column, row), span in hexes.items():
                if row == point[1] and span.end_column == span.column + 1:
                    start_column = span.column + point[0] - column
                    return Span(span.file, span.line, start_column, span.line, start_column + 1)
        return None


def board_misprints(board: source.Board, points: Mapping[str, Coordinates]) -> Iterator[SuspectedMisprint]:
    """Find likely errors on a board.

    `points` has the coordinates of hexes, by their numbers with and without its prefix.
    """
    sheet = _read(board, points)
    reported_places = set(sheet.declared)
    for place, problem in (*_two_features(sheet), *_without(sheet), *_gaps(sheet)):
        if place not in reported_places:
            reported_places.add(place)
            yield problem


def _read(board: source.Board, points: Mapping[str, Coordinates]) -> _BoardIndex:
    """Build the index of a board; names of unknown hexes are reported elsewhere."""
    declared = set()
    for word in board.printed_so:
        declared.add(frozenset(points[part] for part in word.text.split("/") if part in points))
    sheet = _BoardIndex({points[name]: name for name in reversed([*points])}, frozenset(declared))
    for ground in board.terrain:
        spans = sheet.ground.setdefault(ground.feature.text, {})
        spans.update({points[word.text]: word.span for word in ground.hexes if word.text in points})
    for edging in board.sides:
        for side in edging.sides:
            if not lies_on_rim(side) and {side.a.text, side.b.text} <= points.keys():
                pair = frozenset((points[side.a.text], points[side.b.text]))
                sheet.sides.setdefault(edging.feature.text, {})[pair] = side.span
    return sheet


SuspectedPair = tuple[Pair, SuspectedMisprint]


def _two_features(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find the only hexside with two features that no other has together."""
    for (feature, first), (other_feature, second) in combinations(sheet.sides.items(), 2):
        shared_pairs = (first.keys() & second.keys()) - sheet.declared
        if len(shared_pairs) == 1 and min(len(first), len(second)) >= FEWEST_LISTED:
            [pair] = shared_pairs
            name = sheet.side(pair)
            message = f"the hexside `{name}` is the only one that is both `{feature}` and `{other_feature}`"
            yield pair, SuspectedMisprint(second[pair], message, name, "board", first[pair], f"`{feature}` here")


def _without(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find a hexside that touches no hex with a feature that all others of its kind touch, or the hex that lacks it."""
    for feature, sides in sheet.sides.items():
        for ground, hexes in sheet.ground.items():
            exceptions = [pair for pair in sides if not pair & hexes.keys() and pair not in sheet.declared]
            if not exceptions or len(sides) - len(exceptions) < max(FEWEST_AGREEING, 4 * len(exceptions)):
                continue
            shared, first = frozenset.intersection(*exceptions), exceptions[0]
            if len(exceptions) == 1:
                name = sheet.side(first)
                message = f"the hexside `{name}` is the only `{feature}` without `{ground}` on either side"
                yield first, SuspectedMisprint(sides[first], message, name)
            elif len(shared) == 1:
                [point] = shared
                name = sheet.names[point]
                message = (
                    f"`{name}` is the only hex with `{feature}` hexsides (here {len(exceptions)})"
                    f" that is not `{ground}`"
                )
                place = sheet.drawn(point) or sides[first]
                yield shared, SuspectedMisprint(place, message, name, "board", sides[first], "one of them")


def _gaps(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find the hexside that is missing between two ends of a line of hexsides."""
    printed = set().union(*sheet.sides.values())
    for feature, sides in sheet.sides.items():
        for pair, end_pair in _line_gaps(sides, sheet):
            if pair in printed:
                continue  # Another feature is printed there.
            name = sheet.side(pair)
            message = f"`{feature}` has a gap at the hexside `{name}`"
            yield pair, SuspectedMisprint(sides[end_pair], message, name)


def _line_gaps(sides: Mapping[Pair, Span], sheet: _BoardIndex) -> Iterator[tuple[Pair, Pair]]:
    """Yield each hexside that would join two ends of lines, with the hexside of the line that ends there.

    A hexside connects two corners, and a corner is where three hexes meet: a line ends in a corner of a single hexside.
    """
    meeting: Counter[CornerPoint] = Counter()
    for pair in sides:
        meeting.update(_corners(pair, sheet))
    if len(sides) < FEWEST_SIDES or sum(many <= 2 for many in meeting.values()) < LINES * len(meeting):
        return
    ends = {corner for corner, many in meeting.items() if many == 1}
    if len(ends) > MOST_ENDS:
        return
    pair_at_end: dict[CornerPoint, Pair] = {}
    for pair in sides:
        pair_at_end.update({corner: pair for corner in _corners(pair, sheet) if corner in ends})
    candidates: set[Pair] = set()
    for corner in ends:
        candidates.update(map(frozenset, combinations(corner, 2)))
    for pair in sorted(candidates - sides.keys(), key=sorted):
        joined = [pair_at_end[corner] for corner in _corners(pair, sheet) if corner in ends]
        if len(joined) == 2 and joined[0] != joined[1]:
            yield pair, joined[0]


def _corners(pair: Pair, sheet: _BoardIndex) -> list[CornerPoint]:
    """Return the corners of a hexside; one at the rim of the board is omitted."""
    first, other = pair
    neighbors = sheet.neighbors_of(other)
    return [frozenset((first, other, third)) for third in sheet.neighbors_of(first) if third in neighbors]


def card_misprints(
    card: source.Scenario, labels: Mapping[str, str], kinds: Mapping[str, str]
) -> Iterator[SuspectedMisprint]:
    """Find pieces of one kind and two sides in a space, and unnamed counters that occur twice in one.

    One finding is reported for a space, however many pieces it has: most often the space is the error. `labels` has
    the space of each name and number, `kinds` the kind of each counter.
    """
    reported_spaces = {labels[word.text] for word in card.printed_so if word.text in labels}
    first_by_kind: dict[tuple[str, str], tuple[str, source.StartingPiece]] = {}
    first_by_unit: dict[tuple[str, str], source.StartingPiece] = {}
    placements = [(force.side.text, placed) for force in card.forces for placed in force.placed]
    for side, placed in placements:
        if placed.at.text not in labels or placed.unit.text not in kinds:
            continue
        space, unit = labels[placed.at.text], placed.unit.text
        other, first = first_by_kind.setdefault((space, kinds[unit]), (side, placed))
        earlier = first_by_unit.setdefault((space, unit), placed)
        is_repeated = earlier is not placed and placed.name is None and earlier.name is None
        if space in reported_spaces or (other == side and not is_repeated):
            continue
        reported_spaces.add(space)
        if other != side:
            message = f"`{unit}` of {side} begins in `{placed.at.text}` together with `{first.unit.text}` of {other}"
            first_place, note = first.at.span, f"{other} here"
        else:
            message = f"`{unit}` begins in `{placed.at.text}` twice"
            first_place, note = earlier.at.span, "first here"
        yield SuspectedMisprint(placed.at.span, message, placed.at.text, "situation", first_place, note)
