"""Find the rule that is nearest to answering where none does, and what makes it silent."""

from runtime.answer.explain import Explainer
from runtime.answer.explanation_text import why_inapplicable
from runtime.answer.interpreter import bind
from runtime.graph import nodes as graph
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.search import Instance


def nearest_rule(instance: Instance, term: graph.Term) -> tuple[str, str]:
    """Return the label of the rule, and why it is silent here; two empty texts if no rule has a condition."""
    rules = instance.fitness.answers.graph.rules
    graded = [
        (instance.fitness.fitness_of_live(term, rule, instance.arguments, want=True), label)
        for label in term.rules
        if (rule := rules[label]).verb and rule.guard is not None
    ]
    if not graded:
        return "", ""
    label = max(graded, key=lambda each: each[0])[1]
    live = [each for each in term.rules if _is_live(instance, term, rules[each])]
    try:
        found = Explainer(instance.fitness.answers).explain_clause(
            instance.state, term, rules[label], instance.arguments, live, 0
        )
        return label, why_inapplicable(found)
    except NO_ANSWER:
        return label, ""


def _is_live(instance: Instance, term: graph.Term, rule: graph.Rule) -> bool:
    return rule.guard is None or instance.fitness.value(rule.guard, bind(term, rule, instance.arguments)) is True
