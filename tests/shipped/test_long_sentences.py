"""No generated sentence of a shipped book has more than thirty words; a long condition is printed as a list."""

from collections.abc import Iterator

import pytest

from compiler.rulebook.exact_words import exact_words, is_long
from compiler.rulebook.preconditions import requirement_sentences
from compiler.rulebook.sentences import combination_text, default_sentence
from compiler.rulebook.steps import ProcedureLine, procedure_lines
from compiler.rulebook.table import table_lines
from runtime.graph import nodes as graph
from tests.books.test_exact_words import flat_sentences
from tests.books.test_reading import FIRST
from tests.sample import LONG
from tests.shipped.test_stacks import STACKS, TOGETHER
from tests.shipped.test_variant_changes import shipped_packages

EVERY = [*STACKS, *TOGETHER]
LISTED = "all of these conditions:"


@pytest.mark.parametrize("stack", [*FIRST, *(pytest.param(each, marks=LONG) for each in EVERY if each not in FIRST)])
def test_no_generated_sentence_is_long(stack: str) -> None:
    book = shipped_packages().compiled(stack).graph
    assert book is not None
    sentences = dict(generated_sentences(book))
    assert [sentence for sentence in sentences if is_long(sentence)] == []


def test_the_long_steps_of_a_large_game_are_lists() -> None:
    book = shipped_packages().compiled("panzer_leader").graph
    assert book is not None
    lines = {line.text: line for line in all_lines(procedure_lines(book, book.procedures["action:mount"]))}
    [chosen] = (line for text, line in lines.items() if text.endswith(LISTED))
    assert [item.counted for item in chosen.inside] == [True] * len(chosen.inside)
    assert "it is neither a carrier, dispersed nor done for this turn" in [item.text for item in chosen.inside]


def generated_sentences(book: graph.Graph) -> Iterator[tuple[str, str]]:
    """Yield the generated sentences of a book, each with the label or key of its source."""
    for label, rule in book.rules.items():
        yield from ((sentence, label) for sentence in flat_sentences(exact_words(book, rule)))
    for name, term in book.terms.items():
        yield default_sentence(book, term), name
        yield combination_text(term), name
    for precondition in book.preconditions:
        yield from (
            (sentence, precondition.label) for sentence in flat_sentences(requirement_sentences(book, precondition))
        )
    for key, procedure in book.procedures.items():
        for read in (table_lines, procedure_lines):
            yield from ((line.title or line.text, key) for line in all_lines(read(book, procedure)))


def all_lines(lines: tuple[ProcedureLine, ...]) -> Iterator[ProcedureLine]:
    """Yield lines and their inner lines at any depth."""
    for line in lines:
        yield line
        yield from all_lines(line.inside)
