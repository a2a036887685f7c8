"""The counter of a piece that play makes."""

from runtime.state.constants import Scope, printed_on
from runtime.state.position import State
from runtime.state.record import Sheet


def blank(state: State, kind: str, side: str) -> Sheet:
    """Make the counter of a new piece: the printed one, if its kind has only one that this side may use."""
    name = f"{kind}-{len(state.sheets) + 1}"
    rows = [row for row in state.graph.counters.values() if row.kind == kind and row.owner in ("", side)]
    if len(rows) != 1:
        return Sheet(name, kind, "", side, {}, frozenset())
    printed = printed_on(rows[0], Scope(state.board.index, state.frame.rank))
    return Sheet(name, kind, rows[0].id, side, printed, frozenset(rows[0].traits))
