"""Sentences of shipped rules are negated while their laws stay: R0541 reports each rule."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from compiler.analysis.checks.prose_differs import prose_differs
from compiler.analysis.omissions import ProseDiffers
from compiler.analysis.prose_claims import claims_contrary
from compiler.analysis.prose_denials import contrary_denial
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from tests.sample import sampled

# The label of a rule, another sentence for it, and the words that the finding quotes.
Turned = tuple[str, str, str]


@cache
def compiled(stack: str) -> graph.Graph:
    rules = open_packages(()).compiled(stack).graph
    assert rules is not None
    return rules


def claims_of_sentences(stack: str, sentences: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the rule and the quoted words of each finding, with other sentences for some rules."""
    rules = compiled(stack)
    changed = {label: replace(rules.rules[label], prose=sentence) for label, sentence in sentences.items()}
    found = prose_differs(replace(rules, rules={**rules.rules, **changed}))
    return [(each.rule.label, each.stated) for each in found if isinstance(each, ProseDiffers)]


@cache
def claims_as_written(stack: str) -> list[ProseDiffers]:
    """Return the findings of an unchanged stack."""
    return [each for each in prose_differs(compiled(stack)) if isinstance(each, ProseDiffers)]


# By stack: rules, sentences that contradict their laws, and the quoted words.
TURNED: dict[str, tuple[Turned, ...]] = {
    "low_tide": (
        (
            "mud-and-a-basket",
            "A step into mud with a basket costs three, if one knows the way.",
            "if one knows the way.",
        ),
        ("mud-and-a-basket", "A step into mud without a basket costs three.", "without a basket"),
        ("no-wading", "Nobody steps out of the sea.", "steps out of the sea"),
        ("pace-runs-out", "Nobody goes as far in a turn as their legs carry them or more.", "or more"),
    ),
    "long_frost": (
        ("mud-hinders", "Snow shifts the odds one column against the attacker.", "snow"),
        (
            "arms-combined",
            "Armies on foot and motorized ones that attack together in the woods gain a column.",
            "in the woods",
        ),
        ("rebuild-in-the-rear", "An army in an enemy zone is rebuilt.", "rebuilt"),
        ("no-room-to-retreat", "Nobody falls back into a hex where two enemies stand already.", "enemies"),
        ("supply-shuns-foes", "Supply passes the enemy.", "supply passes the enemy"),
        ("not-onto-others", "Nobody leaves a hex with an enemy in it.", "leaves"),
        ("no-room-to-retreat", "Nobody advances into a hex where two friends stand already.", "advances"),
    ),
    "two_clans": (
        ("alone-there", "A clan holds an area in which it has a band and the other has one.", "has one"),
        ("pastures-feed", "A pasture is worth one herd, and two herd with a town.", "two herd"),
        ("droveways-are-easy", "On a droveway both take more.", "both take"),
        ("far-in-front", "A clan with ten bands more than the other is lord of the fells.", "ten bands"),
        ("crags-take-more", "Going down to a beck takes one order more.", "beck"),
    ),
    "panzer_leader": (
        ("no-block-at-a-fort", "No block is made where there is a bridge.", "bridge"),
        (
            "tools-on-their-backs",
            "Paratroops, rangers and commandos need a vehicle for their work.",
            "paratroops, rangers and commandos need a vehicle for their work.",
        ),
        ("no-artillery", "Self-propelled mortars and artillery overrun.", "artillery"),
        ("run-over-once", "Every overrun strikes a unit that an overrun has struck.", "every"),
        ("tools-only", "An engineers' vehicle carries its engineers and everybody else.", "and everybody else"),
        ("one-thing-at-a-time", "An engineer does two things at a time.", "two"),
        ("room-on-top", "Nobody comes out onto an empty hex.", "empty"),
        ("no-second-chance", "It eliminates a unit that was not dispersed.", "not dispersed"),
        ("passengers-do-not-walk", "A unit that was carried this turn moves by itself.", "moves"),
        ("within-range", "A unit does not fire at a target within the range of its weapon.", "within"),
        ("near-planes", "At half range or more the strength of a gun against planes is doubled.", "or more"),
        ("armor-leaves-a-wreck", "A truck that is lost leaves a wreck.", "truck"),
        ("sighted-firing", "Planes sight an enemy that has fired from slope or a town at a distance of 10.", "slope"),
        ("overruns-may-crowd", "Only an overrun must not exceed the stacking limit.", "must not"),
        ("shaken-do-not-load", "Armored units neither load nor are loaded.", "armored"),
        ("room-to-unload", "Nobody is loaded in a full hex.", "loaded"),
    ),
    "panzer_grenadier": (
        ("shaken-hold-back", "Disrupted units move and do not fight.", "disrupted units move and do not fight"),
        ("one-shot-a-turn", "A unit fires twice a turn.", "twice"),
        ("as-far-as-it-carries", "Fire reaches beyond the range on the counter.", "beyond the"),
        ("one-marker-a-turn", "The activation phase takes off one marker.", "activation phase"),
        ("enemies-hold", "A hex with friends in sight is entered by assault only.", "friends"),
        ("out-of-reach", "Anybody attacks what he cannot reach.", "anybody attacks what he cannot reach"),
    ),
    "panzerblitz": (
        ("loaded-holds-fire", "An empty carrier does not fire.", "empty"),
        ("no-shots-from-the-water", "Swimming tanks do not move.", "move"),
    ),
    "opportunity_fire": (("ready-to-fire", "It must be ready, or not fired.", "must be ready, or not"),),
    "pg_mire": (("tracks-stick", "Wheeled vehicles and vessels stick on a 2 or less.", "wheeled"),),
    "panssari_salama": (("beside-the-swamp-road", "A sled drives past others into swamp as anywhere.", "sled"),),
    "pg_smoke": (
        ("own-eyes", "Add one if the firer itself cannot spot the hex.", "cannot spot"),
        ("lay-what-is-spotted", "The hex must be spotted or in reach.", "spotted or in"),
    ),
    "pg_many_players": (
        ("every-unit-a-player", "By sectors, each unit and leader is given to one player.", "by sectors"),
        ("nobody-elses", "A player activates units of others.", "a player activates units of others"),
    ),
    "quick_time": (("infantry-hurries", "Infantry must not go at quick time.", "must not"),),
}


@sampled(1)
@pytest.mark.parametrize(("stack", "left"), TURNED.items(), ids=TURNED)
def test_a_sentence_that_contradicts_its_law_is_found(stack: str, left: tuple[Turned, ...]) -> None:
    """One sentence of each rule is replaced at a time, for all rules of a stack together; a rule may have several."""
    assert not claims_as_written(stack)
    while left:
        at_once = {label: (label, sentence, claim) for label, sentence, claim in reversed(left)}
        found = claims_of_sentences(stack, {label: sentence for label, sentence, _ in at_once.values()})
        assert sorted(found) == sorted((label, claim) for label, _, claim in at_once.values())
        left = tuple(each for each in left if each not in at_once.values())


def test_a_law_that_contradicts_its_sentence_is_found() -> None:
    rules = compiled("panzer_leader")
    rule = rules.rules["points-to-unload"]
    assert isinstance(rule.guard, graph.Op)
    load = graph.Var("load")
    price, _ = rule.guard.arguments
    movement = next(node for node in walk(rule.guard) if isinstance(node, graph.Get) and node.name == "movement")
    reversed_rule = replace(rule, guard=graph.Op(">", (price, replace(movement, base=load))))
    found = prose_differs(replace(rules, rules={**rules.rules, rule.label: reversed_rule}))
    assert [(each.rule.label, each.stated) for each in found if isinstance(each, ProseDiffers)] == [
        ("points-to-unload", "carrier")
    ]


@sampled(1)
@pytest.mark.parametrize(
    ("stack", "label", "sentence"),
    [
        ("low_tide", "no-wading", "Everybody stays out of the sea."),
        ("low_tide", "no-wading", "Nobody gets into the sea."),
        ("low_tide", "no-wading", "Nobody walks into the sea."),  # `action walk` asks `may_step`.
        ("two_clans", "alone-there", "A clan holds an area where it stands by itself."),
        ("panzer_leader", "tools-on-their-backs", "Commandos carry what they work with."),
        ("panzer_grenadier", "one-shot-a-turn", "Whoever has fired holds its fire from then on."),
        ("panzer_leader", "no-artillery", "Artillery stays out of overruns."),
        ("panzer_leader", "no-artillery", "Artillery rests while others overrun."),
    ],
)
def test_a_paraphrase_is_no_finding(stack: str, label: str, sentence: str) -> None:
    assert claims_of_sentences(stack, {label: sentence}) == []


@pytest.mark.parametrize(
    ("label", "claim"),
    [
        ("no-herd-bonus", ("bonus", "no bonus", "label")),
        ("no-feeding-of-herds", ("feeds", "no feeding", "label")),
        ("no-pasture-toll", None),
        ("no-toll-for-herds", None),
    ],
)
def test_a_label_denies_its_last_noun(label: str, claim: tuple[str, str, str] | None) -> None:
    rules = compiled("two_clans")
    rule = replace(rules.rules["pastures-feed"], label=label, prose="A pasture feeds two herds, which is a bonus.")
    assert contrary_denial(rule, rules) == claim


@pytest.mark.parametrize(("measure", "claims"), [("gold", False), ("men", False), ("coin", False), ("coins", True)])
def test_a_measure_whose_plural_equals_its_singular_is_no_claim_of_one(measure: str, *, claims: bool) -> None:
    rules = compiled("two_clans")
    minted = replace(rules, vocabulary=replace(rules.vocabulary, measures={measure: measure}))
    rule = replace(rules.rules["pastures-feed"], prose=f"A town is worth three {measure.removesuffix('s')}.")
    assert bool(contrary_denial(rule, minted)) is claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Three can, if they wait.", False),
        ("The other three march on.", False),
        ("It costs three can.", False),
        ("It costs three coin.", True),
    ],
)
def test_a_verb_behind_a_number_is_no_measure(sentence: str, *, claims: bool) -> None:
    rules = compiled("two_clans")
    measures = {name: name for name in ("cans", "marchs", "coins")}
    rule = replace(rules.rules["pastures-feed"], prose=sentence)
    assert (
        bool(contrary_denial(rule, replace(rules, vocabulary=replace(rules.vocabulary, measures=measures)))) is claims
    )


@pytest.mark.parametrize(
    ("sentence", "is_claim"),
    [
        ("A walker off the sand loses a basket if the die is at least its pace.", False),
        ("A walker loses a basket if it knows the way.", True),
    ],
)
def test_an_if_that_states_a_comparison_is_not_the_negated_condition(sentence: str, *, is_claim: bool) -> None:
    rules = compiled("low_tide")
    rule = rules.rules["mud-and-a-basket"]
    guard = graph.Op("and", (graph.Op("not", (graph.Var("sand"),)), graph.Op(">=", (graph.Var("d"), graph.Var("w")))))
    assert bool(claims_contrary(replace(rule, prose=sentence, guard=guard), rules)) is is_claim
