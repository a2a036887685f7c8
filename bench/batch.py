"""Vectorized answers, for tables of odds and comparisons of stacks.

In: a term that reads nothing but its arguments, each of a small finite domain (members, numbers of a declared range,
named places, booleans). Out: `AnswerArray`, all answers of the term in one NumPy array, so that a million
questions are one gather.

Answers are exact: the array holds indexes into the list of distinct answers. `numbers` holds them as floats, for sums
and means.
"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.answer.generate import GeneratedEvaluator
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.members import members_of
from runtime.state.position import State
from runtime.state.record import Value

Codes = NDArray[np.intp]

# The largest array, in cells: it takes about a second to fill.
LARGEST = 500_000

UNANSWERED = -1


class AnswerArray:
    """The answers of one term. `axes` holds the values of each parameter, in order."""

    __slots__ = ("answers", "axes", "codes", "numbers", "places", "term")

    def __init__(self, term: graph.Term, axes: list[tuple[Value, ...]], answers: list[Value], codes: Codes) -> None:
        """Wrap an array: `codes` has one dimension per parameter and holds indexes into `answers`, -1 for no answer."""
        self.term = term
        self.axes = axes
        self.answers = answers
        self.codes = codes
        self.places = [{value: place for place, value in enumerate(line)} for line in axes]
        plain = all(isinstance(answer, bool | int) or hasattr(answer, "denominator") for answer in answers)
        self.numbers = np.array([float(answer) for answer in answers]) if plain and answers else None

    def encode(self, parameter: int, values: Any) -> Codes:
        """Return the indexes of values along the dimension of a parameter; reusable for a column of several queries."""
        places = self.places[parameter]
        return np.fromiter((places[value] for value in values), dtype=np.intp)

    def ask(self, *columns: Codes) -> Codes:
        """Return the codes of the answers for columns of indexes, one per parameter; -1 where there is none."""
        found: Codes = self.codes[columns]
        return found

    def decode_answers(self, found: Codes) -> list[Value]:
        """Decode the result of `ask`; None where there is no answer."""
        return [self.answers[code] if code != UNANSWERED else None for code in found]


def dense_answers(compiled: GeneratedEvaluator, name: str) -> AnswerArray | None:
    """Tabulate a term; None if it reads more than its arguments or has too many combinations of them."""
    rules = compiled.graph
    term = rules.terms[name]
    reads = compiled.dependence.reads_of_term(name)
    axes = [type_values(parameter.type, rules) for parameter in term.parameters]
    if reads is None or any(read.text != "{}" for read in reads) or not all(axes):
        return None
    shape = tuple(len(values) for values in axes)
    if np.prod(shape, dtype=np.int64) > LARGEST:
        return None
    nowhere = State(rules, Board(graph.Board("", {}, (), (), {})))
    known: dict[Value, int] = {}
    codes = np.fromiter(
        (answer_code(compiled, nowhere, name, arguments, known) for arguments in product(*axes)), dtype=np.intp
    )
    return AnswerArray(term, axes, list(known), codes.reshape(shape))


def answer_code(
    compiled: GeneratedEvaluator, state: State, name: str, arguments: tuple[Value, ...], known: dict[Value, int]
) -> int:
    """Return the code of an answer; adds a new one to `known`."""
    try:
        return known.setdefault(compiled.value(state, name, arguments), len(known))
    except Unanswered:
        return UNANSWERED


def type_values(type_: graph.Type, rules: graph.Graph) -> tuple[Value, ...]:
    """Return the values of a type; () if it is not finite."""
    match type_:
        case graph.YesNo():
            return (False, True)
        case graph.Enum(name) if members_of(rules.vocabulary, name):
            return members_of(rules.vocabulary, name)
        case graph.Scale(name):
            return tuple(value for _, value in rules.vocabulary.scales[name].places)
        case graph.Number(int(low), int(high)):
            return tuple(range(low, high + 1))
        case _:
            return ()
