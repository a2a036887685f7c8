"""Find suspicious declarations of a stack: valid ones that are probably not intended."""

from collections.abc import Iterator
from dataclasses import replace

from compiler.layered.layer_selection import layers_of_stack, unknown_exclusions, unknown_joints
from compiler.report.diagnose import Problem
from compiler.source.nodes import Layer
from compiler.source.package import load_layer
from compiler.source.span import Span
from compiler.typed.counters import TITLE
from compiler.typed.environment import COUNTER_NAME
from compiler.typed.indistinguishable_names import terms_reading_alike
from compiler.typed.problems import ReadsAlike
from rulewright.library.odd_counts import odd_counts
from rulewright.library.stacks import Stack


def suspicious_layers(stack: Stack) -> Iterator[Problem]:
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
        found = list(terms_reading_alike(stack.env, stack.graph))
        titles = _titles(stack, chosen) if any(each.category == COUNTER_NAME for each in found) else {}
        yield from (_at_titles(each, titles) for each in found)


def _titles(stack: Stack, chosen: tuple[Layer, ...]) -> dict[str, Span]:
    """Return the spans of the titles of counters, which the graph does not contain."""
    read = [load_layer(stack.library, layer.name.text)[0] for layer in chosen]
    rows = [chart.rows for each in read for chart in each.charts]
    rows += [patch.add for each in read for patch in each.piece_patches]
    counters = [counter for part in rows for counter in part]
    return {each.id.text: value.span for each in counters for word, value in each.values if word.text == TITLE}


def _at_titles(found: ReadsAlike, titles: dict[str, Span]) -> ReadsAlike:
    """Return the finding with the spans of the titles, if it concerns two counters with the same title."""
    if found.category != COUNTER_NAME or not titles.keys() >= set(found.names):
        return found
    first, second = (titles[name] for name in found.names)
    return replace(found, first=first, span=second)
