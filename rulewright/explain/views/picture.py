"""Render a position as a picture: ground, hexsides, paths, counters, markers, and a legend.

In: a state, as far as the reader may know it. Out: self-contained SVG with explicit colors, which all viewers and
converters render alike. The attributes `data-space` and `data-piece` identify shapes for a page on which they are
clicked. PNG is rendered by resvg, which needs no system libraries.
"""

import colorsys
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from compiler.rulebook.drawings.counters import TIGHT, chart_face, facing_arrow, name_lines, text_width
from compiler.rulebook.drawings.hexagon import Hexagon, Point
from compiler.rulebook.drawings.map_layout import MapLayout, compute_layout
from compiler.rulebook.drawings.tints import Tint, side_tint, tint_of
from rulewright.explain.views.chart import feature_marker, ground_names, printed_features
from rulewright.explain.views.facings import facing_vectors
from rulewright.system.atomic_files import save_bytes, save_text
from rulewright.system.environment import command_for
from rulewright.system.errors import UsageError
from runtime.board.board import Board
from runtime.graph import words
from runtime.graph.steps import phases_of_sequence
from runtime.state.position import State

BARE = "rgb(240,234,216)"  # the ground without features
RADIUS = 46.0
# The font size of a hex's name, and the width of a letter relative to it.
NAME_SIZE, LETTER = 10, 0.58
DRAWN_HEX = Hexagon(RADIUS)
PADDING = 14.0
NARROWEST = 360.0
COUNTER_SIZE = 40.0
# The counters of a hex overlap, upper ones shifted to the right and up; of more than this, the number is drawn.
STACKED = 4
SHIFT = 7.0
WIDEST = 14
NARROWER = 0.9  # The type here is so much wider than that of books, after which names are broken.
LEGEND = 26.0
# The most pixels, which take 160 megabytes, and the least scale at which names are legible.
PIXELS, MOST_PIXELS_ACROSS, SMALLEST = 40_000_000, 60_000, 0.3
SIZE = re.compile(r'width="(\d+)" height="(\d+)"')
FONT = 'font-family="DejaVu Sans, Arial, Helvetica, sans-serif"'


def save_picture(state: State, file: Path) -> None:
    """Save the picture of a state to a file, in the format of its suffix."""
    svg = position_svg(state)
    match file.suffix.lower():
        case ".svg":
            save_text(file, svg)
        case ".png":
            save_bytes(file, _png_bytes(svg))
        case other:
            raise UsageError(f"pictures are .svg or .png, not `{other or file.name}`")


def _png_bytes(svg: str) -> bytes:
    """Render an SVG as PNG, scaled down if it is large; `UsageError` if it would be illegible."""
    try:
        import resvg_py  # noqa: PLC0415 -- an extra
    except ImportError:
        raise UsageError(
            f"a .png needs resvg_py, which is not here (.svg needs nothing): {command_for('pictures')}"
        ) from None
    found = SIZE.search(svg)
    assert found is not None, "an SVG of ours begins with its size"
    wide, high = int(found[1]), int(found[2])
    smaller = min(1.0, math.sqrt(PIXELS / (wide * high)), MOST_PIXELS_ACROSS / max(wide, high))
    if smaller < SMALLEST:
        raise UsageError(
            f"a .png of this map would be {wide:,} by {high:,} pixels, since the spaces that lie closest together have"
            " to be told apart; a .svg may be as large"
        )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, background="white", width=max(1, int(wide * smaller))))


def position_svg(state: State) -> str:
    """Render a position as SVG."""
    board = state.board
    sheet = compute_layout(DRAWN_HEX, {h: (board.column[h], board.row[h]) for h in range(board.size)}, board.outlines)
    centers = sheet.centers
    left, top, right, bottom = sheet.bounding_box()
    # A map of a few points is narrower than its legend.
    wide = max(right - left, NARROWEST) + 2 * PADDING
    legend = list(_legend(state, left, bottom + 2 * PADDING, wide - 2 * PADDING))
    rows = 1 + max((row for row, _ in legend), default=0)
    high = bottom - top + 2 * PADDING + rows * LEGEND + PADDING
    order = sorted(state.at, key=lambda h: centers[h])
    parts = [
        *_connections(state, sheet, is_overlay=False),
        *(_ground(state, h, sheet) for h in range(board.size)),
        *_connections(state, sheet, is_overlay=True),
        *_closed(sheet, board),
        *_paths(state, centers),
        *_sides(state, sheet),
        *(_name(state, h, centers[h]) for h in range(state.board.size)),
        *(part for h in order for part in _stack(state, state.at[h], h, centers)),
        *(part for _, part in legend),
    ]
    title = f"turn {state.turn}" + (f", {words.readable_name(state.phase)}" if state.phase else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" {FONT} '
        f'viewBox="{left - PADDING:.1f} {top - PADDING:.1f} {wide:.1f} {high:.1f}">\n<title>{escape(title)}</title>\n'
        f'<rect x="{left - PADDING:.1f}" y="{top - PADDING:.1f}" '
        f'width="{wide:.1f}" height="{high:.1f}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _color_of(word: str, lightness: float) -> str:
    """Return the color of an identifier."""
    return _tint_color(tint_of(word), lightness)


def _tint_color(color: Tint, lightness: float) -> str:
    """Return a tint as a color, converted from HSL."""
    levels = (min(100, lightness - 8 * color.depth) / 100, min(100, color.saturation) / 100)
    return f"rgb({','.join(str(round(part * 255)) for part in colorsys.hls_to_rgb(color.hue / 360, *levels))})"


def _connections(state: State, sheet: MapLayout[int], *, is_overlay: bool) -> Iterator[str]:
    """Draw connections: below the ground of their points, or dashed if `is_overlay`; one-way ones with an arrow."""
    board = state.board
    for a, others in sorted(board.joined.items()):
        for b in others:
            is_two_way = b in board.around[a] and a in board.around[b]
            if (is_two_way and a > b) or (not is_two_way and b not in board.around[a]) or sheet.share_edge(a, b):
                continue
            (x1, y1), (x2, y2) = sheet.centers[a], sheet.centers[b]
            if is_overlay != any(end in board.sheet_of or end in sheet.drawn_outlines for end in (a, b)):
                continue
            dashed = ' stroke-dasharray="7 5"' if is_overlay else ""
            yield (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="rgb(120,110,95)" '
                f'stroke-width="4"{dashed}/>'
            )
            if not is_two_way:
                yield _arrow(sheet, a, b)


def _arrow(sheet: MapLayout[int], a: int, b: int) -> str:
    """Draw an arrowhead on a one-way connection, at about two thirds of its length."""
    (x1, y1), (x2, y2) = sheet.centers[a], sheet.centers[b]
    distance = math.dist((x1, y1), (x2, y2)) or 1.0
    dx, dy = (x2 - x1) / distance, (y2 - y1) / distance
    x, y = x1 + 0.62 * (x2 - x1), y1 + 0.62 * (y2 - y1)
    corners = ((x + 12 * dx, y + 12 * dy), (x - 7 * dy, y + 7 * dx), (x + 7 * dy, y - 7 * dx))
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
    return f'<polygon points="{points}" fill="rgb(120,110,95)"/>'


def _closed(sheet: MapLayout[int], board: Board) -> Iterator[str]:
    """Draw the edges of areas that cannot be crossed as thick lines."""
    for (x1, y1), (x2, y2) in sheet.closed_edges((a, b) for a, others in board.joined.items() for b in others):
        yield (
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="rgb(70,62,50)" stroke-width="7"/>'
        )


def _ground(state: State, h: int, sheet: MapLayout[int]) -> str:
    """Draw a space in the color of its first ground feature, with rings in those of the others."""
    features = ground_names(state, h)
    parts = [
        f'{sheet.shape_tag(h, 1)} fill="{_color_of(features[0], 84) if features else BARE}" '
        f'stroke="rgb(150,140,125)" stroke-width="{2 if h in sheet.outlines else 1}" '
        f'data-space="{escape(state.board.names[h])}"/>'
    ]
    parts += [
        f'{sheet.shape_tag(h, 0.95 - 0.12 * index)} fill="none" stroke="{_color_of(each, 60)}" stroke-width="4"/>'
        for index, each in enumerate(features[1:])
    ]
    return "".join(parts)


def _name(state: State, h: int, center: Point) -> str:
    """Draw the name of a hex above and its ground below."""
    ground_text = ", ".join(_without_article_of("hex", each, state) for each in ground_names(state, h))
    signs = " ".join(filter(None, (feature_marker(state, each) for each in printed_features(state, h))))
    below = [words.flag("hex", key.partition(".")[2], state.graph.vocabulary)
             for key, on in sorted(state.marks.items()) if key.startswith("hex.") and h in on]  # fmt: skip
    name = f"{words.readable_name(state.board.names[h])} {signs}".rstrip()
    # On maps of several boards, names are prefixed with the board: they are scaled to the width of the hex.
    size = min(NAME_SIZE, RADIUS * math.sqrt(3) * 0.84 / (LETTER * max(1, len(name))))
    parts = [_text(center[0], center[1] - RADIUS * 0.54, size, name, "rgb(70,62,50)")]
    caption = ", ".join((ground_text, *below)) if ground_text else ", ".join(below)
    # If the ground is longer than the width of the hex, it is drawn on two lines.
    lines = (caption,) if len(caption) <= WIDEST else name_lines(caption, 2)[0]
    for up, line in enumerate(reversed(lines)):
        parts.append(_text(center[0], center[1] + RADIUS * (0.66 - 0.2 * up), 8, line, "rgb(90,80,66)"))
    return "".join(parts)


def _without_article_of(owner: str, name: str, state: State) -> str:
    """Return the phrase of a feature of the map without its article."""
    return words.flag(owner, name, state.graph.vocabulary).removeprefix("a ").removeprefix("an ").removeprefix("at ")


def _text(x: float, y: float, size: float, text: str, color: str, *, bold: bool = False) -> str:
    """Draw a text; a bold one stands on a counter, and has the computed width if it may be wider than that."""
    weight = ' font-weight="bold"' if bold else ""
    width = size * text_width(text)
    is_narrow = not bold or width <= TIGHT * COUNTER_SIZE
    fitted = "" if is_narrow else f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="middle" fill="{color}"{weight}{fitted}>'
        f"{escape(text)}</text>"
    )


def _paths(state: State, centers: Mapping[int, Point]) -> Iterator[str]:
    """Draw paths from hex to hex, all outlines before any fill, so that joints are not visible."""
    lines = [(path, a, b) for path, sides in sorted(state.board.paths.items()) for a, b in sorted(sides)]
    for width, shade in ((9.0, None), (6.0, 62.0)):
        for path, a, b in lines:
            (x1, y1), (x2, y2) = centers[a], centers[b]
            color = _color_of(path, shade) if shade else "rgb(70,62,50)"
            yield (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
                f'stroke-width="{width}" stroke-linecap="round"/>'
            )


def _sides(state: State, sheet: MapLayout[int]) -> Iterator[str]:
    """Draw the features of hexsides and connections."""
    for (a, b), features in sorted(state.board.sides.items()):
        for index, feature in enumerate(sorted(features)):
            for (x1, y1), (x2, y2) in sheet.lines_between(a, b, (index - (len(features) - 1) / 2) * 6):
                yield (
                    f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                    f'stroke="{_color_of(feature, 45)}" stroke-width="6" stroke-linecap="square"/>'
                )


def _stack(state: State, pieces: Sequence[int], h: int, centers: Mapping[int, Point]) -> Iterator[str]:
    """Draw the stacked pieces of a hex; pieces without a side are at the bottom."""
    center = centers[h]
    order = sorted(pieces, key=lambda piece: (bool(state.side[piece]), len(state.printed[piece]), -piece))
    visible_pieces = order[-STACKED:]
    spread = SHIFT * (len(visible_pieces) - 1) / 2
    for index, piece in enumerate(visible_pieces):
        x, y = center[0] - spread + index * SHIFT, center[1] + spread - index * SHIFT
        yield from _counter(state, piece, x - COUNTER_SIZE / 2, y - COUNTER_SIZE / 2, centers)
    if len(order) > STACKED:
        yield f'<circle cx="{center[0] - 24:.1f}" cy="{center[1] + 20:.1f}" r="9" fill="white" stroke="black"/>'
        yield _text(center[0] - 24, center[1] + 23.5, 10, f"{len(order)}", "black", bold=True)


def _counter(state: State, piece: int, x: float, y: float, centers: Mapping[int, Point]) -> Iterator[str]:
    """Draw a counter: its name, its factors in the corners, its marks, and its facing."""
    sheet = state.sheets[piece]
    vocabulary = state.graph.vocabulary
    color = side_tint(sheet.side or "nobody", vocabulary)
    yield (
        f'<g data-piece="{escape(sheet.name)}"><title>{escape(sheet.name)}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{COUNTER_SIZE}" height="{COUNTER_SIZE}" '
        f'rx="3" fill="{_tint_color(color, 76)}" stroke="{_tint_color(color, 28)}" stroke-width="1.4"/>'
    )
    row = state.graph.counters.get(sheet.counter)
    name = words.counter(row.id, state.graph.counters) if row else words.readable_name(sheet.counter or sheet.kind)
    lines, part = name_lines(name)
    size = COUNTER_SIZE * part * NARROWER
    for index, line in enumerate(lines):
        yield _text(
            x + COUNTER_SIZE / 2,
            y + COUNTER_SIZE / 2 + size * (0.35 + index - (len(lines) - 1) / 2),
            size,
            line,
            "black",
            bold=True,
        )
    corners = ((6, 9), (COUNTER_SIZE - 6, 9), (6, COUNTER_SIZE - 3), (COUNTER_SIZE - 6, COUNTER_SIZE - 3))
    face = chart_face(state.graph, row) if row else None
    for factor, (right, down) in zip(face.factors if face else (), corners, strict=False):
        if factor:
            yield _text(x + right, y + down, 8, factor, "black")
    if face and face.below:
        yield _text(x + COUNTER_SIZE / 2, y + COUNTER_SIZE - 3, 8, face.below, "black")
    markers = [flag.marker for key, flag in sorted(vocabulary.flags.items())
            if flag.marker and flag.owner == sheet.kind and piece in state.marks.get(key, ())]  # fmt: skip
    if markers:
        left, top = x + 1, y + COUNTER_SIZE - 3
        yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{COUNTER_SIZE - 2}" height="9" fill="rgb(180,30,30)"/>'
        yield _text(x + COUNTER_SIZE / 2, y + COUNTER_SIZE + 4, 7.5, ", ".join(markers), "white", bold=True)
    for toward in facing_vectors(state, piece, centers):
        points = facing_arrow(x, y, COUNTER_SIZE, toward)
        yield f'<polygon points="{points}" fill="black" stroke="white" stroke-width="1"/>'
    yield "</g>"


def _legend(state: State, left: float, top: float, wide: float) -> Iterator[tuple[int, str]]:
    """Yield the parts of the legend, with the clock, each with its row."""
    vocabulary = state.graph.vocabulary
    paths = [(_color_of(path, 62), _without_article_of("path", path, state)) for path in sorted(state.board.paths)]
    sides = sorted({feature for features in state.board.sides.values() for feature in features})
    printed_here = {feature for h in range(state.board.size) for feature in printed_features(state, h)}
    signs = [
        f"{sign} {_without_article_of('hex', each, state)}"
        for each in sorted(printed_here)
        if (sign := feature_marker(state, each))
    ]
    grounds = sorted({feature for h in range(state.board.size) for feature in ground_names(state, h)})
    owners = sorted({side for side in state.side if side})
    entries: Iterable[tuple[str, str]] = [
        *((_tint_color(side_tint(side, vocabulary), 76), words.member("side", side, vocabulary)) for side in owners),
        *((_color_of(ground, 84), _without_article_of("hex", ground, state)) for ground in grounds),
        *((_color_of(each, 45), _without_article_of("hexside", each, state)) for each in sides),
        *paths,
        *(("white", each) for each in signs),
    ]
    clock = f"turn {_clock_text(state)}"
    x, row = left + len(clock) * 8.0 + 20, 0
    yield 0, f'<text x="{left:.1f}" y="{top + 12:.1f}" font-size="13" font-weight="bold">{escape(clock)}</text>'
    for color, word in entries:
        width = 38 + 12 * text_width(word)
        if x + width > left + wide:
            x, row = left, row + 1
        y = top + row * LEGEND
        yield row, f'<rect x="{x:.1f}" y="{y:.1f}" width="18" height="14" fill="{color}" stroke="rgb(90,80,66)"/>'
        yield row, f'<text x="{x + 23:.1f}" y="{y + 12:.1f}" font-size="12">{escape(word)}</text>'
        x += width


def _clock_text(state: State) -> str:
    """Format the clock: `3, the Germans, movement`."""
    player = words.member("side", state.player, state.graph.vocabulary) if state.player else ""
    parts = (str(state.turn), player, phase_title(state))
    return ", ".join(part for part in parts if part)


def phase_title(state: State, name: str = "") -> str:
    """Return the title of a phase in the sequence of play, by default that of the state."""
    phase = phases_of_sequence(state.graph).get(name or state.phase)
    return (phase.title.lower() if phase else "") or words.readable_name(name or state.phase)
