"""Apply procedures that replace others, amendments of steps, and withdrawals.

The input is a catalog, and the layers that each layer may refer to; the output is the procedures of this stack, each
replacement in the place and under the name of what it replaces, and a list of what is displaced. Withdrawn actions are
removed from offers, and withdrawn phases from the sequence. apply_amendments.py changes the inside of procedures; this
module finds and stores them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.amendment_log import AFTER, AROUND_IT, BEFORE, STEP_PLACE
from compiler.layered.amendment_text import amends_play
from compiler.layered.amendment_verbs import kind_of_change
from compiler.layered.apply_amendments import amendments_of
from compiler.layered.catalog import CONDUCT, Catalog
from compiler.layered.findings.amendments import AmendedTwice
from compiler.layered.findings.labels import ReplacedTwice
from compiler.layered.findings.patches import PatchesNothing
from compiler.layered.findings.replaced_procedures import NothingToReplace, ReplacementDiffers, StillNeeded
from compiler.layered.locate_amendments import apply_amendment, check_amendments
from compiler.layered.procedure_table import (
    Part,
    ProcedureTable,
    check_quotation,
    declared_word,
    kind_of,
    known_names,
    matching_parts,
    reference_to,
    replaced_phase,
    target_of,
)
from compiler.layered.withdrawn_names import references_to_withdrawn, temporary_state, without_withdrawn
from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written, expression_text

# Fields before the `{` of a procedure that belong to each one: a replacement states them, too.
OWN_FIELDS = frozenset({"span", "replaces", "cites", "prose", "title", "label", "stands"})

# The order of the amendments of a layer, by the kind of their changes; all others come last.
PRECEDENCE = {STEP_PLACE: 0, BEFORE: 1, AFTER: 1}


def apply_replacements(
    catalog: Catalog,
    reach: Mapping[str, frozenset[str]],
    below: Mapping[str, frozenset[str]],
    rules: Mapping[str, layered.Rule],
) -> ProcedureTable:
    """Return the procedures after all replacements, amendments and withdrawals, applied layer by layer from below."""
    new = [part for part in catalog.conduct if _replacing(part.node) is not None]
    table = ProcedureTable([part for part in catalog.conduct if _replacing(part.node) is None])
    amending = list(_amendments_in_force(catalog, rules))
    withdrawals = [
        (layer, node, each)
        for layer, node in amending
        for relation in node.relations
        if relation.verb == "withdraws" and node.guard is None
        for each in relation.wholes
    ]
    changes = [each for layer, node in amending for each in amendments_of(layer, node, reach, below)]
    if not new and not withdrawals and not changes:
        return table
    order = {name: number for number, name in enumerate(catalog.statements)}
    layers = {*(part.layer for part in new), *(name for name, *_ in withdrawals), *(change.layer for change in changes)}
    for layer in sorted(layers, key=lambda name: order.get(name, len(order))):
        for part in (part for part in new if part.layer == layer):
            _replace(table, part, reach)
        for _, rule, target in (each for each in withdrawals if each[0] == layer):
            _withdraw(table, layer, rule, target, reach)
        # Moves before insertions, in whichever order they are written: what a rule of the layer inserts beside a step
        # moves with it, and is outside of other changes of it.
        layer_changes = sorted(
            (each for each in changes if each.layer == layer),
            key=lambda each: PRECEDENCE.get(kind_of_change(each.node), 2),
        )
        for change in layer_changes:
            apply_amendment(table, change, reach)
        check_amendments(table, layer_changes)
    table.problems += table.amendment_log.problems
    table.problems += (problem for conflicts in table.conflicts.values() for *_, problem in conflicts)
    _remove_withdrawn(table, catalog)
    return table


def _replacing(node: source.Conduct) -> source.ReplacedProcedure | None:
    return None if isinstance(node, source.Sequence | source.Insert | source.Beside) else node.replaces


def _replace(table: ProcedureTable, part: Part, reach: Mapping[str, frozenset[str]]) -> None:
    """Replace one procedure."""
    node, clause = part.node, part.node.replaces
    reference = clause.target
    if (kind_of(node), declared_word(node).text) != (
        "hook" if reference.what == "end" else reference.what,
        reference.event,
    ):
        table.problems.append(NothingToReplace(reference.span, reference.source_text, "", (_heading(node),)))
        return
    table.resolve_conflicts(reference.key, reach[part.layer] - {part.layer})
    found = target_of(table, part.layer, clause, reach)
    if found is None:
        return
    below = found.node
    earlier = table.replacements.get(id(below))
    if earlier is not None and found.layer not in reach[part.layer] - {part.layer}:
        problem = ReplacedTwice(clause.span, earlier.span, reference.source_text, declared_word(below).span)
        table.add_conflict(reference.key, (found.layer, part.layer), problem)
        return
    known = reach[part.layer] - {part.layer}
    conflict = table.amendment_log.conflict_inside(below.body, below.span, known, AROUND_IT)
    if conflict is not None:
        table.problems.append(
            AmendedTwice(clause.span, conflict.change.span, reference.source_text, declared_word(below).span)
        )
        return
    _check(table, node, below)
    fresh = _with_inherited(node, below)
    table.replacements[id(fresh)] = clause
    table.displaced.append(
        layered.DisplacedDeclaration(
            reference.key, part.layer, clause.span, layered.LayerStatement(found.layer, below), fresh
        )
    )
    old = table.parts[found.part]
    if isinstance(fresh, source.Phase):
        table.layer_of_phase[id(fresh)] = part.layer
        table.parts[found.part] = layered.LayerStatement(old.layer, replaced_phase(old.node, below, fresh))
    else:
        table.parts[found.part] = layered.LayerStatement(part.layer, fresh)


def _check(table: ProcedureTable, node: Any, below: Any) -> None:
    """Check that a replacement accepts the arguments of its callers, changes something, and finds what it expects."""
    clause = node.replaces
    procedure_name = clause.target.source_text
    if _heading(node) != _heading(below):
        table.problems.append(
            ReplacementDiffers(clause.span, declared_word(below).span, procedure_name, _heading(below), _heading(node))
        )
    is_as_expected = check_quotation(table, clause.target, clause.expecting, below)
    if is_as_expected and all(
        equal_as_written(getattr(node, name), getattr(below, name)) for name in _replaceable_parts(node)
    ):
        table.problems.append(PatchesNothing(clause.span, declared_word(below).span, procedure_name, "so"))


def _replaceable_parts(node: Any) -> list[str]:
    """Return the fields in which a replacement may differ from what it replaces."""
    return [
        each.name
        for each in fields(node)
        if each.name not in OWN_FIELDS and not (each.name == "reads" and not node.reads)
    ]


def _heading(node: Any) -> str:
    """Format a procedure's name with its parameters; hooks and reactions may rename those of an event."""
    match node:
        case source.Action(parameters=typed_parameters) | source.Resolution(parameters=typed_parameters):
            parameters = ", ".join(f"{each.name.text}: {expression_text(each.type)}" for each in typed_parameters)
            return f"{reference_to(node)}({parameters})"
        case source.Reaction(parameters=words):
            names = ", ".join(word.text for word in words)
            return f"{reference_to(node)} by {node.by.text} to {node.event.text}({names})"
        case _:
            return reference_to(node)


def _with_inherited(node: Any, below: Any) -> Any:
    """Return a replacement with the name, the order and the wording of what it replaces, unless it has others."""
    if isinstance(node, source.Hook):
        return replace(node, label=node.label or below.label, stands=node.stands or below.stands)
    if isinstance(node, source.Action | source.Reaction):
        return replace(node, reads=node.reads or below.reads)
    if isinstance(node, source.Phase):
        return replace(node, title=node.title or below.title)
    return node


def _withdraw(
    table: ProcedureTable,
    layer: str,
    rule: source.Rule,
    target: source.AmendmentTarget,
    reach: Mapping[str, frozenset[str]],
) -> None:
    """Remove all procedures and phases of a name from the layers below."""
    label, reference = rule.label.text, target.within
    settled = table.resolve_conflicts(reference.key, reach[layer] - {layer})
    if reference.key in table.withdrawn:
        if settled or table.unrelated_withdrawer(reference.key, reach[layer]):
            return  # It settles a conflict, or agrees with an unrelated layer.
        before, _, removed = table.withdrawn[reference.key]
        table.problems.append(ReplacedTwice(reference.span, before, reference.source_text, removed))
        return
    owner = target.layer.text if target.layer is not None else None
    found = [
        each for each in matching_parts(table, reference) if each.layer in reach[layer] and owner in (None, each.layer)
    ]
    if not found:
        named = matching_parts(table, reference)
        replaced = next((each for each in named if id(each.node) in table.replacements), None)
        if replaced is not None and owner is None:
            clause = table.replacements[id(replaced.node)]
            problem = ReplacedTwice(
                reference.span, clause.span, reference.source_text, declared_word(replaced.node).span
            )
            table.add_conflict(reference.key, (replaced.layer, layer), problem)
            return
        table.problems.append(
            NothingToReplace(reference.span, reference.source_text, "", known_names(table), verb="withdraw")
        )
        return
    for each in found:
        check_quotation(table, target.within, target.expecting, each.node)
        conflict = table.amendment_log.conflict_inside(each.node.body, each.node.span, reach[layer] - {layer})
        if conflict is not None:
            table.problems.append(
                AmendedTwice(reference.span, conflict.change.span, reference.source_text, declared_word(each.node).span)
            )
            return
        table.displaced.append(
            layered.DisplacedDeclaration(
                reference.key, layer, reference.span, layered.LayerStatement(each.layer, each.node), None
            )
        )
    if owner is None or len(found) == len(list(matching_parts(table, reference))):
        table.withdrawn[reference.key] = (reference.span, label, declared_word(found[0].node).span)
    withdrawn_parts = {each.part for each in found if not isinstance(each.node, source.Phase)}
    table.parts = [part for number, part in enumerate(table.parts) if number not in withdrawn_parts]


def _remove_withdrawn(table: ProcedureTable, catalog: Catalog) -> None:
    """Remove withdrawn actions from offers and withdrawn phases from the sequence; report what still refers to them."""
    # A procedure may be replaced under its name: the table determines which node is in effect.
    declared = [part for parts in catalog.statements.values() for part in parts if type(part.node) not in CONDUCT]
    if table.withdrawn:
        withdrawn_keys = frozenset(table.withdrawn)
        remaining_parts = [(part, without_withdrawn(part.node, withdrawn_keys)) for part in table.parts]
        new_nodes = {id(part.node): node for part, node in remaining_parts if node is not None}
        table.parts = [layered.LayerStatement(part.layer, node) for part, node in remaining_parts if node is not None]
        table.displaced = [
            replace(each, now=new_nodes.get(id(each.now), each.now)) if each.now is not None else each
            for each in table.displaced
        ]
        for key, reference, place in references_to_withdrawn((*table.parts, *declared), withdrawn_keys):
            span, _, target = table.withdrawn[key]
            table.problems.append(StillNeeded(span, target, key.replace(":", " "), place, reference))
    for key, span, target in table.skipped:
        for _, reference, place in temporary_state((*table.parts, *declared), frozenset({key})):
            table.problems.append(
                StillNeeded(span, target, key.replace(":", " "), place, reference, is_conditional=True)
            )


# ---------------------------------------------------------------- amendments in force


# A condition, or whether it holds always or never.
Condition = source.Expression | bool


def _amendments_in_force(catalog: Catalog, rules: Mapping[str, layered.Rule]) -> Iterator[tuple[str, source.Rule]]:
    """Return the rules that amend procedures, with their layers."""
    amending = [entry for entry in catalog.related if entry.node.label.text in rules and amends_play(entry.node)]
    if not amending:
        return
    above: dict[str, list[str]] = {}
    for label, rule in rules.items():
        for target in rule.defeats:
            above.setdefault(target, []).append(label)
    for entry in amending:
        condition = _in_force(entry.node.label.text, rules, above, frozenset())
        if condition is True:
            yield entry.layer, entry.node
        elif condition is not False:
            yield entry.layer, replace(entry.node, guard=condition)


def _in_force(
    label: str, rules: Mapping[str, layered.Rule], above: Mapping[str, list[str]], seen: frozenset[str]
) -> Condition:
    """Return the condition under which a rule holds. Cyclic defeat is reported elsewhere."""
    guard = rules[label].node.guard
    parts: list[source.Expression] = [] if guard is None else [guard]
    for other in above.get(label, ()):
        if other in seen:
            continue
        silenced = _in_force(other, rules, above, seen | {label})
        if silenced is True:
            return False
        if silenced is not False:
            parts.append(source.Not(silenced.span, silenced))
    if not parts:
        return True
    return parts[0] if len(parts) == 1 else source.Both(parts[0].span, tuple(parts))
