"""Find differences between two stacks by evaluation and play, without any code of comparisons.

In: two graphs. Out: the differences, by source: lines of examples, random questions about random positions and those of
examples, and games with equal seeds. The answers of a stack are computed once and compared with each edit.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from runtime.answer.answer import Answer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import untyped_text
from runtime.examples.run import ExampleRun
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.machine import Machine
from runtime.play.options import Decision
from runtime.play.perform import perform_action
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.constants import ConstantScope, evaluate_constant
from runtime.state.digest import canonical_text
from runtime.state.frame import Frame
from runtime.state.position import UNMARKED, State
from runtime.state.record import Pairs, Value
from runtime.state.setup import from_position
from tests.answers.differential import questions, same
from tests.properties.fancies import fancy

# Random arguments may violate what type checks guarantee; these exceptions are no answers.
SENSELESS = (ArithmeticError, LookupError, ValueError, TypeError, AttributeError)

POSITIONS = 12  # the number of random positions of a stack
OF_EXAMPLES = 40  # the number of positions of examples
GAMES = 3
DECISIONS = 150  # the most decisions of a game

Question = tuple[int, str, tuple[Value, ...]]


@dataclass
class Seen:
    """The differences found, the first few of each source as sentences.

    `examples` are answers to questions of examples, `reasons` the rules given for them, `plays` results of lines that
    act, `questions` answers to random questions, and `games` the first differing decisions. `terms` are the names of
    questions with different answers.
    """

    examples: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    plays: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    terms: set[str] = field(default_factory=set)

    @property
    def answers(self) -> bool:
        """Return whether a question is answered differently."""
        return bool(self.examples or self.questions)

    @property
    def anything(self) -> bool:
        """Return whether anything differs, except reasons of answers."""
        return bool(self.answers or self.plays or self.games)


class Oracle:
    """Computes the answers of one stack, and compares other stacks with them."""

    def __init__(self, rules: graph.Graph, card: graph.Graph | None, wanted: int, seed: str = "oracle") -> None:
        """Draw positions and questions, evaluate them, and play the examples and some games."""
        self.rules = rules
        self.states = [fancy(rules, random.Random(f"{seed} {number}")) for number in range(POSITIONS)]
        examples = [each for each in rules.examples if not each.names and each.position.pieces and not each.card]
        dice = random.Random(f"{rules.stack} {seed}")
        dice.shuffle(examples)
        self.states += [from_position(rules, each.position) for each in examples[:OF_EXAMPLES]]
        rounds = max(1, wanted // max(1, len(rules.terms) * len(self.states)) + 1)
        self.questions: list[Question] = [
            (number, name, arguments)
            for number, state in enumerate(self.states)
            for name, arguments in questions(state, number, rounds)
        ]
        dice.shuffle(self.questions)
        self.questions = sorted(self.questions[:wanted], key=lambda each: each[0])
        self.answers = [*ask_all(rules, self.states, self.questions)]
        table = Table(rules)
        self.examples = [play_out(table, example) for example in rules.examples]
        self.card = card
        self.games = [[*game_of(card, number)] for number in range(GAMES)] if card else []

    def seen(self, other: graph.Graph, card: graph.Graph | None) -> Seen:
        """Compare another stack with this one."""
        found = Seen()
        self._questions(other, found)
        table = Table(other)
        for example, here in zip(self.rules.examples, self.examples, strict=True):
            compare_lines(example, here, play_out(table, example), found)
        for example in other.examples:
            if all(
                shown_example.position != example.position or shown_example.lines != example.lines
                for shown_example in self.rules.examples
            ):
                compare_lines(example, play_out(Table(self.rules), example), play_out(table, example), found)
        if self.card is not None and card is not None:
            for number, steps in enumerate(self.games):
                self._game(number, steps, card, found)
        return found

    def _questions(self, other: graph.Graph, found: Seen) -> None:
        states = [state_in_stack(state, other) for state in self.states]
        answers = ask_all(other, states, self.questions)
        for (number, name, arguments), answer, other_answer in zip(self.questions, self.answers, answers, strict=True):
            if not has_equal_parameters(self.rules, other, name):
                continue
            if answer[0] in {"no answer", "answer"} and other_answer[0] in {"no answer", "answer"}:
                if not same(answer[1], other_answer[1]):
                    found.terms.add(name)
                    message = ", ".join(untyped_text(self.states[number], each) for each in arguments)
                    note(found.questions, f"position {number}: {name}({message}): {answer[1]} / {other_answer[1]}")
                elif answer[2] != other_answer[2]:
                    note(found.reasons, f"position {number}: {name}: {sorted(answer[2] ^ other_answer[2])}")

    @staticmethod
    def _game(number: int, steps: list[str], card: graph.Graph, found: Seen) -> None:
        for place, (step, other_step) in enumerate(zip(steps, game_of(card, number), strict=False)):
            if step != other_step:
                note(found.games, f"game {number}, decision {place}: {step[:200]!r} / {other_step[:200]!r}")
                return


def note(sentences: list[str], sentence: str) -> None:
    """Append a sentence, if there are fewer than five."""
    if len(sentences) < 5:
        sentences.append(sentence)


def has_equal_parameters(one: graph.Graph, other: graph.Graph, name: str) -> bool:
    """Return whether a question has parameters of equal types in both stacks."""
    if name not in other.terms:
        return False
    term, other_term = one.terms[name], other.terms[name]
    return [each.type for each in term.parameters] == [each.type for each in other_term.parameters]


Given = tuple[str, object, frozenset[str]]


def ask_all(rules: graph.Graph, states: list[State], questions: list[Question]) -> Iterator[Given]:
    """Ask questions; yield `answer` with the value and the live rules, `no answer` with the reason, or `senseless`."""
    compiled = GeneratedEvaluator(rules)
    for number, name, arguments in questions:
        term = rules.terms.get(name)
        if term is None or len(term.parameters) != len(arguments):
            yield "senseless", None, frozenset()
            continue
        try:
            answer: Answer = compiled.ask(states[number], name, arguments)
        except Unanswered as unanswered:
            yield "no answer", type(unanswered).__name__, frozenset()
            continue
        except SENSELESS:
            yield "senseless", None, frozenset()
            continue
        live = frozenset(label for bit, label in enumerate(term.rules) if answer.mask >> bit & 1)
        yield "answer", answer.value, live


def state_in_stack(state: State, rules: graph.Graph) -> State:
    """Return a position in another stack, with its own state and the counters of that stack."""
    copied = state.copy()
    copied.graph, copied.frame = rules, Frame(rules.vocabulary, state.board)
    blank = State(rules, state.board)
    copied.tracks = {key: {**state.tracks.get(key, {})} for key in blank.tracks}
    copied.facts = {key: state.facts.get(key, value) for key, value in blank.facts.items()}
    copied.marks = {key: state.marks.get(key, UNMARKED) for key in blank.marks}
    copied.pairs = {key: state.pairs.get(key, Pairs({}, {}, {})) for key in blank.pairs}
    copied.records = {key: state.records.get(key, ()) for key in blank.records}
    scope = ConstantScope({}, copied.frame.rank)
    sheets = []
    for sheet in state.sheets:
        row, old = rules.counters.get(sheet.counter), state.graph.counters.get(sheet.counter)
        if row is None or old is None or (row.printed, row.traits) == (old.printed, old.traits):
            sheets.append(sheet)
            continue
        was = {name: evaluate_constant(value, scope) for name, value in old.printed}
        now = {name: evaluate_constant(value, scope) for name, value in row.printed}
        # Values that the position gives to a piece are kept.
        changed_values = {name: value for name, value in sheet.printed.items() if was.get(name) != value}
        sheets.append(
            sheet._replace(
                printed={**now, **changed_values}, traits=frozenset(row.traits) | sheet.traits - {*old.traits}
            )
        )
    copied.sheets = tuple(sheets)
    copied.traits = tuple(sheet.traits for sheet in sheets)
    copied.printed = tuple(sheet.printed for sheet in sheets)
    return copied


# ---------------------------------------------------------------- examples


Line = tuple[str, object, frozenset[str]]


class Table:
    """The engines that play the examples of a stack: generated code, and a machine that uses it."""

    def __init__(self, rules: graph.Graph) -> None:
        """Prepare the engines of a stack."""
        self.rules = rules
        self.answers = GeneratedEvaluator(rules)
        self.machine = Machine(rules, self.answers)


class RecordedExample(ExampleRun):
    """A case of an example that records the result of each line and does not compare it."""

    def __init__(self, table: Table, example: graph.Example, row: int) -> None:
        """Start without results; pinned answers need the interpreter."""
        super().__init__(table.rules, example, row)
        if any(isinstance(line, graph.Given) for line in example.lines):
            self.answers = Interpreter(table.rules, self.pinned_answers)
        else:
            self.answers = table.answers  # type: ignore[assignment]  # it answers the same questions
            self.machine = table.machine
        self.line_results: dict[int, Line] = {}

    def play_line(
        self, playthrough: Playthrough, line: graph.ExampleLine, names: dict[str, Value], types: dict[str, graph.Type]
    ) -> dict[str, Value]:
        """Play a line, and record the position after it, unless it checks or orders."""
        names = super().play_line(playthrough, line, names, types)
        if not isinstance(line, graph.Check | graph.Order):
            self.line_results.setdefault(self.number or 0, ("play", canonical_text(playthrough.state), frozenset()))
        return names

    def check(self, state: State, line: graph.Check, names: dict[str, Value]) -> None:
        """Record an answer and its live rules."""
        question = line.question
        live: frozenset[str] = frozenset()
        if isinstance(question, graph.Ask):
            arguments = tuple(self.answers.evaluate(state, argument, names) for argument in question.arguments)
            answer = self.answers.ask(state, question.term, arguments)
            term = self.rules.terms[question.term]
            live = frozenset(label for bit, label in enumerate(term.rules) if answer.mask >> bit & 1)
            value = answer.value
        else:
            value = self.answers.evaluate(state, question, names)
        self.line_results[self.number or 0] = ("ask", value, live)

    def perform(self, playthrough: Playthrough, line: graph.Perform, names: dict[str, Value]) -> None:
        """Record whether an action is refused, and the position after it."""
        refused = perform_action(
            self.machine_of_row(), playthrough, line.action, self.scripted_choices(playthrough, line, names)
        )
        message = f"{'refused' if refused else 'taken'} {canonical_text(playthrough.state)}"
        self.line_results[self.number or 0] = ("play", message, frozenset())

    def follow(self, playthrough: Playthrough, stations: tuple[graph.Station, ...]) -> None:
        """Record how the sequence of play fails to reach the stations."""
        self.failures.clear()
        super().follow(playthrough, stations)
        self.line_results[self.number or 0] = ("play", [each.actual for each in self.failures], frozenset())
        self.failures.clear()


def play_out(table: Table, example: graph.Example) -> list[dict[int, Line]]:
    """Play all cases of an example, each up to its first error."""
    found = []
    for row in range(max(1, len(example.rows))):
        teller = RecordedExample(table, example, row)
        try:
            teller.play()
        except (Unanswered, BrokenRules) as stopped:
            kind = "ask" if isinstance(line_at(example, teller), graph.Check) else "play"
            teller.line_results[teller.number or 0] = (kind, type(stopped).__name__, frozenset())
        except (*SENSELESS, AssertionError):
            teller.line_results[teller.number or 0] = ("senseless", None, frozenset())
        found.append(teller.line_results)
    return found


def line_at(example: graph.Example, teller: RecordedExample) -> object:
    """Return the line that was played last."""
    return example.lines[teller.number] if teller.number is not None and example.lines else None


def compare_lines(
    example: graph.Example, here: list[dict[int, Line]], there: list[dict[int, Line]], found: Seen
) -> None:
    """Compare the results of an example in two stacks; a case is compared up to its first different act."""
    for row, (row_result, other_row_result) in enumerate(zip(here, there, strict=True)):
        for number in sorted(row_result.keys() & other_row_result.keys()):
            (what, value, live), (kind, other, others) = row_result[number], other_row_result[number]
            if "senseless" in {what, kind}:
                break
            place = f"{example.title!r} row {row} line {number}"
            if what == kind == "ask" and not same(value, other):
                with suppress(AttributeError):
                    found.terms.add(example.lines[number].question.term)  # type: ignore[union-attr]
                note(found.examples, f"{place}: {value} / {other}")
            elif live != others:
                note(found.reasons, f"{place}: {sorted(live ^ others)}")
            elif what != "ask" and value != other:
                note(found.plays, f"{place}: {differing_lines(value, other)}")
                break


def differing_lines(one: object, other: object) -> str:
    """Return the first lines that only one of two texts has."""
    lines, other_lines = str(one).splitlines(), str(other).splitlines()
    only = [each for each in lines if each not in other_lines][:3]
    return f"{only} / {[each for each in other_lines if each not in lines][:3]}"


# ---------------------------------------------------------------- games


def game_of(rules: graph.Graph, number: int) -> Iterator[str]:
    """Play a random game; yield the side, the question, the options and the position at each decision."""
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start(f"edits {number}")
    dice = random.Random(number)
    try:
        for _ in range(DECISIONS):
            now = game.advance(playthrough)
            if not isinstance(now, Decision):
                yield f"finished {now.winner} {now.level}"
                return
            options = option_labels(playthrough.state, game.programs.entries, now)
            yield f"{now.side} {now.question} {options}\n{canonical_text(playthrough.state)}"
            game.apply(playthrough, now, dice.randrange(len(options)))
    except (BrokenRules, Unanswered, *SENSELESS) as stopped:
        yield f"stopped: {type(stopped).__name__}"
