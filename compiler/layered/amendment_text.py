"""The amendments of rules as text: whether a rule has any, and each in one line with the procedure that it changes."""

from collections.abc import Iterator

from compiler.layered.amendment_verbs import AMENDMENTS
from compiler.layered.step_selectors import selector_text, step_name
from compiler.source import nodes as source
from compiler.source.expression_text import expression_text


def amends_play(rule: source.Rule) -> bool:
    """Return whether a rule amends procedures, instead of answering a question."""
    return bool(rule.amends) or any(part.wholes for part in rule.relations)


def list_amendments(rule: source.Rule) -> Iterator[tuple[str, str]]:
    """Return the amendments of a rule: each in one line, with the key of the procedure or phase."""
    for node in rule.amends:
        yield _amendment(node, rule.guard), node.target.within.key
    for target in (target for part in rule.relations for target in part.wholes if rule.guard is not None):
        yield _amendment(source.Amend(target.span, "withdraws", target), rule.guard), target.within.key


def _amendment(node: source.Amend, when: source.Expression | None) -> str:
    """Format an amendment in one line, close to its text: the change, its target and its condition."""
    text = AMENDMENTS[node.verb].form.format(
        target=_target_text(node.target),
        order=node.order,
        anchor=_placed(node.anchor) if node.anchor else "",
        body="{" + ", ".join(map(step_name, node.body)) + "}",
        value=expression_text(node.value) if node.value else "",
    )
    return text if when is None else f"{text} when {expression_text(when)}"


def _target_text(target: source.AmendmentTarget) -> str:
    within = target.within.source_text
    if target.step is None:
        return within
    if target.step.what == "phase" and target.within.what == "sequence" and not target.step.place:
        return selector_text(target.step)
    return f"{'' if target.step.place else 'step '}{_placed(target.step)} of {within}"


def _placed(pointed: source.StepSelector) -> str:
    return f"the {WORD_OF_PLACE[pointed.place]} {selector_text(pointed)}" if pointed.place else selector_text(pointed)


WORD_OF_PLACE = {1: "first", 2: "second", 3: "third", -1: "last"}
