"""Hold the names and titles of a YAML document to what a name may be made of (character_checks.py).

In: a document and the node that was made of it. Out: a problem for each name (every key, and every word that the
node keeps as a name) and each title that holds markup or letters that look like others. Prose and expressions
are not looked at here.
"""

from collections.abc import Iterator
from typing import Any

from compiler.source.character_checks import CharacterProblem, odd_in_name, tag_in
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.problems import OddSign
from compiler.source.span import Span

# Keys under which there is a title, or a list or mapping of them.
TITLES = {"title", "titles", "headings", "reads", "denied", "marker"}
# What a picture is drawn with is told from the words it stands for.
SIGNS = "legend"
# So many names of one document say enough.
MOST = 20


def odd_names(document: ValueMap, node: object) -> list[OddSign]:
    """List what is odd in the names and titles of a document, each place once."""
    found: dict[Span, OddSign] = {}
    for span, odd in (*_in_keys(document), *_in_words(node)):
        found.setdefault(span, OddSign(span, odd.sign, odd.why, odd.letter))
        if len(found) == MOST:
            break
    return list(found.values())


def _in_keys(document: ValueMap) -> Iterator[tuple[Span, CharacterProblem]]:
    """Look at keys and at titles."""
    waiting: list[tuple[Value, bool, bool]] = [(document, False, False)]
    while waiting:
        value, title, signs = waiting.pop()
        match value:
            case ValueMap(entries=entries):
                for word, inner in entries:
                    if not signs and (odd := odd_in_name(word.text)):
                        yield word.span, odd
                    waiting.append((inner, title or word.text in TITLES, word.text == SIGNS))
            case ValueList(items=items):
                waiting += ((item, title, signs) for item in items)
            case Scalar(span=span, text=text) if title and (odd := tag_in(text)):
                yield span, odd
            case _:
                pass


def _in_words(node: object) -> Iterator[tuple[Span, CharacterProblem]]:
    """Look at the names that a node keeps."""
    waiting: list[Any] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, Word):
            if odd := odd_in_name(part.text):
                yield part.span, odd
        elif type(part).__module__.startswith("compiler.source.nodes") and not isinstance(part, Scalar):
            waiting += (getattr(part, name) for name in part.__slots__ if name != "span")
