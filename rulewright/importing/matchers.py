"""Normalize the matchers and objectives of a module to the form of plain facts.

Each type of block has a row in a table below; a block of another type is passed on under its name, and the caller
that interprets it notes it as lost.
"""

from collections.abc import Callable, Iterable, Mapping

from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.span import Span
from rulewright.importing.nested_blocks import Block


def plain_matcher(block: Block) -> Value:
    """Normalize a matcher; an unknown one is passed on under its name, and noted when it is interpreted."""
    return _plain(block, MATCHERS)


def plain_objective(block: Block) -> Value:
    """Normalize an objective."""
    return _plain(block, OBJECTIVES)


def _plain(block: Block, known: Mapping[str, "BlockFunction"]) -> Value:
    """Normalize a block by a table.

    A block with parts that its reader ignores is passed on under its name: without them its meaning would differ."""
    make = known.get(block.type)
    if make is None:
        return make_map(block.span, {block.type: make_scalar(block, block.text or "..")})
    more = [part.name for part in block.children if part.name not in READ_PARTS.get(block.type, {part.name})]
    return (
        make_map(block.span, {f"{block.type} with {', '.join(more)}": make_scalar(block, "..")})
        if more
        else make(block)
    )


BlockFunction = Callable[[Block], Value]


def _entry(key: str, child: str) -> BlockFunction:
    return lambda block: make_map(block.span, {key: make_scalar(block, block.child_word(child))})


def _joined(key: str, read: BlockFunction) -> BlockFunction:
    return lambda block: make_map(block.span, {key: make_list(block.span, (read(part) for part in block.children))})


def _wrapped(key: str, child: str, read: BlockFunction) -> BlockFunction:
    return lambda block: make_map(block.span, {key: read(block.child(child) or block)})


def _literal(text: str) -> BlockFunction:
    return lambda block: make_scalar(block, text)


def _zone(block: Block) -> Value:
    pairs = [part.strip(",").split(",") for part in block.child_word("zone").split()]
    corners = (make_list(block.span, (make_scalar(block, number) for number in pair)) for pair in pairs)
    return make_map(block.span, {"zone_polygon_col_row": make_list(block.span, corners)})


def _coordinate(block: Block) -> Value:
    place = block.child_word("coordinate")
    pair = make_list(block.span, (make_scalar(block, number.strip()) for number in place.split(",")))
    return make_map(block.span, {"hex": make_scalar(block, place), "col_row": pair})


def _height(block: Block) -> Value:
    key = "elevation_at_least" if block.child_word("atleast", "true") == "true" else "elevation below"
    return make_map(block.span, {key: text_in_block(block, "elevation")})


def _distance(block: Block) -> Value:
    reach, inner = block.child_word("distance", "0"), plain_matcher(block.child("matcher") or block)
    if block.child_word("atleast") != "true":
        return make_map(block.span, {"within": make_scalar(block, reach), "of": inner})
    return make_map(block.span, {"at_least": make_scalar(block, reach), "from": inner})


def _count(key: str, whose: str, other_word: str) -> BlockFunction:
    def make(block: Block) -> Value:
        side_word = "own" if block.child_word("friendly") == "true" else other_word
        matcher = block.child("matcher")
        lost = make_map(block.span, {"status": make_scalar(block, "destroyed")})
        return make_map(
            block.span,
            {
                key: make_map(
                    block.span,
                    {whose: make_scalar(block, side_word), "where": plain_matcher(matcher) if matcher else lost},
                )
            },
        )

    return make


def plain_limit(block: Block) -> dict[str, Value]:
    """Return the bound of a score: `at_most` or `at_least`, with the threshold."""
    key = "at_most" if block.child_word("invert") == "true" else "at_least"
    return {key: text_in_block(block, "threshold")}


def _test(block: Block) -> Value:
    tested = block.child("objective")
    return make_map(
        block.span, {"test": plain_objective(tested) if tested else make_scalar(block, "..")} | plain_limit(block)
    )


def _ratio(block: Block) -> Value:
    parts = [block.child(name) or block for name in ("numerator", "denominator")]
    return make_map(block.span, {"ratio_floor": make_list(block.span, (plain_objective(part) for part in parts))})


def _line_of_fire(block: Block) -> Value:
    entries = {
        "by": make_scalar(block, "enemy" if block.child_word("friendly") == "false" else "own"),
        "include_field_of_sight": text_in_block(block, "include-field-of-sight", "true"),
        "break_through": text_in_block(block, "break-through", "false"),
        "width": text_in_block(block, "width", "1"),
        "vertical": text_in_block(block, "vertical", "false"),
    }
    return make_map(block.span, {"unbroken_line_of_fire": make_map(block.span, entries)})


def _points(block: Block) -> Value:
    inner = plain_objective(block.child("objective") or block)
    return make_map(block.span, {"points_each": text_in_block(block, "points"), "for": inner})


MATCHERS: Mapping[str, BlockFunction] = {
    "any-tile": _literal("anywhere"),
    "tile-matches-all": _joined("all_of", plain_matcher),
    "tile-matches-any": _joined("any_of", plain_matcher),
    "tile-not": _wrapped("not", "matcher", plain_matcher),
    "tile-within": _zone,
    "tile-has-coordinate": _coordinate,
    "tile-in-region": _entry("region", "region-name"),
    "tile-on-edge": _entry("map_edge", "edge"),
    "tile-distance-from": _distance,
    "tile-elevation": _height,
    "tile-has-unit": _wrapped("has_unit", "matcher", plain_matcher),
    "tile-has-edge": _entry("has_hexside", "edge"),
    "tile-has-base": _entry("base_terrain", "base"),
    "tile-has-path": _entry("has_path", "path"),
    "tile-has-bridge": _literal("is_bridge"),
    "unit-matches-all": _joined("all_of", plain_matcher),
    "unit-matches-any": _joined("any_of", plain_matcher),
    "unit-not": _wrapped("not", "matcher", plain_matcher),
    "unit-has-status": _entry("status", "status"),
    "unit-has-evacuated": _entry("exited_by", "direction"),
    "unit-has-reconned": _entry("reconned_off", "direction"),
    "unit-has-position": _wrapped("at", "matcher", plain_matcher),
    "unit-has-configuration": _entry("unit", "unit-configuration"),
    "unit-has-class": _entry("unit_class", "unit-class"),
    "unit-is-hostile": _entry("hostile_to_team", "team"),
}
OBJECTIVES: Mapping[str, BlockFunction] = {
    "var": lambda block: make_map(block.span, {"ref": make_scalar(block, block.display_text)}),
    "prevent-enemy-objective": _literal("enemy_did_not_win"),
    "tiles-controlled-objective": _count("count_hexes_controlled", "by", "not_own"),
    "units-matched-objective": _count("count_units", "of", "enemy"),
    "units-destroyed-objective": _count("count_units", "of", "enemy"),
    "trigger-objective": _test,
    "line-of-fire-objective": _line_of_fire,
    "achieve-all": _joined("all", plain_objective),
    "achieve-any": _joined("any", plain_objective),
    "sum-objective": _joined("sum", plain_objective),
    "ratio-objective": _ratio,
    "points-objective": _points,
    "highest-score-objective": _wrapped("own_score_exceeds_every_enemy", "metric", plain_objective),
}


# The parts that are read of a block, for the types whose readers do not read all parts.
READ_PARTS: Mapping[str, frozenset[str]] = {
    kind: frozenset(names.split())
    for kind, names in {
        "any-tile": "",
        "tile-not": "matcher",
        "tile-within": "zone",
        "tile-has-coordinate": "coordinate",
        "tile-in-region": "region-name",
        "tile-on-edge": "edge",
        "tile-distance-from": "distance matcher atleast",
        "tile-elevation": "elevation atleast",
        "tile-has-unit": "matcher",
        "tile-has-edge": "edge",
        "tile-has-base": "base",
        "tile-has-path": "path",
        "tile-has-bridge": "",
        "unit-not": "matcher",
        "unit-has-status": "status",
        "unit-has-evacuated": "direction",
        "unit-has-reconned": "direction",
        "unit-has-position": "matcher",
        "unit-has-configuration": "unit-configuration",
        "unit-has-class": "unit-class",
        "unit-is-hostile": "team",
        "prevent-enemy-objective": "",
        "tiles-controlled-objective": "friendly matcher",
        "units-matched-objective": "friendly matcher",
        "units-destroyed-objective": "friendly matcher",
        "trigger-objective": "objective threshold invert",
        "line-of-fire-objective": "friendly include-field-of-sight break-through width vertical",
        "ratio-objective": "numerator denominator",
        "points-objective": "objective points",
        "highest-score-objective": "metric",
    }.items()
}


# ---------------------------------------------------------------- trees


def inner_blocks(block: Block, name: str) -> tuple[Block, ...]:
    """Return the blocks inside the block of a name; empty if there is none."""
    found = block.child(name)
    return found.children if found is not None else ()


def make_scalar(block: Block, text: str) -> Scalar:
    """Build a scalar with the span of a block."""
    return Scalar(block.span, text)


def text_in_block(block: Block, name: str, default: str = "") -> Scalar:
    """Return the text of the inner block of a name, with its span; `default` if there is none."""
    found = block.child(name)
    return Scalar(block.span, default) if found is None else Scalar(found.span, found.text)


def make_map(span: Span, entries: Mapping[str, Value]) -> ValueMap:
    """Build a map whose keys have one span."""
    return ValueMap(span, tuple((Word(span, key), value) for key, value in entries.items()))


def make_list(span: Span, items: Iterable[Value]) -> ValueList:
    """Build a list."""
    return ValueList(span, tuple(items))
