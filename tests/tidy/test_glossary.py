"""Class names are made of the glossary's terms: a reader of the literature finds them, and one thing has one word."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.check import HOUSE, check, modules, plant

GLOSSARY = "docs/glossary.md"
# Packages whose names are held to the glossary; the others follow.
ROOMS = ("compiler/query", "runtime/witness")
# Names that still say less than they could; one that is renamed goes from here, and none comes in.
PENDING = {
    "Comparison", "Causes", "CounterPlays", "Found", "Group", "NotePlays",
    "Place", "Places", "Root", "Scene", "Stop", "StuckOffer",
    "NoSnapshot", "Case", "SearchHit",
}  # fmt: skip


def terms(house: Path) -> set[str]:
    """List the words of the glossary's terms."""
    rows = re.findall(r"^\| ([^|]+) \|", (house / GLOSSARY).read_text(encoding="utf-8"), re.MULTILINE)
    return {word for row in rows for word in re.findall(r"[a-z]+", row)}


def strangers(house: Path, rooms: tuple[str, ...] = ROOMS) -> Iterator[str]:
    """Find public classes that are called by no term."""
    known = terms(house)
    for path, tree in modules(house, *rooms):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in PENDING:
                noun = re.split(r"(?<=[a-z])(?=[A-Z])", node.name)[-1].lower()
                if not {noun, noun.removesuffix("s"), noun.removesuffix("er"), f"{noun.removesuffix('er')}e"} & known:
                    yield f"{path}:{node.lineno}: `{node.name}` is called by no term of {GLOSSARY}"


def test_classes_are_called_by_terms() -> None:
    check(strangers)


def test_what_is_pending_is_there() -> None:
    names = {
        node.name for _, tree in modules(HOUSE, *ROOMS) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    }
    assert names >= PENDING


def test_a_stranger_is_seen(tmp_path: Path) -> None:
    pages = {GLOSSARY: "| term | is |\n| trace, memo | a thing |\n"}
    for name, found in (("StoredTrace", 0), ("Memos", 0), ("Kept", 1), ("TraceKeeping", 1)):
        house = plant(tmp_path / name, {**pages, "compiler/query/a.py": f"class {name}:\n    pass\n"})
        assert len([*strangers(house, ("compiler/query",))]) == found, name
