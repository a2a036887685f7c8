"""The map as text: two lines per hex or other space, the ground as a color, pieces in the color of their side.

In: a state, the hexes to highlight, and the width of the screen. Out: rich text. Without colors, letters
identify the ground; a map that is wider than the screen is clipped to the part around a hex. What a cell has no room
for, such as roads, is listed by `look`, and below a small map.
"""

import colorsys
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from rich.style import Style
from rich.text import Text

from compiler.rulebook.drawings.tints import tint_of
from rulewright.table.facings import facing_signs
from runtime.answer.value_text import with_space_noun
from runtime.graph import words
from runtime.state.position import State

WIDTHS = (8, 6, 4)
# The width of the box of an area or point, which contains its name.
BOX = 15
INK = "rgb(25,20,15)"
MORE = "the map goes on; `map HEX` shows the part around a hex"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BARE = "rgb(240,234,216)"
# Dark colors of sides that are distinct in 256 and in 16 colors.
SIDES = ("rgb(0,0,175)", "rgb(175,0,0)", "rgb(0,95,0)", "rgb(135,0,135)")
NOBODY = "rgb(88,88,88)"
# The signs of hexsides, by direction, and of a path.
LEFT_UP, RIGHT_UP, RIGHT, PATH = "/", "\\", "|", "="


def draw_chart(
    state: State, wide: int, open_hexes: Collection[int] = (), middle: int | None = None, more: str = MORE
) -> Text:
    """Render the map; `more` is printed below a clipped one."""
    letters = assign_letters(feature for h in range(state.board.size) for feature in ground_names(state, h))
    text = _hexes(state, wide, open_hexes, middle, (letters, more)) if state.board.sheet_of else Text()
    text.append_text(_draw_areas(state, wide, open_hexes, letters))
    return text.append_text(_legend(state, letters, bool(open_hexes), wide))


def _hexes(
    state: State, wide: int, open_hexes: Collection[int], middle: int | None, captions: tuple[dict[str, str], str]
) -> Text:
    """Render the rows of hexes."""
    board = state.board
    letters, more = captions
    board_columns = [board.column[h] for h in board.sheet_of]
    first, last = min(board_columns), max(board_columns)
    columns = last - first + 1
    cell = next((width for width in WIDTHS if columns * width + width // 2 <= wide), 0)
    if not cell:
        cell = WIDTHS[1]
        column_count = max(1, (wide - cell) // cell)
        center = board.column[middle] if middle in board.sheet_of and middle is not None else _busiest(state)
        first = max(first, min(center - column_count // 2, last - column_count + 1))
        last = first + column_count - 1
    spaces_by_cell = {(board.column[h], board.row[h]): h for h in board.sheet_of}
    text = Text()
    for row in sorted({row for _, row in spaces_by_cell}):
        for line in (_names, _pieces):
            text.append(" " * (cell // 2 * (row % 2)))
            for column in range(first, last + 1):
                h = spaces_by_cell.get((column, row))
                if h is None:
                    text.append(" " * cell)
                else:
                    line(text, state, h, cell, letters, h in open_hexes)
            text.append("\n")
    if (first, last) != (min(board_columns), max(board_columns)):
        text.append(f"{with_space_noun(state, more)}\n")
    return text


def _draw_areas(state: State, wide: int, open_hexes: Collection[int], letters: dict[str, str]) -> Text:
    """Render the areas and points in rows, approximately in their places; `hexside_lines` lists their connections."""
    text = Text()
    board = state.board
    if not board.outlines:
        return text
    cell = min(BOX, max(WIDTHS[0], wide // 2))
    rows = _rows(state, max(1, min(wide // (cell + 1), len(board.outlines))))
    for row in rows:
        for line in (_names, _pieces):
            for index in range(max(row) + 1):
                h = row.get(index)
                if h is None:
                    text.append(" " * cell)
                else:
                    line(text, state, h, cell, letters, h in open_hexes)
                text.append(" ")
            text.append("\n")
        text.append("\n")
    return text


def _rows(state: State, most: int) -> list[dict[int, int]]:
    """Arrange areas and points in rows of at most `most` columns, by their vertical and horizontal coordinates."""
    board = state.board
    spaces = sorted(board.outlines, key=lambda h: (board.row[h], board.column[h]))
    left, right = min(board.column[h] for h in spaces), max(board.column[h] for h in spaces)
    top, bottom = board.row[spaces[0]], board.row[spaces[-1]]
    tolerance = (bottom - top) / (2 * len(spaces))  # Spaces whose vertical distance is at most this share a row.
    rows: list[dict[int, int]] = []
    row_top = top
    for h in spaces:
        place = round((board.column[h] - left) * (most - 1) / max(1, right - left))
        if not rows or place in rows[-1] or board.row[h] - row_top > tolerance:
            rows.append({})
            row_top = board.row[h]
        rows[-1][place] = h
    return rows


def printed_features(state: State, h: int) -> list[str]:
    """Return the features of a hex, ground features first, in the order of the card's board where that is known."""
    card = state.graph.scenario
    name = state.board.names[h]
    on_card, feature_set = (
        card.board.hexes[name][2] if card and name in card.board.hexes else (),
        state.board.features[h],
    )
    features = [*(each for each in on_card if each in feature_set), *sorted(feature_set.difference(on_card))]
    return sorted(features, key=lambda feature: bool(feature_marker(state, feature)))


def ground_names(state: State, h: int) -> list[str]:
    """Return the features of a hex that are ground, which are those without a marker."""
    return [feature for feature in printed_features(state, h) if not feature_marker(state, feature)]


def feature_marker(state: State, feature: str) -> str:
    """Return the marker of a feature of hexes; "" if the feature is ground."""
    flag = state.graph.vocabulary.flags.get(f"hex.{feature}")
    return flag.marker if flag else ""


def assign_letters(names: Iterable[str]) -> dict[str, str]:
    """Assign a distinct letter to every identifier, preferably from its spelling; `?` if no letter is left."""
    chosen: dict[str, str] = {}
    for word in sorted(set(names)):
        free = [
            letter for letter in chain(word.lower(), LETTERS) if letter in LETTERS and letter not in chosen.values()
        ]
        chosen[word] = free[0] if free else "?"
    return chosen


def hexside_lines(state: State) -> Iterator[str]:
    """Yield lines with the links, hexside features and paths, which cells do not show."""
    board = state.board
    yield from link_lines(state)
    sides = [(f"{board.names[a]}/{board.names[b]}", each) for (a, b), each in sorted(board.sides.items())]
    if sides:
        noun = "connections" if board.outlines else "hexsides"
        yield f"{noun}: " + ", ".join(f"{side} {' '.join(sorted(features))}" for side, features in sides)
    paths = [(path, a, b) for path, connections in sorted(board.paths.items()) for a, b in sorted(connections)]
    if paths:
        yield "paths: " + ", ".join(f"{path} {board.names[a]}-{board.names[b]}" for path, a, b in paths)


def link_lines(state: State) -> Iterator[str]:
    """Yield a line for every space with links, ordered by name."""
    for h in sorted(state.board.joined, key=lambda h: state.board.names[h]):
        if links := links_of(state, h):
            yield f"{state.board.names[h]}: {links}"


def links_of(state: State, h: int) -> str:
    """Return the names of the spaces that a space is linked to; "" if it only has adjacent hexes."""
    board = state.board
    return ", ".join(_link_text(state, h, other) for other in board.joined.get(h, ()) if other in board.around[h])


def _link_text(state: State, h: int, other: int) -> str:
    """Return the name of the space at the end of a link, with a remark if the link is one way."""
    name = state.board.names[other]
    return name if h in state.board.around[other] else f"{name} (one way)"


def _busiest(state: State) -> int:
    """Return the median column of the pieces; 0 if there are none."""
    sheet_spaces = state.board.sheet_of
    columns = sorted(state.board.column[h] for h, pieces in state.at.items() if h in sheet_spaces for _ in pieces)
    return columns[len(columns) // 2] if columns else 0


def _names(text: Text, state: State, h: int, cell: int, letters: dict[str, str], is_open: bool) -> None:  # noqa: FBT001 -- a fact
    """Append the upper line of a hex: its name, and the letter of its ground."""
    features = ground_names(state, h)
    letter = letters[features[0]] if features else ""
    name = (
        words.readable_name(state.board.names[h])[: cell - 2]
        if h in state.board.outlines
        else state.board.names[h][-cell:]
    )
    upon = "".join(f" {sign}" for feature in printed_features(state, h) if (sign := feature_marker(state, feature)))
    name += upon if len(name) + len(upon) <= cell - 2 * bool(letter) else ""
    style = Style(color="rgb(190,0,0)" if is_open else "rgb(110,100,85)", bgcolor=_ground(features), bold=is_open)
    path = PATH if _has_path(state, h) else ""
    if h in state.board.outlines:
        text.append(name + (letter.rjust(cell - len(name) - 1) + " " if cell > len(name) + 1 else ""), style)
    elif len(name) + 2 > cell:
        # Names as wide as their cells would not be separated, so that only every second one is printed.
        label = name if state.board.column[h] % 2 == 0 or is_open else f" {path or letter}"
        text.append(label.ljust(cell), style)
    else:
        inner = cell - 2 - len(name)
        signs = (path + letter)[:inner].rjust(inner)
        for sign, color in (_edge(state, h, LEFT_UP), (name + signs, ""), _edge(state, h, RIGHT_UP)):
            text.append(sign, style + Style(color=color, bold=True) if color else style)


def _crowded_out(state: State, h: int, cell: int, letters: dict[str, str]) -> str:
    """Return the signs of a hex for the lower line, if its name leaves no room for them in the upper line."""
    if h in state.board.outlines or cell == WIDTHS[-1]:
        return ""
    features = ground_names(state, h)
    signs = (PATH if _has_path(state, h) else "") + (letters[features[0]] if features else "")
    return signs.rjust(cell // 2) if len(state.board.names[h]) + 2 + len(signs) > cell else ""


def _has_path(state: State, h: int) -> bool:
    """Return whether a path leads through a hex."""
    return any(h in ends for ends in chain.from_iterable(state.board.paths.values()))


def _pieces(text: Text, state: State, h: int, cell: int, letters: dict[str, str], is_open: bool) -> None:  # noqa: FBT001 -- a fact
    """Append the lower line of a hex: its pieces."""
    del is_open
    features = ground_names(state, h)
    pieces = state.at.get(h, ())
    if not pieces:
        letter = letters[features[0]] if features and cell == WIDTHS[-1] else ""
        signs = letter or _crowded_out(state, h, cell, letters)
        sign, color = _edge(state, h, RIGHT)
        text.append(signs.ljust(cell - 1), Style(color="rgb(110,100,85)", bgcolor=_ground(features)))
        text.append(sign, Style(color=color, bgcolor=_ground(features), bold=True))
        return
    # Movable pieces come before others, pieces with a side before those without.
    top = min(pieces, key=lambda piece: (not state.side[piece], -len(state.printed[piece]), piece))
    names = [state.sheets[piece].counter or state.sheets[piece].kind for piece in pieces]
    many = "" if len(pieces) < 2 else f"x{len(pieces)}" if len(set(names)) == 1 else f"+{len(pieces) - 1}"
    more = many if cell > WIDTHS[-1] or not many else str(len(pieces))
    more = facing_signs(state, top)[: cell - 2 - len(more)] + more
    label = names[pieces.index(top)].replace("_", "")[: cell - 1 - len(more)] + more
    has_several_sides = len({state.side[piece] for piece in pieces if state.side[piece]}) > 1
    style = Style(color="white", bgcolor=_side(state, state.side[top]), bold=True, underline=has_several_sides)
    text.append(_with_side_case(state, state.side[top], label).ljust(cell - 1), style)
    sign, color = _edge(state, h, RIGHT)
    text.append(sign, Style(color=color, bgcolor=_ground(features), bold=True))


def _ground(features: Sequence[str]) -> str:
    """Return the color of the ground."""
    if not features:
        return BARE
    color = tint_of(features[0])
    return rgb(color.hue, color.saturation, 84 - 8 * color.depth)


def _line_signs(state: State) -> Iterator[tuple[str, str]]:
    """Yield the signs of paths and hexsides with their meanings; the command `look` lists those of a hex."""
    board, vocabulary = state.board, state.graph.vocabulary
    visibility = {
        path: any(h not in board.outlines for ends in connections for h in ends)
        for path, connections in board.paths.items()
    }
    if paths := sorted(path for path, seen in visibility.items() if seen):
        yield PATH, ", ".join(words.flag("path", path, vocabulary) for path in paths)
    feature_sets = (
        features for between, features in board.sides.items() if not any(h in board.outlines for h in between)
    )
    if features := sorted({feature for features in feature_sets for feature in features}):
        names = ", ".join(words.flag("hexside", feature, vocabulary) for feature in features)
        yield f"{LEFT_UP}{RIGHT_UP}{RIGHT}", f"{names} on a hexside"


def _side(state: State, side: str) -> str:
    """Return the color of a side's pieces, dark enough for white letters."""
    sides = _sides(state)
    return SIDES[sides.index(side) % len(SIDES)] if side in sides else NOBODY


def _with_side_case(state: State, side: str, text: str) -> str:
    """Convert the names of pieces to upper case for every second side, to distinguish sides without colors."""
    sides = _sides(state)
    return text.upper() if side in sides and sides.index(side) % 2 else text


def _sides(state: State) -> list[str]:
    """Return the sides that have pieces."""
    return sorted({side for side in state.side if side})


def _edge(state: State, h: int, direction: str) -> tuple[str, str]:
    """Return the sign and color of a hexside in one of three directions; a blank if it has no features."""
    board = state.board
    column, row = board.column[h], board.row[h]
    parity = row % 2
    column += {LEFT_UP: parity - 1, RIGHT_UP: parity, RIGHT: 1}[direction]
    row -= direction != RIGHT
    neighbor = next((n for n in board.beside[h] if (board.column[n], board.row[n]) == (column, row)), None)
    features = sorted(board.side_features(board.side(h, neighbor))) if neighbor is not None else []
    if not features:
        return " ", INK
    return direction, rgb(tint_of(features[0]).hue, 80, 30)


def rgb(hue: float, saturation: float, lightness: float) -> str:
    """Convert a color from HSL to the notation of terminals and pictures."""
    red, green, blue = colorsys.hls_to_rgb(hue / 360, min(100, lightness) / 100, min(100, saturation) / 100)
    return f"rgb({round(red * 255)},{round(green * 255)},{round(blue * 255)})"


def _legend(state: State, letters: dict[str, str], marked: bool, wide: int) -> Text:  # noqa: FBT001 -- a fact
    """Render the legend of colors, letters and signs."""
    upon = {feature for h in range(state.board.size) for feature in printed_features(state, h)} - letters.keys()
    signs = [(letter, feature, Style(color=INK, bgcolor=_ground([feature]))) for feature, letter in letters.items()]
    signs += [(feature_marker(state, feature), feature, Style(color=INK)) for feature in sorted(upon)]
    signs += [(sign, name, Style(color=INK)) for sign, name in _line_signs(state)]
    text, space_left = Text(), wide
    for sign, feature, style in signs:
        owned = f"hex.{feature}" in state.graph.vocabulary.flags
        name = words.flag("hex", feature, state.graph.vocabulary).removeprefix("a ") if owned else feature
        width = len(sign) + len(name) + 5
        if width > space_left:
            text.append("\n")
            space_left = wide
        text.append(f" {sign} ", style).append(f" {name} ")
        space_left -= width
    text.append("\n")
    for side in sorted({side for side in state.side if side}):
        name = _with_side_case(state, side, words.member("side", side, state.graph.vocabulary))
        text.append(f" {name} ", Style(color="white", bgcolor=_side(state, side)))
        text.append(" ")
    if marked:
        text.append(" names in red: open to the choice at hand")
    return text
