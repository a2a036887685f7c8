"""Rules under which one side may never start an action, to measure the value of the action."""

from dataclasses import replace

from rulewright.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.graph.digest import digest
from runtime.graph.steps import offered_actions

SIDE = "side"


def without_action(rules: graph.Graph, action: str, side: str) -> graph.Graph:
    """Return a graph in which a side may not start an action."""
    known = offered_actions(rules)
    if action not in known:
        raise UsageError(f"no action `{action}` is offered here; {suggestion_text(action, known)}")
    key = f"action:{action}"
    procedure = rules.procedures[key]
    other = graph.Legal(graph.Op("!=", (graph.Var("player"), graph.Member(SIDE, side))))
    changed = replace(rules, procedures={**rules.procedures, key: replace(procedure, body=(other, *procedure.body))})
    return replace(changed, hash=digest(changed))
