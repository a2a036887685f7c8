"""An action without a preference, in a game whose other actions say what they are worth.

Greedy players begin no such action where they may end, so a comparison of rules by their play shows nothing of it.
Silent in a game that says nothing of preferences, where an action is offered until it has been taken, of one that
leaves nothing to choose, and of one that changes nothing.
"""

from collections.abc import Iterator

from compiler.analysis.checks.idle_action import IDLE
from compiler.analysis.omissions import NoPreference
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import party_of
from compiler.analysis.step_reads import nested_steps
from runtime.graph import nodes as graph
from runtime.graph.preference import is_preferred

AT_ONCE = (None, graph.Truth(value=True))  # `until yes`: the offer may be ended before anything is taken


def no_preference(stack: graph.Graph) -> Iterator[Problem]:
    """Find them."""
    actions = {each.name: each for each in stack.procedures.values() if each.what == "action"}
    if not any(map(is_preferred, actions.values())):
        return
    for name in sorted(_free_to_end(stack) & actions.keys()):
        if not actions[name].no_preference and not is_preferred(actions[name]) and _could_say(actions[name]):
            yield NoPreference(party_of(actions[name]))


def _could_say(action: graph.Procedure) -> bool:
    """Return whether an action leaves something to choose, where a preference may stand, and does something."""
    found = list(nested_steps(action.body))
    return any(isinstance(step, graph.Choose) for step in found) and not all(isinstance(step, IDLE) for step in found)


def _free_to_end(stack: graph.Graph) -> set[str]:
    """Name the actions that are offered where one may also end at once."""
    return {
        name
        for procedure in stack.procedures.values()
        for step in nested_steps(procedure.body)
        if isinstance(step, graph.Offer) and step.until in AT_ONCE
        for name, _ in step.actions
    }
