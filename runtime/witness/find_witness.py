"""Find a small position in which a suspected conflict or gap occurs.

The input is a graph and a suspicion; the output is a position, the question to ask there and the result of the
interpreter; or None if nothing was found within the bound. None proves nothing, and a report of it has to state the
bound.
"""

from dataclasses import replace

from runtime.answer.explain import Explainer
from runtime.answer.explanation_text import why_inapplicable
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.operators.numbers import amount
from runtime.graph.witness_position import WitnessPosition
from runtime.witness import objectives
from runtime.witness.candidate import Candidate
from runtime.witness.domain_pool import MOST_POOL_PIECES, literal_text
from runtime.witness.instance import NO_ANSWER, Instance, instance_of, satisfies_invariants
from runtime.witness.local_search import SIDE_OF_GRID, Objective, search_candidates
from runtime.witness.position_file import ask_text, expression_text, position_file
from runtime.witness.repair import Repairer
from runtime.witness.shrinking import shrink

WITNESS_BUDGET = 2_000
# A guided search needs fewer steps, and its failure is as significant.
GUIDED = 400

# Conditions that a solver found to imply the objective.
ModelExpressions = tuple[graph.Expr, ...]

BOUND = (
    f"searched {WITNESS_BUDGET:,} positions of up to {SIDE_OF_GRID * SIDE_OF_GRID} hexes and {MOST_POOL_PIECES} pieces"
)


def find_overlap(
    rules: graph.Graph, term: str, labels: tuple[str, str], budget: int, model: ModelExpressions
) -> WitnessPosition | None:
    """Return a position in which two rules of a term have different answers."""
    return find_candidate(
        rules, guided_objective(objectives.overlap_objective(rules, term, labels), model), labels, budget
    )


def find_gap(rules: graph.Graph, term: str, budget: int, model: ModelExpressions) -> WitnessPosition | None:
    """Return a position in which no rule answers a term."""
    return find_candidate(rules, guided_objective(objectives.gap_objective(rules, term), model), (), budget)


def find_outside(
    rules: graph.Graph, term: str, label: str, budget: int, model: ModelExpressions
) -> WitnessPosition | None:
    """Return a position in which a rule answers outside the declaration of its term."""
    return find_candidate(
        rules, guided_objective(objectives.outside_objective(rules, term, label), model), (label,), budget
    )


def find_candidate(
    rules: graph.Graph, objective: Objective, labels: tuple[str, ...], budget: int
) -> WitnessPosition | None:
    """Return the position that a search finds, shrunk and written out; None if none is found."""
    instance = search_candidates(rules, objective, budget)
    if instance is None:
        return None
    small = shrink_candidate(rules, objective, instance.candidate)
    small_instance = instance_of(Interpreter(rules), small)
    label, reason = (
        nearest_rule(small_instance, objective.term) if small_instance is not None and not labels else ("", "")
    )
    answer = (
        f"no rule answers; `{label}` comes nearest: {reason}"
        if reason
        else answers_text(small_instance, objective.term, labels)
    )
    question = ask_text(objective.term, small.arguments)
    return WitnessPosition(small.position, question, answer, position_file(small.position, rules.vocabulary), label)


def shrink_candidate(rules: graph.Graph, objective: Objective, candidate: Candidate) -> Candidate:
    """Return a candidate without what its finding does not need."""
    answers = Interpreter(rules)

    def holds(candidate: Candidate) -> bool:
        instance = instance_of(answers, candidate)
        return instance is not None and satisfies_invariants(instance) and objective.is_met(instance)

    return shrink(candidate, holds, rules.vocabulary.records)


def answers_text(instance: Instance | None, term: graph.Term, labels: tuple[str, ...]) -> str:
    """Format what each rule answers in an instance, or that none does."""
    if instance is None or not labels:
        return "no rule answers"
    found = []
    for label in labels:
        rule = instance.answers.graph.rules[label]
        value = None if rule.value is None else instance.value(rule.value, bindings_of(term, rule, instance.arguments))
        expr = None if value is None else literal_text(value, amount(term.type), instance.state)
        found.append(f"{label} says {'nothing' if expr is None else expression_text(expr)}")
    return ", ".join(found)


# ---------------------------------------------------------------- the rule that is nearest to answering


def nearest_rule(instance: Instance, term: graph.Term) -> tuple[str, str]:
    """Return the label of the rule, and why it is silent here; two empty texts if no rule has a condition."""
    rules = instance.answers.graph.rules
    by_failures = [
        (_conditions_failed(instance, term, rule), label)
        for label in term.rules
        if (rule := rules[label]).verb and rule.guard is not None
    ]
    if not by_failures:
        return "", ""
    label = min(by_failures, key=lambda each: each[0])[1]
    live = [each for each in term.rules if _guard_holds(instance, term, rules[each])]
    try:
        found = Explainer(instance.answers).explain_clause(
            instance.state, term, rules[label], instance.arguments, live, 0
        )
        return label, why_inapplicable(found)
    except NO_ANSWER:
        return label, ""


def _conditions_failed(instance: Instance, term: graph.Term, rule: graph.Rule) -> tuple[int, int]:
    """Return how many conjuncts of a guard fail, and to how many rules the rule is an exception.

    Of equal failures that of the general rule is the likelier mistake.
    """
    names = bindings_of(term, rule, instance.arguments)
    return sum(not instance.holds(part, names) for part in conjuncts(rule.guard)), len(rule.defeats)


def _guard_holds(instance: Instance, term: graph.Term, rule: graph.Rule) -> bool:
    return rule.guard is None or instance.holds(rule.guard, bindings_of(term, rule, instance.arguments))


# ---------------------------------------------------------------- the conditions of a model as a hint


def guided_objective(objective: Objective, model: tuple[graph.Expr, ...]) -> Objective:
    """Add the conditions of a model to an objective, as a hint: the objective alone decides what meets it."""
    if not model:
        return objective
    names = [part.name for part in objective.term.parameters]

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        bindings = dict(zip(names, instance.lazy_arguments(), strict=True))
        failing = [each for each in model if not instance.holds(each, bindings)]
        if failing and not repairer.chance.one_in(4):
            return repairer.propose_repair(repairer.chance.pick(failing), bindings, want=True)
        return objective.propose(repairer, instance)

    return replace(objective, propose=propose)
