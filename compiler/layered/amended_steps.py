"""The step of a procedure that an amendment selects.

In: a procedure, a selector, and the amendments applied so far. Out: the step; or None, with a problem, where no step or
several are selected. Steps that an unrelated layer inserted are not seen.
"""

from typing import Any

from compiler.layered.amendment_log import Amendment, AmendmentLog, is_repetition
from compiler.layered.findings.amendments import AmendedTwice, NoSuchStep
from compiler.layered.step_selectors import matches_step, selector_text, selectors_of, step_name
from compiler.source import nodes as source


def find_step(
    ledger: AmendmentLog, node: Any, selector: source.StepSelector, change: Amendment, name: str
) -> source.Step | None:
    """Return the selected step; None, with a problem, if it is not unique."""
    known = change.reach - {change.layer}
    visible = {
        step.span: step
        for step in source.nested_steps(node.body)
        if step.span not in ledger.inserting_layers or ledger.inserting_layers[step.span] in known
    }
    matches = [step for step in visible.values() if matches_step(selector, step)]
    place = selector.place
    if place and abs(place) <= len(matches):
        return matches[place - 1 if place > 0 else place]
    if len(matches) == 1 and not place:
        return matches[0]
    for span, step, other in ledger.removals:
        if span == node.span and not matches and matches_step(selector, step):
            if not is_repetition(change, other):
                step_text = f"{step_name(step)} of {name}"
                ledger.problems.append(AmendedTwice(change.span, other.span, step_text, step.span))
            return None
    pool = tuple(dict.fromkeys(selectors_of(visible.values())))
    spans = tuple(step.span for step in matches)
    ledger.problems.append(NoSuchStep(selector.span, selector_text(selector), name, pool, spans, bool(place)))
    return None
