"""Convert the documents of a YAML file to nodes, each by the key that names its kind, usually the first.

The input is the text of a `.yaml` file; the output is a node for each document, and the problems. A document with a
wrong shape yields no node: an incomplete chart would only cause further reports. Reports the problems of the YAML
reader, of the schemas and of the readers of each kind, and documents with an unknown first key.
"""

from collections.abc import Callable, Iterator
from typing import Any

from compiler.source import nodes as source
from compiler.source.character_checks import CharacterProblem, name_problem, tag_in
from compiler.source.finding import Finding
from compiler.source.findings.characters import OddSign
from compiler.source.findings.yaml_documents import BadShape, MissingKey, RefusedYaml, UnknownDocument, UnknownKey
from compiler.source.heads import DOCUMENT_KINDS
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.parse import MOST_PROBLEMS
from compiler.source.reading.boards import read_board, read_outline
from compiler.source.reading.card_patches import is_card_patch, read_card_patch
from compiler.source.reading.cards import read_card
from compiler.source.reading.packages import read_book, read_layer, read_numbers, read_registry
from compiler.source.reading.pieces import is_piece_patch, read_piece_patch, read_pieces
from compiler.source.reading.positions import read_position
from compiler.source.reading.tables import read_table, read_table_patch
from compiler.source.reading.values import DocumentProblems
from compiler.source.shape import check_shape, kind_of, likely_kinds
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from compiler.source.yaml_reader import TRUTHS, read_yaml, value_phrase

Node = (
    source.Table | source.PieceChart | source.TablePatch | source.PiecePatch | source.CardPatch | source.Layer
    | source.Book | source.Sources | source.Board | source.Outline | source.Scenario | source.Position
)  # fmt: skip


def _read_patch(
    document: source.ValueMap, reports: DocumentProblems
) -> source.TablePatch | source.PiecePatch | source.CardPatch:
    """Read `patch:`; what it changes determines whether it is for a chart, for counters or for a card."""
    if len(document.entries) == 1:
        reports.report_shape(document.span, "a `set`, or something to add", "neither")
    if is_card_patch(document):
        return read_card_patch(document, reports)
    return read_piece_patch(document, reports) if is_piece_patch(document) else read_table_patch(document, reports)


_READERS: dict[str, Callable[[source.ValueMap, DocumentProblems], Node]] = {
    "table": read_table,
    "pieces": read_pieces,
    "patch": _read_patch,
    "layer": read_layer,
    "book": read_book,
    "numbers": read_numbers,
    "sources": read_registry,
    "board": read_board,
    "outline": read_outline,
    "scenario": read_card,
    "position": read_position,
}


def read_documents(text: str, file: str) -> tuple[tuple[Node, ...], tuple[Finding, ...]]:
    """Read every document of a `.yaml` file."""
    documents, yaml_problems = read_yaml(text, file, TRUTHS)
    nodes: list[Node] = []
    found: list[Finding] = list(yaml_problems)
    for document in documents:
        kind = kind_of(document)
        if not isinstance(document, source.ValueMap) or not document.entries:
            found.append(BadShape(document.span, "keys and values", value_phrase(document)))
        elif kind is None:
            first = document.entries[0][0]
            candidates = nearest_names(first.text, DOCUMENT_KINDS) or likely_kinds(document)
            found.append(UnknownDocument(first.span, first.text, candidates))
        else:
            misshapen = check_shape(document, kind)
            found += _without_followups(misshapen)
            # An unknown key has no effect; any other problem would leave half a chart.
            if all(isinstance(each, UnknownKey) and not each.candidates for each in misshapen):
                reports = DocumentProblems()
                nodes.append(_READERS[kind](document, reports))
                found += reports.problems
                found += _name_problems(document, nodes[-1])
    return tuple(nodes), tuple(_unrefused(found)[:MOST_PROBLEMS])


def _unrefused(found: list[Finding]) -> list[Finding]:
    """Remove problems about a value that is already rejected."""
    refused = {each.span for each in found if isinstance(each, RefusedYaml)}
    return [each for each in found if not (isinstance(each, BadShape) and each.span in refused)]


def _without_followups(misshapen: tuple[Finding, ...]) -> list[Finding]:
    """Remove reports of missing keys that are misspelled."""
    candidate_keys = {name for each in misshapen if isinstance(each, UnknownKey) for name in each.candidates}
    return [each for each in misshapen if not (isinstance(each, MissingKey) and each.key in candidate_keys)]


# ---------------------------------------------------------------- names and titles


# Keys whose value is a title, or a list or mapping of titles.
TITLES = {"title", "titles", "headings", "reads", "denied", "marker"}
# The key of the legend of a picture, whose keys are signs and not names.
LEGEND_KEY = "legend"
# The most problems that are reported for one document.
MOST_NAME_PROBLEMS = 20


def _name_problems(document: ValueMap, node: object) -> list[OddSign]:
    """Return the problems of the names and titles of a document, at most one for each place."""
    found: dict[Span, OddSign] = {}
    for span, problem in (*_in_keys(document), *_in_words(node)):
        found.setdefault(span, OddSign(span, problem.sign, problem.category, problem.letter))
        if len(found) == MOST_NAME_PROBLEMS:
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
                    waiting.append((inner, title or word.text in TITLES, word.text == LEGEND_KEY))
            case ValueList(items=items):
                waiting += ((item, title, signs) for item in items)
            case Scalar(span=span, text=text) if title and (problem := tag_in(text)):
                yield span, problem


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
