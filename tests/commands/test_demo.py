"""`demo` checks its stacks without errors, and writes the book and the positions that it names."""

import json
from pathlib import Path

import pytest

from rulewright.cli.app import run
from tests.commands.test_faults import Capture
from tests.sample import LONG


@pytest.mark.parametrize("out", [pytest.param("shown", marks=LONG)])
def test_the_demonstration_has_no_errors_and_writes_its_files(out: str, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / out
    assert run(["demo", "--out", str(folder), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert all(not each["errors"] for each in data["stacks"])
    assert (Path(data["book"]["folder"]) / "index.html").is_file()
    assert [*(folder / "positions").iterdir()]
