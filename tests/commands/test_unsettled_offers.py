"""Commands that play games report offers whose `must` the budget does not suffice to decide."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game
from tests.codes.page import read_page

PAGE = read_page(Path(__file__).parents[1] / "codes" / "R0579-offer-unsettled.md")
MESSAGE = "the offer of `wade` has more continuations than the budget allows to try"
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
