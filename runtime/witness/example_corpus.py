"""Positions of examples, also with the questions evaluated on the way, and which questions examples ask.

The input is a graph and the labels that are searched for; the output is candidates in which a label was live, recorded
while the examples that refer to it run; and the position of each example. The author of a rule has usually written a
position in which it decides; a comparison that starts there needs no search. Positions of cards are excluded from the
latter.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace

from runtime.answer.answer import Answer
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.examples.expectations import rules_of_label
from runtime.examples.run import ExampleRun, run_row
from runtime.examples.set_up import set_up
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.printed_fields import BOOK, ELSEWHERE
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.state.record import Value
from runtime.witness.candidate import Candidate
from runtime.witness.pool import literal_text
from runtime.witness.set_up import NO_ANSWER, may_be_set_up
from runtime.witness.snapshot import position_of
from runtime.witness.translated_position import translated_position

# The number of candidates for a label and term; most rules have an example or two.
CANDIDATES_PER_LABEL = 3

Corpus = dict[tuple[str, str], tuple[Candidate, ...]]
CandidatesByKey = dict[tuple[str, str], list[Candidate]]
Question = tuple[str, tuple[graph.Expr, ...]]


def corpus_of(rules: graph.Graph, labels: frozenset[str]) -> Corpus:
    """Run the examples that refer to these labels; return candidates by term and label."""
    # Those of examples that are about the label come first.
    named: CandidatesByKey = {}
    others: CandidatesByKey = {}
    rules_of_term = {
        name: [(1 << bit, label) for bit, label in enumerate(term.rules) if label in labels]
        for name, term in rules.terms.items()
    }
    for example in rules.examples:
        about = labels.intersection(_labels_of_example(example, rules))
        for row in range(max(1, len(example.rows)) if about else 0):
            for place, candidate in _CorpusRun(rules, example, row, rules_of_term).run():
                known = (named if place[1] in about else others).setdefault(place, [])
                if len(known) < CANDIDATES_PER_LABEL and candidate not in known:
                    known.append(candidate)
    places = dict.fromkeys((*named, *others))
    return {place: (*named.get(place, ()), *others.get(place, ())) for place in places}


def _labels_of_example(example: graph.Example, rules: graph.Graph) -> Iterator[str]:
    """Return the labels that an example is about; for a reading, which its stack may specify, these are its rules."""
    yield from rules_of_label(example.protects, rules)
    followed = {example.protects, *(part.partition("=")[2] for part in example.stack.split("+"))} - {""}
    yield from (rule.label for rule in rules.rules.values() if rule.reading in followed)
    for line in example.lines:
        if isinstance(line, graph.Check | graph.Perform):
            yield from line.reasons


class LiveQuestions(EvaluatorHook):
    """The questions in which a wanted label was live, of one line: term, label, arguments."""

    def __init__(self, rules_of_term: dict[str, list[tuple[int, str]]]) -> None:
        """Start without questions; `rules_of_term` has the wanted labels with their bits in decision ids."""
        self.rules_of_term = rules_of_term
        self.questions: list[tuple[str, str, tuple[Value, ...]]] = []

    def on_answer(self, state: State, name: str, arguments: tuple[Value, ...], answer: Answer) -> None:  # noqa: ARG002
        """Record a question with the wanted labels that were live."""
        for bit, label in self.rules_of_term.get(name, ()):
            if answer.mask & bit:
                self.questions.append((name, label, arguments))


class _CorpusRun(ExampleRun):
    """One row of an example, with the questions evaluated in its run."""

    def __init__(
        self, rules: graph.Graph, example: graph.Example, row: int, rules_of_term: dict[str, list[tuple[int, str]]]
    ) -> None:
        self.live_questions = LiveQuestions(rules_of_term)
        super().__init__(rules, example, row, hooks=(self.live_questions,))
        self.candidates: list[tuple[tuple[str, str], Candidate]] = []

    def run(self) -> list[tuple[tuple[str, str], Candidate]]:
        """Run to the end, or until it stops."""
        with suppress(Unanswered, BrokenRules):
            self.play()
        return self.candidates

    def play_line(
        self, playthrough: Playthrough, line: graph.ExampleLine, names: dict[str, Value], types: dict[str, graph.Type]
    ) -> dict[str, Value]:
        """Run a line, and record its questions."""
        before = playthrough.state.copy() if isinstance(line, graph.Perform) else playthrough.state
        self.live_questions.questions.clear()
        playthrough.state.forget_answers()  # What an earlier line asked is recorded with this one, too.
        after = super().play_line(playthrough, line, names, types)
        # Where an answer is fixed, the position alone does not explain the result.
        if self.live_questions.questions and not self.pinned_answers and isinstance(line, graph.Check | graph.Perform):
            self._record_questions(before, line, names)
        return after

    def _record_questions(self, state: State, line: graph.ExampleLine, names: dict[str, Value]) -> None:
        position = position_of(state, replace(self.example.position, name="witness"))
        if position is None:
            return
        for name, label, arguments in dict.fromkeys(self.live_questions.questions):
            question = self._question(state, name, arguments) or self._own_question(state, line, names)
            if question is not None:
                self.candidates.append(((question[0], label), Candidate(position, question[1])))

    def _own_question(self, state: State, line: graph.ExampleLine, names: dict[str, Value]) -> Question | None:
        """Return the question of the line itself: it shows a rule about a crossing, which cannot be a question."""
        match line:
            case graph.Check(question=graph.Ask(term, arguments)):
                values = tuple(self.answers.evaluate(state, argument, names) for argument in arguments)
                return self._question(state, term, values)
            case _:
                return None

    def _question(self, state: State, name: str, arguments: tuple[Value, ...]) -> Question | None:
        """Return a question; None if its arguments have no literals."""
        types = [parameter.type for parameter in self.rules.terms[name].parameters]
        exprs = [literal_text(value, type_, state) for value, type_ in zip(arguments, types, strict=True)]
        return None if None in exprs else (name, tuple(expr for expr in exprs if expr is not None))


@frozen_dataclass
class PlayDifference:
    """A play in a position with its result in each stack.

    `example` is the one whose position it is, "" for a constructed one, and `origin` that of the example or of the
    procedure. `position` is in the words of the stack `which`, None if it cannot be written, and `file` its text.
    `missing_words` are names that only one of the stacks declares. `question` is a question that is no single term,
    with values in place of names (`composed_question`).
    """

    example: str
    origin: graph.Origin
    which: int
    act: str
    a: str
    b: str
    position: graph.Position | None
    missing_words: tuple[str, ...] = ()
    question: graph.Expr | None = None
    file: str = ""


def could_stand(play: PlayDifference, answers: tuple[Interpreter, ...]) -> bool:
    """Return whether the position of a play could stand on a table in both stacks, as far as each can express it."""
    if play.position is None:
        return True
    if not may_be_set_up(answers[play.which], play.position):
        return False
    other = answers[1 - play.which]
    translated = translated_position(play.position, other.graph)
    return translated is None or may_be_set_up(other, translated)


def example_positions(rules: graph.Graph) -> Iterator[tuple[graph.Example, graph.Position]]:
    """Yield the positions of examples, with pieces and without a card."""
    for example in rules.examples:
        position = _first_row(example, rules) if example.position.pieces and not example.card else None
        if position is not None:
            yield example, position


def _first_row(example: graph.Example, rules: graph.Graph) -> graph.Position | None:
    """Return the position of an example with the values of its first row; None if it cannot be expressed."""
    if not example.names:
        return example.position
    try:
        playthrough, _ = set_up(rules, example, 0)
    except NO_ANSWER:
        return None
    return position_of(playthrough.state, example.position)


# ---------------------------------------------------------------------- the questions that examples ask

# Parts of a graph that no answer outside of questions depends on.
OF_QUESTIONS = {"rules", "terms", *BOOK, *ELSEWHERE[graph.Graph]}


class AskedQuestions:
    """The runs of the examples of one stack, each made when it is first needed."""

    def __init__(self, rules: graph.Graph) -> None:
        self.rules = rules
        # The example is stored with its questions, so that its identity stays its own.
        self._rows: dict[tuple[int, int], tuple[graph.Example, frozenset[str] | None]] = {}

    def changed_terms(self, a: graph.Graph, b: graph.Graph) -> frozenset[str] | None:
        """Return the questions in whose rules two stacks differ; None if more differs, or the first is not this one."""
        if _changed_terms(self.rules, a) != frozenset():
            return None
        return _changed_terms(a, b)

    def terms_of_row(self, example: graph.Example, row: int) -> frozenset[str] | None:
        """Return the questions that a row asks; None if it fails, as it may stop early."""
        key = id(example), row
        if key not in self._rows:
            run = run_row(self.rules, example, row)
            self._rows[key] = example, None if run.failures else run.terms
        return self._rows[key][1]


def _changed_terms(a: graph.Graph, b: graph.Graph) -> frozenset[str] | None:
    """Return the questions in whose rules two stacks differ; None if more differs than questions."""
    for part in fields(graph.Graph):
        if part.name not in OF_QUESTIONS and getattr(a, part.name) != getattr(b, part.name):
            return None
    return frozenset(
        name
        for name in a.terms.keys() | b.terms.keys()
        if a.terms.get(name) != b.terms.get(name)
        or any(a.rules.get(label) != b.rules.get(label) for label in a.terms[name].rules)
    )
