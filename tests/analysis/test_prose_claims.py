"""Turn sentences of shipped rules about, their laws left as they are, and see each told at its rule (R0541)."""

from dataclasses import replace
from functools import cache

import pytest

from compiler.analysis.checks.prose_differs import prose_differs
from compiler.analysis.omissions import ProseDiffers
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


@cache
def compiled(stack: str) -> graph.Graph:
    rules = open_packages(()).compiled(stack).graph
    assert rules is not None
    return rules


def told(stack: str, label: str, sentence: str) -> list[tuple[str, str]]:
    """Return what is told, by rule, where one rule has another sentence."""
    rules = compiled(stack)
    turned = replace(rules, rules={**rules.rules, label: replace(rules.rules[label], prose=sentence)})
    return [(each.rule.label, each.stated) for each in prose_differs(turned) if isinstance(each, ProseDiffers)]


@cache
def told_as_written(stack: str) -> list[ProseDiffers]:
    """List what is told of a stack as it stands."""
    return [each for each in prose_differs(compiled(stack)) if isinstance(each, ProseDiffers)]


@pytest.mark.parametrize(
    ("stack", "label", "sentence", "said"),
    [
        (
            "low_tide",
            "mud-and-a-basket",
            "A step into mud with a basket costs three, if one knows the way.",
            "if one knows the way.",
        ),
        ("long_frost", "mud-hinders", "Snow shifts the odds one column against the attacker.", "snow"),
        (
            "long_frost",
            "arms-combined",
            "Armies on foot and motorized ones that attack together in the woods gain a column.",
            "in the woods",
        ),
        (
            "two_clans",
            "alone-there",
            "A clan holds an area in which it has a band and the other has one.",
            "has one",
        ),
        ("low_tide", "mud-and-a-basket", "A step into mud without a basket costs three.", "without a basket"),
        ("low_tide", "no-wading", "Nobody steps out of the sea.", "steps out of the sea"),
        ("panzer_leader", "no-block-at-a-fort", "No block is made where there is a bridge.", "bridge"),
        (
            "panzer_leader",
            "tools-on-their-backs",
            "Paratroops, rangers and commandos need a vehicle for their work.",
            "paratroops, rangers and commandos need a vehicle for their work.",
        ),
        (
            "panzer_grenadier",
            "shaken-hold-back",
            "Disrupted units move and do not fight.",
            "disrupted units move and do not fight",
        ),
        ("panzer_leader", "no-artillery", "Self-propelled mortars and artillery overrun.", "artillery"),
        ("panzer_grenadier", "one-shot-a-turn", "A unit fires twice a turn.", "twice"),
        ("panzer_leader", "run-over-once", "Every overrun strikes a unit that an overrun has struck.", "every"),
        (
            "panzer_leader",
            "tools-only",
            "An engineers' vehicle carries its engineers and everybody else.",
            "and everybody else",
        ),
        ("panzer_leader", "one-thing-at-a-time", "An engineer does two things at a time.", "two"),
        ("two_clans", "pastures-feed", "A pasture is worth one herd, and two herd with a town.", "two herd"),
        ("panzerblitz", "loaded-holds-fire", "An empty carrier does not fire.", "empty"),
        ("opportunity_fire", "ready-to-fire", "It must be ready, or not fired.", "must be ready, or not"),
        ("panzer_leader", "room-on-top", "Nobody comes out onto an empty hex.", "empty"),
        ("two_clans", "droveways-are-easy", "On a droveway both take more.", "both take"),
        ("two_clans", "far-in-front", "A clan with ten bands more than the other is lord of the fells.", "ten bands"),
        ("pg_mire", "tracks-stick", "Wheeled vehicles and vessels stick on a 2 or less.", "wheeled"),
        ("panzerblitz", "no-shots-from-the-water", "Swimming tanks do not move.", "move"),
        ("panssari_salama", "beside-the-swamp-road", "A sled drives past others into swamp as anywhere.", "sled"),
        ("long_frost", "rebuild-in-the-rear", "An army in an enemy zone is rebuilt.", "rebuilt"),
        ("panzer_leader", "no-second-chance", "It eliminates a unit that was not dispersed.", "not dispersed"),
        ("panzer_leader", "passengers-do-not-walk", "A unit that was carried this turn moves by itself.", "moves"),
        (
            "panzer_leader",
            "within-range",
            "A unit does not fire at a target within the range of its weapon.",
            "within",
        ),
        (
            "panzer_leader",
            "near-planes",
            "At half range or more the strength of a gun against planes is doubled.",
            "or more",
        ),
        ("panzer_grenadier", "as-far-as-it-carries", "Fire reaches beyond the range on the counter.", "beyond the"),
        ("pg_smoke", "own-eyes", "Add one if the firer itself cannot spot the hex.", "cannot spot"),
        ("pg_smoke", "lay-what-is-spotted", "The hex must be spotted or in reach.", "spotted or in"),
        ("panzer_leader", "armor-leaves-a-wreck", "A truck that is lost leaves a wreck.", "truck"),
        (
            "panzer_leader",
            "sighted-firing",
            "Planes sight an enemy that has fired from slope or a town at a distance of 10.",
            "slope",
        ),
        ("two_clans", "crags-take-more", "Going down to a beck takes one order more.", "beck"),
        (
            "long_frost",
            "no-room-to-retreat",
            "Nobody falls back into a hex where two enemies stand already.",
            "enemies",
        ),
        (
            "panzer_grenadier",
            "one-marker-a-turn",
            "The activation phase takes off one marker.",
            "activation phase",
        ),
        ("panzer_grenadier", "enemies-hold", "A hex with friends in sight is entered by assault only.", "friends"),
        ("long_frost", "supply-shuns-foes", "Supply passes the enemy.", "supply passes the enemy"),
        (
            "panzer_grenadier",
            "out-of-reach",
            "Anybody attacks what he cannot reach.",
            "anybody attacks what he cannot reach",
        ),
        (
            "panzer_leader",
            "overruns-may-crowd",
            "Only an overrun must not exceed the stacking limit.",
            "must not",
        ),
        ("low_tide", "pace-runs-out", "Nobody goes as far in a turn as their legs carry them or more.", "or more"),
        ("pg_many_players", "every-unit-a-player", "By sectors, each unit is given to one player.", "by sectors"),
        (
            "pg_many_players",
            "nobody-elses",
            "A player activates units of others.",
            "a player activates units of others",
        ),
        ("panzer_leader", "shaken-do-not-load", "Armored units neither load nor are loaded.", "armored"),
        ("quick_time", "infantry-hurries", "Infantry must not go at quick time.", "must not"),
        ("panzer_leader", "room-to-unload", "Nobody is loaded in a full hex.", "loaded"),
        ("long_frost", "not-onto-others", "Nobody leaves a hex with an enemy in it.", "leaves"),
        ("long_frost", "no-room-to-retreat", "Nobody advances into a hex where two friends stand already.", "advances"),
    ],
)
def test_a_turned_sentence_is_told(stack: str, label: str, sentence: str, said: str) -> None:
    assert told(stack, label, sentence) == [(label, said)]
    assert not told_as_written(stack)


def test_a_law_of_another_than_the_sentence_is_told() -> None:
    rules = compiled("panzer_leader")
    rule = rules.rules["points-to-unload"]
    assert isinstance(rule.guard, graph.Op)
    load = graph.Var("load")
    price, _ = rule.guard.arguments
    movement = next(node for node in walk(rule.guard) if isinstance(node, graph.Get) and node.name == "movement")
    turned = replace(rule, guard=graph.Op(">", (price, replace(movement, base=load))))
    found = prose_differs(replace(rules, rules={**rules.rules, rule.label: turned}))
    assert [(each.rule.label, each.stated) for each in found if isinstance(each, ProseDiffers)] == [
        ("points-to-unload", "carrier")
    ]


@pytest.mark.parametrize(
    ("stack", "label", "sentence"),
    [
        ("low_tide", "no-wading", "Everybody stays out of the sea."),
        ("low_tide", "no-wading", "Nobody gets into the sea."),
        ("two_clans", "alone-there", "A clan holds an area where it stands by itself."),
        ("panzer_leader", "tools-on-their-backs", "Commandos carry what they work with."),
        ("panzer_grenadier", "one-shot-a-turn", "Whoever has fired holds its fire from then on."),
        ("panzer_leader", "no-artillery", "Artillery stays out of overruns."),
    ],
)
def test_a_sentence_in_other_words_is_left_alone(stack: str, label: str, sentence: str) -> None:
    assert told(stack, label, sentence) == []
