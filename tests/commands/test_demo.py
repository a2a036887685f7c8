"""`demo` answers, finds its contradiction, measures the corrected variant, and writes the book and the position."""

import json
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.commands.test_faults import Capture
from tests.sample import LONG


@pytest.mark.parametrize("out", [pytest.param("shown", marks=LONG)])
def test_each_step_of_the_demonstration_does_what_it_says(out: str, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / out
    for _ in range(2):  # The second time it starts from the mistake again.
        assert run(["demo", "--out", str(folder), "--format", "json"]) == 0
        ask, check, show, compare, book = (step["reply"] for step in json.loads(capsys.readouterr().out)["steps"])
        assert ask["value"] == "forbidden"
        assert [finding["code"] for finding in check["diagnostics"]] == ["R0312"]
        assert len(show["pieces"]) == 1
        assert [arm["n"] for arm in compare["arms"]] == [200, 200]
        assert compare["difference"]["interval"][0] > 0
        assert book["pages"] > 10
    assert (folder / "book" / "index.html").is_file()
    assert run(["check", str(folder / "north_wind"), "--alone"]) == 0
