"""Read scenarios."""

from compiler.source import nodes as source
from compiler.source.parse import parse_expression, parse_rules
from compiler.source.problems import TooLarge, UnknownKey
from compiler.source.reading.boards import read_connections, read_hexes, read_map
from compiler.source.reading.positions import read_named
from compiler.source.reading.values import (
    Reports,
    entries,
    entry,
    items,
    limited,
    maybe_text,
    maybe_word,
    number,
    read_range,
    read_sources,
    scalar,
    text,
    word,
    words,
)
from compiler.source.span import NOWHERE, Span
from compiler.source.suggestions import nearest

# The largest printed situations have some dozens of turns and some hundreds of counters.
MOST_TURNS = 1_000
MOST_UNITS, MOST_UNITS_IN_ALL = 500, 1_000
_AREA_KEYS = frozenset(
    (
        "board",
        "boards",
        "region",
        "regions",
        "hexes",
        "spaces",
        "edge",
        "columns",
        "rows",
        "within",
        "beyond",
        "of",
        "around",
        "up_to",
    )
)


# ---------------------------------------------------------------- scenarios


def read_scenario(document: source.ValueMap, reports: Reports) -> source.Scenario:
    """Read `scenario:`."""
    name = word(entry(document, "scenario"))
    order = read_sides(entry(document, "order"), reports)
    turns = read_turns(entry(document, "turns"), reports)
    return source.Scenario(
        document.span,
        name,
        text(entry(document, "title"), name.text),
        word(entry(document, "uses")),
        read_sources(entry(document, "cites"), reports),
        read_map(entry(document, "map")),
        turns,
        read_sides(entry(document, "set_up"), reports) or order,
        order,
        tuple((word, read_fact(value, reports)) for word, value in entries(entry(document, "facts"))),
        tuple(read_region(name, value, reports) for name, value in entries(entry(document, "regions"))),
        read_gaps(entry(document, "gaps")),
        _forces(document, turns, reports),
        tuple(
            source.VictoryLine(condition.span, side, level, asked)
            for side, levels in entries(entry(document, "victory"))
            for level, condition in entries(levels)
            if (asked := read_condition(scalar(condition), reports)) is not None
        ),
        read_special(entry(document, "special"), reports),
        words(entry(document, "printed_so")),
        read_connections(entry(document, "links"), reports),
    )


def read_turns(value: source.Value | None, reports: Reports) -> int:
    """Read how many turns a game has."""
    turns = limited(value, "turns", MOST_TURNS, reports)
    if turns < 1:
        reports.shape(scalar(value).span, "one turn at least", f"`{turns}`")
    return turns


def read_gaps(value: source.Value | None) -> tuple[str, ...]:
    """Read what the sources leave open."""
    return tuple(scalar(each).text for each in items(value))


def read_sides(value: source.Value | None, reports: Reports) -> tuple[source.Word, ...]:
    """Read the order of the sides; a side named twice would leave another out, or move twice."""
    found: list[source.Word] = []
    for each in words(value):
        if any(each.text == other.text for other in found):
            reports.shape(each.span, "each side once", f"`{each.text}` twice")
        found.append(each)
    return tuple(found)


def _forces(document: source.ValueMap, turns: int, reports: Reports) -> tuple[source.Force, ...]:
    """Read all forces; those that are more than a card may have are left out."""
    found: list[source.Force] = []
    units = 0
    for each in items(entry(document, "forces")):
        if not isinstance(each, source.ValueMap):
            continue
        force = _force(each, turns, reports)
        units += sum(count for _, count in force.units) + len(force.placed)
        if units > MOST_UNITS_IN_ALL:
            reports.problems.append(TooLarge(force.span, "units in all", MOST_UNITS_IN_ALL))
            break
        found.append(force)
    return tuple(found)


def _force(force: source.ValueMap, turns: int, reports: Reports) -> source.Force:
    """Read pieces that arrive in the same way."""
    enters = entry(force, "enters")
    return source.Force(
        force.span,
        word(entry(force, "side")),
        maybe_text(entry(force, "group")),
        tuple(
            (unit, limited(count, "units of one kind", MOST_UNITS, reports))
            for unit, count in entries(entry(force, "units"))
        ),
        read_placed(entry(force, "placed")),
        read_areas(entry(force, "sets_up"), reports),
        read_entry(enters, turns, reports) if isinstance(enters, source.ValueMap) else None,
        read_named(entry(force, "relations")),
    )


def read_placed(value: source.Value | None) -> tuple[source.Placed, ...]:
    """Read single pieces in single hexes."""
    return tuple(
        source.Placed(
            each.span,
            word(entry(each, "unit")),
            maybe_word(entry(each, "name")),
            word(entry(each, "at")),
            maybe_word(entry(each, "in")),
        )
        for each in items(value)
        if isinstance(each, source.ValueMap)
    )


def read_fact(value: source.Value, reports: Reports) -> source.Value | tuple[source.Area, ...]:
    """Read a fact: a value, or hexes of the map by where they lie."""
    areas = [each for each in items(value) if isinstance(each, source.ValueMap)]
    keys = [key for area in areas for key, _ in area.entries]
    if not {key.text for key in keys} & _AREA_KEYS:
        return value
    for key in keys:
        if key.text not in _AREA_KEYS:
            near = nearest(key.text, _AREA_KEYS)
            reports.problems.append(UnknownKey(key.span, key.text, "area", near, tuple(sorted(_AREA_KEYS))))
    return read_areas(value, reports)


def read_region(name: source.Word, value: source.Value, reports: Reports) -> source.CardRegion:
    """Read a region: an area, a list of areas, or a list of hexes."""
    areas = read_areas(value, reports)
    if areas:
        return source.CardRegion(value.span, name, areas)
    listed = source.Area(value.span, (), (), read_hexes(value, reports), None, None, None, None, None)
    return source.CardRegion(value.span, name, (listed,))


def read_areas(value: source.Value | None, reports: Reports) -> tuple[source.Area, ...]:
    """Read an area, or a list of them."""
    return tuple(_area(each, reports) for each in items(value) if isinstance(each, source.ValueMap))


def _area(area: source.ValueMap, reports: Reports) -> source.Area:
    """Read where hexes lie."""
    return source.Area(
        area.span,
        tuple(word(each) for key in ("board", "boards") for each in items(entry(area, key))),
        tuple(word(each) for key in ("region", "regions") for each in items(entry(area, key))),
        read_hexes(entry(area, "hexes"), reports) + read_hexes(entry(area, "spaces"), reports),
        maybe_word(entry(area, "edge")),
        _columns(entry(area, "columns"), reports),
        _columns(entry(area, "rows"), reports),
        _near(area, reports),
        _bounded(area, reports),
    )


def _near(area: source.ValueMap, reports: Reports) -> source.Near | None:
    """Read `within: 2, of: mill` or `beyond: 2, of: mill`."""
    within, beyond, of = entry(area, "within"), entry(area, "beyond"), entry(area, "of")
    if within is None and beyond is None and of is None:
        return None
    if of is None or (within is None and beyond is None):
        reports.shape(
            area.span, "`within` or `beyond` a number of hexes, and what they are counted from in `of`", "one"
        )
    most = None if within is None else number(within)
    return source.Near(area.span, most, None if beyond is None else number(beyond), words(of))


def _bounded(area: source.ValueMap, reports: Reports) -> source.Bounded | None:
    """Read `around: 1A1, up_to: brook`."""
    around, up_to = entry(area, "around"), entry(area, "up_to")
    if around is None and up_to is None:
        return None
    if around is None or up_to is None:
        reports.shape(area.span, "a hex in `around`, and the features that bound it in `up_to`", "one of them")
        return None
    return source.Bounded(area.span, word(around), words(up_to))


def _columns(value: source.Value | None, reports: Reports) -> source.MatchRange | None:
    """Read `4` or `1..4`."""
    if not isinstance(value, source.Scalar):
        return None
    ends = read_range(value, reports)
    if ends is None and not (value.text.isascii() and value.text.isdigit()):
        reports.shape(value.span, "a number, or a run of them such as `1..4`", f"`{value.text}`")
        return None
    return source.MatchRange(value.span, *(ends or (number(value), number(value))))


def read_entry(enters: source.ValueMap, turns: int, reports: Reports) -> source.Entry:
    """Read where and when a force comes on."""
    turn = entry(enters, "turn")
    if turn is not None and turns and not 1 <= number(turn) <= turns:
        reports.shape(scalar(turn).span, f"a turn of the game, from 1 to {turns}", f"`{number(turn)}`")
    hexes = read_hexes(entry(enters, "hexes"), reports) + read_hexes(entry(enters, "spaces"), reports)
    edge = maybe_word(entry(enters, "edge"))
    if edge is None and not hexes:
        reports.shape(enters.span, "an `edge` or `hexes` to enter by", "neither")
    return source.Entry(enters.span, edge, maybe_word(entry(enters, "board")), hexes, number(turn))


def read_condition(written: source.Scalar, reports: Reports) -> source.Expression | None:
    """Parse an expression that stands in YAML."""
    expression, slips = parse_expression(written.text, written.span.file, _start(written, reports))
    reports.problems.extend(slips)
    return expression


def read_special(value: source.Value | None, reports: Reports) -> tuple[source.Statement, ...]:
    """Parse the rules of one card."""
    if not isinstance(value, source.Scalar):
        return ()
    parsed, slips = parse_rules(value.text, value.span.file, _start(value, reports))
    reports.problems.extend(slips)
    return parsed.statements


def _start(written: source.Scalar, reports: Reports) -> Span:
    """Find where a text begins; one that was folded has lost its lines."""
    if written.start is NOWHERE:
        reports.shape(written.span, "a text below `|`, which keeps its lines", "a text below `>`")
        return written.span
    return written.start
