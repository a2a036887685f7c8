"""The counter of a piece that a procedure creates, and printed values with missing factors."""

from collections.abc import Mapping

from runtime.graph.answer_errors import AbsentError
from runtime.state.constants import ConstantScope, first_values, printed_values
from runtime.state.position import State
from runtime.state.record import Sheet, Value


class PrintedValues(dict[str, Value]):
    """The printed values of a piece that lacks factors of its kind; reading a missing one raises `AbsentError`."""

    def __init__(self, piece: str, figures: Mapping[str, Value] | None) -> None:
        """Store the values and the name of the piece."""
        super().__init__(figures or {})
        self.piece = piece

    def __missing__(self, name: str) -> Value:
        """Raise `AbsentError` for a factor that is not printed."""
        raise AbsentError(name, (self.piece,))


def default_counter(state: State, kind: str, side: str, counter: str) -> Sheet:
    """Return the sheet of a new piece: of a counter, or else of the only counter of its kind that this side may use."""
    name = f"{kind}-{len(state.sheets) + 1}"
    counters = state.graph.counters
    if counter:
        rows = [counters[counter]]
    else:
        rows = [row for row in counters.values() if row.kind == kind and row.owner in ("", side)]
    scope = ConstantScope(state.board.index, state.frame.rank)
    if len(rows) != 1:
        figures = first_values(state.graph.vocabulary.kinds[kind], scope)
        return Sheet(name, kind, "", side, PrintedValues(name, figures), frozenset())
    printed = printed_values(rows[0], scope.rank)
    return Sheet(name, kind, rows[0].id, side, printed, frozenset(rows[0].traits))
