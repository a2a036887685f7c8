"""The declarations that a change names, and the rules and questions that depend on them.

In: a graph, and the name of a chart, counter, question or rule. Out: its declaration; an unknown name raises
`UsageError` with a suggestion.
"""

from collections.abc import Mapping
from typing import TypeVar

from rulewright.system.errors import MOST_LISTED_ERRORS, UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import nodes_of

# The most questions that are compared for an example of a cell; usually the first differs.
MOST_READERS = 2
Thing = TypeVar("Thing")


def declaration_of(names: Mapping[str, Thing], name: str, kind: str) -> Thing:
    """Return the declaration of a name; `UsageError` if there is none."""
    if name not in names:
        raise UsageError(f"there is no {kind} `{name}`; {suggestion_text(name, sorted(names))}")
    return names[name]


def permissions(rules: graph.Graph) -> dict[str, graph.Term]:
    """Return the questions of permission: verdicts and conditions."""
    return {term.name: term for term in rules.terms.values() if term.form in ("verdict", "condition")}


def prohibiting_rules(rules: graph.Graph, term: graph.Term) -> tuple[str, ...]:
    """Return the rules that answer a question of permission with no."""
    return tuple(rule for rule in term.rules if rule_answer(rules.rules[rule]) is False)


def listed_permissions(rules: graph.Graph) -> str:
    """Format the names of the first questions of permission, and the number of the others."""
    names = [term.name for term in rules.terms.values() if term.form == "verdict"]
    more = f" and {len(names) - MOST_LISTED_ERRORS} more" if len(names) > MOST_LISTED_ERRORS else ""
    return ", ".join(f"`{name}`" for name in names[:MOST_LISTED_ERRORS]) + more


def readers_of(rules: graph.Graph, table: str) -> tuple[str, ...]:
    """Return the first questions whose rules read a chart."""
    found = [
        name
        for rule in rules.rules.values()
        if any(each.table == table for each in nodes_of(graph.Cell, rule))
        for name in rule.terms
    ]
    return tuple(dict.fromkeys(found))[:MOST_READERS]
