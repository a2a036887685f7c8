"""Read scenarios.

In: the entries of a YAML document that begins with `scenario:`. Out: a `source.Scenario`, whose conditions are parsed.
"""

from compiler.source import nodes as source
from compiler.source.findings.files import TooLarge
from compiler.source.findings.yaml_documents import UnknownKey
from compiler.source.parse import parse_expression, parse_rules
from compiler.source.reading import values
from compiler.source.reading.boards import read_connections, read_hexes, read_map
from compiler.source.reading.positions import read_hex_entries, read_named, read_side_entries
from compiler.source.span import NOWHERE, Span
from compiler.source.suggestions import nearest_names

# The largest printed situations have some dozens of turns and some hundreds of counters.
MOST_TURNS = 1_000
MOST_UNITS, MOST_UNITS_IN_ALL = 500, 1_000
# The keys of a placed piece besides the statuses and tracks with which it starts.
_PLACED_KEYS = ("unit", "name", "at", "in")
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


def read_card(document: source.ValueMap, reports: values.DocumentProblems) -> source.Scenario:
    """Read `scenario:`."""
    name = values.read_word(document.get("scenario"))
    order = read_sides(document.get("order"), reports)
    turns = read_turns(document.get("turns"), reports)
    return source.Scenario(
        document.span,
        name,
        values.read_text(document.get("title"), name.text),
        values.read_word(document.get("uses")),
        values.read_sources(document.get("cites"), reports),
        read_map(document.get("map")),
        turns,
        read_sides(document.get("set_up"), reports) or order,
        order,
        tuple((word, read_fact(value, reports)) for word, value in values.read_entries(document.get("facts"))),
        tuple(read_region(name, value, reports) for name, value in values.read_entries(document.get("regions"))),
        read_gaps(document.get("gaps")),
        _forces(document, turns, reports),
        tuple(
            source.VictoryLine(condition.span, side, level, expression)
            for side, levels in values.read_entries(document.get("victory"))
            for level, condition in values.read_entries(levels)
            if (expression := read_condition(values.read_scalar(condition), reports)) is not None
        ),
        read_special(document.get("special"), reports),
        values.read_words(document.get("printed_so")),
        read_connections(document.get("links"), reports),
        read_hex_entries(document),
        read_side_entries(document.get("sides")),
    )


def read_turns(value: source.Value | None, reports: values.DocumentProblems) -> int:
    """Read the number of turns of a game."""
    turns = values.read_limited_number(value, "turns", MOST_TURNS, reports)
    if turns < 1:
        reports.report_shape(values.read_scalar(value).span, "one turn at least", f"`{turns}`")
    return turns


def read_gaps(value: source.Value | None) -> tuple[str, ...]:
    """Read the questions that the sources leave open."""
    return tuple(values.read_scalar(each).text for each in values.read_items(value))


def read_sides(value: source.Value | None, reports: values.DocumentProblems) -> tuple[source.Word, ...]:
    """Read the order of the sides; a repeated side is reported, because it would move twice or displace another."""
    found: list[source.Word] = []
    for each in values.read_words(value):
        if any(each.text == other.text for other in found):
            reports.report_shape(each.span, "each side once", f"`{each.text}` twice")
        found.append(each)
    return tuple(found)


def _forces(document: source.ValueMap, turns: int, reports: values.DocumentProblems) -> tuple[source.Force, ...]:
    """Read all forces; those beyond the limit of a card are dropped."""
    found: list[source.Force] = []
    units = 0
    for each in values.read_maps(document.get("forces")):
        force = _force(each, turns, reports)
        units += sum(count for _, count in force.units) + len(force.placed)
        if units > MOST_UNITS_IN_ALL:
            reports.problems.append(TooLarge(force.span, "units in all", MOST_UNITS_IN_ALL))
            break
        found.append(force)
    return tuple(found)


def _force(force: source.ValueMap, turns: int, reports: values.DocumentProblems) -> source.Force:
    """Read pieces that arrive in the same way."""
    enters = force.get("enters")
    return source.Force(
        force.span,
        values.read_word(force.get("side")),
        values.optional_text(force.get("group")),
        tuple(
            (unit, values.read_limited_number(count, "units of one kind", MOST_UNITS, reports))
            for unit, count in values.read_entries(force.get("units"))
        ),
        read_starting_pieces(force.get("placed")),
        read_areas(force.get("sets_up"), reports),
        read_entry(enters, turns, reports) if isinstance(enters, source.ValueMap) else None,
        read_named(force.get("relations")),
    )


def read_starting_pieces(value: source.Value | None) -> tuple[source.StartingPiece, ...]:
    """Read single pieces in single hexes."""
    return tuple(
        source.StartingPiece(
            each.span,
            values.read_word(each.get("unit")),
            values.optional_word(each.get("name")),
            values.read_word(each.get("at")),
            values.optional_word(each.get("in")),
            tuple((word, noted) for word, noted in each.entries if word.text not in _PLACED_KEYS),
        )
        for each in values.read_maps(value)
    )


def read_fact(value: source.Value, reports: values.DocumentProblems) -> source.Value | tuple[source.Area, ...]:
    """Read a fact: a value, or hexes of the map by location."""
    areas = values.read_maps(value)
    keys = [key for area in areas for key, _ in area.entries]
    if not {key.text for key in keys} & _AREA_KEYS:
        return value
    for key in keys:
        if key.text not in _AREA_KEYS:
            candidates = nearest_names(key.text, _AREA_KEYS)
            reports.problems.append(UnknownKey(key.span, key.text, "area", candidates, tuple(sorted(_AREA_KEYS))))
    return read_areas(value, reports)


def read_region(name: source.Word, value: source.Value, reports: values.DocumentProblems) -> source.CardRegion:
    """Read a region: an area, a list of areas, or a list of hexes."""
    areas = read_areas(value, reports)
    if areas:
        return source.CardRegion(value.span, name, areas)
    listed = source.Area(value.span, (), (), read_hexes(value, reports), None, None, None, None, None)
    return source.CardRegion(value.span, name, (listed,))


def read_areas(value: source.Value | None, reports: values.DocumentProblems) -> tuple[source.Area, ...]:
    """Read an area, or a list of them."""
    return tuple(_area(each, reports) for each in values.read_maps(value))


def _area(area: source.ValueMap, reports: values.DocumentProblems) -> source.Area:
    """Read a location condition of hexes."""
    return source.Area(
        area.span,
        tuple(values.read_word(each) for key in ("board", "boards") for each in values.read_items(area.get(key))),
        tuple(values.read_word(each) for key in ("region", "regions") for each in values.read_items(area.get(key))),
        read_hexes(area.get("hexes"), reports) + read_hexes(area.get("spaces"), reports),
        values.optional_word(area.get("edge")),
        _columns(area.get("columns"), reports),
        _columns(area.get("rows"), reports),
        _near(area, reports),
        _bounded(area, reports),
    )


def _near(area: source.ValueMap, reports: values.DocumentProblems) -> source.WithinDistance | None:
    """Read `within: 2, of: mill` or `beyond: 2, of: mill`."""
    within_value = area.get("within")
    beyond_value = area.get("beyond")
    origin_value = area.get("of")
    if within_value is None and beyond_value is None and origin_value is None:
        return None
    if origin_value is None or (within_value is None and beyond_value is None):
        reports.report_shape(
            area.span, "`within` or `beyond` a number of hexes, and what they are counted from in `of`", "one"
        )
    most = None if within_value is None else values.read_number(within_value)
    return source.WithinDistance(
        area.span,
        most,
        None if beyond_value is None else values.read_number(beyond_value),
        values.read_words(origin_value),
    )


def _bounded(area: source.ValueMap, reports: values.DocumentProblems) -> source.ConnectedArea | None:
    """Read `around: 1A1, up_to: brook`."""
    center, up_to = area.get("around"), area.get("up_to")
    if center is None and up_to is None:
        return None
    if center is None or up_to is None:
        reports.report_shape(area.span, "a hex in `around`, and the features that bound it in `up_to`", "one of them")
        return None
    return source.ConnectedArea(area.span, values.read_word(center), values.read_words(up_to))


def _columns(value: source.Value | None, reports: values.DocumentProblems) -> source.MatchRange | None:
    """Read `4` or `1..4`."""
    if not isinstance(value, source.Scalar):
        return None
    ends = values.read_range(value, reports)
    if ends is None and not (value.text.isascii() and value.text.isdigit()):
        reports.report_shape(value.span, "a number, or a run of them such as `1..4`", f"`{value.text}`")
        return None
    return source.MatchRange(value.span, *(ends or (values.read_number(value), values.read_number(value))))


def read_entry(enters: source.ValueMap, turns: int, reports: values.DocumentProblems) -> source.Entry:
    """Read where and when a force enters."""
    turn = enters.get("turn")
    if turn is not None and turns and not 1 <= values.read_number(turn) <= turns:
        reports.report_shape(
            values.read_scalar(turn).span, f"a turn of the game, from 1 to {turns}", f"`{values.read_number(turn)}`"
        )
    hexes = read_hexes(enters.get("hexes"), reports) + read_hexes(enters.get("spaces"), reports)
    edge = values.optional_word(enters.get("edge"))
    if edge is None and not hexes:
        reports.report_shape(enters.span, "an `edge` or `hexes` to enter by", "neither")
    return source.Entry(enters.span, edge, values.optional_word(enters.get("board")), hexes, values.read_number(turn))


def read_condition(written: source.Scalar, reports: values.DocumentProblems) -> source.Expression | None:
    """Parse an expression inside YAML."""
    expression, syntax_problems = parse_expression(written.text, written.span.file, _start(written, reports))
    reports.problems.extend(syntax_problems)
    return expression


def read_special(value: source.Value | None, reports: values.DocumentProblems) -> tuple[source.Statement, ...]:
    """Parse the rules of one card."""
    if not isinstance(value, source.Scalar):
        return ()
    parsed, syntax_problems = parse_rules(value.text, value.span.file, _start(value, reports))
    reports.problems.extend(syntax_problems)
    return parsed.statements


def _start(written: source.Scalar, reports: values.DocumentProblems) -> Span:
    """Return the start of a text; a folded text has lost its lines and is reported."""
    if written.start is NOWHERE:
        reports.report_shape(written.span, "a text below `|`, which keeps its lines", "a text below `>`")
        return written.span
    return written.start
