"""Whether an action says what it is worth: greedy players begin no other."""

from runtime.graph import nodes


def is_preferred(action: nodes.Procedure) -> bool:
    """Return whether a choice that an action begins with has a preference."""
    for step in action.body:
        match step:
            case nodes.Choose(preferring=preferring) if preferring is not None:
                return True
            case nodes.Choose() | nodes.Let() | nodes.Legal():
                pass
            case _:
                return False
    return False
