"""Compute the rules of a stack that amend procedures, each with its condition: its own, and that no exception holds.

The input is a catalog and the loaded rules with their edges; the output is the rules with the conjunction of these
conditions. A rule that another one withdraws or replaces, or that has an unconditional exception, amends nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from compiler.layered import nodes as layered
from compiler.layered.catalog import Catalog
from compiler.layered.step_selectors import amends_play
from compiler.source import nodes as source

# A condition, or whether it holds always or never.
Condition = source.Expression | bool


def amendments_in_force(catalog: Catalog, rules: Mapping[str, layered.Rule]) -> Iterator[tuple[str, source.Rule]]:
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
