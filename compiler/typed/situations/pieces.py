"""Elaboration of the pieces of examples and position files: counter or kind, owner, place, properties.

In: the words of a piece, and the context of its position. Out: a `graph.PieceAt`, None after a problem.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.reading.positions import PIECE_KEYS
from compiler.source.suggestions import nearest_key, nearest_names
from compiler.typed.context import Context
from compiler.typed.environment import Environment, is_assignable, type_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import BadCell
from compiler.typed.findings.names import UnknownFlag
from compiler.typed.name_uses import note_piece
from compiler.typed.tables import scalar_value
from compiler.typed.unknown_names import unknown_counter, unknown_field, unknown_word
from compiler.typed.values.expressions import elaborate
from compiler.typed.values.names import PIECE_GIVEN
from compiler.typed.values.ranges import check_range
from runtime.graph import nodes as graph

# Properties that a situation card sets for a piece that is not on the map.
WAITING: dict[str, graph.Type] = {"area": PIECE_GIVEN["area"], "arrives": PIECE_GIVEN["arrives"]}
PieceField = tuple[source.Word, "source.Expression | source.Value | None"]


@dataclass(slots=True)
class _PropertyValues:
    """The properties of a piece as they are elaborated, by what their names denote."""

    printed: list[tuple[str, graph.Expr]] = field(default_factory=list)
    tracks: list[tuple[str, graph.Expr]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    traits: list[str] = field(default_factory=list)
    waiting: dict[str, graph.Expr | None] = field(default_factory=dict)


def build_piece(  # noqa: PLR0913 - all properties of a piece
    context: Context,
    name: str,
    type_: source.Word,
    owner: source.Word | None,
    space_word: source.Word | None,
    place: source.Word | None,
    properties: Iterable[PieceField],
) -> graph.PieceAt | None:
    """Elaborate one piece of a position; None if its type is unknown."""
    env = context.env
    counter, kind = _type(env, type_)
    if kind is None or kind not in env.kinds:
        return None
    properties = tuple(properties)
    note_piece(env, kind, type_, place, (word for word, _ in properties))
    side = _side(env, owner)
    if not side and counter:
        side = env.counters[counter][1][0] if env.counters[counter][1] else ""
    values = _elaborate_properties(context, kind, properties)
    if place is not None and not any(flag.what == "place" for flag in env.flags_named.get(place.text) or ()):
        pool = [flag.name for flag in env.flags.values() if flag.what == "place"]
        env.report_unknown("place", place, pool)
    hex_ = _hex(context, space_word)
    return graph.PieceAt(
        name, kind, counter, side, hex_, place.text if place else "", tuple(values.printed), tuple(values.traits),
        tuple(values.marks), tuple(values.tracks), values.waiting.get("area"), values.waiting.get("arrives"),
    )  # fmt: skip


def _elaborate_properties(context: Context, kind: str, properties: Iterable[PieceField]) -> _PropertyValues:
    """Elaborate the properties of a piece of a known kind, each by what its name denotes."""
    env, found = context.env, _PropertyValues()
    factors = {part.name: part.type for part in env.kinds[kind].printed}
    for word, written in properties:
        name = word.text
        flag, track = env.flags.get(f"{kind}.{name}"), env.tracks.get(f"{kind}.{name}")
        if flag is not None and flag.what in {"status", "trait"}:
            if is_flag_set(context, written, word):
                (found.marks if flag.what == "status" else found.traits).append(name)
        elif name in WAITING:
            found.waiting[name] = property_value(context, written, WAITING[name], word)
        elif name in factors:
            value = property_value(context, written, factors[name], word)
            found.printed += [(name, value)] if value is not None else []
        elif track is not None:
            value = property_value(context, written, track.type, word)
            found.tracks += [(name, value)] if value is not None else []
        else:
            pool = [*factors, *WAITING, *env.flag_names(kind), *env.track_names(kind)]
            env.problems.append(_no_such_key(word, written, kind, tuple(pool)))
    return found


def notes_of_placed(
    context: Context, unit: source.Word, notes: Iterable[tuple[source.Word, source.Value]]
) -> tuple[tuple[str, ...], tuple[tuple[str, graph.Expr], ...]]:
    """Elaborate the statuses and tracks with which a piece of a card starts; its counter is known."""
    words = dict(notes)
    piece = build_piece(context, unit.text, unit, None, None, None, words.items()) if words else None
    if piece is None:
        return (), ()
    playable = {*piece.marks, *(name for name, _ in piece.tracks)}
    others = {*piece.traits, *(name for name, _ in piece.printed), *WAITING}
    for word in words:
        if word.text in others - playable:
            message = f"a situation cannot set `{word.text}` of a piece"
            context.env.report_invalid(word.span, message, "change the counter, or its force, instead")
    return piece.marks, piece.tracks


def _no_such_key(
    word: source.Word, value: "source.Expression | source.Value | None", kind: str, pool: tuple[str, ...]
) -> Finding:
    """Return the problem of an unknown property, with the one that is meant; `status: lame` means `lame: yes`."""
    message = f"a piece has no `{word.text}`"
    match value:
        case source.Scalar(text=text) if text in pool:
            return InvalidConstruct(word.span, message, f"write `{text}: yes`")
    if not nearest_names(word.text, pool) and (keys := nearest_key(word.text, PIECE_KEYS)):
        return InvalidConstruct(word.span, message, f"did you mean `{keys[0]}`?")
    return UnknownFlag(word.span, kind, word.text, pool)


def is_flag_set(context: Context, value: "source.Expression | source.Value | None", word: source.Word) -> bool:
    """Return whether a status, trait or feature is set.

    A value that is neither yes nor no counts as unset after a problem.
    """
    return property_value(context, value, graph.YesNo(), word) != graph.Truth(value=False)


def _type(env: Environment, word: source.Word) -> tuple[str, str | None]:
    """Return a counter's id and kind, or "" and a bare kind."""
    if word.text in env.counters:
        return word.text, env.counters[word.text][0]
    if word.text in env.kinds:
        return "", word.text
    pool = [*env.counters, *env.kinds]
    return env.report(unknown_counter(word, pool, env), ("", None))


def _side(env: Environment, word: source.Word | None) -> str:
    if word is None:
        return ""
    if not env.has_member("side", word.text):
        env.report_unknown("side", word, env.members("side"))
    return word.text


def _hex(context: Context, word: source.Word | None) -> str:
    """Resolve the hex of a number; a half hex of two boards has two numbers, and either is valid."""
    if word is None:
        return ""
    spot = context.spots.get(word.text)
    if spot is None or spot.what != "hex":
        pool = [name for name, other in context.spots.items() if other.what == "hex"]
        return context.report(unknown_word("hex", word, pool), word.text)
    return spot.name


def property_value(
    context: Context, value: "source.Expression | source.Value | None", type_: graph.Type, word: source.Word
) -> graph.Expr | None:
    """Elaborate a property's value, written as an expression in an example or as YAML in a position file."""
    if value is None:
        if isinstance(type_, graph.YesNo):
            return graph.Truth(value=True)
        return context.report(BadCell(word.span, word.text, type_text(type_), "nothing"), None)
    if isinstance(value, source.Scalar | source.ValueList | source.ValueMap):
        return yaml_value(context, value, type_, word.text)
    found, found_type = elaborate(value, context, type_)
    check_range(value, (found, found_type), context, type_, word.text)
    return found if found_type is not None else None


def yaml_value(context: Context, value: source.Value, type_: graph.Type, value_name: str) -> graph.Expr | None:
    """Elaborate a YAML value of a declared type: scalars, sets, lists, records, hexes, pieces."""
    match type_, value:
        case graph.Many(of=element_type), source.ValueList(items=items):
            parts = [yaml_value(context, item, element_type, value_name) for item in items]
            return graph.SetOf(tuple(part for part in parts if part is not None))
        case graph.Many(of=element_type), _:
            part = yaml_value(context, value, element_type, value_name)
            return graph.SetOf((part,)) if part is not None else None
        case graph.RecordOf(name=name), source.ValueMap(entries=entries):
            return _yaml_record(context, name, entries)
        case graph.Hex() | graph.Piece(), source.Scalar():
            return _spot(context, value, type_)
        case _, source.Scalar():
            return scalar_value(context.env, value, type_, value_name)
        case _:
            return context.report(BadCell(value.span, value_name, type_text(type_), "a list or a mapping"), None)


def _spot(context: Context, word: source.Scalar, type_: graph.Type) -> graph.Spot | None:
    """Resolve the name of a hex or of a piece; None after a problem, as when it names the other of the two."""
    known = {
        name: spot
        for name, spot in context.spots.items()
        if (found := context.spot_kinds.get(name)) is None or is_assignable(found, type_)
    }
    if word.text not in known:
        context.problems.append(unknown_word(type_text(type_), word, known))
    return known.get(word.text)


def _yaml_record(context: Context, name: str, entries: Iterable[tuple[source.Word, source.Value]]) -> graph.Expr | None:
    """Elaborate a record that is written as a mapping of its fields."""
    fields = {part.name: part.type for part in context.env.records[name].fields}
    values: list[tuple[str, graph.Expr]] = []
    for word, value in entries:
        if word.text not in fields:
            context.problems.append(unknown_field(name, word, fields))
            continue
        found = yaml_value(context, value, fields[word.text], word.text)
        if found is not None:
            values.append((word.text, found))
    return graph.New(name, tuple(values))
