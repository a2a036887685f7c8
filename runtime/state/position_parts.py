"""The parts of a position, by name: the units of read and write sets.

In: an event. Out: the parts that it writes. A track, status or fact is named by its key; further parts are the hexes of
the pieces of a kind, the occupants of hexes by kind, their places, their presence, the pairs of a relation, the
records of a type, one field of a type of record, and a field of the clock.
"""

from collections.abc import Callable, Iterable

from runtime.state.record import Event


def hexes_part(kind: str) -> str:
    """Return the key of the part: the hex of each piece of a kind."""
    return f"where {kind}"


def piece_hexes_part(kind: str) -> str:
    """Return the key of the part: the pieces of a kind in each hex."""
    return f"who {kind}"


def places_part(kind: str) -> str:
    """Return the key of the part: the places of pieces of a kind within their hexes."""
    return f"place {kind}"


def presence_part(kind: str) -> str:
    """Return the key of the part: whether pieces of a kind are on the map, off it, or removed."""
    return f"present {kind}"


def printed_part(kind: str) -> str:
    """Return the key of the part: the printed values of pieces of a kind."""
    return f"printed {kind}"


def pairs_part(relation: str) -> str:
    """Return the key of the part: the pairs of a relation."""
    return f"pairs {relation}"


def record_slots(type_: str) -> str:
    """Return the key of the part: the written records of a type."""
    return f"written {type_}"


def record_field_part(type_: str, name: str) -> str:
    """Return the key of the part: a field of the records of a type."""
    return f"field {type_}.{name}"


# A track, a status and a fact are named by their keys.
PARTS: dict[str, Callable[[Event], str]] = {
    "track": lambda event: event.key,
    "fact": lambda event: event.key,
    "mark": lambda event: event.key,
    "pair": lambda event: pairs_part(event.key),
    "record": lambda event: record_slots(event.key),
    "amend": lambda event: record_field_part(event.subject.type, event.key),
    "clock": lambda event: f"game.{event.key}",
    "flip": lambda event: printed_part(event.key),
    "create": lambda event: presence_part(event.key),
}


def written_parts(event: Event, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the write set of an event; `kinds` holds the kind of each piece."""
    if event.kind == "account":
        return ()
    if event.kind == "move":
        return tuple(parts_moved(event, kinds[event.subject]))
    return (PARTS[event.kind](event),)


def parts_moved(event: Event, kind: str) -> Iterable[str]:
    """Yield the write set of a move."""
    (old, place), (new, other) = event.old, event.new
    if old != new:
        yield hexes_part(kind)
        yield piece_hexes_part(kind)
        if old < 0 or new < 0:
            yield presence_part(kind)
    if place != other:
        yield places_part(kind)
