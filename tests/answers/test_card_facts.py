"""A position may leave out what every card gives: an answer that reads it says which fact is missing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.typed.values.names import CARD
from rulewright.library.stacks import open_packages
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import AbsentError
from runtime.graph.walk import walk
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.answers.differential import agree_on, answered, questions
from tests.toys.bogged import bog
from tests.toys.boggy import random_state

LIBRARY = open_packages()
# A line with a fact that every card gives, and that does not set it.
READ = re.compile(rf"^(?! *(?:set|add|remove) ).*\bscenario\.(?:{'|'.join(CARD)})\b", re.MULTILINE)


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


def test_every_term_that_reads_a_fact_of_a_card_misses_the_same_in_both_evaluators() -> None:
    names, missed = {f"scenario.{name}" for name in CARD}, set()
    readers = [*readers_of_card_facts()]
    for rules in readers:
        positions = [each.position for each in rules.examples if not each.names and each.position.board.hexes]
        interpreter, compiled = Interpreter(rules), GeneratedEvaluator(rules)
        for seed, position in enumerate(positions[::40]):
            state = without_card_facts(from_position(rules, position))
            drawn = list(questions(state, seed, 3))
            assert agree_on(interpreter, compiled, state, drawn)[1] == []
            missed |= {answered(compiled.ask, state, *each) for each in drawn} & names
    assert readers
    assert missed == {f"scenario.{node.name}" for rules in readers for node in card_facts(rules)}


def readers_of_card_facts() -> Iterator[graph.Graph]:
    """Yield the shipped stacks of which a rule reads a fact that every card gives, one for each layer with such a rule.

    Rules of the cards themselves are in no stack.
    """
    for name, layer in LIBRARY.library.layers.items():
        texts = (path.read_text() for path in Path(layer.span.file).parent.glob("*.rules"))
        rules = LIBRARY.compiled(name).graph if any(map(READ.search, texts)) else None
        if rules is not None and card_facts(rules):
            yield rules


def card_facts(rules: graph.Graph) -> list[graph.GameTrack]:
    """Return the reads, in rules, of facts that every card gives."""
    return [each for each in walk(rules.rules) if isinstance(each, graph.GameTrack) and each.name in CARD]


def without_card_facts(state: State) -> State:
    """Return a state after the facts that every card gives are removed from it."""
    for name in CARD:
        state.facts.pop(f"scenario.{name}", None)
    return state
