"""The cards of the two games: valid without boards, patched by the corrections, and played on their boards."""

import os
from pathlib import Path

import pytest

from compiler.report.render.line import diagnostic_line
from rulewright.games.scenarios import game_of
from rulewright.library.compiled_modules import module_of
from rulewright.library.stacks import PackageSet, open_packages
from runtime.experiment.native_series import NativeSeries
from runtime.graph import nodes as graph
from tests.sample import LONG, sampled
from tests.situations.wake import awake, cards, play, ready_card

FACTS = Path(os.environ.get("RULEWRIGHT_FACTS", "facts"))
PACKAGES = open_packages()


@pytest.fixture(scope="module")
def woken(tmp_path_factory: pytest.TempPathFactory) -> PackageSet:
    """Return the packages with the imported boards, if these are available."""
    if not (FACTS / "boards").is_dir():
        pytest.skip(f"SKIPPED: no boards in {FACTS}: no card was woken or played (set RULEWRIGHT_FACTS)")
    return awake(FACTS, tmp_path_factory.mktemp("woken"))


def card(name: str, rules: str | None = None) -> graph.Scenario:
    """Return the scenario of a card under its own stack or another."""
    node = PACKAGES.library.scenarios[name]
    stack = PACKAGES.compiled(rules or node.uses.text, node)
    assert stack.graph is not None, [diagnostic_line(each) for each in stack.diagnostics]
    assert stack.graph.scenario is not None
    return stack.graph.scenario


def count(found: graph.Scenario, side: str, unit: str) -> int:
    """Return how many counters of a type a side has."""
    return sum(number for force in found.forces if force.side == side for name, number in force.units if name == unit)


def test_every_situation_of_the_two_games_has_a_card() -> None:
    names = cards(PACKAGES)
    # Situations 2 and 3 of Panzer Leader, the landings, are missing: our sources do not describe them sufficiently.
    assert [name for name in names if name.startswith("pl_")] == [f"pl_situation_{n:02d}" for n in (1, *range(4, 21))]
    assert [name for name in names if name.startswith("pb_")] == [f"pb_situation_{n:02d}" for n in range(1, 13)]


@sampled(5)
@pytest.mark.parametrize("name", cards(PACKAGES))
def test_a_card_is_valid_without_its_boards(name: str) -> None:
    found = card(name)
    assert found.waits_for
    assert {force.side for force in found.forces} == set(found.order) == set(found.set_up)
    planes = {"thunderbolt", "typhoon", "grasshopper"}
    assert all(force.area or {unit for unit, _ in force.units} <= planes for force in found.forces)
    assert found.gaps


@sampled(2)
@pytest.mark.parametrize(
    ("name", "side", "unit", "printed", "corrected"),
    [
        ("pl_situation_05", "allied", "us_rifle", 0, 12),
        ("pl_situation_05", "allied", "armored_rifle", 12, 0),
        ("pl_situation_07", "allied", "us_rifle", 9, 0),
        ("pl_situation_07", "allied", "armored_rifle", 0, 9),
        ("pl_situation_13", "german", "flak37", 2, 1),
        ("pl_situation_14", "german", "flak37", 2, 1),
        ("pl_situation_15", "german", "flak37", 2, 1),
        ("pl_situation_15", "german", "wagon", 1, 4),
        ("pl_situation_18", "german", "truck", 7, 6),
        ("pl_situation_20", "german", "halftrack", 3, 2),
        ("pb_situation_09", "russian", "russian_mortar120", 4, 3),
        ("pb_situation_12", "german", "wagon", 6, 4),
    ],
)
def test_the_corrections_change_the_printed_force(
    name: str, side: str, unit: str, printed: int, corrected: int
) -> None:
    corrections = "panzer_leader_corrections" if name.startswith("pl_") else "panzerblitz_corrections"
    assert count(card(name), side, unit) == printed
    assert count(card(name, corrections), side, unit) == corrected


@pytest.mark.parametrize("name", cards(PACKAGES))
def test_a_card_with_its_boards_is_set_up(woken: PackageSet, name: str) -> None:
    playthrough = play(woken, name, 1, 12 if name.startswith("pl_") else 100)
    assert playthrough.choice_count > 0
    assert any(hex_ >= 0 for hex_ in playthrough.state.hex) or playthrough.state.turn <= 1


@LONG
@pytest.mark.parametrize("player", ["greedy", "random"])
@pytest.mark.parametrize("name", cards(PACKAGES))
def test_a_card_with_its_boards_is_played_in_compiled_code(woken: PackageSet, name: str, player: str) -> None:
    rules, scenario = ready_card(woken, name)
    game = game_of(rules)
    series = NativeSeries(game, module_of(game), logs=False)
    series.seat(dict.fromkeys(scenario.order, player))
    outcome = series.play("1-0")
    assert outcome is not None, series.stop_reason
    assert not outcome.fault
