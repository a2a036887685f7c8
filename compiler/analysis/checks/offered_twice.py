"""Pairs of actions with identical text, offered on one event: one of them was meant for another."""

from collections.abc import Iterator

from compiler.analysis.idle_code import OfferedTwice
from compiler.analysis.parties import procedure_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps


def offered_twice(stack: graph.Graph) -> Iterator[Problem]:
    """Find pairs of such actions."""
    first: dict[object, graph.Procedure] = {}
    for hook in (each for each in stack.procedures.values() if each.what == "hook"):
        offers = (step for step in nested_steps(hook.body) if isinstance(step, graph.Offer))
        for name, arguments in (each for offer in offers for each in offer.actions):
            action = stack.procedures[f"action:{name}"]
            other = first.setdefault((hook.event, arguments, action.parameters, action.body), action)
            if other is not action:
                yield OfferedTwice(procedure_party(action), procedure_party(other), hook.event)
