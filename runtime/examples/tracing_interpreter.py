"""Answers for one row of an example, each worked out once between two events, and what the row leans on.

In: a graph and the answers that the row pins. Out: the answers of the reference interpreter. What is asked
again is remembered, in the memory of the position itself; what that leaned on counts once more, so a line
leans on the same rules whether or not one before it has asked the same.
"""

from runtime.answer.answer import Answer
from runtime.answer.interpreter import Given, Interpreter
from runtime.answer.reads import reads_of
from runtime.answer.tables import Cell, look_up
from runtime.graph import nodes as graph
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value


class MemoizingInterpreter(Interpreter):
    """An interpreter that works out nothing twice while nothing happens; new records are new all the same."""

    def __init__(self, rules: graph.Graph, given: Given) -> None:
        """Begin with nothing asked."""
        super().__init__(rules, given)
        self.reads = reads_of(rules)
        self.answer_memo = MemoTable()
        self.cell_memo = MemoTable()

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question, from memory the second time."""
        memory = state.answers[self.answer_memo]
        found: Answer | None = memory.get((name, arguments))
        if found is None:
            found = super().ask(state, name, arguments)
            if not self.reads.makes_new(name):
                memory[name, arguments] = found
        return found

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> Cell:
        """Read a cell of a chart, from memory the second time."""
        memory = state.answers[self.cell_memo]
        found: Cell | None = memory.get((name, keys))
        if found is None:
            found = memory[name, keys] = super().cell(state, name, keys)
        return found


class TracingInterpreter(Interpreter):
    """A remembering interpreter that notes what is leaned on.

    rules are live somewhere on the way, read are lines of charts, asked are terms; applied are the rules that were
    live since somebody last emptied it.
    """

    def __init__(self, rules: graph.Graph, given: Given) -> None:
        """Begin with nothing asked."""
        super().__init__(rules, given)
        self.reads = reads_of(rules)
        self.memory = MemoTable()
        self.rules: set[str] = set()
        self.read: dict[int, graph.TableRow] = {}
        self.terms: set[str] = set()
        self.applied: set[str] = set()

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question, and note who was live for it and for all that it asks."""
        memory = state.answers[self.memory]
        known: tuple[Answer, frozenset[str]] | None = memory.get((name, arguments))
        if known is not None:
            self.applied |= known[1]
            return known[0]
        before, self.applied = self.applied, set()
        try:
            found = super().ask(state, name, arguments)
            self.terms.add(name)
            if found.mask:
                self.applied.update(self.rules_of_decision(name, found))
                self.rules |= self.applied
            if not self.reads.makes_new(name):
                memory[name, arguments] = (found, frozenset(self.applied))
        finally:
            self.applied |= before
        return found

    def rules_of_decision(self, name: str, found: Answer) -> list[str]:
        """List the rules that a decision id names."""
        return [label for bit, label in enumerate(self.graph.terms[name].rules) if found.mask >> bit & 1]

    def remembered_answer(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer | None:
        """Return what a question was answered, if it was asked since something last happened."""
        known: tuple[Answer, frozenset[str]] | None = state.answers[self.memory].get((name, arguments))
        return known and known[0]

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> Cell:
        """Read a cell of a chart, and note its lines the first time."""
        memory = state.answers[self.memory]
        known: Cell | None = memory.get((name, "cell", keys))
        if known is None:
            known, rows = look_up(self.graph.tables[name], keys, lambda expr, names: self.evaluate(state, expr, names))
            self.read.update((id(row), row) for row in rows)
            memory[name, "cell", keys] = known
        return known


class UntracedInterpreter(MemoizingInterpreter):
    """Answers what is asked afterwards, for the reasons: what was leaned on is known, and nothing more is noted."""

    def __init__(self, traced: TracingInterpreter) -> None:
        """Look first for what was answered already."""
        super().__init__(traced.graph, traced.given)
        self.traced = traced

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question, from memory if anybody asked it."""
        return self.traced.remembered_answer(state, name, arguments) or super().ask(state, name, arguments)
