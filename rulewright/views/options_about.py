"""Layers that could be added to a stack, with the words by which a search finds them.

In: a stack. Out: options for the index of its book, and the stacks with an option that matches a query.
"""

import re
from collections.abc import Iterator

from compiler.rulebook.index.options import OptionLayer, option_words, options_about
from compiler.rulebook.index.ranking import SearchIndex
from compiler.source import nodes as source
from compiler.source.content import RULES_SUFFIX
from compiler.source.package import Library
from rulewright.library.stacks import Stack

OPTION_KINDS = ("optional", "experimental", "joint", "variant")  # of layers that players may add to a game
PROSE = re.compile(r'"([^"]*)"')


def addable_options(stack: Stack) -> tuple[OptionLayer, ...]:
    """Return the layers that may be added to a stack: those that only extend layers of the stack, by name."""
    assert stack.graph is not None
    stack_layers = {layer.name for layer in stack.graph.layers}
    return tuple(
        OptionLayer(name, layer.title or name, (*_phrases(stack.library, name),), (*_sentences(stack.library, name),))
        for name, layer in sorted(stack.library.layers.items())
        if layer.kind.text in OPTION_KINDS
        and name not in stack_layers
        and (below := {word.text for word in layer.on})
        and below <= stack_layers
    )


def stacks_about(stack: Stack, index: SearchIndex, query: str) -> dict[str, str]:
    """Return the stacks extended by one layer that matches a query, with the title of the layer."""
    about = options_about(index, [*option_words(index, addable_options(stack))], query)
    return {f"{stack.name}+{each.name}": each.title for each in about}


def _phrases(library: Library, name: str) -> Iterator[str]:
    """Yield the search phrases of a layer: subjects of its index, and synonyms."""
    for file in library.files.get(name, ()):
        if file.path.suffix == RULES_SUFFIX:
            continue
        for node in library.texts.content(file).documents[0]:
            if isinstance(node, source.Book):
                yield from (subject for subject, _, _ in node.index)
                yield from (phrase for _, phrases in node.asked for phrase in phrases)


def _sentences(library: Library, name: str) -> Iterator[str]:
    """Yield the sentences of the rules of a layer."""
    for file in library.files.get(name, ()):
        if file.path.suffix == RULES_SUFFIX:
            yield from PROSE.findall(library.texts[file.name])
