"""`graph` draws which rules answer and defeat, and who asks whom, as DOT."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game."""
    new_game("toy", tmp_path / "set")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edges(options: str, capsys: Capture) -> set[str]:
    """Return the edges as sentences of names."""
    assert run(["graph", "toy", *options.split(), "--path", "set", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    names = {node["id"]: node["name"] for node in data["nodes"]}
    return {f"{names[edge['from']]} {edge['kind']} {names[edge['to']]}" for edge in data["edges"]}


def test_a_question(capsys: Capture) -> None:
    assert edges("--term entry_cost", capsys) == {
        "march asks entry_cost",
        "pay-your-way asks entry_cost",
        "price-of-ground answers entry_cost",
        "price-of-ground asks ground_of",
        "price-of-ground asks price",
        "tired-legs defeats price-of-ground",
        "tired-legs asks ground_of",
        "tired-legs asks price",
    }


def test_a_rule(capsys: Capture) -> None:
    assert edges("--rule always-one-hex", capsys) == {
        "always-one-hex defeats pay-your-way",
    }


def test_dot(capsys: Capture) -> None:
    assert run(["graph", "toy", "--rule", "always-one-hex", "--path", "set"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("digraph rules {\n")
    assert '"rule pay-your-way" -> "rule always-one-hex" [dir="back" color="#b3261e" arrowtail="tee"]' in printed


def test_a_file_is_written(here: Path, capsys: Capture) -> None:
    assert run(["graph", "toy", "--path", "set", "--out", "a.dot"]) == 0
    assert "in a.dot" in capsys.readouterr().out
    assert "digraph rules {" in (here / "a.dot").read_text(encoding="utf-8")
