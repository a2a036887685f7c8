"""Plain words about what somebody in a place does: *can A see K*, *can P be seen from A*, *what does A to B cost*.

In: a state and a `PlainQuery`. Out: a `SupposedQuery`: the query with the pieces that are there.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from rulewright.table.actors import is_about_object
from rulewright.table.lexicon import WORDS
from rulewright.table.plain_query import Mention, PlainQuery
from runtime.graph import words
from runtime.state import change
from runtime.state.position import State


class SupposedQuery(NamedTuple):
    """A state in which pieces are where a query supposes somebody, the query with them, and a sentence about it.

    `agents` are these pieces, or those that are there.
    """

    state: State
    query: PlainQuery
    sentence: str = ""
    agents: Sequence[int] = ()


def suppose_agents(state: State, query: PlainQuery) -> SupposedQuery | None:
    """Return a query of who is in a place that acts, or of one piece of each kind if nobody is: *can A see K*.

    It is the place from which *P can be seen*, or the first of two. None if a query names no such place.
    """
    passive = is_about_object(query)
    target: Mention | None
    known = {each.preposition: each for each in query.mentions}
    if passive and len(query.mentions) == 2:
        target, source = query.mentions[0], known.get("from")
    elif not query.pieces and len(query.names) > 1:
        ends = [Mention((name,), "", is_subject=False) for name in known.get("between", query.mentions[0]).names]
        source = known.get("from") or ends[0]
        others = [each for each in query.mentions if not each.is_subject and each.preposition not in WORDS["source"]]
        target = next((each for each in reversed([*ends, *others]) if each.names != source.names), None)
    else:
        return None
    if not source or not target or source.names[0] not in state.board.index:
        return None
    place = state.board.index[source.names[0]]
    agents, sentence = [*state.at.get(place, ())], ""
    foes = {state.side[each] for each in query.pieces}
    if not agents:
        state, agents = state.copy(), [*_one_of_each_kind(state, foes)]
        for each in agents:
            change.move(state, each, place)
        listed = words.list_text([state.sheets[each].name for each in agents])
        sentence = f"Nobody is in {source.names[0]}: this supposes that {listed} {'is' if len(agents) == 1 else 'are'}."
    left_out = [each for each in query.names if each not in (*source.names, *target.names)]
    if left_out:
        ends_text = f"from {source.names[0]} to {target.names[0]}"
        sentence += f" This is about all that lies {ends_text}, and not about {words.list_text(left_out)} alone."
    names = tuple(state.sheets[each].name for each in agents)
    acting = Mention(names, "by" if passive else "", is_subject=not passive)
    pieces = (*agents, *(each for each in query.pieces if state.sheets[each].name in target.names))
    places = tuple(state.board.index[each] for each in target.names if each in state.board.index)
    placed = query._replace(
        mentions=(acting, target), pieces=pieces, places=places, last_preposition=acting.preposition
    )
    return SupposedQuery(state, placed, sentence.strip(), agents) if agents else None


def suppose_mover(state: State, query: PlainQuery) -> SupposedQuery | None:
    """Return a query about what it costs to go to a place as one about the pieces in the place that is left.

    Without any its sentence says that the price is that of a piece. None if the query does not ask that.
    """
    if query.pieces or query.agents or not (query.places and query.has("price")):
        return None
    source = next((each.names[0] for each in query.mentions if each.preposition in WORDS["source"]), "")
    goals = [each for each in query.names if each != source] or [source]
    there = state.at.get(state.board.index.get(source, -1), ())
    movers = tuple(each for each in there if state.side[each])
    names = tuple(state.sheets[each].name for each in movers)
    mentions = Mention(names, "", is_subject=True), Mention((goals[-1],), "to", is_subject=False)
    places = (state.board.index[goals[-1]],)
    example = next((sheet.name for sheet, place in zip(state.sheets, state.hex, strict=True) if place >= 0), "")
    route_text = f"to go{f' from {source}' if source else ''} to {goals[-1]}"
    absence = f"Nobody is in {source}. " if source else ""
    sentence = f"{absence}What it costs depends on who goes; name a piece: “what does it cost {example} {route_text}”."
    priced = query._replace(mentions=mentions, pieces=movers, places=places)
    return SupposedQuery(state, priced, "" if movers else sentence, movers)


def _one_of_each_kind(state: State, foes: Collection[str]) -> Iterator[int]:
    """Yield a piece of the map of each kind, of no side of some."""
    on_map = (each for each, place in enumerate(state.hex) if place >= 0 and state.side[each] not in foes)
    yield from {state.kind[each]: each for each in reversed([*on_map])}.values()
