"""Split a file of rules into paragraphs with sentences, law and citations as lists of words.

In: the text of a file. Out: one paragraph for each declaration, rule, ruling, reading and procedure. The members
of a case or a dispute are separate paragraphs; rules within a ruling or a reading belong to it. Comments, layout and
examples are omitted.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from compiler.source.files import normalized_text
from compiler.source.nodes import Example, Reading, Rule, Ruling, Word, laws_inside
from compiler.source.parse import parse_rules
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.walk import walk

PARAGRAPH_TOKEN = re.compile(
    r'(?P<text>"[^"]*")|(?P<comment>\#[^\n]*)|(?P<list>\[)'
    r"|(?P<word>'[^'\n]*'|[A-Za-z_]\w*(?:-\w+)*|\d+(?:/\d+)?|<=|>=|!=|\.\.|[^\s\w])"
)
# A text after one of these is a number or printed text, and no sentence.
NO_SENTENCE = {"numbered", "expecting"}
LAWS = (Rule, Ruling, Reading)


@dataclass(frozen=True, slots=True)
class SourceParagraph:
    """A paragraph: its kind, label and span, its quoted texts, the words of its law, and its citations.

    `is_law`: it is a rule, a ruling or a reading, whose sentences express its law. `sentence_spans` and `law_spans` are
    the spans of its sentences and of the words of its law.
    """

    kind: str
    label: str
    span: Span
    sentences: tuple[str, ...]
    law: tuple[str, ...]
    cites: tuple[str, ...]
    is_law: bool
    sentence_spans: tuple[Span, ...]
    law_spans: tuple[Span, ...]


def paragraphs_of(text: str, file: str) -> list[SourceParagraph]:
    """Return the paragraphs of a file in order; what cannot be parsed is omitted."""
    parsed, _ = parse_rules(text, file)
    text = normalized_text(text)
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    return [_paragraph(node, within, text, starts) for node, within in _flat(parsed.statements)]


def _flat(nodes: Iterable[Any], within: tuple[str, ...] = ()) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield nodes, including the members of cases and disputes, each with the labels of its ancestors."""
    for node in nodes:
        if isinstance(node, Example):
            continue
        yield node, within
        if not isinstance(node, LAWS):
            # A reading is identified by its dispute; a rule may be moved to another case without a change of meaning.
            inner = laws_inside(node)
            yield from _flat(
                inner, (*within, node.label.text) if any(isinstance(x, Reading) for x in inner) else within
            )


def _paragraph(node: Any, within: tuple[str, ...], text: str, starts: Sequence[int]) -> SourceParagraph:
    def offset_of(line: int, column: int) -> int:
        return starts[min(line, len(starts)) - 1] + column - 1

    span = node.span
    separate_nodes = laws_inside(node) if not isinstance(node, LAWS) else tuple(_examples(node))
    holes = [
        (offset_of(x.span.line, x.span.column), offset_of(x.span.end_line, x.span.end_column)) for x in separate_nodes
    ]
    cited = {offset_of(word.span.line, word.span.column): word.text for word in _citations(node, tuple(separate_nodes))}
    texts, words = _read(
        text, (offset_of(span.line, span.column), offset_of(span.end_line, span.end_column)), holes, cited
    )
    sentences = tuple(" ".join(text[first:last].strip('"').split()) for first, last in texts)
    law = tuple(text[first:last] for first, last in words)

    def span_between(part: tuple[int, int]) -> Span:
        line, end = (bisect_right(starts, offset) for offset in (part[0], part[1] - 1))
        return Span(span.file, line, part[0] - starts[line - 1] + 1, end, part[1] - starts[end - 1] + 1)

    name = getattr(node, "label", None) or getattr(node, "name", None)
    label = " ".join((*within, name.text if isinstance(name, Word) else _head(law)))
    kind = "law" if isinstance(node, LAWS) else type(node).__name__
    return SourceParagraph(
        kind,
        label,
        getattr(name, "span", span),
        sentences,
        law,
        tuple(sorted(set(cited.values()))),
        isinstance(node, LAWS),
        tuple(map(span_between, texts)),
        tuple(map(span_between, words)),
    )


def _examples(node: Any) -> Iterator[Example]:
    for inner in laws_inside(node):
        if isinstance(inner, Example):
            yield inner


def _read(
    text: str, span: tuple[int, int], holes: Sequence[tuple[int, int]], cited: Iterable[int]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Split a span of text into sentences and the words of its law, without the brackets of citations."""
    sentences: list[tuple[int, int]] = []
    law: list[tuple[int, int]] = []
    offset, end = span
    while offset < end:
        hole = next((stop for start, stop in holes if start <= offset < stop), None)
        found = None if hole else PARAGRAPH_TOKEN.match(text, offset, end)
        if hole:
            offset = hole
            continue
        if found is None:
            offset += 1
            continue
        offset = found.end()
        if found["list"]:
            close = text.find("]", offset)
            if any(offset <= place <= close for place in cited):
                offset = close + 1
            else:
                law.append(found.span())
        elif found["text"] and not (law and text[slice(*law[-1])] in NO_SENTENCE):
            sentences.append(found.span())
        elif not found["comment"]:
            law.append(found.span())
    return sentences, law


def _citations(node: Any, separate_nodes: tuple[object, ...]) -> Iterator[Word]:
    """Yield the citations in a node, without those in separate nodes."""
    holders = (each for each in walk(node) if hasattr(each, "cites"))
    excluded_ids = {id(each) for other in separate_nodes for each in walk(other)}
    for each in holders:
        if id(each) not in excluded_ids:
            yield from each.cites


def _head(law: Sequence[str]) -> str:
    """Return the first words of a paragraph without a name, as `after entered(u, to)`."""
    stop = next((index for index, word in enumerate(law) if word == "{"), len(law))
    return " ".join(law[:stop])
