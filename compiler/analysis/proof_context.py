"""The proof context of one term: its rules as formulas, the facts, and the queries of checks.

In: the laws of a stack, one of its terms, and the strategy that solves formulas. Out: its `ProofContext`. All formulas
and facts are built before the first query, because a later cut would change the meaning of earlier results.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from compiler.analysis import exclusion
from compiler.analysis.domain import Types
from compiler.analysis.facts import counters_of, facts_of
from compiler.analysis.formula import FALSE, TRUE, Formula
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.solve import Assignment, TooManyCases, assignment_texts, solve
from compiler.analysis.translate import Translator, conjunction_of, disjunction_of, negation_of
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.interval import interval_of

SolveFunction = Callable[..., Assignment | TooManyCases | None]


@frozen_dataclass
class ProofContext:
    """Formulas by label: the guard, the condition to be live, and `range_violations`, when the answer leaves its range.

    `overlaps` lists for each label the others that its guard does not exclude, `differences` is by pairs of those.
    """

    laws: Laws
    term: graph.Term
    rules: tuple[graph.Rule, ...]
    guards: dict[str, Formula]
    live: dict[str, Formula]
    overlaps: dict[str, tuple[str, ...]]
    differences: dict[tuple[str, str], Formula]
    idle: dict[str, Formula]
    range_violations: dict[str, Formula]
    facts: tuple[Formula, ...]
    counters: tuple[Formula, ...]
    translator: Translator
    solve: SolveFunction

    def is_first_term_of(self, rule: graph.Rule) -> bool:
        """Return whether the term is the first that a rule was written for: findings about the rule belong there."""
        return self.laws.stack.rules[rule.label].terms[0] == self.term.name

    def find_assignment(self, *formulas: Formula) -> Assignment | TooManyCases | None:
        """Find an assignment under which all formulas and the facts hold, with pieces from the unit chart."""
        return self.solve(self.translator.space, *formulas, *self.facts, *self.counters)

    def is_satisfiable(self, *formulas: Formula) -> bool:
        """Return whether all formulas and the facts can hold together, for any pieces; True if undecided."""
        return self.solve(self.translator.space, *formulas, *self.facts, example=False) is not None

    def is_possible(self, *formulas: Formula) -> bool:
        """Return whether all formulas and the facts can hold together for pieces from the unit chart.

        True if undecided.
        """
        return self.solve(self.translator.space, *formulas, *self.facts, *self.counters, example=False) is not None

    def assignment_texts(self, found: Assignment | TooManyCases | None) -> tuple[str, ...]:
        """Format an assignment as texts."""
        return assignment_texts(self.translator.space, found)


@frozen_dataclass
class ProofStrategy:
    """A strategy to translate and solve queries: by cases, or by arithmetic (arithmetic/)."""

    translator: Callable[[Laws, Types, Intervals | None], Translator]
    solve: SolveFunction


BY_CASES = ProofStrategy(Translator, solve)


def open_proof_context(
    laws: Laws, term: graph.Term, intervals: Intervals, strategy: ProofStrategy = BY_CASES
) -> ProofContext:
    """Translate all rules of a term, those that conclude and those that only defeat others."""
    types = graph.parameter_types(term.parameters)
    translator = strategy.translator(laws, types, None if strategy is BY_CASES else intervals)
    term_rules = rules_of_term(laws.stack, term)
    concluding_rules = laws.rules(term)
    guards = {rule.label: translator.translate_guard(rule, {}) for rule in term_rules}
    live = {rule.label: translator.translate_live_rule(rule, {}) for rule in term_rules}
    required = {rule.label: exclusion.required_values(rule) for rule in term_rules}
    rank = {label: index for index, label in enumerate(required)}
    overlaps = exclusion.unexcluded_rules(required)
    differences = {
        (first.label, other): _difference(translator, first, laws.stack.rules[other])
        for first in (concluding_rules if term.form in {"value", "flag"} else ())
        for other in overlaps[first.label]
        if rank[first.label] < rank[other]
        and (rival := laws.stack.rules[other]).verb
        and not exclusion.are_mutually_exclusive(first, rival)
    }
    idle = {rule.label: _idle(translator, term, rule, overlaps[rule.label]) for rule in term_rules if rule.defeats}
    range_violations = (
        {rule.label: _range_violation(translator, term, rule, intervals) for rule in concluding_rules}
        if term.form == "value"
        else {}
    )
    facts = facts_of(translator)
    counters = counters_of(translator)
    return ProofContext(
        laws,
        term,
        term_rules,
        guards,
        live,
        overlaps,
        differences,
        idle,
        range_violations,
        facts,
        counters,
        translator,
        strategy.solve,
    )


def _difference(translator: Translator, rule: graph.Rule, other: graph.Rule) -> Formula:
    """Return the formula under which the conclusions of two rules differ."""
    if rule.value is None or other.value is None or exclusion.are_distinct_constants(rule.value, other.value):
        return TRUE
    left, right = normalize(rule.value, with_names(rule, {})), normalize(other.value, with_names(other, {}))
    return negation_of(translator.translate_comparison("=", left, right))


def _range_violation(translator: Translator, term: graph.Term, rule: graph.Rule, intervals: Intervals) -> Formula:
    """Return the formula under which the conclusion of a rule lies outside the range of its term.

    A cap restricts every answer. Products and counts have no bounds that could be derived: such answers are compared
    with the range when they are computed in play.
    """
    if not isinstance(term.type, graph.Number) or rule.value is None or term.capped is not None:
        return FALSE
    conclusion = normalize(rule.value, with_names(rule, {}))
    if intervals.bounds_of_rule(term, rule).is_within(interval_of(term.type)) or not translator.has_bounds(conclusion):
        return FALSE
    ends = ((">=", term.type.low), ("<=", term.type.high))
    measure = term.type.measure
    within = (
        translator.translate_comparison(op, conclusion, graph.Num(Fraction(end), measure))
        for op, end in ends
        if end is not None
    )
    return negation_of(conjunction_of(*within))


def _idle(translator: Translator, term: graph.Term, rule: graph.Rule, overlaps: Sequence[str]) -> Formula:
    """Return the formula under which an exception changes the answer. Rules excluded with it do not matter.

    If it concludes a value, the same value must already be concluded without it; if it only defeats, or answers yes or
    no, one of its targets must be live.
    """
    live_formula = translator.translate_live_rule(rule, {})
    rules = {each.label: each for each in rules_of_term(translator.laws.stack, term)}
    own_labels, adjacent_labels = frozenset(term.rules), frozenset((rule.label, *overlaps))

    def formula_when_live(other: graph.Rule) -> Formula:
        return translator.translate_live_beside(
            other, rule.label, lambda label: label in own_labels and label not in adjacent_labels
        )

    if term.form == "value" and rule.verb:
        others = [other for label in overlaps if (other := rules[label]).verb]
        same = [
            conjunction_of(formula_when_live(other), negation_of(_difference(translator, rule, other)))
            for other in others
        ]
        return conjunction_of(live_formula, negation_of(disjunction_of(*same)))
    return conjunction_of(
        live_formula,
        disjunction_of(*(formula_when_live(rules[label]) for label in overlaps if label in rule.defeats)),
    )
