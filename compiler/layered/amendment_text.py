"""The amendments of rules as text: whether a rule has any, and each in one line with the procedure that it changes."""

from collections.abc import Iterator

from compiler.layered.step_selectors import selector_text, step_name
from compiler.source import nodes as source
from compiler.source.building.template import FieldSlot
from compiler.source.expression_text import expression_text, fill_template, form_of


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

    def text_of(slot: FieldSlot) -> str:
        match getattr(node, slot.field):
            case source.AmendmentTarget() as target:
                return _target_text(target)
            case source.StepSelector() as anchor:
                return _placed(anchor)
            case tuple() as body:
                return "{" + ", ".join(map(step_name, body)) + "}"
            case str() as word:
                return word
            case value:
                return expression_text(value)

    _, form = form_of(node)
    text = fill_template(form.parts, text_of)
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
