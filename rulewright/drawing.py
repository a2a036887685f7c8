"""Draw a map in text: one cell a hex, every second row half a hex to the right.

In: a board and who stands where. Out: lines. A small board shows the names of its hexes, a printed one
a letter for the ground and one for the side that stands there; what the letters mean is listed below.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from runtime.graph import nodes as graph

# A board this wide still shows names within a terminal's eighty columns.
NAMED_COLUMNS = 8
OPEN = "."
SEVERAL = "*"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def draw(board: graph.Board, standing: Mapping[str, list[str]]) -> list[str]:
    """Draw a board; `standing` lists by hex the side of each piece there."""
    columns = [column for column, _, _ in board.hexes.values()]
    names = {(column, row): name for name, (column, row, _) in board.hexes.items()}
    grounds = glyphs(feature for _, _, features in board.hexes.values() for feature in features)
    sides = {side: letter.upper() for side, letter in glyphs(chain.from_iterable(standing.values())).items()}
    small = max(columns) - min(columns) < NAMED_COLUMNS
    cells = {at: cell(board, name, grounds, sides, standing.get(name, [])) for at, name in names.items()}
    if small:
        cells = {at: f"{names[at]}:{text}" for at, text in cells.items()}
    width = max(len(text) for text in cells.values()) + 1
    width += width % 2
    across = range(min(columns), max(columns) + 1)
    lines: list[str] = []
    for row in sorted({row for _, row in names}):
        drawn = "".join(cells.get((column, row), "").ljust(width) for column in across)
        lines.append((" " * (width // 2) * (row % 2) + drawn).rstrip())
    return [*lines, "", *legend(board, grounds, sides, small)]


def cell(board: graph.Board, name: str, grounds: Mapping[str, str], sides: Mapping[str, str], here: list[str]) -> str:
    """Write one hex: its ground, and whose pieces stand there."""
    features = board.hexes[name][2]
    ground = grounds[features[0]] if features else OPEN
    if not here:
        return ground
    present = set(here)
    return ground + (sides[here[0]] if len(present) == 1 else SEVERAL)


def glyphs(words: Iterable[str]) -> dict[str, str]:
    """Give every word a letter of its own, from its spelling as long as one is free."""
    chosen: dict[str, str] = {}
    for word in sorted(set(words)):
        free = [
            letter for letter in chain(word.lower(), LETTERS) if letter in LETTERS and letter not in chosen.values()
        ]
        chosen[word] = free[0] if free else "?"
    return chosen


def legend(
    board: graph.Board,
    grounds: Mapping[str, str],
    sides: Mapping[str, str],
    small: bool,  # noqa: FBT001 -- a fact
) -> Iterator[str]:
    """Say what the letters mean, and on a small board what cannot be drawn."""
    if grounds:
        yield "ground: " + ", ".join(f"{letter} {feature}" for feature, letter in grounds.items())
    if sides:
        yield "pieces: " + ", ".join(f"{letter} {side or 'nobody'}" for side, letter in sides.items())
    if small and board.sides:
        yield "hexsides: " + ", ".join(f"{a}/{b} {' '.join(features)}" for a, b, features in board.sides)
    if small and board.paths:
        yield "paths: " + ", ".join(f"{path} {a}-{b}" for path, a, b in board.paths)
