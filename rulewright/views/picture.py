"""Draw a position as a picture one could play from: ground, hexsides, paths, counters, markers, a legend.

In: a state, as far as the reader may know of it. Out: SVG that stands alone, every color written out, so that
any viewer and any converter draws the same. PNG comes from resvg, which needs no system libraries.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from compiler.rulebook.drawings.counters import FITS, chart_face
from compiler.rulebook.drawings.hexagon import Hexagon, Point
from compiler.rulebook.drawings.tints import tint
from rulewright.bootstrap import command_for
from rulewright.errors import UsageError
from rulewright.saving import save_bytes, save_text
from rulewright.table.chart import BARE, ground, marker, printed, rgb
from runtime.graph import words
from runtime.state.position import State

RADIUS = 46.0
HEX = Hexagon(RADIUS)
MARGIN = 14.0
COUNTER = 40.0
# Counters of a hex lie on each other, the upper ones a little to the right and up; more than this are counted.
STACKED = 4
SHIFT = 7.0
WIDEST = 14
LEGEND = 26.0
FONT = 'font-family="DejaVu Sans, Arial, Helvetica, sans-serif"'


def save_picture(state: State, file: Path) -> None:
    """Draw into a file; its ending says how."""
    drawn = svg(state)
    match file.suffix.lower():
        case ".svg":
            save_text(file, drawn)
        case ".png":
            save_bytes(file, png(drawn))
        case other:
            raise UsageError(f"pictures are .svg or .png, not `{other or file.name}`")


def png(drawn: str) -> bytes:
    """Paint an SVG."""
    try:
        import resvg_py  # noqa: PLC0415 -- an extra
    except ImportError:
        raise UsageError(
            f"a .png needs resvg_py, which is not here (.svg needs nothing): {command_for('pictures')}"
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, background="white"))


def svg(state: State) -> str:
    """Draw a position."""
    centers = [HEX.center(state.board.column[h], state.board.row[h]) for h in range(state.board.size)]
    left, top = min(x for x, _ in centers) - HEX.width / 2, min(y for _, y in centers) - RADIUS
    wide = max(x for x, _ in centers) + HEX.width / 2 - left + 2 * MARGIN
    legend = list(_legend(state, left, max(y for _, y in centers) + RADIUS + 2 * MARGIN, wide - 2 * MARGIN))
    rows = 1 + max((row for row, _ in legend), default=0)
    high = max(y for _, y in centers) + RADIUS - top + 2 * MARGIN + rows * LEGEND + MARGIN
    order = sorted(state.at, key=lambda h: centers[h])
    parts = [
        *(_ground(state, h, centers[h]) for h in range(state.board.size)),
        *_paths(state, centers),
        *_sides(state, centers),
        *(_name(state, h, centers[h]) for h in range(state.board.size)),
        *(part for h in order for part in _stack(state, state.at[h], centers[h])),
        *(part for _, part in legend),
    ]
    title = f"turn {state.turn}" + (f", {words.spaced(state.phase)}" if state.phase else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" {FONT} '
        f'viewBox="{left - MARGIN:.1f} {top - MARGIN:.1f} {wide:.1f} {high:.1f}">\n<title>{escape(title)}</title>\n'
        f'<rect x="{left - MARGIN:.1f}" y="{top - MARGIN:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def ink(word: str, lightness: float) -> str:
    """Give a word its color."""
    color = tint(word)
    return rgb(color.hue, color.saturation, lightness - 8 * color.depth)


def _ground(state: State, h: int, at: Point) -> str:
    """Tint a hex by its first feature, and ring it with the others that lie on the ground itself."""
    features = ground(state, h)
    parts = [
        f'<polygon points="{HEX.corners(at, 1)}" fill="{ink(features[0], 84) if features else BARE}" '
        f'stroke="rgb(150,140,125)" stroke-width="1"/>'
    ]
    parts += [
        f'<polygon points="{HEX.corners(at, 0.95 - 0.12 * place)}" fill="none" '
        f'stroke="{ink(each, 60)}" stroke-width="4"/>'
        for place, each in enumerate(features[1:])
    ]
    return "".join(parts)


def _name(state: State, h: int, at: Point) -> str:
    """Write a hex's name above and its ground below."""
    said = ", ".join(bare("hex", each, state) for each in ground(state, h))
    upon = " ".join(filter(None, (marker(state, each) for each in printed(state, h))))
    below = [words.flag("hex", key.partition(".")[2], state.graph.vocabulary)
             for key, on in sorted(state.marks.items()) if key.startswith("hex.") and h in on]  # fmt: skip
    name = f"{state.board.names[h]} {upon}".rstrip()
    parts = [_text(at[0], at[1] - RADIUS * 0.54, 10, name, "rgb(70,62,50)")]
    told = ", ".join((said, *below)) if said else ", ".join(below)
    # Where a hex is as wide as a long name no longer, its ground takes two lines.
    lines = [told] if len(told) <= WIDEST else _broken(told)
    for up, line in enumerate(reversed(lines)):
        parts.append(_text(at[0], at[1] + RADIUS * (0.66 - 0.2 * up), 8, line, "rgb(90,80,66)"))
    return "".join(parts)


def bare(owner: str, name: str, state: State) -> str:
    """Read a word of the map without its article."""
    return words.flag(owner, name, state.graph.vocabulary).removeprefix("a ").removeprefix("an ").removeprefix("at ")


def _text(x: float, y: float, size: float, said: str, color: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="middle" fill="{color}"{weight}>'
        f"{escape(said)}</text>"
    )


def _paths(state: State, centers: Sequence[Point]) -> Iterator[str]:
    """Draw paths from hex to hex, all edges before any inside, so that joints do not show."""
    lines = [(path, a, b) for path, sides in sorted(state.board.paths.items()) for a, b in sorted(sides)]
    for width, shade in ((9.0, None), (6.0, 62.0)):
        for path, a, b in lines:
            (x1, y1), (x2, y2) = centers[a], centers[b]
            color = ink(path, shade) if shade else "rgb(70,62,50)"
            yield (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
                f'stroke-width="{width}" stroke-linecap="round"/>'
            )


def _sides(state: State, centers: Sequence[Point]) -> Iterator[str]:
    """Draw what runs along hexsides."""
    for (a, b), features in sorted(state.board.sides.items()):
        for place, feature in enumerate(sorted(features)):
            ends = HEX.side(centers[a], centers[b], (place - (len(features) - 1) / 2) * 6)
            if ends is None:
                continue
            (x1, y1), (x2, y2) = ends
            yield (
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                f'stroke="{ink(feature, 45)}" stroke-width="6" stroke-linecap="square"/>'
            )


def _stack(state: State, pieces: Sequence[int], at: Point) -> Iterator[str]:
    """Lay the pieces of a hex on each other; what lies without an owner lies below."""
    order = sorted(pieces, key=lambda piece: (bool(state.side[piece]), len(state.printed[piece]), -piece))
    shown = order[-STACKED:]
    spread = SHIFT * (len(shown) - 1) / 2
    for place, piece in enumerate(shown):
        x, y = at[0] - spread + place * SHIFT, at[1] + spread - place * SHIFT
        yield from _counter(state, piece, x - COUNTER / 2, y - COUNTER / 2)
    if len(order) > STACKED:
        yield f'<circle cx="{at[0] - 24:.1f}" cy="{at[1] + 20:.1f}" r="9" fill="white" stroke="black"/>'
        yield _text(at[0] - 24, at[1] + 23.5, 10, f"{len(order)}", "black", bold=True)


def _counter(state: State, piece: int, x: float, y: float) -> Iterator[str]:
    """Draw a counter: its name, its factors in the corners, and what lies on it."""
    sheet = state.sheets[piece]
    vocabulary = state.graph.vocabulary
    fill = ink(sheet.side or "nobody", 76)
    yield (
        f'<g><title>{escape(sheet.name)}</title><rect x="{x:.1f}" y="{y:.1f}" width="{COUNTER}" height="{COUNTER}" '
        f'rx="3" fill="{fill}" stroke="{ink(sheet.side or "nobody", 28)}" stroke-width="1.4"/></g>'
    )
    name = words.spaced(sheet.counter or sheet.kind)
    lines = [name] if len(name) <= FITS else _broken(name)
    size = min(11.0, COUNTER * 1.55 / max(map(len, lines)))
    for place, line in enumerate(lines):
        yield _text(
            x + COUNTER / 2,
            y + COUNTER / 2 + size * (0.35 + place - (len(lines) - 1) / 2),
            size,
            line,
            "black",
            bold=True,
        )
    row = state.graph.counters.get(sheet.counter)
    corners = ((6, 9), (COUNTER - 6, 9), (6, COUNTER - 3), (COUNTER - 6, COUNTER - 3))
    for said, (right, down) in zip(chart_face(state.graph, row).factors if row else (), corners, strict=False):
        yield _text(x + right, y + down, 8, said, "black")
    laid = [flag.marker for key, flag in sorted(vocabulary.flags.items())
            if flag.marker and flag.owner == sheet.kind and piece in state.marks.get(key, ())]  # fmt: skip
    if laid:
        left, top = x + 1, y + COUNTER - 3
        yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{COUNTER - 2}" height="9" fill="rgb(180,30,30)"/>'
        yield _text(x + COUNTER / 2, y + COUNTER + 4, 7.5, ", ".join(laid), "white", bold=True)


def _broken(name: str) -> list[str]:
    """Break a long name in two."""
    gaps = [place for place, sign in enumerate(name) if sign == " "]
    if not gaps:
        return [name]
    at = min(gaps, key=lambda place: abs(place - len(name) / 2))
    return [name[:at], name[at + 1 :]]


def _legend(state: State, left: float, top: float, wide: float) -> Iterator[tuple[int, str]]:
    """Say what the colors mean, and the clock; each part with its row."""
    vocabulary = state.graph.vocabulary
    paths = [(ink(path, 62), bare("path", path, state)) for path in sorted(state.board.paths)]
    sides = sorted({feature for features in state.board.sides.values() for feature in features})
    printed_here = {feature for h in range(state.board.size) for feature in printed(state, h)}
    upon = [f"{sign} {bare('hex', each, state)}" for each in sorted(printed_here) if (sign := marker(state, each))]
    grounds = sorted({feature for h in range(state.board.size) for feature in ground(state, h)})
    owners = sorted({side for side in state.side if side})
    told: Iterable[tuple[str, str]] = [
        *((ink(side, 76), words.member("side", side, vocabulary)) for side in owners),
        *((ink(each, 84), bare("hex", each, state)) for each in grounds),
        *((ink(each, 45), bare("hexside", each, state)) for each in sides),
        *paths,
        *(("white", each) for each in upon),
    ]
    clock = f"turn {say_turn(state)}"
    x, row = left + len(clock) * 8.0 + 20, 0
    yield 0, f'<text x="{left:.1f}" y="{top + 12:.1f}" font-size="13" font-weight="bold">{escape(clock)}</text>'
    for color, word in told:
        room = 30 + len(word) * 7.5
        if x + room > left + wide:
            x, row = left, row + 1
        y = top + row * LEGEND
        yield row, f'<rect x="{x:.1f}" y="{y:.1f}" width="18" height="14" fill="{color}" stroke="rgb(90,80,66)"/>'
        yield row, f'<text x="{x + 23:.1f}" y="{y + 12:.1f}" font-size="12">{escape(word)}</text>'
        x += room


def say_turn(state: State) -> str:
    """Say the clock: `3, german, movement`."""
    parts = (str(state.turn), state.player, words.spaced(state.phase))
    return ", ".join(part for part in parts if part)
