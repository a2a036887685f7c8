"""Added factors in the book: title, definition, and sources.

In: a graph and a factor. Out: its title, its definition for the glossary, and the citations of a counter.
"""

from compiler.rulebook.drawings.counters import printed_value
from runtime.graph import nodes as graph
from runtime.graph import words


def factor_title(book: graph.Graph, key: str) -> str:
    """Return the title of an added factor: the factor and its kind of piece."""
    kind, _, name = key.partition(".")
    called = words.factor_name(name, book.vocabulary)
    return f"{called[:1].upper()}{called[1:]} of {words.plural(words.kind(kind, book.vocabulary))}"


def factor_sense(book: graph.Graph, kind: graph.Kind, name: str, type_text: str) -> str:
    """Return the definition of an added factor; `type_text` is the text of its type."""
    first = printed_value(book, dict(kind.first)[name])
    kind_plural = words.plural(words.kind(kind.name, book.vocabulary))
    return f"printed on {kind_plural}: {type_text}; {first} on those of which no more is said"


def counter_cites(counter: graph.Counter) -> tuple[str, ...]:
    """Return the citations of a counter: those of its row, then those of its added factors."""
    return tuple(dict.fromkeys((*counter.cites, *(item for each in counter.added for item in each.cites))))
