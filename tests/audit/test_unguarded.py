"""A step whose precondition is never asked is found without playing; shipped rules have none."""

from dataclasses import replace
from functools import reduce
from typing import Any

import pytest

from compiler.analysis.findings.unguarded_step import UnguardedStep, unguarded_step
from compiler.analysis.laws import laws_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from tests.sample import first_of_each, sampled
from tests.soak.stacks import package_set, wanted

PACKAGES = package_set()
CARDS = PACKAGES.library.scenarios
STACKS = tuple(dict.fromkeys(name for card in CARDS for name in wanted(PACKAGES, CARDS[card])))
REACTIONS = ("opportunity_fire", "last_shot", "fire_at_load", "fire_at_rider", "fire_at_riders", "fire_at_the_slow")


def found_in(rules: graph.Graph) -> list[tuple[str, str]]:
    """List the findings as pairs of procedure and question."""
    problems = [each for each in unguarded_step(laws_of(rules)) if isinstance(each, UnguardedStep)]
    return [(each.procedure.label, each.term) for each in problems]


def stack(name: str) -> graph.Graph:
    """Compile a stack."""
    rules = PACKAGES.compiled(name).graph
    assert rules is not None
    return rules


def without(node: Any, term: str) -> Any:
    """Replace a question by yes in all its callers."""
    match node:
        case graph.Ask(name) if name == term:
            return graph.Truth(value=True)
        case tuple():
            return tuple(without(part, term) for part in node)
        case _ if hasattr(node, "__dataclass_fields__"):
            return replace(node, **{name: without(getattr(node, name), term) for name in node.__dataclass_fields__})
        case _:
            return node


def forgetful(rules: graph.Graph, key: str, *terms: str) -> graph.Graph:
    """Return rules in which one procedure asks none of some questions, of which it asks the first."""
    procedure = rules.procedures[key]
    assert any(isinstance(node, graph.Ask) and node.term == terms[0] for node in walk(procedure.body))
    body = reduce(without, terms, procedure.body)
    return replace(rules, procedures={**rules.procedures, key: replace(procedure, body=body)})


@sampled(3)
@pytest.mark.parametrize("name", first_of_each(STACKS, lambda name: name.split("+")[0]))
def test_shipped_rules_have_no_unguarded_step(name: str) -> None:
    assert found_in(stack(name)) == []


@sampled(1)
@pytest.mark.parametrize("reaction", REACTIONS)
@pytest.mark.parametrize(
    ("questions", "term"),
    [(("may_make",), "may_make"), (("fire_together", "may_snap", "may_shoot_load"), "may_join")],
    ids=["may_make", "may_join"],
)
def test_a_reaction_that_does_not_ask_its_precondition_is_found(
    reaction: str, questions: tuple[str, ...], term: str
) -> None:
    """The reactions ask one question of all firing units and one of each, both of which ask `may_join`."""
    rules = forgetful(stack("panzer_leader+opportunity_fire"), f"action:{reaction}", *questions)
    assert found_in(rules) == [(f"action {reaction}", term)]


def test_the_finding_names_the_procedures_that_ask_and_the_precondition() -> None:
    rules = forgetful(stack("panzer_leader+opportunity_fire"), "action:last_shot", "may_make")
    (problem,) = unguarded_step(laws_of(rules))
    assert isinstance(problem, UnguardedStep)
    assert "action opportunity_fire" in {each.label for each in problem.others}
    assert problem.precondition.label == "precondition attacks-are-allowed"


def test_a_question_that_every_caller_asks_is_no_finding() -> None:
    rules = stack("panzer_grenadier+pg_overrun")
    assert found_in(forgetful(rules, "resolution:ride_through", "may_target")) == [
        ("resolution ride_through", "may_target")
    ]
    asking = graph.Legal(next(n for n in walk(rules.procedures["resolution:ride_through"].body)
                              if isinstance(n, graph.Ask) and n.term == "may_target"))  # fmt: skip
    charge = rules.procedures["action:charge"]
    changed = forgetful(rules, "resolution:ride_through", "may_target")
    procedures = {**changed.procedures, "action:charge": replace(charge, body=(asking, *charge.body))}
    assert found_in(replace(changed, procedures=procedures)) == []
