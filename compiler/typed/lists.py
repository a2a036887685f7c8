"""The lists of sources: where they stand, and what they name twice, which most often is a slip for something else."""

from collections.abc import Iterable, Iterator, Sequence

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.problems import ListedTwice


def listed_twice(words: Iterable[source.Word | source.Scalar]) -> Iterator[ListedTwice]:
    """Find the words of a list that stand in it before."""
    first: dict[str, Span] = {}
    for word in words:
        if first.setdefault(word.text, word.span) != word.span:
            yield ListedTwice(word.span, first[word.text], word.text)


def whole(spans: Sequence[Span]) -> Span:
    """Give the place of a list by those of its members."""
    first, last = spans[0], spans[-1]
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)
