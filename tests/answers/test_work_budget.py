"""The budget of answers: what it charges, and that one which a command line sets ends with the command."""

from pathlib import Path

import pytest

from rulewright.cli.app import run
from runtime.graph.budget import COMPARED_AT_ONCE, MOST_MEMBERS, TooMuchWork, budget_limit, charge, open_budget
from runtime.graph.operators.sets import contains

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"


def test_a_budget_ends_with_its_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    counted = "count(u in all unit where u is not dispersed)"
    question = ["ask", "panzer_leader", "-p", str(POSITION), counted, "--steps", "1"]
    assert run(question) == 1
    assert "R0567" in capsys.readouterr().out
    assert budget_limit() == MOST_MEMBERS


def test_comparing_members_is_charged_less_than_iterating_over_them() -> None:
    """A unit that may be set up in each hex of a large area asks as often whether a hex is in that area."""
    members = tuple(range(MOST_MEMBERS // 10))
    with open_budget():
        assert all(contains(0, members) for _ in range(9 * COMPARED_AT_ONCE))
    with open_budget(), pytest.raises(TooMuchWork):
        assert all(contains(0, members) for _ in range(11 * COMPARED_AT_ONCE))
    with open_budget(), pytest.raises(TooMuchWork):
        charge(MOST_MEMBERS + 1)
