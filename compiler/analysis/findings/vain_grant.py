"""Permissions of what is allowed by default, and prohibitions of what is forbidden by default and allowed by no rule.

A question is answered no wherever a prohibition is live. A permission has an effect where the default is no, or where
it defeats a prohibition by its label; where it does neither, its author meant to defeat something.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_term
from compiler.analysis.conclusion_forms import own_rules
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph.verbs import rule_answer


@finding("R0526", "grants-nothing", WARNING)
class GrantsNothing(Finding):
    """This rule grants what the default grants, or denies what no rule grants (`denies`); it defeats no rule."""

    rule: Party
    term: str
    denies: bool = False

    def sentence(self) -> Sentence:
        if self.denies:
            message = f"the prohibition `{self.rule.label}` has no effect: `{self.term}` is forbidden by default"
            advice = f"write a rule that allows `{self.term}`, or change its default"
            return Sentence(message, (party_label(self.rule),), advice)
        message = f"the permission `{self.rule.label}` has no effect: `{self.term}` is allowed by default"
        return Sentence(message, (party_label(self.rule),), "make it an exception to a prohibition, or delete it")


@check_of_term
def vain_grant(proof_context: ProofContext) -> Iterator[GrantsNothing]:
    """Find permissions and prohibitions of a term that change no answer."""
    if proof_context.term.form not in {"verdict", "condition"}:
        return
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    is_never_granted = proof_context.term.default is False and not any(map(rule_answer, proof_context.rules))
    for rule in own_rules(proof_context):
        if not rule_answer(rule):
            if is_never_granted and rule_answer(rule) is False and not rule.defeats:
                yield GrantsNothing(writer.rule_party(rule), proof_context.term.name, denies=True)
            continue
        if proof_context.term.default and not rule.defeats:
            yield GrantsNothing(writer.rule_party(rule), proof_context.term.name)
