"""Lists of commands print the files of packages as paths that open from the working directory, as findings do."""

import re
from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]

DISPUTE = """
dispute legs [TOY.2] "Whose legs?" {
  reading all-legs [TOY.2] default "So it says." { }
  reading own-legs [TOY.3] { }
}
event strolled(u: unit)
rule never-so [house] "Nobody is there." may_enter forbidden when mover.movement < 0 MP
"""
HOOK = "after end of turn [house] { for each u in {u in all unit where u is tired} { unmark u as tired } }\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a small game and a variant in a folder below."""
    new_game("toy", tmp_path / "set")
    (tmp_path / "set" / "toy" / "more.rules").write_text(DISPUTE)
    variant = tmp_path / "set" / "other"
    variant.mkdir()
    (variant / "layer.yaml").write_text("layer: other\ntitle: Other\nkind: variant\non: [toy]\n")
    (variant / "other.rules").write_text(HOOK)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "test set/toy --mutate --in set/toy/more.rules --alone -j 1",
        "diff toy toy+other --path set",
    ],
)
def test_listed_files_open(command: str, capsys: Capture) -> None:
    run([each for each in command.split() if each != "--alone" or "--mutate" not in command])
    output = capsys.readouterr().out
    files = re.findall(r"[\w/.-]+\.rules(?=:\d)", output)
    assert files, output
    assert all(Path(each).is_file() for each in files), files


def test_a_path_selects_what_is_altered(capsys: Capture) -> None:
    run(["test", "set/toy", "--mutate", "--in", "set/toy", "--sample", "100000", "-j", "1"])
    assert re.search(r"none of \d+ alterations was tried", capsys.readouterr().out)
