"""Documents of all kinds with a changed key or value: they are read or refused, without a crash.

An unknown key is a problem, and the rest of the document is read; so each reader meets unknown keys, and values that
its schema allows and it does not.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.source.documents import read_documents
from compiler.source.heads import DOCUMENT_KINDS
from rulewright.library.shipped_folders import rules_folder
from tests.sample import LONG, sampled

KEY = re.compile(r"(?:(?<=^)|(?<=[\s{\[,-]))([A-Za-z_][\w-]*)(?=:)", re.MULTILINE)
VALUES = ("5", "text", "a b", "[]", "{}", "[[]]", "[1, {a: b}]", "null", "{a: {b: c}}", "1/2", "-1")
BOARD = "board: b\ntitle: B\nnumbering: {style: letter_number, columns: 2, rows: 2}\n"
# Lines that are read of a longer document.
LINES = 60


def documents(kind: str) -> Iterator[str]:
    """Yield the shipped documents of a kind, truncated to this number of lines."""
    for file in sorted(rules_folder().rglob("*.yaml")):
        for text in file.read_text(encoding="utf-8").split("\n---\n"):
            lines = [line for line in text.split("\n") if not line.startswith("#")]
            if next(filter(None, lines), "").startswith(f"{kind}:"):
                yield "\n".join(lines[:LINES])


def spoiled(kind: str, dice: random.Random, keys: int, values: int) -> Iterator[str]:
    """Yield documents with a renamed key, an additional key or another value; each key is changed in one document."""
    places = {key[1]: (text, key) for text in documents(kind) for key in KEY.finditer(text)}
    for text, key in dice.sample(list(places.values()), min(keys, len(places))):
        for other in ("qqzz", f"qqzz: 1, {key[1]}"):
            yield text[: key.start()] + other + text[key.end() :]
        end = text.find("\n", key.end())
        for value in dice.sample(VALUES, values):
            yield f"{text[: key.end()]}: {value}{text[end:]}"


@sampled(2)
@pytest.mark.parametrize("kind", DOCUMENT_KINDS)
@pytest.mark.parametrize(
    ("keys", "values"), [(25, 3), pytest.param(10_000, len(VALUES), marks=LONG)], ids=["some", "all"]
)
def test_a_document_with_a_changed_key_or_value_does_not_crash(kind: str, keys: int, values: int) -> None:
    if kind == "position":
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
def test_documents_that_once_crashed_are_handled(text: str, message: str) -> None:
    _, problems = read_documents(text, "spoiled.yaml")
    assert "".join(type(each).__name__ for each in problems) == message
