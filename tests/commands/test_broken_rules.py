"""Every command with rules that have an error: it reports the error, or works as far as possible, and never crashes."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.change.change_forms import KINDS
from rulewright.write.new_packages import new_game
from tests.commands.examples import lines_of_all
from tests.sample import LONG, first_of_each, sampled

Capture = pytest.CaptureFixture[str]

PIECES = "pieces: [{name: R, type: runner, side: north, at: A}]"
POSITION = f"position: edge\nstack: toy\nboard: {{rows: [[A, B marsh]]}}\n{PIECES}\n"
# A file of the game, and the faulty text that is appended to it.
FAULTS = {
    "a name that nobody declares": (
        "moving.rules",
        '\nrule odd [TOY.1] "x" may_enter forbidden when mover is winged\n',
    ),
    "a paragraph that does not parse": ("moving.rules", '\nrule odd [TOY.1] "x" may_enter forbidden when when\n'),
    "two rules that clash": ("moving.rules", '\nrule odd [TOY.1] "x" entry_cost is 9 MP when to is marsh\n'),
    "an example with a wrong name": ("moving.rules", '\nexample "odd" { ask entry_cost(R, A) = 1 MP }\n'),
    "an example that fails": ("moving.rules", '\nexample "odd" { row A\n  ask 1 + 1 = 3 }\n'),
    "a chart that is no YAML": ("charts.yaml", "\n]]\n"),
    "a card with an unknown unit": ("field.yaml", "  - {side: north, units: {walker: 2}, sets_up: {columns: 1..1}}\n"),
    "a missing layer": ("layer.yaml", "with: [nowhere]\n"),
}
CHANGES = {
    "cell": "price meadow foot 3",
    "number": "tired-legs 1 2",
    "printed": "runner movement 5",
    "trait": "runner x yes",
    "forbid": "march --when yes",
    "allow": "may_enter --when yes --against pay-your-way",
    "status": "wet",
    "force": "first_toy north runner 3",
    "turns": "first_toy 9",
    "fact": "first_toy goal B3",
}
STAGES = ("source", "layered", "typed", "graph", "core", "lowered-core", "generated")
# Commands that wait for a user, or that other tests cover.
SERVING = {"open", "editor", "demo"}
# Lines of commands of which the example alone would try too little, or names a file.
OWN = (
    "check toy",
    "check toy --alone --lines",
    "test toy",
    "test toy --mutate --in tired-legs",
    "coverage toy --ledger .",
    "ask toy -p edge.yaml entry_cost(R,A,B)",
    "ask toy stacking",
    "diff toy low_tide",
    "diff low_tide toy",
    "play first_toy",
    "audit toy",
    "audit first_toy",
    "compare first_toy --rules toy --rules toy -n 2",
    "show first_toy --rules toy",
    "show edge.yaml",
    "show field --rules toy",
    "replay trial.jsonl",
    "reference toy --out book",
    "reference toy --against low_tide --out book",
    "tree toy",
    "tree toy entry_cost",
    "explain toy tired-legs",
    "graph toy",
    *(f"dump toy --stage {stage}" for stage in STAGES),
    "fmt --check toy",
    "number toy",
    "new ruling wet --dir toy",
    "new board b --on toy",
    "new variant snow --on toy",
    "export first_toy --module field.yaml --out x.vsav",
    "import toy --out imported",
    *(f"change toy more --{kind} {words}" for kind, words in CHANGES.items()),
    "change toy more",
)
LINES = tuple(lines_of_all(OWN, "toy", "first_toy", SERVING))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game, a position and a recorded game in a temporary folder, and change to it."""
    monkeypatch.chdir(tmp_path)
    folder = new_game("toy", tmp_path).folder
    (tmp_path / "edge.yaml").write_text(POSITION)
    assert run(["play", "first_toy", "--path", ".", "--record", "trial.jsonl"]) == 0
    return folder


def test_all_kinds_of_changes_are_run() -> None:
    assert set(CHANGES) == set(KINDS)


@pytest.mark.parametrize("fault", first_of_each(FAULTS, lambda _: "fault"))
@pytest.mark.parametrize("lines", [LINES[::2], pytest.param(LINES[1::2], marks=LONG)], ids=["even", "odd"])
def test_no_command_crashes(fault: str, lines: tuple[str, ...], toy: Path, capsys: Capture) -> None:
    name, more = FAULTS[fault]
    file = toy / name
    file.write_text(file.read_text() + more)
    for line in lines:
        capsys.readouterr()
        code = run([*line.split(), "--path", "."])
        output = "".join(capsys.readouterr())
        assert code in (0, 1, 2), f"{line}: {output}"
        assert "bug in rulewright" not in output, f"{line}: {output}"


REFUSED = (
    "change toy more --cell price meadow foot 3",
    "show first_toy --rules toy",
    "show edge.yaml",
    "compare first_toy --rules toy -n 2",
    "ask toy stacking",
    "reference toy --out book",
    "number toy",
    "export first_toy --module field.yaml --out x.vsav",
)


@sampled(3)
@pytest.mark.parametrize("line", REFUSED)
def test_a_command_that_cannot_use_a_stack_prints_its_errors(line: str, toy: Path, capsys: Capture) -> None:
    file = toy / "moving.rules"
    file.write_text(file.read_text() + "\nrule broken [TOY.1] 'x' may_entr forbidden\n")
    Path("field.yaml").write_text("")
    capsys.readouterr()
    assert run([*line.split(), "--path", "."]) == 1
    assert f"toy/moving.rules:{len(file.read_text().splitlines())}:" in "".join(capsys.readouterr())
