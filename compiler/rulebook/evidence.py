"""Outcomes of examples in the engine: the book prints these answers, not the ones that authors expect.

This module only declares them; the front end runs the examples (rulewright/book/book_evidence.py). An outcome contains
for each example its answers, line by line and case by case, with the reasons of play, and the rules that were live.
"""

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class DecidingRule:
    """A rule that decided: its conclusion, the conditions that held, the chart cells that it read."""

    rule: str
    says: str
    why: tuple[str, ...]
    cells: tuple[tuple[str, str], ...]


@frozen_dataclass
class AnswerEvidence:
    """An answer: in a few words, as a sentence, and its reasons. `steps` are the answers that it depends on.

    `account_sentences` are the sentences of the procedures that a line ran.
    """

    answer: str
    sentence: str
    because: tuple[DecidingRule, ...]
    overruled: tuple[tuple[str, tuple[str, ...]], ...]
    default: str
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    account_sentences: tuple[str, ...] = ()


@frozen_dataclass
class ExampleOutcome:
    """An example with its results. `stack` is the stack if it is not that of the book.

    `cases` contains, for each row of the example, the results of its lines; empty if it was not run.
    """

    example: graph.Example
    stack: str
    cases: tuple[tuple[AnswerEvidence | None, ...], ...]
    shows: frozenset[str]


def unplayed_outcomes(book: graph.Graph) -> tuple[ExampleOutcome, ...]:
    """Return the examples of a graph as they are written."""
    return tuple(
        ExampleOutcome(example, "" if example.stack == book.stack else example.stack, (), frozenset())
        for example in book.examples
    )


def _reason_labels(example: graph.Example) -> frozenset[str]:
    """Return the labels that an example expects as a reason."""
    lines = (line for line in example.lines if isinstance(line, graph.Check | graph.Perform))
    return frozenset(label for line in lines for label in line.reasons)


def labels_in(example: graph.Example) -> frozenset[str]:
    """Return the labels that an example refers to: as a reason, or because it follows them."""
    return frozenset({example.protects, *_reason_labels(example)} - {""})
