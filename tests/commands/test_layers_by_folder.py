"""Files that `new` writes are formatted, and every command accepts the new layer by its folder."""

from pathlib import Path

import pytest

from compiler.format.rules import format_rules
from rulewright.serve.cli.app import run
from rulewright.serve.cli.console import ExitCode
from rulewright.write.new_packages import new_game, new_ruling, new_variant
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]
NAMES = ["x", "a_name_that_takes_half_of_a_line_of_rules"]

# The command that takes a layer and not a stack.
NUMBER = "number LAYER"
# Commands on a layer, or on a card in its folder.
LINES = [
    "check LAYER", "play first_mine --rules LAYER --players greedy,greedy --seed 1", "explain LAYER pay-your-way",
    "dump LAYER --stage source", NUMBER, "fmt LAYER",
]  # fmt: skip


@sampled(1)
@pytest.mark.parametrize("name", NAMES)
def test_new_layers_are_formatted(tmp_path: Path, name: str) -> None:
    new_game(name, tmp_path)
    new_ruling("one-hex-minimum", tmp_path / name)
    new_variant(f"{name}_again", str(tmp_path / name), tmp_path, packages=())
    written = sorted(tmp_path.rglob("*.rules"))
    assert len(written) > 3
    for path in written:
        text = path.read_text()
        assert format_rules(text, path.name) == (text, ()), path.name


@sampled(1)
@pytest.mark.parametrize("line", LINES)
def test_a_layer_is_named_by_its_folder(
    tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    new_game("mine", tmp_path)
    monkeypatch.chdir(tmp_path)
    whole = (tmp_path / "mine").as_posix()
    for folder in ("./mine", "mine", "mine/", whole) if line in (LINES[0], NUMBER) else (whole,):
        assert run(line.replace("LAYER", folder).split()) == ExitCode.DONE, capsys.readouterr().err


def test_a_stack_cannot_be_numbered(capsys: Capture) -> None:
    assert run(["number", "low_tide+two_clans"]) == ExitCode.USAGE
    assert "each by itself" in capsys.readouterr().err
