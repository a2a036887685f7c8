"""Find readings of a dispute that are equivalent, so that the choice between them has no effect.

In: a compiled stack. Out: findings. If the rules of two readings have the same conclusions and relations, in any
order and spelling, the stack is compiled under the other reading, and their conditions are proved to be equivalent.
Readings with several rules are compared rule by rule. If the proof fails, nothing is reported.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.domain import Types
from compiler.analysis.facts import facts_of
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, laws_of
from compiler.analysis.normal_form import canonical_order, normalize, with_names
from compiler.analysis.proof_context import BY_CASES, ProofStrategy
from compiler.analysis.translate import negation_of
from compiler.compile import compile_stack
from compiler.layered.problems import ReadingsAgree, ReadingsAlike
from compiler.layered.stack_request import other_reading
from compiler.source import nodes as source
from compiler.source.package import load_layer
from compiler.source.span import Span
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph

# For each of these the whole stack is compiled.
MOST_READINGS = 12


def equivalent_readings(stack: Stack) -> Iterator[ReadingsAgree]:
    """Yield the chosen readings of a stack with equivalent alternatives."""
    if stack.graph is None:
        return
    left = MOST_READINGS
    # That two readings have the same rules is reported separately, and implies equivalence.
    reported_spans = {each.span for each in stack.problems if isinstance(each, ReadingsAlike)}
    for dispute in stack.graph.disputes.values():
        chosen_labels = {reading.label for reading in dispute.readings if reading.chosen}
        source_readings = _source_readings(stack, dispute)
        for chosen in (each for each in source_readings if each.label.text in chosen_labels):
            for other in source_readings:
                if other is chosen or not left or not _may_be_equivalent(chosen, other):
                    continue
                if reported_spans & {chosen.label.span, other.label.span}:
                    continue
                left -= 1
                if _are_equivalent(stack, dispute, chosen, other):
                    labels = (chosen.label.text, other.label.text)
                    yield ReadingsAgree(other.label.span, chosen.label.span, dispute.label, labels)


def _source_readings(stack: Stack, dispute: graph.Dispute) -> tuple[source.Reading, ...]:
    """Return the source nodes of the readings of a dispute."""
    layer, _ = load_layer(stack.library, dispute.origin.layer)
    found = (each for each in layer.statements() if isinstance(each, source.Dispute))
    return next((each.readings for each in found if each.label.text == dispute.label), ())


def _may_be_equivalent(first: source.Reading, second: source.Reading) -> bool:
    """Return whether two readings have the same outlines of rules, and at least one rule."""
    first_outlines, second_outlines = (sorted(map(_outline, _laws(each))) for each in (first, second))
    return bool(first_outlines) and first_outlines == second_outlines


def _outline(law: source.Rule) -> tuple[str, ...]:
    """Return the sorted names in the conclusion, relations, patches and amendments of a rule, with its verb."""
    written = (law.conclusion, law.relations, law.patches, law.amends)
    verb = law.conclusion.verb if law.conclusion is not None else ""
    return (verb, *sorted(_names(written)))


def _names(node: Any) -> Iterator[str]:
    """Yield the free names and the numbers of a tree: those of bound variables are excluded."""
    if isinstance(node, tuple):
        for part in node:
            yield from _names(part)
    elif is_dataclass(node) and not isinstance(node, Span | type):
        bound_names = {node.binder.name.text} if isinstance(node, source.Aggregate) and node.binder else set()
        inner = [each for part in fields(node) for each in _names(getattr(node, part.name))]
        yield from (each for each in inner if each not in bound_names)
    elif isinstance(node, str | Fraction):
        yield str(node)


def _laws(reading: source.Reading) -> tuple[source.Rule, ...]:
    return tuple(law for law in reading.laws if isinstance(law, source.Rule))


def _are_equivalent(stack: Stack, dispute: graph.Dispute, chosen: source.Reading, other: source.Reading) -> bool:
    """Compile the stack under the other reading, and prove that the rules of both are equivalent."""
    other_graph = compile_stack(stack.library, other_reading(stack.name, dispute.label, other.label.text)).graph
    if stack.graph is None or other_graph is None:
        return False
    laws = laws_of(stack.graph)
    chosen_rules = [stack.graph.rules.get(each.label.text) for each in _laws(chosen)]
    other_rules = [other_graph.rules.get(each.label.text) for each in _laws(other)]
    for rule in chosen_rules:
        counterpart = next(
            (each for each in other_rules if rule and each and _are_equivalent_rules(laws, rule, each)), None
        )
        if counterpart is None:
            return False
        other_rules.remove(counterpart)
    return True


def _are_equivalent_rules(laws: Laws, first: graph.Rule, second: graph.Rule) -> bool:
    """Return whether two rules on the same questions have the same conclusion and provably equivalent conditions."""
    if (first.terms, first.verb, first.relations) != (second.terms, second.verb, second.relations) or not first.terms:
        return False
    if _value(first) != _value(second):
        return False
    types = {part.name: part.type for part in laws.stack.terms[first.terms[0]].parameters}
    strategies: tuple[ProofStrategy | None, ...] = (BY_CASES, available_strategy())
    return any(
        _have_equivalent_guards(laws, types, strategy, first, second) for strategy in strategies if strategy is not None
    )


def _value(rule: graph.Rule) -> graph.Expr | None:
    """Return the value of a rule in normal form."""
    return None if rule.value is None else canonical_order(normalize(rule.value, with_names(rule, {})))


def _have_equivalent_guards(
    laws: Laws, types: Types, strategy: ProofStrategy, first: graph.Rule, second: graph.Rule
) -> bool:
    translator = strategy.translator(laws, types, Intervals(laws.stack, recording=laws.recording))
    first_guard, second_guard = translator.translate_guard(first, {}), translator.translate_guard(second, {})
    facts = facts_of(translator)
    try:
        with budget():
            return all(
                strategy.solve(translator.space, premise, negation_of(conclusion), *facts) is None
                for premise, conclusion in ((first_guard, second_guard), (second_guard, first_guard))
            )
    except OutOfSteps:
        return False
