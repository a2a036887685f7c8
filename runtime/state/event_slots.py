"""What an event writes of a position, as slots (runtime/graph/slots.py)."""

from collections.abc import Iterator

from runtime.graph.slots import PositionSlot, SlotKind
from runtime.state.record import Event

# The sorts of slots that events with a key of the same name write.
SORTS: dict[str, SlotKind] = {
    "track": "track", "fact": "track", "mark": "status", "pair": "pairs", "record": "records", "flip": "printed",
    "create": "presence",
}  # fmt: skip


def written_slots(event: Event, kinds: tuple[str, ...]) -> tuple[PositionSlot, ...]:
    """Return the write set of an event; `kinds` holds the kind of each piece."""
    match event.kind:
        case "account" | "recovery":
            return ()
        case "move":
            return tuple(_slots_of_move(event, kinds[event.subject]))
        case "amend":
            return (PositionSlot("field", f"{event.subject.type}.{event.key}"),)
        case "clock":
            return (PositionSlot("track", f"game.{event.key}"),)
        case kind:
            return (PositionSlot(SORTS[kind], event.key),)


def _slots_of_move(event: Event, kind: str) -> Iterator[PositionSlot]:
    """Yield the write set of a move."""
    (old, place), (new, other) = event.old, event.new
    if old != new:
        yield PositionSlot("hex", kind)
        yield PositionSlot("occupants", kind)
        if old < 0 or new < 0:
            yield PositionSlot("presence", kind)
    if place != other:
        yield PositionSlot("place", kind)
