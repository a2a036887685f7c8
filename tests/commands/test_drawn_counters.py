"""`check` and `test` report a printed value that an example contradicts at its cell in the chart of counters."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from compiler.report.diagnose import diagnose
from rulewright.cli.app import run
from rulewright.library.card_library import checked_cards, problems_of_card
from rulewright.library.stacks import packages_for
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


def codes(folder: Path, capsys: Capture) -> list[str]:
    """Check a game, and return the codes of its findings."""
    return [each["code"] for each in found("check", folder, capsys)["diagnostics"]]


def marked(places: Iterable[Mapping[str, Any]], folder: Path) -> str:
    """Return the line of the chart from the start of the one span in it."""
    (place,) = [each for each in places if each["file"].endswith("charts.yaml")]
    line: str = (folder / "charts.yaml").read_text().splitlines()[place["line"] - 1]
    return line[place["column"] - 1 :]


def test_agreeing_values_give_no_error(toy: Path, capsys: Capture) -> None:
    assert errors(toy, capsys) == []


@sampled(1)
@pytest.mark.parametrize(
    ("runner", "begins", "message"),
    [
        ("[runner, north, 5, foot, [winged]]", "5, foot", "`runner` to have movement 6"),
        ("[runner, south, 6, foot, [winged]]", "south, 6", "`runner` to have side north"),
        ("[runner, north, 6, wheel, [winged]]", "wheel, [", "`runner` to have gait foot"),
        ("[runner, north, 6, foot, []]", "[runner, north", "`runner` to have trait winged"),
    ],
)
def test_a_contradicted_cell_is_underlined(runner: str, begins: str, message: str, toy: Path, capsys: Capture) -> None:
    print_counters(toy, runner)
    [finding] = [each for each in errors(toy, capsys) if "printed on units" in each["message"]]
    assert finding["code"] == "R0556"
    assert message in finding["message"]
    assert marked(finding["spans"], toy).startswith(begins)
    [failure] = [each for each in found("test", toy, capsys)["failures"] if each["example"] == "printed on units"]
    assert failure["expected"] == message
    assert marked(failure["causes"], toy).startswith(begins)


def test_an_additional_trait_is_underlined(toy: Path, capsys: Capture) -> None:
    print_counters(toy, "[runner, north, 6, foot, [winged]]", "[cart, south, 8, wheel, [winged]]")
    findings = errors(toy, capsys)
    assert [each["code"] for each in findings] == ["R0556"], findings
    assert marked(findings[0]["spans"], toy).startswith("winged]")


def test_another_example_that_fails_with_the_counter_has_a_failure_of_its_own(toy: Path, capsys: Capture) -> None:
    with (toy / "moving.rules").open("a") as file:
        file.write('example "far" {\n  row A, B\n  piece R: runner of north at A\n  ask R.movement = 6 MP\n}\n')
    print_counters(toy, "[runner, north, 4, foot, [winged]]")
    failures = {each["example"]: each for each in found("test", toy, capsys)["failures"]}
    assert failures["far"]["actual"] == "4 movement points"
    assert marked(failures["printed on units"]["causes"], toy).startswith("4, foot")


def test_an_error_of_a_card_disappears_with_its_cause(toy: Path) -> None:
    """Cards are checked in the process that stores the proofs, as on a machine with one core."""

    def codes() -> list[str]:
        package_set, name = packages_for(str(toy), [])
        found = (problems_of_card(package_set, card, name) for name, card in checked_cards(package_set.compiled(name)))
        return [each.code for each in diagnose([each for problems in found for each in problems], package_set.texts())]

    print_counters(toy, "[runner, south, 6, foot, [winged]]")
    assert "R0411" in codes()
    print_counters(toy, "[runner, north, 6, foot, [winged]]", "[cart, south, 8, wheel, [winged]]")
    assert "R0411" not in codes()
