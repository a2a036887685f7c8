"""One diagnostic in its four renderings, and excerpts of unusual source text."""

import json
from dataclasses import replace

import pytest

from compiler.report.diagnostic import Diagnostic
from compiler.report.render.editor import editor_diagnostic
from compiler.report.render.json import diagnostic_data
from compiler.report.render.line import diagnostic_line
from compiler.source.sentence import Label, Severity, Witness
from compiler.source.span import Span
from tests.report.terminal_text import terminal_text

TEXTS = {
    "toy/toy.rules": 'rule open-ground "One point."\n  cost is 1 MP\n\nrule bog "Three."\n  cost is 3 MP when bogged\n',
    "frost/frost.rules": "rule ice\n\tcost is 2 MP when frozen\n",
}
CLASH = Diagnostic(
    "R0312",
    Severity.ERROR,
    "two rules give different answers to `cost`",
    (
        Label(Span("frost/frost.rules", 1, 6, 1, 9), "gives 2 MP"),
        Label(Span("toy/toy.rules", 4, 6, 4, 9), "gives 3 MP"),
        Label(Span("toy/toy.rules", 1, 6, 2, 15), "asked here"),
    ),
    "write `exception to bog` in `ice`",
    Witness("to is marsh, frozen", "1 of 4 combinations", path="witness-1.yaml"),
)


def test_terminal() -> None:
    assert (
        terminal_text(CLASH, TEXTS)
        == """\
error R0312: two rules give different answers to `cost`
 --> frost/frost.rules:1:6
  |
1 | rule ice
  |      ^^^ gives 2 MP
  |
 ::: toy/toy.rules:4:6
  |
1 | rule open-ground "One point."
  |      ------------------------ asked here
 ...
4 | rule bog "Three."
  |      --- gives 3 MP
  |
  = when: to is marsh, frozen (1 of 4 combinations; position saved as witness-1.yaml)
  = help: write `exception to bog` in `ice`"""
    )


def test_one_line() -> None:
    assert diagnostic_line(CLASH) == (
        "frost/frost.rules:1:6: error R0312: two rules give different answers to `cost` "
        "(write `exception to bog` in `ice`)"
    )


def test_json_has_the_documented_keys() -> None:
    shape = json.loads(json.dumps(diagnostic_data(CLASH)))
    assert {"code", "severity", "message", "spans", "help", "witness"} <= shape.keys()
    assert shape["witness"] == "witness-1.yaml"
    assert shape["spans"][0] == {
        "file": "frost/frost.rules", "line": 1, "column": 6, "end_line": 1, "end_column": 9, "label": "gives 2 MP",
    }  # fmt: skip


def test_editor_positions_are_zero_based_utf16() -> None:
    texts = {"a.rules": "rule 😀😀 bad"}
    found = Diagnostic("R0101", Severity.WARNING, "what is this", (Label(Span("a.rules", 1, 9, 1, 12), ""),))
    shape = editor_diagnostic(found, texts, lambda file: f"file:///{file}")
    assert shape["range"] == {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 13}}
    assert shape["severity"] == 2


def test_the_editor_message_has_no_location() -> None:
    found = Diagnostic("R0101", Severity.ERROR, "bad", (Label(Span("f", 1, 1, 1, 4), "here"),), "write good")
    assert editor_diagnostic(found, {"f": "bad"}, str)["message"] == "bad\nwrite good"


@pytest.mark.parametrize(
    ("source", "column", "end", "quoted"),
    [
        ("\tx = 1", 2, 3, "1 |     x = 1\n  |     ^ here"),
        ("路 = x", 5, 6, "1 | 路 = x\n  |      ^ here"),
        ("\x1b[31mred", 6, 9, "1 | ·[31mred\n  |      ^^^ here"),
        ("\n", 1, 1, "1 | \n  | ^ here"),
        ("x", 9, 9, "1 | x\n  |  ^ here"),
        ("a" * 300 + "bad" + "c" * 300, 301, 304, f"1 | …{'a' * 40}bad{'c' * 77}…\n  |  {' ' * 40}^^^ here"),
    ],
)
def test_excerpts(source: str, column: int, end: int, quoted: str) -> None:
    found = Diagnostic("R0101", Severity.ERROR, "bad", (Label(Span("f", 1, column, 1, end), "here"),))
    expected = f"error R0101: bad\n --> f:1:{column}\n  |\n{quoted}\n  |"
    assert terminal_text(found, {"f": source}).split("\n") == [row.rstrip() for row in expected.split("\n")]


def test_a_label_in_a_file_without_text_is_printed_with_its_line() -> None:
    found = Diagnostic("R0101", Severity.ERROR, "bad", (Label(Span("gone.rules", 3, 1, 3, 2), "here"),))
    assert terminal_text(found, {}) == "error R0101: bad\n --> gone.rules:3:1\n  | line 3: here"


def test_the_explanation_of_a_finding_is_printed() -> None:
    found = Diagnostic("R0556", Severity.ERROR, "bad", (), explanation="It rains.\n  by clouds [V.1]")
    assert terminal_text(found, {}).splitlines()[1:] == ["  = why: It rains.", "           by clouds [V.1]"]
    assert diagnostic_data(found)["why"] == "It rains.\n  by clouds [V.1]"


ASKED = replace(
    CLASH,
    witness=Witness(
        "to is marsh, frozen", "1 of 4 combinations", "cost(R, B)", "ice says 2 MP, bog says 3 MP", "position: w\n",
        "witness-1.yaml",
    ),
)  # fmt: skip


def test_all_renderings_have_the_question_about_a_saved_position() -> None:
    """The case of a proof may be another than the position that was found; only the question is about that."""
    question = "ask: `cost(R, B)` in witness-1.yaml: ice says 2 MP, bog says 3 MP"
    when = "when: to is marsh, frozen (1 of 4 combinations)"
    assert {f"  = {when}", f"  = {question}"} <= set(terminal_text(ASKED, TEXTS).splitlines())
    shape = editor_diagnostic(ASKED, TEXTS, str)
    assert [when, question] == shape["message"].splitlines()[-3:-1]
    assert shape["data"]["witness"]["path"] == "witness-1.yaml"
    data = diagnostic_data(ASKED)
    assert [data[key] for key in ("when", "share", "question", "answer", "position", "witness")] == [
        "to is marsh, frozen", "1 of 4 combinations", "cost(R, B)", "ice says 2 MP, bog says 3 MP", "position: w\n",
        "witness-1.yaml",
    ]  # fmt: skip


def test_the_case_of_a_proof_is_the_witness_where_no_position_was_saved() -> None:
    data = diagnostic_data(replace(CLASH, witness=Witness("frozen", "no position was found")))
    values = [data[key] for key in ("when", "share", "witness", "position")]
    assert values == ["frozen", "no position was found", "frozen", ""]
