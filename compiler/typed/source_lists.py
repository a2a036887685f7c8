"""Lists in sources: their spans, and repeated members, which most often are errors."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.findings.declared_twice import ListedTwice


def listed_twice(words: Iterable[source.Word | source.Scalar]) -> Iterator[ListedTwice]:
    """Yield a problem for each repeated word of a list."""
    return repeated_members((word.span, word.text, word.text) for word in words)


def repeated_members(members: Iterable[tuple[Span, Hashable, str]]) -> Iterator[ListedTwice]:
    """Find repeated members of a list, each given by its span, its identity, and its text.

    A run, such as `B2..B5`, has many members in one span; two that overlap are one finding.
    """
    first: dict[Hashable, Span] = {}
    reported_pairs: set[tuple[Span, Span]] = set()
    for span, member, written in members:
        before = first.setdefault(member, span)
        if before != span and (before, span) not in reported_pairs:
            reported_pairs.add((before, span))
            yield ListedTwice(span, before, written)


def span_of_list(spans: Sequence[Span]) -> Span:
    """Return the span of a list from those of its members."""
    first, last = spans[0], spans[-1]
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)
