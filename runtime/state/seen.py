"""What one side knows of a position: everything but the secret records of the others.

In: a state and a side. Out: a copy without those records. A record is secret if its type says so, and its field
`by` names the one side that knows it.
"""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Record, Value

OWNER = "by"


def secret_types(rules: graph.Graph) -> tuple[str, ...]:
    """List the types of records that only their side knows."""
    return tuple(name for name, record in rules.vocabulary.records.items() if record.secret)


def knows(state: State, side: str, record: Record) -> bool:
    """Say whether a side knows of a record."""
    return not state.graph.vocabulary.records[record.type].secret or state.field(record, OWNER) == side


def known(state: State, side: str, values: Iterable[Value]) -> tuple[Value, ...]:
    """Leave out of a collection what a side does not know of."""
    return tuple(value for value in values if not isinstance(value, Record) or knows(state, side, value))


def seen_by(state: State, side: str) -> State:
    """Copy a state as a side sees it."""
    twin = state.copy()
    for name in secret_types(state.graph):
        twin.records[name] = tuple(record for record in state.records[name] if knows(state, side, record))
    return twin
