"""Apply amendments to procedures: steps and phases are withdrawn, reordered, inserted, wrapped or replaced.

The input is the procedures below a layer, and the amendments of its rules; the output is the same procedures with each
amendment applied at its target. Amendments of one layer, or of unrelated layers, must not meet at one step, so that
their order has no effect; a layer that is based on another amends the result of that.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from compiler.layered.amended_steps import find_step
from compiler.layered.amendment_log import BODY, STEP_PLACE, Amendment, AmendmentLog, AppliedAmendment
from compiler.layered.amendment_verbs import AMENDMENTS, StepTarget, kind_of_change
from compiler.layered.blocks import bound_names, late_choices, unbound_in
from compiler.layered.findings.amendments import CannotAmend, LeavesUnbound
from compiler.layered.step_selectors import step_name
from compiler.layered.wrapping import unnamed_in_account
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.span import Span


def amendments_of(
    layer: str, rule: source.Rule, reach: Mapping[str, frozenset[str]], below: Mapping[str, frozenset[str]]
) -> Iterator[Amendment]:
    """Return the amendments of a rule; to withdraw a phase or a procedure under a condition is to amend it."""
    layer_sets = reach[layer], below.get(layer, frozenset[str]())
    for node in rule.amends:
        yield Amendment(layer, rule, node, *layer_sets)
    if rule.guard is not None:
        for target in (target for part in rule.relations if part.verb == "withdraws" for target in part.wholes):
            yield Amendment(layer, rule, source.Amend(target.span, "withdraws", target), *layer_sets)


# ---------------------------------------------------------------- one procedure


def apply_amendments(ledger: AmendmentLog, node: Any, change: Amendment, name: str) -> Any | None:
    """Return a procedure or phase with a change in its steps; None, with a problem, if it cannot be applied."""
    problem_count = len(ledger.problems)
    ledger.by_procedure.setdefault(node.span, []).append(AppliedAmendment(change, BODY))
    amended_node = _amended(ledger, node, change, name)
    if amended_node is None or len(ledger.problems) > problem_count:
        return None
    return None if amended_node.body is node.body else amended_node


def _amended(ledger: AmendmentLog, node: Any, change: Amendment, name: str) -> Any | None:
    """Change a procedure, or the body of a phase, as a whole or at one of its steps."""
    record, selector = AMENDMENTS[change.node.verb], change.node.target.step
    if selector is None:
        assert record.of_procedure is not None
        is_recorded = ledger.record_change(change, node, BODY, name)
        return record.of_procedure(ledger, node, change, name) if is_recorded else None
    step = find_step(ledger, node, selector, change, name)
    if step is None:
        return None
    is_recorded = ledger.record_change(change, step, kind_of_change(change.node), f"{step_name(step)} of {name}")
    return record.of_step(ledger, StepTarget(node, step, name), change) if is_recorded else None


# ---------------------------------------------------------------- unbound names, late choices


def amendment_problems(ledger: AmendmentLog, before: Any, after: Any, changes: Sequence[Amendment]) -> Finding | None:
    """Return the first name left unbound, or choice that is too late, after all changes of a layer to one procedure."""
    parameters = frozenset(word.text for word in _parameters(before))
    gives = {name: step.span for step in source.nested_steps((*after.body, *before.body)) for name in bound_names(step)}
    named = frozenset(gives) - parameters
    known = unbound_in(before.body, parameters, named)
    for use, name in unbound_in(after.body, parameters, named).items():
        if use not in known:
            return LeavesUnbound(_culprit(ledger, changes, use, name).span, use, name, gives[name])
    for use, name in unnamed_in_account(after, parameters, frozenset(gives)):
        return LeavesUnbound(_culprit(ledger, changes, use, name).span, use, name, gives[name])
    if not isinstance(before, source.Action | source.Reaction):
        return None
    fresh = late_choices(after.body) - late_choices(before.body)
    step = next((step for step in source.nested_steps(after.body) if step.span in fresh), None)
    if step is None:
        return None
    change = _culprit(ledger, changes, step.span, "")
    message = f"this change puts `{step_name(step)}` after steps that the action has already done"
    advice = "put the new step after the choices and `legal` lines"
    if change.condition is not None:
        advice = "leave out `when`, and test its condition in the steps themselves"
    return CannotAmend(change.span, step.span, message, advice)


def _culprit(ledger: AmendmentLog, changes: Sequence[Amendment], use: Span, name: str) -> Amendment:
    """Return the change that is responsible: it inserted or moved the step, or removed the binding of the name."""
    for change in changes:
        step = ledger.targets.get(change.span)
        moved = step is not None and kind_of_change(change.node) == STEP_PLACE and step.span.contains(use)
        if change.span.contains(use) or moved:
            return change
    for change in changes:
        step = ledger.targets.get(change.span)
        if name and step is not None and name in bound_names(step):
            return change
    return changes[-1]


def _parameters(node: Any) -> Iterator[source.Word]:
    """Return the parameters of a procedure."""
    for each in getattr(node, "parameters", ()):
        yield each if isinstance(each, source.Word) else each.name
