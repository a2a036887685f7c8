"""Find suspicious declarations of a stack: valid ones that are probably not intended."""

from collections.abc import Iterator

from compiler.layered.layer_selection import layers_of_stack, unknown_exclusions, unknown_joints
from compiler.source.finding import Finding
from compiler.source.nodes import Layer
from compiler.typed.findings.wordings import ReadsAlike
from compiler.typed.indistinguishable_names import terms_reading_alike
from rulewright.checks.odd_counts import odd_counts
from rulewright.library.stacks import Stack


def suspicious_layers(stack: Stack) -> Iterator[Finding]:
    """Yield exclusions and joints of unknown layers, odd numbers, and names with equal titles."""
    chosen = layers_of_stack(stack.library, stack.name)
    yield from unknown_exclusions(stack.library.layers, chosen)
    yield from unknown_joints(stack.library.layers, chosen)
    yield from odd_counts(stack.library, stack.name)
    first: dict[str, Layer] = {}
    for layer in chosen:
        other = first.setdefault(layer.title.casefold(), layer)
        if other is not layer:
            names = (other.name.text, layer.name.text)
            yield ReadsAlike(layer.name.span, other.name.span, "layer", names, layer.title)
    if stack.env is not None and stack.graph is not None:
        yield from terms_reading_alike(stack.env, stack.graph)
