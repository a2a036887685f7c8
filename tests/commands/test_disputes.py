"""`disputes` lists the contradictions of the sources, with positions in which their readings differ."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compiler.layered.stack_request import other_reading
from rulewright.cli.app import run
from rulewright.contrast.differences import difference_of
from rulewright.library.stacks import Stack, load_stack
from rulewright.new_packages import new_game
from runtime.graph import nodes as graph
from runtime.witness.asked_questions import AskedQuestions
from runtime.witness.behavioral_diff import DifferingTerms, behavioral_diff
from runtime.witness.paired_replay import PairedReplay
from runtime.witness.traced_run import TracedRun

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


def test_a_layer_gives_disputes_and_readings_titles(here: Path, capsys: Capture) -> None:
    """The book and the command print them; a title of nothing in the stack is a finding."""
    book = here / "set" / "toy" / "book.yaml"
    book.write_text("book: []\nheadings: {legs: Tired legs, all-legs: All of them, own-legs: Legs of its own}\n")
    assert run(["disputes", "toy", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert "Tired legs  (legs)\n  Whose legs?  [TOY.2]\n" in output
    assert "  chosen  All of them (all-legs) [TOY.2]: So it says.\n" in output
    assert "  or      Legs of its own (own-legs) [TOY.3]\n" in output
    book.write_text("book: []\nheadings: {legz: Tired legs}\n")
    assert run(["check", "toy", "--path", "set"]) == 1
    assert "did you mean `legs`" in capsys.readouterr().out


def test_the_default_reading_is_listed_where_another_is_chosen(capsys: Capture) -> None:
    legs = listed("toy+legs=own-legs", capsys)["legs"]
    assert legs["chosen"]["reading"] == "own-legs"
    assert legs["others"][0]["stack"] == "toy+legs=all-legs"
    assert groups(legs)


def test_answers_and_the_page_of_a_dispute_name_a_reading_by_its_title(here: Path, capsys: Capture) -> None:
    (here / "set" / "toy" / "titles.yaml").write_text(
        "book: []\nheadings: {own-legs: Only their own, legs: Tired legs}\n"
    )
    (group,) = groups(listed("toy", capsys)["legs"])
    assert run(["ask", "toy+legs=own-legs", group["question"], "-p", group["witness"], "--path", "set"]) == 0
    assert "(reading Only their own, chosen in a dispute)" in capsys.readouterr().out
    assert run(["explain", "toy+legs=own-legs", "legs", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert re.search(r"title +Tired legs\n", output)
    assert re.search(r"read here as +Only their own \(own-legs\)\n", output)


def test_readings_without_rules_change_no_answer(capsys: Capture) -> None:
    assert run(["disputes", "toy", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert output.count("it changes no answer: nothing that answers rest on is otherwise") == 1
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


def test_an_unknown_stack_is_refused(capsys: Capture) -> None:
    assert run(["disputes", "toyy", "--path", "set"]) == 2
    assert "did you mean `toy`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "other"),
    [("g", "g+d=r"), ("g+o+d=s", "g+o+d=r"), ("g+e=x", "g+d=r+e=x")],
)
def test_the_name_of_the_other_stack(name: str, other: str) -> None:
    assert other_reading(name, "d", "r") == other


LATE = """\
condition late(owner: side) default no
  reads "{owner} is late" denied "{owner} is in time"

dispute tardy [TOY.2] "Is a unit late that may still come on elsewhere?" {
  reading late-is-late [TOY.2] default "So it says." {
    rule came-too-late [TOY.2] "A side is late if one of its units waits though it could come on in two hexes."
      late holds
      when some(u in reserve(unit) where u.side = owner and u.arrives > 2 and count(u.area) > 1)
  }
  reading never-late [TOY.3] { }
}
"""


def test_witnesses_have_pieces_that_have_not_arrived(here: Path, capsys: Capture) -> None:
    (here / "set" / "toy" / "more.rules").write_text(LATE)
    run(["disputes", "set/toy", "--format", "json"])
    (dispute,) = json.loads(capsys.readouterr().out)["disputes"]
    (other,) = dispute["others"]
    (term,) = other["diff"]["terms"]
    (group,) = term["groups"]
    assert term["term"] == "late"
    position = Path(group["witness"]).read_text()
    assert "arrives: 3" in position
    assert "area: [" in position


def test_an_interrupted_command_prints_its_results_so_far(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def interrupted(stack: Stack, other: Stack, example_runs: AskedQuestions) -> DifferingTerms:
        if "words" in other.name:
            raise KeyboardInterrupt
        return difference_of(stack, other, example_runs=example_runs)

    monkeypatch.setattr("rulewright.contrast.source_disputes.difference_of", interrupted)
    assert run(["disputes", "toy", "--path", "set"]) == 1
    output = capsys.readouterr().out
    assert "own-legs" in output
    assert output.endswith("interrupted after 1 of 2 disputes; not looked at: words\n")
    assert run(["disputes", "toy", "--path", "set", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["left"] == ["words"]


TIRED_CART = """
example "a tired cart" {
  row A, B
  piece W: cart of south at A (tired)
  ask entry_cost(W, A, B) = 2 MP
}
"""


def test_examples_that_ask_no_changed_term_are_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result equals that of a comparison that replays all examples, and fewer examples are played."""
    Path("set/toy/more.rules").write_text(DISPUTES + TIRED_CART)
    stack, other, varied = (
        load_stack(name, (Path("set"),)).graph for name in ("toy", "toy+legs=own-legs", "toy+words=thus")
    )
    assert stack is not None
    assert other is not None
    assert varied is not None
    played: list[str] = []
    play_lines = PairedReplay._play_lines

    def noted(replay: PairedReplay, sides: list[TracedRun], example: graph.Example, which: int) -> None:
        played.append(example.title)
        play_lines(replay, sides, example, which)

    monkeypatch.setattr(PairedReplay, "_play_lines", noted)
    example_runs = AskedQuestions(stack)
    whole = behavioral_diff(stack, other)
    every = [*played]
    played.clear()
    assert behavioral_diff(stack, other, example_runs=example_runs) == whole
    assert whole.behavior.example_questions
    assert whole.behavior.plays
    assert 0 < len(played) < len(every)
    assert example_runs.changed_terms(stack, other) == frozenset({"entry_cost"})
    assert example_runs.changed_terms(stack, varied) == frozenset()
    assert example_runs.changed_terms(other, stack) is None
    assert example_runs.changed_terms(stack, replace(other, tables={})) is None
