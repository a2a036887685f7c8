"""The budget of answers that a command line sets ends with the command."""

from pathlib import Path

import pytest

from rulewright.cli.app import run
from runtime.graph.budget import MOST_MEMBERS, budget_limit

POSITION = Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml"


def test_a_budget_ends_with_its_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    counted = "count(u in all unit where u is not dispersed)"
    question = ["ask", "panzer_leader", "-p", str(POSITION), counted, "--steps", "1"]
    assert run(question) == 1
    assert "R0567" in capsys.readouterr().out
    assert budget_limit() == MOST_MEMBERS
