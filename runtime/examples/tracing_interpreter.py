"""Memoizing interpreters for one case of an example, and the read set of the case.

In: a graph and the answers that the case pins. Out: the answers of the reference interpreter, memoized in the position
until the next event. A memo also stores its read set, which is added on every hit, so that the read set of a line does
not depend on whether an earlier line asked the same question.
"""

from runtime.answer.answer import Answer, live_labels
from runtime.answer.interpreter import Interpreter, PinnedAnswerMap
from runtime.answer.tables import CellContent, look_up
from runtime.graph import nodes as graph
from runtime.graph.read_sets import reads_of
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value


class MemoizingInterpreter(Interpreter):
    """An interpreter that memoizes answers between events; a question that creates records is evaluated each time."""

    def __init__(self, rules: graph.Graph, pinned_answers: PinnedAnswerMap) -> None:
        """Start without memos."""
        super().__init__(rules, pinned_answers)
        self.reads = reads_of(rules)
        self.answer_memo = MemoTable()
        self.cell_memo = MemoTable()

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question; memoized."""
        memory = state.answers[self.answer_memo]
        found: Answer | None = memory.get((name, arguments))
        if found is None:
            found = super().ask(state, name, arguments)
            if not self.reads.term_creates_record(name):
                memory[name, arguments] = found
        return found

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> CellContent:
        """Read a cell of a chart; memoized."""
        memory = state.answers[self.cell_memo]
        found: CellContent | None = memory.get((name, keys))
        if found is None:
            found = memory[name, keys] = super().cell(state, name, keys)
        return found


class TracingInterpreter(Interpreter):
    """A memoizing interpreter that records the read set.

    `rules` were live in some question, `read` are chart lines by identity, `terms` were asked; `applied_rules` are the
    rules that were live since it was last emptied.
    """

    def __init__(self, rules: graph.Graph, pinned_answers: PinnedAnswerMap) -> None:
        """Start with an empty read set."""
        super().__init__(rules, pinned_answers)
        self.reads = reads_of(rules)
        self.memory = MemoTable()
        self.rules: set[str] = set()
        self.read: dict[int, graph.TableRow] = {}
        self.terms: set[str] = set()
        self.applied_rules: set[str] = set()

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question, and record the rules that were live for it and for the questions that it asks."""
        memory = state.answers[self.memory]
        known: tuple[Answer, frozenset[str]] | None = memory.get((name, arguments))
        if known is not None:
            self.applied_rules |= known[1]
            return known[0]
        before, self.applied_rules = self.applied_rules, set()
        try:
            found = super().ask(state, name, arguments)
            self.terms.add(name)
            if found.mask:
                self.applied_rules.update(live_labels(self.graph.terms[name], found.mask))
                self.rules |= self.applied_rules
            if not self.reads.term_creates_record(name):
                memory[name, arguments] = (found, frozenset(self.applied_rules))
        finally:
            self.applied_rules |= before
        return found

    def remembered_answer(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer | None:
        """Return the memoized answer to a question; None if it was not asked since the last event."""
        known: tuple[Answer, frozenset[str]] | None = state.answers[self.memory].get((name, arguments))
        return known and known[0]

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> CellContent:
        """Read a cell of a chart, and record its lines at the first read."""
        memory = state.answers[self.memory]
        known: CellContent | None = memory.get((name, "cell", keys))
        if known is None:
            known, rows = look_up(self.graph.tables[name], keys)
            self.read.update((id(row), row) for row in rows)
            memory[name, "cell", keys] = known
        return known


class UntracedInterpreter(MemoizingInterpreter):
    """An interpreter for explanations: reuses the memos of a traced run and records nothing."""

    def __init__(self, traced: TracingInterpreter) -> None:
        """Attach to a traced run."""
        super().__init__(traced.graph, traced.pinned_answers)
        self.traced_interpreter = traced

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question, from the memos of the traced run if it has one."""
        return self.traced_interpreter.remembered_answer(state, name, arguments) or super().ask(state, name, arguments)
