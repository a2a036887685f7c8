"""The settings for Neovim on docs/editor.md, in Neovim where it is installed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.write.new_packages import new_game
from tests.sample import LONG
from tests.tidy.check import ROOT

pytest.importorskip("pygls", reason="NEOVIM NOT TRIED: no pygls, the extra `editor`")

PAGE = (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")
SCRIPT = Path(__file__).with_name("neovim.lua")
LEAST = (0, 10)


def neovim() -> str:
    """Return the command of Neovim, or skip the test."""
    command = os.environ.get("RULEWRIGHT_NVIM") or shutil.which("nvim")
    if not command:
        pytest.skip("NOT TRIED: Neovim; it is not installed, and RULEWRIGHT_NVIM names none")
    output = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"NVIM v(\d+)\.(\d+)", output)
    assert found, output
    if (int(found[1]), int(found[2])) < LEAST:
        pytest.skip(f"NOT TRIED: Neovim {found[1]}.{found[2]}; what the page says to set needs 0.10")
    return command


@LONG
def test_every_request_of_the_settings(tmp_path: Path) -> None:
    command = neovim()
    found = re.search(r"```lua\n(.*?)```", PAGE, re.DOTALL)
    assert found, "the page says nothing of Neovim"
    new_game("toy", tmp_path / "set")
    rules = tmp_path / "set" / "toy" / "moving.rules"
    settings, starter = tmp_path / "init.lua", tmp_path / "bin" / "rulewright"
    settings.write_text(found[1], encoding="utf-8")
    starter.parent.mkdir()
    starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulewright "$@"\n', encoding="utf-8")
    starter.chmod(0o755)
    installing = re.search(r"```sh\n(cd editors.*?)```", PAGE, re.DOTALL)
    assert installing, "the page does not say how to install the parser"
    around = {
        **os.environ,
        "PATH": f"{starter.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "RULES": str(rules),
    }
    if shutil.which("cc"):
        subprocess.run(["sh", "-ec", installing[1]], env=around, cwd=ROOT, check=True)
    full_command = [command, "--headless", "-u", str(settings), "-c", f"luafile {SCRIPT}"]
    run = subprocess.run(
        full_command, env=around, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False
    )
    data = json.loads(run.stdout)
    text = rules.read_text(encoding="utf-8")
    assert "failed" not in data, data["failed"]
    assert (data["filetype"], data["comment"], data["root"]) == ("rulewright", "# %s", str(tmp_path / "set"))
    assert not shutil.which("cc") or data["captures"] == ["keyword"]
    assert "price-of-ground" in data["hover"]
    assert data["definition"] == "moving.rules"
    assert data["references"] == text.count("price-of-ground")
    assert {"price-of-ground", "hedges-stop-wheels"} <= {*data["offered"]}
    assert data["outline"] > 1
    assert data["folds"] > 1
    assert data["highlights"] == text.count("price-of-ground")
    assert data["named"] == [0, len("price-of-ground")]
    assert data["renamed"] >= 1
    assert data["colors"] > len(text.splitlines())
    assert "price-of-ground" in data["anywhere"]
    assert data["ran"]["run"].endswith("as expected")
    assert all(data["ran"].values())
    assert data["signature"].startswith("entry_cost(")
    assert data["repairs"] == ["write `price-of-ground`"]
    assert data["slips"] == [["R0307", 0, 0]]
    assert data["mended"] == 0
    assert data["formatted"] is True
