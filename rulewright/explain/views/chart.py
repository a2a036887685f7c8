"""The map as text: two lines a hex, its name with a letter for its ground, and its pieces in the color of their side.

In: a state, and the width of the screen. Out: rich text. Areas and points are a list. Of a map that is wider than the
screen the left part is shown. What a cell has no room for, such as roads, is listed by `hexside_lines`.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from rich.text import Text

from runtime.answer.value_text import with_space_noun
from runtime.graph import words
from runtime.state.position import State

# The columns of a cell: as many as the screen has room for.
WIDTHS = (8, 6)
MORE = "the map goes on: a wider screen shows more of it"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Dark colors of sides that are distinct in 256 and in 16 colors.
SIDES = ("rgb(0,0,175)", "rgb(175,0,0)", "rgb(0,95,0)", "rgb(135,0,135)")
NOBODY = "rgb(88,88,88)"


def draw_chart(state: State, wide: int, more: str = MORE) -> Text:
    """Render the map; `more` is printed below a clipped one."""
    letters = _assign_letters(feature for h in range(state.board.size) for feature in ground_names(state, h))
    text = _hexes(state, wide, letters, more) if state.board.sheet_of else Text()
    for space in sorted(state.board.outlines, key=lambda space: state.board.names[space]):
        text.append(f"{_name(state, space, letters, wide)}  ").append_text(_pieces(state, space, wide)).append("\n")
    legend = [f"{letter} is {words.flag('hex', name, state.graph.vocabulary)}" for name, letter in letters.items()]
    text.append(f"{', '.join(legend)}\n" if legend else "")
    for side in _sides(state):
        title = _with_side_case(state, side, words.member("side", side, state.graph.vocabulary))
        text.append(f" {title} ", _side_style(state, side)).append(" ")
    return text


def _hexes(state: State, wide: int, letters: dict[str, str], more: str) -> Text:
    """Render the rows of hexes."""
    board = state.board
    places = {(board.column[h], board.row[h]): h for h in board.sheet_of}
    first, last = min(column for column, _ in places), max(column for column, _ in places)
    cell = WIDTHS[0] if (last - first + 1) * WIDTHS[0] + WIDTHS[0] // 2 <= wide else WIDTHS[1]
    visible_columns = range(first, min(last + 1, first + max(1, (wide - cell // 2) // cell)))
    text = Text()
    for row in sorted({row for _, row in places}):
        lines = [Text(" " * (cell // 2 * (row % 2))) for _ in range(2)]
        for column in visible_columns:
            h = places.get((column, row))
            names = Text() if h is None else Text(_name(state, h, letters, cell - 1))
            pieces = Text() if h is None else _pieces(state, h, cell - 1)
            for line, part in zip(lines, (names, pieces), strict=True):
                part.pad_right(cell - len(part))
                line.append_text(part)
        text.append_text(Text("\n").join([*lines, Text()]))
    if last not in visible_columns:
        text.append(f"{with_space_noun(state, more)}\n")
    return text


def _name(state: State, h: int, letters: dict[str, str], width: int) -> str:
    """Return the name of a space with the letters of its ground and the markers of other features."""
    signs = "".join(letters.get(feature) or feature_marker(state, feature) for feature in printed_features(state, h))
    name = state.board.names[h]
    return f"{name} {signs}".strip() if len(name) + len(signs) < width else f"{name}{signs}"[:width]


def _pieces(state: State, h: int, width: int) -> Text:
    """Return the first piece of a space, and how many others there are."""
    pieces = state.at.get(h, ())
    if not pieces:
        return Text()
    # Movable pieces come before others, pieces with a side before those without.
    top = min(pieces, key=lambda piece: (not state.side[piece], -len(state.printed[piece]), piece))
    others = f"+{len(pieces) - 1}" if pieces[1:] else ""
    name = (state.sheets[top].counter or state.sheets[top].kind).replace("_", "")
    label = _with_side_case(state, state.side[top], name[: width - len(others)]) + others
    return Text(label, _side_style(state, state.side[top]))


def printed_features(state: State, h: int) -> list[str]:
    """Return the features of a hex, ground features first, in the order of the card's board where that is known."""
    card, name, features = state.graph.scenario, state.board.names[h], state.board.features[h]
    on_card = card.board.hexes[name][2] if card and name in card.board.hexes else ()
    ordered = [*(each for each in on_card if each in features), *sorted(features.difference(on_card))]
    return sorted(ordered, key=lambda feature: bool(feature_marker(state, feature)))


def ground_names(state: State, h: int) -> list[str]:
    """Return the features of a hex that are ground, which are those without a marker."""
    return [feature for feature in printed_features(state, h) if not feature_marker(state, feature)]


def feature_marker(state: State, feature: str) -> str:
    """Return the marker of a feature of hexes; "" if the feature is ground."""
    flag = state.graph.vocabulary.flags.get(f"hex.{feature}")
    return flag.marker if flag else ""


def _assign_letters(names: Iterable[str]) -> dict[str, str]:
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


def _side_style(state: State, side: str) -> str:
    """Return the style of a side's pieces: white letters on a dark color."""
    sides = _sides(state)
    color = SIDES[sides.index(side) % len(SIDES)] if side in sides else NOBODY
    return f"bold white on {color}"


def _with_side_case(state: State, side: str, text: str) -> str:
    """Convert the names of pieces to upper case for every second side, to distinguish sides without colors."""
    sides = _sides(state)
    return text.upper() if side in sides and sides.index(side) % 2 else text


def _sides(state: State) -> list[str]:
    """Return the sides that have pieces."""
    return sorted({side for side in state.side if side})
