"""Canonical forms of the conclusions and guards of a term's rules, by which equal rules are found."""

from typing import NamedTuple

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.proof_context import ProofContext
from runtime.graph import nodes as graph


class ConclusionForm(NamedTuple):
    """The verb and value of a conclusion, the guard, and the labels of the rules that the rule defeats."""

    verb: str
    value: str | None
    guard: str | None
    defeats: frozenset[str]


def conclusion_form(rule: graph.Rule, writer: ExpressionWriter) -> ConclusionForm:
    """Return the canonical form of a rule's conclusion."""
    names = with_names(rule, {})
    value, guard = (None if part is None else writer.text(normalize(part, names)) for part in (rule.value, rule.guard))
    return ConclusionForm(rule.verb, value, guard, frozenset(rule.defeats))


def own_rules(proof_context: ProofContext) -> list[graph.Rule]:
    """List the rules declared for this term first, in source order."""
    rules = (rule for rule in proof_context.rules if proof_context.is_first_term_of(rule))
    return sorted(rules, key=lambda rule: (rule.origin.file, rule.origin.line, rule.origin.column))
