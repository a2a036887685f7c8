"""Turn sentences of shipped rules about, their laws left as they are, and see each told at its rule (R0541)."""

from dataclasses import replace
from functools import cache

import pytest

from compiler.analysis.checks.prose_differs import prose_differs
from compiler.analysis.duties import ProseDiffers
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph


@cache
def compiled(stack: str) -> graph.Graph:
    rules = open_packages(()).compiled(stack).graph
    assert rules is not None
    return rules


def told(stack: str, label: str, sentence: str) -> list[tuple[str, str]]:
    """Give what is told, by rule, where one rule has another sentence."""
    rules = compiled(stack)
    turned = replace(rules, rules={**rules.rules, label: replace(rules.rules[label], prose=sentence)})
    return [(each.rule.label, each.said) for each in prose_differs(turned) if isinstance(each, ProseDiffers)]


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
        ("two_clans", "droveways-are-easy", "On a droveway both take more.", "both take"),
        ("pg_mire", "tracks-stick", "Wheeled vehicles and vessels stick on a 2 or less.", "wheeled"),
        ("panzerblitz", "no-shots-from-the-water", "Swimming tanks do not move.", "move"),
        ("panssari_salama", "beside-the-swamp-road", "A sled drives past others into swamp as anywhere.", "sled"),
        ("long_frost", "rebuild-in-the-rear", "An army in an enemy zone is rebuilt.", "rebuilt"),
        ("panzer_leader", "no-second-chance", "It eliminates a unit that was not dispersed.", "not dispersed"),
        ("panzer_leader", "passengers-do-not-walk", "A unit that was carried this turn moves by itself.", "moves"),
    ],
)
def test_a_turned_sentence_is_told(stack: str, label: str, sentence: str, said: str) -> None:
    assert told(stack, label, sentence) == [(label, said)]
    assert told(stack, label, compiled(stack).rules[label].prose) == []
