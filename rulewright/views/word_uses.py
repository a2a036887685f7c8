"""Where a question, a chart or a word of a stack is used: in rules, and in procedures.

In: a compiled stack and a name. Out: the labels of rules and the titles of procedures.
"""

from collections.abc import Iterator

from rulewright.views.procedure_text import procedure_title
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk


def callers_of(rules: graph.Graph, name: str) -> Iterator[str]:
    """Yield the names of the rules and procedures that ask a question or read a chart."""
    for label, rule in rules.rules.items():
        if _asks((rule.guard, rule.value, rule.names), name):
            yield label
    for procedure in rules.procedures.values():
        if _asks((procedure.body, procedure.account), name):
            yield procedure_title(procedure)


def _asks(nodes: object, name: str) -> bool:
    return any(
        (isinstance(node, graph.Ask) and node.term == name) or (isinstance(node, graph.Cell) and node.table == name)
        for node in walk(nodes)
    )


# Nodes that name a word of the vocabulary; a variable has a name of its own.
_NAMING = (graph.Member, graph.Place, graph.Spot, graph.Get, graph.GameTrack, graph.Test, graph.Has, graph.Write)


def uses_of(rules: graph.Graph, name: str) -> dict[str, str]:
    """Return where a word stands: in rules, questions, facts and preconditions, and in procedures."""
    base_name = name.rpartition(".")[2]
    parts: list[tuple[str, object]] = [
        *((label, (each.guard, each.value, each.names)) for label, each in rules.rules.items()),
        *((each.name, each.otherwise) for each in rules.terms.values()),
        *((each.label, (each.step, each.needs, each.condition)) for each in rules.preconditions),
        *((each.label, each.condition) for each in rules.always),
    ]
    bodies = [(procedure_title(each), (each.body, each.account)) for each in rules.procedures.values()]
    readers, procedures = (
        sorted({label for label, nodes in named if any(_mentions(node, base_name) for node in walk(nodes))})
        for named in (parts, bodies)
    )
    return {"read by": words.list_text(readers), "in procedures": words.list_text(procedures)}


def _mentions(node: object, name: str) -> bool:
    """Return whether a node itself names a word."""
    match node:
        case graph.Mark(status=named) | graph.Pair(relation=named) | graph.New(record=named):
            return named == name
        case _:
            return isinstance(node, _NAMING) and node.name == name
