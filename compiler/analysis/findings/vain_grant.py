"""Rules that grant what is never denied, or what is denied all the same; and those that deny what nothing grants.

A question is answered no wherever a prohibition is live. A permission has an effect where the default is no, or where
it defeats a prohibition by its label; where it does neither, its author meant to defeat something. And if whenever it
is live some prohibition is live that it does not defeat, it grants nothing.

Layers built on the permission's layer may intend to withhold it: by their rules, or by other answers to what the
rules below query. Then all conflicting rules belong to games that have been checked by themselves.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_term
from compiler.analysis.conclusion_forms import own_rules
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.analysis.translate import negation_of
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words
from runtime.graph import nodes as graph
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


@finding("R0527", "grant-withheld", WARNING)
class GrantWithheld(Finding):
    """Whenever this rule grants something, one of these denies it."""

    rule: Party
    refusals: tuple[Party, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.rule.label}` grants nothing: whenever it speaks, "
            f"{list_words(tuple(p.label for p in self.refusals))} refuses it",
            (party_label(self.rule), *(party_label(party) for party in self.refusals)),
            f"write `exception to {self.refusals[0].label}` in `{self.rule.label}`, or delete it",
        )


# The number of prohibitions that a finding lists.
_MOST_NAMED_PROHIBITIONS = 3


@check_of_term
def vain_grant(proof_context: ProofContext) -> Iterator[GrantsNothing | GrantWithheld]:
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
        elif (refusals := _withheld_by(proof_context, rule)) and not _are_in_base_games(proof_context, rule, *refusals):
            yield GrantWithheld(
                writer.rule_party(rule),
                tuple(writer.rule_party(other) for other in refusals[:_MOST_NAMED_PROHIBITIONS]),
            )


def _are_in_base_games(proof_context: ProofContext, *rules: graph.Rule) -> bool:
    """Return whether all rules belong to base games that other layers here are built on."""
    layers = (proof_context.laws.layers.get(rule.origin.layer) for rule in rules)
    return proof_context.laws.recording.has_upper_layers and all(
        layer is not None and layer.kind == "base" for layer in layers
    )


def _withheld_by(proof_context: ProofContext, rule: graph.Rule) -> list[graph.Rule]:
    """Return prohibitions of which one is live whenever a rule is; empty if that cannot be proved."""
    below = proof_context.laws.below
    refusals = [
        other
        for other in proof_context.rules
        if rule_answer(other) is False
        and not other.reading
        and rule.origin.layer not in below.get(other.origin.layer, frozenset())
    ]
    grant_formula = proof_context.live[rule.label]
    if not refusals or proof_context.is_possible(
        grant_formula, *(negation_of(proof_context.live[other.label]) for other in refusals)
    ):
        return []
    if not proof_context.is_possible(grant_formula):
        return []  # Dead rules are a separate finding.
    return [other for other in refusals if proof_context.is_possible(grant_formula, proof_context.live[other.label])]
