"""Rules with equal conclusions, guards and targets.

In a sum they count twice. Elsewhere one of them is a ruling that should declare `clarifies`. Reported at the rule whose
words have less in common with its conclusion: of two equal rules one was probably meant for something else.
"""

from collections.abc import Iterator

from compiler.analysis.conclusion_forms import ConclusionForm, conclusion_form, duplicate_rule_problem, own_rules
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.problems import Problem
from compiler.analysis.proof_context import ProofContext
from runtime.graph import nodes as graph


def duplicate_rule(proof_context: ProofContext) -> Iterator[Problem]:
    """Find rules of a term that repeat an earlier one."""
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    seen: dict[ConclusionForm, graph.Rule] = {}
    for rule in own_rules(proof_context):
        first = seen.setdefault(conclusion_form(rule, writer), rule)
        if first is not rule:
            yield duplicate_rule_problem(rule, first, writer)
