"""Every action that is shipped says what greedy players want of it, so that they use what options offer."""

import pytest

from rulewright.library.stacks import Shelves, open_shelves
from runtime.experiment.changes import is_preferred
from runtime.graph import nodes as graph
from tests.soak.stacks import options, together

SHELVES = open_shelves()
GAMES = ("low_tide", "panzer_grenadier", "panzer_leader", "panzerblitz")


def unpreferred(rules: graph.Graph) -> list[str]:
    """List the actions that greedy players never begin, whatever they are worth."""
    actions = (each for each in rules.procedures.values() if each.what == "action")
    return [f"{each.origin.file}:{each.origin.line} {each.name}" for each in actions if not is_preferred(each)]


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_and_its_options_has_a_preference(game: str) -> None:
    stack = SHELVES.compiled(together(SHELVES, game, options(SHELVES, game)))
    assert stack.graph is not None
    assert unpreferred(stack.graph) == []
    taken_away = next(each for each in stack.graph.procedures.values() if each.what == "action")
    assert not is_preferred(graph.Procedure("action", "idle", "", (), (), (), "", "", (), taken_away.origin))


@pytest.mark.parametrize("layer", ["panzerblitz_cards", "panzer_leader_cards", "pl1940", "panssari_salama"])
def test_so_has_every_action_of_cards_and_variants(layer: str) -> None:
    shelves: Shelves = SHELVES
    stack = shelves.compiled(layer)
    assert stack.graph is not None
    assert unpreferred(stack.graph) == []
