"""Read sets and passes over them: "the number of carts in B that are tall".

In: an expression that gathers, and the `Wording` that speaks. Out: a phrase or a clause.
Binders have no name in speech: the member a set is filtered by is "it" inside the filter, and the
usual filters become relative clauses ("other than", "that is", "whose side is").
"""

from typing import TYPE_CHECKING

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.type_of import member_of, type_of

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in")


def members(speaker: "Wording", source: graph.Expr, *, several: bool = True) -> str:
    """Read a collection as a noun, plural or singular, with where its members are."""
    match source:
        case graph.Pieces(kinds, at):
            where = f" in {speaker.phrase(at)}" if at is not None else ""
            return f"{words.kinds(kinds, speaker.vocabulary, several=several)}{where}"
        case graph.All(type_):
            if isinstance(type_, graph.Piece):
                return words.kinds(type_.kinds, speaker.vocabulary, several=several)
            noun = named(speaker, type_)
            return words.plural(noun) if several else noun
        case graph.Fold("gather", _, inner, _, None, _):
            return f"{members(speaker, inner, several=several)}{filtered(speaker, source, several=several)}"
        case _ if several:
            return speaker.phrase(source)
        case _:
            noun = named(speaker, member_of(type_of(source, speaker.names, speaker.rules)))
            return f"{noun} among {speaker.phrase(source)}"


def named(speaker: "Wording", type_: graph.Type) -> str:
    """Call what is of a type."""
    match type_:
        case graph.Piece(kinds):
            return words.kinds(kinds, speaker.vocabulary)
        case graph.Enum(name) | graph.RecordOf(name) | graph.Scale(name):
            return words.spaced(name)
        case graph.Hex() | graph.Hexside() | graph.Crossing():
            return type(type_).__name__.lower()
        case _:
            return "member"


def inside(speaker: "Wording", expr: graph.Fold) -> "Wording":
    """Speak inside a pass, where the member at hand is "it", and an outer one "that" thing."""
    type_ = member_of(type_of(expr.source, speaker.names, speaker.rules))
    outer = {
        name: f"that {named(speaker, speaker.names[name])}" for name, call in speaker.calls.items() if call == "it"
    }
    return speaker.also(outer).calling(expr.var, "it", type_)


def filtered(speaker: "Wording", expr: graph.Fold, *, several: bool = True) -> str:
    """Read a filter as relative clauses."""
    if expr.where is None:
        return ""
    parts = expr.where.arguments if isinstance(expr.where, graph.Op) and expr.where.op == "and" else (expr.where,)
    within = inside(speaker, expr)
    said = " and ".join(relative(within, part, expr.var) for part in parts)
    return f" {said.replace('that is ', 'that are ').replace('that has ', 'that have ')}" if several else f" {said}"


def relative(speaker: "Wording", expr: graph.Expr, var: str) -> str:
    """Read one filter of `it`."""
    match expr:
        case graph.Op("!=", (graph.Var(name), other)) if name == var:
            return f"other than {speaker.phrase(other)}"
        case graph.Is(graph.Var(name)) | graph.Has(graph.Var(name)) if name == var:
            return f"that {speaker.clause(expr).removeprefix('it ')}"
        case graph.Op(op, (graph.Get(graph.Var(name)), _)) if name == var and op in COMPARISONS:
            said = speaker.clause(expr)
            return f"whose {said.removeprefix('its ')}" if said.startswith("its ") else f"where {said}"
        case _:
            return f"where {speaker.clause(expr)}"


def quantified(speaker: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Read some, none or every."""
    if expr.op == "every":
        body = inside(speaker, expr).clause(expr.body or graph.Truth(value=True))
        return f"{'' if holds else 'not '}for every {one(speaker, expr)}, {body}"
    found = one(speaker, expr)
    return f"there is {words.article(found)}" if (expr.op == "some") == holds else f"there is no {found}"


def one(speaker: "Wording", expr: graph.Fold) -> str:
    """Read the members a pass is about, as one of them."""
    return f"{members(speaker, expr.source, several=False)}{filtered(speaker, expr, several=False)}"


def fold(speaker: "Wording", expr: graph.Fold) -> str:
    """Read a pass as what it gives."""
    several = f"{members(speaker, expr.source)}{filtered(speaker, expr)}"
    body = "" if expr.body is None else inside(speaker, expr).phrase(expr.body)
    match expr.op:
        case "some" | "none" | "every":
            return f"whether {speaker.clause(expr)}"
        case "count" if isinstance(expr.source, graph.Get) and expr.source.what == "track":
            noun = named(speaker, member_of(type_of(expr.source, speaker.names, speaker.rules)))
            where = filtered(speaker, expr)
            return f"the number of {words.plural(noun)} in {speaker.phrase(expr.source)}{where}"
        case "count":
            return f"the number of {several}"
        case "gather":
            return several if not body or body == "it" else f"{body}, for all {several}"
        case "sum":
            return f"the sum of {body or 'all'} over {several}"
        case "min" | "max":
            most = "smallest" if expr.op == "min" else "greatest"
            return f"the {most} {unled(body)} of {several}"
        case "least" | "greatest":
            return f"the {one(speaker, expr)} with the {expr.op} {unled(body)}"
        case _:
            last = "latest" if expr.op == "trailing" else "first"
            return f"the {last} unbroken run of {several}"


def unled(phrase: str) -> str:
    """Drop the article or possessive before a phrase."""
    return phrase.removeprefix("the ").removeprefix("its ")
