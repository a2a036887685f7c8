"""`check` of a layer says which options and variants on it no longer compile, and what it did not look at."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.layers.combination import Combination, combinations, written
from tests.sample import sampled

GAME, _ = combinations("combinations.rules")
OPTIONS = """options
layer sound on game
rule w "No." withdraws wheels-stay, tall-go
layer broken on game
rule v "No." withdraws wheels-stays
layer above on broken
rule u "No." withdraws tall-push
"""


@sampled(0)
def test_layers_that_do_not_compile_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    combination = Combination.read(OPTIONS)
    written(GAME, combination, tmp_path, {}, {layer.name: layer.name for layer in combination.layers})
    assert run(["check", "game", "--path", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "2 of the 3 layers on it do not compile; each was compiled alone, and nothing on it was proved:" in output
    assert "broken: " in output
    assert "above: " in output
    assert "there is no rule `wheels-stays`" in output
    assert run(["check", "game", "--path", str(tmp_path), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)["layers on it"]
    assert [data["compiled"], *(each["layer"] for each in data["broken"])] == [3, "above", "broken"]
    assert run(["check", "sound", "--path", str(tmp_path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["layers on it"] == {"compiled": 0, "broken": []}
