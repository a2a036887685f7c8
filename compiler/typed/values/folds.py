"""Elaboration of folds over members, and of sets and lists that are gathered by one.

In: an expression as written, and its context. Out: its node and its type; the type is None after a problem.
"""

from dataclasses import replace
from typing import cast

from compiler.source import nodes as source
from compiler.typed.context import BROKEN, Context, TypedExpression, expect_type
from compiler.typed.environment import PREDEFINED_TYPES, UNKNOWN_TYPE, declared_type, type_text
from compiler.typed.findings.failures import MayBeEmpty
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch
from compiler.typed.name_uses import note_name_uses
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values import facts, names, places
from runtime.graph import nodes as graph
from runtime.graph.operators.logic import YES_NO

COUNT = graph.Number(0, None, "")
# The greatest range that is enumerated: dice, turns, distances. Larger ones are compared.
MOST_VALUES = 1_000
# The greatest depth of nested passes: printed rules have three. Each multiplies the time.
MOST_PASSES = 4
# Folds of the members' amounts; all others are of the members themselves.
AMOUNTS = {"sum", "min", "max"}
LISTS = {"trailing", "leading"}
COUNTS = "`count(x in ..)` counts members, `count({.. for x in ..})` different amounts, `sum(.. for ..)` adds them up"
ENDS = f"declare ends that are at most {MOST_VALUES:,} apart"
BoundVariable = tuple[graph.Expr, graph.Type, Context, "graph.Expr | None"]


def elaborate_pieces(node: source.Pieces, context: Context) -> TypedExpression:
    """Elaborate `unit|marker at h`, `all unit`; `all` of a type that is no kind of piece lists its members."""
    words = tuple(word.text for word in node.kinds)
    env = context.env
    unknown = [word for word in node.kinds if word.text not in env.kinds and word.text != "piece"]
    if not unknown:
        kinds = () if "piece" in words else words
        space = context.elaborate(node.at, context, graph.Hex())[0] if node.at else None
        return graph.Pieces(kinds, space), graph.Many("set", graph.Piece(kinds))
    if node.at is None and len(words) == 1:
        name = words[0]
        type_ = PREDEFINED_TYPES[name] if name in {"hex", "side", "kind"} else declared_type(env, name)
        if type_ is not None and not _countable(type_):
            message = f"`all {name}` has too many values to go through"
            return context.reject(InvalidConstruct(node.span, message, ENDS))
        if type_ is not None:
            return graph.All(type_), graph.Many("set", type_)
    word = unknown[0]
    pool = [*env.kinds, *env.enums, *env.domains, *env.records, *env.scales, "hex", "side"]
    return context.reject(unknown_word("kind of piece", word, pool))


def _countable(type_: graph.Type) -> bool:
    """Return whether the values of a type can be enumerated."""
    if not isinstance(type_, graph.Number):
        return True
    return type_.low is not None and type_.high is not None and type_.high - type_.low < MOST_VALUES


def elaborate_binder(node: source.Binder, context: Context) -> BoundVariable | None:
    """Elaborate a binder: its collection, the context with the name bound, and its condition; None after a problem."""
    if context.passes == MOST_PASSES:
        message = f"this is nested in more than {MOST_PASSES} sets to go through"
        advice = "make a part of it a question of its own"
        return context.report(InvalidConstruct(node.name.span, message, advice), None)
    collection, element_type = _collection(node.source, context)
    if element_type is None:
        return None
    on_scale = places.are_on_scale(collection, context.places)
    inner = context.inside_pass().with_binding(node.name.text, element_type, named=on_scale)
    condition = None
    if node.where is not None:
        condition, fine = context.elaborate(node.where, inner, YES_NO)
        if fine is None:
            return None
        inner = inner.with_facts(facts.when_true(condition))
    return collection, element_type, inner, condition


def _collection(written: source.Expression | source.Range, context: Context) -> tuple[graph.Expr, graph.Type | None]:
    if isinstance(written, source.Range):
        low, low_type = context.elaborate(written.low, context, None)
        high, high_type = context.elaborate(written.high, context, None)
        if not isinstance(low_type, graph.Number) or not isinstance(high_type, graph.Number):
            for part, type_ in ((written.low, low_type), (written.high, high_type)):
                if type_ is not None and not isinstance(type_, graph.Number):
                    context.problems.append(TypeMismatch(part.span, "a number", type_text(type_)))
            return low, None
        span = graph.Number(low_type.low, high_type.high, low_type.measure)
        if not _countable(span):
            return context.report(
                InvalidConstruct(written.span, "this range has too many values to go through", ENDS), (low, None)
            )
        return graph.Op("span", (low, high)), span
    if isinstance(written, source.Field):
        found, type_ = names.elaborate_field(written, context, expects_many=True)
        note_name_uses(written, (found, type_), context)
    elif isinstance(written, source.Name) and names.is_bare_kind(written, context):
        return BROKEN[0], None
    else:
        found, type_ = context.elaborate(written, context, None)
    if isinstance(type_, graph.Many):
        return found, type_.of
    if type_ is not None and type_ is not UNKNOWN_TYPE:
        context.problems.append(TypeMismatch(written.span, "a set or a list", type_text(type_)))
    return found, None


def elaborate_aggregate(node: source.Aggregate, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `count`, `some`, `none`, `every`, `sum`, `min`, `max`, `trailing`, `leading`."""
    if node.binder is None:
        return _of_set(node, context)
    problem = _useless_part(node, node.binder)
    if problem is not None:
        return context.reject(problem)
    if node.binder.inner is not None:
        return _nested_aggregate(node, node.binder, node.binder.inner, context, expected)
    bound = elaborate_binder(node.binder, context)
    if bound is None:
        return BROKEN
    collection, element_type, inner, condition = bound
    variable = node.binder.name.text
    match node.op:
        case "count":
            return graph.Fold("count", variable, collection, condition, None, None), COUNT
        case "some" | "none" as kind:
            return graph.Fold(kind, variable, collection, condition, None, None), YES_NO
        case "every":
            return graph.Fold("every", variable, collection, None, condition or graph.Truth(value=True), None), YES_NO
        case "trailing" | "leading" as kind:
            return graph.Fold(kind, variable, collection, condition, None, None), graph.Many("list", element_type)
        case _:
            return _of_bodies(node, (collection, element_type, inner, condition), context, expected)


def _useless_part(node: source.Aggregate, binder: source.Binder) -> InvalidConstruct | None:
    """Find a part without effect: an amount of what is only counted, an `otherwise` that is never evaluated."""
    op, each = node.op, f"{binder.name.text} in .."
    if op not in AMOUNTS and node.body is not None:
        message = f"what is before `for` has no effect in `{op}`"
        advice = COUNTS if op == "count" else f"write `{op}({each} where ..)`"
        return InvalidConstruct(node.body.span, message, advice)
    if op not in {"min", "max"} and node.otherwise is not None:
        message = f"`otherwise` has no effect here, as `{op}` always has a value"
        return InvalidConstruct(node.otherwise.span, message, "delete it")
    if op in LISTS and binder.inner is not None:
        message = f"`{op}` is possible for one list only, not for two"
        return InvalidConstruct(
            binder.inner.span, message, f"write it for each of the others, `{{{op}(..) for .. in ..}}`"
        )
    if op == "every" and binder.innermost().where is None:
        message = "this is always true, as it states no condition"
        return InvalidConstruct(node.span, message, f"add a condition, `every({each} where ..)`")
    return None


def _nested_aggregate(
    node: source.Aggregate, outer: source.Binder, rest: source.Binder, context: Context, expected: graph.Type | None
) -> TypedExpression:
    """Elaborate `some(x in S where P for y in T where Q)` and the like: a pass over T for each x of S."""
    if node.op in {"min", "max"}:
        return _nested_extreme(node, context)
    bound = elaborate_binder(_without_inner(outer), context)
    if bound is None:
        return BROKEN
    collection, _, inner, condition = bound
    op = "some" if node.op == "none" else node.op
    each, type_ = elaborate_aggregate(source.Aggregate(node.span, op, rest, node.body, None), inner, expected)
    if type_ is None:
        return BROKEN
    if node.op in {"some", "none"}:
        member_test = each if condition is None else graph.Op("and", (condition, each))
        return graph.Fold(cast(graph.FoldKind, node.op), outer.name.text, collection, member_test, None, None), type_
    kind: graph.FoldKind = "every" if node.op == "every" else "sum"
    return graph.Fold(kind, outer.name.text, collection, condition, each, None), type_


def _nested_extreme(node: source.Aggregate, context: Context) -> TypedExpression:
    """Elaborate `min(e for x in S for y in T otherwise d)`: the minimum of a set of amounts."""
    assert node.binder is not None
    body = node.body or source.Name(node.binder.innermost().name.span, node.binder.innermost().name.text)
    amounts, type_ = type_set(source.SetComprehension(node.span, node.binder, body), context)
    if not isinstance(type_, graph.Many):
        return BROKEN
    element_type = type_.of
    if not isinstance(element_type, graph.Number | graph.Scale):
        return context.reject(TypeMismatch(body.span, "a number", type_text(element_type)))
    if node.otherwise is None:
        return context.reject(MayBeEmpty(node.span, node.op))
    default, default_type = context.elaborate(node.otherwise, context, element_type)
    if default_type is not None:
        return (graph.Fold(cast(graph.FoldKind, node.op), "_", amounts, None, graph.Var("_"), default), element_type)
    return BROKEN


def _without_inner(binder: source.Binder) -> source.Binder:
    """Return a binder without its inner one."""
    return replace(binder, inner=None)


def _of_bodies(
    node: source.Aggregate, bound: BoundVariable, context: Context, expected: graph.Type | None
) -> TypedExpression:
    """Elaborate `sum(e for b)`, `min(e for b otherwise d)`, `max(..)`."""
    collection, _, inner, condition = bound
    assert node.binder is not None
    # `min(x in S)` is the least of the members themselves.
    written = node.body or source.Name(node.binder.name.span, node.binder.name.text)
    amount_type = expected if isinstance(expected, graph.Number | graph.Scale) else None
    body, type_ = context.elaborate(written, inner, amount_type)
    default = context.elaborate(node.otherwise, context, type_)[0] if node.otherwise and type_ else None
    if type_ is None:
        return BROKEN
    if not isinstance(type_, graph.Number | graph.Scale):
        return context.reject(TypeMismatch(written.span, "a number", type_text(type_)))
    if node.op != "sum" and default is None and _may_be_empty(node.binder.name.text, collection, condition, context):
        return context.reject(MayBeEmpty(node.span, node.op))
    if node.op == "sum" and isinstance(type_, graph.Number):
        low = 0 if type_.low is not None and type_.low >= 0 else None
        type_ = graph.Number(low, None, type_.measure)
    return graph.Fold(cast(graph.FoldKind, node.op), node.binder.name.text, collection, condition, body, default), type_


def _of_set(node: source.Aggregate, context: Context) -> TypedExpression:
    """Elaborate `count(set)`, `some(set)`, `none(set)` and folds of a set of numbers."""
    assert node.body is not None
    collection, element_type = _collection(node.body, context)
    if element_type is None:
        return BROKEN
    if node.op in {"count", "some", "none"}:
        type_: graph.Type = COUNT if node.op == "count" else YES_NO
        return graph.Fold(cast(graph.FoldKind, node.op), "_", collection, None, None, None), type_
    if node.op in {"sum", "min", "max"} and isinstance(element_type, graph.Number | graph.Scale):
        if node.op != "sum" and _may_be_empty("_", collection, None, context):
            return context.reject(MayBeEmpty(node.span, node.op))
        if node.op != "sum" and isinstance(collection, graph.SetOf) and len(collection.elements) > 1:
            return graph.Op(node.op, collection.elements), element_type  # `min({a, b})` is `min(a, b)`.
        return graph.Fold(cast(graph.FoldKind, node.op), "_", collection, None, graph.Var("_"), None), element_type
    return context.reject(TypeMismatch(node.span, "`x in ..` inside the parentheses", type_text(element_type)))


def _may_be_empty(variable: str, collection: graph.Expr, condition: graph.Expr | None, context: Context) -> bool:
    if facts.has_member(context.known, variable, collection, condition):
        return False
    if condition is not None:
        return True
    match collection:
        case graph.All(type=graph.Enum() | graph.Scale() | graph.Number()):
            return False
        case graph.SetOf(elements=elements):
            return not elements
        case _:
            return True


def elaborate_extreme(node: source.Extreme, context: Context) -> TypedExpression:
    """Elaborate `least(x in S by e otherwise d)`: a member, the first in canonical order of several least ones."""
    if node.binder.inner is not None:
        message = f"`{node.op}` is possible for one set only, not for two"
        advice = f"combine the two sets, `{node.op}(z in {{.. for .. for ..}} by ..)`"
        return context.reject(InvalidConstruct(node.binder.inner.span, message, advice))
    bound = elaborate_binder(node.binder, context)
    if bound is None:
        return BROKEN
    collection, element_type, inner, condition = bound
    key, type_ = context.elaborate(node.by, inner, None)
    if type_ is None:
        return BROKEN
    if not isinstance(type_, graph.Number | graph.Scale):
        return context.reject(TypeMismatch(node.by.span, "a number", type_text(type_)))
    default: graph.Expr | None = None
    if node.otherwise is not None:
        default, default_type = expect_type(
            context, context.elaborate(node.otherwise, context, element_type), element_type, node.otherwise.span
        )
        if default_type is None:
            return BROKEN
    elif _may_be_empty(node.binder.name.text, collection, condition, context):
        return context.reject(MayBeEmpty(node.span, node.op))
    return graph.Fold(
        cast(graph.FoldKind, node.op), node.binder.name.text, collection, condition, key, default
    ), element_type


def type_set(node: source.SetComprehension, context: Context) -> TypedExpression:
    """Elaborate `{x in S where P}` and `{e for x in S where P}`, also with more passes: `{e for x in S for y in T}`."""
    if node.binder.inner is not None and node.body is None:
        message = "this goes through two sets without saying what it collects"
        return context.reject(
            InvalidConstruct(node.binder.span, message, "write that first, `{VALUE for x in .. for y in ..}`")
        )
    bound = elaborate_binder(_without_inner(node.binder), context)
    if bound is None:
        return BROKEN
    if node.binder.inner is not None:
        collection, _, inner, condition = bound
        each, type_ = type_set(source.SetComprehension(node.span, node.binder.inner, node.body), inner)
        if type_ is None:
            return BROKEN
        return graph.Op(
            "flat", (graph.Fold("gather", node.binder.name.text, collection, condition, each, None),)
        ), type_
    collection, element_type, inner, condition = bound
    if node.body is None:
        return graph.Fold("gather", node.binder.name.text, collection, condition, None, None), graph.Many(
            "set", element_type
        )
    body, type_ = context.elaborate(node.body, inner, None)
    if type_ is None:
        return BROKEN
    return graph.Fold("gather", node.binder.name.text, collection, condition, body, None), graph.Many("set", type_)
