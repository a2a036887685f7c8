"""Exceptions that never change an answer: their targets are never live beside them, or conclude the same.

An exception that grants what is denied by default changes an answer itself and is not examined. Dead rules are a
separate finding, which also covers exceptions to dead rules alone.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_term
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer


@finding("R0505", "idle-override", WARNING)
class IdleOverride(Finding):
    """This exception never changes an answer; `targets` are the rules it defeats."""

    rule: Party
    targets: tuple[Party, ...]

    def sentence(self) -> Sentence:
        names = list_words(tuple(party.label for party in self.targets), "and")
        message = f"the exception `{self.rule.label}` has no effect: it always gives the same answer as {names}"
        advice = "correct its condition or conclusion, or write `clarifies` instead of an exception"
        return Sentence(message, (party_label(self.rule), *(party_label(party) for party in self.targets[:3])), advice)


@check_of_term
def idle_override(proof_context: ProofContext) -> Iterator[IdleOverride]:
    """Find exceptions of a term without which all its answers would be the same."""
    stack = proof_context.laws.stack
    writer = ExpressionWriter(stack.vocabulary)
    for rule in _idle(proof_context):
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


def _has_own_effect(rule: graph.Rule, term: graph.Term) -> bool:
    """Return whether the conclusion has an effect even where it defeats no rule."""
    if term.form in {"verdict", "condition"}:
        return rule_answer(rule) is False or (rule_answer(rule) is True and not term.default)
    return term.form in {"sum", "min", "max", "set", "flag"} and bool(rule.verb)
