"""Find changes that only follow from an inserted stage: the next stage reads another one before its own.

The input is two graphs and the changes between them; the output is labels of the rules and defaults without any other
difference, and the rules of the stages that only one graph has. An inserted stage has no effect itself: its answer is
that of the stage before it until one of its own rules is live, and that rule is a change.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.stages import stage_before, stages_put_before
from runtime.graph.walk import map_children
from runtime.witness.structural_difference import NodeChange

# The fields of rules and questions in which a stage may be read.
READING = {"rule": frozenset({"value", "guard", "names"}), "question": frozenset({"otherwise"})}


def changed_stages_before(a: graph.Graph, b: graph.Graph, changes: Iterable[NodeChange]) -> frozenset[str]:
    """Return the labels of changes that are equal in both graphs, except for an earlier stage that only one has."""
    found: set[str] = set()
    for change in changes:
        if change.operation == "changed" and READING.get(change.kind, frozenset()).issuperset(change.fields):
            first_node, second_node = (_node(rules, change) for rules in (a, b))
            names = first_node.terms if change.kind == "rule" else (change.name,)
            stages = {stage: shared for name in names for stage, shared in _stages_read(a, b, name).items()}
            if all(_renamed(getattr(first_node, field), stages) == _renamed(getattr(second_node, field), stages)
                   for field in change.fields):  # fmt: skip
                found.update(change.labels)
    return frozenset(found)


def rules_put_before(rules: graph.Graph, other: graph.Graph, name: str) -> list[str]:
    """Return the rules of the stages directly before one that only the first graph has."""
    return [label for stage in stages_put_before(rules, other, name) for label in rules.terms[stage].rules]


def _node(rules: graph.Graph, change: NodeChange) -> Any:
    return (rules.rules if change.kind == "rule" else rules.terms)[change.name]


def _stages_read(a: graph.Graph, b: graph.Graph, name: str) -> dict[str, str]:
    """Map the stage before a question, in each graph, to the nearest earlier one that both graphs have."""
    found = {}
    for rules, other in ((a, b), (b, a)):
        added_stages = stages_put_before(rules, other, name)
        if shared := stage_before(rules, added_stages[-1] if added_stages else name):
            found[stage_before(rules, name)] = shared
    return found if len(set(found.values())) == 1 else {}


def _renamed(node: Any, stages: dict[str, str]) -> Any:
    """Replace the stages that a node queries."""
    node = map_children(node, lambda part: _renamed(part, stages))
    return replace(node, term=stages.get(node.term, node.term)) if isinstance(node, graph.Ask) else node
