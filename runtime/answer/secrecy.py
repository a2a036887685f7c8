"""Questions that hang on secrets: what a side may not be told.

In: a state as a side knows it, and a question as a function of a state. Out: the types of secret records of other sides
on which the answer hangs. Whether it does must not depend on what is secret: the question is asked again with records
that others might have, of each member of their fields: with each set of them where these are few, otherwise singly, in
pairs of neighbors, and with all.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, islice, product

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.members import members_of
from runtime.state.position import State
from runtime.state.record import Record, Value
from runtime.state.visibility import OWNER, secret_types

# The records of a type that another side might have, of those that are tried.
MOST_RECORDS = 240
# Of so many records of a side each set is tried.
MOST_IN_SETS = 8


def secrets_behind(answers: Interpreter, state: State, side: str, value_in: Callable[[State], Value]) -> list[str]:
    """Return the types of secret records that others may have and that change a value in the view of a side."""
    known = value_in(state)
    return [
        name
        for name in secret_types(state.graph)
        if any(_differs(known, value_in, imagined) for imagined in _imagined_states(answers, state, side, name))
    ]


def _differs(known: Value, value_in: Callable[[State], Value], imagined: State) -> bool:
    """Return whether a value is another one in an imagined state; one without a value there shows nothing."""
    with suppress(Unanswered):
        return bool(value_in(imagined) != known)
    return False


def _imagined_states(answers: Interpreter, state: State, side: str, name: str) -> Iterator[State]:
    """Yield copies of a state with secret records that other sides might have, in sets of them."""
    record_type = state.graph.vocabulary.records[name]
    fields = [part.name for part in record_type.fields if part.name != OWNER]
    members = [_members(answers, state, part.type) for part in record_type.fields if part.name != OWNER]
    everything: list[Record] = []
    for other in members_of(state.graph.vocabulary, "side"):
        if other == side:
            continue
        records = [
            Record(name, -number, {OWNER: other, **dict(zip(fields, values, strict=True))})
            for number, values in enumerate(islice(product(*members), MOST_RECORDS), len(everything) + 1)
        ]
        everything += records
        for chosen in _sets_of(records):
            yield _with_records(state, name, chosen)
    yield _with_records(state, name, everything)


def _sets_of(records: Sequence[Record]) -> Iterator[Sequence[Record]]:
    """Yield each set of few records; of many, each record, those next to each other, and all."""
    if len(records) <= MOST_IN_SETS:
        for size in range(1, len(records) + 1):
            yield from combinations(records, size)
        return
    for size in (1, 2):
        yield from (records[first : first + size] for first in range(len(records) - size + 1))
    yield records


def _with_records(state: State, name: str, records: Sequence[Record]) -> State:
    """Return a copy of a state with more records of a type."""
    state_copy = state.copy()
    state_copy.forget_answers()
    state_copy.records[name] = (*state.records[name], *records)
    return state_copy


def _members(answers: Interpreter, state: State, type_: graph.Type) -> list[Value]:
    """Return values of a type: all members, the bounds of a range, the empty and the whole set."""
    match type_:
        case graph.Number(low, high):
            return list(dict.fromkeys(bound for bound in (low, high) if bound is not None)) or [0]
        case graph.YesNo():
            return [True, False]
        case graph.Many(_, member):
            return [(), tuple(_members(answers, state, member))]
        case graph.Enum() | graph.Piece() | graph.Hex() | graph.RecordOf():
            return list(answers.evaluate(state, graph.All(type_), {})) or [None]
        case _:
            return [None]
