"""Who acts in plain words, and on what: *can T see P*, *can P be seen by T*.

In: a `PlainQuery`, and a question of the rules with its arguments. Out: whether these have the roles of the words.
"""

from collections.abc import Collection, Mapping
from itertools import pairwise

from compiler.rulebook.index.stems import IRREGULAR
from rulewright.table.lexicon import WORDS
from rulewright.table.plain_query import PlainQuery
from rulewright.table.roles import question_roles
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value


def is_about_object(query: PlainQuery) -> bool:
    """Return whether the first name of a query is what is acted on: *can P be seen*, *is P visible*."""
    return _is_passive(query) and any(each.is_subject for each in query.mentions)


def may_have_open_object(state: State, query: PlainQuery) -> bool:
    """Return whether a query may ask on what the only piece in it acts: *what can T see*, *what is seen by T*."""
    asks = query.question_word in WORDS["object question"] and query.is_about_pieces and bool(query.topics)
    return asks and bool(_actors(state, query))


def have_roles(state: State, term: graph.Term, values: Mapping[str, Collection[Value]], query: PlainQuery) -> bool:
    """Return whether the values of the parameters of a question act, or are acted on, as a query says.

    *Can P be seen by T* is neither whether P sees T nor whether P is spotted by its own side. Only a question that has
    the verb of the query among its words, or that says who acts (*by {side}*), tells that.
    """
    acting, acted_on = _actors(state, query), _objects(state, query)
    actor_sides = {state.side[each] for each in acting} - {""}
    roles = question_roles(state.graph)[term.name]
    if roles.foes_of:
        # What they do is done to its side, and not where it is.
        places = {value for each in term.parameters if each.type == graph.Hex() for value in values[each.name]}
        return actor_sides.isdisjoint(values[roles.foes_of]) and places.isdisjoint(state.hex[each] for each in acting)
    actor = roles.actor
    types = {each.name: each.type for each in term.parameters}
    is_told = roles.has_agent_word or query.verb_stem in roles.stems or query.has_phrase("passive phrase")
    # *Load R onto T* has either for its object.
    if not (actor and is_told) or len(types) == 1 or query.last_preposition in WORDS["destination"]:
        return True
    found = {*values[actor]}
    if isinstance(types[actor], graph.Piece):
        return found.isdisjoint(acted_on) and (found <= {*acting} if acting else True)
    if types[actor] == graph.Enum("side"):
        return not actor_sides or found <= actor_sides
    return True


def _is_passive(query: PlainQuery) -> bool:
    after = (token for before, token in pairwise(query.tokens) if before in WORDS["copula"])
    return query.has_phrase("passive phrase") or any(each.endswith("ed") or each in IRREGULAR for each in after)


def _actors(state: State, query: PlainQuery) -> tuple[int, ...]:
    """Return the pieces of a query that act as its words say, if these tell it."""
    is_passive = _is_passive(query)
    before = WORDS["before actor"] if is_passive else {""}
    acting = (each for each in query.mentions if each.preposition in before and (each.is_subject or is_passive))
    names = {name for each in acting for name in each.names}
    return tuple(each for each in query.pieces if state.sheets[each].name in names)


def _objects(state: State, query: PlainQuery) -> tuple[int, ...]:
    """Return the pieces of a query that are acted on as its words say, if these tell it."""
    if query.has_open_agent:
        return query.pieces
    acting = _actors(state, query)
    return tuple(each for each in query.pieces if each not in acting) if is_about_object(query) else ()
