"""Every command works without extras and wasmtime, or names the command that installs the extra that it needs."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rulewright.games.engines import NATIVE, PYTHON, choose_engine, is_engine_available
from rulewright.system.errors import UsageError
from tests.commands.examples import lines_of_all
from tests.sample import first_of_each, sampled

CLONE = Path(__file__).parents[2]
EXTRAS: dict[str, list[str]] = tomllib.loads((CLONE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
# Names under which packages are imported, where they differ.
IMPORTED = {"z3-solver": "z3", "zen-engine": "zen", "common-expression-language": "cel"}
# Commands that are refused for another reason: missing files, or files of the wrong kind.
REFUSED = ("change", "coverage", "export", "import", "number")
CARD, GAME = "before_the_tide", "low_tide"
# Command lines, with the message about the missing extra; "" where none is needed.
OWN = {
    f"check {GAME}": "proofs by arithmetic",
    f"test {GAME}": "",
    "coverage --ledger LEDGER": "",
    f"ask {GAME} stacking": "",
    f"play {CARD} --record TRIAL": "",
    f"compare {CARD} -n 2 --engine native": "no engine `native` here: wasmtime does not run on this machine",
    f"audit {CARD} -n 1": "",
    f"compare {CARD} --rules {GAME} --rules {GAME} -n 2 --out RESULTS": "wasmtime does not run on this machine: games",
    f"show {CARD} --out DRAWING.svg": "",
    f"show {CARD} --out DRAWING.png": "needs resvg_py",
    f"open {CARD}": "served with starlette",
    "replay TRIAL": "",
    f"reference {GAME} --out BOOK": "wasmtime does not run on this machine: pages show what was answered",
    f"reference {GAME} --out BOOK --pdf": "needs typst",
    f"explain {GAME} walker": "",
    f"dump {GAME} --stage core": "",
    f"dump {GAME} --stage generated": "",
    "fmt --check LAYER": "",
    "number LAYER/": "",
    "editor": "served with pygls",
    "import LAYER --out IMPORTED": "",
    f"export {CARD} --module LAYER --out SAVE": "",
    "new game trial_game --dir NEW": "",
    f"change {GAME} later --turns X": "",
}
# `demo` runs these commands and takes a minute.
LINES = {line: OWN.get(line, "") for line in lines_of_all(OWN, GAME, CARD, {"demo"})}
# Placeholders of files in a line.
FILE = re.compile(r"[A-Z]{2,}[.\w]*")
RUNNING = """
import contextlib, io, json, sys
hidden, lines = json.loads(sys.stdin.read())
sys.modules.update(dict.fromkeys(hidden))
from rulewright.serve.cli import app
for line in lines:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = app.run(line)
    print(json.dumps([code, said.getvalue()]))
"""


def name_of(line: str) -> str:
    return line.split(maxsplit=1)[0]


def kind_of(line: str) -> str | bool:
    """Return what one line of its kind stands for; every example stands for its command."""
    return (LINES[line] or name_of(line) in REFUSED) if line in OWN else line


def hidden() -> list[str]:
    """List the modules of all optional packages, except those that the tests need; and wasmtime."""
    packages = [re.split("[>=]", line)[0] for name, lines in EXTRAS.items() if name != "test" for line in lines]
    return sorted({"wasmtime", *(IMPORTED.get(each, each.replace("-", "_")) for each in packages)})


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, tuple[int, str]]:
    """Return exit code and output of each line of this run, from one process without optional packages."""
    tried = {item.callspec.params.get("line") for item in request.session.items if hasattr(item, "callspec")}
    lines = [line for line in LINES if line in tried]
    folder = tmp_path_factory.mktemp("bare")
    layer = folder / "LAYER"
    layer.mkdir()
    (layer / "layer.yaml").write_text(f"layer: later\nkind: option\non: {GAME}\ntitle: Later\n")
    (folder / "LAYER" / "sources.yaml").write_text("documents: []\n")
    questions = [[FILE.sub(str(folder / r"\g<0>"), part) for part in line.split()] for line in lines]
    (folder / "LEDGER").mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", RUNNING], input=json.dumps([hidden(), questions]), cwd=CLONE,
        env={**os.environ, "RULEWRIGHT_CACHE": str(folder / "cache")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not ran.returncode, ran.stderr
    return dict(zip(lines, map(tuple, map(json.loads, ran.stdout.splitlines())), strict=True))


@sampled(1)
@pytest.mark.parametrize("line", first_of_each(LINES, kind_of))
def test_a_command_works_or_names_the_missing_extra(line: str, answers: dict[str, tuple[int, str]]) -> None:
    code, output = answers[line]
    assert code in (0, 1, 2), output
    assert "a bug" not in output
    assert LINES[line] in " ".join(output.split()), output
    assert (code == 2) is (LINES[line].startswith(("needs", "served", "no engine")) or name_of(line) in REFUSED), output
    installed_by = ("rulewright.bootstrap", "pip install", "no engine")
    assert code != 2 or name_of(line) in REFUSED or any(each in output for each in installed_by)


@pytest.mark.parametrize("error", ["RuntimeError('unsupported architecture')", "OSError('no library')"])
def test_a_package_without_a_library_for_the_machine_is_not_used(
    error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel of wasmtime for all machines can be installed anywhere; where it has no library, its import fails."""
    (tmp_path / "wasmtime.py").write_text(f"raise {error}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "wasmtime", raising=False)
    is_engine_available.cache_clear()
    assert choose_engine("") == (
        PYTHON,
        "wasmtime does not run on this machine: games are played in Python, which takes longer",
    )
    with pytest.raises(UsageError, match="no engine `native` here"):
        choose_engine(NATIVE)
    is_engine_available.cache_clear()
