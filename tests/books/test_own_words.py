"""The prose of the rules is our own: no sentence shares nine consecutive words with the texts of its sources.

Those texts are not part of the repository; the test reads them from `../shared/seeds` if that exists.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import ROOT

ROW = 9


def texts() -> list[str]:
    """Read the texts from the nearest folder above the repository that has them."""
    for above in ROOT.parents:
        if found := sorted((above / "shared" / "seeds").glob("*.txt")):
            return [file.read_text(encoding="utf-8", errors="replace") for file in found]
    return []


def tokens(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("'", "").replace("’", ""))


def rows(text: str) -> Iterator[tuple[str, ...]]:
    found = tokens(text)
    return (tuple(found[place : place + ROW]) for place in range(len(found) - ROW + 1))


def prose(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((*folder.rglob("*.rules"), *folder.rglob("*.yaml"))):
        for found in re.finditer(r'"([^"\n]+)"', file.read_text(encoding="utf-8")):
            yield file.name, found[1]


def copied(source_texts: list[str], own_sentences: list[tuple[str, str]]) -> list[str]:
    known = {row for text in source_texts for row in rows(text)}
    return [
        f"{name}: {own_sentence}"
        for name, own_sentence in own_sentences
        if any(row in known for row in rows(own_sentence))
    ]


def test_nine_shared_words_are_found() -> None:
    source_texts = ["One may never take more than four of them along the road at once."]
    own_sentences = [("a.rules", "never take more than four of them, along the road"), ("b.rules", "Take four along.")]
    assert copied(source_texts, own_sentences) == ["a.rules: never take more than four of them, along the road"]


def test_the_prose_shares_no_nine_words_with_the_texts() -> None:
    source_texts = texts()
    if not source_texts:
        pytest.skip("PROSE NOT COMPARED: the texts that the rules were written after are not here")
    assert not copied(source_texts, list(prose(ROOT / "rules")))
