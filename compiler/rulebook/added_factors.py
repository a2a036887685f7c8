"""What layers print on the counters of a kind besides: how a factor is headed and explained.

In: a graph and a factor. Out: its title, its sense, and the sources of what a counter shows.
"""

from compiler.rulebook.drawings.counters import printed_value
from runtime.graph import nodes as graph
from runtime.graph import words


def factor_title(book: graph.Graph, key: str) -> str:
    """Head an added factor: the factor, and of which kind of piece."""
    kind, _, name = key.partition(".")
    called = words.factor_name(name, book.vocabulary)
    return f"{called[:1].upper()}{called[1:]} of {words.plural(words.kind(kind, book.vocabulary))}"


def factor_sense(book: graph.Graph, kind: graph.Kind, name: str, of: str) -> str:
    """Explain an added factor of a type, which reads `of`."""
    first = printed_value(book, dict(kind.first)[name])
    several = words.plural(words.kind(kind.name, book.vocabulary))
    return f"printed on {several}: {of}; {first} on those of which no more is said"


def counter_cites(counter: graph.Counter) -> tuple[str, ...]:
    """List the sources of a counter: those of its row, and those of what layers print on it besides."""
    return tuple(dict.fromkeys((*counter.cites, *(item for each in counter.added for item in each.cites))))
