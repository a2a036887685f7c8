"""Verbalization of sets, aggregates and searches: "the number of carts in B that are tall".

In: an aggregate or a search, and a `Wording`. Out: a phrase or a clause. Bound variables have no names in English: the
member is "it" inside the filter, and common filters become relative clauses ("other than", "that is", "whose side
is").
"""

import re
from typing import TYPE_CHECKING, assert_never

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.english import agreeing_verb, are_several, in_plural
from runtime.graph.operators import COMPARISONS, OPERATORS, Phrase
from runtime.graph.type_of import member_of, type_of

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

VERBS = ("is ", "has ", "may ", "can ")
# A possessive subject with its verb: "its hex is", "its old owner may".
OWNED = re.compile(r"its (?!and\b)[\w-]+(?: (?!and\b|or\b)[\w-]+){0,3}? (?:is|are|has|have|may|does|do)\b")
CHOICE = re.compile(r", | or ")


def members_phrase(speaker: "Wording", source: graph.Expr, *, several: bool = True, owned: str = "") -> str:
    """Return the noun phrase of a collection, plural or singular, with owner and place of its members."""
    match source:
        case graph.Pieces(kinds, at):
            where = f" in {speaker.phrase(at)}" if at is not None else ""
            return f"{words.kinds(kinds, speaker.vocabulary, several=several)}{owned}{where}"
        case graph.All(type_):
            if isinstance(type_, graph.Piece):
                return f"{words.kinds(type_.kinds, speaker.vocabulary, several=several)}{owned}"
            noun = type_noun(speaker, type_)
            return f"{words.plural(noun) if several else noun}{owned}"
        case graph.Fold("gather", _, inner, _, None, _):
            theirs, rest = filter_text(speaker, source, several=several)
            return f"{members_phrase(speaker, inner, several=several, owned=owned + theirs)}{rest}"
        case graph.Op("reserve", kinds):
            names = [kind.name for kind in kinds if isinstance(kind, graph.Member)]
            return f"{words.kinds(names, speaker.vocabulary, several=several)}{owned} off the map"
        case graph.Op("span", (low, high)) if not several:
            return f"number from {speaker.phrase(low)} to {speaker.phrase(high)}{owned}"
        case graph.Op(_, parts) if (member := _member(source)) and not several:
            return f"{words.of_map(member, speaker.vocabulary).format(*speaker.phrases(parts))}{owned}"
        case _ if several:
            return f"{speaker.phrase(source)}{owned and f' that are{owned}'}"
        case _:
            return f"{type_noun(speaker, member_of(_type(speaker, source)))}{owned} {_location_phrase(speaker, source)}"


def _member(source: graph.Expr) -> str:
    """Return the noun of a member of an operator's result; "" if it has none."""
    phrase = OPERATORS[source.op].phrase if isinstance(source, graph.Op) else None
    return phrase.member if isinstance(phrase, Phrase) else ""


def _type(speaker: "Wording", expr: graph.Expr) -> graph.Type:
    return type_of(expr, speaker.names, speaker.rules)


def _location_phrase(speaker: "Wording", source: graph.Expr) -> str:
    """Return the prepositional phrase of a collection: in a list, among the rest."""
    type_ = _type(speaker, source)
    listed = isinstance(type_, graph.Many) and (type_.shape == "list" or isinstance(type_.of, graph.Hex))
    phrase = speaker.phrase(source)
    whole = listed and not (phrase.startswith("the ") and are_several(phrase))
    return f"{'in' if whole else 'among'} {phrase}"


def type_noun(speaker: "Wording", type_: graph.Type) -> str:
    """Return the noun of a type."""
    match type_:
        case graph.Piece(kinds):
            return words.kinds(kinds, speaker.vocabulary)
        case graph.RecordOf(name) | graph.Enum(name) | graph.Scale(name):
            return words.factor_name(name, speaker.vocabulary)
        case graph.Hex() | graph.Hexside() | graph.Crossing():
            return words.of_map(type(type_).__name__.lower(), speaker.vocabulary)
        case _:
            return "member"


def noun_of(speaker: "Wording", type_: graph.Type) -> str:
    """Return the noun of a type, plural for a collection."""
    match type_:
        case graph.Many(_, of):
            return words.plural(type_noun(speaker, of))
        case graph.Number():
            return "number"
        case graph.YesNo():
            return "answer"
        case _:
            return type_noun(speaker, type_)


def speaker_inside(speaker: "Wording", expr: graph.Fold) -> "Wording":
    """Return the wording inside an aggregate, where its member is "it", and an outer one "that" thing."""
    type_ = member_of(type_of(expr.source, speaker.names, speaker.rules))
    outer = {name: f"that {_outer(speaker, name)}" for name, call in speaker.calls.items() if call == "it"}
    return speaker.with_names(outer).with_name(expr.var, "it", type_)


def _outer(speaker: "Wording", name: str) -> str:
    """Return the noun of the member of an outer aggregate."""
    type_ = speaker.names[name]
    return "number" if isinstance(type_, graph.Number) else type_noun(speaker, type_)


def filter_text(speaker: "Wording", expr: graph.Fold, *, several: bool = True) -> tuple[str, str]:
    """Return a filter as the owner of the members, and as relative clauses."""
    if expr.where is None:
        return "", ""
    parts = expr.where.arguments if isinstance(expr.where, graph.Op) and expr.where.op == "and" else (expr.where,)
    within = speaker_inside(speaker, expr)
    said = [relative_clause(within, part, expr.var, several=several) for part in parts]
    theirs = [text for text in said if text.startswith("of ")]
    near = [text for text in said if text.startswith(("other than ", "in "))]
    rest = _joined([text for text in said if text not in theirs and text not in near])
    return "".join(f" {text}" for text in theirs), "".join(f" {text}" for text in (*near, *rest))


def _joined(said: list[str]) -> tuple[str, ...]:
    """Coordinate relative clauses: "that are old and have wheels"; a compound clause keeps its relative pronoun."""
    told = ""
    before = ""
    for text in said:
        opening = text.split(" ", maxsplit=1)[0]
        plain = opening == before and opening in ("that", "where")
        told += (" and " if told else "") + (text.removeprefix(f"{opening} ") if plain else text)
        deep = any(word in text for word in (" or ", " and ", "there is", ", "))
        before = "" if deep else opening
    return (told,) if told else ()


def relative_clause(speaker: "Wording", expr: graph.Expr, var: str, *, several: bool) -> str:
    """Return the relative clause of one filter condition."""
    match expr:
        case graph.Op("!=", (graph.Var(name), other)) if name == var:
            return f"other than {speaker.phrase(other)}"
        case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "hex"), other)) if name == var:
            return f"in {speaker.phrase(other)}"
        case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "side"), other)) if name == var:
            return f"of {speaker.phrase(other)}"
        case graph.Op("!=", (graph.Get(graph.Var(name), "given", _, "side"), other)) if name == var:
            return f"that {'are' if several else 'is'} not of {speaker.phrase(other)}"
        case graph.Op(op, (graph.Get(graph.Var(name)), _)) if name == var and op in {*COMPARISONS, "in"}:
            return _that(speaker.clause(expr), several=several)
        case graph.Is() | graph.Has() | graph.Ask() | graph.Op("not", (graph.Is() | graph.Has() | graph.Ask(),)):
            return _that(speaker.clause(expr), several=several)
        case graph.Op("=", (graph.Var(name), other)) if name == var:
            return f"where it is {speaker.phrase(other)}"
        case _:
            said = speaker.clause(expr)
            plain = said.startswith("it ") and all(part.startswith(VERBS) for part in CHOICE.split(said[3:]))
            return _that(said, several=several) if plain else f"where {said}"


def _that(said: str, *, several: bool) -> str:
    """Convert a clause about `it` to a relative clause."""
    if OWNED.match(said):
        return f"whose {said.removeprefix('its ')}"
    if not said.startswith("it ") or said.startswith("it and "):
        return f"where {said}"
    said = said.removeprefix("it ")
    if not several:
        return f"that {said}"
    for link in (" or ", " and "):
        said = link.join(in_plural(part) if part.startswith(("is ", "has ")) else part for part in said.split(link))
    return f"that {in_plural(said)}"


def quantified_clause(speaker: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Return the clause of `some`, `none` or `every`."""
    if expr.op == "every":
        body = speaker_inside(speaker, expr).clause(expr.body or graph.Truth(value=True))
        # After a relative clause the predicate would be read as a part of it.
        if body.startswith("it ") and expr.where is None and " it " not in body[3:]:
            return f"{'' if holds else 'not '}every {one_member(speaker, expr)} {body.removeprefix('it ')}"
        return f"{'' if holds else 'not '}for every {one_member(speaker, expr)}, {body}"
    if expr.where is None and isinstance(expr.source, graph.Get) and expr.source.what == "partners":
        pair = speaker.vocabulary.relations[expr.source.owner]
        theirs = words.factor_name((pair.left if expr.source.name == "left" else pair.right).name, speaker.vocabulary)
        owner = speaker.phrase(expr.source.base)
        return f"{owner} {agreeing_verb(owner, 'has')} {'' if (expr.op == 'some') == holds else 'no '}{theirs}"
    found = one_member(speaker, expr)
    return f"there is {words.article(found)}" if (expr.op == "some") == holds else f"there is no {found}"


def one_member(speaker: "Wording", expr: graph.Fold) -> str:
    """Return the singular noun phrase of an aggregate's members."""
    theirs, rest = filter_text(speaker, expr, several=False)
    return f"{members_phrase(speaker, expr.source, several=False, owned=theirs)}{rest}"


def fold_phrase(speaker: "Wording", expr: graph.Fold) -> str:
    """Return the phrase of an aggregate's value."""
    theirs, rest = filter_text(speaker, expr)
    several = f"{members_phrase(speaker, expr.source, owned=theirs)}{rest}"
    body = "" if expr.body is None else speaker_inside(speaker, expr).phrase(expr.body)
    match expr.op:
        case "some" | "none" | "every":
            return f"whether {speaker.clause(expr)}"
        case "count" if isinstance(expr.source, graph.Get | graph.Var):
            noun = type_noun(speaker, member_of(_type(speaker, expr.source)))
            return f"the number of {words.plural(noun)}{theirs} {_location_phrase(speaker, expr.source)}{rest}"
        case "count":
            plain = _member(expr.source) or are_several(several)
            return f"the number of {several.removeprefix('the ') if plain else several}"
        case "gather":
            if not body or body == "it":
                return several
            own = body.removeprefix("its ")
            return (
                f"{body}, for all {several}" if own == body or "'" in own else f"the {words.plural(own)} of {several}"
            )
        case "sum" if (own := body.removeprefix("its ")) != body and " " not in own:
            return f"the total {own} of {several}"
        case "sum":
            return f"the sum of {body or 'all'}{',' if ', ' in body else ''} over {several}"
        case "min" | "max" if far := _origin_of_distance(speaker, expr):
            return f"the distance from {far} to the {'nearest' if expr.op == 'min' else 'farthest'} of {several}"
        case "min" | "max":
            most = "smallest" if expr.op == "min" else "greatest"
            return f"the {most} {without_article(body)} of {several}"
        case "least" | "greatest":
            return f"the {one_member(speaker, expr)} with the {expr.op} {without_article(body)}"
        case "trailing" | "leading":
            last = "latest" if expr.op == "trailing" else "first"
            return f"the {last} unbroken run of {several}"


def _origin_of_distance(speaker: "Wording", expr: graph.Fold) -> str:
    """Return the hex from which an aggregate measures distances to its members; "" if it measures something else."""
    match expr.body:
        case graph.Op("distance", (graph.Var(expr.var), other) | (other, graph.Var(expr.var))):
            return speaker.phrase(other)
        case _:
            return ""


def without_article(phrase: str) -> str:
    """Remove the article or possessive before a phrase."""
    return phrase.removeprefix("the ").removeprefix("its ")


def search_phrase(speaker: "Wording", expr: graph.Search) -> str:
    """Return the phrase of a search: its start, the condition and the cost of a step."""
    start, goal = speaker.phrase(expr.start), "" if expr.goal is None else f" to {speaker.phrase(expr.goal)}"
    hexes = words.of_map("hexes", speaker.vocabulary)
    match expr.op:
        case "reachable":
            found = f"the {hexes} that one gets to from {start}"
        case "linked":
            ground = "" if expr.goal is None else f" within {speaker.phrase(expr.goal)}"
            found = f"the {hexes} that one gets to from {start}{ground}"
        case "cheapest_cost":
            found = f"what the cheapest way from {start}{goal} costs"
        case "cheapest_way":
            found = f"the {hexes} of the cheapest way from {start}{goal}"
        case _:
            assert_never(expr.op)
    gate = "" if expr.gate is None else f", where {speaker.clause(expr.gate)}"
    price = "" if expr.price is None else f", paying {speaker.phrase(expr.price)}"
    bound = "" if expr.most is None else f", at most {speaker.phrase(expr.most)}"
    return f"{found} step by step{gate}{price}{bound}{' in all' if bound else ''}"
