"""Verbalization of sets, aggregates and searches: "the number of carts in B that are tall".

In: an aggregate or a search, and a `Wording`. Out: a phrase or a clause. Bound variables have no names in English: the
member is "it" inside the filter, and common filters become relative clauses ("other than", "that is", "whose side
is").
"""

import re
from typing import TYPE_CHECKING, assert_never

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.amounts import amount_opening
from runtime.graph.conjuncts import conjuncts
from runtime.graph.english import agreeing_verb, with_plural_verb
from runtime.graph.free_names import variables_in
from runtime.graph.operators import COMPARISONS, OPERATORS, Phrase
from runtime.graph.predeclared_types import member_of
from runtime.graph.question_templates import SLOT, choose_parts

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

CLAUSE_VERBS = ("is ", "has ", "may ", "can ")
# A possessive subject with its verb: "its hex is", "its old owner may".
OWNED = re.compile(r"its (?!and\b)[\w-]+(?: (?!and\b|or\b)[\w-]+){0,3}? (?:is|are|has|have|may|does|do)\b")
CHOICE = re.compile(r", | or ")
NOUN = re.compile(r"(\b(?:are|not|or)|,) an? ([^,]+?)(?=,| or |$)")  # as a predicate, which is plural with its subject
# The member stands once, at the end of its clause: "the cart stands in it", "nobody sees it".
OF_OBJECT = re.compile(r"(?!.*(?:\b(?:it|its|that)\b.* it$|,| or | and ))(?:(.*) in|(?!there )(.*)) it")
DENIAL = re.compile(r" (?:not|no|cannot) ")
COORDINATED = (" or ", " and ", ", ", " it ")  # in a clause with one of them "whose" would govern only the first part


def members_phrase(wording: "Wording", source: graph.Expr, *, is_plural: bool = True, owned: str = "") -> str:
    """Return the noun phrase of a collection, plural or singular, with owner and place of its members."""
    match source:
        case graph.Pieces(kinds, space):
            location = f" in {wording.phrase(space)}" if space is not None else ""
            return f"{words.kinds(kinds, wording.vocabulary, is_plural=is_plural)}{owned}{location}"
        case graph.All(type_):
            if isinstance(type_, graph.Piece):
                return f"{words.kinds(type_.kinds, wording.vocabulary, is_plural=is_plural)}{owned}"
            noun = type_noun(wording, type_)
            bounds = f" from {type_.low} to {type_.high}" if isinstance(type_, graph.Number) else ""
            return f"{words.plural(noun) if is_plural else noun}{bounds}{owned}"
        case graph.Fold("gather", _, inner, _, None, _):
            owner_phrase, rest = _filter_text(wording, source, is_plural=is_plural)
            return f"{members_phrase(wording, inner, is_plural=is_plural, owned=owned + owner_phrase)}{rest}"
        case graph.Op("reserve", kinds):
            names = [kind.name for kind in kinds if isinstance(kind, graph.Member)]
            return f"{words.kinds(names, wording.vocabulary, is_plural=is_plural)}{owned} off the map"
        case graph.Op("span", (low, high)) if not is_plural:
            return f"number from {wording.phrase(low)} to {wording.phrase(high)}{owned}"
        case graph.Op(_, parts) if (member := _member(source)) and not is_plural:
            return f"{words.with_space_nouns(member, wording.vocabulary).format(*wording.phrases(parts))}{owned}"
        case _ if is_plural:
            return f"{wording.phrase(source)}{owned and f' that are{owned}'}"
        case _:
            noun = type_noun(wording, member_of(wording.type_of(source)))
            return f"{noun}{owned} {_location_phrase(wording, source)}"


def _member(source: graph.Expr) -> str:
    """Return the noun of a member of an operator's result; "" if it has none."""
    phrase = OPERATORS[source.op].phrase if isinstance(source, graph.Op) else None
    return phrase.member if isinstance(phrase, Phrase) else ""


def _location_phrase(wording: "Wording", source: graph.Expr) -> str:
    """Return the prepositional phrase of a collection: in a list, among the rest."""
    type_ = wording.type_of(source)
    is_list = isinstance(type_, graph.Many) and (type_.shape == "list" or isinstance(type_.of, graph.Hex))
    phrase = wording.phrase(source)
    is_single = is_list and not isinstance(phrase, words.PluralPhrase)
    return f"{'in' if is_single else 'among'} {phrase}"


def type_noun(wording: "Wording", type_: graph.Type) -> str:
    """Return the noun of a type."""
    match type_:
        case graph.Piece(kinds):
            return words.kinds(kinds, wording.vocabulary)
        case graph.RecordOf(name) | graph.Enum(name) | graph.Scale(name):
            return words.factor_name(name, wording.vocabulary)
        case graph.Hex() | graph.Hexside() | graph.Crossing():
            return words.with_space_nouns(type(type_).__name__.lower(), wording.vocabulary)
        case graph.Number():
            unit = words.measure_name(type_.measure, wording.vocabulary)
            return f"number {unit}" if unit.startswith(words.PLACE_PREPOSITION) else "number"
        case _:
            return "member"


def noun_of_type(wording: "Wording", type_: graph.Type) -> str:
    """Return the noun of a type, plural for a collection."""
    match type_:
        case graph.Many(_, member_type):
            return words.plural(type_noun(wording, member_type))
        case graph.YesNo():
            return "answer"
        case _:
            return type_noun(wording, type_)


def inner_wording(wording: "Wording", expr: graph.Fold) -> "Wording":
    """Return the wording inside an aggregate, where its member is "it", and an outer one "that" thing."""
    type_ = member_of(wording.type_of(expr.source))
    outer = {name: f"that {_outer(wording, name)}" for name, call in wording.calls.items() if call == "it"}
    return wording.with_names(outer).with_name(expr.var, "it", type_)


def _outer(wording: "Wording", name: str) -> str:
    """Return the noun of the member of an outer aggregate."""
    return type_noun(wording, wording.names[name])


def _filter_text(wording: "Wording", expr: graph.Fold, *, is_plural: bool = True) -> tuple[str, str]:
    """Return a filter as the owner of the members, and as relative clauses."""
    if expr.where is None:
        return "", ""
    parts = expr.where.arguments if isinstance(expr.where, graph.Op) and expr.where.op == "and" else (expr.where,)
    within = inner_wording(wording, expr)
    clauses = [relative_clause(within, part, expr.var, is_plural=is_plural) for part in parts]
    owner_phrases = [text for text in clauses if text.startswith("of ")]
    place_phrases = [text for text in clauses if text.startswith(("other than ", "in "))]
    rest = _joined([text for text in clauses if text not in owner_phrases and text not in place_phrases])
    return "".join(f" {text}" for text in owner_phrases), "".join(f" {text}" for text in (*place_phrases, *rest))


def _joined(clauses: list[str]) -> tuple[str, ...]:
    """Coordinate relative clauses: "that are old and have wheels"; a compound clause keeps its relative pronoun."""
    phrase = ""
    before = ""
    for text in clauses:
        opening = text.split(" ", maxsplit=1)[0]
        plain = opening == before and opening in ("that", "where")
        phrase += (" and " if phrase else "") + (text.removeprefix(f"{opening} ") if plain else text)
        is_compound = any(word in text for word in (" or ", " and ", "there is", ", "))
        before = "" if is_compound else opening
    return (phrase,) if phrase else ()


PREPOSITIONAL = re.compile(r"^that (?:is|are) (?=(?:of|in) )")


def relative_clause(wording: "Wording", expr: graph.Expr, var: str, *, is_plural: bool) -> str:
    """Return the relative clause of one filter condition, or the phrase that says as much: "in the hex"."""
    return PREPOSITIONAL.sub("", _relative_clause(wording, expr, var, is_plural=is_plural))


def _relative_clause(wording: "Wording", expr: graph.Expr, var: str, *, is_plural: bool) -> str:
    match expr:
        case graph.Op("!=", (graph.Var(name), other)) if name == var:
            return f"other than {wording.phrase(other)}"
        case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "hex"), other)) if name == var:
            return f"in {wording.phrase(other)}"
        case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "side"), other)) if name == var:
            return f"of {wording.phrase(other)}"
        case graph.Op("!=", (graph.Get(graph.Var(name), "given", _, "side"), other)) if name == var:
            return f"that {'are' if is_plural else 'is'} not of {wording.phrase(other)}"
        case graph.Op(op, (graph.Get(graph.Var(name)), _)) if name == var and op in {*COMPARISONS, "in"}:
            return _relative_from_clause(wording.clause(expr), is_plural=is_plural)
        case graph.Is() | graph.Has() | graph.Ask() | graph.Op("not", (graph.Is() | graph.Has() | graph.Ask(),)):
            return _relative_from_clause(wording.clause(expr), is_plural=is_plural)
        case graph.Op("=", (graph.Var(name), other)) if name == var:
            return f"where it is {wording.phrase(other)}"
        case _:
            clause = wording.clause(expr)
            plain = clause.startswith("it ") and all(part.startswith(CLAUSE_VERBS) for part in CHOICE.split(clause[3:]))
            owned = OWNED.match(clause) and not any(word in clause for word in COORDINATED)
            is_plain = plain or owned or OF_OBJECT.fullmatch(clause)
            return _relative_from_clause(clause, is_plural=is_plural) if is_plain else f"where {clause}"


def _relative_from_clause(clause: str, *, is_plural: bool) -> str:
    """Convert a clause about `it` to a relative clause."""
    if OWNED.match(clause):
        return f"whose {clause.removeprefix('its ')}"
    if found := OF_OBJECT.fullmatch(clause):
        # Not "that", after which a second clause about the member would seem to be about its subject.
        return f"in which {found[1]}" if found[1] else f"which {found[2]}"
    if not clause.startswith("it ") or clause.startswith("it and "):
        return f"where {clause}"
    clause = clause.removeprefix("it ")
    if not is_plural:
        return f"that {clause}"
    for link in (" or ", " and "):
        clause = link.join(
            with_plural_verb(part) if part.startswith(("is ", "has ")) else part for part in clause.split(link)
        )
    return f"that {NOUN.sub(lambda noun: f'{noun[1]} {words.plural(noun[2])}', with_plural_verb(clause))}"


def quantified_clause(wording: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Return the clause of `some`, `none` or `every`."""
    if expr.op == "every":
        body = inner_wording(wording, expr).clause(expr.body or graph.Truth(value=True))
        # After a relative clause the predicate would be read as a part of it.
        if body.startswith("it ") and expr.where is None and " it " not in body[3:]:
            return f"{'' if holds else 'not '}every {_member_phrase(wording, expr)} {body.removeprefix('it ')}"
        return f"{'' if holds else 'not '}for every {_member_phrase(wording, expr)}, {body}"
    if expr.where is None and isinstance(expr.source, graph.Get) and expr.source.what == "partners":
        pair = wording.vocabulary.relations[expr.source.owner]
        role = words.factor_name(pair.end(expr.source.name).name, wording.vocabulary)
        owner = wording.phrase(expr.source.base)
        return f"{owner} {agreeing_verb(owner, 'has')} {'' if (expr.op == 'some') == holds else 'no '}{role}"
    is_found = (expr.op == "some") == holds
    members = "" if expr.where else wording.phrase(expr.source)
    if members.startswith("the ") and "'s " not in members and isinstance(members, words.PluralPhrase):
        return f"there are {'' if is_found else 'no '}{members.removeprefix('the ')}"
    clause = _record_clause(wording, expr, holds=is_found) or _clause_of_one(wording, expr, holds=is_found)
    return clause or _clause_without_member(wording, expr, holds=is_found) or existence(wording, expr, holds=is_found)


def _deed(wording: "Wording", value: graph.Expr) -> str:
    """Return a value in the clause of a record: a member as it is said there, "loaded" for a loading."""
    says = wording.clause_template(f"{value.enum}.{value.name}", holds=True) if isinstance(value, graph.Member) else ""
    return says or wording.phrase(value)


def existence(wording: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Return the clause that there are members of an aggregate, or none."""
    found = _member_phrase(wording, expr)
    return f"there is {words.article(found) if holds else f'no {found}'}"


def _clause_of_one(wording: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Return the clause of one of several things that are known: "one of the targets is a cart"; "" for others."""
    is_known = isinstance(expr.source, graph.Ask | graph.Get | graph.Var | graph.Search)
    member = member_of(wording.type_of(expr.source))
    if expr.where is None or not is_known or not isinstance(member, graph.Piece | graph.Hex):
        return ""
    predicate = inner_wording(wording, expr).clause(expr.where)
    plain = predicate.startswith("it ") and " it " not in predicate[3:] and (holds or not DENIAL.search(predicate))
    return f"{'one' if holds else 'none'} of {wording.phrase(expr.source)} {predicate[3:]}" if plain else ""


def _clause_without_member(wording: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Return the clause of a question that can leave the member out: "something blocks the line"; "" for others."""
    if not isinstance(expr.where, graph.Ask) or graph.Var(expr.var) not in expr.where.arguments:
        return ""
    parameter = wording.rules.terms[expr.where.term].parameters[expr.where.arguments.index(graph.Var(expr.var))]
    noun = words.definite(type_noun(wording, parameter.type))  # A parameter that is called by its own noun is not said.
    clause = wording.with_names({expr.var: noun, parameter.name: noun}).condition_phrase(expr.where, holds=holds)
    return "" if noun in clause else clause


def _record_clause(wording: "Wording", expr: graph.Fold, *, holds: bool) -> str:
    """Return the declared clause of a record of a thing: "the cart rolled from A to B"; "" where some part has none."""
    match expr.source, member_of(wording.type_of(expr.source)):
        case graph.Get(base, "track"), graph.RecordOf(name):
            template = wording.clause_template(name, holds=holds)
        case _:
            return ""
    fields = {"it": wording.phrase(base)}
    for part in conjuncts(expr.where):
        match part:
            case graph.Op("=" | "in" as op, (graph.Get(graph.Var(expr.var), "record", _, field), value)) if (
                field not in fields and expr.var not in variables_in(value)
            ):
                values = value.elements if isinstance(value, graph.SetOf) and op == "in" else (value,)
                fields[field] = words.list_text([_deed(wording, each) for each in values], "or")
            case _:
                return ""

    text = choose_parts(template, fields)
    return SLOT.sub(lambda slot: fields[slot[1]], text) if set(SLOT.findall(text)) == fields.keys() else ""


def existence_clause(wording: "Wording", counted: graph.Expr, least: graph.Expr, *, holds: bool) -> str:
    """Return the clause of a count compared with 0; "" for other comparisons."""
    match counted, least:
        case graph.Fold("count", var, source, where), graph.Num(value) if value == 0:
            return quantified_clause(wording, graph.Fold("some", var, source, where, None, None), holds=holds)
        case _:
            return ""


def _member_phrase(wording: "Wording", expr: graph.Fold) -> str:
    """Return the singular noun phrase of an aggregate's members."""
    owner_phrase, rest = _filter_text(wording, expr, is_plural=False)
    return f"{members_phrase(wording, expr.source, is_plural=False, owned=owner_phrase)}{rest}"


def _counted_phrase(wording: "Wording", expr: graph.Fold, members: str) -> str:
    """Return the phrase of members that are counted, plural also where the phrase of the collection is singular."""
    listed = members.removeprefix("the ")
    if listed == _member_phrase(wording, expr):
        noun, _, place = listed.partition(" ")
        return f"{words.plural(noun)} {place}"
    is_owned = isinstance(expr.source, graph.GameTrack) and expr.source.owner != "game"  # the situation's exits
    is_bare = _member(expr.source) or (isinstance(wording.phrase(expr.source), words.PluralPhrase) and not is_owned)
    return listed if is_bare else members


def fold_phrase(wording: "Wording", expr: graph.Fold) -> str:
    """Return the phrase of an aggregate's value."""
    owner_phrase, rest = _filter_text(wording, expr)
    members = f"{members_phrase(wording, expr.source, owned=owner_phrase)}{rest}"
    body = "" if expr.body is None else inner_wording(wording, expr).phrase(expr.body)
    match expr.op:
        case "some" | "none" | "every":
            return f"whether {wording.clause(expr)}"
        case "count" if isinstance(expr.source, graph.Get | graph.Var):
            noun = type_noun(wording, member_of(wording.type_of(expr.source)))
            return f"the number of {words.plural(noun)}{owner_phrase} {_location_phrase(wording, expr.source)}{rest}"
        case "count":
            return f"the number of {_counted_phrase(wording, expr, members)}"
        case "gather":
            if not body or body == "it":
                return words.PluralPhrase(members)
            body_noun = body.removeprefix("its ")
            return (
                f"{body}, for all {members}"
                if body_noun == body or "'" in body_noun
                else words.PluralPhrase(f"the {words.plural(body_noun)} of {members}")
            )
        case "sum" if (body_noun := body.removeprefix("its ")) != body and " " not in body_noun:
            return f"the total {body_noun} of {members}"
        case "sum":
            return f"the sum of {body or 'all'}{',' if ', ' in body else ''} over {members}"
        case "min" | "max" if far := _origin_of_distance(wording, expr):
            return f"the distance from {far} to the {'nearest' if expr.op == 'min' else 'farthest'} of {members}"
        case "min" | "max":
            most = "smallest" if expr.op == "min" else "greatest"
            return f"the {most} {_without_article(body)} of {members}"
        case "least" | "greatest":
            return f"the {_member_phrase(wording, expr)} with the {expr.op} {_without_article(body)}"
        case "trailing" | "leading":
            last = "latest" if expr.op == "trailing" else "first"
            return f"the {last} unbroken run of {members}"


def _origin_of_distance(wording: "Wording", expr: graph.Fold) -> str:
    """Return the hex from which an aggregate measures distances to its members; "" if it measures something else."""
    match expr.body:
        case graph.Op("distance", (graph.Var(expr.var), other) | (other, graph.Var(expr.var))):
            return wording.phrase(other)
        case _:
            return ""


def _without_article(phrase: str) -> str:
    """Return a phrase without the article or possessive before it."""
    return phrase.removeprefix("the ").removeprefix("its ")


def search_phrase(wording: "Wording", expr: graph.Search) -> str:
    """Return the phrase of a search: its start, the condition and the cost of a step."""
    start, goal = wording.phrase(expr.start), "" if expr.goal is None else f" to {wording.phrase(expr.goal)}"
    hexes = words.with_space_nouns("hexes", wording.vocabulary)
    match expr.op:
        case "reachable":
            found = f"the {hexes} that one gets to from {start}"
        case "linked":
            ground = "" if expr.goal is None else f" within {wording.phrase(expr.goal)}"
            found = f"the {hexes} that one gets to from {start}{ground}"
        case "cheapest_cost":
            found = f"what the cheapest way from {start}{goal} costs"
        case "cheapest_way":
            found = f"the {hexes} of the cheapest way from {start}{goal}"
        case _:
            assert_never(expr.op)
    gate = "" if expr.gate is None else f", where {wording.clause(expr.gate)}"
    price = "" if expr.price is None else f", paying {wording.phrase(expr.price)}"
    bound = "" if expr.most is None else f", at most {wording.phrase(expr.most)}"
    return f"{found} step by step{gate}{price}{bound}{' in all' if bound else ''}"


def subject_phrase(wording: "Wording", condition: graph.Expr, clause: str) -> str:
    """Return the subject of the clause of a condition; "" if it is not determined."""
    match condition:
        case graph.Op("not", (inner,)):
            return subject_phrase(wording, inner, clause)
        case graph.Is(graph.Get(base)) if clause.startswith(f"{(owner := wording.phrase(base))} "):
            return owner  # "the unit stands in a stream" is about the unit, not about its hex.
        case graph.Is(subject) | graph.Has(subject) | graph.Ask(_, (subject, *_)):
            return wording.phrase(subject)
        case graph.Op(op, (left, right)) if op in COMPARISONS:
            amount = amount_opening(wording, left, literal=isinstance(right, graph.Num))
            return amount[0] if amount else wording.phrase(left)
        case graph.Fold(_, _, graph.Get(base, "partners"), None):
            return wording.phrase(base)
        case _:
            return ""
