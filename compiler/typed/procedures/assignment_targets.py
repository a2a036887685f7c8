"""Targets of assignments: a track of a piece, hex, side, game or scenario, or a field of a record."""

from typing import cast

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.typed.context import Context
from compiler.typed.environment import type_text
from compiler.typed.problems import Misplaced, TypeMismatch, UnknownName
from compiler.typed.values.expressions import elaborate
from compiler.typed.values.names import CARD, CLOCK, tracks_of
from runtime.graph import nodes as graph

Goal = tuple["graph.Get | graph.GameTrack", graph.Type]


def type_target(node: source.Expression, context: Context) -> Goal | None:
    """Resolve the track or field that a step writes to, which may be absent before; None after a problem."""
    if not isinstance(node, source.Field):
        context.problems.append(
            Misplaced(node.span, "only a track or a field can be set", "name whose it is, as in `u.spent`")
        )
        return None
    env = context.env
    name = node.name.text
    if isinstance(node.base, source.Name) and node.base.id in {"game", "scenario"}:
        clock = cast(graph.TrackOwner, node.base.id)
        builtin_fields = CLOCK if clock == "game" else CARD if context.at_table else {}
        track = env.tracks.get(f"{clock}.{name}")
        track_type = builtin_fields.get(name) or (track.type if track else None)
        if track_type is not None:
            return graph.GameTrack(clock, name), track_type
        return _unknown(node, clock, [*tracks_of(clock, env), *builtin_fields], context)
    base, type_ = elaborate(node.base, context, None)
    match type_:
        case None:
            return None
        case graph.RecordOf(name=record):
            fields = {part.name: part.type for part in env.records[record].fields}
            if name in fields:
                return graph.Get(base, "record", record, name), fields[name]
            return _unknown(node, record, list(fields), context)
        case graph.Piece(kinds=kinds):
            owners = kinds or tuple(env.kinds)
        case graph.Hex():
            owners = ("hex",)
        case graph.Enum(name="side"):
            owners = ("side",)
        case _:
            context.problems.append(TypeMismatch(node.base.span, "something that has tracks", type_text(type_)))
            return None
    for owner in owners:
        track = env.tracks.get(f"{owner}.{name}")
        if track is not None:
            return graph.Get(base, "track", owner, name), track.type
    pool = [track.name for track in env.tracks.values() if track.owner in owners]
    return _unknown(node, owners[0] if owners else "piece", pool, context)


def _unknown(node: source.Field, owner: str, pool: list[str], context: Context) -> Goal | None:
    name = node.name.text
    kind = context.env.kinds.get(owner)
    if kind is not None and any(part.name == name for part in kind.printed):
        message = f"`{name}` is printed on the counter of every {owner}: no step sets it"
        advice = f"set a note of its own, such as `track {owner}.{name}_left: ..`"
        context.problems.append(Misplaced(node.name.span, message, advice))
        return None
    if f"{owner}.{name}" in context.env.flags:
        message = f"`{name}` is no track of {owner}, so it cannot be set: it is there or not"
        advice = f"write `mark {expression_text(node.base)} as {name}`, or `unmark`, if it is a status"
        context.problems.append(Misplaced(node.name.span, message, advice))
        return None
    context.problems.append(UnknownName(node.name.span, f"track of {owner}", name, tuple(pool)))
    return None
