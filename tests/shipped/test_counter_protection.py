"""Every figure and trait of every shipped counter is protected by an example that states the printed values."""

from dataclasses import replace

import pytest

from rulewright.library.stacks import open_packages
from runtime.graph import nodes as graph
from runtime.mutation.declaration_mutants import counter_mutants
from runtime.mutation.protection import Trials
from tests.sample import LONG, sampled

STACKS = (
    "panzer_leader", "panzerblitz", "pl1940", "panssari_salama", "panzer_grenadier", "low_tide", "pg_many_players",
    "long_frost", "pg_overrun", "pg_tank_riders", "pg_smoke", "naval_support", "emplacing",
)  # fmt: skip


@sampled(0)
@pytest.mark.parametrize("share", [25, pytest.param(1, marks=LONG)])
def test_every_mutant_of_a_counter_is_detected(share: int) -> None:
    package_set = open_packages()
    for stack in STACKS:
        rules = package_set.compiled(stack).graph
        assert rules is not None
        drawn = [each for each in rules.examples if any(isinstance(line, graph.Printed) for line in each.lines)]
        protected_counters = {line.counter for each in drawn for line in each.lines if isinstance(line, graph.Printed)}
        layer = drawn[0].origin.layer
        assert protected_counters == {each.id for each in rules.counters.values() if each.origin.layer == layer}
        mutants = [
            mutant for name in sorted(protected_counters) for mutant in counter_mutants(rules, rules.counters[name])
        ][::share]
        trials = Trials(replace(rules, examples=tuple(drawn)), mutants)
        assert [mutant.name for mutant in mutants if not trials.is_detected(mutant)] == []
