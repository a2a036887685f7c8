"""Evaluate terms by the interpreter and in a compiled module, and compare the answers."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import NamedTuple

from compiler.core.passes import optimize
from compiler.core.questions import lower_questions
from compiler.wasm.module import write_module
from runtime.answer.answer import Answer
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.engine.module import CompiledModule, ModuleInstance
from runtime.engine.trap import TrapError
from runtime.engine.values import NotRepresentableError
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.state.position import State
from runtime.state.record import Record, Value

Question = tuple[str, tuple[Value, ...]]
ROWS = 24  # Combinations of arguments for one term in one position.
EACH = 150  # Questions about one term, including those that other terms ask.


class Outcome(NamedTuple):
    """The result of a comparison: the number of equal answers, their terms, the different answers, and the refusals."""

    same: int
    terms: set[str]
    different: list[tuple[str, tuple[Value, ...], Value, Value]]
    refused: list[tuple[str, str]]


def module_of(rules: graph.Graph, pieces: int = 256, hexes: int = 1000) -> CompiledModule:
    """Compile the terms of a graph to a module for up to the given numbers of pieces and hexes."""
    lowered, denominators = lower_questions(rules, {})
    module = optimize(lowered)
    text, layout = write_module(module, rules, frozenset(denominators.fractional), pieces, hexes)
    return CompiledModule(rules, text, layout)


def compare(program: CompiledModule, state: State, request: dict[Question, Value]) -> Outcome:
    """Ask a module the given questions, and compare its answers with the given ones."""
    found = Outcome(0, set(), [], [])
    terms = ModuleInstance(program, state)
    same = 0
    for (name, arguments), value in request.items():
        try:
            got = terms.ask(name, arguments)
        except (TrapError, NotRepresentableError) as refusal:
            # Generated code answers some questions about pieces off the map that have no answer.
            if str(refusal) != "unsupported" and has_answer(program.rules, state, name, arguments):
                found.refused.append((name, str(refusal)))
            continue
        if is_same(value, got):
            same += 1
            found.terms.add(name)
        else:
            found.different.append((name, arguments, value, got))
    return found._replace(same=same)


def has_answer(rules: graph.Graph, state: State, name: str, arguments: tuple[Value, ...]) -> bool:
    """Return whether the interpreter answers a question."""
    try:
        Interpreter(rules).ask(state, name, arguments)
    except Unanswered:
        return False
    return True


def top_questions(rules: graph.Graph, state: State, seed: str) -> dict[Question, Value]:
    """Ask generated code every term with drawn arguments; return questions and answers.

    Generated code is faster than the interpreter, but the questions that terms ask each other are not listed.
    """
    chance, answers = random.Random(seed), GeneratedEvaluator(rules)
    request: dict[Question, Value] = {}
    for name, term in rules.terms.items():
        for arguments in samples(rules, state, term, chance):
            try:
                request[name, arguments] = answers.ask(state, name, arguments).value
            except Unanswered:
                continue
    return request


class DrawnQuestions(EvaluatorHook):
    """Some questions of each term, including those that terms ask each other, with their answers."""

    def __init__(self) -> None:
        """Start without questions."""
        self.answers: dict[Question, Value] = {}
        self.often: Counter[str] = Counter()

    def on_answer(self, state: State, name: str, arguments: tuple[Value, ...], answer: Answer) -> None:  # noqa: ARG002
        """Record a question."""
        if self.often[name] < EACH and (name, arguments) not in self.answers:
            self.often[name] += 1
            self.answers[name, arguments] = answer.value


def questions(rules: graph.Graph, state: State, seed: str) -> dict[Question, Value]:
    """Ask the interpreter every term with drawn arguments; return all questions, including nested ones, and answers."""
    chance = random.Random(seed)
    drawn = DrawnQuestions()
    interpreter = Interpreter(rules, hooks=(drawn,))
    for name, term in rules.terms.items():
        for arguments in samples(rules, state, term, chance):
            try:
                interpreter.ask(state, name, arguments)
            except Unanswered:
                continue
    return drawn.answers


def samples(rules: graph.Graph, state: State, term: graph.Term, chance: random.Random) -> Iterable[tuple[Value, ...]]:
    """Draw combinations of arguments for a term."""
    domains = [list(domain(rules, state, part.type, chance)) for part in term.parameters]
    return islice(product(*domains), ROWS)


def domain(rules: graph.Graph, state: State, type_: graph.Type, chance: random.Random) -> Iterator[Value]:
    """Draw a few values of a type."""
    board, vocabulary = state.board, rules.vocabulary
    match type_:
        case graph.Piece(kinds):
            pieces = [p for p in range(len(state.sheets)) if not kinds or state.kind[p] in kinds]
            yield from chance.sample(pieces, min(3, len(pieces)))
        case graph.Hex():
            yield from chance.sample(range(board.size), min(4, board.size))
        case graph.Hexside():
            a = chance.randrange(board.size)
            yield from [board.side(a, b) for b in board.beside[a]][:2]
        case graph.Enum(name):
            known = [member.name for member in vocabulary.enums[name].members] if name in vocabulary.enums else []
            yield from chance.sample(known or sorted(vocabulary.kinds), min(2, len(known or vocabulary.kinds)))
        case graph.YesNo():
            yield from (True, False)
        case graph.Number(low, _):
            yield from (low or 0, (low or 0) + 1)
        case graph.Scale(name):
            yield from [at for _, at in vocabulary.scales[name].places][:2]
        case graph.Many(_, of):
            yield state.frame.ordered(domain(rules, state, of, chance))
            yield ()
        case graph.RecordOf(name):
            yield from state.records[name][:2]
            drawn = {
                part.name: next(domain(rules, state, part.type, chance), None)
                for part in vocabulary.records[name].fields
                if not isinstance(part.type, graph.RecordOf)
            }
            given = {part: value for part, value in drawn.items() if value is not None}
            declared = vocabulary.records[name]
            if {part.name for part in declared.fields} - {*declared.optional} <= {*given}:
                yield state.new_record(name, given)
        case _:
            return


def is_same(one: Value, other: Value) -> bool:
    """Return whether two values are equal; records are compared by type and fields."""
    match one, other:
        case Record(), Record():
            same = {*one.fields} == {*other.fields} and one.type == other.type
            return one is other or (same and all(is_same(one.fields[name], other.fields[name]) for name in one.fields))
        case (range() | tuple(), range() | tuple()):
            return len(one) == len(other) and all(map(is_same, one, other))
        case _:
            return bool(one == other)
