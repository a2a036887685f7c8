"""Whole columns of questions at once, for tables of odds and comparisons of stacks.

In: a term that looks at nothing but its arguments, each from a small domain (members, numbers of a
declared range, named places, yes and no). Out: `AnswerArray`, every answer it can give in one NumPy array,
so that a million questions are one gather.

Answers stay exact: the array holds places in the list of distinct answers. `numbers` is for sums
and means, where a float is what one wants.
"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.answer.answer import Unanswered
from runtime.answer.generate import GeneratedEvaluator
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.state.position import State
from runtime.state.record import Value

Codes = NDArray[np.intp]

# Cells of an array that is still made in a second or so.
LARGEST = 500_000

UNANSWERED = -1


class AnswerArray:
    """All answers of one term. `axes` holds the values of each parameter, in order."""

    __slots__ = ("answers", "axes", "codes", "numbers", "places", "term")

    def __init__(self, term: graph.Term, axes: list[tuple[Value, ...]], answers: list[Value], codes: Codes) -> None:
        """Keep the array; `codes` says for each combination which answer it gets, -1 for none."""
        self.term = term
        self.axes = axes
        self.answers = answers
        self.codes = codes
        self.places = [{value: place for place, value in enumerate(line)} for line in axes]
        plain = all(isinstance(answer, bool | int) or hasattr(answer, "denominator") for answer in answers)
        self.numbers = np.array([float(answer) for answer in answers]) if plain and answers else None

    def encode(self, parameter: int, values: Any) -> Codes:
        """Turn values of a parameter into places on its line, once for a column that is asked often."""
        places = self.places[parameter]
        return np.fromiter((places[value] for value in values), dtype=np.intp)

    def ask(self, *columns: Codes) -> Codes:
        """Answer a row of questions, given by their places on the axes; -1 where there is no answer."""
        found: Codes = self.codes[columns]
        return found

    def decode_answers(self, found: Codes) -> list[Value]:
        """Read the answers that `ask` found."""
        return [self.answers[code] if code != UNANSWERED else None for code in found]


def dense_answers(compiled: GeneratedEvaluator, name: str) -> AnswerArray | None:
    """Work out every answer of a term; None if it looks at more than its arguments or has too many of them."""
    rules = compiled.graph
    term = rules.terms[name]
    looks = compiled.dependence.looks(name)
    axes = [type_values(parameter.type, rules) for parameter in term.parameters]
    if looks is None or any(look.text != "{}" for look in looks) or not all(axes):
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
    """Number an answer, a new one if it has not come up yet."""
    try:
        return known.setdefault(compiled.value(state, name, arguments), len(known))
    except Unanswered:
        return UNANSWERED


def type_values(type_: graph.Type, rules: graph.Graph) -> tuple[Value, ...]:
    """List the values of a type; none if there is no end of them."""
    match type_:
        case graph.YesNo():
            return (False, True)
        case graph.Enum(name) if members_of(rules.vocabulary, name):
            return members_of(rules.vocabulary, name)
        case graph.Scale(name):
            return tuple(at for _, at in rules.vocabulary.scales[name].places)
        case graph.Number(int(low), int(high)):
            return tuple(range(low, high + 1))
        case _:
            return ()
