"""A random change may reach a position to which no repair leads from a rule."""

import pytest

from rulewright.library.stacks import load_stack
from runtime.answer.interpreter import Interpreter
from runtime.witness import objectives
from runtime.witness.domain_pool import DomainPool
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.random_change import WAYS, random_change
from runtime.witness.repair import Repairer
from runtime.witness.search import initial_candidate, instance_of, search_candidates

# What may be changed at random, of a position of a game that has all of it.
PARTS = {"board", "pieces", "pairs", "facts", "hex_marks", "player", "phase"}


@pytest.mark.parametrize(
    ("term", "label"),
    [("may_enter", "zones-stop"), ("may_supply", "supply-shuns-zones"), ("may_rebuild", "rebuild-in-the-rear")],
)
def test_a_rule_that_asks_what_a_search_over_the_map_reaches_is_shown_to_be_live(term: str, label: str) -> None:
    rules = load_stack("long_frost").graph
    assert rules is not None
    assert search_candidates(rules, objectives.live_objective(rules, term, label), 1_000) is not None


def test_every_part_of_a_position_is_changed_at_times() -> None:
    rules = load_stack("panzer_leader").graph
    assert rules is not None
    chance = PseudoRandom("parts")
    pool = DomainPool(rules, chance)
    term = rules.terms["may_enter"]
    candidate = initial_candidate(pool, term)
    changed: set[str] = set()
    for _ in range(400):
        assert candidate is not None
        instance = instance_of(Interpreter(rules), candidate)
        assert instance is not None
        repairer = Repairer(instance.fitness, candidate, pool, tuple(each.type for each in term.parameters))
        other = random_change(repairer)
        if other is None or instance_of(Interpreter(rules), other) is None:
            continue
        changed |= {part for part in PARTS if getattr(other.position, part) != getattr(candidate.position, part)}
        changed |= {"arguments"} if other.arguments != candidate.arguments else set()
        candidate = other
    assert changed == PARTS | {"arguments"}
    assert len(WAYS) == len(set(WAYS)) + 1  # Words are the most there is, and drawn twice as often.
