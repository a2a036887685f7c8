"""Rules under which one side may never begin an action: what the action is worth shows in how that side fares."""

from dataclasses import replace

from rulewright.errors import UsageError, suggestion_text
from runtime.graph import nodes as graph
from runtime.graph.digest import digest
from runtime.graph.walk import walk

SIDE = "side"


def offered_actions(rules: graph.Graph) -> list[str]:
    """List the actions that are ever offered."""
    offers = (node for each in rules.procedures.values() for node in walk(each) if isinstance(node, graph.Offer))
    return sorted({name for offer in offers for name, _ in offer.actions})


def without_action(rules: graph.Graph, action: str, side: str) -> graph.Graph:
    """Return the same rules in which this side may not begin an action."""
    known = offered_actions(rules)
    if action not in known:
        raise UsageError(f"no action `{action}` is offered here; {suggestion_text(action, known)}")
    key = f"action:{action}"
    procedure = rules.procedures[key]
    other = graph.Legal(graph.Op("!=", (graph.Var("player"), graph.Member(SIDE, side))))
    changed = replace(rules, procedures={**rules.procedures, key: replace(procedure, body=(other, *procedure.body))})
    return replace(changed, hash=digest(changed))
