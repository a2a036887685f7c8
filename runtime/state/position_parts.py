"""The parts of a position, by name, and which of them an event changes.

In: an event. Out: the parts that it changes. A track, a status and a fact are
called by their keys; beside them there is the hex of each piece of a kind, who of a kind stands in a hex and in what
place, which of them are there at all, who is related, which records are written, one field of a type of record, a hand
of the clock.
"""

from collections.abc import Callable, Iterable

from runtime.state.record import Event


def hexes_of(kind: str) -> str:
    """Name the hexes of the pieces of a kind."""
    return f"where {kind}"


def piece_hexes_part(kind: str) -> str:
    """Name who of a kind stands in which hex."""
    return f"who {kind}"


def places_part(kind: str) -> str:
    """Return the key of the part: where pieces of a kind stand within their hexes."""
    return f"place {kind}"


def presence_part(kind: str) -> str:
    """Return the key of the part: whether pieces of a kind are on the map, have yet to come, or are gone."""
    return f"present {kind}"


def printed_part(kind: str) -> str:
    """Return the key of the part: what is printed on pieces of a kind."""
    return f"printed {kind}"


def pairs_part(relation: str) -> str:
    """Name who is related."""
    return f"pairs {relation}"


def record_slots(type_: str) -> str:
    """Name which records of a type are written."""
    return f"written {type_}"


def record_field_part(type_: str, name: str) -> str:
    """Name a field of the records of a type."""
    return f"field {type_}.{name}"


# A track, a status and a fact are called by their keys.
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


def parts_of(event: Event, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Name the parts that an event changes, given the kinds of all pieces."""
    if event.what == "account":
        return ()
    if event.what == "move":
        return tuple(parts_moved(event, kinds[event.subject]))
    return (PARTS[event.what](event),)


def parts_moved(event: Event, kind: str) -> Iterable[str]:
    """Name the parts that a move changes."""
    (old, place), (new, other) = event.old, event.new
    if old != new:
        yield hexes_of(kind)
        yield piece_hexes_part(kind)
        if old < 0 or new < 0:
            yield presence_part(kind)
    if place != other:
        yield places_part(kind)
