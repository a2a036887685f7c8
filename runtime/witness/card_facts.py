"""The facts of situation cards, which a position without a card has to state itself.

The input is a graph; the output is the types of the facts of positions, those that questions read unconditionally, and
positions with these facts. Play always starts on a card, so that a question may assume the facts of every card; a small
position has no card, and questions could not be evaluated there without these facts.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.walk import walk

SIDE_LIST = graph.Many("list", graph.Enum("side"))
# The facts of every card, by name.
ON_EVERY_CARD: Mapping[str, graph.Type] = {
    "scenario.turns": graph.Number(1, 1000, ""),
    "scenario.order": SIDE_LIST,
    "scenario.set_up": SIDE_LIST,
}
# Cards of these games have about so many turns.
USUAL_TURNS = 10


def fact_type(key: str, rules: graph.Graph) -> graph.Type | None:
    """Return the type of a fact, None if a graph has none of that name; `north.stores` is a track of a side."""
    owner, _, name = key.partition(".")
    is_of_side = key not in rules.vocabulary.tracks and owner in members_of(rules.vocabulary, "side")
    track = rules.vocabulary.tracks.get(f"side.{name}" if is_of_side else key)
    return ON_EVERY_CARD.get(key) if track is None else track.type


def card_facts(*graphs: graph.Graph) -> dict[str, graph.Expr]:
    """Return the facts of every card that some question of these graphs reads, with plain values."""
    read = {
        f"{node.owner}.{node.name}"
        for rules in graphs
        for node in walk((rules.rules, rules.terms, rules.always))
        if isinstance(node, graph.GameTrack)
    }
    return {key: value for key, value in facts_by_card(graphs[0]).items() if key in read} if graphs else {}


def facts_by_card(rules: graph.Graph) -> dict[str, graph.Expr]:
    """Return the facts of every card, with plain values."""
    first = rules.vocabulary.enums.get("side")
    sides = graph.SetOf(tuple(graph.Member("side", word.name) for word in first.members) if first else ())
    turns = graph.Num(Fraction(USUAL_TURNS), "")
    return {key: sides if type_ == SIDE_LIST else turns for key, type_ in ON_EVERY_CARD.items()}


def with_facts(position: graph.Position, facts: Mapping[str, graph.Expr]) -> graph.Position:
    """Return a position with these facts added where it does not state them itself."""
    keys = {key for key, _ in position.facts}
    more = tuple((key, value) for key, value in facts.items() if key not in keys)
    return replace(position, facts=(*position.facts, *more)) if more else position
