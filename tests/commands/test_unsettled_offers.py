"""Commands that play games report offers whose `must` the budget does not suffice to decide."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from rulewright.new_packages import new_game
from tests.codes.page import read_page
from tests.sample import LONG, sampled

PAGE = read_page(Path(__file__).parents[1] / "codes" / "R0579-offer-unsettled.md")
MESSAGE = "more could follow than the budget allows to try in the offer of `wade`"
KEYS = {"actions", "file", "line", "decisions", "options"}
RunCommand = Callable[[str], tuple[str, dict[str, Any]]]


@pytest.fixture
def offer_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunCommand:
    """Change to a folder with the toy and the layer of the page of R0579.

    Returns a function that runs a command and returns its text and its JSON.
    """
    new_game("toy", tmp_path / "packages")
    files = {
        "mine/layer.yaml": "layer: mine\ntitle: Mine\nkind: variant\non: [toy]\n",
        "mine/sources.yaml": "sources:\n  - {prefix: V, title: My Variant, items: [V.1]}\n",
    }
    (tmp_path / "packages/mine").mkdir()
    for name, text in {**files, **PAGE.wrong}.items():
        (tmp_path / "packages" / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def say(command: str) -> tuple[str, dict[str, Any]]:
        printed = []
        for form in ("text", "json"):
            assert run([*command.split(), "--path", "packages", "--format", form]) == 0
            printed.append(capsys.readouterr().out)
        return " ".join(printed[0].split()), json.loads(printed[1])

    return say


@sampled(0)
@pytest.mark.parametrize("engine", ["native", pytest.param("python", marks=LONG)])
def test_a_series_reports_the_sum_of_its_games(engine: str, offer_texts: RunCommand) -> None:
    text, data = offer_texts(f"play first_toy --rules mine -n 2 --engine {engine}")
    assert text.count(MESSAGE) == 1
    (offer,) = data["unsettled"]
    assert offer.keys() == KEYS
    assert offer["actions"] == ["wade"]
    assert offer["options"] >= offer["decisions"] > 0
    line = Path("packages/mine/mine.rules").read_text().splitlines()[offer["line"] - 1]
    assert line.lstrip().startswith("offer wade must")
    for seed in range(2):
        text, data = offer_texts(f"play first_toy --rules mine --seed 1-{seed} --engine {engine}")
        assert (MESSAGE in text) == bool(data["unsettled"])
        offer["decisions"] -= sum(each["decisions"] for each in data["unsettled"])
    assert offer["decisions"] == 0
