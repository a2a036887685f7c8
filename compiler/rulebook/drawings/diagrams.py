"""Draw positions: hexes with their ground, hexsides, paths and counters.

The input is a position; the output is one SVG picture, an equivalent description in words, and a legend of its pieces.
Large boards are clipped to the neighborhood of the pieces. Hexes are pointy-topped and in rows, odd rows half a hex to
the right, as in all boards and drawings.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from typing import cast

from compiler.rulebook.drawings.counters import PrintedFace, draw_counter, facing_arrow, piece_face
from compiler.rulebook.drawings.hexagon import Hexagon, Point
from compiler.rulebook.drawings.map_layout import MapLayout, compute_layout
from compiler.rulebook.drawings.tints import tint_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb
from runtime.graph.facings import direction_number, facing_tracks, unit_vector
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.literals import literal_value
from runtime.graph.wording import Wording

RADIUS = 52.0
DRAWN_HEX = Hexagon(RADIUS)
MARGIN = 8.0
LARGE = 60  # hexes


@frozen_dataclass
class Drawing:
    """A picture with its description. `legend` describes for each piece what the picture cannot show."""

    svg: str
    alternative_text: str
    legend: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


NO_DRAWING = Drawing("", "", (), ())


def draw_position(book: graph.Graph, position: graph.Position, names: Iterable[str] = ()) -> Drawing:
    """Draw a position and describe it; `names` are those that vary between the cases of an example."""
    wording = Wording(book, {name: column_name(name) for name in names})
    hexes = _drawn_spaces(position)
    description = _position_description(book, position)
    legend = tuple((piece.name, _piece_words(wording, piece)) for piece in position.pieces)
    if not hexes:
        return Drawing("", description, legend, _notes(wording, position))
    board = position.board
    sheet = _sheet(board, hexes)
    centers = dict(sheet.centers)
    left, top, right, bottom = sheet.bounding_box()
    left, top = left - MARGIN, top - MARGIN
    wide, high = right + MARGIN - left, bottom + MARGIN - top
    marks = {name: [mark for space, mark in position.hex_marks if space == name] for name in hexes}
    parts = [
        *_connections(board, sheet, is_above_ground=False),
        *(_ground(book, name, board.hexes[name][2], sheet) for name in hexes),
        *_connections(board, sheet, is_above_ground=True),
        *_paths(board, centers),
        *_sides(board, sheet),
        *(_labels(book, name, (*board.hexes[name][2], *marks[name]), centers[name]) for name in hexes),
        *_counters(book, position, centers),
    ]
    svg = (
        f'<svg class="map" role="img" aria-label="{escape(description)}" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {high:.1f}">{"".join(parts)}</svg>'
    )
    return Drawing(svg, description, legend, _notes(wording, position))


def map_centers(position: graph.Position) -> dict[str, Point]:
    """Return the centers of the spaces in a picture."""
    hexes = _drawn_spaces(position)
    return dict(_sheet(position.board, hexes).centers) if hexes else {}


def _sheet(board: graph.Board, hexes: list[str]) -> MapLayout[str]:
    shapes = {name: board.shapes[name] for name in hexes if name in board.shapes}
    rows = _closed_up({board.hexes[name][1] for name in hexes if name not in shapes})
    cells = {name: board.hexes[name][:2] for name in hexes}
    if len(hexes) == len(board.hexes):  # For a part of a board this would misrepresent distances.
        cells |= {name: (column, rows[row]) for name, (column, row) in cells.items() if name not in shapes}
    return compute_layout(DRAWN_HEX, cells, shapes)


def _closed_up(rows: Iterable[int]) -> dict[int, int]:
    """Map rows such that one empty row is left between rows that are not adjacent, or two to preserve parity."""
    order = sorted(rows)
    placed = dict(zip(order[:1], order[:1], strict=True))
    for above, row in pairwise(order):
        empty = row - above - 1
        placed[row] = placed[above] + 1 + min(empty, 2 - empty % 2)
    return placed


def _position_description(book: graph.Graph, position: graph.Position) -> str:
    """Return the description of the picture."""
    board = position.board
    phrases = []
    spaces = _drawn_spaces(position)
    hexes = [
        f"{name} {words.list_text([_feature(book, 'hex', word) for word in board.hexes[name][2]])}".strip()
        for name in spaces
    ]
    if hexes:
        noun = "Space" if board.shapes else "Hex"
        phrases.append(f"{noun if len(hexes) == 1 else words.plural(noun)} {', '.join(hexes)}")
    phrases += [
        f"a connection from {first} to {second}{' only' if one_way else ''}"
        for first, second, one_way in board.links
        if first in spaces and second in spaces
    ]
    for first, second, features in board.sides:
        if first in spaces and second in spaces:
            marked = words.list_text([_feature(book, "hexside", word) for word in features])
            phrases.append(f"{_side(board, first, second)} {first}/{second} {marked}")
    for path, first, second in board.paths:
        if first in spaces and second in spaces:
            phrases.append(f"{_feature(book, 'path', path)} from {first} to {second}")
    names_by_place: dict[str, list[str]] = {}
    for piece in position.pieces:
        names_by_place.setdefault(f"at {piece.at}" if piece.at else "off the map", []).append(piece.name)
    phrases += [f"{words.list_text(names)} {place}" for place, names in names_by_place.items()]
    return f"{'; '.join(phrases)}."


def _side(board: graph.Board, first: str, second: str) -> str:
    """Return the word for what separates two spaces."""
    return "hexside" if first not in board.shapes and second not in board.shapes else "connection"


def _feature(book: graph.Graph, owner: str, name: str) -> str:
    return words.flag(owner, name, book.vocabulary)


def _drawn_spaces(position: graph.Position) -> list[str]:
    """Return the hexes to draw: all of a small board, those around the pieces of a large one."""
    hexes = position.board.hexes
    order = sorted(hexes, key=lambda name: (hexes[name][1], hexes[name][0]))
    if len(order) <= LARGE:
        return order
    seats = [hexes[piece.at] for piece in position.pieces if piece.at in hexes]
    nearby_spaces = [
        name
        for name in order
        if name in position.board.shapes
        or any(abs(hexes[name][0] - column) <= 2 and abs(hexes[name][1] - row) <= 2 for column, row, _ in seats)
    ]
    return nearby_spaces if len(nearby_spaces) <= 2 * LARGE else []


def _connections(board: graph.Board, sheet: MapLayout[str], *, is_above_ground: bool) -> Iterator[str]:
    """Draw connections of points below their ground, or `is_above_ground`, and walls between unconnected areas."""
    for first, second, one_way in board.links:
        ends = (first, second)
        if is_above_ground != any(end not in board.shapes or end in sheet.drawn_outlines for end in ends):
            continue
        if all(end in sheet.centers for end in ends) and not sheet.share_edge(first, second):
            (x1, y1), (x2, y2) = sheet.centers[first], sheet.centers[second]
            title = f"from {first} to {second} only" if one_way else f"{first} and {second}"
            yield (
                f'<line class="link{" oneway" if one_way else ""}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" '
                f'y2="{y2:.1f}"><title>{escape(title)}</title></line>'
            )
    walls = sheet.closed_edges((first, second) for first, second, _ in board.links) if is_above_ground else ()
    for (x1, y1), (x2, y2) in walls:
        yield f'<line class="wall" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _ground(book: graph.Graph, name: str, features: tuple[str, ...], sheet: MapLayout[str]) -> str:
    """Draw a hex, an area or a point in the tint of its first feature, with rings of the others."""
    shape = sheet.shape_tag(name, 1)
    title = words.list_text([_feature(book, "hex", word) for word in features])
    parts = [f"<title>{escape(f'{name} {title}'.strip())}</title>"]
    if not features:
        parts.append(f'{shape} class="hex bare"/>')
    for index, feature in enumerate(features):
        color = tint_of(feature)
        if index == 0:
            parts.append(f'{shape} class="hex" style="{color.style}"/>')
            if color.pattern:
                parts.append(f'{shape} class="hatch" fill="url(#{color.pattern})"/>')
        else:
            parts.append(f'{sheet.shape_tag(name, 0.98 - 0.14 * index)} class="ring" style="{color.style}"/>')
    return f"<g>{''.join(parts)}</g>"


def _labels(book: graph.Graph, name: str, features: tuple[str, ...], center: Point) -> str:
    x, y = center
    elements = [
        f'<text class="where" x="{x:.1f}" y="{y - RADIUS * 0.66:.1f}">{escape(words.readable_name(name))}</text>'
    ]
    texts = sorted((_feature_name(book, feature) for feature in features[:2]), key=len, reverse=True)
    for index, text in enumerate(texts):
        down = y + ground_word_offset(len(texts), index)
        size = min(LETTER_HEIGHT if len(texts) == 1 else 0.9 * LETTER_HEIGHT, DRAWN_HEX.width / (SET * len(text)))
        look = "" if size == LETTER_HEIGHT else f' style="font-size:{size:.1f}px"'
        elements.append(f'<text class="what" x="{x:.1f}" y="{down:.1f}"{look}>{escape(text)}</text>')
    return "".join(elements)


def ground_word_offset(count: int, index: int) -> float:
    """Return how far below the middle of a hex a word for its ground stands, one of so many."""
    return RADIUS * (0.72 if count == 1 else 0.66 + 0.2 * index)


LETTER_HEIGHT = 11.5  # as high as the style sheet has them
SET = 0.5  # how wide a letter is for its height


def _feature_name(book: graph.Graph, feature: str) -> str:
    declared = book.vocabulary.flags.get(f"hex.{feature}")
    return words.readable_name(declared.name if declared else feature)


def _paths(board: graph.Board, centers: dict[str, Point]) -> list[str]:
    """Draw the edges of all paths before any path, so that joints do not show."""
    lines = []
    for path, runs in _runs(board, list(centers)).items():
        for run in runs:
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (centers[name] for name in run))
            title = f"<title>{escape(words.readable_name(path))}</title>"
            lines.append((f'points="{points}" style="{tint_of(path).style}"', title))
    edges = [f'<polyline class="path edge" {line}/>' for line, _ in lines]
    return edges + [f'<polyline class="path" {line}>{title}</polyline>' for line, title in lines]


def _runs(board: graph.Board, spaces: list[str]) -> dict[str, list[list[str]]]:
    """Join the steps of each path to runs from hex to hex."""
    runs: dict[str, list[list[str]]] = {}
    for path, first, second in board.paths:
        if first in spaces and second in spaces:
            path_runs = runs.setdefault(path, [])
            if path_runs and path_runs[-1][-1] == first:
                path_runs[-1].append(second)
            else:
                path_runs.append([first, second])
    return runs


def _sides(board: graph.Board, sheet: MapLayout[str]) -> list[str]:
    lines = []
    for first, second, features in board.sides:
        if first not in sheet.centers or second not in sheet.centers:
            continue
        for index, feature in enumerate(features):
            for (x1, y1), (x2, y2) in sheet.lines_between(first, second, (index - (len(features) - 1) / 2) * 7):
                lines.append(
                    f'<line class="side" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                    f'style="{tint_of(feature).style}"><title>{escape(words.readable_name(feature))}</title></line>'
                )
    return lines


def _counters(book: graph.Graph, position: graph.Position, centers: dict[str, Point]) -> list[str]:
    elements = []
    for name, (x, y) in centers.items():
        pieces = [piece for piece in position.pieces if piece.at == name]
        edge, spots = SEATS[min(len(pieces), 4)]
        seen = len(pieces) if len(pieces) <= 4 else 3
        corners = [(x + right - edge / 2, y + down - edge / 2) for right, down in spots]
        for index, piece in enumerate(pieces):
            # Counters below the top ones of a stack are emitted, too: the page shows them when the stack is opened.
            hidden = "" if index < seen else ' display="none"'
            corner = corners[min(index, 3)]
            arrows = "".join(
                f'<polygon class="facing"{aim_points} points="{facing_arrow(*corner, edge, toward)}"/>'
                for toward, aim_points in _facings(book, piece, centers)
            )
            drawing = draw_counter(piece_face(book, piece), *corner, edge)
            elements.append(f'<g data-unit="{escape(piece.name)}"{hidden}>{drawing}{arrows}</g>')
        if seen < len(pieces):
            more = PrintedFace(f"+{len(pieces) - seen}", tint_of(""), (), "")
            elements.append(f'<g data-heap="">{draw_counter(more, *corners[3], edge)}</g>')
    return elements


def _facings(book: graph.Graph, piece: graph.PieceAt, centers: Mapping[str, Point]) -> Iterator[tuple[Point, str]]:
    """Yield the directions that the notes of a piece give, as vectors of length 1.

    Where a note names a hex, an attribute has the points between which the arrow points, so that a page can turn it.
    """
    notes, tracks = dict(piece.tracks), book.vocabulary.tracks
    for key in facing_tracks(book):
        owner, _, name = key.partition(".")
        value = notes.get(name, tracks[key].initial) if owner == piece.kind else None
        if isinstance(value, graph.Spot) and piece.at != value.name in centers and piece.at in centers:
            (x1, y1), (x2, y2) = centers[piece.at], centers[value.name]
            length = math.dist((x1, y1), (x2, y2))
            yield ((x2 - x1) / length, (y2 - y1) / length), f' data-aim="{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f}"'
        elif isinstance(value, graph.LiteralExpr) and (number := direction_number(book, key, literal_value(value))):
            yield unit_vector(number), ""


# How many counters share a hex: their edge, and where their middles lie from the middle of the hex, so that they leave
# its name above them and its ground below them free.
SEATS: dict[int, tuple[float, tuple[Point, ...]]] = {
    0: (0, ()),
    1: (48, ((0, 1),)),
    2: (41, ((-21.5, 1), (21.5, 1))),
    3: (28, ((-16, -18), (16, -18), (0, 11.4))),
    4: (28, ((-16, -18), (16, -18), (-16, 11.4), (16, 11.4))),
}


def _crossings(book: graph.Graph, board: graph.Board, spaces: list[str]) -> list[str]:
    """Return the descriptions of hexsides and paths, so that colors need not be recognized."""
    sides: dict[str, list[str]] = {}
    for first, second, features in board.sides:
        for feature in features if first in spaces and second in spaces else ():
            sides.setdefault(_feature(book, "hexside", feature), []).append(f"{first}/{second}")
    noun = "connection" if board.shapes else "hexside"
    phrases = [
        f"{side} {noun}{'s' if len(borders) > 1 else ''} {words.list_text(borders)}" for side, borders in sides.items()
    ]
    runs = _runs(board, spaces).items()
    return phrases + [
        f"{_feature(book, 'path', path)} {words.list_text(['–'.join(run) for run in path_runs])}"
        for path, path_runs in runs
    ]


def _with_value(name: str, value: str) -> str:
    """Return a value behind its name, without repeating a word: "goes as a cart", not "goes as as a cart"."""
    *head, last = name.split()
    return " ".join([*head, value] if value.startswith(f"{last} ") else [*head, last, value])


def column_name(name: str) -> str:
    """Return the text for a name that varies between cases: the head of its column."""
    return f"“{words.readable_name(name)}”" if len(name) > 1 else name


def _piece_words(wording: Wording, piece: graph.PieceAt) -> str:
    """Return the description of a piece, and what the position states beyond its chart."""
    book = wording.rules
    known = piece.counter in book.counters
    named = words.counter(piece.counter, book.counters) if known else words.kind(piece.kind, book.vocabulary)
    owner = f", {words.member('side', piece.owner, book.vocabulary)}" if piece.owner else ""
    more = [words.flag(piece.kind, mark, book.vocabulary) for mark in piece.marks]
    values = ((words.factor_name(name, book.vocabulary), value) for name, value in (*piece.printed, *piece.tracks))
    more += [_with_value(name, wording.phrase(value)) for name, value in values]
    more += [words.flag(piece.kind, piece.place, book.vocabulary)] if piece.place else []
    more += [] if piece.at else ["off the map"]
    suffix = f" ({', '.join(more)})" if more else ""
    return f"{named}{owner}{suffix}"


def _notes(wording: Wording, position: graph.Position) -> tuple[str, ...]:
    """Return what no piece and no hex shows: related pairs, facts, tracks of hexes, the clock."""
    book = wording.rules
    phrases = _crossings(book, position.board, _drawn_spaces(position))
    phrases += [
        f"{left} {words.factor_name(relation, book.vocabulary)} {right}" for relation, left, right, _ in position.pairs
    ]
    for name, value in position.facts:
        owner, _, fact = name.partition(".")
        track: graph.Expr = graph.GameTrack(cast(graph.TrackOwner, owner), fact)
        if owner not in ("game", "scenario"):
            track = graph.Get(graph.Member("side", owner), "track", "side", fact)
        if isinstance(value, graph.Truth):
            phrases.append(wording.condition_phrase(track, holds=value.value))
        else:
            noted = wording.phrase(track)
            phrases.append(f"{noted} {agreeing_verb(noted, 'is')} {wording.phrase(value)}")
    phrases += [
        f"the {words.factor_name(track, book.vocabulary)} of {name} is {wording.phrase(value)}"
        for name, track, value in position.hex_tracks
    ]
    phrases += [f"phase {words.readable_name(position.phase)}"] if position.phase else []
    return tuple(words.sentence(text) for text in phrases)
