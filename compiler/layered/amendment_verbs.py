"""The verbs of amendments as records, all of whose fields have to be given.

An amendment is one `AmendmentRecord`, with everything that is specific to its verb: its text, the kind of its change,
and what it makes of a step, of a whole procedure or of an inserted phase. What can be derived from these is no field:
that moves come before insertions, and which changes of one step are compatible, follow from the kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from compiler.layered.amended_steps import find_step
from compiler.layered.amendment_log import AROUND, GONE, STEP_PLACE, UNTIL, Amendment, AmendmentLog
from compiler.layered.blocks import Steps, edit_step, enclosing_steps
from compiler.layered.findings.amendments import CannotAmend
from compiler.layered.findings.patches import PatchesNothing
from compiler.layered.step_selectors import step_name
from compiler.layered.wrapping import continues_after, proceeds_in_loop, with_account_begun, wrapped_steps
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written
from compiler.source.finding import Finding
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class StepTarget:
    """A step that is amended, its procedure or phase, and the name of that."""

    procedure: Any
    step: source.Step
    name: str


@frozen_dataclass
class AmendmentRecord:
    """One verb of amendments.

    `kind` is that of the change of a step (amendment_log.py); None for one that inserts beside it, on the side of its
    `order`. The three functions return the amended procedure or phase, or None where it cannot be amended so, with a
    problem; a function is None where the verb does not apply to whole procedures, or not to phases that layers insert.
    """

    verb: source.AmendVerb
    kind: str | None
    of_step: Callable[[AmendmentLog, StepTarget, Amendment], Any | None]
    of_procedure: Callable[[AmendmentLog, Any, Amendment, str], Any | None] | None
    of_insert: Callable[[source.Insert, Amendment], source.Insert | None] | None


def kind_of_change(node: source.Amend) -> str:
    """Return the kind of the change of the step that an amendment selects."""
    return AMENDMENTS[node.verb].kind or node.order


# ---------------------------------------------------------------- withdraws, replaces


def _with_steps_instead(ledger: AmendmentLog, target: StepTarget, change: Amendment) -> Any:
    """Return a procedure with other steps, or none, in the place of one."""
    body = change.node.body
    if equal_as_written(body, (target.step,)):
        _report_no_change(ledger, target, change)
    if change.condition is None:
        ledger.removals.append((target.procedure.span, target.step, change))
    return _edited(ledger, target, change, lambda step: _conditional(change, body, (step,)))


def _disabled_procedure(_ledger: AmendmentLog, node: Any, change: Amendment, _name: str) -> Any:
    """Return a procedure that is disabled under a condition: it is illegal to start, or it stops."""
    when = change.condition
    assert when is not None
    disabling: source.Step = source.Branch(change.span, when, (source.Stop(change.span),), ())
    if isinstance(node, source.Action | source.Reaction):
        disabling = source.Legal(change.span, source.Not(when.span, when))
    return replace(node, body=(disabling, *with_account_begun(node)))


def _guarded_insert(insert: source.Insert, change: Amendment) -> source.Insert | None:
    """Return an inserted phase that is left out under a condition; one without a condition is no amendment."""
    when = change.condition
    if when is None:
        return None
    negation = source.Not(when.span, when)
    return replace(
        insert, guard=negation if insert.guard is None else source.Both(negation.span, (insert.guard, negation))
    )


# ---------------------------------------------------------------- inserts, until


def _with_steps_beside(ledger: AmendmentLog, target: StepTarget, change: Amendment) -> Any:
    new = _conditional(change, change.node.body, ())
    is_before = change.node.order == "before"
    return _edited(ledger, target, change, lambda step: (*new, step) if is_before else (step, *new))


def _with_until(ledger: AmendmentLog, target: StepTarget, change: Amendment) -> Any | None:
    """Return a procedure with another end of an offer; what its `until` was holds where the amendment does not."""
    offer, value, when = target.step, change.node.value, change.condition
    if not isinstance(offer, source.Offer):
        message = f"`{step_name(offer)}` has no `until`, as it is not an offer"
        advice = "name an offer, by one of its actions"
        ledger.problems.append(CannotAmend(change.node.target.span, offer.span, message, advice))
        return None
    if equal_as_written(value, offer.until):
        _report_no_change(ledger, target, change)
    if when is not None and value is not None:
        value = source.Choice(when.span, when, value, offer.until or source.Truth(when.span, value=True))
    return _edited(ledger, target, change, lambda step: (replace(step, until=value),))


# ---------------------------------------------------------------- wraps


def _wrapped_step(ledger: AmendmentLog, target: StepTarget, change: Amendment) -> Any | None:
    body = change.node.body
    if not _proceeds(ledger, target.step.span, change):
        return None
    return _edited(ledger, target, change, lambda step: _conditional(change, wrapped_steps(body, (step,)), (step,)))


def _wrapped_procedure(ledger: AmendmentLog, node: Any, change: Amendment, name: str) -> Any | None:
    body = change.node.body
    if not _proceeds(ledger, node.span, change):
        return None
    leaves = next((step for step in source.nested_steps(node.body) if isinstance(step, source.Stop)), None)
    if leaves is not None and continues_after(body):
        message = f"`{name}` contains `stop`, so the steps after `proceed` may never be done"
        advice = "put these steps before `proceed`, or replace the whole procedure"
        ledger.problems.append(CannotAmend(change.span, leaves.span, message, advice))
        return None
    if getattr(node, "account", None) is not None and (repeated_step := proceeds_in_loop(body)) is not None:
        message = f"`{name}` is done repeatedly here, but has an account that describes doing it once"
        advice = "wrap the procedure that calls it, or replace it and write a new account"
        ledger.problems.append(CannotAmend(change.span, repeated_step.span, message, advice))
        return None
    old = with_account_begun(node)
    _record_inserted_steps(ledger, change)
    return replace(node, body=_conditional(change, wrapped_steps(body, old), old))


def _proceeds(ledger: AmendmentLog, target: Span, change: Amendment) -> bool:
    """Return whether a wrapper contains `proceed`; report if it does not."""
    if any(isinstance(step, source.Proceed) for step in source.nested_steps(change.node.body)):
        return True
    message = "this leaves out all that it wraps, as it has no `proceed`"
    ledger.problems.append(
        CannotAmend(
            change.span,
            target,
            message,
            "write `proceed` where the original steps are to be done, or write `replaces` instead",
        )
    )
    return False


# ---------------------------------------------------------------- reorders


def _reordered(ledger: AmendmentLog, target: StepTarget, change: Amendment) -> Any | None:
    """Move a step before or behind another one."""
    amend, node, step, when = change.node, target.procedure, target.step, change.condition
    assert amend.anchor is not None
    anchor = find_step(ledger, node, amend.anchor, change, target.name)
    if anchor is None or not ledger.record_change(change, anchor, amend.order, f"{step_name(anchor)} of {target.name}"):
        return None
    ancestors = {each.span: outer for each, outer in enclosing_steps(node.body)}
    if any(each.span == step.span for each in (anchor, *ancestors[anchor.span])):
        message = f"`{step_name(step)}` cannot be put next to itself or to a step inside it"
        ledger.problems.append(CannotAmend(change.span, step.span, message, "name a step outside it"))
        return None
    if (conflict := _another_clock(step, anchor, ancestors, change)) is not None:
        ledger.problems.append(conflict)
        return None
    moved_steps: Steps = (step,) if when is None else (source.Branch(change.span, when, (step,), ()),)
    remaining_body = edit_step(node.body, step.span, lambda _: _conditional(change, (), (step,)))
    is_before = amend.order == "before"
    body = edit_step(
        remaining_body, anchor.span, lambda each: (*moved_steps, each) if is_before else (each, *moved_steps)
    )
    if when is None and _order(body) == _order(node.body):
        ledger.problems.append(PatchesNothing(change.span, step.span, step_name(step), "there already"))
    return replace(node, body=body)


def _another_clock(
    step: source.Step, anchor: source.Step, ancestors: Mapping[Span, Steps], change: Amendment
) -> Finding | None:
    """Check that a step does not move to where it runs more or less often: into or out of a loop of the clock."""
    clocks = tuple([each for each in ancestors[part.span] if isinstance(each, source.Each)] for part in (step, anchor))
    step_loops, anchor_loops = ([each.span for each in clock] for clock in clocks)
    if step_loops == anchor_loops:
        return None
    message = f"`{step_name(step)}` is done {_in(clocks[0])}, but `{step_name(anchor)}` {_in(clocks[1])}"
    advice = "withdraw the step, and insert it anew at the other place"
    if anchor_loops[: len(step_loops)] == step_loops:
        advice = f"name the loop: `{change.node.order} {step_name(clocks[1][len(step_loops)])}`"
    return CannotAmend(change.span, anchor.span, message, advice)


def _in(clock: list[source.Each]) -> str:
    return f"in `{step_name(clock[-1])}`" if clock else "outside all turns"


def _order(body: Steps) -> list[Span]:
    return [step.span for step in source.nested_steps(body)]


def _moved_insert(insert: source.Insert, change: Amendment) -> source.Insert | None:
    """Return an inserted phase before or behind another phase; None for another anchor, or under a condition."""
    anchor = change.node.anchor
    if anchor is None or anchor.what != "phase" or anchor.name is None or change.condition is not None:
        return None
    return replace(insert, order=change.node.order, anchor=anchor.name)


# ---------------------------------------------------------------- what several do


def _edited(ledger: AmendmentLog, target: StepTarget, change: Amendment, edit: Callable[[Any], Steps]) -> Any:
    """Return a procedure with what an edit makes of a step in its place."""
    _record_inserted_steps(ledger, change)
    return replace(target.procedure, body=edit_step(target.procedure.body, target.step.span, edit))


def _record_inserted_steps(ledger: AmendmentLog, change: Amendment) -> None:
    """Record the steps that a change inserts: amendments of layers not based on its layer cannot refer to them."""
    ledger.inserting_layers.update((step.span, change.layer) for step in source.nested_steps(change.node.body))


def _report_no_change(ledger: AmendmentLog, target: StepTarget, change: Amendment) -> None:
    step_text = f"{step_name(target.step)} of {target.name}"
    ledger.problems.append(PatchesNothing(change.span, target.step.span, step_text, "so"))


def _conditional(change: Amendment, then: Steps, orelse: Steps) -> Steps:
    """Return steps that run `then` where the rule holds, else `orelse`.

    Requirements of an action stay `legal` lines.
    """
    when = change.condition
    if when is None:
        return then
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


AMENDMENTS = {
    each.verb: each
    for each in (
        AmendmentRecord("withdraws", GONE, _with_steps_instead, _disabled_procedure, _guarded_insert),
        AmendmentRecord("replaces", GONE, _with_steps_instead, None, None),
        AmendmentRecord("inserts", None, _with_steps_beside, None, None),
        AmendmentRecord("until", UNTIL, _with_until, None, None),
        AmendmentRecord("wraps", AROUND, _wrapped_step, _wrapped_procedure, None),
        AmendmentRecord("reorders", STEP_PLACE, _reordered, None, _moved_insert),
    )
}
