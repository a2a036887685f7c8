"""Elaboration of `x is f` and `x has y`: the flags of a subject, and its optional values.

In: an expression as written, and its context. Out: its node and its type; the type is None after a problem.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal, cast

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.typed.context import BROKEN, Context, TypedExpression
from compiler.typed.environment import FACES, Environment, type_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch
from compiler.typed.findings.names import UnknownFlag
from compiler.typed.unknown_names import owners_of
from runtime.graph import nodes as graph
from runtime.graph.operators.logic import YES_NO

STATES: tuple[Literal["gone"], Literal["off"]] = (
    "gone",
    "off",
)  # the states of any piece: removed, or not yet on the map


def elaborate_test(node: source.IsTest, context: Context) -> TypedExpression:
    """Elaborate a test of flags, places, kinds or cells; of an enumeration or scale it is a membership test."""
    subject, type_ = context.elaborate(node.subject, context, None)
    if type_ is None:
        return BROKEN
    if isinstance(type_, graph.Enum | graph.Scale):
        return _membership_test(node, subject, type_, context)
    if len(node.words) > 1 and not any(_possible(word.text, type_, context.env) for word in node.words):
        # The subject is wrong, rather than every word.
        first, last = node.words[0], node.words[-1]
        span = replace(first.span, end_line=last.span.end_line, end_column=last.span.end_column)
        alternatives = "|".join(word.text for word in node.words)
        return context.reject(
            UnknownFlag(span, type_text(type_), alternatives, tuple(possible_flags(type_, context.env)))
        )
    tests = [_test(word, type_, node, context) for word in node.words]
    if any(test is None for test in tests):
        return BROKEN
    return graph.Is(subject, tuple(test for test in tests if test), node.negated), YES_NO


def _membership_test(node: source.IsTest, subject: graph.Expr, type_: graph.Type, context: Context) -> TypedExpression:
    members = []
    for word in node.words:
        written = (
            source.Quoted(word.span, word.text) if isinstance(type_, graph.Scale) else source.Name(word.span, word.text)
        )
        member, found = context.elaborate(written, context, type_)
        if found is None:
            return BROKEN
        members.append(member)
    test: graph.Expr = graph.Op("in", (subject, graph.SetOf(tuple(members))))
    return (graph.Op("not", (test,)) if node.negated else test), YES_NO


def _test(word: source.Word, type_: graph.Type, node: source.IsTest, context: Context) -> graph.Test | None:
    """Return the test for one word after `is` of a subject of this type; None, with a problem, if it has none."""
    test = _possible(word.text, type_, context.env)
    if test is None:
        env = context.env
        can_be = tuple(possible_flags(type_, env))
        written = ""
        if isinstance(type_, graph.Piece) and word.text in env.counters:
            written = f"{expression_text(node.subject)}.counter {'!=' if node.negated else '='} {word.text}"
        elsewhere = owners_of(env, word.text)
        context.problems.append(UnknownFlag(word.span, type_text(type_), word.text, can_be, elsewhere, written=written))
    return test


def _possible(word: str, type_: graph.Type, env: Environment) -> graph.Test | None:
    """Return the test for a word of a subject of this type; None if there is none."""
    match type_:
        case graph.Piece(kinds=kinds):
            for flag in reversed(env.flags_named.get(word) or ()):
                if flag.what == "place" or (flag.what in {"trait", "status"} and (flag.owner in kinds or not kinds)):
                    return graph.Test(flag.what, flag.owner, flag.name)
            if word in env.kinds:
                return graph.Test("kind", word, word)
            return next((graph.Test(state, "piece", state) for state in STATES if state == word), None)
        case graph.Hex() | graph.Hexside():
            owner = "hex" if isinstance(type_, graph.Hex) else "hexside"
            ground_flag = env.flags.get(f"{owner}.{word}")
            return graph.Test(ground_flag.what, owner, ground_flag.name) if ground_flag else None
        case graph.CellOf(table=table):
            return graph.Test("cell", table, word) if any(kind == word for kind, _ in env.charts[table].cells) else None
        case _:
            return None


def possible_flags(type_: graph.Type, env: Environment) -> Iterator[str]:
    """Yield every word that may follow `is` for a subject of this type."""
    match type_:
        case graph.Piece(kinds=kinds):
            piece_flags = (flag for flag in env.flags.values() if flag.what in {"trait", "status", "place"})
            flag_names = (flag.name for flag in piece_flags if flag.what == "place" or flag.owner in kinds or not kinds)
            yield from dict.fromkeys((*STATES, *env.kinds, *flag_names))
        case graph.Hex() | graph.Hexside():
            owner = "hex" if isinstance(type_, graph.Hex) else "hexside"
            yield from env.flag_names(owner)
        case graph.CellOf(table=table):
            yield from (kind for kind, _ in env.charts[table].cells)
        case _:
            pass


def elaborate_membership(
    node: source.InTest, context: Context, typed: Callable[[source.InTest, Context], TypedExpression]
) -> TypedExpression:
    """Elaborate `x in S`; where S is no set but a word that is valid after `is`, report that."""
    before = len(context.problems)
    found = typed(node, context)
    word = node.collection
    if found != BROKEN or not isinstance(word, source.Name) or len(context.problems) == before:
        return found
    set_problems = context.problems[before:]
    del context.problems[before:]
    _, type_ = context.elaborate(node.element, context, None)
    test = _possible(word.id, type_, context.env) if type_ is not None else None
    if test is None or len(context.problems) > before:
        context.problems[before:] = set_problems
        return found
    test_text = f"{expression_text(node.element)} is {'not ' if node.negated else ''}{word.id}"
    category = {"kind": "a kind of piece", "piece": "a state"}.get(test.what, f"a {test.what}")
    return context.report(
        InvalidConstruct(word.span, f"`{word.id}` is {category}, not a set", f"write `{test_text}`"), found
    )


def has_test(node: source.HasTest, context: Context) -> TypedExpression:
    """Elaborate `x has y`: a path of a hex or hexside, a track that is set, an optional field, a partner, a face."""
    name, env = node.name.text, context.env
    if isinstance(node.subject, source.Name) and node.subject.id in {"game", "scenario"}:
        owner = cast(graph.TrackOwner, node.subject.id)
        if f"{owner}.{name}" in env.tracks:
            return graph.Has(graph.GameTrack(owner, name), "track", owner, name, node.negated), YES_NO
        pool = env.track_names(owner)
        return context.reject(UnknownFlag(node.name.span, owner, name, tuple(pool), verb="have"))
    base, type_ = context.elaborate(node.subject, context, None)
    if type_ is None:
        return BROKEN
    owners = _owners(type_, env)
    track_owner = next((each for each in owners if f"{each}.{name}" in env.tracks), None)
    match type_:
        case graph.Hex() | graph.Hexside() if f"path.{name}" in env.flags:
            return graph.Has(base, "path", "path", name, node.negated), YES_NO
        case graph.RecordOf(name=record) if name in env.records[record].optional:
            return graph.Has(base, "record", record, name, node.negated), YES_NO
        case graph.Piece() if end := env.ends.get(name):
            return graph.Has(base, "partner", *end, node.negated), YES_NO
        case graph.Piece(kinds=kinds) if name in FACES and track_owner is None:
            return graph.Has(base, "printed", kinds[0] if kinds else "", name, node.negated), YES_NO
        case _ if track_owner is not None:
            return graph.Has(base, "track", track_owner, name, node.negated), YES_NO
        case _ if owners:
            names = tuple(_possible_possessions(type_, env))
            context.problems.append(UnknownFlag(node.name.span, owners[0], name, names, verb="have"))
        case _:
            context.problems.append(TypeMismatch(node.subject.span, "a piece, hex or hexside", type_text(type_)))
    return BROKEN


def _possible_possessions(type_: graph.Type, env: Environment) -> Iterator[str]:
    """Yield every name that may follow `has` for a subject of this type."""
    owners = _owners(type_, env)
    yield from env.track_names(*owners)
    match type_:
        case graph.Hex() | graph.Hexside():
            yield from env.flag_names("path")
        case graph.RecordOf(name=record):
            yield from env.records[record].optional
        case graph.Piece():
            yield from (end.name for relation in env.relations.values() for end in (relation.left, relation.right))
            yield from FACES
        case _:
            pass


def _owners(type_: graph.Type, env: Environment) -> tuple[str, ...]:
    """Return what may declare tracks or fields of a subject of this type; () if it has neither, nor paths."""
    match type_:
        case graph.Piece(kinds=kinds):
            return kinds or tuple(env.kinds) or ("piece",)
        case graph.Hex():
            return ("hex",)
        case graph.Hexside():
            return ("hexside",)
        case graph.Enum(name="side"):
            return ("side",)
        case graph.RecordOf(name=record):
            return (record,)
        case _:
            return ()
