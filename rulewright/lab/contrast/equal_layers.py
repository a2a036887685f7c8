"""Two names of stacks that load the same layers."""

from rulewright.library.stacks import Stack


def equal_layers_text(a: Stack, b: Stack) -> str:
    """Return a clause that states why two stacks of different names cannot differ; "" if they can."""
    if a.name == b.name or a.rules.scenario or b.rules.scenario or _loaded(a) != _loaded(b):
        return ""
    return f"`{a.name}` and `{b.name}` load the same layers"


def _loaded(stack: Stack) -> set[str]:
    """Return the layers of a stack, and the readings of disputes that its name requests."""
    parts = (part for part in stack.name.split("+") if "=" in part)
    readings = {part for part in parts if part.partition("=")[0] not in stack.library.layers}
    return readings.union(layer.name for layer in stack.rules.layers)
