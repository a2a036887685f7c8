"""Read what layers change on cards."""

from collections.abc import Iterator
from typing import Any

from compiler.source.nodes import CardPatch, ForceChange, PartChange, Value, ValueMap, VictoryLine, Word
from compiler.source.reading.cards import (
    MOST_TURNS,
    MOST_UNITS,
    read_areas,
    read_condition,
    read_entry,
    read_fact,
    read_region,
    read_sides,
)
from compiler.source.reading.values import (
    Reports,
    entry,
    items,
    limited,
    maybe_word,
    read_sources,
    scalar,
    word,
)

Cites = tuple[Word, ...]
# What a card has once, and what it lists: there each change names what it is about.
WHOLE = ("turns", "order", "set_up")
LISTED = {"facts": "fact", "regions": "region", "victory": "level"}
PLACES = ("sets_up", "enters")
_KEYS = (*WHOLE, *LISTED, "forces")


def is_card_patch(document: ValueMap) -> bool:
    """Tell whether a patch changes a card."""
    return any(entry(document, key) is not None for key in _KEYS)


def read_card_patch(document: ValueMap, reports: Reports) -> CardPatch:
    """Read `patch:` of a card."""
    cites = read_sources(entry(document, "cites"), reports)
    for key, _ in document.entries:
        if key.text not in ("patch", "cites", *_KEYS):
            reports.shape(key.span, "nothing but parts of a card", f"`{key.text}`")
    forces = [each for each in items(entry(document, "forces")) if isinstance(each, ValueMap)]
    return CardPatch(
        document.span,
        word(entry(document, "patch")),
        cites,
        tuple(_number(each, cites, reports) for each in forces if _tells_number(each, reports)),
        (*_parts(document, cites, reports), *(part for each in forces for part in _places(each, cites, reports))),
    )


def _tells_number(change: ValueMap, reports: Reports) -> bool:
    """Tell whether a change of a force is about the number of a unit, and says both numbers."""
    given = [key for key in ("unit", "expect", "now") if entry(change, key) is not None]
    if given and len(given) < 3:
        reports.shape(change.span, "`unit`, `expect` and `now`", f"`{'` and `'.join(given)}` alone")
    return len(given) == 3


def _number(change: ValueMap, cites: Cites, reports: Reports) -> ForceChange:
    """Read the change of one number."""
    limited(entry(change, "now"), "units of one kind", MOST_UNITS, reports)
    return ForceChange(
        change.span,
        word(entry(change, "side")),
        maybe_word(entry(change, "group")),
        word(entry(change, "unit")),
        scalar(entry(change, "expect")),
        scalar(entry(change, "now")),
        read_sources(entry(change, "cites"), reports) or cites,
    )


def _places(force: ValueMap, cites: Cites, reports: Reports) -> Iterator[PartChange]:
    """Read where a force comes now."""
    found = [(key, value) for key, value in force.entries if key.text in PLACES and isinstance(value, ValueMap)]
    if not found and not any(entry(force, key) is not None for key in ("unit", "expect", "now")):
        reports.shape(force.span, "a `unit`, `sets_up` or `enters` to change", "none")
    whose = word(entry(force, "side")), maybe_word(entry(force, "group"))
    own = read_sources(entry(force, "cites"), reports) or cites
    yield from (_change(value, (key.text, key), whose, own, reports) for key, value in found)


def _parts(document: ValueMap, cites: Cites, reports: Reports) -> Iterator[PartChange]:
    """Read what changes besides the forces; who sets up comes before the order, which it may follow."""
    for kind in ("turns", "set_up", "order"):
        for key, value in document.entries:
            if key.text == kind and isinstance(value, ValueMap):
                change = _change(value, (kind, key), (None, None), cites, reports)
                if change.expects is None or change.now is None:
                    reports.shape(value.span, "`expect` and `now`", "one of them, or neither")
                yield change
    for kind, called in LISTED.items():
        for each in items(entry(document, kind)):
            if isinstance(each, ValueMap):
                named = kind, word(entry(each, called))
                yield _change(each, named, (maybe_word(entry(each, "side")), None), cites, reports)


def _change(
    change: ValueMap, named: tuple[str, Word], whose: tuple[Word | None, Word | None], cites: Cites, reports: Reports
) -> PartChange:
    """Read one change: what is expected there, and what comes instead; one of them may be nothing."""
    (kind, name), (side, group) = named, whose
    expects, now = (_part(kind, name, side, entry(change, key), reports) for key in ("expect", "now"))
    if entry(change, "expect") is None and entry(change, "now") is None:
        reports.shape(change.span, "`expect`, `now`, or both", "neither")
    own = read_sources(entry(change, "cites"), reports)
    return PartChange(change.span, kind, name, side, group, expects, now, own or cites)


def _part(kind: str, name: Word, side: Word | None, value: Value | None, reports: Reports) -> Any:
    """Read a part of a card as the card itself is read; what is not there is None."""
    if value is None:
        return None
    match kind:
        case "turns":
            turns = limited(value, "turns", MOST_TURNS, reports)
            if turns < 1:
                reports.shape(scalar(value).span, "one turn at least", f"`{turns}`")
            return turns
        case "order" | "set_up":
            return read_sides(value, reports)
        case "facts":
            return read_fact(value, reports)
        case "regions":
            return read_region(name, value, reports)
        case "sets_up":
            return read_areas(value, reports)
        case "enters":
            return read_entry(value, 0, reports) if isinstance(value, ValueMap) else None
        case _:
            asked = read_condition(scalar(value), reports)
            return None if asked is None or side is None else VictoryLine(value.span, side, name, asked)
