"""Counters that differ from all similar ones: mutants of shipped charts are found, the charts themselves have none."""

from dataclasses import replace
from fractions import Fraction

import pytest

from compiler.analysis.findings.counter_alone import CounterAlone, counter_alone
from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph

PACKAGES = open_packages()


def game(name: str) -> graph.Graph:
    """Compile a shipped game."""
    rules = PACKAGES.compiled(name).graph
    assert rules is not None
    return rules


def findings_after_change(rules: graph.Graph, counter: str, changed: graph.Counter) -> list[tuple[str, str, str]]:
    """Return the findings of a game after one counter has changed: counter, value, common value."""
    altered = replace(rules, counters={**rules.counters, counter: changed})
    found = list(counter_alone(altered))
    assert all(isinstance(each, CounterAlone) for each in found)
    return [(each.counter.label, each.value, each.common_value) for each in found if isinstance(each, CounterAlone)]


@pytest.mark.parametrize("name", ["panzer_leader", "panzerblitz", "panzer_grenadier"])
def test_shipped_games_have_no_finding(name: str) -> None:
    assert not list(counter_alone(game(name)))


def test_a_number_ten_times_that_of_similar_counters_is_found() -> None:
    rules = game("panzer_leader")
    tiger = rules.counters["tiger"]
    printed = dict(tiger.printed)
    at = printed["range"]
    assert isinstance(at, graph.Num)
    printed["range"] = graph.Num(at.value * 10, at.measure)
    figure_findings = findings_after_change(rules, "tiger", replace(tiger, printed=tuple(printed.items())))
    assert figure_findings == [("tiger", f"range {at.value * 10} hexes", "range 1 hexes to 12 hexes")]
    printed["range"] = graph.Num(at.value + Fraction(2), at.measure)
    assert not findings_after_change(rules, "tiger", replace(tiger, printed=tuple(printed.items())))


def test_a_word_and_a_trait_of_no_similar_counter_are_found() -> None:
    rules = game("panzer_leader")
    tiger = rules.counters["tiger"]
    printed = tuple((name, graph.Member("weapon", "M") if name == "weapon" else value) for name, value in tiger.printed)
    assert findings_after_change(rules, "tiger", replace(tiger, printed=printed)) == [("tiger", "weapon M", "weapon A")]
    horse = replace(tiger, traits=(*tiger.traits, "infantry"))
    assert findings_after_change(rules, "tiger", horse) == [("tiger", "trait infantry", "no trait infantry")]
    assert not findings_after_change(rules, "tiger", replace(horse, singled_out=True))
    other_side = replace(horse, id="worn_tiger", back="")
    both = replace(rules, counters={**rules.counters, "worn_tiger": other_side})
    assert not findings_after_change(
        both, "tiger", replace(horse, back="worn_tiger")
    )  # A misprint on both sides is improbable.
