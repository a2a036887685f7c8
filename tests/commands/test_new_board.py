"""`new board` writes a board that `show` draws under its stack."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from tests.commands.planting import say


@pytest.mark.parametrize("stack", ["low_tide", "panzer_grenadier", "panzerblitz"])
def test_a_new_board_is_drawn(stack: str, tmp_path: Path) -> None:
    output = say(["new", "board", "brook", "--on", stack, "--size", "5x3", "--dir", str(tmp_path / "boards")])
    assert output.code == 0
    data = say(["show", str(tmp_path / "boards" / "brook.yaml"), "--rules", stack, "--format", "json"])
    assert (data.code, data.data["hexes"], data.data["title"]) == (0, 15, "Brook")


def test_a_board_with_all_signs_of_the_legend_and_all_commented_lines_is_drawn(tmp_path: Path) -> None:
    assert run(["new", "board", "brook", "--on", "panzer_leader", "--dir", str(tmp_path)]) == 0
    file = tmp_path / "brook.yaml"
    text = file.read_text()
    signs = [part.partition(":")[0].strip() for part in text.split("legend: {")[1].split("}")[0].split(",")]
    assert len({*signs}) == len(signs) > 12
    filled = text.replace('"............"', f'"{"".join(signs)[:12]}"', 1).replace(
        '"............"', f'"{signs[-1]:.<12}"', 1
    )
    file.write_text("\n".join(line.removeprefix("# ") for line in filled.splitlines() if "`ccrr`" not in line))
    output = say(["show", "brook", "--rules", "panzer_leader", "--path", str(tmp_path)])
    assert output.code == 0, output.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("brook", "`--on STACK`"),
        ("Brook --on low_tide", "`Brook` is no name"),
        ("brook --on low_tide --size 5", "`5` is no size"),
        ("brook --on low_tide --size 0x5", "`0x5` is no such size"),
        ("hazel_ford --on low_tide", "there is a board `hazel_ford` already"),
    ],
)
def test_wrong_arguments_write_no_board(
    words: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "board", *words.split(), "--dir", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
