"""Read the changes of layers to cards."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from compiler.source.nodes import CardPatch, ForceChange, PartChange, Value, ValueMap, VictoryLine, Word
from compiler.source.reading import cards, values
from compiler.source.reading.boards import read_connections, read_map
from compiler.source.reading.positions import read_named, read_side_entries, read_spaces

Citations = tuple[Word, ...]
# Parts that a card has once, and their readers; `set_up` comes before the order, which it may follow.
WHOLE_PARTS: Mapping[str, Callable[[Value, values.DocumentProblems], Any]] = {
    "title": lambda value, _: values.read_text(value),
    "map": lambda value, _: read_map(value),
    "links": lambda value, reports: read_connections(value, reports) or None,
    "turns": cards.read_turns,
    "set_up": cards.read_sides,
    "order": cards.read_sides,
    "gaps": lambda value, _: cards.read_gaps(value) or None,
    "hexes": lambda value, _: read_spaces(value) or None,
    "sides": lambda value, _: read_side_entries(value) or None,
}
# These may be absent.
OPTIONAL_PARTS = ("gaps", "links", "hexes", "sides")
# Lists of a card, in which each change identifies its entry.
ENTRY_OF_LIST = {"facts": "fact", "regions": "region", "victory": "level", "special": "named"}
# Parts that a force has once.
OF_FORCE: Mapping[str, Callable[[Value, values.DocumentProblems], Any]] = {
    "sets_up": cards.read_areas,
    "enters": lambda value, reports: cards.read_entry(value, 0, reports) if isinstance(value, ValueMap) else None,
    "placed": lambda value, _: cards.read_starting_pieces(value) or None,
    "relations": lambda value, _: read_named(value) or None,
}
# Another key of a part.
SYNONYMS = {"spaces": "hexes"}
# Parts of charts.
OF_CHARTS = ("set", "add kinds", "add columns", "add rows")
_KEYS = (*WHOLE_PARTS, *SYNONYMS, *ENTRY_OF_LIST, "forces")


def is_card_patch(document: ValueMap) -> bool:
    """Return whether a patch changes a card; one that changes a title alone may be that of a chart, too."""
    keys = {key for key in _KEYS if document.get(key) is not None}
    is_of_chart = keys == {"title"} and any(document.get(key) is not None for key in OF_CHARTS)
    return bool(keys) and not is_of_chart


def read_card_patch(document: ValueMap, reports: values.DocumentProblems) -> CardPatch:
    """Read `patch:` of a card."""
    cites = values.read_sources(document.get("cites"), reports)
    for key, _ in document.entries:
        if key.text not in ("patch", "cites", *_KEYS):
            reports.report_shape(key.span, "nothing but parts of a card", f"`{key.text}`")
    forces = values.read_maps(document.get("forces"))
    return CardPatch(
        document.span,
        values.read_word(document.get("patch")),
        cites,
        tuple(_number(each, cites, reports) for each in forces if each.get("unit") is not None),
        (*_parts(document, cites, reports), *(part for each in forces for part in _of_force(each, cites, reports))),
    )


def _number(change: ValueMap, cites: Citations, reports: values.DocumentProblems) -> ForceChange:
    """Read the change of one number."""
    values.read_limited_number(change.get("now"), "units of one kind", cards.MOST_UNITS, reports)
    return ForceChange(
        change.span,
        values.read_word(change.get("side")),
        values.optional_word(change.get("group")),
        values.read_word(change.get("unit")),
        values.read_scalar(change.get("expect")),
        values.read_scalar(change.get("now")),
        values.read_sources(change.get("cites"), reports) or cites,
    )


def _of_force(force: ValueMap, cites: Citations, reports: values.DocumentProblems) -> Iterator[PartChange]:
    """Read changes of where a force arrives, of its placed pieces and of its relations."""
    found = [(key, value) for key, value in force.entries if key.text in OF_FORCE and isinstance(value, ValueMap)]
    if not found and force.get("unit") is None:
        expected = f"a `unit`, {', '.join(f'`{key}`' for key in OF_FORCE)} to change"
        reports.report_shape(force.span, expected.replace(", `relations`", " or `relations`"), "none")
    force_key = values.read_word(force.get("side")), values.optional_word(force.get("group"))
    force_cites = values.read_sources(force.get("cites"), reports) or cites
    yield from (_change(value, (key.text, key), force_key, force_cites, reports) for key, value in found)


def _parts(document: ValueMap, cites: Citations, reports: values.DocumentProblems) -> Iterator[PartChange]:
    """Read the changes of parts other than forces."""
    for kind in WHOLE_PARTS:
        for key, value in document.entries:
            if SYNONYMS.get(key.text, key.text) == kind and isinstance(value, ValueMap):
                change = _change(value, (kind, key), (None, None), cites, reports)
                if kind not in OPTIONAL_PARTS and (change.expects is None or change.now is None):
                    reports.report_shape(value.span, "`expect` and `now`", "one of them, or neither")
                yield change
    for kind, called in ENTRY_OF_LIST.items():
        for each in values.read_maps(document.get(kind)):
            named = kind, values.read_word(each.get(called))
            yield _change(each, named, (values.optional_word(each.get("side")), None), cites, reports)


def _change(
    change: ValueMap,
    named: tuple[str, Word],
    force_key: tuple[Word | None, Word | None],
    cites: Citations,
    reports: values.DocumentProblems,
) -> PartChange:
    """Read one change: the expected part and its replacement; one of them may be absent."""
    (kind, name), (side, group) = named, force_key
    expects, replacement = change.get("expect"), change.get("now")
    if expects is None and replacement is None:
        reports.report_shape(change.span, "`expect`, `now`, or both", "neither")
    own_cites = values.read_sources(change.get("cites"), reports)
    # Of special rules the hash is expected, as in replacements: their text need not be repeated.
    expected_part = _print(expects) if kind == "special" else _part(kind, name, side, expects, reports)
    return PartChange(
        change.span,
        kind,
        name,
        side,
        group,
        expected_part,
        _part(kind, name, side, replacement, reports),
        own_cites or cites,
    )


def _print(value: Value | None) -> str | None:
    return None if value is None else values.read_scalar(value).text


def _part(kind: str, name: Word, side: Word | None, value: Value | None, reports: values.DocumentProblems) -> Any:
    """Read a part of a card with the reader of the card itself; None if it is absent."""
    if value is None:
        return None
    reader = WHOLE_PARTS.get(kind) or OF_FORCE.get(kind)
    if reader is not None:
        return reader(value, reports)
    match kind:
        case "facts":
            return cards.read_fact(value, reports)
        case "regions":
            return cards.read_region(name, value, reports)
        case "special":
            return cards.read_special(value, reports) or None
        case _:
            condition = cards.read_condition(values.read_scalar(value), reports)
            return None if condition is None or side is None else VictoryLine(value.span, side, name, condition)
