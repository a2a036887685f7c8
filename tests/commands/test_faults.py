"""Faults that only a question or a game can find are findings, not tracebacks: R0551 to R0557, R0563."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

POSITION = """\
position: edge
stack: toy
board: {rows: [[A, B marsh]]}
pieces:
  - {name: R, type: runner, side: north, at: A}
  - {name: S, type: runner, side: north, at: A, tired: yes}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game and a position; return the folder of the game."""
    (tmp_path / "edge.yaml").write_text(POSITION)
    return plain_game("toy", tmp_path).folder


def findings(command: list[str], capsys: Capture) -> list[dict[str, str]]:
    """Run a command that fails with findings; return its diagnostics."""
    assert run([*command, "--format", "json"]) == 1
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return json.loads(printed.out)["diagnostics"]  # type: ignore[no-any-return]


def ask(toy: Path, question: str) -> list[str]:
    return ["ask", str(toy), "-p", str(toy.parent / "edge.yaml"), question]


@pytest.mark.parametrize(
    ("rules", "question", "code"),
    [
        ("value toll(u: unit): 0..3", "toll(R)", "R0551"),
        (
            'rule ice [TOY.1] "x" entry_cost is 2 MP exception to price-of-ground when to is marsh',
            "entry_cost(S, A, B)",
            "R0552",
        ),
        ('value toll(u: unit): 0..3 rule big [TOY.1] "x" toll is 7', "toll(R)", "R0553"),
    ],
)
def test_questions_without_an_answer(toy: Path, rules: str, question: str, code: str, capsys: Capture) -> None:
    (toy / "more.rules").write_text(rules + "\n")
    [found] = findings(ask(toy, question), capsys)
    assert found["code"] == code
    assert found["spans"]


def test_a_question_without_an_answer_does_not_stop_the_others(toy: Path, capsys: Capture) -> None:
    questions = ["xyzzy", "toll(R)", "count(all unit)", "R.hex ="]
    assert run([*ask(toy, questions[0]), *questions[1:], "--format", "json"]) == 1
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert [each["question"] for each in answers] == questions
    assert answers[0]["error"].startswith("nothing in the book of toy is about “xyzzy”, and no question of the rules.")
    assert answers[1]["diagnostics"][0]["code"] == "R0201"
    assert answers[2]["value"] == 2
    assert answers[3]["diagnostics"]
    assert run(ask(toy, "xyzzy")) == 2


@pytest.mark.parametrize(
    ("question", "code", "message"),
    [
        ("count(toward(A, 0))", "R0412", "`0` is outside the range of `toward`, 1..6"),
        ("count(toward(A, 7))", "R0412", "`7` is outside the range of `toward`, 1..6"),
        ("count(toward(A, 3/2))", "R0553", "`toward` is given 3/2, but is declared 1..6"),
        ("count(toward(A, count(unit at A) - 2))", "R0553", "`toward` is given 0, but is declared 1..6"),
        ("count(toward(A, count(unit at A) + 5))", "R0553", "`toward` is given 7, but is declared 1..6"),
        ("lane(count(unit at A))", "R0553", "`lane(n)` is given 2, but is declared 3..9"),
        ("lane(5) + count(toward(A, count(unit at A)))", "", ""),
    ],
)
def test_numbers_outside_of_what_is_taken(toy: Path, question: str, code: str, message: str, capsys: Capture) -> None:
    (toy / "more.rules").write_text("define lane(n: 3..9): 0..99 = n\n")
    if not code:
        assert run(ask(toy, question)) == 0
        return
    [found] = findings(ask(toy, question), capsys)
    assert (found["code"], found["message"]) == (code, message)
    assert "`toward`" not in found["help"]


def test_a_game_without_an_open_option(toy: Path, capsys: Capture) -> None:
    text = (toy / "playing.rules").read_text()
    (toy / "playing.rules").write_text(text.replace("offer march until yes", "offer march until no"))
    [found] = findings(["play", "first_toy", "--path", str(toy)], capsys)
    assert found["code"] == "R0555"


def test_an_example_that_fails(toy: Path, capsys: Capture) -> None:
    text = (toy / "moving.rules").read_text()
    (toy / "moving.rules").write_text(text.replace("= 2 MP because tired-legs", "= 3 MP because tired-legs"))
    assert run(["test", str(toy)]) == 1
    out = capsys.readouterr().out
    assert "error R0556: the example `tired` expects 3 movement points" in out
    assert "but it is 2 movement points" in out
    assert "passed, 1 failed" in out


PARTED = """
dispute carts-at-hedges [TOY.4] "Do hedges tire carts?" {
  reading no-they-do-not [TOY.4] default "Nobody says so." {}
  reading yes-they-do [TOY.4] {
    rule hedges-tire [TOY.4] "Beside a hedge a tired cart stays."
      may_enter forbidden
      when mover.gait = wheel and mover is tired
  }
}
"""
PLAYED = """
example "a tired cart" under toy+carts-at-hedges=yes-they-do {
  row A, B
  piece W: cart at A (tired)
  ask may_enter(W, A, B) = forbidden by hedges-tire
}
"""


@pytest.mark.parametrize("played", [True, False])
def test_a_reading_that_no_example_plays(toy: Path, played: bool, capsys: Capture) -> None:
    (toy / "more.rules").write_text(PARTED + PLAYED * played)
    assert run(["test", str(toy)]) == (not played)
    message = "error R0563: no example uses the reading `yes-they-do` of `carts-at-hedges`"
    assert (message in capsys.readouterr().out) is not played


FOR_NOTHING = """
domain die = 1..6
value luck(u: unit): 0..6 otherwise 0
resolution thaw() [TOY.6] "Marshes thaw." {{ roll d: die }}
example "odd" {{
  row A, B
  piece R: runner at A
  dice {dice}
  {line}
  do thaw()
  ask entry_cost(R, A, B) = 1 MP
}}
"""


@pytest.mark.parametrize(
    ("dice", "line", "message"),
    [
        ("3, 4", "end of turn", "expects all its dice to be thrown"),
        ("3", "let far = 3", "no line of this example uses `far`"),
    ],
)
def test_unused_lines_of_an_example_fail(toy: Path, dice: str, line: str, message: str, capsys: Capture) -> None:
    (toy / "more.rules").write_text(FOR_NOTHING.format(dice=dice, line=line))
    assert run(["test", str(toy)]) == 1
    assert message in capsys.readouterr().out


RUNS_DRY = """
domain die = 1..6
resolution thaw() [TOY.6] "Marshes thaw." {{ roll d: die }}
example "{title}" {{
  row A, B marsh
  piece R: runner at A
{lines}}}
"""


@pytest.mark.parametrize(
    ("lines", "at", "message"),
    [
        (
            "  dice 3\n  ask R is not tired\n  do thaw()\n  mark R as tired\n  do thaw()\n  ask R is tired\n",
            "  do thaw()",
            "but it is stopped: a die (die) is rolled that no `dice` line foresees in resolution thaw (turn 1)",
        ),
        (
            "  ask R is not tired\n  remove R\n  move R to R.hex\n",
            "  move R to R.hex",
            "but it is stopped: the `hex` of `R` is read, which is off the map or out of the game",
        ),
    ],
)
def test_an_example_that_cannot_be_played(toy: Path, lines: str, at: str, message: str, capsys: Capture) -> None:
    text = RUNS_DRY.format(title="odd", lines=lines)
    (toy / "more.rules").write_text(text)
    assert run(["test", str(toy)]) == 1
    assert message in capsys.readouterr().out
    assert run(["test", str(toy), "--format", "json"]) == 1
    [failed] = json.loads(capsys.readouterr().out)["failures"]
    assert failed["line"] == len(text[: text.rindex(at)].split("\n"))
