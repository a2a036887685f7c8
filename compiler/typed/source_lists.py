"""The lists of sources: where they stand, and what they name twice, which most often is a slip for something else."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.problems import ListedTwice


def listed_twice(words: Iterable[source.Word | source.Scalar]) -> Iterator[ListedTwice]:
    """Find the words of a list that stand in it before."""
    return named_twice((word.span, word.text, word.text) for word in words)


def named_twice(members: Iterable[tuple[Span, Hashable, str]]) -> Iterator[ListedTwice]:
    """Find the members of a list that stand in it before; of a member, its place, what it is, and how it is written.

    A run, such as `B2..B5`, writes many members in one place; two that overlap are one finding.
    """
    first: dict[Hashable, Span] = {}
    told: set[tuple[Span, Span]] = set()
    for span, member, written in members:
        before = first.setdefault(member, span)
        if before != span and (before, span) not in told:
            told.add((before, span))
            yield ListedTwice(span, before, written)


def span_of_list(spans: Sequence[Span]) -> Span:
    """Return the place of a list by those of its members."""
    first, last = spans[0], spans[-1]
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)
