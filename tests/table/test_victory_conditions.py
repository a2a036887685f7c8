"""The aims of a situation: `show` prints them before a game."""

from rulewright.explain.views.shown_scenes import load_scene
from rulewright.explain.views.victory_conditions import Aim, victory_lines, victory_text
from rulewright.games.scenarios import load_scenario
from runtime.graph import nodes as graph


def rules_of(card: str) -> graph.Graph:
    rules = load_scenario(card, None).graph
    assert rules is not None
    return rules


def test_victory_conditions_are_listed_by_side_and_rising_level() -> None:
    found = victory_lines(rules_of("hazel_ford"))
    assert [(aim.side, aim.level) for aim in found] == [
        ("axis", "minor"),
        ("axis", "major"),
        ("allied", "minor"),
        ("allied", "major"),
    ]
    assert found[3] == Aim("allied", "major", "the number of units of the Axis is at most 4")


def test_turns_order_and_named_hexes_come_first() -> None:
    lines = list(victory_text(rules_of("ridge_farm")))
    assert lines[:2] == ["8 turns; German, then Russian in each turn", "objectives: 0510, 0411, 0511"]
    assert lines[2].startswith("German, marginal: ")
    first, *_ = victory_text(rules_of("before_the_tide"))
    assert first == "12 turns; the Northers, then the Southers in each turn"


def test_rules_on_the_winner_are_printed_and_lines_of_the_card_not_repeated() -> None:
    tide = rules_of("before_the_tide")
    assert list(victory_text(tide))[1:] == [tide.rules["baskets-count"].prose]
    assert list(victory_text(rules_of("ridge_farm")))[-1].startswith("A side's level")
    assert not [line for line in victory_text(rules_of("hazel_ford")) if "reaches" in line]


def test_a_shown_card_has_aims_and_a_position_has_none() -> None:
    scene = load_scene("ridge_farm", None, []).scene
    assert scene is not None
    assert list(scene.aims) == list(victory_text(rules_of("ridge_farm")))
    position = load_scene("docs/positions/crowded-road.yaml", None, []).scene
    assert position is not None
    assert position.aims == ()
