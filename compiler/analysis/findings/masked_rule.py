"""Rules that are redundant: whenever one is live, another one concludes the same.

Only rules with equal conclusions are compared, and only where the other tests nothing that this one does not test, or
an `or` with further cases: a few may be missed, none is reported wrongly. In a sum both would count. Several rules that
the same one makes redundant are one finding, reported at that one: its condition is too wide.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.analysis.checks import check_of_term
from compiler.analysis.conclusion_forms import ConclusionForm, conclusion_form, own_rules
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.findings.duplicate_rule import DuplicateRule, duplicate_rule_problem
from compiler.analysis.formula import evaluate_formula, unknowns_in
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.parties import Party, party_label
from compiler.analysis.proof_context import ProofContext
from compiler.analysis.solve import Assignment, TooManyCases
from compiler.analysis.translate import negation_of
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, list_words
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts


@finding("R0520", "masked-rule", WARNING)
class MaskedRule(Finding):
    """Whenever this rule is live, the other one concludes the same.

    If it does so for `more` as well, the other is too wide.
    """

    rule: Party
    masking_rule: Party
    more: tuple[Party, ...] = ()

    def sentence(self) -> Sentence:
        if self.more:
            masked = (self.rule, *self.more)
            labels = list_words(tuple(party.label for party in masked), "and", MOST_NAMES)
            return Sentence(
                f"`{self.masking_rule.label}` makes {labels} redundant, as it covers all their cases",
                (
                    party_label(self.masking_rule, "its condition may be too wide"),
                    *map(party_label, masked[:MOST_NAMES]),
                ),
                "narrow the condition of this rule, or delete the others and cite their sources here",
            )
        message = f"`{self.rule.label}` is redundant: `{self.masking_rule.label}` already covers all its cases"
        advice = f"widen its condition, or delete it and cite its source at `{self.masking_rule.label}`"
        return Sentence(message, (party_label(self.rule), party_label(self.masking_rule)), advice)


FORMS = {"value", "verdict", "condition", "flag"}

FormAndRule = tuple[ConclusionForm, graph.Rule]


@check_of_term
def masked_rule(proof_context: ProofContext) -> Iterator[MaskedRule | DuplicateRule]:
    """Find rules of a term that another rule makes redundant."""
    if proof_context.term.form not in FORMS:
        return
    writer = ExpressionWriter(proof_context.laws.stack.vocabulary)
    rules_by_conclusion: dict[tuple[str, str | None], list[FormAndRule]] = defaultdict(list)
    for rule in reversed(own_rules(proof_context)):
        if rule.verb:
            form = conclusion_form(rule, writer)
            rules_by_conclusion[form.verb, form.value].append((form, rule))
    for group in rules_by_conclusion.values():
        yield from _gathered(_masked(proof_context, group, writer))


def _gathered(found: Iterator[MaskedRule | DuplicateRule]) -> Iterator[MaskedRule | DuplicateRule]:
    """Merge the findings about rules that one other rule makes redundant: that one is too wide."""
    by_wider: dict[str, MaskedRule] = {}
    for each in found:
        if not isinstance(each, MaskedRule):
            yield each
        elif each.masking_rule.label in by_wider:
            first = by_wider[each.masking_rule.label]
            by_wider[each.masking_rule.label] = replace(first, more=(*first.more, each.rule))
        else:
            by_wider[each.masking_rule.label] = each
    yield from by_wider.values()


def _masked(
    proof_context: ProofContext, group: Sequence[FormAndRule], writer: ExpressionWriter
) -> Iterator[MaskedRule | DuplicateRule]:
    """Compare rules with the same conclusion, the last written first."""
    unknowns_by_label = (
        {rule.label: unknowns_in(proof_context.live[rule.label]) for _, rule in group} if len(group) > 1 else {}
    )
    reported_labels: set[str] = set()
    cases: dict[str, Assignment | TooManyCases | None] = {}
    for (form, rule), (other_form, other) in _overlapping_pairs(proof_context, group):
        if (
            reported_labels.isdisjoint((rule.label, other.label))
            and form != other_form
            and form.defeats <= other_form.defeats
            and (unknowns_by_label[other.label] <= unknowns_by_label[rule.label] or _is_wider(other, rule))
            and _implies(proof_context, rule, other, cases)
        ):
            reported_labels.add(rule.label)
            is_mutual = form.defeats == other_form.defeats and _implies(proof_context, other, rule, cases)
            yield (
                duplicate_rule_problem(rule, other, writer)
                if is_mutual
                else MaskedRule(writer.rule_party(rule), writer.rule_party(other))
            )


def _overlapping_pairs(
    proof_context: ProofContext, group: Sequence[FormAndRule]
) -> Iterator[tuple[FormAndRule, FormAndRule]]:
    """List the ordered pairs of rules that their guards do not exclude, in the order of the group."""
    place = {rule.label: index for index, (_, rule) in enumerate(group)}
    for each in group:
        others = sorted(place[label] for label in proof_context.overlaps[each[1].label] if label in place)
        yield from ((each, group[other]) for other in others)


def _is_wider(other: graph.Rule, rule: graph.Rule) -> bool:
    """Return whether one disjunct of the other rule's guard tests nothing but what this one tests.

    A reading is excluded, as it may intend to decide all cases.
    """
    match other.guard:
        case graph.Op("or", sides) if not other.reading:
            pass
        case graph.Is(subject, tests, negated=False) if not other.reading:
            sides = tuple(graph.Is(subject, (test,), negated=False) for test in tests)
        case _:
            return False
    conditions = {normalize(part, with_names(rule, {})) for part in conjuncts(rule.guard)}
    names = with_names(other, {})
    return any(conditions >= {normalize(part, names) for part in conjuncts(side)} for side in sides)


def _implies(
    proof_context: ProofContext, rule: graph.Rule, other: graph.Rule, cases: dict[str, Assignment | TooManyCases | None]
) -> bool:
    """Prove that the other rule is live whenever this one is, and that this one can be live.

    `cases` stores one assignment for each rule, which mostly refutes the implication without a proof.
    """
    formula, other_formula = proof_context.live[rule.label], proof_context.live[other.label]
    if rule.label not in cases:
        cases[rule.label] = proof_context.find_assignment(formula)
    case = cases[rule.label]
    if case is None or (isinstance(case, dict) and evaluate_formula(other_formula, case) is False):
        return False
    return not proof_context.is_possible(formula, negation_of(other_formula))
