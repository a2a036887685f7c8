"""Counters as on the map: a square in its owner's color, a name, factors in the corners.

The input is rows of the unit function chart, or pieces of a position; the output is faces, and faces drawn as SVG.
"""

import itertools
import re
from collections.abc import Iterable
from html import escape

from compiler.rulebook.drawings.face_places import face_places
from compiler.rulebook.drawings.hexagon import Point
from compiler.rulebook.drawings.tints import Tint, side_tint
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.wording import Wording

FIFTH_FACTOR = (0.5, 0.92)  # the place of a fifth factor, between the lower corners
WIDTH_BELOW = 0.42  # the share of the edge that it may fill
CORNERS = ((0.09, 0.27, "start"), (0.91, 0.27, "end"), (0.09, 0.92, "start"), (0.91, 0.92, "end"))
LARGEST_FONTS = (
    0.3,
    0.22,
    0.15,
)  # font size of a name on 1, 2, 3 lines without overlapping numbers, relative to the edge
WIDEST_LINE = 0.88  # the share of the edge that a line of a name may fill
TIGHT = 0.7  # the share above which a line of a name is fitted to the width that it is reckoned to have
NAME_BREAK = re.compile(r"(?<= )|(?<=[a-z]-)|(?<=[a-z])(?=[0-9])")  # between which a name breaks
BREADTHS = {
    **dict.fromkeys("mMwW", 0.95), **dict.fromkeys("il.,' ", 0.3), **dict.fromkeys("fjrtsI-/()", 0.42),
    **dict.fromkeys("0123456789acez", 0.51),
}  # fmt: skip
PICTURE_EDGE = 48  # of a separate picture, in pixels
LEGIBLE = 36  # below this edge, in pixels, a counter shows its name only


@frozen_dataclass
class PrintedFace:
    """The printed face of a counter: factors in its corners, "" where one is empty, and one below its name."""

    name: str
    tint: Tint  # of its side
    factors: tuple[str, ...]
    sign: str  # one short word from the counter, or ""
    below: str = ""


def chart_face(book: graph.Graph, counter: graph.Counter) -> PrintedFace:
    """Build the face of a row of the chart."""
    return _face(book, words.counter(counter.id, book.counters), counter.kind, counter.owner, dict(counter.printed))


def piece_face(book: graph.Graph, piece: graph.PieceAt) -> PrintedFace:
    """Build the face of a piece: its row of the chart, with the different values of this piece."""
    counter = book.counters.get(piece.counter)
    printed = {**dict(counter.printed if counter else ()), **dict(piece.printed)}
    return _face(book, piece.name, piece.kind, piece.owner, printed)


def draw_counter(face: PrintedFace, x: float, y: float, edge: float) -> str:
    """Draw a face with its upper left corner at x, y."""
    parts = [
        f'<rect class="counter" x="{x:.1f}" y="{y:.1f}" width="{edge:.1f}" height="{edge:.1f}" rx="3" '
        f'style="{face.tint.style}"/>'
    ]

    def text(kind: str, right: float, down: float, size: float, anchor: str, label: str) -> None:
        # The font of a reader may be wider than the one that is reckoned with.
        width = size * text_width(label)
        fitted = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if width > TIGHT * edge else ""
        parts.append(
            f'<text class="{kind}" x="{x + right * edge:.1f}" y="{y + down * edge:.1f}" font-size="{size:.1f}" '
            f'text-anchor="{anchor}"{fitted}>{escape(label)}</text>'
        )

    factors = (*face.factors, face.below) if edge >= LEGIBLE else ()
    lines, part = name_lines(face.name)
    size = edge * part
    middle = 0.52 if factors else 0.5
    for index, line in enumerate(lines):
        down = middle + size / edge * (0.34 + index - (len(lines) - 1) / 2)
        text("piece", 0.5, down, size, "middle", line)
    small = edge * (0.2 if len(face.sign) < 2 else 0.165)  # Three words above one another's head need room.
    for factor, (right, down, anchor) in zip(face.factors if factors else (), CORNERS, strict=False):
        if factor:
            text("factor", right, down, small, anchor, factor)
    if factors and face.below:
        text("factor", *FIFTH_FACTOR, min(small, edge * WIDTH_BELOW / text_width(face.below)), "middle", face.below)
    if factors and face.sign:
        text("factor", 0.5, 0.27, small, "middle", face.sign)
    return "".join(parts)


def facing_arrow(x: float, y: float, edge: float, toward: Point) -> str:
    """Return the corners of an arrowhead on the edge of a counter, which points `toward` a direction of length 1."""
    right, down = toward
    reach = edge / 2 / max(abs(right), abs(down))
    middle_x, middle_y = x + edge / 2, y + edge / 2
    # Longer than it is wide, and notched: an equal-sided one points three ways.
    size = max(edge, LEGIBLE)
    base, notch, tip, half = reach - 0.1 * size, reach - 0.01 * size, reach + 0.24 * size, 0.12 * size
    points = (
        (tip * right, tip * down),
        (base * right - half * down, base * down + half * right),
        (notch * right, notch * down),
        (base * right + half * down, base * down - half * right),
    )
    return " ".join(f"{middle_x + dx:.1f},{middle_y + dy:.1f}" for dx, dy in points)


def counter_picture(face: PrintedFace) -> str:
    """Draw one counter as a separate picture, as an SVG element; the row beside it describes it in words."""
    size = PICTURE_EDGE + 4
    drawing = draw_counter(face, 2, 2, PICTURE_EDGE)
    box = f'width="{size}" height="{size}" viewBox="0 0 {size} {size}"'
    return f'<svg class="lone" role="img" aria-label="{escape(face.name)}, its counter" {box}>{drawing}</svg>'


def printed_value(book: graph.Graph, value: graph.Expr | None) -> str:
    """Return the text of a printed value; a dash if it is absent."""
    match value:
        case None:
            return "–"
        case graph.Num(number, _):
            return words.number(number)
        case graph.Member(enum, name):
            return words.printed_abbreviation(enum, name, book.vocabulary)
        case other:
            return Wording(book).phrase(other)


def printed_text(
    wording: Wording, kind: str, counter: str, printed: Iterable[tuple[str, graph.Expr]], traits: Iterable[str]
) -> str:
    """Return a sentence with what a counter prints, and its traits."""
    vocabulary, within = wording.vocabulary, wording.with_names({"counter": "it"})
    figures, clauses = list[str](), list[str]()
    for name, value in printed:
        phrase, field = wording.phrase(value), graph.Get(graph.Var("counter"), "printed", kind, name)
        noun = words.factor_name(name, vocabulary)
        if clause := within.stated(field, phrase, holds=True):
            clauses.append(clause)
        elif isinstance(value, graph.Num):
            figures.append(f"{words.article(noun)} of {phrase}")
        else:
            clauses.append(f"its {noun} is {phrase}")
    if trait_text := words.list_text([words.flag(kind, trait, vocabulary) for trait in traits]):
        clauses.append(f"it is {trait_text}")
    text = f"{words.counter(counter, wording.rules.counters)} has {words.list_text(figures) or 'no figures'}"
    return "; ".join((text, *clauses))


def _face(book: graph.Graph, name: str, kind: str, owner: str, printed: dict[str, graph.Expr]) -> PrintedFace:
    declared = book.vocabulary.kinds.get(kind)
    order = [part.name for part in declared.printed] if declared else []
    values = {
        part: printed[part] for part in [*order, *(part for part in printed if part not in order)] if part in printed
    }
    places = face_places(book, kind, values)
    corners = tuple(printed_value(book, values[part]) if part else "" for part in places.corners)
    below, above = (printed_value(book, values[part]) if part else "" for part in (places.below, places.above))
    signs = [
        words.printed_abbreviation(value.enum, value.name, book.vocabulary)
        for part, value in values.items()
        if isinstance(value, graph.Member) and len(value.name) <= 2 and part not in places.factors
    ]
    return PrintedFace(
        words.readable_name(name), side_tint(owner, book.vocabulary), corners, above or next(iter(signs), ""), below
    )


def name_lines(name: str, most: int = len(LARGEST_FONTS)) -> tuple[tuple[str, ...], float]:
    """Split a name into the lines with which it is largest; return them and their font size relative to the edge."""
    parts = [part for part in NAME_BREAK.split(name) if part]
    best: tuple[tuple[str, ...], float] = ((name,), 0.0)
    for count in range(min(most, len(parts))):
        for ends in itertools.combinations(range(1, len(parts)), count):
            lines = tuple(
                "".join(parts[start:end]).strip() for start, end in itertools.pairwise((0, *ends, len(parts)))
            )
            size = min(LARGEST_FONTS[count], WIDEST_LINE / max(map(text_width, lines)))
            if size > best[1]:
                best = (lines, size)
    return best


def text_width(line: str) -> float:
    """Return the approximate width of a line in bold type of size 1."""
    return sum(BREADTHS.get(letter, 0.74 if letter.isupper() else 0.55) for letter in line)
