"""Collections of pieces and values, folds over them, and searches over the map."""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph.english import holding_phrase
from runtime.graph.expressions.questions import operation_phrase
from runtime.graph.expressions.record import ExpressionRecord, Symbol, TypeScope, no_symbols, symbols_of_pieces
from runtime.graph.operators.logic import YES_NO
from runtime.graph.operators.numbers import BARE, amount
from runtime.graph.predeclared_types import UNKNOWN, member_of
from runtime.graph.scales import rounding_of
from runtime.graph.set_phrases import fold_phrase, members_phrase, quantified_clause, search_phrase

if TYPE_CHECKING:
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


def _search_type(search: graph.Search, scope: TypeScope) -> graph.Type:
    if search.op != "cheapest_cost":
        return graph.Many("list" if search.op == "cheapest_way" else "set", graph.Hex())
    price = BARE if search.price is None else scope.of(search.price)
    return graph.Number(0, None, price.measure) if isinstance(price, graph.Number) else UNKNOWN


COLLECTIONS = (
    ExpressionRecord(
        graph.Pieces,
        result=lambda pieces, _: graph.Many("set", graph.Piece(pieces.kinds)),
        symbols=lambda pieces: symbols_of_pieces(pieces.kinds, "pieces" if pieces.at is None else "occupants"),
        phrase=members_phrase,
        clause=None,
    ),
    ExpressionRecord(
        graph.All,
        result=lambda collection, _: graph.Many("set", collection.type),
        symbols=_symbols_of_all,
        phrase=members_phrase,
        clause=None,
    ),
    ExpressionRecord(
        graph.Fold,
        result=_fold_type,
        symbols=no_symbols,
        phrase=_fold_phrase,
        clause=_fold_clause,
    ),
    ExpressionRecord(
        graph.Search,
        result=_search_type,
        symbols=no_symbols,
        phrase=search_phrase,
        clause=None,
    ),
)  # fmt: skip
