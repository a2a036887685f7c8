"""Validation of a named set or order against a choice: its size, and duplicates.

In: the choice, the number of open members, the named members, and the admitted sizes. Out: a message.
"""

from collections.abc import Callable

from runtime.graph import nodes as graph
from runtime.state.record import Value


def explain_mismatch(
    step: graph.Choose, open_members: int, named: tuple[Value, ...], allowed: range | None, say: Callable[[Value], str]
) -> str:
    """Return why members, each of which is open, do not form a legal choice; "" if they do.

    `allowed` are the admitted sizes; None admits any set, and orders of all `open_members`.
    """
    duplicate = next((member for index, member in enumerate(named) if member in named[:index]), None)
    if duplicate is not None:
        return f"{say(duplicate)} is named twice for `{step.name}`"
    if allowed is None and step.how == "order":
        allowed = range(open_members, open_members + 1)
    if allowed is None or len(named) in allowed:
        return ""
    many = {0: "none is", 1: "one is"}.get(len(named), f"{len(named)} are")
    return f"`{step.name}` takes {_taken_number_text(allowed)}, and {many} named"


def _taken_number_text(allowed: range) -> str:
    """Format the number of members that a choice takes."""
    least, most = allowed.start, allowed.stop - 1
    if most < least:
        return "no number of members at all"
    if least == most:
        return f"exactly {least}"
    return f"at most {most}" if least == 0 else f"{least} to {most}"
