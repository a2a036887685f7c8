"""Readings that no stack follows by default are played alike by the step reference, the machine and modules.

The readings are those of the stacks of examples. Each is played on the smallest card of its game, with its layer.
"""

import pytest

from compiler.layered.layer_selection import choose_layers, reachable_layers
from compiler.layered.stack_request import parse_request
from rulewright.library.example_targets import all_targets
from runtime.answer.generate import GeneratedEvaluator
from runtime.players.player import uniform_option
from runtime.state.setup import from_card
from tests.core.playing import differing_games, engines, side_by_side
from tests.play.side_by_side import side_by_side as by_reference
from tests.sample import first_of_each, sampled
from tests.soak.stacks import compiled, package_set

PACKAGES = package_set()
READINGS = [target.stack for target in all_targets(PACKAGES) if "=" in target.stack]
# Readings of situation cards are played on these cards, whose boards are not drawn yet.
PLAYED = [each for each in READINGS if PACKAGES.library.layers[each.partition("+")[0]].kind.text != "scenario"]
CARDS = {"panzerblitz": "ridge_farm", "panzer_leader": "bridge_at_millbrook", "panzer_grenadier": "hazel_ford"}


def game_of(stack: str) -> str:
    """Return the game of a stack with a reading."""
    layers = PACKAGES.library.layers
    below = reachable_layers(choose_layers(layers, parse_request("+".join(layers)))[0])
    layer = stack.partition("+")[0]
    (game,) = {layer, *below[layer]} & CARDS.keys()
    return game


def test_every_reading_with_rules_is_listed() -> None:
    """A reading with rules that is not the default is chosen by an example or a layer."""
    followed = {part for stack in READINGS for part in stack.split("+")[1:]}
    followed |= {
        f"{name.text}={label.text}" for each in PACKAGES.library.layers.values() for name, label in each.readings
    }
    for layer in sorted({stack.partition("+")[0] for stack in READINGS}):
        rules = PACKAGES.compiled(layer).graph
        assert rules is not None
        for dispute in rules.disputes.values():
            labels = [each.label for each in dispute.readings if each.rules and not each.chosen]
            assert {f"{dispute.label}={label}" for label in labels} <= followed


@sampled(0)
@pytest.mark.parametrize("stack", first_of_each(PLAYED, game_of))
def test_a_reading_is_played_alike(stack: str) -> None:
    game = game_of(stack)
    named = stack if stack.startswith(f"{game}+") else f"{game}+{stack}"
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[CARDS[game]], named)
    opening = from_card(rules)
    engine_pair = engines(rules, len(opening.sheets), opening.board.size)
    decisions, difference = side_by_side(engine_pair, opening, "1", 300)
    assert (difference, decisions > 5) == ("", True)
    assert differing_games(engine_pair, opening, uniform_option, ["1", "action/1"]) == []
    # The reference uses generated code: with the interpreter each decision would take seconds.
    assert by_reference(engine_pair.game, opening, "1", 60, GeneratedEvaluator(rules))[1] == []
