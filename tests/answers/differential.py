"""Random questions for two evaluators, and a list of the answers that differ.

Works on any graph and state: arguments are drawn by the types of the parameters, records field by field. A question
that checked rules never ask (about an absent partner) has no answer to compare; all other answers must be equal,
decision ids included, and so must be what a question misses that reads a fact of the scenario.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from runtime.answer.answer import Answer
from runtime.answer.expressions import everything
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import AbsentError, Unanswered
from runtime.state.position import State
from runtime.state.record import Record, Value


@dataclass(frozen=True, slots=True)
class Difference:
    """A question with two different answers."""

    term: str
    arguments: tuple[Value, ...]
    interpreted: object
    generated: object


class Undrawable(Exception):  # noqa: N818 - a state without pieces has no piece to ask about.
    """Raised if a state has no value of a type."""


def draw(state: State, type_: graph.Type, dice: random.Random) -> Value:
    """Draw a value of a type."""
    match type_:
        case graph.Number(low, high):
            return dice.randint(low if low is not None else -3, high if high is not None else 9)
        case graph.Many(_, of):
            try:
                members = [draw(state, of, dice) for _ in range(dice.randint(0, 3))]
            except Undrawable:
                return ()
            return state.frame.ordered(members) if type_.shape == "set" else tuple(members)
        case graph.RecordOf(name):
            fields = state.graph.vocabulary.records[name].fields
            return state.new_record(name, {field.name: draw(state, field.type, dice) for field in fields})
        case graph.Scale(name):
            places = state.graph.vocabulary.scales[name].places
            return dice.choice(places)[1] + dice.choice((-1, 0, 0, 0, 1))
        case graph.Crossing():
            for _ in range(20 if state.board.size else 0):
                line = state.board.line(dice.randrange(state.board.size), dice.randrange(state.board.size))
                if line:
                    return dice.choice(line)
            raise Undrawable
        case graph.Nothing() | graph.CellOf():
            raise Undrawable
        case _:
            return pick(everything(state, type_), dice)


def pick(members: Any, dice: random.Random) -> Value:
    """Draw one of some values."""
    if not members:
        raise Undrawable
    return dice.choice(list(members))


def answered(ask: Any, state: State, term: str, arguments: tuple[Value, ...]) -> object:
    """Ask a question; return the answer, or the class of the error if the rules give none.

    For an absent fact of the scenario, which checked rules may read untested, return its name.
    """
    try:
        return ask(state, term, arguments)
    except AbsentError as absent:
        return absent.callee if absent.callee.startswith("scenario.") else AbsentError
    except Unanswered as unanswered:
        return type(unanswered)


def same(one: Any, other: Any) -> bool:
    """Compare answers; two new records are equal if their fields are."""
    if isinstance(one, Record) and isinstance(other, Record):
        fields = one.fields.keys() | other.fields.keys()
        return one.type == other.type and all(same(one.fields.get(f), other.fields.get(f)) for f in fields)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def questions(state: State, seed: int, rounds: int) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """Draw `rounds` questions for every term about a state."""
    dice = random.Random(seed)
    for name, term in state.graph.terms.items():
        try:
            for _ in range(rounds):
                yield name, tuple(draw(state, parameter.type, dice) for parameter in term.parameters)
        except Undrawable:
            continue


def compare(rules: graph.Graph, state: State, seed: int, rounds: int) -> tuple[int, list[Difference]]:
    """Ask the interpreter and generated code random questions; return their number and the differences."""
    return agree(Interpreter(rules), GeneratedEvaluator(rules), state, (seed, rounds))


def agree(
    interpreter: Interpreter, compiled: GeneratedEvaluator, state: State, draws: tuple[int, int]
) -> tuple[int, list[Difference]]:
    """Ask two evaluators the questions that a seed draws; return the number of questions and the differences."""
    return agree_on(interpreter, compiled, state, questions(state, *draws))


def agree_on(
    interpreter: Interpreter, compiled: GeneratedEvaluator, state: State, drawn: Iterable[tuple[str, tuple[Value, ...]]]
) -> tuple[int, list[Difference]]:
    """Ask two evaluators questions about a state; return the number of questions and the differences."""
    question_count, found = 0, []
    for name, arguments in drawn:
        first = answered(interpreter.ask, state, name, arguments)
        if first is AbsentError:
            continue
        question_count += 1
        second = answered(compiled.ask, state, name, arguments)
        alone = answered(compiled.value, state, name, arguments)
        expected = first.value if isinstance(first, Answer) else first
        if not (same(first, second) and same(expected, alone)):
            found.append(Difference(name, arguments, first, (second, alone)))
    return question_count, found
