"""Recording of the questions that one rule asks directly, and of the cells that it reads, for explanations.

In: an interpreter. Out: an interpreter that delegates to it and holds what was asked and read.
"""

from runtime.answer.answer import Answer
from runtime.answer.expressions import Environment, evaluate_expression
from runtime.answer.interpreter import Interpreter
from runtime.answer.tables import CellContent, look_up
from runtime.answer.value_text import cell_label, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import dataclass
from runtime.state.position import State
from runtime.state.record import Value

Question = tuple[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class CellRead:
    """A chart cell that was read: its label, its content, and what it cites."""

    label: str
    text: str
    cites: tuple[str, ...]


class RecordingInterpreter:
    """An interpreter that delegates, and records the questions asked and the cells read for one rule."""

    def __init__(self, answers: Interpreter) -> None:
        """Start with an empty record."""
        self.answers = answers
        self.graph = answers.graph
        self.questions: list[Question] = []
        self.cells: list[CellRead] = []

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Record a question and delegate it."""
        if (name, arguments) not in self.questions:
            self.questions.append((name, arguments))
        return self.answers.ask(state, name, arguments)

    def ask_step(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Delegate a question about a step of a search; `ConditionExplainer` records the relevant ones."""
        return self.answers.ask(state, name, arguments)

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> CellContent:
        """Record a cell and read it."""
        table = self.graph.tables[name]
        cell, rows = look_up(table, keys)
        inner = dict(table.cells).get(cell.kind)
        text = words.readable_name(cell.kind) if inner is None else value_text(state, cell.value, inner)
        cites = tuple(cite for row in rows for cite in row.cites) or table.cites
        read = CellRead(cell_label(state, table, keys), text, cites)
        if read not in self.cells:
            self.cells.append(read)
        return cell

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression, and record what it asks."""
        return evaluate_expression(self, state, expr, names)
