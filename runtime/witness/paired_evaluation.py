"""Evaluate the same question in two graphs, and attribute a difference of the answers.

The input is candidates for either graph; the output is both answers; and on demand the changed rules and cells that a
difference depends on. It is attributed where it arises: to the innermost question that is answered differently and in
which something changed was live, and there to the changes without which the answer would differ (causes.py), if these
are few enough to be reverted one by one. Only if no rule or cell has changed is it attributed to counters.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runtime.answer.answer import Answer, ClashError, GapError, OutsideError, Unanswered
from runtime.answer.interpreter import Found, Interpreter
from runtime.answer.value_text import VERDICT, value_text
from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.candidate import Candidate
from runtime.witness.fast_interpreter import FastInterpreter
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.label_changes import WORDY, LabelChanges, counter_label, term_label
from runtime.witness.search import Instance, instance_in, instance_of, is_sound
from runtime.witness.translated_position import knows_words, missing_words, translated_position

if TYPE_CHECKING:
    from runtime.witness.causes import Causes

# Why a question has no answer, by the error.
WITHOUT_ANSWER: dict[type[Unanswered], str] = {
    GapError: "no rule answers {}",
    ClashError: "rules on {} contradict each other",
    OutsideError: "the answer to {} lies outside its range",
}

# Evaluated questions, by name and arguments: the answer, and the labels that determine it.
RecordedAnswers = dict[tuple[str, str], tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One graph's answer: the value as text, and the labels of the rules that were live.

    `failed`: there is none, and the text is the reason, as for `ask`, so that a missing rule appears as a difference.
    """

    text: str
    live: frozenset[str]
    instance: Instance
    failed: bool = False


@dataclass(frozen=True, slots=True)
class PairedAnswers:
    """Both answers."""

    here: Evaluation
    there: Evaluation

    @property
    def are_different(self) -> bool:
        """Return whether the answers differ; two questions without an answer do not, whatever the reasons."""
        if self.here.failed and self.there.failed:
            return False
        return self.here.text != self.there.text

    @property
    def have_answers(self) -> tuple[bool, bool]:
        """Return which of the two has an answer."""
        return not self.here.failed, not self.there.failed


@dataclass(frozen=True, slots=True)
class Root:
    """The place where a difference arises: the term, and the responsible labels."""

    term: str
    labels: tuple[str, ...]


class PairedEvaluation:
    """An evaluator of the same questions in two graphs. `which` is the index of one of them: 0 is `a`, 1 is `b`."""

    def __init__(self, a: graph.Graph, b: graph.Graph, changes: LabelChanges, causes: "Causes | None" = None) -> None:
        self.graphs = (a, b)
        self.changes = changes
        self.causes = causes
        # Terms with the root that their difference was attributed to, confirmed by reverting the changes.
        self._confirmed: set[tuple[str, Root]] = set()
        self.fast = (FastInterpreter(a), FastInterpreter(b))
        # Words that a graph lacks, and how often a question could not be evaluated because of them.
        self.missing_facts: Counter[str] = Counter()
        # The state that was set up last, for many questions about one position.
        self._last: list[tuple[graph.Position, graph.Position, State] | None] = [None, None]

    def compare(self, term: str, candidate: Candidate) -> PairedAnswers | None:
        """Evaluate a question in both; None if one of the graphs cannot express it or has no answer."""
        here = self.evaluate_in(0, term, candidate)
        there = None if here is None else self.evaluate_in(1, term, candidate)
        return None if here is None or there is None else PairedAnswers(here, there)

    def evaluate_in(self, which: int, term: str, candidate: Candidate) -> Evaluation | None:
        """Evaluate a question in one of them; None if the candidate cannot be set up there."""
        instance = self.make_instance(which, candidate)
        return None if instance is None else self.answers_in(which, term, instance)

    def answers_in(self, which: int, term: str, instance: Instance) -> Evaluation | None:
        """Evaluate a question in an instance."""
        rules = self.graphs[which]
        try:
            answer = self.fast[which].ask(instance.state, term, instance.arguments)
        except Unanswered as unanswered:
            return self._failed(which, unanswered, instance)
        except NO_ANSWER:
            return None
        asked = rules.terms[term]
        live = frozenset(label for bit, label in enumerate(asked.rules) if answer.mask >> bit & 1)
        return Evaluation(
            in_words(instance.state, answer.value, asked), live or frozenset({term_label(term)}), instance
        )

    def _failed(self, which: int, unanswered: Unanswered, instance: Instance) -> Evaluation | None:
        """Explain why a question has no answer; None where that is due to the position, not to the rules."""
        why = WITHOUT_ANSWER.get(type(unanswered))
        if why is None or missing_words(instance.candidate.position, self.graphs[which]):
            self.missing_facts[unanswered.callee] += 1
            return None
        return Evaluation(no_answer(unanswered), self._blamed(which, unanswered, instance), instance, failed=True)

    def _blamed(self, which: int, unanswered: Unanswered, instance: Instance) -> frozenset[str]:
        """Return the rules that are live where a question has no answer, else the label of its default."""
        asked = self.graphs[which].terms.get(unanswered.callee)
        # A gap refers to all rules that might have answered.
        found: set[str] = set() if isinstance(unanswered, GapError) else set(unanswered.labels)
        with suppress(*NO_ANSWER):
            live = (
                Interpreter(self.graphs[which]).live_rules(instance.state, asked, unanswered.arguments) if asked else ()
            )
            found.update(rule.label for rule in live)
        return frozenset(found or {term_label(unanswered.callee)})

    def make_instance(self, which: int, candidate: Candidate) -> Instance | None:
        """Set a position up for one of the graphs; None if that is impossible, or violates an `always` fact there."""
        rules, answers, last = self.graphs[which], self.fast[which], self._last[which]
        if not knows_words(candidate.arguments, rules):
            return None
        if last is not None and last[0] is candidate.position:
            return instance_in(answers, replace(candidate, position=last[1]), last[2])
        position = translated_position(candidate.position, rules)
        instance = None if position is None else instance_of(answers, replace(candidate, position=position))
        if position is None or instance is None or not is_sound(answers, instance):
            return None
        self._last[which] = (candidate.position, position, instance.state)
        return instance

    def only_follows(self, label: str) -> bool:
        """Return whether a changed rule or default only reads another stage before its own."""
        return self.causes is not None and label in self.causes.following

    def was_live(self, which: int, term: str, candidate: Candidate, label: str) -> bool:
        """Return whether a rule was live in a question, or in one that it queries."""
        recorded = self._recorded(which, term, candidate)
        return recorded is not None and any(label in labels for _, labels in recorded.values())

    def find_root(self, term: str, candidate: Candidate) -> Root | None:
        """Return where a difference arises, and its cause."""
        here, there = self._recorded(0, term, candidate), self._recorded(1, term, candidate)
        if here is None or there is None:
            return None
        roots = list(self._roots(here, there))
        if roots and (term, roots[0]) in self._confirmed:
            return roots[0]
        causes = self._causes(term, candidate, (here, there))
        if causes is not None:
            labels = tuple(sorted(causes))
            arises = next((root.term for root in roots if not causes.isdisjoint(root.labels)), term)
            self._confirmed.add((term, Root(arises, labels)))
            return Root(arises, labels)
        if roots:
            return roots[0]
        pieces = {counter_label(piece.counter) for piece in candidate.position.pieces} & self.changes.altered
        found = pieces or set(_any(here, there)) & self.changes.all_labels()
        return Root(term, tuple(sorted(found)))

    def _roots(self, here: RecordedAnswers, there: RecordedAnswers) -> Iterator[Root]:
        """Return the questions with different answers in which something changed was live, innermost first."""
        for (name, arguments), mine in here.items():
            others = there.get((name, arguments))
            if others is not None and mine[0] != others[0]:
                found = self.own_changes(name, mine[1], others[1])
                if found:
                    yield Root(name, tuple(sorted(found)))

    def _causes(
        self, term: str, candidate: Candidate, recorded: tuple[RecordedAnswers, RecordedAnswers]
    ) -> frozenset[str] | None:
        """Revert the changes that an answer may depend on one by one; None if that is inconclusive."""
        every = self.changes.all_labels()
        if self.causes is None or len(every) < 2:
            return None
        candidates = {label for each in recorded for _, labels in each.values() for label in labels}
        candidates |= {term_label(name) for each in recorded for name, _ in each}
        candidates |= {counter_label(piece.counter) for piece in candidate.position.pieces}
        candidates |= {label for label in every if label.partition(" ")[0] in WORDY}
        return self.causes.causes_of(term, candidate, candidates & every)

    def own_changes(self, name: str, mine: frozenset[str], others: frozenset[str]) -> set[str]:
        """Return the changed labels that are responsible for different answers of one question."""
        found = set(mine & others & self.changes.altered)
        if name in self.graphs[0].tables:
            return found | set((mine ^ others) & self.changes.all_labels())
        found |= _missing(name, self.graphs, (mine, others), self.changes)
        found |= _missing(name, self.graphs[::-1], (others, mine), self.changes)
        return found or {term_label(name)} & self.changes.altered

    def _recorded(self, which: int, term: str, candidate: Candidate) -> RecordedAnswers | None:
        """Return all that an answer depends on, in the order of evaluation, with charts named after their cells."""
        rules = self.graphs[which]
        instance = self.make_instance(which, candidate)
        recorded: RecordedAnswers = {}

        def record(name: str, arguments: tuple[Value, ...], found: Found) -> None:
            if isinstance(found, Answer):
                asked = rules.terms[name]
                live = {label for place, label in enumerate(asked.rules) if found.mask >> place & 1}
                labels = frozenset(live or {term_label(name)})
                recorded.setdefault((name, repr(arguments)), (repr(found.value), labels))
            else:
                cell, rows = found
                labels = frozenset(row_label(rules.tables[name], row, rules.vocabulary) for row in rows)
                recorded.setdefault((name, repr(arguments)), (repr(cell), labels))

        if instance is None:
            return None
        try:
            Interpreter(rules, listen=record).ask(instance.state, term, instance.arguments)
        except Unanswered as unanswered:
            asked = unanswered.callee, repr(unanswered.arguments)
            recorded.setdefault(asked, ("", self._blamed(which, unanswered, instance)))
        except NO_ANSWER:
            return None
        return recorded


def answer_in_words(rules: graph.Graph, position: graph.Position, question: graph.Expr, of: graph.Type) -> str | None:
    """Format the answer to a question about a position, or why there is none; None if it cannot be expressed."""
    answers = Interpreter(rules)
    try:
        state = from_position(rules, position)
        if not isinstance(question, graph.Ask):
            return value_text(state, answers.evaluate(state, question, {}), of)
        values = tuple(answers.evaluate(state, argument, {}) for argument in question.arguments)
        return in_words(state, answers.ask(state, question.term, values).value, rules.terms[question.term])
    except Unanswered as unanswered:
        return no_answer(unanswered)
    except NO_ANSWER:
        return None


def no_answer(unanswered: Unanswered) -> str:
    """Format why a question has no answer."""
    why = WITHOUT_ANSWER.get(type(unanswered), "something is read that is not there").format(unanswered.callee)
    return f"no answer ({why})"


def in_words(state: State, value: Value, term: graph.Term) -> str:
    """Format an answer."""
    return VERDICT[value] if term.form == "verdict" else value_text(state, value, term.type)


def _missing(
    name: str,
    graphs: tuple[graph.Graph, ...],
    labels: tuple[frozenset[str], ...],
    changes: LabelChanges,
) -> set[str]:
    """Explain why rules that were live in the first graph are not in the second: they are missing, or defeated."""
    (one, other), (mine, others) = graphs, labels
    silent = _speakers(one.terms[name], mine, one) - _speakers(other.terms[name], others, other)
    behind = {each for label in silent for each in _causes(label, graphs, labels, frozenset())}
    return behind & changes.all_labels()


def _causes(
    label: str, graphs: tuple[graph.Graph, ...], labels: tuple[frozenset[str], ...], seen: frozenset[str]
) -> Iterator[str]:
    """Return a rule live in the first graph only, what defeats it in the second, and why nothing does in the first."""
    yield label
    other, others = graphs[1], labels[1]
    for each in sorted(others - seen):
        if each in other.rules and label in other.rules[each].defeats:
            yield each
            if each not in labels[0]:
                yield from _causes(each, graphs[::-1], labels[::-1], seen | {each})


def _speakers(term: graph.Term, live: frozenset[str], rules: graph.Graph) -> frozenset[str]:
    """Return the live rules that determine an answer; if the default is yes, only a no does."""
    verbs = {"", "allows", "holds"} if term.default else {""}
    return frozenset(label for label in live if label not in rules.rules or rules.rules[label].verb not in verbs)


def _any(here: RecordedAnswers, there: RecordedAnswers) -> set[str]:
    """Return all labels that are live on one side only."""
    mine = {label for _, labels in here.values() for label in labels}
    others = {label for _, labels in there.values() for label in labels}
    return mine ^ others
