"""Places that are altered: the ends of offers, and the regions of cards that rules read."""

from pathlib import Path

import pytest

from rulewright.games.scenarios import load_card
from rulewright.library.stacks import load_stack
from rulewright.write.new_packages import new_game
from runtime.graph import nodes as graph
from runtime.mutation.card_mutants import card_mutants
from runtime.mutation.procedure_mutants import procedure_mutants
from tests.situations.pier import CARD, package

FORCES = "  - {side: red, group: First, units: {bob: 3}, sets_up: AREA}\n"
IN_THE_POOL = "  - {side: red, group: First, units: {bob: 3}, sets_up: {region: pool}}\n"


def test_the_end_of_an_offer_is_altered(tmp_path: Path) -> None:
    """An offer may end at any time instead of when a question says so, and no sooner than nothing is left to do."""
    folder = new_game("toy", tmp_path).folder
    rules_file = folder / "playing.rules"
    offer = "offer set_up until none(u in reserve(unit) where u.side = player)"
    text = rules_file.read_text()
    assert offer in text
    question = "define all_set_up(s: side): yes_no [house] = none(u in reserve(unit) where u.side = s)\n"
    rules_file.write_text(text.replace(offer, "offer set_up until all_set_up(player)") + question)
    rules = load_stack("toy", [folder]).graph
    assert rules is not None
    ends = [
        (type(mutant.original).__name__, mutant.replacement)
        for mutant in procedure_mutants(rules, "sequence")
        if isinstance(mutant.replacement, graph.Truth)
    ]
    assert ends == [("Ask", graph.Truth(value=True)), ("Truth", graph.Truth(value=False))]


def test_a_region_that_only_lays_out_forces_is_altered_in_their_area(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hexes of a region replace its name as the card is loaded, so the region itself has no effect any more."""
    monkeypatch.setattr("rulewright.library.shipped_folders.rules_folder", lambda: tmp_path)
    text = CARD.replace(FORCES, IN_THE_POOL).replace("regions: {", "regions: {pool: [N-B1, N-B2], ")
    package(tmp_path, card_yaml=text)
    rules = load_card("outing", None, [tmp_path]).graph
    assert rules is not None
    assert rules.scenario is not None
    names = [mutant.name for mutant in card_mutants(rules, rules.scenario)]
    assert "outing: scenario.jetty" in names  # A line of victory reads it.
    assert [name for name in names if "pool" in name] == []
    assert names.count("outing: area of First") == 2
