"""Elaboration of the steps that change the position: assignments, marks, movement, removal, creation, pairs, records.

In: a step, and its context. Out: the node of the graph, and the context of the next step; None after a problem that
leaves no step.
"""

from typing import cast

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.source.span import Span
from compiler.typed.context import BROKEN, Context
from compiler.typed.environment import UNKNOWN_TYPE, type_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch, WrongArity
from compiler.typed.findings.names import UnknownFlag, UnknownName
from compiler.typed.procedures import misplaced
from compiler.typed.unknown_names import owners_of, unknown_word
from compiler.typed.values.expressions import elaborate
from compiler.typed.values.names import CARD, CLOCK_TYPES, tracks_of
from compiler.typed.values.ranges import type_in_range
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE

ElaboratedStep = tuple[graph.Step, Context]


def type_change(node: source.Step, context: Context) -> ElaboratedStep | None:  # noqa: C901 - one arm per step
    """Elaborate a step that changes the position."""
    match node:
        case source.Assign(target=written, value=value):
            goal = _type_target(written, context)
            if goal is None:
                return None
            assign = graph.Assign(goal[0], type_in_range(value, context, goal[1], f"{goal[0].owner}.{goal[0].name}"))
            context.problems.extend(misplaced.redundant_assignment(node, assign))
            return assign, context
        case source.Add(element=element, target=written):
            goal = _type_target(written, context)
            if goal is None or goal[1] is UNKNOWN_TYPE:
                return None
            if not isinstance(goal[1], graph.Many):
                return context.report(TypeMismatch(written.span, "a list or a set", type_text(goal[1])), None)
            return graph.Add(elaborate(element, context, goal[1].of)[0], goal[0]), context
        case source.Mark():
            return _mark(node, context)
        case source.Move(subject=subject, to=to, place=place):
            piece = _piece(subject, context)
            return graph.Move(piece, elaborate(to, context, graph.Hex())[0], place.text if place else ""), context
        case source.Flip(subject=subject, to=to):
            return graph.Flip(_piece(subject, context), cast(graph.Face, to)), context
        case source.Remove(subject=subject, for_good=for_good, as_lost=as_lost):
            return graph.Remove(_piece(subject, context), for_good, as_lost), context
        case source.Create():
            return _create(node, context)
        case source.Pair():
            return _pair(node, context)
        case source.Write(name=name, record=record):
            expression, type_ = elaborate(record, context, None)
            if not isinstance(expression, graph.New) or type_ is None:
                return bind_unknown(name, context)
            after = context.with_binding(name.text, type_) if name else context
            return graph.Write(name.text if name else "", expression), after
        case source.Strike(record=record):
            expression, type_ = elaborate(record, context, None)
            if type_ is not None and not isinstance(type_, graph.RecordOf):
                context.problems.append(TypeMismatch(record.span, "a record", type_text(type_)))
            return graph.Strike(expression), context
        case _:
            raise AssertionError(node)


def bind_unknown(name: source.Word | None, context: Context) -> ElaboratedStep | None:
    """Bind the name of a broken step, so that its uses are not reported."""
    return None if name is None else (graph.Let(name.text, BROKEN[0]), context.with_binding(name.text, UNKNOWN_TYPE))


def _piece(written: source.Expression, context: Context) -> graph.Expr:
    return elaborate(written, context, graph.Piece(()))[0]


def _mark(node: source.Mark, context: Context) -> ElaboratedStep | None:
    subject, type_ = elaborate(node.subject, context, None)
    match type_:
        case None:
            return None
        case graph.Piece(kinds=kinds):
            owners = kinds or tuple(context.env.kinds)
        case graph.Hex():
            owners = ("hex",)
        case _:
            return context.report(TypeMismatch(node.subject.span, "a piece or a hex", type_text(type_)), None)
    for owner in owners:
        flag = context.env.flags.get(f"{owner}.{node.status.text}")
        if flag is not None and flag.what in {"status", "feature"}:
            return graph.Mark(subject, owner, node.status.text, node.on), context
        if flag is not None and flag.what == "trait":
            message = f"no step can set `{flag.name}`, as it is a trait printed on the counter"
            advice = f"declare a status, `status {owner}: ..`, and set that"
            return context.report(InvalidConstruct(node.status.span, message, advice), None)
    pool = [flag.name for flag in context.env.flags.values() if flag.what == "status" and flag.owner in owners]
    others = tuple(owner for owner in owners_of(context.env, node.status.text) if owner not in owners)
    return context.report(UnknownFlag(node.status.span, owners[0], node.status.text, tuple(pool), others), None)


def _create(node: source.Create, context: Context) -> ElaboratedStep | None:
    kind, counter = node.kind.text, ""
    owner: graph.Expr | None = None
    if kind not in context.env.kinds and kind in context.env.counters:
        counter, (kind, owners, _) = kind, context.env.counters[kind]
        owner = graph.Member("side", owners[0]) if owners and owners[0] else None
    if kind not in context.env.kinds:
        _unknown_kind(kind, node.kind.span, context)
        return bind_unknown(node.name, context)
    space = elaborate(node.at, context, graph.Hex())[0]
    owner = elaborate(node.owner, context, SIDE)[0] if node.owner is not None else owner
    after = context.with_binding(node.name.text, graph.Piece((kind,))) if node.name else context
    return graph.Create(kind, node.name.text if node.name else "", space, owner, counter), after


def _unknown_kind(kind: str, span: Span, context: Context) -> None:
    context.problems.append(UnknownName(span, "kind of piece", kind, (*context.env.kinds, *context.env.counters)))


def _pair(node: source.Pair, context: Context) -> ElaboratedStep | None:
    relation = context.env.relations.get(node.relation.text)
    if relation is None:
        return context.report(unknown_word("relation", node.relation, context.env.relations), None)
    left = elaborate(node.left, context, relation.left.type)[0]
    right = elaborate(node.right, context, relation.right.type)[0]
    payload = None
    if node.payload is not None and (payload_field := relation.payload) is not None:
        payload = type_in_range(node.payload, context, payload_field.type, f"{relation.name}.{payload_field.name}")
    needs_payload = relation.payload is not None and node.on
    if needs_payload != (node.payload is not None):
        ends = [relation.left.name, relation.right.name, *([relation.payload.name] if relation.payload else [])]
        written = f"{relation.name}({', '.join(ends[: 2 + needs_payload])})"
        found = 2 + (node.payload is not None)
        context.problems.append(WrongArity(node.relation.span, relation.name, 2 + needs_payload, found, written))
    return graph.Pair(relation.name, left, right, payload, node.on), context


# ---------------------------------------------------------------- targets of assignments


Goal = tuple["graph.Get | graph.GameTrack", graph.Type]


def _type_target(node: source.Expression, context: Context) -> Goal | None:
    """Resolve the track or field that a step writes to, which may be absent before; None after a problem."""
    if not isinstance(node, source.Field):
        return context.report(
            InvalidConstruct(node.span, "only a track or a field can be set", "name its owner, as in `u.spent`"), None
        )
    env = context.env
    name = node.name.text
    if isinstance(node.base, source.Name) and node.base.id in {"game", "scenario"}:
        clock = cast(graph.TrackOwner, node.base.id)
        builtin_fields = CLOCK_TYPES if clock == "game" else CARD if context.at_table else {}
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
            return context.report(TypeMismatch(node.base.span, "something that has tracks", type_text(type_)), None)
    for owner in owners:
        track = env.tracks.get(f"{owner}.{name}")
        if track is not None:
            return graph.Get(base, "track", owner, name), track.type
    pool = env.track_names(*owners)
    return _unknown(node, owners[0] if owners else "piece", pool, context)


def _unknown(node: source.Field, owner: str, pool: list[str], context: Context) -> Goal | None:
    name = node.name.text
    kind = context.env.kinds.get(owner)
    if kind is not None and any(part.name == name for part in kind.printed):
        message = f"no step can set `{name}`, as it is printed on the counters"
        advice = f"declare a track, `track {owner}.{name}_left: ..`, and set that"
        return context.report(InvalidConstruct(node.name.span, message, advice), None)
    if f"{owner}.{name}" in context.env.flags:
        message = f"`{name}` cannot be set to a value, as it is not a track"
        advice = f"write `mark {expression_text(node.base)} as {name}`"
        return context.report(InvalidConstruct(node.name.span, message, advice), None)
    return context.report(UnknownName(node.name.span, f"track of {owner}", name, tuple(pool)), None)
