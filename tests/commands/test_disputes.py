"""`disputes` lists the contradictions of the sources, with positions in which their readings differ."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.library.stacks import load_stack
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]

WHOLE = "price[ground_of(to), mover.gait]"
DISPUTES = """\
dispute legs [TOY.2] "Whose legs?" {
  reading all-legs [TOY.2] default "So it says." { }
  reading own-legs [TOY.3] {
    rule own-legs-only [TOY.3] "Tired units on wheels pay no more."
      entry_cost is price[ground_of(to), mover.gait]
      exception to tired-legs
      when mover.gait = wheel
  }
}
dispute words [TOY.2] "Is it the same?" {
  reading so [TOY.2] default "Why not." { }
  reading thus [TOY.3] { }
}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game that has two disputes."""
    new_game("toy", tmp_path / "set")
    (tmp_path / "set" / "toy" / "more.rules").write_text(DISPUTES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed(stack: str, capsys: Capture) -> dict[str, dict[str, Any]]:
    """Return the disputes of a stack by label, from the JSON."""
    assert run(["disputes", stack, "--path", "set", "--witnesses", "shown", "--format", "json"]) == 0
    return {each["dispute"]: each for each in json.loads(capsys.readouterr().out)["disputes"]}


def groups(dispute: dict[str, Any]) -> list[dict[str, Any]]:
    """List the groups of the diff between the chosen reading and the first other one."""
    return [group for term in dispute["others"][0]["diff"]["terms"] for group in term["groups"]]


def test_a_reading_that_is_not_chosen_lists_its_rules() -> None:
    for stack, chosen in (("toy", "all-legs"), ("toy+legs=own-legs", "own-legs")):
        book = load_stack(stack, (Path("set"),)).graph
        assert book is not None
        readings = book.disputes["legs"].readings
        assert {each.label: each.rules for each in readings} == {"all-legs": (), "own-legs": ("own-legs-only",)}
        assert [each.label for each in readings if each.chosen] == [chosen]
        assert ("own-legs-only" in book.rules) == (chosen == "own-legs")


def test_a_position_shows_where_readings_differ(capsys: Capture) -> None:
    legs = listed("toy", capsys)["legs"]
    assert legs["title"] == "Legs", "without a heading the label is the title"
    assert legs["chosen"] == {
        "reading": "all-legs", "title": "All legs", "cites": ["TOY.2"], "why": "So it says."
    }  # fmt: skip
    assert legs["others"][0]["stack"] == "toy+legs=own-legs"
    (group,) = groups(legs)
    assert group["rules"] == ["own-legs-only"]
    assert run(["ask", "toy+legs=own-legs", "-p", group["witness"], group["question"], "--path", "set"]) == 0
    assert group["b"] in capsys.readouterr().out


def test_readings_without_rules_change_no_answer(capsys: Capture) -> None:
    assert run(["disputes", "toy", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert output.count("it changes no answer: nothing that answers depend on is changed") == 1
    assert output.endswith("2 contradictions of the sources in toy\n")
    assert run(["check", "toy", "--path", "set"]) == 0
    assert "2 contradictions of the sources settled by choice" in capsys.readouterr().out


def test_a_reading_without_a_witness_or_a_proof_is_reported(here: Path, capsys: Capture) -> None:
    same = DISPUTES.replace(WHOLE, f"{WHOLE} + 1 MP").replace("to tired-legs\n", "to tired-legs, price-of-ground\n")
    same = same.replace("= wheel\n", "= wheel and mover is tired\n")
    (here / "set" / "toy" / "more.rules").write_text(same)
    assert run(["disputes", "toy", "--path", "set"]) == 0
    message = "no position was found in which it makes a difference, nor a proof that there is none: own-legs-only\n"
    assert message in capsys.readouterr().out


def test_an_answer_that_becomes_a_contradiction_is_a_difference(here: Path, capsys: Capture) -> None:
    (here / "set" / "toy" / "more.rules").write_text(DISPUTES.replace(WHOLE, f"{WHOLE} + 1 MP"))
    (group,) = groups(listed("toy", capsys)["legs"])
    assert (group["a"], group["b"]) == ("1 movement point", "no answer (rules on entry_cost contradict each other)")


def test_gaps_of_the_sources_are_listed(here: Path, capsys: Capture) -> None:
    manifest = here / "set" / "toy" / "layer.yaml"
    manifest.write_text(f"{manifest.read_text()}gaps: [Whether legs may rest is not said; they may not.]\n")
    assert run(["disputes", "toy", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert "left open  Whether legs may rest is not said; they may not.  (toy)\n\n2 contradictions" in output
    assert run(["disputes", "toy", "--path", "set", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["gaps"] == [{"layer": "toy", "gap": "Whether legs may rest is not said; they may not."}]
