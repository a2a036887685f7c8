"""`dump` prints each stage of a stack: the same text every time, and a rule as the stages transform it."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]
STAGES = ("source", "layered", "typed", "lowered")

RULE = {
    "source": """\
set/toy/moving.rules (1)
  Rule label=tired-legs cites=TOY.2 @set/toy/moving.rules:16:3
    prose "A tired unit pays one point more."
    conclusion Conclusion head=entry_cost verb=is @17:5
      value (arithmetic + (cell price (call ground_of to) (field mover gait)) 1 MP)
    relations Relate verb=exception labels=price-of-ground @18:5
    guard (is-test mover tired)
""",
    "layered": """\
rules (1)
  tired-legs Rule layer=toy concludes_on=entry_cost case=moving defeats=price-of-ground
    node Rule label=tired-legs cites=TOY.2 @set/toy/moving.rules:16:3
      prose "A tired unit pays one point more."
      conclusion Conclusion head=entry_cost verb=is @17:5
        value (arithmetic + (cell price (call ground_of to) (field mover gait)) 1 MP)
      relations Relate verb=exception labels=price-of-ground @18:5
      guard (is-test mover tired)
""",
    "typed": """\
rules (1)
  Rule label=tired-legs terms=entry_cost verb=is defeats=price-of-ground case=moving cites=TOY.2 @set/toy/moving.rules:16:8
    value (+ (cell price (ask ground_of to) (get mover printed unit gait)) 1 MP)
    guard (is mover (test status unit tired))
    relations (exception price-of-ground)
    prose "A tired unit pays one point more."
""",  # noqa: E501
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game."""
    new_game("toy", tmp_path / "set")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("stage", STAGES)
def test_a_rule(stage: str, capsys: Capture) -> None:
    assert run(["dump", "toy", "--stage", stage, "--rule", "tired-legs", "--path", "set"]) == 0
    assert capsys.readouterr().out == RULE.get(stage, RULE["typed"])


@pytest.mark.parametrize("stage", [STAGES[0], STAGES[-1]])
def test_a_term_and_its_rules(stage: str, capsys: Capture) -> None:
    parts = dumped(f"--stage {stage} --term entry_cost", capsys)["parts"]
    assert [node["is"] for node in parts.get("rules", parts.get("set/toy/moving.rules"))][-2:] == ["Rule", "Rule"]


@pytest.mark.parametrize("stage", [STAGES[0], STAGES[-1]])
def test_a_whole_stage(stage: str, capsys: Capture) -> None:
    texts = []
    for _ in range(2):
        assert run(["dump", "toy", "--stage", stage, "--path", "set"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert " object at 0x" not in texts[0]
    assert dumped(f"--stage {stage}", capsys)["stage"] == stage


def test_the_lowered_stage_has_the_whole_graph(capsys: Capture) -> None:
    dumped_graph = dumped("", capsys)["graph"]
    assert dumped_graph["stack"] == "toy"
    assert dumped_graph["rules"]["tired-legs"]["guard"]["is"] == "Is"


def test_the_core(capsys: Capture) -> None:
    """In the lowered core the clause of a defeater precedes those that it defeats; the passes change the text."""
    assert run(["dump", "toy", "--stage", "lowered-core", "--term", "entry_cost", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("entry_cost(")
    assert "says tired-legs" in output
    assert "says price-of-ground, unless " in output
    assert output.index("says tired-legs") < output.index("says price-of-ground")
    assert run(["dump", "toy", "--stage", "core", "--path", "set"]) == 0
    assert capsys.readouterr().out != output


def dumped(options: str, capsys: Capture) -> dict[str, Any]:
    """Return the JSON of a dump."""
    assert run(["dump", "toy", *options.split(), "--path", "set", "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_the_generated_python(capsys: Capture) -> None:
    """Generated code compiles, and is selected by term or by rule; comments name the rules of a function."""
    assert run(["dump", "toy", "--stage", "generated", "--path", "set"]) == 0
    whole = capsys.readouterr().out
    compile(whole, "toy", "exec")
    assert run(["dump", "toy", "--stage", "generated", "--term", "entry_cost", "--path", "set"]) == 0
    output = capsys.readouterr().out
    assert run(["dump", "toy", "--stage", "generated", "--rule", "tired-legs", "--path", "set"]) == 0
    assert capsys.readouterr().out == output
    assert "def entry_cost(" in output
    assert "# tired-legs [TOY.2]: A tired unit pays one point more." in output
    assert "def may_enter(" in whole
    assert "def may_enter(" not in output
