"""Exceptions that never change an answer: their targets are never live beside them, or conclude the same.

An exception that grants what is denied by default changes an answer itself and is not examined. Dead rules are a
separate finding, which also covers exceptions to dead rules alone. Where a rule is never live together with any of its
several exceptions, its condition is reported instead of them.
"""

from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import ExceptionsIdle
from compiler.analysis.problems import IdleOverride, Problem
from compiler.analysis.proof_context import ProofContext
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer

FEWEST_OVERRIDES = 2


def idle_override(proof_context: ProofContext) -> Iterator[Problem]:
    """Find exceptions of a term without which all its answers would be the same."""
    stack = proof_context.laws.stack
    writer = ExpressionWriter(stack.vocabulary)
    idle = tuple(_idle(proof_context))
    at_rule = {
        base: idle_exceptions for base in _bases(idle) if (idle_exceptions := _never_met(proof_context, base, idle))
    }
    for base, exceptions in at_rule.items():
        yield ExceptionsIdle(writer.rule_party(stack.rules[base]), tuple(map(writer.rule_party, exceptions)))
    reported_labels = {rule.label for exceptions in at_rule.values() for rule in exceptions}
    for rule in idle:
        if rule.label not in reported_labels:
            yield IdleOverride(
                writer.rule_party(rule), tuple(writer.rule_party(stack.rules[label]) for label in rule.defeats)
            )


def _idle(proof_context: ProofContext) -> Iterator[graph.Rule]:
    stack = proof_context.laws.stack
    for rule in proof_context.rules:
        if (
            rule.label not in proof_context.idle
            or stack.rules[rule.label].terms != (proof_context.term.name,)
            or _has_own_effect(rule, proof_context.term)
        ):
            continue
        targets = [proof_context.guards[label] for label in rule.defeats if label in proof_context.guards]
        if targets and not any(proof_context.is_satisfiable(guard) for guard in targets):
            continue
        if proof_context.is_satisfiable(proof_context.live[rule.label]) and not proof_context.is_satisfiable(
            proof_context.idle[rule.label]
        ):
            yield rule


def _bases(idle: tuple[graph.Rule, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for rule in idle for label in rule.defeats))


def _never_met(proof_context: ProofContext, base: str, idle: tuple[graph.Rule, ...]) -> tuple[graph.Rule, ...]:
    """Return the exceptions to a rule if there are several, and all are idle because their guards exclude its guard."""
    guard = proof_context.guards.get(base)
    exceptions = tuple(rule for rule in proof_context.rules if base in rule.defeats)
    if guard is None or len(exceptions) < FEWEST_OVERRIDES or not set(exceptions) <= set(idle):
        return ()
    is_met = any(proof_context.is_satisfiable(guard, proof_context.guards[rule.label]) for rule in exceptions)
    return () if is_met else exceptions


def _has_own_effect(rule: graph.Rule, term: graph.Term) -> bool:
    """Return whether the conclusion has an effect even where it defeats no rule."""
    if term.form in {"verdict", "condition"}:
        return rule_answer(rule) is False or (rule_answer(rule) is True and not term.default)
    return term.form in {"sum", "min", "max", "set", "flag"} and bool(rule.verb)
