"""Random changes reach positions that no repair of a guard reaches, and change every part of a position."""

import pytest

from rulewright.library.stacks import load_stack
from runtime.answer.interpreter import Interpreter
from runtime.witness import goals
from runtime.witness.pool import DomainPool, PseudoRandom
from runtime.witness.repair import Repairer
from runtime.witness.set_up import instance_of
from runtime.witness.walk import REPAIRS, initial_candidate, random_change, search_candidates

# The parts of a position that random changes can alter, in a game that has all of them.
PARTS = {"board", "pieces", "pairs", "facts", "hex_marks", "player", "phase"}


@pytest.mark.parametrize(
    ("term", "label"),
    [("may_enter", "zones-stop"), ("may_supply", "supply-shuns-zones"), ("may_rebuild", "rebuild-in-the-rear")],
)
def test_a_rule_that_depends_on_a_path_search_is_shown_live(term: str, label: str) -> None:
    rules = load_stack("long_frost").graph
    assert rules is not None
    assert search_candidates(rules, goals.live_objective(rules, term, label), 1_000) is not None


def test_random_changes_alter_every_part_of_a_position() -> None:
    rules = load_stack("panzer_leader").graph
    assert rules is not None
    chance = PseudoRandom("parts")
    pool = DomainPool(rules, chance)
    term = rules.terms["may_enter"]
    candidate = initial_candidate(pool, term)
    changed: set[str] = set()
    for _ in range(2_000):
        if changed == PARTS | {"arguments"}:
            break
        assert candidate is not None
        instance = instance_of(Interpreter(rules), candidate)
        assert instance is not None
        repairer = Repairer(instance, pool, tuple(each.type for each in term.parameters))
        other = random_change(repairer)
        if other is None or instance_of(Interpreter(rules), other) is None:
            continue
        changed |= {part for part in PARTS if getattr(other.position, part) != getattr(candidate.position, part)}
        changed |= {"arguments"} if other.arguments != candidate.arguments else set()
        candidate = other
    assert changed == PARTS | {"arguments"}
    assert len(REPAIRS) == len(set(REPAIRS)) + 1  # A change of a word is listed twice, so it is drawn twice as often.


def test_a_position_has_sides_and_names_of_a_table() -> None:
    """PanzerBlitz shares its sides with other games, and has counters for two of them."""
    rules = load_stack("panzerblitz").graph
    assert rules is not None
    pool = DomainPool(rules, PseudoRandom("sides"))
    assert {*pool.sides} == {"german", "russian"}
    assert {*pool.list_members("side")} == {*pool.sides}
    candidate = initial_candidate(pool, rules.terms["may_enter"])
    assert candidate is not None
    assert pool.piece_name(candidate, "carrier_was") == "Carrier"
