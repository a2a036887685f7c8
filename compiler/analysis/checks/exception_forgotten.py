"""Exceptions that escape a rule which defeats all their siblings, in a layer unrelated to that of the rule.

A rule that defeats several exceptions to a base rule is meant to enforce it. A further exception from a layer unrelated
to both, which may be live at the same time, weakens the base rule after all; only a layer above both can resolve it.
"""

from collections.abc import Iterator

from compiler.analysis.exclusion import are_mutually_exclusive
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import ExceptionForgotten
from compiler.analysis.laws import layers_below
from compiler.analysis.problems import Problem
from compiler.analysis.proof_context import ProofContext

FEWEST_EXCEPTIONS = 2


def exception_forgotten(proof_context: ProofContext) -> Iterator[Problem]:
    """Find such exceptions."""
    rules = {rule.label: rule for rule in proof_context.rules}
    below = layers_below(proof_context.laws.stack)
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    for rule in proof_context.rules:
        silenced = [rules[label] for label in rule.defeats if label in rules]
        if len(silenced) < FEWEST_EXCEPTIONS:
            continue
        for base in frozenset.intersection(*(frozenset(each.defeats) for each in silenced)) & rules.keys():
            for other in proof_context.rules:
                known = {rule.origin.layer, *below[rule.origin.layer]}
                stranger = other.origin.layer not in known and rule.origin.layer not in below[other.origin.layer]
                is_own = proof_context.is_first_term_of(rules[base])
                if not (stranger and is_own) or base not in other.defeats or are_mutually_exclusive(rule, other):
                    continue
                if proof_context.is_possible(proof_context.live[rule.label], proof_context.live[other.label]):
                    parties = (writer.rule_party(other), writer.rule_party(rule), writer.rule_party(rules[base]))
                    yield ExceptionForgotten(*parties, tuple(each.label for each in silenced))
