"""Formatting changes white space only, and is idempotent.

Texts are the shipped files, the toy's paragraphs with random white space and comments, sentences drawn from the
grammar, and mutants of the toy.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compiler.format.rules import LINE_WIDTH, format_rules
from compiler.source.concrete import leaves_of, read_concrete
from compiler.source.expression_text import equal_as_written
from compiler.source.parse import parse_rules
from tests.properties.sentences import sentences
from tests.sample import first_of_each, sampled
from tests.stages.source.test_mutants import mutants
from tests.tidy.check import ROOT

SHIPPED = sorted((ROOT / "rules").rglob("*.rules"))
TOY = ROOT / "tests" / "stages" / "source" / "toy.rules"
SPACE = st.sampled_from([" ", " ", " ", "  ", "\n", "\n\n", "\n\n\n", " # said\n", "\n# above\n", "\n\n  # apart\n\n"])


def check(text: str) -> str:
    """Check these properties for a text without syntax errors, and return the formatted text."""
    before, problems = parse_rules(text, "text.rules")
    assert problems == ()
    formatted, _ = format_rules(text, "text.rules")
    after, read_problems = parse_rules(formatted, "text.rules")
    assert read_problems == ()
    assert equal_as_written(before.statements, after.statements)
    assert comments(text) == comments(formatted)
    assert format_rules(formatted, "text.rules") == (formatted, ())
    assert all(line == line.rstrip() for line in formatted.split("\n"))
    assert "\n\n\n" not in formatted
    return formatted


def comments(text: str) -> list[str]:
    """List the comments of a text by a regular expression, independent of the scanner."""
    return [found.strip() for found in re.findall(r"\"[^\"\n]*\"|'[^'\n]*'|(#.*)", text) if found]


@sampled(2)
@pytest.mark.parametrize(
    "file",
    first_of_each(SHIPPED, lambda file: file.parent.parent),
    ids=lambda file: file.relative_to(ROOT / "rules").as_posix(),
)
def test_shipped(file: Path) -> None:
    """The formatter returns a shipped text unchanged; its lines are within the width, except prose and comments."""
    text = file.read_text(encoding="utf-8")
    assert format_rules(text, "text.rules") == (text, ()), "run `python3 -m rulewright fmt rules`"
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert "\n\n\n" not in text
    long = [line for line in text.split("\n") if len(line) > LINE_WIDTH]
    assert [line for line in long if not re.match(r'\s*(\w+ |wording \S+ says )?("|#)', line)] == []


@sampled(0)
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_paragraphs_with_random_white_space(data: st.DataObject) -> None:
    check(spaced(data.draw(st.sampled_from(paragraphs())), data))


@sampled(0)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(sentences(), st.data())
def test_sentences(words: list[str], data: st.DataObject) -> None:
    text = spaced(words, data)
    # A name before a keyword that continues it is ambiguous, so few drawn sentences are valid.
    assume(not parse_rules(text, "text.rules")[1])
    check(text)


@sampled(0)
@pytest.mark.parametrize("seed", first_of_each(range(3), lambda _: ""))
def test_mutants(seed: int) -> None:
    sound = [text for text in mutants(TOY.read_text(encoding="utf-8"), 80, seed) if not parse_rules(text, "m")[1]]
    assert sound
    for text in sound:
        check(text)


def spaced(words: list[str], data: st.DataObject) -> str:
    """Join words by random white space and comments; a measure stays on the line of its number."""
    return "".join(word + (" " if word[0].isdigit() else data.draw(SPACE)) for word in words)


@cache
def paragraphs() -> list[list[str]]:
    """List the paragraphs of the toy as lists of tokens."""
    tree = read_concrete(TOY.read_text(encoding="utf-8"))
    return [[leaf.text for leaf in leaves_of(part)] for part in tree.parts[:-1]]
