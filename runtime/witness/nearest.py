"""Which rule comes nearest to answering where none does, and what keeps it silent."""

from runtime.answer.explain import Explainer
from runtime.answer.interpreter import bind
from runtime.answer.paragraphs import silent_because
from runtime.graph import nodes as graph
from runtime.witness.aim import NO_ANSWER
from runtime.witness.search import Scene


def nearest(scene: Scene, term: graph.Term) -> tuple[str, str]:
    """Give the label of the rule, and why it says nothing here; two empty texts if no rule has a condition."""
    rules = scene.aim.answers.graph.rules
    graded = [
        (scene.aim.live(term, rule, scene.arguments, want=True), label)
        for label in term.rules
        if (rule := rules[label]).verb and rule.guard is not None
    ]
    if not graded:
        return "", ""
    label = max(graded, key=lambda each: each[0])[1]
    live = [each for each in term.rules if _is_live(scene, term, rules[each])]
    try:
        found = Explainer(scene.aim.answers).candidate(scene.state, term, rules[label], scene.arguments, live, 0)
        return label, silent_because(found)
    except NO_ANSWER:
        return label, ""


def _is_live(scene: Scene, term: graph.Term, rule: graph.Rule) -> bool:
    return rule.guard is None or scene.aim.value(rule.guard, bind(term, rule, scene.arguments)) is True
