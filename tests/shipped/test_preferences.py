"""Every shipped action has a preference for greedy players, or a reason why it has none."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rulewright.library.stacks import PackageSet, open_packages
from runtime.graph import nodes as graph
from runtime.graph.steps import is_preferred
from tests.soak.stacks import options, together

PACKAGES = open_packages()
SIDE = graph.Enum("side")
NOTHING = graph.Num(Fraction(0), "")
GAMES = ("long_frost", "low_tide", "panzer_grenadier", "panzer_leader", "panzerblitz")


def unpreferred(rules: graph.Graph) -> list[str]:
    """Return the actions with neither a preference nor a reason, with both, or with the constant preference 0."""
    actions = (each for each in rules.procedures.values() if each.what == "action")
    return [
        f"{each.origin.file}:{each.origin.line} {each.name}" for each in actions if not has_preference_or_reason(each)
    ]


def has_preference_or_reason(action: graph.Procedure) -> bool:
    """Return whether an action has either a preference other than 0, or a reason for having none."""
    nothing = any(isinstance(step, graph.Choose) and step.preferring == NOTHING for step in action.body)
    return is_preferred(action) != bool(action.no_preference) and not nothing


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_and_its_options_has_a_preference(game: str) -> None:
    stack = PACKAGES.compiled(together(PACKAGES, game, options(PACKAGES, game)))
    assert stack.graph is not None
    assert unpreferred(stack.graph) == []
    one = next(each for each in stack.graph.procedures.values() if each.what == "action")
    idle = replace(one, body=())
    assert not has_preference_or_reason(idle)
    assert has_preference_or_reason(replace(idle, no_preference="Nobody idles."))
    assert not has_preference_or_reason(replace(one, no_preference="Nobody idles."))
    assert not has_preference_or_reason(replace(one, body=(graph.Choose("", "s", graph.All(SIDE), None, NOTHING),)))


@pytest.mark.parametrize("layer", ["panzerblitz_cards", "panzer_leader_cards", "pl1940", "panssari_salama"])
def test_every_action_of_cards_and_variants_has_a_preference(layer: str) -> None:
    package_set: PackageSet = PACKAGES
    stack = package_set.compiled(layer)
    assert stack.graph is not None
    assert unpreferred(stack.graph) == []
