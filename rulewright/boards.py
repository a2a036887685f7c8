"""Write the first file of a board: its numbering, an empty picture, and the features that a stack declares."""

import re
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from rulewright.errors import UsageError
from rulewright.library.stacks import load_stack, open_shelves
from rulewright.saving import save_new
from rulewright.starting import NAME, Written
from runtime.graph import nodes as graph

# `ccrr` has two digits for each; larger tables are maps of several boards.
MOST = 99


def new_board(name: str, on: str, place: Path, size: tuple[int, int], packages: Sequence[Path] = ()) -> Written:
    """Write `NAME.yaml` in a folder: `size` is columns and rows, `on` the stack whose features the legend lists."""
    if not NAME.fullmatch(name):
        raise UsageError(f"`{name}` is no name: write it like `deep_snow`")
    if name in open_shelves(packages).library.boards.places:
        raise UsageError(f"there is a board `{name}` already")
    columns, rows = size
    if not (1 <= columns <= MOST and 1 <= rows <= MOST):
        raise UsageError(f"a board has 1 to {MOST} columns and rows; `{columns}x{rows}` is no such size")
    stack = load_stack(on, packages)
    if stack.broken or stack.graph is None:
        raise UsageError(f"`{on}` has errors; `rulewright check {on}` shows them")
    file = place / f"{name}.yaml"
    if file.exists():
        raise UsageError(f"`{file}` is there already")
    save_new(file, _text(name, size, stack.graph.vocabulary).encode())
    return Written(place, (file.name,))


def read_size(text: str) -> tuple[int, int]:
    """Read `12x9`: columns and rows."""
    found = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", text)
    if found is None:
        raise UsageError(f"`{text}` is no size: write columns and rows as in `12x9`")
    return int(found[1]), int(found[2])


def _text(name: str, size: tuple[int, int], declared: graph.Vocabulary) -> str:
    """Write the file: every feature of hexes has its sign, and hexsides and paths a comment that says how."""
    columns, rows = size
    features = {owner: _features(declared, owner) for owner in ("hex", "hexside", "path")}
    legend = ", ".join(f"{sign}: {feature}" for feature, sign in _signs(features["hex"]).items())
    lines = [
        f"board: {name}",
        f"title: {name.replace('_', ' ').title()}",
        "# `ccrr` names hexes 0304 (column, row), `letter_number` C4; `shift` says where every second row stands.",
        f"numbering: {{style: ccrr, columns: {columns}, rows: {rows}, shift: right}}",
        "picture:   # one sign a hex, `.` for nothing; put signs of the legend where their features are",
        f"  legend: {{{legend}}}",
        "  rows:",
        *(f'    - "{"." * columns}"' for _ in range(rows)),
    ]
    lines += _commented("sides", features["hexside"], "0101/0201", "the side between two hexes")
    lines += _commented("paths", features["path"], "0101-0201-0301", "from hex to hex; behind a comma another one")
    lines += ["# regions:   # hexes that a card may speak of by one name", "#   Old Mill: [0101, 0201]"]
    return "\n".join(lines) + "\n"


def _commented(key: str, features: Sequence[str], sample: str, meaning: str) -> list[str]:
    """Write a block to be filled in; without a feature to put there, none."""
    if not features:
        return []
    return [f"# {key}:   # {meaning}", *(f"#   {feature}: [{sample}]" for feature in features)]


def _features(declared: graph.Vocabulary, owner: str) -> list[str]:
    """List the features of hexes or hexsides, or the paths, in the order of their declaration."""
    if owner == "path":
        return [flag.name for flag in declared.flags.values() if flag.what == "path"]
    return [flag.name for flag in declared.flags.values() if flag.what == "feature" and flag.owner == owner]


def _signs(features: Sequence[str]) -> dict[str, str]:
    """Give every feature a sign of its own: a letter of its name if one is left, else any letter."""
    signs: dict[str, str] = {}
    for feature in features:
        letters = (*feature.replace("_", ""), *feature.upper().replace("_", ""), *ascii_lowercase, *ascii_uppercase)
        sign = next((letter for letter in letters if letter not in signs.values()), "")
        if sign:
            signs[feature] = sign
    return signs
