"""Evaluate the same question in two graphs, and attribute a difference of the answers, or of a play.

The input is candidates for either graph; the output is both answers; and on demand the changed rules and cells that a
difference depends on. It is attributed where it arises: to the innermost question that is answered differently and in
which something changed was live, and there to the changes without which the answer would differ (reversion.py), if
these are few enough to be reverted one by one. Only if no rule or cell has changed is it attributed to counters. A
difference of a play is attributed to the changes behind the first question with different answers, else to those live
in what only one stack queries, the counters of the pieces, and the differing state.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from runtime.answer.answer import live_labels
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.interpreter import Interpreter
from runtime.answer.value_text import answer_text, value_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import GapError, Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import nodes_of
from runtime.state.position import State
from runtime.state.setup import from_position
from runtime.trial.divergence import AnswerTracer, TracedAnswer, TracedAnswers, comparable_value
from runtime.witness.candidate import Candidate
from runtime.witness.dependencies import LabelChanges, counter_label, term_label
from runtime.witness.set_up import (
    NO_ANSWER,
    WITHOUT_ANSWER,
    Instance,
    SearchInterpreter,
    instance_in,
    instance_of,
    no_answer_text,
    satisfies_invariants,
)
from runtime.witness.structural_difference import WORDY
from runtime.witness.traced_run import ChangedSlot
from runtime.witness.translated_position import knows_words, missing_words, translated_position

if TYPE_CHECKING:
    from runtime.witness.reversion import CauseAnalysis


@frozen_dataclass
class Evaluation:
    """One graph's answer: the value as text, and the labels of the rules that were live.

    `failed`: there is none, and the text is the reason, as for `ask`, so that a missing rule appears as a difference.
    """

    text: str
    live: frozenset[str]
    instance: Instance
    failed: bool = False


@frozen_dataclass
class PairedAnswers:
    """Both answers."""

    first: Evaluation
    second: Evaluation

    @property
    def are_different(self) -> bool:
        """Return whether the answers differ; two questions without an answer do not, whatever the reasons."""
        if self.first.failed and self.second.failed:
            return False
        return self.first.text != self.second.text

    @property
    def have_answers(self) -> tuple[bool, bool]:
        """Return which of the two has an answer."""
        return not self.first.failed, not self.second.failed


@frozen_dataclass
class Root:
    """The place where a difference arises: the term, and the responsible labels."""

    term: str
    labels: tuple[str, ...]


class PairedEvaluation:
    """An evaluator of the same questions in two graphs. `which` is the index of one of them: 0 is `a`, 1 is `b`."""

    def __init__(self, a: graph.Graph, b: graph.Graph, changes: LabelChanges, causes: "CauseAnalysis | None") -> None:
        self.graphs = (a, b)
        self.changes = changes
        self.changed_labels = changes.all_labels()
        self.causes = causes
        # Terms with the root that their difference was attributed to, confirmed by reverting the changes.
        self._confirmed_roots: set[tuple[str, Root]] = set()
        self.interpreters = (SearchInterpreter(a), SearchInterpreter(b))
        # Words that a graph lacks, and how often a question could not be evaluated because of them.
        self.missing_facts: Counter[str] = Counter()
        # The state that was set up last, for many questions about one position.
        self._last: list[tuple[graph.Position, graph.Position, State] | None] = [None, None]

    def answers_of_pair(self, term: str, candidate: Candidate) -> PairedAnswers | None:
        """Evaluate a question in both; None if one of the graphs cannot express it or has no answer."""
        first = self.evaluate_in(0, term, candidate)
        second = None if first is None else self.evaluate_in(1, term, candidate)
        return None if first is None or second is None else PairedAnswers(first, second)

    def evaluate_in(self, which: int, term: str, candidate: Candidate) -> Evaluation | None:
        """Evaluate a question in one of them; None if the candidate cannot be set up there."""
        instance = self.make_instance(which, candidate)
        return None if instance is None else self.answers_in(which, term, instance)

    def answers_in(self, which: int, term: str, instance: Instance) -> Evaluation | None:
        """Evaluate a question in an instance."""
        rules = self.graphs[which]
        try:
            answer = self.interpreters[which].ask(instance.state, term, instance.arguments)
        except Unanswered as unanswered:
            return self._unanswered_evaluation(which, unanswered, instance)
        except NO_ANSWER:
            return None
        term_node = rules.terms[term]
        live = frozenset(live_labels(term_node, answer.mask))
        return Evaluation(
            answer_text(instance.state, term_node, answer.value), live or frozenset({term_label(term)}), instance
        )

    def _unanswered_evaluation(self, which: int, unanswered: Unanswered, instance: Instance) -> Evaluation | None:
        """Explain why a question has no answer; None where that is due to the position, not to the rules."""
        template = WITHOUT_ANSWER.get(type(unanswered))
        if template is None or missing_words(instance.candidate.position, self.graphs[which]):
            self.missing_facts[unanswered.callee] += 1
            return None
        return Evaluation(
            no_answer_text(unanswered), self._responsible_labels(which, unanswered, instance), instance, failed=True
        )

    def _responsible_labels(self, which: int, unanswered: Unanswered, instance: Instance) -> frozenset[str]:
        """Return the rules that are live where a question has no answer, else the label of its default."""
        rules = self.graphs[which]
        term = rules.terms.get(unanswered.callee)
        # A gap refers to all rules that might have answered.
        labels: set[str] = set() if isinstance(unanswered, GapError) else set(unanswered.labels)
        if term is not None:
            with suppress(*NO_ANSWER):
                live = Interpreter(rules).live_rules(instance.state, term, unanswered.arguments)
                labels.update(rule.label for rule in live)
        return frozenset(labels or {term_label(unanswered.callee)})

    def make_instance(self, which: int, candidate: Candidate) -> Instance | None:
        """Set a position up for one of the graphs; None if that is impossible, or violates an `always` fact there."""
        rules, answers, last = self.graphs[which], self.interpreters[which], self._last[which]
        if not knows_words(candidate.arguments, rules):
            return None
        if last is not None and last[0] is candidate.position:
            return instance_in(answers, replace(candidate, position=last[1]), last[2])
        position = translated_position(candidate.position, rules)
        instance = None if position is None else instance_of(answers, replace(candidate, position=position))
        if position is None or instance is None or not satisfies_invariants(instance):
            return None
        self._last[which] = (candidate.position, position, instance.state)
        return instance

    def only_follows(self, label: str) -> bool:
        """Return whether a changed rule or default only reads another stage before its own."""
        return self.causes is not None and label in self.causes.following

    def was_live(self, which: int, term: str, candidate: Candidate, label: str) -> bool:
        """Return whether a rule was live in a question, or in one that it queries."""
        recorded = self._record_answers(which, term, candidate)
        return recorded is not None and any(label in answer.rules for answer in recorded.values())

    def find_root(self, term: str, candidate: Candidate) -> Root | None:
        """Return where a difference arises, and its cause."""
        first_answers = self._record_answers(0, term, candidate)
        second_answers = self._record_answers(1, term, candidate)
        if first_answers is None or second_answers is None:
            return None
        roots = list(self._roots(first_answers, second_answers))
        if roots and (term, roots[0]) in self._confirmed_roots:
            return roots[0]
        causes = self._causes_by_reversion(term, candidate, (first_answers, second_answers))
        if causes is not None:
            arises = next((root.term for root in roots if not causes.isdisjoint(root.labels)), term)
            confirmed_root = Root(arises, tuple(sorted(causes)))
            self._confirmed_roots.add((term, confirmed_root))
            return confirmed_root
        if roots:
            return roots[0]
        labels = {counter_label(piece.counter) for piece in candidate.position.pieces} & self.changes.altered
        if not labels:
            labels = (_live_rules(first_answers) ^ _live_rules(second_answers)) & self.changed_labels
        return Root(term, tuple(sorted(labels)))

    def _roots(self, first_answers: TracedAnswers, second_answers: TracedAnswers) -> Iterator[Root]:
        """Return the questions with different answers in which something changed was live, innermost first."""
        for question, answer in first_answers.items():
            other_answer = second_answers.get(question)
            if other_answer is not None and answer.value != other_answer.value:
                labels = self.own_changes(question[0], answer.rules, other_answer.rules)
                if labels:
                    yield Root(question[0], tuple(sorted(labels)))

    def _causes_by_reversion(
        self, term: str, candidate: Candidate, recorded: tuple[TracedAnswers, TracedAnswers]
    ) -> frozenset[str] | None:
        """Revert the changes that an answer may depend on one by one; None if that is inconclusive."""
        every = self.changed_labels
        if self.causes is None or not self.causes.is_searchable or len(every) < 2:
            return None
        candidates = {label for label in every if label.partition(" ")[0] in WORDY}
        for answers in recorded:
            candidates |= _live_rules(answers)
            candidates.update(term_label(name) for name, _ in answers)
        candidates.update(counter_label(piece.counter) for piece in candidate.position.pieces)
        return self.causes.causes_of(term, candidate, candidates & every)

    def own_changes(self, name: str, first_labels: frozenset[str], second_labels: frozenset[str]) -> set[str]:
        """Return the changed labels that are responsible for different answers of one question."""
        altered_labels = first_labels & second_labels & self.changes.altered
        one_sided_labels = (first_labels ^ second_labels) & self.changed_labels
        return {*altered_labels, *one_sided_labels} or {term_label(name)} & self.changes.altered

    def _record_answers(self, which: int, term: str, candidate: Candidate) -> TracedAnswers | None:
        """Return all that an answer depends on, in the order of evaluation, with charts named after their cells."""
        instance = self.make_instance(which, candidate)
        if instance is None:
            return None
        rules = self.graphs[which]
        tracer = AnswerTracer(rules, by_row=True)
        try:
            interpreter = Interpreter(rules, hooks=(tracer,), memo=AnswerMemo(rules))
            interpreter.ask(instance.state, term, instance.arguments)
        except Unanswered as unanswered:
            question = unanswered.callee, comparable_value(unanswered.arguments)
            answer = TracedAnswer("", self._responsible_labels(which, unanswered, instance))
            tracer.traced_answers.setdefault(question, answer)
        except NO_ANSWER:
            return None
        return tracer.traced_answers


def _live_rules(answers: TracedAnswers) -> set[str]:
    return set().union(*(answer.rules for answer in answers.values()))


def answer_in_words(
    rules: graph.Graph, position: graph.Position, question: graph.Expr, type_: graph.Type
) -> str | None:
    """Format the answer to a question about a position, or why there is none; None if it cannot be expressed."""
    answers = Interpreter(rules)
    try:
        state = from_position(rules, position)
        if not isinstance(question, graph.Ask):
            return value_text(state, answers.evaluate(state, question, {}), type_)
        values = tuple(answers.evaluate(state, argument, {}) for argument in question.arguments)
        return answer_text(state, rules.terms[question.term], answers.ask(state, question.term, values).value)
    except Unanswered as unanswered:
        return no_answer_text(unanswered)
    except NO_ANSWER:
        return None


class Attribution:
    """The changes between two stacks, to which differences are attributed."""

    def __init__(self, changes: frozenset[str], following: frozenset[str]) -> None:
        """Store the labels of all changes that answers depend on; those `following` only read another stage."""
        self.changes = changes
        self.following = following

    def changes_of_answers(
        self, first: TracedAnswers, second: TracedAnswers, clashing: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return the changes behind the first answer that differs, else those among `clashing`."""
        for question, answer in first.items():
            if question in second and second[question].value != answer.value:
                rules, others = answer.rules, second[question].rules
                labels = self._known(rules ^ others) or self._known(rules | others | {term_label(question[0])})
                if labels and self.following.issuperset(labels):
                    return self._changes_of_unshared_rules(first, second) or labels
                if labels:
                    return labels
        return self._known(clashing)

    def _changes_of_unshared_rules(self, first: TracedAnswers, second: TracedAnswers) -> tuple[str, ...]:
        """Return the changes among the rules that were live in what only one stack queried, else its defaults."""
        unshared_questions = first.keys() ^ second.keys()
        answers = {**first, **second}
        labels = _live_rules({question: answers[question] for question in unshared_questions})
        # Else a default has changed.
        return self._known(labels) or self._known(term_label(name) for name, _ in unshared_questions)

    def other_causes(
        self,
        first: TracedAnswers,
        second: TracedAnswers,
        counters: Iterable[str],
        slots: Iterable[ChangedSlot],
        line: object,
    ) -> tuple[str, ...]:
        """Return the changes behind a difference that no answer of both shows, the only change if none is found.

        These are rules behind questions of one stack, counters in play, what differs in the declaration of changed
        state, and added factors that a line reads.
        """
        declared = (f"{sort} {slot.key}" for slot in slots for sort in ("track", "status", "relation"))
        read = (node for node in nodes_of(graph.Get, line) if node.what == "printed")
        return (
            self._changes_of_unshared_rules(first, second)
            or self._known(f"factor {node.owner}.{node.name}" for node in read)
            or self._known(map(counter_label, counters))
            or self._known(declared)
            or (tuple(self.changes) if len(self.changes) == 1 else ())
        )

    def _known(self, labels: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self.changes.intersection(labels)))
