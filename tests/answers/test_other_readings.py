"""Answers that hang on a dispute say so, whether or not the chosen reading has a rule of its own."""

import json
from pathlib import Path

import pytest

from rulewright.library.stacks import open_packages
from rulewright.serve.cli.app import run
from runtime.examples.line_results import run_row_by_line
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

POSITION = """\
position: edge
stack: toy
board: {rows: [[A, B wood, C]]}
pieces:
  - {name: R, type: runner, side: north, at: A}
  - {name: W, type: cart, side: north, at: A, tired: yes}
  - {name: F, type: cart, side: north, at: A}
"""
DISPUTE = """
define carts_that_go(to: hex): 0..9 [house] =
  count(u in all unit where u.gait = wheel and may_enter(u, u.hex, to))

dispute carts-and-woods [TOY.4] "Does a tired cart go through woods?" {
  reading it-does [TOY.4] default "Nobody says it does not." {}
  reading it-stays [TOY.4] "It is tired." {
    rule tired-carts-stay [TOY.4] "A tired cart does not enter woods."
      may_enter forbidden
      when mover.gait = wheel and mover is tired and to is wood
  }
}

dispute legs-in-woods [TOY.4] "Do tired legs pay double?" {
  reading one-more [TOY.4] default "So it is printed." {
    rule one-more-in-woods [TOY.2] "A tired unit pays four points for woods."
      entry_cost is 4 MP
      exception to price-of-ground, tired-legs
      when mover is tired and to is wood
  }
  reading as-elsewhere [TOY.4] "Woods are like any ground." {}
}

dispute hands-off [TOY.2] "May a tired cart go first?" {
  reading it-may [TOY.2] default "Nobody says it may not." {}
  reading it-may-not [TOY.2] "It is tired, and is told so." {
    rule tired-carts-wait [TOY.2] "A tired cart does not go back."
      may_enter forbidden
      when mover.gait = wheel and mover is tired and from is wood

    rule no-walks [TOY.2] "Nobody walks."
      withdraws action march
  }
}

ruling carts-are-slow [TOY.2] clarification, minor
  asks "Are carts slow in woods?"
  answers "They pay what the chart says."
  clarifies price-of-ground
"""

CHARTS = """
dispute woods-for-wheels [TOY.2] "What do carts pay for woods?" {
  reading as-printed [TOY.2] default "The chart is plain." {}
  reading twice [TOY.2] "The chart was corrected." {
    rule woods-cost-more [TOY.2] "Carts pay more for woods."
      replaces cell price[wood, wheel] = 4 MP by 6 MP
  }
}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game with two disputes, and a position; return the folder of the game."""
    (tmp_path / "edge.yaml").write_text(POSITION)
    folder = plain_game("toy", tmp_path).folder
    (folder / "more.rules").write_text(DISPUTE)
    return folder


def disputes(toy: Path, question: str, capsys: Capture) -> list[tuple[str, str, str]]:
    """Ask a question; return the disputes of the answer: each with the other reading and its answer."""
    assert run(["ask", str(toy), "-p", str(toy.parent / "edge.yaml"), question, "--format", "json"]) == 0
    answered = json.loads(capsys.readouterr().out)["disputes"]
    return [(each["dispute"], each["other"], each["answer"]) for each in answered]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("may_enter(W, A, B)", [("carts-and-woods", "it-stays", "forbidden")]),
        ("may_enter(F, A, B)", []),
        # A reading that withdraws an action, too, is compared by its other rule.
        ("may_enter(W, B, A)", [("hands-off", "it-may-not", "forbidden")]),
        ("entry_cost(W, A, B)", [("legs-in-woods", "as-elsewhere", "5 movement points")]),
        # Through another question, and in an expression.
        ("carts_that_go(B)", [("carts-and-woods", "it-stays", "1")]),
        ("may_enter(W, A, B) and W is tired", [("carts-and-woods", "it-stays", "no")]),
    ],
)
def test_an_answer_names_the_disputes_that_would_change_it(
    toy: Path, question: str, expected: list[tuple[str, str, str]], capsys: Capture
) -> None:
    assert disputes(toy, question, capsys) == expected


def test_the_text_of_an_answer_names_the_dispute_and_the_rulings_on_its_rule(toy: Path, capsys: Capture) -> None:
    position = str(toy.parent / "edge.yaml")
    assert run(["ask", str(toy), "-p", position, "may_enter(W, A, B)", "entry_cost(F, A, B)"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "The sources disagree: Does a tired cart go through woods?" in out
    assert "This answer follows “it-does”; under “it-stays” it would be: forbidden. [carts-and-woods: TOY.4]" in out
    assert "[carts-are-slow: TOY.2]" in out
    # With the other reading the same dispute is told from its other side.
    assert run(["ask", f"{toy}+carts-and-woods=it-stays", "-p", position, "may_enter(W, A, B)"]) == 0
    assert "follows “it-stays”; under “it-does” it would be: allowed." in " ".join(capsys.readouterr().out.split())


def test_an_answer_is_not_compared_under_a_reading_that_changes_a_chart_it_reads(toy: Path, capsys: Capture) -> None:
    (toy / "charts.rules").write_text(CHARTS)
    questions = ["entry_cost(F, A, B)", "F is tired"]
    assert run(["ask", str(toy), "-p", str(toy.parent / "edge.yaml"), *questions, "--format", "json"]) == 0
    [dispute], tired = (answer["disputes"] for answer in json.loads(capsys.readouterr().out)["answers"])
    assert (dispute["answer"], dispute["untried"]) == ("", "it changes price")
    assert not tired


@pytest.mark.parametrize(
    ("title", "term", "dispute"),
    [
        ("where an amphibious tank may move", "may_cross", "tanks-in-the-pond"),
        ("a wreck ahead, behind the trees", "may_cross", "woods-road-block"),
        ("down from the hilltop", "strength", "note-a"),
    ],
)
def test_a_shipped_answer_is_that_of_the_stack_with_the_other_reading(title: str, term: str, dispute: str) -> None:
    package_set = open_packages(())
    rules = package_set.compiled("panzerblitz").rules
    reading = next(each.label for each in rules.disputes[dispute].readings if not each.chosen)
    other_rules = package_set.compiled(f"panzerblitz+{dispute}={reading}").rules
    example = next(each for each in rules.examples if each.title == title)
    differing = 0
    for row in range(max(1, len(example.rows))):
        _, results = run_row_by_line(rules, example, row)
        _, other_results = run_row_by_line(other_rules, example, row)
        for result, other in zip(results, other_results, strict=True):
            if result and other and result.explanation and result.explanation.term == term:
                disputed = [each for each in result.explanation.disputed if each.dispute == dispute]
                assert bool(disputed) == (result.answer != other.answer), result.explanation.question
                differing += bool(disputed)
    assert differing
