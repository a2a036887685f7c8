"""Check the names and titles of a YAML document (character_checks.py).

The input is a document and its node; the output is a problem for each name (each key, and each word that the node
stores as a name) and each title that contains markup or lookalike letters. Prose and expressions are not checked here.
"""

from collections.abc import Iterator
from typing import Any

from compiler.source.character_checks import CharacterProblem, name_problem, tag_in
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.problems import OddSign
from compiler.source.span import Span

# Keys whose value is a title, or a list or mapping of titles.
TITLES = {"title", "titles", "headings", "reads", "denied", "marker"}
# The key of the legend of a picture, whose keys are signs and not names.
SIGNS = "legend"
# The most problems that are reported for one document.
MOST_PROBLEMS = 20


def name_problems(document: ValueMap, node: object) -> list[OddSign]:
    """Return the problems of the names and titles of a document, at most one for each place."""
    found: dict[Span, OddSign] = {}
    for span, problem in (*_in_keys(document), *_in_words(node)):
        found.setdefault(span, OddSign(span, problem.sign, problem.category, problem.letter))
        if len(found) == MOST_PROBLEMS:
            break
    return list(found.values())


def _in_keys(document: ValueMap) -> Iterator[tuple[Span, CharacterProblem]]:
    """Check keys and titles."""
    waiting: list[tuple[Value, bool, bool]] = [(document, False, False)]
    while waiting:
        value, title, signs = waiting.pop()
        match value:
            case ValueMap(entries=entries):
                for word, inner in entries:
                    if not signs and (problem := name_problem(word.text)):
                        yield word.span, problem
                    waiting.append((inner, title or word.text in TITLES, word.text == SIGNS))
            case ValueList(items=items):
                waiting += ((item, title, signs) for item in items)
            case Scalar(span=span, text=text) if title and (problem := tag_in(text)):
                yield span, problem
            case _:
                pass


def _in_words(node: object) -> Iterator[tuple[Span, CharacterProblem]]:
    """Check the names that a node stores."""
    waiting: list[Any] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, Word):
            if problem := name_problem(part.text):
                yield part.span, problem
        elif type(part).__module__.startswith("compiler.source.nodes") and not isinstance(part, Scalar):
            waiting += (getattr(part, name) for name in part.__slots__ if name != "span")
