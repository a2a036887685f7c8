"""The slots that a step may change, directly or through everything that it starts.

In: steps. Out: declared names (readers_and_setters.py). Where a side is offered actions, anything may change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from compiler.analysis.readers_and_setters import FACE, WHERE, DeclaredName, names_read
from runtime.graph import nodes as graph
from runtime.graph.call_graph import ProcedureKey, procedures_by_start, procedures_started
from runtime.graph.steps import nested_steps

EVERYTHING = DeclaredName("everything", "")
# A step that strikes a record does not name the type of the record.
ANY_RECORD = DeclaredName("record", "")

DeclaredNameSet = frozenset[DeclaredName]
StepBlock = tuple[graph.Step, ...]


# The bodies that run by what starts them: an action, a resolution, an event.
BlocksByStart = Mapping[ProcedureKey, Sequence[StepBlock]]


def bodies_by_start(stack: graph.Graph) -> BlocksByStart:
    """Return the bodies of procedures by what starts them."""
    keys_by_start = procedures_by_start(stack)
    return {start: [stack.procedures[key].body for key in keys] for start, keys in keys_by_start.items()}


def changed_slots(body: Iterable[graph.Step], started: BlocksByStart) -> DeclaredNameSet:
    """Return the slots that these steps, and the procedures that they start, may change."""
    found: set[DeclaredName] = set()
    seen: set[ProcedureKey] = set()
    todo = [tuple(body)]
    while todo:
        for step in nested_steps(todo.pop()):
            found |= set(slots_of_step(step))
            new = set(procedures_started(step)) - seen
            seen |= new
            todo += [each for start in new for each in started.get(start, ())]
    return frozenset(found)


def is_unchanged(expr: graph.Expr, changed: DeclaredNameSet, stack: graph.Graph) -> bool:
    """Return whether an expression has the same value as before these slots changed."""
    if not changed:
        return True
    if EVERYTHING in changed:
        return False
    read = names_read(expr, stack)
    return changed.isdisjoint(read) and not (
        ANY_RECORD in changed and any(each.kind == ANY_RECORD.kind for each in read)
    )


def slots_of_step(step: graph.Step) -> Iterator[DeclaredName]:
    """List the slots that a step itself may change, without nested steps."""
    match step:
        case graph.Mark(_, owner, status):
            yield DeclaredName("status", f"{owner}.{status}")
        case graph.Assign(target) | graph.Add(_, target):
            yield _target(target)
        case graph.Pair(relation):
            yield DeclaredName("relation", relation)
        case graph.Move() | graph.Create() | graph.Remove():
            yield WHERE
        case graph.Flip():
            yield FACE
        case graph.Write(_, record):
            yield DeclaredName("record", record.record)
        case graph.Strike():
            yield ANY_RECORD
        case graph.Offer() | graph.Each() | graph.Phase() | graph.End():
            yield EVERYTHING
        case _:
            pass


def _target(target: graph.Get | graph.GameTrack) -> DeclaredName:
    in_record = isinstance(target, graph.Get) and target.what == "record"
    return DeclaredName("record", target.owner) if in_record else DeclaredName("track", f"{target.owner}.{target.name}")
