"""Small positions as files, for questions about them: each piece on a line, as `T: m4 of allied at A, fired: yes`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run


def position(stack: str, game: str, rows: Sequence[str], pieces: Sequence[str], more: str = "") -> str:
    """Return the text of a position: rows of hexes, and pieces with their kind, their side if given, and their place.

    `more` is YAML of other keys.
    """
    board = "\n".join(f"    - [{row}]" for row in rows)
    listed = "\n".join(map(_piece, pieces))
    head = f"position: small\nstack: {stack}\ngame: {{{game}}}\n"
    return f"{head}board:\n  rows:\n{board}\npieces:\n{listed}\n{more}"


def _piece(text: str) -> str:
    """Return a piece as YAML."""
    name, _, described = text.partition(": ")
    described, _, marks = described.partition(", ")
    kind, _, place = described.partition(" at ")
    kind, _, side = kind.partition(" of ")
    facts = [f"name: {name}", f"type: {kind}", f"side: {side}" * bool(side), f"at: {place}" * bool(place), marks]
    return f"  - {{{', '.join(filter(None, facts))}}}"


def answer_to(capsys: pytest.CaptureFixture[str], folder: Path, text: str, query: str) -> dict[str, Any]:
    """Return the answer to a query about a position, as data."""
    file = folder / "position.yaml"
    file.write_text(text, encoding="utf-8")
    stack = text.split("stack: ")[1].split(maxsplit=1)[0]
    assert run(["ask", stack, "-p", str(file), query, "--format", "json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data
