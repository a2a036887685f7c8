"""A position may leave out what every card gives: an answer that reads it says which fact is missing."""

import pytest

from compiler.typed.values.names import CARD
from rulewright.library.stacks import open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.board.answer_errors import AbsentError
from runtime.graph import nodes as graph
from runtime.graph.walk import walk
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.answers.differential import agree_on, answered, questions
from tests.toys.bogged import bog
from tests.toys.boggy import random_state

LIBRARY = open_packages()
READERS = ["panzer_grenadier+pg_smoke"]


@pytest.mark.parametrize("evaluator", [GeneratedEvaluator, Interpreter])
@pytest.mark.parametrize("name", CARD)
def test_each_fact_of_a_card_is_named_where_it_is_left_out(
    evaluator: type[GeneratedEvaluator | Interpreter], name: str
) -> None:
    state, fact = without_card_facts(random_state(0)), graph.GameTrack("scenario", name)
    with pytest.raises(AbsentError, match=f"scenario.{name}"):
        evaluator(bog()).evaluate(state, fact, {})
    present = graph.Has(fact, "track", "scenario", name, negated=False)
    assert evaluator(bog()).evaluate(state, present, {}) is False


@pytest.mark.parametrize("stack", READERS)
def test_every_term_that_reads_a_fact_of_a_card_misses_the_same_in_both_evaluators(stack: str) -> None:
    rules = LIBRARY.compiled(stack).graph
    assert rules is not None
    positions = [each.position for each in rules.examples if not each.names and each.position.board.hexes]
    interpreter, compiled, missed = Interpreter(rules), GeneratedEvaluator(rules), set()
    for seed, position in enumerate(positions[::40]):
        state = without_card_facts(from_position(rules, position))
        drawn = list(questions(state, seed, 3))
        assert agree_on(interpreter, compiled, state, drawn)[1] == []
        missed |= {answered(compiled.ask, state, *each) for each in drawn} & {f"scenario.{name}" for name in CARD}
    assert missed == {f"scenario.{node.name}" for node in card_facts(rules)}


def card_facts(rules: graph.Graph) -> list[graph.GameTrack]:
    """Return the reads, in rules, of facts that every card gives."""
    return [each for each in walk(rules.rules) if isinstance(each, graph.GameTrack) and each.name in CARD]


def without_card_facts(state: State) -> State:
    """Return a state after the facts that every card gives are removed from it."""
    for name in CARD:
        state.facts.pop(f"scenario.{name}", None)
    return state
