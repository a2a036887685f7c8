"""An error in a text is reported once, at its place, and all other statements are parsed."""

import pytest

from compiler.source.findings.unexpected_token import UnexpectedToken
from compiler.source.nodes import Case, Rule
from compiler.source.parse import parse_rules
from tests.stages.source.check import Case as Fixture
from tests.stages.source.check import check, each


@each("broken.rules", "slips.rules")
def test_reports(case: Fixture) -> None:
    _, problems = parse_rules(case.text, "toy.rules")
    check(case, problems)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("rule fen cost is\nrule heath cost is 1", "heath"),
        ("rule fen cost is 1\nbogus\nrule heath cost is 1", "fen heath"),
        ("rule fen cost is 1/0\nrule heath cost is 1", "fen heath"),
        ('rule fen "x cost is 1\nrule heath cost is 1', "fen heath"),
        ("case going {\nrule fen cost is = \nrule heath cost is 1\n}\nrule moor cost is 1", "going heath moor"),
        ("case going {\nrule fen cost is 1\nvalue x(u: unit)\nrule moor cost is 1\n}", "going fen moor"),
        ("case going {\nrule fen cost is 1\ncase more {\nrule moor cost is 1", "going fen more moor"),
        ("case Going {\nrule fen cost is 1\n}\nrule moor cost is 1", "fen moor"),
        ("rule fen cost is {a b} }\nrule moor cost is 1", "moor"),
        ("rule fen cost is {a b}\nrule moor cost is 1", "fen moor"),
        ("rule fen cost is (1\nrule moor cost is 1", "moor"),
    ],
)
def test_statements_after_an_error_are_parsed(text: str, left: str) -> None:
    parsed, problems = parse_rules(text, "toy.rules")
    assert problems
    assert " ".join(_labels(parsed.statements)) == left


def test_a_syntax_error_has_the_skipped_span() -> None:
    _, [slip] = parse_rules("rule fen cost is 1\nrule heath cost is = 3\n  when x\nrule moor cost is 1", "toy.rules")
    assert isinstance(slip, UnexpectedToken)
    assert (slip.skipped.line, slip.skipped.column, slip.skipped.end_line) == (2, 1, 4)
    assert [word.text for word in slip.statement] == ["rule", "heath"]


def _labels(statements: tuple[object, ...]) -> list[str]:
    """Return the labels of rules and cases in order."""
    found = []
    for each_ in statements:
        if isinstance(each_, Rule | Case):
            found.append(each_.label.text)
        if isinstance(each_, Case):
            found += _labels(each_.laws)
    return found
