"""Documents of all kinds with a key or a value spoiled: read or refused, never a crash.

A key that no schema knows says nothing, and the document is read without it; so each reader meets keys that it does
not know, and values for which a schema is wider than the reader.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.source.documents import read_documents
from compiler.source.shape import KINDS
from rulewright.library.shipped_folders import rules_folder
from tests.sample import LONG

KEY = re.compile(r"(?:(?<=^)|(?<=[\s{\[,-]))([A-Za-z_][\w-]*)(?=:)", re.MULTILINE)
VALUES = ("5", "text", "a b", "[]", "{}", "[[]]", "[1, {a: b}]", "null", "{a: {b: c}}", "1/2", "-1")
BOARD = "board: b\ntitle: B\nnumbering: {style: letter_number, columns: 2, rows: 2}\n"
# Of a longer document so many lines are read.
LINES = 60


def documents(kind: str) -> Iterator[str]:
    """Yield the shipped documents of a kind, cut off where they are long."""
    for file in sorted(rules_folder().rglob("*.yaml")):
        for text in file.read_text(encoding="utf-8").split("\n---\n"):
            lines = [line for line in text.split("\n") if not line.startswith("#")]
            if next(filter(None, lines), "").startswith(f"{kind}:"):
                yield "\n".join(lines[:LINES])


def spoiled(kind: str, dice: random.Random, keys: int, values: int) -> Iterator[str]:
    """Yield documents in which a key is another one, has one beside it, or has another value; each key in one place."""
    places = {key[1]: (text, key) for text in documents(kind) for key in KEY.finditer(text)}
    for text, key in dice.sample(list(places.values()), min(keys, len(places))):
        for other in ("qqzz", f"qqzz: 1, {key[1]}"):
            yield text[: key.start()] + other + text[key.end() :]
        end = text.find("\n", key.end())
        for value in dice.sample(VALUES, values):
            yield f"{text[: key.end()]}: {value}{text[end:]}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("keys", "values"), [(25, 3), pytest.param(10_000, len(VALUES), marks=LONG)], ids=["some", "all"]
)
def test_a_spoiled_document_is_read_or_refused(kind: str, keys: int, values: int) -> None:
    if kind in ("position", "reported"):
        pytest.skip(f"NOT CHECKED: no document `{kind}:` is shipped")
    documents = list(spoiled(kind, random.Random(kind), keys, values))
    assert documents
    for text in documents:
        read_documents(text, str(Path("spoiled.yaml")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("numbers:\n  changes:\n    walking: '1'\n", "UnknownKey"),
        (f"{BOARD}sides: {{hedge: text}}\n", "BadShape"),
        (f"{BOARD}sides: {{hedge: A1/A2/A3}}\n", "BadShape"),
        (f"{BOARD}sides: {{hedge: A1/A2 A2/B2}}\n", ""),
    ],
)
def test_what_once_was_a_crash_is_told(text: str, message: str) -> None:
    _, problems = read_documents(text, "spoiled.yaml")
    assert "".join(type(each).__name__ for each in problems) == message
