"""Rules with equal conclusions, guards and targets.

In a sum they count twice. Elsewhere one of them is a ruling that should declare `clarifies`. Reported at the rule whose
words have less in common with its conclusion: of two equal rules one was probably meant for something else.
"""

import re
from collections.abc import Iterator

from compiler.analysis.checks import check_of_term
from compiler.analysis.conclusion_forms import ConclusionForm, conclusion_form, own_rules
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0504", "duplicate-rule", WARNING)
class DuplicateRule(Finding):
    """Two rules have equal guards and conclusions."""

    rule: Party
    first: Party

    def sentence(self) -> Sentence:
        message = f"`{self.rule.label}` is redundant: its condition and conclusion are those of `{self.first.label}`"
        return Sentence(
            message,
            (party_label(self.rule), party_label(self.first)),
            "delete one of them, and cite its source at the other",
        )


LOWERCASE_WORD = re.compile(r"[a-z]+")


@check_of_term
def duplicate_rule(proof_context: ProofContext) -> Iterator[DuplicateRule]:
    """Find rules of a term that repeat an earlier one."""
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    seen: dict[ConclusionForm, graph.Rule] = {}
    for rule in own_rules(proof_context):
        first = seen.setdefault(conclusion_form(rule, writer), rule)
        if first is not rule:
            yield duplicate_rule_problem(rule, first, writer)


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
