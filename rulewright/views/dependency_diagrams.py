"""A diagram of the dependencies around a question or rule, and the formats of its files."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from compiler.format.dependency_diagrams import LabeledGraph, rule_diagram, stack_diagram, term_diagram
from compiler.format.graphviz import graphviz_text
from compiler.format.svg import svg_text
from rulewright.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph


class GraphFormat(NamedTuple):
    """A file format: its name with an article, and its writer, a function of a graph and a title."""

    name: str
    write: Callable[[LabeledGraph, str], str]


# By the suffix of the file.
FORMATS: Mapping[str, GraphFormat] = {
    ".svg": GraphFormat("an .svg", svg_text),
    ".dot": GraphFormat("a .dot", lambda diagram, _: f"{graphviz_text(diagram)}\n"),
}


def dependency_diagram(rules: graph.Graph, term: str | None, rule: str | None, depth: int) -> LabeledGraph:
    """Return the diagram around a term or a rule, or of the whole stack; `UsageError` for an unknown name."""
    if term is not None and rule is not None:
        raise UsageError("one of --term and --rule is enough")
    if term is not None:
        if term not in rules.terms:
            raise UsageError(f"`{rules.stack}` has no term `{term}`; {suggestion_text(term, sorted(rules.terms))}")
        return term_diagram(rules, term, depth)
    if rule is not None:
        if rule not in rules.rules:
            raise UsageError(f"`{rules.stack}` has no rule `{rule}`; {suggestion_text(rule, sorted(rules.rules))}")
        return rule_diagram(rules, rule, depth)
    return stack_diagram(rules)
