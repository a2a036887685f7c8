"""An example on a card starts in the position of the card, with its boards or without."""

from pathlib import Path

import pytest

from rulewright.checks.mutation.mutant_trials import MutationLimits
from rulewright.checks.mutation.protect import run_own_mutants
from rulewright.checks.testing import run_tests
from rulewright.library.example_targets import ExampleTarget, card_targets
from rulewright.library.stacks import open_packages
from rulewright.serve.cli.app import run
from tests.situations.pier import CARD, package

FIX = "layer: fix\ntitle: Fix\nkind: rulings\non: [pier]\n"
PATCH = "patch: outing\ncites: house\nforces: [{side: red, group: First, unit: bob, expect: 3, now: 4}]\n"
COUNT = 'example "%s" on outing {\n  ask count(b in reserve(bead) where b.side = red and b.counter = bob) = %d\n}\n'
ON_THE_CARD = """example "where the card begins" on outing for (h, reached) in ('N-A1', 'won'), ('N-B1', 'none_yet') {
  piece B: tom of blue
  move B to h
  ask count(b in reserve(bead) where b.counter = bob and b.side = red and b.arrives = 0) = 4
  ask every(b in reserve(bead) where b.side != blue or b.arrives = 2)
  ask scenario.count = 3
  ask 'F-E1' in scenario.shore
  ask game.turn = 1
  ask (game.player = red)
  ask level(red) = reached
  act deploy(b: B, h: 'N-A2') refused
  order phase deployment of blue, phase deployment of red, turn 2
}
"""


def corrected(folder: Path, **texts: str) -> Path:
    """Write the package, and a layer that patches a number of its card."""
    return package(folder, fix__layer_yaml=FIX, fix__forces_yaml=PATCH, **texts)


@pytest.fixture(autouse=True)
def _only_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped rules by the test's folder: each shipped card takes a moment to load."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)


def test_an_example_on_a_card_has_its_map_forces_facts_and_victory(tmp_path: Path) -> None:
    package_set = open_packages([package(tmp_path, pier__more_rules=ON_THE_CARD)])
    assert card_targets(package_set, "pier") == card_targets(package_set) == [ExampleTarget("pier", "outing")]
    (group,) = run_tests(package_set, "pier").groups
    assert [run.failures for run in group.runs] == [(), ()]


def test_a_corrected_number_is_protected_by_an_example_that_counts_it(tmp_path: Path) -> None:
    rules = {"pier__more_rules": COUNT % ("as printed", 4), "fix__more_rules": COUNT % ("as corrected", 5)}
    package_set = open_packages([corrected(tmp_path, **rules)])
    stack = package_set.compiled("fix")
    assert stack.graph is not None
    assert run_tests(package_set, "fix").cases == run_tests(package_set, "pier").cases == (1, 0)
    found = run_own_mutants(package_set, "fix", (), MutationLimits())
    assert [each.name for each in found.protected if each.kind == "corrected number"] == ["outing: bob of red"]


def test_a_changed_card_without_any_example_is_unprotected(tmp_path: Path) -> None:
    rules = {"pier__more_rules": COUNT % ("as printed", 4), "fix__more_rules": 'example "far" {\n  ask 1 + 1 = 2\n}\n'}
    package_set = open_packages([corrected(tmp_path, **rules)])
    found = run_own_mutants(package_set, "fix", (), MutationLimits())
    assert [(each.mutant.name, each.mutant.kind) for each in found.survivors] == [
        ("outing: bob of red", "corrected number")
    ]
    assert not run_own_mutants(package_set, "pier", (), MutationLimits()).tried_mutants["corrected number"]


def test_a_corrected_number_that_no_example_counts_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    idle = 'example "idle" on outing {\n  ask scenario.count = 3\n}\n'
    corrected(tmp_path, fix__more_rules=idle)
    assert run(["test", "fix", "--mutate"]) == 1
    assert "corrected number of outing: bob of red, " in capsys.readouterr().out


def test_an_example_among_the_special_rules_of_a_card_is_on_it(tmp_path: Path) -> None:
    special = CARD + "special: |\n  example special {\n    ask scenario.count = 4\n  }\n"
    package_set = open_packages([package(tmp_path, card_yaml=special.replace("special {", '"special" {'))])
    ((run_,),) = (group.runs for group in run_tests(package_set, "pier").groups)
    assert [(failure.example, failure.actual) for failure in run_.failures] == [("special", "3")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (COUNT.replace("outing", "outlng") % ("x", 4), "R0313: there is no situation `outlng`"),
        (COUNT.replace("ask", "row A\n  ask") % ("x", 4), "R0411: an example on a situation cannot have"),
        (COUNT.replace("bob", "bib") % ("x", 4), "`bib` is not a member of `counter`"),
        ("example \"x\" on outing {\n  ask scenario.jetty = {'N-Z1'}\n}\n", "N-Z1"),
    ],
)
def test_errors_are_reported_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    package(tmp_path, pier__more_rules=text)
    for command in ("check", "test"):
        assert run([command, "pier"]) == 1
        output = capsys.readouterr().out
        assert message in output
        assert "more.rules:" in output


def test_hexes_of_a_card_without_its_boards_have_their_numbers(tmp_path: Path) -> None:
    text = "example \"bare\" on outing {\n  ask distance('F-A1', 'F-B1') = 1 hexes\n}\n"
    package_set = open_packages([package(tmp_path, pier__more_rules=text.replace(" hexes", ""))])
    ((run_,),) = (group.runs for group in run_tests(package_set, "pier").groups)
    assert run_.checked == 1


def test_a_half_hex_has_the_numbers_of_both_boards(tmp_path: Path) -> None:
    text = """example "two numbers" on outing for (h) in ('N-B4'), ('F-D4') {
  piece B: tom of blue at 'N-B4'
  piece C: tom of blue at 'F-D4'
  ask (B.hex = h and C.hex = h)
}
"""
    package_set = open_packages([package(tmp_path, pier__more_rules=text)])
    (group,) = run_tests(package_set, "pier").groups
    assert [run.failures for run in group.runs] == [(), ()]
