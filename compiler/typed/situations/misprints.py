"""Likely errors on a printed board or on a card: places that differ from all others of their kind.

In: a board, or a card and its map. Out: suspects, each with its place: a hexside with two features that no other has
together; a hexside or a hex without what is at all others of its kind; a line of hexes interrupted by one blank hex; a
path that ends where another begins, unlinked; a hex of a region far from all others of it; two sides, or one counter
twice, in a hex at the start of the game. `printed_so` lists the hexes and hexsides that are printed that way.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.problems import SuspectedMisprint
from compiler.typed.situations.board_edges import OPPOSITE, lies_on_rim
from compiler.typed.situations.suspicious_lines import line_gaps, without_ground
from runtime.graph.hexes import DIRECTIONS, Coordinates, hex_distance, neighbor_hexes

# The number of places that have to agree before one is an outlier.
FEWEST_AGREEING = 12
FEWEST_LISTED = 5
# Limits of lines of hexes: the share of hexes with two neighbors in the line, the least sizes of a line and of a part
# of it, the greatest number of parts, and how many times rarer a feature is that crosses the line.
LINE_SHARE, SHORTEST_LINE, SHORTEST_PART, MOST_PARTS, RARER = 0.4, 8, 3, 4, 3
# A path with more ends than this has no expected form.
MOST_ENDS = 4
# The distance up to which hexes of a region are connected, that from which a hex is an outlier, and the least size of a
# region.
REGION_DISTANCE, OUTLIER_DISTANCE, FEWEST_OF_REGION = 2, 4, 4

Pair = frozenset[Coordinates]


@dataclass(frozen=True, slots=True)
class _BoardIndex:
    """An index of a board by coordinates: the features of hexes, hexsides and paths, with their spans."""

    board: source.Board
    points: Mapping[str, Coordinates]
    names: Mapping[Coordinates, str]
    declared: frozenset[Pair]  # the places listed in `printed_so`
    ground: dict[str, dict[Coordinates, Span]] = field(default_factory=dict)
    sides: dict[str, dict[Pair, Span]] = field(default_factory=dict)
    links: dict[str, dict[Coordinates, set[Coordinates]]] = field(default_factory=dict)
    written: dict[tuple[str, Coordinates], Span] = field(default_factory=dict)  # the hexes in trails

    def side(self, pair: Pair) -> str:
        """Format a hexside by its two hexes."""
        return "/".join(self.names[point] for point in sorted(pair, key=lambda at: (at[1], at[0])))

    def neighbors_of(self, point: Coordinates) -> list[Coordinates]:
        """Return the neighbors of a hex on the board."""
        return [other for other in neighbor_hexes(point) if other in self.names]

    def drawn(self, point: Coordinates) -> Span | None:
        """Return the span of a hex in the picture of the board, from another hex of its row that is drawn there."""
        for (column, row), span in ((other, span) for hexes in self.ground.values() for other, span in hexes.items()):
            if row == point[1] and span.end_column == span.column + 1:
                start_column = span.column + point[0] - column
                return Span(span.file, span.line, start_column, span.line, start_column + 1)
        return None

    def is_interior(self, point: Coordinates) -> bool:
        """Return whether a hex has six neighbors on the board."""
        return len(self.neighbors_of(point)) == len(DIRECTIONS)


def board_misprints(board: source.Board, points: Mapping[str, Coordinates]) -> Iterator[SuspectedMisprint]:
    """Find likely errors on a board.

    `points` has the coordinates of hexes, by their numbers with and without its prefix.
    """
    sheet = _read(board, points)
    reported_places = set(sheet.declared)
    suspects = (
        *_two_features(sheet),
        *_without(sheet),
        *_broken(sheet),
        *_unlinked(sheet),
        *_gaps(sheet),
        *_outliers(sheet),
    )
    for place, problem in (*suspects, *_other_ground(sheet)):
        if place not in reported_places:
            reported_places.add(place)
            yield problem


def _read(board: source.Board, points: Mapping[str, Coordinates]) -> _BoardIndex:
    """Build the index of a board; names of unknown hexes are reported elsewhere."""
    exemptions = (
        frozenset(points[part] for part in word.text.split("/") if part in points) for word in board.printed_so
    )
    sheet = _BoardIndex(board, points, {points[name]: name for name in reversed([*points])}, frozenset(exemptions))
    for ground in board.terrain:
        found = sheet.ground.setdefault(ground.feature.text, {})
        found.update({points[word.text]: word.span for word in ground.hexes if word.text in points})
    for edging in board.sides:
        for side in edging.sides:
            if not lies_on_rim(side) and {side.a.text, side.b.text} <= points.keys():
                pair = frozenset((points[side.a.text], points[side.b.text]))
                sheet.sides.setdefault(edging.feature.text, {})[pair] = side.span
    for path in board.paths:
        links = sheet.links.setdefault(path.path.text, {})
        steps = (step for first, other in pairwise(path.trail) for step in ((first, other), (other, first)))
        for start, end in ((start, end) for start, end in steps if start.text in points):
            # A direction leads off the board: such a path continues.
            onward = (points.get(end.text) or (-1, -1)) if end.text not in OPPOSITE else (-2, -2)
            links.setdefault(points[start.text], set()).add(onward)
            sheet.written.setdefault((path.path.text, points[start.text]), start.span)
    return sheet


SuspectedPair = tuple[Pair, SuspectedMisprint]


def _two_features(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find the only hexside with two features that no other has together."""
    for (feature, first), (other_feature, second) in combinations(sheet.sides.items(), 2):
        shared_pairs = (first.keys() & second.keys()) - sheet.declared
        if len(shared_pairs) == 1 and min(len(first), len(second)) >= FEWEST_LISTED:
            [pair] = shared_pairs
            message = (
                f"the hexside `{sheet.side(pair)}` is `{feature}` and `{other_feature}`, and no other here is both"
            )
            yield (
                pair,
                SuspectedMisprint(second[pair], message, sheet.side(pair), "board", first[pair], f"`{feature}` here"),
            )


def _without(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find a hexside that touches no hex with a feature that all others of its kind touch, or the hex that lacks it."""
    for feature, sides in sheet.sides.items():
        for ground, hexes in sheet.ground.items():
            exceptions = [pair for pair in sides if not pair & hexes.keys() and pair not in sheet.declared]
            if not exceptions or len(sides) - len(exceptions) < max(FEWEST_AGREEING, 4 * len(exceptions)):
                continue
            shared = frozenset.intersection(*exceptions)
            if len(exceptions) == 1:
                name = sheet.side(exceptions[0])
                message = (
                    f"the hexside `{name}` is `{feature}`, and neither of its hexes is `{ground}`, as at all others"
                )
                yield exceptions[0], SuspectedMisprint(sides[exceptions[0]], message, name)
            elif len(shared) == 1:
                [point] = shared
                name = sheet.names[point]
                message = (
                    f"`{name}` is not `{ground}`, and has {len(exceptions)} hexsides that are `{feature}`;"
                    f" all others lie at `{ground}`"
                )
                yield (
                    shared,
                    SuspectedMisprint(
                        sheet.drawn(point) or sides[exceptions[0]],
                        message,
                        name,
                        "board",
                        sides[exceptions[0]],
                        "one of them",
                    ),
                )


def _broken(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find a blank hex between the ends of two lines of one feature, each of which starts at the rim."""
    blank = sheet.names.keys() - set().union(*sheet.ground.values())
    for feature in sheet.ground:
        hexes = _line(sheet, feature)
        degree = {point: sum(other_point in hexes for other_point in sheet.neighbors_of(point)) for point in hexes}
        if len(hexes) < SHORTEST_LINE or sum(n == 2 for n in degree.values()) < LINE_SHARE * len(hexes):
            continue
        part = _parts(hexes, sheet)
        size = Counter(part.values())
        if len(size) > MOST_PARTS:
            continue
        from_rim = {
            part[point] for point in hexes if not sheet.is_interior(point) and size[part[point]] >= SHORTEST_PART
        }
        for point in blank:
            ends = [
                other_point
                for other_point in sheet.neighbors_of(point)
                if other_point in hexes and _ends(other_point, hexes, sheet)
            ]
            if len(ends) == 2 == len({part[other_point] for other_point in ends} & from_rim):
                start_name, end_name, name = (sheet.names[other_point] for other_point in (*ends, point))
                message = (
                    f"`{feature}` breaks off at `{start_name}` and goes on at `{end_name}`, with `{name}` between them"
                )
                found = SuspectedMisprint(hexes[ends[0]], message, name, "board", hexes[ends[1]], "goes on here")
                yield frozenset((point,)), found


def _ends(point: Coordinates, hexes: Mapping[Coordinates, Span], sheet: _BoardIndex) -> bool:
    """Return whether a line ends in a hex: it has one neighbor in the line, or two adjacent ones at a bend."""
    line_neighbors = [other for other in sheet.neighbors_of(point) if other in hexes]
    return len(line_neighbors) == 1 or (
        len(line_neighbors) == 2 and line_neighbors[0] in sheet.neighbors_of(line_neighbors[1])
    )


def _line(sheet: _BoardIndex, feature: str) -> dict[Coordinates, Span]:
    """Return the hexes of a feature, and those of rarer features that occur only at it, such as crossings."""
    feature_hexes = sheet.ground[feature]
    rarer_hexes = [
        hexes
        for hexes in sheet.ground.values()
        if RARER * len(hexes) <= len(feature_hexes)
        and all(point in feature_hexes or set(sheet.neighbors_of(point)) & feature_hexes.keys() for point in hexes)
    ]
    return {point: span for hexes in (*rarer_hexes, feature_hexes) for point, span in hexes.items()}


def _parts(hexes: Mapping[Coordinates, Span], sheet: _BoardIndex) -> dict[Coordinates, Coordinates]:
    """Return for each hex of a feature a representative of its connected component."""
    part: dict[Coordinates, Coordinates] = {}
    for start in hexes:
        todo = [start] if start not in part else []
        while todo:
            point = todo.pop()
            if point not in part:
                part[point] = start
                todo += [other for other in sheet.neighbors_of(point) if other in hexes]
    return part


def _unlinked(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find paths that end within two hexes of each other, without a link between them."""
    for path, links in sheet.links.items():
        ends = [point for point, onward in links.items() if len(onward) == 1 and sheet.is_interior(point)]
        for end, other in combinations(ends, 2) if len(ends) <= MOST_ENDS else ():
            between = {
                other_point for other_point in sheet.neighbors_of(end) if other_point in sheet.neighbors_of(other)
            }
            next_door = other in sheet.neighbors_of(end) and other not in links[end]
            if next_door or (len(between) == 1 and not between & links.keys()):
                first, second = sheet.names[end], sheet.names[other]
                message = f"a `{path}` ends at `{first}`, and another at `{second}`, with no link between"
                spans = sheet.written[path, end], sheet.written[path, other]
                found = SuspectedMisprint(spans[1], message, second, "board", spans[0], "the other end")
                yield frozenset((other,)), found


def _gaps(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find the hexside that is missing between two ends of a line of hexsides."""
    printed = set().union(*sheet.sides.values())
    for feature, sides in sheet.sides.items():
        for pair, end_pair in line_gaps(sides, sheet.neighbors_of):
            if pair in printed:
                continue  # Another feature is printed there.
            name = sheet.side(pair)
            message = f"`{feature}` breaks off here and goes on behind `{name}`, which has none"
            yield pair, SuspectedMisprint(sides[end_pair], message, name)


def _other_ground(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find the hex of a region without the feature of all others."""
    for region in sheet.board.regions:
        words = {sheet.points[word.text]: word for word in region.hexes if word.text in sheet.points}
        if found := without_ground([*words], sheet.ground, len(sheet.names)):
            point, feature = found
            message = f"`{words[point].text}` of `{region.name.text}` is no `{feature}`, and all its other hexes are"
            yield frozenset((point,)), SuspectedMisprint(words[point].span, message, words[point].text)


def _outliers(sheet: _BoardIndex) -> Iterator[SuspectedPair]:
    """Find the only hex of a region that is far from all others of it."""
    for region in sheet.board.regions:
        for word in outlying_hexes(region.hexes, sheet.points):
            message = f"`{word.text}` lies {OUTLIER_DISTANCE} hexes or more from all others of `{region.name.text}`"
            yield frozenset((sheet.points[word.text],)), SuspectedMisprint(word.span, message, word.text)


def outlying_hexes(words: Iterable[source.Word], points: Mapping[str, Coordinates]) -> list[source.Word]:
    """Return the word of a list that is far from all others, where these are connected; else no words."""
    placed = [word for word in words if word.text in points]
    if len(placed) < FEWEST_OF_REGION:
        return []
    groups: list[list[source.Word]] = []
    for word in placed:
        near_groups = [
            group for group in groups if any(_distance(word, each, points) <= REGION_DISTANCE for each in group)
        ]
        groups = [group for group in groups if group not in near_groups] + [
            [word, *(each for merged_group in near_groups for each in merged_group)]
        ]
    single_words = [group[0] for group in groups if len(group) == 1]
    if len(groups) != 2 or len(single_words) != 1:
        return []
    [word] = single_words
    return (
        single_words
        if all(_distance(word, each, points) >= OUTLIER_DISTANCE for each in placed if each != word)
        else []
    )


def _distance(start: source.Word, end: source.Word, points: Mapping[str, Coordinates]) -> int:
    return hex_distance(points[start.text], points[end.text])


def card_misprints(
    card: source.Scenario, labels: Mapping[str, str], points: Mapping[str, Coordinates], kinds: Mapping[str, str]
) -> Iterator[SuspectedMisprint]:
    """Find likely errors on a card: pieces that are unlikely to share a space, hexes far from their region.

    `labels` has the space of each name and number, `points` the coordinates of those that are hexes; `kinds` the
    kind of each counter.
    """
    exemptions = {labels[word.text] for word in card.printed_so if word.text in labels}
    for place, problem in (*_crowded(card, labels, kinds), *_card_outliers(card, labels, points)):
        if place not in exemptions:
            yield problem


def _crowded(
    card: source.Scenario, labels: Mapping[str, str], kinds: Mapping[str, str]
) -> Iterator[tuple[str, SuspectedMisprint]]:
    """Find pieces of one kind and two sides in a space, and unnamed counters that occur twice in one.

    One finding is reported for a space, however many pieces it has: most often the space is the error.
    """
    reported_spaces: set[str] = set()
    first_by_kind: dict[tuple[str, str], tuple[str, source.StartingPiece]] = {}
    first_by_unit: dict[tuple[str, str], source.StartingPiece] = {}
    for side, placed in ((force.side.text, placed) for force in card.forces for placed in force.placed):
        if placed.at.text not in labels or placed.unit.text not in kinds:
            continue
        point, unit = labels[placed.at.text], placed.unit.text
        if point in reported_spaces:
            continue
        other, first = first_by_kind.setdefault((point, kinds[unit]), (side, placed))
        earlier = first_by_unit.setdefault((point, unit), placed)
        if other != side:
            reported_spaces.add(point)
            message = f"`{unit}` of {side} begins in `{placed.at.text}`, where `{first.unit.text}` of {other} is"
            yield (
                point,
                SuspectedMisprint(placed.at.span, message, placed.at.text, "card", first.at.span, f"{other} here"),
            )
        elif earlier is not placed and placed.name is None and earlier.name is None:
            reported_spaces.add(point)
            message = f"`{unit}` stands in `{placed.at.text}` twice"
            yield (
                point,
                SuspectedMisprint(placed.at.span, message, placed.at.text, "card", earlier.at.span, "first here"),
            )


def _card_outliers(
    card: source.Scenario, labels: Mapping[str, str], points: Mapping[str, Coordinates]
) -> Iterator[tuple[str, SuspectedMisprint]]:
    """Find the only hex of a region that is far from all others of it."""
    for region in card.regions:
        for word in outlying_hexes([word for area in region.areas for word in area.hexes], points):
            message = f"`{word.text}` lies {OUTLIER_DISTANCE} hexes or more from all others of `{region.name.text}`"
            yield labels[word.text], SuspectedMisprint(word.span, message, word.text, "card")
