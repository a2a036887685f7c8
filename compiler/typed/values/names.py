"""Elaboration of bare names, quoted names and fields: from a name and its context to its node and its type."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import cast

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.source.nodes.words import GENERAL
from compiler.source.suggestions import nearest_names
from compiler.typed.context import BROKEN, Context, TypedExpression
from compiler.typed.environment import COUNTER_NAME, HEX_NAMES, Environment, type_text
from compiler.typed.findings.failures import MayBeAbsent
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import OneAtMost, TypeMismatch
from compiler.typed.findings.names import AmbiguousName, UnknownMember, UnknownName
from compiler.typed.unknown_names import flag_as_value, unknown_field, unknown_word
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import CLOCK, CROSSING, PREDECLARED_TYPES, SIDE
from runtime.graph.verbs import VERBS

GAME = {"game", "scenario"}
CLOCK_TYPES: dict[str, graph.Type] = {
    "turn": graph.Number(0, None, ""),
    "player": SIDE,
    "phase": CLOCK["phase"],
}
CARD: dict[str, graph.Type] = {
    "turns": graph.Number(1, 1000, ""),  # The greatest number of turns of a card (compiler/source/reading/cards.py).
    "order": CLOCK["order"],
    "set_up": CLOCK["set_up"],
}
PIECE_GIVEN: dict[str, graph.Type] = {
    "hex": graph.Hex(),
    "space": graph.Hex(),
    **{name: PREDECLARED_TYPES[name] for name in ("side", "kind", "counter", "area")},
    "arrives": graph.Number(0, None, ""),
}
HEX_GIVEN: dict[str, graph.Type] = {
    "name": graph.Enum(HEX_NAMES),
    "board": graph.Enum(HEX_NAMES),
    "boards": graph.Many("set", graph.Enum(HEX_NAMES)),
}
CROSSING_TYPES: dict[str, graph.Type] = {**CROSSING, "at": graph.Number(0, 1, "")}


# Words for verdicts, and for truth values in other languages.
NO_VALUES = {each.notation: "yes" if each.answer else "no" for each in VERBS.values() if each.answer is not None}
NO_VALUES |= {"true": "yes", "false": "no"}


def elaborate_name(node: source.Name, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate a parameter, binder or spot; else `previous`; else a member of the expected enumeration."""
    word = node.id
    if _only_member(word, context, expected):
        assert isinstance(expected, graph.Enum)
        return graph.Member(expected.name, word), expected
    if word in context.names:
        return graph.Var(word), _narrowed(graph.Var(word), context.names[word], context)
    if GENERAL.get(word) in context.names:
        return elaborate_name(replace(node, id=GENERAL[word]), context, expected)
    if word in context.spots:
        return context.spots[word], context.spot_kinds[word]
    if word == "previous" and context.previous is not None:
        return context.previous
    inner = expected.of if isinstance(expected, graph.Many) else expected
    if isinstance(inner, graph.Enum) and inner.name != HEX_NAMES:
        return _member(node, context, inner)
    owners = context.env.enums_with(word)
    if len(owners) == 1:
        return graph.Member(owners[0], word), graph.Enum(owners[0])
    if not owners and word in context.env.counters:
        return graph.Member(COUNTER_NAME, word), graph.Enum(COUNTER_NAME)
    context.problems.append(AmbiguousName(node.span, word, owners) if owners else _unknown_name(node, context))
    return BROKEN


def _unknown_name(node: source.Name, context: Context) -> InvalidConstruct | UnknownName:
    """Return the problem of a word that denotes no value: a value that no answer has, a flag, or nothing known."""
    word, names = node.id, [*context.names, *context.spots, "game", "scenario"]
    if word in NO_VALUES and not nearest_names(word, names):
        message, instead = f"`{word}` is not a value: answers are `yes` or `no`", NO_VALUES[word]
        return InvalidConstruct(node.span, message, f"write `{instead}`, or `not` before the question")
    for flag in context.env.flags.values():
        if flag.name == word:
            return flag_as_value(node.span, flag)
    pool = list(names)
    for enum in context.env.enums:
        pool += context.env.members(enum)
    if nearest_names(word, pool):
        return UnknownName(node.span, "name", word, tuple(pool), names_otherwise=())
    return UnknownName(node.span, "name", word, tuple(names), names_otherwise=_fields_named(word, context))


def is_bare_kind(node: source.Name, context: Context) -> bool:
    """Report a word that needs an `all` before it, as it has no value, where a set is expected.

    Return whether it is one.
    """
    word, env = node.id, context.env
    kinds = ({"hex"}, env.records, env.kinds, env.enums, env.scales)
    if word in context.names or word in context.spots or not any(word in known for known in kinds):
        return False
    message = f"`{word}` is a kind, but a set is needed here"
    advice = f"write `all {word}`"
    context.problems.append(InvalidConstruct(node.span, message, advice))
    return True


def _fields_named(word: str, context: Context) -> tuple[str, ...]:
    """List the fields of this name of all names in scope: of a task it is `this.site`, and `site` alone is unknown."""
    return tuple(
        f"{known}.{word}" for known, type_ in context.names.items() if word in _field_names(type_, context.env)
    )


def _field_names(type_: graph.Type, env: Environment) -> Collection[str]:
    """Return the fields of values of a type."""
    match type_:
        case graph.RecordOf(name):
            return {part.name for part in env.records[name].fields}
        case graph.Piece(kinds):
            return fields_of(kinds or tuple(env.kinds), env)
        case _:
            return ()


def _only_member(word: str, context: Context, expected: graph.Type | None) -> bool:
    """Return whether a word is a member of the expected enumeration, rather than a name of another type.

    A hex called D does not hide the result D where a result is expected.
    """
    if not isinstance(expected, graph.Enum) or not context.env.has_member(expected.name, word):
        return False
    known = context.names.get(word) or context.spot_kinds.get(word)
    return known is not None and known != expected


def _narrowed(variable: graph.Var, type_: graph.Type, context: Context) -> graph.Type:
    """Return the type of a piece narrowed by facts: `p is unit and p.movement > 0 MP`."""
    if isinstance(type_, graph.Piece):
        for fact in context.known:
            match fact:
                case graph.Is(subject=subject, tests=tests) if subject == variable:
                    if all(test.what == "kind" for test in tests):
                        return graph.Piece(tuple(test.name for test in tests))
    return type_


def _member(node: source.Name, context: Context, enum: graph.Enum) -> TypedExpression:
    if context.env.has_member(enum.name, node.id):
        return graph.Member(enum.name, node.id), enum
    owners = context.env.enums_with(node.id)
    if owners:  # A member of another enumeration: a type mismatch is more precise than an unknown word.
        return graph.Member(owners[0], node.id), graph.Enum(owners[0])
    others = (key for key, type_ in context.names.items() if type_ == enum)
    return context.reject(context.env.unknown_member(node.span, enum.name, node.id, others))


def elaborate_quoted(node: source.Quoted, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate a place on a scale, a member whose name is no identifier, or the printed name of a hex."""
    inner = expected.of if isinstance(expected, graph.Many) else expected
    match inner:
        case graph.Scale(name=scale):
            places = dict(context.env.scales[scale].places)
            if node.text in places:
                return graph.Place(scale, node.text, places[node.text]), inner
            close = nearest_names(node.text, places)
            return context.reject(UnknownMember(node.span, scale, node.text, tuple(places), close))
        case graph.Enum(name=enum) if enum != HEX_NAMES:
            return _member(source.Name(node.span, node.text), context, inner)
        case graph.Enum():
            return graph.Member(HEX_NAMES, node.text), inner
        case graph.Hex() | None if node.text in context.spots:
            return context.spots[node.text], context.spot_kinds[node.text]
        case _:
            return _unwanted_quoted(node, context)


def _unwanted_quoted(node: source.Quoted, context: Context) -> TypedExpression:
    lines = [line for line in context.env.scales.values() if node.text in dict(line.places)]
    if len(lines) == 1:
        return graph.Place(lines[0].name, node.text, dict(lines[0].places)[node.text]), graph.Scale(lines[0].name)
    if lines:
        context.problems.append(AmbiguousName(node.span, node.text, tuple(line.name for line in lines)))
    else:
        pool = [place for line in context.env.scales.values() for place, _ in line.places]
        context.problems.append(unknown_word("place on a scale", node, pool))
    return BROKEN


def elaborate_field(node: source.Field, context: Context, *, expects_many: bool = False) -> TypedExpression:
    """Elaborate `base.name`: a printed factor, a track, a partner, a record's field, or a built-in property.

    `expects_many`: it occurs where a set or a list is expected.
    """
    if isinstance(node.base, source.Call) and node.base.name.text in context.env.relations:
        return _payload(node, context)
    if isinstance(node.base, source.Name) and node.base.id in GAME and node.base.id not in context.names:
        return _game_track(node, cast(graph.TrackOwner, node.base.id), context)
    base, type_ = context.elaborate(node.base, context, None)
    match type_:
        case None:
            return BROKEN
        case graph.Piece():
            return _piece_field(node, base, type_, context, expects_many=expects_many)
        case graph.Hex():
            return _track_or_given(node, base, "hex", HEX_GIVEN, context)
        case graph.Enum(name="side"):
            return _track_or_given(node, base, "side", {}, context)
        case graph.Crossing() if node.name.text in CROSSING_TYPES:
            return graph.Get(base, "record", "crossing", node.name.text), CROSSING_TYPES[node.name.text]
        case graph.RecordOf(name=record):
            fields = {part.name: part.type for part in context.env.records[record].fields}
            if node.name.text in fields:
                return _record_field(node, base, record, fields[node.name.text], context)
            return _unknown(node, context, fields, type_text(type_))
        case graph.CellOf():
            return _cell_content(node, base, type_, context)
        case graph.Crossing():
            return _unknown(node, context, CROSSING_TYPES, "crossing")
        case _:
            return context.reject(TypeMismatch(node.base.span, "something with fields", type_text(type_)))


def _payload(node: source.Field, context: Context) -> TypedExpression:
    """Elaborate `assigned(e, v).since`: the payload of a pair, where the pair is known to be related."""
    base, type_ = context.elaborate(node.base, context, None)
    assert isinstance(node.base, source.Call)
    relation = context.env.relations[node.base.name.text]
    if type_ is None or not isinstance(base, graph.Op):
        return BROKEN
    if relation.payload is None or relation.payload.name != node.name.text:
        payload_fields = {relation.payload.name: relation.payload.type} if relation.payload else {}
        return _unknown(node, context, payload_fields, relation.name)
    if base not in context.known:
        return context.reject(
            MayBeAbsent(node.span, f"{relation.name}.{node.name.text}", expression_text(node.base), context.at_table)
        )
    return graph.Op("payload", base.arguments), relation.payload.type


def _record_field(
    node: source.Field, base: graph.Expr, record: str, type_: graph.Type, context: Context
) -> TypedExpression:
    """Elaborate a field of a record; an optional one needs `has` to its left."""
    name = node.name.text
    absent = name in context.env.records[record].optional
    if absent and graph.Has(base, "record", record, name, negated=False) not in context.known:
        return context.reject(
            MayBeAbsent(
                node.span, f"{record}.{name}", f"{expression_text(node.base)} has {node.name.text}", context.at_table
            )
        )
    return graph.Get(base, "record", record, name), type_


def _unknown(node: source.Field, context: Context, fields: dict[str, graph.Type], owner: str) -> TypedExpression:
    return context.reject(unknown_field(owner, node.name, fields))


def _game_track(node: source.Field, owner: graph.TrackOwner, context: Context) -> TypedExpression:
    builtin_fields: dict[str, graph.Type] = CLOCK_TYPES if owner == "game" else CARD
    track = context.env.tracks.get(f"{owner}.{node.name.text}")
    type_ = track.type if track else builtin_fields.get(node.name.text)
    if type_ is not None:
        found = graph.GameTrack(owner, node.name.text)
        return _present(found, type_, node, context, f"{owner}.{node.name.text}")
    return _unknown(node, context, builtin_fields | tracks_of(owner, context.env), owner)


def tracks_of(owner: str, env: Environment) -> dict[str, graph.Type]:
    """Return the types of all tracks of one owner."""
    return {track.name: track.type for track in env.tracks.values() if track.owner == owner}


def _track_or_given(
    node: source.Field, base: graph.Expr, owner: str, builtin_fields: dict[str, graph.Type], context: Context
) -> TypedExpression:
    name = node.name.text
    if name in builtin_fields:
        return graph.Get(base, "given", owner, name), builtin_fields[name]
    track = context.env.tracks.get(f"{owner}.{name}")
    if track is not None:
        return _present(graph.Get(base, "track", owner, name), track.type, node, context, f"{owner}.{name}")
    return _unknown(node, context, builtin_fields | tracks_of(owner, context.env), owner)


def _present(found: graph.Expr, type_: graph.Type, node: source.Field, context: Context, key: str) -> TypedExpression:
    """Check that a track is present: one without an initial value needs `has` to its left."""
    track = context.env.tracks.get(key)
    if track is None or key in context.env.initial:
        return found, type_
    base = found.base if isinstance(found, graph.Get) else found
    test = graph.Has(base, "track", track.owner, track.name, negated=False)
    if test not in context.known:
        return context.reject(
            MayBeAbsent(
                node.span,
                f"{track.owner}.{track.name}",
                f"{expression_text(node.base)} has {node.name.text}",
                context.at_table,
            )
        )
    return found, type_


def _piece_field(
    node: source.Field, base: graph.Expr, type_: graph.Piece, context: Context, *, expects_many: bool
) -> TypedExpression:
    env = context.env
    name = node.name.text
    if name in PIECE_GIVEN:
        return graph.Get(base, "given", "piece", GENERAL.get(name, name)), PIECE_GIVEN[name]
    kinds = type_.kinds or tuple(env.kinds)
    for kind in kinds:
        for printed in env.kinds[kind].printed:
            if printed.name == name:
                return graph.Get(base, "printed", kind, name), printed.type
        if f"{kind}.{name}" in env.tracks:
            track = env.tracks[f"{kind}.{name}"]
            return _present(graph.Get(base, "track", kind, name), track.type, node, context, f"{kind}.{name}")
    if end := env.ends.get(name):
        relation = env.relations[end[0]]
        if expects_many and relation.one == end[1]:
            declared = env.spans["relation", relation.name]
            return context.reject(OneAtMost(node.name.span, declared, relation.name, name))
        return _partner(node, base, relation, end[1], context)
    return _unknown(node, context, fields_of(kinds, env), type_text(type_))


def fields_of(kinds: Iterable[str], env: Environment) -> dict[str, graph.Type]:
    """Return all fields of a piece of these kinds, with their types."""
    known: dict[str, graph.Type] = dict(PIECE_GIVEN)
    for kind in kinds:
        for printed in env.kinds[kind].printed:
            known.setdefault(printed.name, printed.type)
        known |= tracks_of(kind, env)
    for relation in env.relations.values():
        for other in (relation.left, relation.right):
            known.setdefault(other.name, other.type)
    return known


def _partner(
    node: source.Field, base: graph.Expr, relation: graph.Relation, end: str, context: Context
) -> TypedExpression:
    """Elaborate the piece or pieces on one end of a relation, from the other end."""
    partner = relation.end(end)
    if relation.one != end:
        return graph.Get(base, "partners", relation.name, end), graph.Many("set", partner.type)
    if graph.Has(base, "partner", relation.name, end, negated=False) not in context.known:
        return context.reject(
            MayBeAbsent(node.span, partner.name, f"{expression_text(node.base)} has {node.name.text}", context.at_table)
        )
    return graph.Get(base, "partner", relation.name, end), partner.type


def _cell_content(node: source.Field, base: graph.Expr, type_: graph.CellOf, context: Context) -> TypedExpression:
    """Elaborate `tec[a, b].cost`, where `is cost` is known, or where all cells at constant keys are of that kind."""
    chart = context.env.charts[type_.table]
    cells = dict(chart.cells)
    name = node.name.text
    content = cells.get(name)
    if content is None or not isinstance(base, graph.Cell):
        holding = {kind: content_type for kind, content_type in cells.items() if content_type is not None}
        return _unknown(node, context, holding, type_text(type_))
    test = graph.Is(base, (graph.Test("cell", type_.table, name),), negated=False)
    possible_kinds = [
        chart.kinds_at.get((index, key.name), frozenset()) for index, key in enumerate(base.keys)
        if isinstance(key, graph.Member)
    ]  # fmt: skip
    if len(cells) > 1 and {name} not in possible_kinds and test not in context.known:
        return context.reject(
            MayBeAbsent(
                node.span, f"the {name} of {type_.table}", f"{expression_text(node.base)} is {name}", context.at_table
            )
        )
    return graph.Cell(base.table, base.keys, name), content
