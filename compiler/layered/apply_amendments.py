"""Apply amendments to procedures: steps and phases are withdrawn, reordered, inserted, wrapped or replaced.

The input is the procedures below a layer, and the amendments of its rules; the output is the same procedures with each
amendment applied at its target. Amendments of one layer, or of unrelated layers, must not meet at one step, so that
their order has no effect; a layer that is based on another amends the result of that.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from compiler.layered.amendment_log import (
    AROUND,
    BODY,
    GONE,
    STEP_PLACE,
    UNTIL,
    Amendment,
    AmendmentLog,
    AppliedAmendment,
    is_repetition,
)
from compiler.layered.amendment_problems import AmendedTwice, CannotAmend, LeavesUnbound, NoSuchStep
from compiler.layered.blocks import Steps, bound_names, edit_step, enclosing_steps, late_choices, unbound_in
from compiler.layered.problems import PatchesNothing, Problem
from compiler.layered.step_selectors import matches_step, selector_text, selectors_of, step_name
from compiler.layered.wrapping import (
    continues_after,
    proceeds_in_loop,
    unnamed_in_account,
    with_account_begun,
    wrapped_steps,
)
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written
from compiler.source.span import Span

KIND = {"reorders": STEP_PLACE, "withdraws": GONE, "replaces": GONE, "wraps": AROUND, "until": UNTIL}


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
    amended_node = (
        _changed_whole(ledger, node, change, name)
        if change.node.target.step is None
        else _step(ledger, node, change, name)
    )
    if amended_node is None or len(ledger.problems) > problem_count:
        return None
    return None if amended_node.body is node.body else amended_node


def _changed_whole(ledger: AmendmentLog, node: Any, change: Amendment, name: str) -> Any | None:
    """Change a procedure, or the body of a phase, as a whole."""
    if not ledger.record_change(change, node, BODY, name):
        return None
    if change.node.verb == "withdraws":
        assert change.condition is not None
        return replace(node, body=(*_disabling_steps(node, change, change.condition), *with_account_begun(node)))
    if not _proceeds(ledger, node.span, change):
        return None
    leaves = next((step for step in source.nested_steps(node.body) if isinstance(step, source.Stop)), None)
    if leaves is not None and continues_after(change.node.body):
        message = f"`{name}` may stop, and then nothing behind `proceed` is done"
        advice = "write what has to be done in any case before `proceed`, or replace the procedure"
        ledger.problems.append(CannotAmend(change.span, leaves.span, message, advice))
        return None
    if getattr(node, "account", None) is not None and (repeated_step := proceeds_in_loop(change.node.body)) is not None:
        message = f"`{name}` has an account, which tells what is done once, and here it is done again and again"
        advice = "wrap what calls it, or replace it and write an account of the whole"
        ledger.problems.append(CannotAmend(change.span, repeated_step.span, message, advice))
        return None
    old = with_account_begun(node)
    body = wrapped_steps(change.node.body, old)
    _record_inserted_steps(ledger, change)
    return replace(node, body=body if change.condition is None else _conditional(change, body, old))


def _disabling_steps(node: Any, change: Amendment, when: source.Expression) -> Steps:
    """Return the first step of a procedure that is disabled under a condition: it is illegal to start, or it stops."""
    if isinstance(node, source.Action | source.Reaction):
        return (source.Legal(change.span, source.Not(when.span, when)),)
    return (source.Branch(change.span, when, (source.Stop(change.span),), ()),)


def _step(ledger: AmendmentLog, node: Any, change: Amendment, name: str) -> Any | None:
    """Change a procedure at one of its steps."""
    amend = change.node
    assert amend.target.step is not None
    step = find_step(ledger, node, amend.target.step, change, name)
    if step is None:
        return None
    step_text = f"{step_name(step)} of {name}"
    if not ledger.record_change(change, step, amend.order if amend.verb == "inserts" else KIND[amend.verb], step_text):
        return None
    if amend.verb == "reorders":
        return _reordered(ledger, node, step, change, name)
    if amend.verb == "until" and not isinstance(step, source.Offer):
        message = f"`{step_name(step)}` is no offer, so it has no `until`"
        ledger.problems.append(
            CannotAmend(amend.target.span, step.span, message, "name an offer by one of its actions")
        )
        return None
    if amend.verb == "wraps" and not _proceeds(ledger, step.span, change):
        return None
    if (amend.verb == "replaces" and equal_as_written(amend.body, (step,))) or (
        isinstance(step, source.Offer) and equal_as_written(amend.value or (), step.until)
    ):
        ledger.problems.append(PatchesNothing(change.span, step.span, step_text, "so"))
    if amend.verb in ("withdraws", "replaces") and change.condition is None:
        ledger.removals.append((node.span, step, change))
    _record_inserted_steps(ledger, change)
    return replace(node, body=edit_step(node.body, step.span, lambda each: _replacement(each, change)))


def _replacement(step: source.Step, change: Amendment) -> Steps:
    """Return the steps that replace a step after a change."""
    amend, when = change.node, change.condition
    match amend.verb:
        case "withdraws" if when is None:
            return ()
        case "withdraws":
            return _conditional(change, (), (step,))
        case "inserts":
            new = amend.body if when is None else _conditional(change, amend.body, ())
            return (*new, step) if amend.order == "before" else (step, *new)
        case "until":
            assert isinstance(step, source.Offer)
            value = amend.value
            if when is not None and value is not None:
                value = source.Choice(when.span, when, value, step.until or source.Truth(when.span, value=True))
            return (replace(step, until=value),)
        case _:
            new = wrapped_steps(amend.body, (step,)) if amend.verb == "wraps" else amend.body
            return new if when is None else _conditional(change, new, (step,))


def _conditional(change: Amendment, then: Steps, orelse: Steps) -> Steps:
    """Return steps that run `then` where the rule holds, else `orelse`.

    Requirements of an action stay `legal` lines.
    """
    when = change.condition
    assert when is not None
    requirements = [step for step in (*then, *orelse) if isinstance(step, source.Legal)]
    legal: list[source.Step] = []
    for step in requirements:
        off = source.Not(when.span, when) if step in then else when
        legal.append(replace(step, condition=source.Either(step.span, (off, step.condition))))
    then = tuple(step for step in then if not isinstance(step, source.Legal))
    orelse = tuple(step for step in orelse if not isinstance(step, source.Legal))
    if not then and not orelse:
        return tuple(legal)
    if not then:
        return (*legal, source.Branch(change.span, source.Not(when.span, when), orelse, ()))
    return (*legal, source.Branch(change.span, when, then, orelse))


def _proceeds(ledger: AmendmentLog, target: Span, change: Amendment) -> bool:
    """Return whether a wrapper contains `proceed`; report if it does not."""
    if any(isinstance(step, source.Proceed) for step in source.nested_steps(change.node.body)):
        return True
    message = "nothing here says `proceed`, so what is wrapped would be gone"
    ledger.problems.append(CannotAmend(change.span, target, message, "write `proceed` where it is done, or `replaces`"))
    return False


def _record_inserted_steps(ledger: AmendmentLog, change: Amendment) -> None:
    """Record the steps that a change inserts: amendments of layers not based on its layer cannot refer to them."""
    ledger.inserting_layers.update((step.span, change.layer) for step in source.nested_steps(change.node.body))


# ---------------------------------------------------------------- which step


def find_step(
    ledger: AmendmentLog, node: Any, selector: source.StepSelector, change: Amendment, name: str
) -> source.Step | None:
    """Return the selected step; None, with a problem, if it is not unique."""
    known = change.reach - {change.layer}
    seen = {
        step.span: step
        for step in source.nested_steps(node.body)
        if step.span not in ledger.inserting_layers or ledger.inserting_layers[step.span] in known
    }
    found = [step for step in seen.values() if matches_step(selector, step)]
    place = selector.place
    if place and abs(place) <= len(found):
        return found[place - 1 if place > 0 else place]
    if len(found) == 1 and not place:
        return found[0]
    for span, step, other in ledger.removals:
        if span == node.span and not found and matches_step(selector, step):
            if not is_repetition(change, other):
                step_text = f"{step_name(step)} of {name}"
                ledger.problems.append(AmendedTwice(change.span, other.span, step_text, step.span))
            return None
    pool = tuple(dict.fromkeys(selectors_of(seen.values())))
    matches = tuple(step.span for step in found)
    ledger.problems.append(NoSuchStep(selector.span, selector_text(selector), name, pool, matches, bool(place)))
    return None


# ---------------------------------------------------------------- another order


def _reordered(ledger: AmendmentLog, node: Any, step: source.Step, change: Amendment, name: str) -> Any | None:
    """Move a step before or behind another one."""
    amend = change.node
    assert amend.anchor is not None
    anchor = find_step(ledger, node, amend.anchor, change, name)
    if anchor is None or not ledger.record_change(change, anchor, amend.order, f"{step_name(anchor)} of {name}"):
        return None
    ancestors = {each.span: outer for each, outer in enclosing_steps(node.body)}
    if any(each.span == step.span for each in (anchor, *ancestors[anchor.span])):
        message = f"`{step_name(step)}` cannot be put beside itself, or beside what is done in it"
        ledger.problems.append(CannotAmend(change.span, step.span, message, "name a step outside of it"))
        return None
    if (conflict := _another_clock(step, anchor, ancestors, change)) is not None:
        ledger.problems.append(conflict)
        return None
    when = change.condition
    moved_steps: Steps = (step,) if when is None else (source.Branch(change.span, when, (step,), ()),)
    left: Steps = () if when is None else _conditional(change, (), (step,))
    remaining_body = edit_step(node.body, step.span, lambda _: left)
    body = edit_step(
        remaining_body,
        anchor.span,
        lambda each: (*moved_steps, each) if amend.order == "before" else (each, *moved_steps),
    )
    if when is None and _order(body) == _order(node.body):
        ledger.problems.append(PatchesNothing(change.span, step.span, step_name(step), "there already"))
    return replace(node, body=body)


def _another_clock(
    step: source.Step, anchor: source.Step, ancestors: Mapping[Span, Steps], change: Amendment
) -> Problem | None:
    """Check that a step does not move to where it runs more or less often: into or out of a loop of the clock."""
    clocks = tuple([each for each in ancestors[part.span] if isinstance(each, source.Each)] for part in (step, anchor))
    step_loops, anchor_loops = ([each.span for each in clock] for clock in clocks)
    if step_loops == anchor_loops:
        return None
    message = f"`{step_name(step)}` is done {_in(clocks[0])}, and `{step_name(anchor)}` {_in(clocks[1])}"
    advice = "withdraw it here, and insert there what has to be done"
    if anchor_loops[: len(step_loops)] == step_loops:
        advice = f"name the loop: `{change.node.order} {step_name(clocks[1][len(step_loops)])}`"
    return CannotAmend(change.span, anchor.span, message, advice)


def _in(clock: list[source.Each]) -> str:
    return f"in `{step_name(clock[-1])}`" if clock else "outside of all turns"


def _order(body: Steps) -> list[Span]:
    return [step.span for step in source.nested_steps(body)]


# ---------------------------------------------------------------- unbound names, late choices


def amendment_problems(ledger: AmendmentLog, before: Any, after: Any, changes: Sequence[Amendment]) -> Problem | None:
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
    message = f"`{step_name(step)}` now stands behind what the action does, where nothing can be refused any more"
    advice = "put the new step behind the choices and `legal` lines"
    if change.condition is not None:
        advice = "leave out `when`, and ask for the condition in the steps themselves"
    return CannotAmend(change.span, step.span, message, advice)


def _culprit(ledger: AmendmentLog, changes: Sequence[Amendment], use: Span, name: str) -> Amendment:
    """Return the change that is responsible: it inserted or moved the step, or removed the binding of the name."""
    for change in changes:
        step = ledger.targets.get(change.span)
        moved = step is not None and change.node.verb == "reorders" and step.span.contains(use)
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
