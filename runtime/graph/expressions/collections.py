"""Collections of pieces and values, folds over them, and searches over the map."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph.english import holding_phrase
from runtime.graph.expressions.operations import operation_phrase
from runtime.graph.expressions.record import ExpressionRecord, Symbol, TypeScope, no_symbols, symbols_of_pieces
from runtime.graph.operators.logic import YES_NO
from runtime.graph.operators.numbers import BARE, amount
from runtime.graph.predeclared_types import UNKNOWN, member_of
from runtime.graph.scales import rounding_of, scale_rounding
from runtime.graph.set_phrases import fold_phrase, members_phrase, quantified_clause, search_phrase
from runtime.graph.type_names import type_name

if TYPE_CHECKING:
    from runtime.graph.notation import NotationWriter
    from runtime.graph.wording import Wording


def _symbols_of_all(collection: graph.All) -> tuple[Symbol, ...]:
    match collection.type:
        case graph.Piece(kinds):
            return symbols_of_pieces(kinds)
        case graph.RecordOf(name):
            return (Symbol("records", "", name),)
        case _:
            return ()


def _fold_type(fold: graph.Fold, scope: TypeScope) -> graph.Type:
    source = scope.of(fold.source)
    member = member_of(source)
    match fold.op:
        case "count":
            return BARE
        case "some" | "none" | "every":
            return YES_NO
        case "least" | "greatest":
            return member
        case "trailing" | "leading":
            return source
        case "sum" | "min" | "max" | "gather":
            inner = scope._replace(names={**scope.names, fold.var: member})
            value_type = inner.of(fold.body) if fold.body else member
            if fold.op == "gather":
                return graph.Many("set", value_type)
            # A sum may leave the domain of its members, and so may the default.
            return amount(value_type) if fold.op == "sum" or fold.otherwise is not None else value_type


def _fold_phrase(wording: "Wording", fold: graph.Fold) -> str:
    rounding = rounding_of(fold)
    return fold_phrase(wording, fold) if rounding is None else operation_phrase(wording, rounding)


def _fold_clause(wording: "Wording", fold: graph.Fold, holds: bool) -> str:  # noqa: FBT001 - as every clause
    if fold.op in ("some", "none", "every"):
        return quantified_clause(wording, fold, holds=holds)
    return holding_phrase(wording.phrase(fold), holds=holds)


def _pieces_text(writer: "NotationWriter", pieces: graph.Pieces) -> str:
    kinds = "|".join(pieces.kinds) or "piece"
    return f"all {kinds}" if pieces.at is None else f"{kinds} at {writer.parenthesized(pieces.at)}"


def _fold_text(writer: "NotationWriter", fold: graph.Fold) -> str:
    if rounding := scale_rounding(fold):
        down, operand, scale = rounding
        return _rounding_text(writer, "round_down" if down else "round_up", operand, scale.name)
    binder = _binder_text(writer, fold)
    match fold.op, fold.body:
        case "gather", body:
            return f"{{{binder}}}" if body is None else f"{{{writer.text(body)} for {binder}}}"
        case op, None:
            return f"{op}({binder})"
        case "least" | "greatest" as op, body:
            return f"{op}({binder} by {writer.text(body)})"
        case "every", body:
            return f"every({binder}{':' if fold.where is not None else ' where'} {writer.text(body)})"
        case op, body:
            rest = "" if fold.otherwise is None else f" otherwise {writer.text(fold.otherwise)}"
            return f"{op}({writer.text(body)} for {binder}{rest})"


def _binder_text(writer: "NotationWriter", fold: graph.Fold) -> str:
    """Format the name that a fold binds, its collection and its filter."""
    source = writer.text(fold.source)
    binder = source if fold.var == "_" else f"{fold.var} in {source}"
    return binder if fold.where is None else f"{binder} where {writer.text(fold.where)}"


def comprehension_text(writer: "NotationWriter", sets: graph.Expr) -> str:
    """Format a comprehension with nested loops, which is a union of sets; "" for other sets."""
    if not isinstance(sets, graph.Fold):
        return ""
    body, bound = _several(sets)
    binders = [_binder_text(writer, fold) for fold in bound]
    return f"{{{writer.text(body)} for {' for '.join(binders)}}}"


def _several(sets: graph.Fold) -> tuple[graph.Expr, tuple[graph.Fold, ...]]:
    """Return the element of a comprehension with nested loops, and its folds from the outermost inward."""
    inner = sets.body
    if isinstance(inner, graph.Op) and inner.op == "flat" and isinstance(inner.arguments[0], graph.Fold):
        body, bound = _several(inner.arguments[0])
        return body, (sets, *bound)
    if isinstance(inner, graph.Fold) and inner.op == "gather":
        return inner.body or graph.Var(inner.var), (sets, inner)
    return inner or graph.Var(sets.var), (sets,)


def _rounding_text(writer: "NotationWriter", name: str, operand: graph.Expr, scale: str) -> str:
    """Format rounding on a scale; a place on it is written as a conversion with the scale's name."""
    match operand:
        case graph.Op("place", (inner,)):
            return f"{name}({scale}({writer.text(inner)}))"
        case _:
            return f"{name}({writer.text(operand)})"


def _search_type(search: graph.Search, scope: TypeScope) -> graph.Type:
    if search.op != "cheapest_cost":
        return graph.Many("list" if search.op == "cheapest_way" else "set", graph.Hex())
    price = BARE if search.price is None else scope.of(search.price)
    return graph.Number(0, None, price.measure) if isinstance(price, graph.Number) else UNKNOWN


def _search_text(writer: "NotationWriter", search: graph.Search) -> str:
    text = f"{search.op}({_ends_text(writer, search.start)}"
    if search.goal is not None:
        text += f"{', ' if search.op == 'linked' else ' to '}{_ends_text(writer, search.goal)}"
    for word, ask in (("by", search.gate), ("costing", search.price)):
        if ask is not None:
            arguments = writer.list_text(ask.arguments[:-2])
            text += f" {word} {ask.term}" + (f"({arguments})" if arguments else "")
    for word, part in (("within", search.most), ("otherwise", search.otherwise)):
        if part is not None:
            text += f" {word} {writer.text(part)}"
    return f"{text})"


def _ends_text(writer: "NotationWriter", hexes: graph.Expr) -> str:
    """Format the start or the goal of a path: a single hex without braces."""
    return writer.text(hexes.elements[0] if isinstance(hexes, graph.SetOf) and len(hexes.elements) == 1 else hexes)


COLLECTIONS = (
    ExpressionRecord(
        graph.Pieces,
        result=lambda pieces, _: graph.Many("set", graph.Piece(pieces.kinds)),
        symbols=lambda pieces: symbols_of_pieces(pieces.kinds, "pieces" if pieces.at is None else "occupants"),
        phrase=members_phrase,
        clause=None,
        text=_pieces_text,
    ),
    ExpressionRecord(
        graph.All,
        result=lambda collection, _: graph.Many("set", collection.type),
        symbols=_symbols_of_all,
        phrase=members_phrase,
        clause=None,
        text=lambda _, collection: f"all {type_name(collection.type)}",
    ),
    ExpressionRecord(
        graph.Fold,
        result=_fold_type,
        symbols=no_symbols,
        phrase=_fold_phrase,
        clause=_fold_clause,
        text=_fold_text,
    ),
    ExpressionRecord(
        graph.Search,
        result=_search_type,
        symbols=no_symbols,
        phrase=search_phrase,
        clause=None,
        text=_search_text,
    ),
)  # fmt: skip
