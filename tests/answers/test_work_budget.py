"""The budget of answers: what it charges, and that one which a command line sets ends with the command."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from runtime.graph.budget import HANDFUL, MOST_MEMBERS, TooMuchWork, allow_members, budget_limit, charge, open_budget
from runtime.graph.operators.sets import contains

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"


def test_a_budget_ends_with_its_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    counted = "count(u in all unit where u is not dispersed)"
    question = ["ask", "panzer_leader", "-p", str(POSITION), counted, "--steps", "1"]
    assert run(question) == 1
    assert "R0567" in capsys.readouterr().out
    assert budget_limit() == MOST_MEMBERS


def test_membership_in_a_large_set_is_charged_as_one_member() -> None:
    """A unit that may be set up in each hex of a large area asks as often whether a hex is in that area."""
    area = tuple(range(10 * HANDFUL))
    with allow_members(MOST_MEMBERS) as used:
        assert all(contains(member, area) for member in area)
        assert not contains(-1, area)
        assert used() == len(area) + 1
    with allow_members(MOST_MEMBERS) as used:
        assert contains(1, area[:HANDFUL])
        assert used() == 0
    # Members that are not hashed are compared one by one.
    with allow_members(MOST_MEMBERS) as used:
        assert contains(1, list(area))
        assert used() == len(area)
    with open_budget(), pytest.raises(TooMuchWork):
        charge(MOST_MEMBERS + 1)
