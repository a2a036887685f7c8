"""Recording of the questions that one rule asks directly, and of the cells that it reads, for explanations.

In: an interpreter. Out: one that evaluates the expressions of the rule and delegates its questions, and their record.
"""

from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.answer.tables import FoundCell
from runtime.answer.value_text import cell_label, value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.state.position import State
from runtime.state.record import Value

Question = tuple[str, tuple[Value, ...]]


@frozen_dataclass
class CellRead:
    """A chart cell that was read: its label, its content, what it cites, and the title of its chart with its keys."""

    label: str
    text: str
    cites: tuple[str, ...]
    title: str


class DirectReads(EvaluatorHook):
    """The questions that an interpreter was asked, without those about steps of searches, and the cells it read."""

    def __init__(self, rules: graph.Graph) -> None:
        """Start with an empty record."""
        self.rules = rules
        self.questions: list[Question] = []
        self.cells: list[CellRead] = []

    def on_question(self, name: str, arguments: tuple[Value, ...], *, in_search: bool) -> None:
        """Record a question; `ConditionExplainer` records the relevant ones about steps."""
        if not in_search and (name, arguments) not in self.questions:
            self.questions.append((name, arguments))

    def on_cell(self, state: State, name: str, keys: tuple[Value, ...], found: FoundCell) -> None:
        """Record a cell."""
        (cell, rows), table = found, self.rules.tables[name]
        inner = dict(table.cells).get(cell.kind)
        text = words.readable_name(cell.kind) if inner is None else value_text(state, cell.value, inner)
        cites = tuple(cite for row in rows for cite in row.cites) or table.cites
        key_texts = tuple(value_text(state, key, part.type) for key, part in zip(keys, table.keys, strict=True))
        title = ", ".join((table.title or words.readable_name(name), *key_texts))
        read = CellRead(cell_label(state, table, keys), text, cites, title)
        if read not in self.cells:
            self.cells.append(read)


def recording_interpreter(answers: Interpreter) -> tuple[Interpreter, DirectReads]:
    """Return an interpreter that leaves all questions to another one, and the record of what it is asked and reads."""
    reads = DirectReads(answers.graph)
    return Interpreter(answers.graph, hooks=(reads,), elsewhere=answers.ask), reads
