"""The layout of texts: each case of layouts.txt is a text and its expected format."""

import re
from pathlib import Path

import pytest

from compiler.format.layout import Group, Line, Text, TrailingComment
from compiler.format.line_flow import BREAKS, LAYOUTS
from compiler.format.printer import write_layout
from compiler.format.rules import format_rules
from compiler.source.grammar import parser_tables

HERE = Path(__file__).parent
CASES = dict(
    re.findall(r"^=== (.+)\n((?:(?!^===).*\n?)*)", (HERE / "layouts.txt").read_text(encoding="utf-8"), re.MULTILINE)
)
TOY = HERE.parent / "source" / "toy.rules"


@pytest.mark.parametrize("name", CASES)
def test_layout(name: str) -> None:
    before, _, after = CASES[name].partition("---\n")
    formatted, problems = format_rules(before, name)
    assert problems == ()
    assert formatted == after
    assert format_rules(formatted, name) == (formatted, ())


def test_every_construct(reset: bool) -> None:
    formatted, problems = format_rules(TOY.read_text(encoding="utf-8"), "toy.rules")
    assert problems == ()
    golden = HERE / "toy.rules"
    if reset:
        golden.write_text(formatted, encoding="utf-8")
    assert formatted == golden.read_text(encoding="utf-8")


def test_a_text_with_syntax_errors_is_returned_unchanged() -> None:
    text = "rule  a  cost is 1\nrule b cost is\n"
    formatted, problems = format_rules(text, "broken.rules")
    assert formatted == text
    assert len(problems) == 1


def test_line_ends_of_other_systems() -> None:
    assert format_rules("\ufeff# a\r\nmeasure MP  # b\r\n", "f") == ("\ufeff# a\r\nmeasure MP  # b\r\n", ())


def test_a_trailing_comment_ends_its_line() -> None:
    assert (
        write_layout(Group((Text("a"), TrailingComment("# b"), Text("c"), Line(" "), Text("d"))), 80)
        == "a  # b\nc\nd\n"
    )


def test_layouts_name_only_symbols_of_the_grammar() -> None:
    rules = parser_tables().lark.rules
    kinds = {str(rule.alias or rule.origin.name) for rule in rules}
    names = kinds | {str(symbol.name) for rule in rules for symbol in rule.expansion}
    assert BREAKS.keys() | LAYOUTS.keys() <= kinds
    assert set().union(*BREAKS.values()) <= names
