"""The memo of an interpreter: answers of one position, with the rules behind each.

In: a question and a state. Out: its answer, evaluated at most once between two events (runtime/state/answers.py).
The key is the name of a term or chart with its arguments; the position is the table in which it is looked up.
"""

from collections.abc import Callable

from runtime.answer.answer import Answer, live_labels
from runtime.graph import nodes as graph
from runtime.graph.read_sets import reads_of
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value


class AnswerMemo:
    """The answers of one interpreter, and the cells that it read. A question that creates records is never stored.

    `live_rules` are the labels of all rules that were live in answers since it was last emptied: in those that were
    worked out and, as an answer is stored with the rules behind it, in those that were known.
    """

    def __init__(self, rules: graph.Graph) -> None:
        """Start without answers."""
        self.rules = rules
        self.reads = reads_of(rules)
        self.answers = MemoTable()
        self.cells = MemoTable()
        self.live_rules: set[str] = set()

    def known_answer(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer | None:
        """Return the answer to a question; None if it was not asked since the last event."""
        known: tuple[Answer, frozenset[str]] | None = state.answers[self.answers].get((name, arguments))
        return known and known[0]

    def answer(
        self,
        state: State,
        name: str,
        arguments: tuple[Value, ...],
        work_out: Callable[[State, str, tuple[Value, ...]], Answer],
    ) -> Answer:
        """Return the known answer to a question, or work it out."""
        answers = state.answers[self.answers]
        known: tuple[Answer, frozenset[str]] | None = answers.get((name, arguments))
        if known is not None:
            self.live_rules |= known[1]
            return known[0]
        before, self.live_rules = self.live_rules, set()
        try:
            answer = work_out(state, name, arguments)
            if answer.mask:
                self.live_rules.update(live_labels(self.rules.terms[name], answer.mask))
            if not self.reads.term_creates_record(name):
                answers[name, arguments] = (answer, frozenset(self.live_rules))
        finally:
            self.live_rules |= before
        return answer
