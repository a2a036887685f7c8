"""Exceptions that escape a rule which defeats all their siblings, in a layer unrelated to that of the rule.

A rule that defeats several exceptions to a base rule is meant to enforce it. A further exception from a layer unrelated
to both, which may be live at the same time, weakens the base rule after all; only a layer above both can resolve it.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_term
from compiler.analysis.exclusion import are_mutually_exclusive
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.laws import layers_below
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, list_words


@finding("R0549", "exception-forgotten", WARNING)
class ExceptionForgotten(Finding):
    """`rule` is an exception to `base`, whose other exceptions, `defeated_exceptions`, are defeated by `defeater`.

    The layer of `defeater` does not import that of `rule`.
    """

    rule: Party
    defeater: Party
    base: Party
    defeated_exceptions: tuple[str, ...]

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.defeater.label}` overrules {list_words(self.defeated_exceptions, 'and')} but not"
            f" `{self.rule.label}`, which is also an exception to `{self.base.label}`",
            (party_label(self.rule), party_label(self.defeater), party_label(self.base)),
            f"make one of the two an exception to the other, in a layer `on: [{self.defeater.origin.layer},"
            f" {self.rule.origin.layer}]`",
            root=f"{self.rule.label} {self.defeater.label}",
        )


_FEWEST_EXCEPTIONS = 2


@check_of_term
def exception_forgotten(proof_context: ProofContext) -> Iterator[ExceptionForgotten]:
    """Find such exceptions."""
    rules = {rule.label: rule for rule in proof_context.rules}
    below = layers_below(proof_context.laws.stack)
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    for rule in proof_context.rules:
        silenced = [rules[label] for label in rule.defeats if label in rules]
        if len(silenced) < _FEWEST_EXCEPTIONS:
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
