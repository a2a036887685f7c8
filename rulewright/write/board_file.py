"""Generate the file of a new board of hexes, with comments on the features that a stack declares."""

import re
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from compiler.layered.stack_request import parse_request
from rulewright.library.package_index import declared_features, list_packages
from rulewright.library.stack_names import named_stack
from rulewright.system.atomic_files import save_new
from rulewright.system.errors import UsageError
from rulewright.write.new_packages import SNAKE_CASE, WrittenFolder

# `ccrr` has two digits for columns and rows; larger maps consist of several boards.
MOST_COLUMNS = 99


def new_board(name: str, on: str, place: Path, size: tuple[int, int], packages: Sequence[Path]) -> WrittenFolder:
    """Write `NAME.yaml` to a folder: `size` is columns and rows, `on` the stack whose features are listed."""
    if not SNAKE_CASE.fullmatch(name):
        raise UsageError(f"`{name}` is no name: write it like `deep_snow`")
    stack, folders = named_stack(on)
    listed = list_packages((*packages, *folders))
    if name in listed.files["board"]:
        raise UsageError(f"there is a board `{name}` already")
    columns, rows = size
    if not (1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_COLUMNS):
        raise UsageError(f"a board has 1 to {MOST_COLUMNS} columns and rows; `{columns}x{rows}` is no such size")
    listed.require_layers(parse_request(stack).layers)
    file = place / f"{name}.yaml"
    if file.exists():
        raise UsageError(f"`{file}` is there already")
    save_new(file, _text(name, size, declared_features(listed, stack)).encode())
    return WrittenFolder(place, (file.name,))


def read_size(text: str) -> tuple[int, int]:
    """Parse a size such as `12x9`, columns and rows; `UsageError` if it is malformed."""
    found = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", text)
    if found is None:
        raise UsageError(f"`{text}` is no size: write columns and rows as in `12x9`")
    return int(found[1]), int(found[2])


def _text(name: str, size: tuple[int, int], features: dict[str, list[str]]) -> str:
    """Return an empty picture with a sign for every feature of hexes, and a comment on the syntax of the others."""
    columns, rows = size
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
    lines += ["# regions:   # hexes that a situation may name by one name", "#   Old Mill: [0101, 0201]", ""]
    return "\n".join(lines)


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
