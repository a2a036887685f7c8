"""The call graph of procedures."""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def procedures_reached(rules: graph.Graph, procedures: Iterable[str]) -> set[str]:
    """Return these procedures and all procedures reachable from them by calls."""
    found: set[str] = set()
    todo = list(procedures)
    while todo:
        key = todo.pop()
        if key in rules.procedures and key not in found:
            found.add(key)
            todo += procedures_called(rules, rules.procedures[key].body)
    return found


def procedures_called(rules: graph.Graph, steps: Iterable[object]) -> list[str]:
    """Return the procedures that steps call: resolutions, offered actions, hooks on events and ends of moments."""
    keys: list[str] = []
    for node in walk(tuple(steps)):
        match node:
            case graph.Do(resolution):
                keys.append(f"resolution:{resolution}")
            case graph.Offer(actions):
                keys += [f"action:{action}" for action, _ in actions]
            case graph.Tell(event, _):
                keys += hooks_on(rules, event)
            case graph.End(moment) | graph.Phase(moment):
                keys += hooks_on(rules, f"end of {moment}")
            case _:
                pass
    return keys


def hooks_on(rules: graph.Graph, event: str) -> list[str]:
    """Return the hooks on an event."""
    return [key for key, procedure in rules.procedures.items() if procedure.event == event]
