"""Apply the amendments of rules: find the procedure or phase, and store it with its changes.

The input is the procedures below a layer, and the amendments of its rules, which apply_amendments.py applies to one
procedure; the output is the same table with each result in its place. Phases that layers insert are not steps of the
sequence yet: they are moved by changing their anchor, and withdrawn by a condition.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.amendment_problems import AmendedTwice, CannotAmend
from compiler.layered.apply_amendments import Amendment, amendment_problems, apply_amendments
from compiler.layered.blocks import nested_steps
from compiler.layered.problems import NothingToReplace
from compiler.layered.procedure_table import (
    ProcedurePart,
    ProcedureTable,
    all_of,
    check_quotation,
    known_of,
    phases_in,
    place_of,
    replaced_phase,
    target_of,
)
from compiler.source import nodes as source
from compiler.source.span import Span


def apply_amendment(stands: ProcedureTable, change: Amendment, reach: Mapping[str, frozenset[str]]) -> None:
    """Apply one amendment to its target."""
    whole = change.node.spot
    change = _in_sequence(change)
    spot = change.node.spot
    if change.rule.names:
        said = "`with` gives names to conclusions and conditions, and not to the steps of play"
        name = change.rule.names[0]
        stands.problems.append(CannotAmend(name.span, change.span, said, "write a `let` among the steps"))
        return
    if spot is not whole and whole.expecting is not None:
        for each in all_of(stands, whole.within):
            check_quotation(stands, whole, each.node)
    if change.node.verb == "reorders" and spot.step is None:
        said = f"`{spot.within.source_text}` has no place among others: only phases and steps have an order"
        stands.problems.append(CannotAmend(change.span, spot.within.span, said, "name a step: `reorders step ..`"))
        return
    if (insert := _inserted(stands, change)) is not None:
        _amend_inserted(stands, change, *insert)
        return
    found = _owner(stands, change, reach)
    if found is None:
        return
    check_quotation(stands, spot, found.node)
    made = apply_amendments(stands.amendment_log, found.node, change, spot.within.source_text)
    if made is None:
        return
    _note_phases(stands, found.node, made, change)
    old = stands.parts[found.part]
    if isinstance(made, source.Phase):
        if (home := stands.layer_of_phase.get(id(found.node))) is not None:
            stands.layer_of_phase[id(made)] = home
        made = replaced_phase(old.node, found.node, made)
    _put(stands, found.part, made, change)


def _in_sequence(change: Amendment) -> Amendment:
    """Convert a phase that is moved or withdrawn to a step of the sequence."""
    spot = change.node.spot
    if spot.step is not None or spot.within.what != "phase" or change.node.verb == "wraps":
        return change
    doing = spot.within
    pointed = source.StepSelector(spot.span, "phase", doing.name, None)
    sequence = source.Doing(doing.span, "sequence", source.Word(doing.span, "sequence"))
    return replace(change, node=replace(change.node, spot=replace(spot, step=pointed, within=sequence, expecting=None)))


def _owner(stands: ProcedureTable, change: Amendment, reach: Mapping[str, frozenset[str]]) -> ProcedurePart | None:
    """Return the procedure or phase that an amendment refers to."""
    spot = change.node.spot
    if spot.within.what == "sequence":
        for number, part in enumerate(stands.parts):
            if isinstance(part.node, source.Sequence):
                return ProcedurePart(number, part.node, part.layer)
        stands.problems.append(NothingToReplace(spot.span, "sequence", "", known_of(stands), verb="amend"))
        return None
    wish = source.Replacing(spot.span, spot.within, spot.layer, None)
    found = target_of(stands, change.layer, wish, reach, "amend")
    if found is None or found.layer in reach[change.layer]:
        return found
    other = stands.by[id(found.node)]
    stands.problems.append(AmendedTwice(change.span, other.span, spot.within.source_text, place_of(found.node)))
    return None


def _put(stands: ProcedureTable, at: int, made: Any, change: Amendment) -> None:
    """Store the amended node in its place, and record the node below this layer."""
    old = stands.parts[at]
    layer, origin = stands.origins.get(id(old.node), ("", old))
    origin = origin if layer == change.layer else old
    now = layered.LayerStatement(old.layer, made)
    stands.parts[at] = now
    stands.origins[id(made)] = (change.layer, origin)
    if (wish := stands.by.get(id(old.node))) is not None:
        stands.by[id(made)] = wish
    stands.displaced.append(
        layered.DisplacedDeclaration(change.node.spot.within.key, change.layer, change.span, origin, made)
    )


def check_amendments(stands: ProcedureTable, changes: Sequence[Amendment]) -> None:
    """Check the result of the amendments of a layer: each name is bound before its use, and choices come first."""
    for part in stands.parts:
        layer, origin = stands.origins.get(id(part.node), ("", part))
        if not changes or layer != changes[0].layer:
            continue
        before, after = _bodied(origin.node), _bodied(part.node)
        inside = [step.span for step, _ in nested_steps((*before.body, *after.body))]
        own = [each for each in changes if _span_of(stands, each) in (before.span, *inside)]
        found = amendment_problems(stands.amendment_log, before, after, own or changes)
        if found is not None:
            stands.problems.append(found)


def _bodied(node: Any) -> Any:
    return node.phase if isinstance(node, source.Insert) else node


def _span_of(stands: ProcedureTable, change: Amendment) -> Span | None:
    step = stands.amendment_log.about.get(change.span)
    return None if step is None else step.span


def _note_phases(stands: ProcedureTable, before: Any, after: Any, change: Amendment) -> None:
    """Record phases that are removed or conditional, as a status or track may last until their end."""
    if not isinstance(before, source.Sequence):
        return
    left = {phase.name.text for phase in phases_in(after.body)}
    for phase in phases_in(before.body):
        key = f"phase:{phase.name.text}"
        if phase.name.text not in left:
            stands.withdrawn.setdefault(key, (change.span, change.rule.label.text, phase.name.span))
    step = change.node.spot.step
    if change.condition is not None and change.node.verb == "withdraws" and step is not None and step.name is not None:
        named = [each for each in phases_in(before.body) if each.name.text == step.name.text]
        if step.what == "phase" and len(named) == 1:
            stands.skipped.append((f"phase:{step.name.text}", change.span, named[0].name.span))


def _inserted(stands: ProcedureTable, change: Amendment) -> tuple[int, source.Insert | None] | None:
    """Return the inserted phase that is moved or withdrawn; None for a phase of the sequence moved beside one."""
    step, anchor = change.node.spot.step, change.node.anchor
    if step is None or step.what != "phase" or step.name is None or change.node.spot.within.what != "sequence":
        return None
    inserts = {part.node.phase.name.text: (number, part.node) for number, part in enumerate(stands.parts)
               if isinstance(part.node, source.Insert)}  # fmt: skip
    if step.name.text in inserts:
        return inserts[step.name.text]
    if anchor is not None and anchor.what == "phase" and anchor.name is not None and anchor.name.text in inserts:
        return inserts[anchor.name.text][0], None
    return None


def _amend_inserted(stands: ProcedureTable, change: Amendment, at: int, insert: source.Insert | None) -> None:
    """Move an inserted phase, or withdraw it under a condition."""
    amend, anchor = change.node, change.node.anchor
    said = f"`phase {amend.spot.step.name.text if amend.spot.step and amend.spot.step.name else ''}` is inserted"
    place = stands.parts[at].node.phase
    if insert is None or (stands.parts[at].layer not in change.reach):
        said = f"`phase {place.name.text}` is inserted by `{stands.parts[at].layer}`"
        advice = "name a phase or a loop of the sequence itself, or put this into a layer that stands on that one"
        stands.problems.append(CannotAmend(change.span, place.name.span, said, advice))
        return
    if not stands.amendment_log.record_change(change, place, "place", f"phase {place.name.text}"):
        return
    if (
        amend.verb == "reorders"
        and anchor is not None
        and anchor.what == "phase"
        and anchor.name
        and not change.condition
    ):
        made = replace(insert, order=amend.order, anchor=anchor.name)
    elif amend.verb == "withdraws" and change.condition is not None:
        kept = source.Not(change.condition.span, change.condition)
        made = replace(insert, guard=kept if insert.guard is None else source.Both(kept.span, (insert.guard, kept)))
        stands.skipped.append((f"phase:{place.name.text}", change.span, place.name.span))
    else:
        advice = f"change what is done in it: `wraps phase {place.name.text}`, or `step .. of phase {place.name.text}`"
        stands.problems.append(CannotAmend(change.span, place.name.span, said, advice))
        return
    _put(stands, at, made, change)
