"""Layers that a stack lacks and that speak of what somebody looks for: the reader may have one of them in mind.

In: a stack, the words that are looked for, and those of them that its own book does not say. Out: stacks with one layer
more, each with the title of that layer.
"""

import re
from collections.abc import Collection, Iterator

from compiler.rulebook.index.stems import STOP_WORDS, asked, stem, stems
from compiler.source.content import RULES
from rulewright.library.stacks import Stack

MOST = 3
PROSE = re.compile(r'"([^"]*)"')


def options_about(stack: Stack, query: str, unknown: Collection[str]) -> list[tuple[str, str]]:
    """List the stacks that one layer more would make, where that layer is about the words of a query."""
    wanted = {stem(token) for token in asked(query) if token not in STOP_WORDS}
    found = _about(stack, wanted, {stem(word) for word in unknown})
    return [each for each, _ in zip(found, range(MOST), strict=False)]


def _about(stack: Stack, wanted: set[str], unknown: set[str]) -> Iterator[tuple[str, str]]:
    assert stack.graph is not None
    inside = {layer.name for layer in stack.graph.layers}
    for name, layer in sorted(stack.library.layers.items()):
        below = {word.text for word in layer.on}
        if name in inside or not below or not below <= inside:
            continue
        title = layer.title or name
        titled = set(stems(title))
        is_titled = bool(titled & wanted) and (titled <= wanted or wanted <= titled)
        if is_titled or unknown & _spoken(stack, name):
            yield f"{stack.name}+{name}", title


def _spoken(stack: Stack, layer: str) -> set[str]:
    """Return the stems of what the sentences of a layer say."""
    library = stack.library
    files = (file for file in library.files.get(layer, ()) if file.path.suffix == RULES)
    return {each for file in files for said in PROSE.findall(library.texts[file.name]) for each in stems(said)}
