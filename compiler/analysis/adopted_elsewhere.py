"""Prohibitions that hold in a term only because it stands beside another, and that its author may not have known.

In: a graph. Out: a sentence for each, where the rule comes from a layer on which the layer of the declaration does not
stand. They are no findings: what a later layer forbids is meant to hold here, too.
"""

from collections.abc import Iterator

from compiler.analysis.laws import layers_below
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import adopted_from, denies, is_adopted


def adopted_elsewhere(stack: graph.Graph) -> Iterator[str]:
    """Yield the sentences, by term and rule."""
    below = layers_below(stack)
    for name, term in sorted(stack.terms.items()):
        for label in sorted(term.rules):
            rule = stack.rules[label]
            if is_adopted(rule, term) and denies(rule):
                beside = adopted_from(stack, term, label)
                layer = beside.origin.layer
                if rule.origin.layer not in {layer, *below.get(layer, ())}:
                    yield f"`{label}` of {rule.origin.layer} holds for `{name}`, which stands beside `{beside.term}`"
