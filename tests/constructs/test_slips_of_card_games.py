"""Typical errors of first designs of card-driven games: lists in braces, sums with bounds, words that are no names."""

from pathlib import Path

import pytest

from tests.constructs.test_slips_of_designers import rule_findings

LISTS = "track game.first: list of side = {}\nrecord step {to: 0..9}\ntrack game.way: list of step = {}\n"


@pytest.mark.parametrize(
    ("line", "is_refused"),
    [
        ("ask game.first = {south, north}", True),
        ("set game.first to {south, north}", True),
        ("set game.first to {south}", False),
        ("set game.first to {}", False),
        ("set game.way to {step(to: 2), step(to: 1)}", False),
        ("ask count(s in game.first where s in {south, north}) = 0", False),
    ],
)
def test_a_list_of_members_in_braces_is_refused(line: str, is_refused: bool, tmp_path: Path) -> None:
    found = rule_findings(tmp_path, f'{LISTS}example "first" {{\n  spaces A\n  {line}\n}}')
    assert [message for _, message, _ in found if "no order" in message] == [
        "a list is needed here, but `{..}` is a set, whose members have no order"
    ] * is_refused


def test_a_denied_answer_of_an_example_needs_parentheses(tmp_path: Path) -> None:
    example = 'example "denied" for (held) in (yes), (no) {\n  spaces A port\n  ask (A is port) = not held\n}\n'
    assert [advice for _, _, advice in rule_findings(tmp_path, example)] == ["write `= (not held)`"]
