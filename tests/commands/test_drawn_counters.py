"""`check` and `test` report a printed value that an example contradicts at its cell in the chart of counters."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.cli.app import run
from tests.sample import sampled
from tests.toys.plain_game import plain_game

Capture = pytest.CaptureFixture[str]

DRAWN = """
trait unit: winged "can fly"
rule winged-anywhere [house] "Whoever has wings enters what he likes."
  may_enter allowed
    exception to hedges-stop-wheels
  when mover is winged

example "printed on units" {
  chart unit(side, movement, gait) {
    runner: north, 6, foot {winged}
    cart: south, 8, wheel {}
  }
}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game with an example that lists the values of its counters."""
    folder = plain_game("toy", tmp_path).folder
    with (folder / "moving.rules").open("a") as file:
        file.write(DRAWN)
    print_counters(folder, "[runner, north, 6, foot, [winged]]")
    return folder


def print_counters(folder: Path, runner: str, cart: str = "[cart, south, 8, wheel, []]") -> None:
    """Replace the rows of the chart of counters."""
    text = (folder / "charts.yaml").read_text()
    head = text.partition("columns: [id")[0]
    columns = "columns: [id, side, movement, gait, traits]\nrows:\n"
    (folder / "charts.yaml").write_text(f"{head}{columns}  - {runner}\n  - {cart}\n")


def found(command: str, folder: Path, capsys: Capture) -> dict[str, Any]:
    """Run a command that may have findings; return its JSON."""
    run([command, str(folder), "--format", "json"])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return json.loads(printed.out)  # type: ignore[no-any-return]


def errors(folder: Path, capsys: Capture) -> list[dict[str, Any]]:
    """Check a game, and return its errors."""
    return [each for each in found("check", folder, capsys)["diagnostics"] if each["severity"] == "error"]


def marked(places: Iterable[Mapping[str, Any]], folder: Path) -> str:
    """Return the line of the chart from the start of the one span in it."""
    (place,) = [each for each in places if each["file"].endswith("charts.yaml")]
    line: str = (folder / "charts.yaml").read_text().splitlines()[place["line"] - 1]
    return line[place["column"] - 1 :]


def test_agreeing_values_give_no_error(toy: Path, capsys: Capture) -> None:
    assert errors(toy, capsys) == []


@sampled(1)
@pytest.mark.parametrize(
    ("runner", "message"),
    [
        ("[runner, north, 5, foot, [winged]]", "`runner` to have movement 6"),
        ("[runner, south, 6, foot, [winged]]", "`runner` to have side north"),
        ("[runner, north, 6, wheel, [winged]]", "`runner` to have gait foot"),
        ("[runner, north, 6, foot, []]", "`runner` to have trait winged"),
    ],
)
def test_the_row_of_a_contradicted_cell_is_underlined(runner: str, message: str, toy: Path, capsys: Capture) -> None:
    print_counters(toy, runner)
    [finding] = [each for each in errors(toy, capsys) if "printed on units" in each["message"]]
    assert finding["code"] == "R0556"
    assert message in finding["message"]
    assert marked(finding["spans"], toy).startswith("runner, ")
    [failure] = [each for each in found("test", toy, capsys)["failures"] if each["example"] == "printed on units"]
    assert failure["expected"] == message
    assert marked(failure["causes"], toy).startswith("runner, ")
