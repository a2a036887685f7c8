"""`graph` draws which rules answer and defeat, and who asks whom, as DOT or as a self-contained SVG."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.new_packages import new_game
from rulewright.views.dependency_diagrams import FORMATS

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
        "may_enter asks entry_cost",
        "march asks entry_cost",
        "march asks may_enter",
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
        "pay-your-way answers may_enter",
        "pay-your-way asks entry_cost",
    }


def test_dot(capsys: Capture) -> None:
    assert run(["graph", "toy", "--rule", "always-one-hex", "--path", "set"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("digraph rules {\n")
    assert '"rule pay-your-way" -> "rule always-one-hex" [dir="back" color="#b3261e" arrowtail="tee"]' in printed


# A text that a file of each format contains.
SAMPLES = {".svg": "<svg ", ".dot": "digraph rules {"}


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_is_written_and_named(suffix: str, here: Path, capsys: Capture) -> None:
    assert run(["graph", "toy", "--path", "set", "--out", f"a{suffix}"]) == 0
    assert f"in a{suffix}" in capsys.readouterr().out
    assert suffix in SAMPLES, "give a sample of what a file of this format contains"
    assert SAMPLES[suffix] in (here / f"a{suffix}").read_text(encoding="utf-8")
    assert run(["graph", "--help"]) == 0
    assert f"FILE{suffix}" in capsys.readouterr().out, f"the help of `--out` does not name FILE{suffix}"


@pytest.mark.parametrize("options", ["", "--term may_enter --depth 2", "--rule tired-legs"])
def test_svg(options: str, here: Path, capsys: Capture) -> None:
    assert run(["graph", "toy", *options.split(), "--path", "set", "--out", "pictures/a.svg"]) == 0
    assert "in pictures/a.svg" in capsys.readouterr().out
    written = (here / "pictures" / "a.svg").read_text(encoding="utf-8")
    picture = ET.fromstring(written)
    assert picture.tag.endswith("svg")
    boxes = [box for box in picture.iter() if "box" in box.get("class", "") and box.get("rx") is not None]
    assert len(boxes) > 3
    assert "http://" not in written.replace("http://www.w3.org/2000/svg", "")
    assert run(["graph", "toy", *options.split(), "--path", "set", "--out", "again.svg"]) == 0
    assert (here / "again.svg").read_text(encoding="utf-8") == written
