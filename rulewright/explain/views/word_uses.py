"""Where a question, a chart or a word of a stack is used: in rules, and in procedures.

In: a compiled stack and a name. Out: the labels of rules and the titles of procedures.
"""

from collections.abc import Iterator

from rulewright.explain.views.procedure_text import procedure_title
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.expressions import symbols_in
from runtime.graph.step_symbols import symbols_of_node
from runtime.graph.walk import walk


def callers_of(rules: graph.Graph, name: str) -> Iterator[str]:
    """Yield the names of what asks a question or reads a chart: rules, procedures, defaults, facts, preconditions."""
    yield from (label for label, nodes in (*_parts(rules), *_bodies(rules)) if _asks(nodes, name))
    if name == rules.outcome:
        yield "outcome"
    if any(name == aim.term for aim in rules.aims):
        yield "aim"


def _parts(rules: graph.Graph) -> Iterator[tuple[str, object]]:
    """Yield what is evaluated outside of procedures, by label or name."""
    yield from ((label, (each.guard, each.value, each.names)) for label, each in rules.rules.items())
    yield from ((term.name, term.otherwise) for term in rules.terms.values())
    yield from (
        (precondition.label, (precondition.step, precondition.needs, precondition.condition))
        for precondition in rules.preconditions
    )
    yield from ((fact.label, fact.condition) for fact in rules.always)


def _bodies(rules: graph.Graph) -> Iterator[tuple[str, object]]:
    """Yield the steps and accounts of procedures, by title."""
    yield from (
        (procedure_title(procedure), (procedure.body, procedure.account)) for procedure in rules.procedures.values()
    )


def _asks(nodes: object, name: str) -> bool:
    return any(symbol.name == name and symbol.namespace in ("term", "chart") for symbol in symbols_in(nodes))


# Namespaces of symbols that are no words of the vocabulary.
_OTHER_NAMES = frozenset({"local", "term", "chart", "function"})


def uses_of(rules: graph.Graph, name: str) -> dict[str, str]:
    """Return where a word stands: in rules, questions, facts and preconditions, and in procedures."""
    base_name = name.rpartition(".")[2]
    readers, procedures = (
        sorted({label for label, nodes in named if any(_mentions(node, base_name) for node in walk(nodes))})
        for named in (_parts(rules), _bodies(rules))
    )
    return {"read by": words.list_text(readers), "in procedures": words.list_text(procedures)}


def _mentions(node: object, name: str) -> bool:
    """Return whether a node itself names a word."""
    return any(symbol.name == name and symbol.namespace not in _OTHER_NAMES for symbol in symbols_of_node(node))
