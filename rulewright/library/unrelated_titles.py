"""Find layers whose titles do not match their content.

In: a compiled stack. Out: suspicions. A title is compared with the name of its layer, the headings of the cited
sections, and the words of its rules and procedures; one common word in the first two, or all words in the last, are
a match. A joint layer may be called after the layers that it joins. The titles of games and variants are proper names.
Titles are taken as English.
"""

from collections.abc import Iterator

from compiler.analysis.section_profiles import SHORTEST, Words, section_of, text_stems
from compiler.layered.title_problems import UnrelatedTitle
from compiler.source.files import split_lines
from compiler.source.span import Span
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

NAMED_KINDS = ("base", "variant")


def unrelated_titles(stack: Stack) -> Iterator[UnrelatedTitle]:
    """Yield the layers of a stack whose titles do not match their content."""
    if stack.graph is None:
        return
    headings = {
        f"{document.prefix}.{section}": heading
        for document in stack.graph.documents
        for section, heading in document.headings
    }
    for layer in stack.graph.layers if stack.graph.scenario is None else ():
        title = text_stems(layer.title)
        if layer.kind in NAMED_KINDS or not title:
            continue
        laws = [each for each in _laws(stack.graph) if each.origin.layer == layer.name]
        cited_sections = {section_of(cite) for cites in (layer.cites, *(each.cites for each in laws)) for cite in cites}
        joined = {each.text for each in stack.library.layers[layer.name].on} if layer.kind == "joint" else set()
        joined_titles = (each.title for each in stack.graph.layers if each.name in joined)
        cited_headings = (headings.get(each, "") for each in cited_sections)
        heading_words = text_stems(" ".join((layer.name, *joined_titles, *cited_sections, *cited_headings)))
        if any(_has_similar_word(word, heading_words) for word in title):
            continue
        law_words = text_stems(" ".join(_text(each) for each in laws))
        if laws and not all(_has_similar_word(word, law_words) for word in title):
            yield UnrelatedTitle(_manifest(stack, layer), layer.name, layer.title)


def _laws(stack: graph.Graph) -> Iterator[graph.Rule | graph.Procedure]:
    yield from stack.rules.values()
    yield from stack.procedures.values()


def _text(law: graph.Rule | graph.Procedure) -> str:
    """Return the name and the prose of a rule or procedure, with the names of its tests."""
    name, content = (law.label, law.guard) if isinstance(law, graph.Rule) else (law.name, law.body)
    test_names = (node.name for node in walk(content) if isinstance(node, graph.Test))
    return " ".join((name, law.prose, *test_names))


def _has_similar_word(word: str, words: Words) -> bool:
    """Return whether a word is among others, or shares a prefix of sufficient length with one of them."""
    begins = [each for each in words if len(each) >= SHORTEST and len(word) >= SHORTEST]
    return word in words or any(each.startswith(word) or word.startswith(each) for each in begins)


def _manifest(stack: Stack, layer: graph.Layer) -> Span:
    """Return the span of the title of a layer, otherwise that of its name."""
    manifest = stack.library.layers[layer.name]
    for number, line in enumerate(split_lines(stack.library.texts[manifest.span.file]), 1):
        if line.startswith("title:") and layer.title in line:
            column = line.index(layer.title) + 1
            return Span(manifest.span.file, number, column, number, column + len(layer.title))
    return manifest.name.span
