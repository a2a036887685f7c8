"""Outcomes of the examples in the engine: the book prints these answers, not the ones authors expect.

In: nothing; the front end plays the examples and (rulewright/evidence.py) fills these in. Out: for every example its
answers, line by line and case by case, with the reasons that play gives, and the rules seen at work.
"""

from dataclasses import dataclass

from runtime.graph import nodes as graph


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that decided: what it said, the conditions that held, the chart cells it read."""

    rule: str
    says: str
    why: tuple[str, ...]
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """An answer: in a few words, as a sentence, and why. `steps` are the answers that it rests on.

    `account_sentences` are the sentences of procedures that a line carried out.
    """

    answer: str
    sentence: str
    because: tuple[Reason, ...]
    overruled: tuple[tuple[str, tuple[str, ...]], ...]
    default: str
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    account_sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """An example as it came out. `under` names the stack if it is not the one of the book.

    `cases` has, for every row of the example, what each of its lines came to; nothing if it was not played.
    """

    example: graph.Example
    under: str
    cases: tuple[tuple[AnswerEvidence | None, ...], ...]
    shows: frozenset[str]


def unplayed_outcomes(book: graph.Graph) -> tuple[ExampleOutcome, ...]:
    """Take the examples of a graph as they are written."""
    return tuple(
        ExampleOutcome(example, "" if example.stack == book.stack else example.stack, (), frozenset())
        for example in book.examples
    )


def reason_labels(example: graph.Example) -> frozenset[str]:
    """List the labels that an example names as a reason."""
    telling = (line for line in example.lines if isinstance(line, graph.Check | graph.Perform))
    return frozenset(label for line in telling for label in line.reasons)


def named_in(example: graph.Example) -> frozenset[str]:
    """List the labels that an example names: as a reason, or because it stands behind them."""
    return frozenset({example.protects, *reason_labels(example)} - {""})
