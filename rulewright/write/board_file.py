"""Generate the file of a new board: its hexes, areas or points, and comments on the features that a stack declares."""

import re
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from compiler.layered.stack_request import parse_request
from rulewright.library.package_index import declared_features, list_packages
from rulewright.library.stack_names import named_stack
from rulewright.system.atomic_files import save_new
from rulewright.system.errors import UsageError
from rulewright.write.board_kinds import BoardKind
from rulewright.write.new_packages import SNAKE_CASE, WrittenFolder

# `ccrr` has two digits for columns and rows; larger maps consist of several boards.
MOST_COLUMNS = 99
# Each row of areas or points has a letter.
MOST_ROWS = len(ascii_uppercase)
# The size of the initial rectangles of areas, in whose centers points are placed.
WIDE, HIGH = 40, 30


SIZES = {BoardKind.HEXES: (12, 9), BoardKind.AREAS: (4, 3), BoardKind.POINTS: (4, 3)}


def new_board(
    name: str, on: str, place: Path, size: tuple[int, int] | None, packages: Sequence[Path],
    kind: BoardKind,
) -> WrittenFolder:  # fmt: skip
    """Write `NAME.yaml` to a folder: `size` is columns and rows, `on` the stack whose features are listed."""
    if not SNAKE_CASE.fullmatch(name):
        raise UsageError(f"`{name}` is no name: write it like `deep_snow`")
    stack, folders = named_stack(on)
    listed = list_packages((*packages, *folders))
    if name in listed.files["board"]:
        raise UsageError(f"there is a board `{name}` already")
    columns, rows = size or SIZES[kind]
    most = MOST_COLUMNS if kind is BoardKind.HEXES else MOST_ROWS
    if not (1 <= columns <= most and 1 <= rows <= most):
        raise UsageError(f"a board of {kind} has 1 to {most} columns and rows; `{columns}x{rows}` is no such size")
    listed.require_layers(parse_request(stack).layers)
    file = place / f"{name}.yaml"
    if file.exists():
        raise UsageError(f"`{file}` is there already")
    save_new(file, _text(name, (columns, rows), declared_features(listed, stack), kind).encode())
    return WrittenFolder(place, (file.name,))


def read_size(text: str) -> tuple[int, int]:
    """Parse a size such as `12x9`, columns and rows; `UsageError` if it is malformed."""
    found = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", text)
    if found is None:
        raise UsageError(f"`{text}` is no size: write columns and rows as in `12x9`")
    return int(found[1]), int(found[2])


def _text(name: str, size: tuple[int, int], features: dict[str, list[str]], kind: BoardKind) -> str:
    """Return the text of the file, with a comment on the syntax of every feature."""
    head = [f"board: {name}", f"title: {name.replace('_', ' ').title()}"]
    lines = head + (_hexes(size, features) if kind is BoardKind.HEXES else _spaces(size, kind, features))
    return "\n".join(lines) + "\n"


def _hexes(size: tuple[int, int], features: dict[str, list[str]]) -> list[str]:
    """Return the lines of an empty picture, with a sign for every feature of hexes."""
    columns, rows = size
    legend = ", ".join(f"{sign}: {feature}" for feature, sign in _signs(features["hex"]).items())
    lines = [
        "# `ccrr` names hexes 0304 (column, row), `letter_number` C4; `shift` says where every second row stands.",
        f"numbering: {{style: ccrr, columns: {columns}, rows: {rows}, shift: right}}",
        "picture:   # one sign a hex, `.` for nothing; put signs of the legend where their features are",
        f"  legend: {{{legend}}}",
        "  rows:",
        *(f'    - "{"." * columns}"' for _ in range(rows)),
    ]
    lines += _commented("sides", features["hexside"], "0101/0201", "the side between two hexes")
    lines += _commented("paths", features["path"], "0101-0201-0301", "from hex to hex; behind a comma another one")
    return [*lines, "# regions:   # hexes that a situation may name by one name", "#   Old Mill: [0101, 0201]"]


def _spaces(size: tuple[int, int], kind: BoardKind, features: dict[str, list[str]]) -> list[str]:
    """Return the lines of a rectangle of areas with shared edges, or of points connected along rows and columns."""
    columns, rows = size
    names = [[f"{ascii_uppercase[row]}{column + 1}" for column in range(columns)] for row in range(rows)]
    lines = [f"kind: {kind}"]
    if kind is BoardKind.AREAS:
        lines.append("# An area has the corners of its outline in order; areas that share an edge are connected.")
    else:
        lines.append("# A point lies at a place, across from the left and down from the top.")
    lines.append("spaces:   # call them what the map calls them; `is` says what is printed there")
    for row, line in enumerate(names):
        for column, space in enumerate(line):
            left, top = column * WIDE, row * HIGH
            corners = [(left, top), (left + WIDE, top), (left + WIDE, top + HIGH), (left, top + HIGH)]
            outline = ", ".join(f"[{x}, {y}]" for x, y in corners)
            geometry = f"outline: [{outline}]" if kind is BoardKind.AREAS else f"at: [{left}, {top}]"
            alone_entry = "alone: yes, " if columns * rows == 1 else ""
            lines.append(f"  {space}: {{{alone_entry}{geometry}}}")
    chains = [line for line in (*names, *map(list, zip(*names, strict=True))) if len(line) > 1]
    if kind is BoardKind.POINTS and chains:
        lines.append(f"connections: [{', '.join('-'.join(chain) for chain in chains)}]")
    first, second = chains[0][:2] if chains else ("A1", "A2")
    lines += _commented("terrain", features["hex"], first, "spaces by what is printed there, instead of `is`")
    lines += _commented("sides", features["hexside"], f"{first}/{second}", "what lies on a connection")
    lines += _commented(
        "paths", features["path"], f"{first}-{second}", "from space to space; behind a comma another one"
    )
    if kind is BoardKind.AREAS:
        lines.append(
            f"# closed: [{'/'.join(chains[-1][-2:]) if chains else 'A1/A2'}]   # shared edges that no way leads across"
        )
    return [
        *lines,
        f"# links: [{first}-{names[-1][-1]}]   # ways between spaces that do not touch",
        "# regions:   # spaces that a situation may name by one name",
        f"#   Old Mill: [{first}, {second}]",
    ]


def _commented(key: str, features: Sequence[str], sample: str, meaning: str) -> list[str]:
    """Return a commented block to be filled in; empty without features."""
    if not features:
        return []
    return [f"# {key}:   # {meaning}", *(f"#   {feature}: [{sample}]" for feature in features)]


def _signs(features: Sequence[str]) -> dict[str, str]:
    """Assign a unique letter to every feature, preferably from its name."""
    signs: dict[str, str] = {}
    for feature in features:
        letters = (*feature.replace("_", ""), *feature.upper().replace("_", ""), *ascii_lowercase, *ascii_uppercase)
        sign = next((letter for letter in letters if letter not in signs.values()), "")
        if sign:
            signs[feature] = sign
    return signs
