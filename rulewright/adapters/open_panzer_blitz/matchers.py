"""Normalize the matchers and objectives of a module to the form of plain facts.

Each type of block has a row in a table below; a block of another type is passed on under its name, and the caller
that interprets it notes it as lost.
"""

from collections.abc import Callable, Iterable, Mapping

from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.span import Span
from rulewright.adapters.open_panzer_blitz.nested_blocks import Block
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class BlockReader:
    """How blocks of a type are normalized: the parts that are read (None: all of them), and what they become."""

    parts: frozenset[str] | None
    read: Callable[[Block], Value]


def plain_matcher(block: Block) -> Value:
    """Normalize a matcher; an unknown one is passed on under its name, and noted when it is interpreted."""
    return _plain(block, MATCHERS)


def plain_objective(block: Block) -> Value:
    """Normalize an objective."""
    return _plain(block, OBJECTIVES)


def _plain(block: Block, readers: Mapping[str, BlockReader]) -> Value:
    """Normalize a block by a table.

    A block with parts that its reader ignores is passed on under its name: without them its meaning would differ."""
    reader = readers.get(block.type)
    if reader is None:
        return _keyed(block, block.type, make_scalar(block, block.text or ".."))
    parts = [part.name for part in block.children]
    more = [name for name in parts if reader.parts is not None and name not in reader.parts]
    if more:
        return _keyed(block, f"{block.type} with {', '.join(more)}", make_scalar(block, ".."))
    return reader.read(block)


def _reader(parts: str, read: Callable[[Block], Value]) -> BlockReader:
    return BlockReader(frozenset(parts.split()), read)


def _entry(key: str, part: str) -> BlockReader:
    """Return a reader of one part, whose word becomes the value of a key."""
    return _reader(part, lambda block: _keyed(block, key, make_scalar(block, block.child_word(part))))


def _joined(key: str, read: Callable[[Block], Value]) -> BlockReader:
    """Return a reader of all parts, which become a list."""
    return BlockReader(None, lambda block: _keyed(block, key, make_list(block.span, map(read, block.children))))


def _wrapped(key: str, part: str, read: Callable[[Block], Value]) -> BlockReader:
    """Return a reader of one part, which is normalized in turn."""
    return _reader(part, lambda block: _keyed(block, key, read(block.child(part) or block)))


def _literal(text: str) -> BlockReader:
    return _reader("", lambda block: make_scalar(block, text))


def _zone(block: Block) -> Value:
    pairs = [part.strip(",").split(",") for part in block.child_word("zone").split()]
    return _keyed(block, "zone_polygon_col_row", make_list(block.span, (_words(block, pair) for pair in pairs)))


def _coordinate(block: Block) -> Value:
    place = block.child_word("coordinate")
    pair = _words(block, (number.strip() for number in place.split(",")))
    return make_map(block.span, {"hex": make_scalar(block, place), "col_row": pair})


def _height(block: Block) -> Value:
    key = "elevation_at_least" if block.child_word("atleast", "true") == "true" else "elevation below"
    return _keyed(block, key, text_in_block(block, "elevation"))


def _distance(block: Block) -> Value:
    keys = ("at_least", "from") if block.child_word("atleast") == "true" else ("within", "of")
    reach, inner = block.child_word("distance", "0"), plain_matcher(block.child("matcher") or block)
    return make_map(block.span, dict(zip(keys, (make_scalar(block, reach), inner), strict=True)))


def _count(key: str, whose: str, other_word: str) -> BlockReader:
    """Return a reader of a count of hexes or units; without a matcher it counts lost units."""

    def read(block: Block) -> Value:
        side_word = "own" if block.child_word("friendly") == "true" else other_word
        matcher = block.child("matcher")
        where = plain_matcher(matcher) if matcher else _keyed(block, "status", make_scalar(block, "destroyed"))
        return _keyed(block, key, make_map(block.span, {whose: make_scalar(block, side_word), "where": where}))

    return _reader("friendly matcher", read)


def plain_limit(block: Block) -> dict[str, Value]:
    """Return the bound of a score: `at_most` or `at_least`, with the threshold."""
    key = "at_most" if block.child_word("invert") == "true" else "at_least"
    return {key: text_in_block(block, "threshold")}


def _test(block: Block) -> Value:
    tested = block.child("objective")
    objective = plain_objective(tested) if tested else make_scalar(block, "..")
    return make_map(block.span, {"test": objective} | plain_limit(block))


def _ratio(block: Block) -> Value:
    parts = [block.child(name) or block for name in ("numerator", "denominator")]
    return _keyed(block, "ratio_floor", make_list(block.span, map(plain_objective, parts)))


def _line_of_fire(block: Block) -> Value:
    entries = {
        "by": make_scalar(block, "enemy" if block.child_word("friendly") == "false" else "own"),
        "include_field_of_sight": text_in_block(block, "include-field-of-sight", "true"),
        "break_through": text_in_block(block, "break-through", "false"),
        "width": text_in_block(block, "width", "1"),
        "vertical": text_in_block(block, "vertical", "false"),
    }
    return _keyed(block, "unbroken_line_of_fire", make_map(block.span, entries))


def _points(block: Block) -> Value:
    inner = plain_objective(block.child("objective") or block)
    return make_map(block.span, {"points_each": text_in_block(block, "points"), "for": inner})


MATCHERS: Mapping[str, BlockReader] = {
    "any-tile": _literal("anywhere"),
    "tile-matches-all": _joined("all_of", plain_matcher),
    "tile-matches-any": _joined("any_of", plain_matcher),
    "tile-not": _wrapped("not", "matcher", plain_matcher),
    "tile-within": _reader("zone", _zone),
    "tile-has-coordinate": _reader("coordinate", _coordinate),
    "tile-in-region": _entry("region", "region-name"),
    "tile-on-edge": _entry("map_edge", "edge"),
    "tile-distance-from": _reader("distance matcher atleast", _distance),
    "tile-elevation": _reader("elevation atleast", _height),
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
    "unit-has-position": _wrapped("at", "matcher", plain_matcher),
    "unit-has-configuration": _entry("unit", "unit-configuration"),
}
OBJECTIVES: Mapping[str, BlockReader] = {
    "var": BlockReader(None, lambda block: _keyed(block, "ref", make_scalar(block, block.display_text))),
    "prevent-enemy-objective": _literal("enemy_did_not_win"),
    "tiles-controlled-objective": _count("count_hexes_controlled", "by", "not_own"),
    "units-matched-objective": _count("count_units", "of", "enemy"),
    "units-destroyed-objective": _count("count_units", "of", "enemy"),
    "trigger-objective": _reader("objective threshold invert", _test),
    "line-of-fire-objective": _reader("friendly include-field-of-sight break-through width vertical", _line_of_fire),
    "achieve-all": _joined("all", plain_objective),
    "achieve-any": _joined("any", plain_objective),
    "sum-objective": _joined("sum", plain_objective),
    "ratio-objective": _reader("numerator denominator", _ratio),
    "points-objective": _reader("objective points", _points),
    "highest-score-objective": _wrapped("own_score_exceeds_every_enemy", "metric", plain_objective),
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


def _keyed(block: Block, key: str, value: Value) -> ValueMap:
    """Build a map of one entry with the span of a block."""
    return make_map(block.span, {key: value})


def _words(block: Block, texts: Iterable[str]) -> ValueList:
    return make_list(block.span, (make_scalar(block, text) for text in texts))
