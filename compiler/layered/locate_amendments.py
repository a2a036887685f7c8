"""Apply the amendments of rules: find the procedure or phase, and store it with its changes.

The input is the procedures below a layer, and the amendments of its rules, which apply_amendments.py applies to one
procedure; the output is the same table with each result in its place. Phases that layers insert are not steps of the
sequence yet: they are moved by changing their anchor, and withdrawn by a condition.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.amendment_log import AROUND, Amendment
from compiler.layered.amendment_verbs import AMENDMENTS, kind_of_change
from compiler.layered.apply_amendments import amendment_problems, apply_amendments
from compiler.layered.findings.amendments import AmendedTwice, CannotAmend
from compiler.layered.findings.replaced_procedures import NothingToReplace
from compiler.layered.procedure_table import (
    ProcedurePart,
    ProcedureTable,
    check_quotation,
    declared_word,
    known_names,
    matching_parts,
    phases_in,
    replaced_phase,
    target_of,
)
from compiler.source import nodes as source
from compiler.source.span import Span


def apply_amendment(table: ProcedureTable, change: Amendment, reach: Mapping[str, frozenset[str]]) -> None:
    """Apply one amendment to its target."""
    written_target = change.node.target
    change = _in_sequence(change)
    target = change.node.target
    if change.rule.names:
        message = "names given by `with` cannot be used in steps"
        name = change.rule.names[0]
        table.problems.append(CannotAmend(name.span, change.span, message, "write `let` among the steps"))
        return
    if target is not written_target and written_target.expecting is not None:
        for each in matching_parts(table, written_target.within):
            check_quotation(table, written_target.within, written_target.expecting, each.node)
    if target.step is None and AMENDMENTS[change.node.verb].of_procedure is None:
        message = f"`{target.within.source_text}` cannot be reordered, as only phases and steps have an order"
        table.problems.append(CannotAmend(change.span, target.within.span, message, "name a step, `reorders step ..`"))
        return
    if (insert := _inserted(table, change)) is not None:
        _amend_inserted(table, change, *insert)
        return
    found = _owner(table, change, reach)
    if found is None:
        return
    check_quotation(table, target.within, target.expecting, found.node)
    amended_node = apply_amendments(table.amendment_log, found.node, change, target.within.source_text)
    if amended_node is None:
        return
    _note_phases(table, found.node, amended_node, change)
    old = table.parts[found.part]
    if isinstance(amended_node, source.Phase):
        if (home := table.layer_of_phase.get(id(found.node))) is not None:
            table.layer_of_phase[id(amended_node)] = home
        amended_node = replaced_phase(old.node, found.node, amended_node)
    _store_amended_node(table, found.part, amended_node, change)


def _in_sequence(change: Amendment) -> Amendment:
    """Convert a phase that is moved or withdrawn to a step of the sequence."""
    target = change.node.target
    if target.step is not None or target.within.what != "phase" or kind_of_change(change.node) == AROUND:
        return change
    reference = target.within
    selector = source.StepSelector(target.span, "phase", reference.name, None)
    sequence = source.ProcedureName(reference.span, "sequence", source.Word(reference.span, "sequence"))
    return replace(
        change, node=replace(change.node, target=replace(target, step=selector, within=sequence, expecting=None))
    )


def _owner(table: ProcedureTable, change: Amendment, reach: Mapping[str, frozenset[str]]) -> ProcedurePart | None:
    """Return the procedure or phase that an amendment refers to."""
    target = change.node.target
    if target.within.what == "sequence":
        for number, part in enumerate(table.parts):
            if isinstance(part.node, source.Sequence):
                return ProcedurePart(number, part.node, part.layer)
        table.problems.append(NothingToReplace(target.span, "sequence", "", known_names(table), verb="amend"))
        return None
    clause = source.ReplacedProcedure(target.span, target.within, target.layer, None)
    found = target_of(table, change.layer, clause, reach, "amend")
    if found is None or found.layer in reach[change.layer]:
        return found
    other = table.replacements[id(found.node)]
    table.problems.append(
        AmendedTwice(change.span, other.span, target.within.source_text, declared_word(found.node).span)
    )
    return None


def _store_amended_node(table: ProcedureTable, index: int, amended_node: Any, change: Amendment) -> None:
    """Store the amended node in its place, and record the node below this layer."""
    old = table.parts[index]
    layer, origin = table.origins.get(id(old.node), ("", old))
    origin = origin if layer == change.layer else old
    statement = layered.LayerStatement(old.layer, amended_node)
    table.parts[index] = statement
    table.origins[id(amended_node)] = (change.layer, origin)
    if (clause := table.replacements.get(id(old.node))) is not None:
        table.replacements[id(amended_node)] = clause
    table.displaced.append(
        layered.DisplacedDeclaration(change.node.target.within.key, change.layer, change.span, origin, amended_node)
    )


def check_amendments(table: ProcedureTable, changes: Sequence[Amendment]) -> None:
    """Check the result of the amendments of a layer: each name is bound before its use, and choices come first."""
    for part in table.parts:
        layer, origin = table.origins.get(id(part.node), ("", part))
        if not changes or layer != changes[0].layer:
            continue
        before, after = _bodied(origin.node), _bodied(part.node)
        step_spans = [step.span for step in source.nested_steps((*before.body, *after.body))]
        own_changes = [each for each in changes if _span_of(table, each) in (before.span, *step_spans)]
        found = amendment_problems(table.amendment_log, before, after, own_changes or changes)
        if found is not None:
            table.problems.append(found)


def _bodied(node: Any) -> Any:
    return node.phase if isinstance(node, source.Insert) else node


def _span_of(table: ProcedureTable, change: Amendment) -> Span | None:
    step = table.amendment_log.targets.get(change.span)
    return None if step is None else step.span


def _note_phases(table: ProcedureTable, before: Any, after: Any, change: Amendment) -> None:
    """Record phases that are removed or conditional, as a status or track may last until their end."""
    if not isinstance(before, source.Sequence):
        return
    left = {phase.name.text for phase in phases_in(after.body)}
    for phase in phases_in(before.body):
        key = f"phase:{phase.name.text}"
        if phase.name.text not in left:
            table.withdrawn.setdefault(key, (change.span, change.rule.label.text, phase.name.span))
    step = change.node.target.step
    if change.condition is not None and change.node.verb == "withdraws" and step is not None and step.name is not None:
        named = [each for each in phases_in(before.body) if each.name.text == step.name.text]
        if step.what == "phase" and len(named) == 1:
            table.skipped.append((f"phase:{step.name.text}", change.span, named[0].name.span))


def _inserted(table: ProcedureTable, change: Amendment) -> tuple[int, source.Insert | None] | None:
    """Return the inserted phase that is moved or withdrawn; None for a phase of the sequence moved beside one."""
    step, anchor = change.node.target.step, change.node.anchor
    if step is None or step.what != "phase" or step.name is None or change.node.target.within.what != "sequence":
        return None
    inserts = {part.node.phase.name.text: (number, part.node) for number, part in enumerate(table.parts)
               if isinstance(part.node, source.Insert)}  # fmt: skip
    if step.name.text in inserts:
        return inserts[step.name.text]
    if anchor is not None and anchor.what == "phase" and anchor.name is not None and anchor.name.text in inserts:
        return inserts[anchor.name.text][0], None
    return None


def _amend_inserted(table: ProcedureTable, change: Amendment, index: int, insert: source.Insert | None) -> None:
    """Move an inserted phase, or withdraw it under a condition."""
    place = table.parts[index].node.phase
    if insert is None or (table.parts[index].layer not in change.reach):
        message = (
            f"`phase {place.name.text}` cannot be changed here, as the layer `{table.parts[index].layer}` inserts it"
        )
        advice = "name a phase or a loop of the sequence itself, or move this to a layer that is based on that one"
        table.problems.append(CannotAmend(change.span, place.name.span, message, advice))
        return
    if not table.amendment_log.record_change(change, place, "place", f"phase {place.name.text}"):
        return
    amend_insert = AMENDMENTS[change.node.verb].of_insert
    amended_insert = amend_insert(insert, change) if amend_insert else None
    if amended_insert is None:
        message = f"`phase {place.name.text}` cannot be changed so, as a layer inserts it"
        advice = f"change its steps, with `wraps phase {place.name.text}` or `step .. of phase {place.name.text}`"
        table.problems.append(CannotAmend(change.span, place.name.span, message, advice))
        return
    if amended_insert.guard is not insert.guard:
        table.skipped.append((f"phase:{place.name.text}", change.span, place.name.span))
    _store_amended_node(table, index, amended_insert, change)
