"""Prose and code have American spelling, like the games."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import check, plant, texts

FOLDERS = (
    "compiler",
    "runtime",
    "rulewright",
    "rules",
    "tests",
    "docs",
    "editors",
    "bench",
    "README.md",
    "pyproject.toml",
)
TEXT = ".css .html .j2 .json .lark .md .py .rules .toml .txt .typ .yaml .yml"
HERE = "tests/tidy/test_spelling.py"

# Beginnings of words: `armour` also finds `armoured`.
STEMS = r"""
    analys(?=ed?$|er|ing) armour artefact behaviour cancell(?=ed|ing) catalogue centre colour defence favour fulfil(?!l)
    grey(?!hound) honour judgement labell licence manoeuv metre modell neighbour offence plough practis programme(?!d|r)
    signall travell whilst
""".split()
# Before -ise, -ising, -isation.
VERBS = """
    character deserial final formal general initial local material maxim memor minim modern neutral normal optim organ
    parametr recogn reorgan serial special standard summar symbol synchron token unrecogn util visual
""".split()
BRITISH = re.compile(f"{'|'.join(STEMS)}|(?:{'|'.join(VERBS)})is(?=e|ing|ation|able)")
# A name of Python, which is not ours.
FOREIGN = "CancelledError"
# Includes the words inside snake_case and CamelCase names.
WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def british(root: Path) -> Iterator[str]:
    """Find British spellings."""
    for path, text in texts(root, *(folder for folder in FOLDERS if (root / folder).exists()), suffixes=TEXT):
        if path == HERE:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            words = WORD.findall(line.replace(FOREIGN, ""))
            yield from (f"{path}:{number}: {word}" for word in words if BRITISH.match(word.lower()))


@sampled(0)
def test_spelling_is_american() -> None:
    check(british)


@pytest.mark.parametrize(
    "text",
    [
        "armoured",
        "The Behaviour of dice",
        "def serialise(): ...",
        "neighbours_of",
        "HexColour",
        "COLOURS",
        "to analyse",
    ],
)
def test_a_british_word_is_found(tmp_path: Path, text: str) -> None:
    assert len([*british(plant(tmp_path, {"runtime/a.py": text}))]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "armor",
        "greyhound",
        "two analyses of an analysis",
        "programmer",
        "fulfilled",
        "practice",
        "parameter",
        "promise",
    ],
)
def test_an_american_word_passes(tmp_path: Path, text: str) -> None:
    assert not [*british(plant(tmp_path, {"docs/a.md": text}))]
