"""Canonical forms of the conclusions and guards of a term's rules, by which equal rules are found."""

import re
from typing import NamedTuple

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.problems import DuplicateRule
from compiler.analysis.proof_context import ProofContext
from runtime.graph import nodes as graph

LOWERCASE_WORD = re.compile(r"[a-z]+")


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


def duplicate_rule_problem(rule: graph.Rule, first: graph.Rule, writer: ExpressionWriter) -> DuplicateRule:
    """Report two rules as duplicates, at the one whose label and sentence share fewer words with its conclusion."""
    reported, other = (first, rule) if _affinity(first, writer) < _affinity(rule, writer) else (rule, first)
    return DuplicateRule(writer.rule_party(reported), writer.rule_party(other))


def _affinity(rule: graph.Rule, writer: ExpressionWriter) -> int:
    """Count the words that a rule's label and sentence share with its relations and its conclusion."""
    form = conclusion_form(rule, writer)
    written = " ".join((*rule.defeats, *(target for _, target in rule.relations), form.value or "", form.guard or ""))
    return len(_words(f"{rule.label} {rule.prose}") & _words(written))


def _words(text: str) -> set[str]:
    return set(LOWERCASE_WORD.findall(text.lower()))
