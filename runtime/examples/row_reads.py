"""What one case of an example reads, for coverage and for the choice of examples that can detect a mutant.

In: the questions and cells of an interpreter, as a hook. Out: labels of rules, rows of charts, names of terms. As an
answer comes from the memo where it is known, each question counts where it was asked first.
"""

from runtime.answer.answer import Answer, live_labels
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.tables import FoundCell
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value


class RowReads(EvaluatorHook):
    """The read set of a case: `rules` that were live in an answer, `rows` of charts by identity, `terms` asked."""

    def __init__(self, rules: graph.Graph) -> None:
        """Start with an empty read set."""
        self.graph = rules
        self.rules: set[str] = set()
        self.rows: dict[int, graph.TableRow] = {}
        self.terms: set[str] = set()

    def on_answer(self, state: State, name: str, arguments: tuple[Value, ...], answer: Answer) -> None:  # noqa: ARG002
        """Record a term, and the rules that were live."""
        self.terms.add(name)
        if answer.mask:
            self.rules.update(live_labels(self.graph.terms[name], answer.mask))

    def on_cell(self, state: State, name: str, keys: tuple[Value, ...], found: FoundCell) -> None:  # noqa: ARG002
        """Record the lines of a cell."""
        self.rows.update((id(row), row) for row in found[1])
