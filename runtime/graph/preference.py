"""The test whether an action has a preference, without which greedy players do not begin it."""

from runtime.graph import nodes


def is_preferred(action: nodes.Procedure) -> bool:
    """Return whether a choice in the head of an action has a preference."""
    for step in action.body:
        match step:
            case nodes.Choose(preferring=preferring) if preferring is not None:
                return True
            case nodes.Choose() | nodes.Let() | nodes.Legal():
                pass
            case _:
                return False
    return False
