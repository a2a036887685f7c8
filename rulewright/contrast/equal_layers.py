"""Two names of stacks that load the same layers: which layer is loaded unrequested, and how it is left off."""

from rulewright.library.stacks import Stack
from runtime.graph.closure import transitive_closure
from runtime.graph.words import list_text


def equal_layers_text(a: Stack, b: Stack) -> str:
    """Return clauses that state why two stacks of different names cannot differ; "" if they can."""
    assert a.graph is not None
    assert b.graph is not None
    if a.name == b.name or a.graph.scenario or b.graph.scenario or _loaded(a) != _loaded(b):
        return ""
    clauses = [f"`{a.name}` and `{b.name}` load the same layers"]
    for stack, other in ((a, b), (b, a)):
        for name in sorted(_requested(other) - _requested(stack)):
            layer = stack.library.layers[name]
            if layer.kind.text == "joint":
                clauses.append(f"`{name}` is loaded wherever {list_text([f'`{word.text}`' for word in layer.on])} are")
            else:
                clauses.append(f"`{stack.name}` loads `{name}`, and `{stack.name}-{name}` leaves it off")
    return "; ".join(clauses)


def _loaded(stack: Stack) -> frozenset[str]:
    """Return the layers of a stack, and the readings of disputes that its name requests."""
    assert stack.graph is not None
    readings = (part for part in stack.name.split("+") if "=" in part)
    disputed = (part for part in readings if part.partition("=")[0] not in stack.library.layers)
    return frozenset([*(layer.name for layer in stack.graph.layers), *disputed])


def _requested(stack: Stack) -> frozenset[str]:
    """Return the layers that the name of a stack contains, and those that they are based on."""
    named = (part for part in stack.name.split("+") if "=" not in part)
    return frozenset(transitive_closure(named, lambda name: [word.text for word in stack.library.layers[name].on]))
