"""Upper bounds for collections on a situation card: units of its forces, hexes of its areas, turns.

In: a stack with a card. Out: for a collection, an upper bound of its size; None where play may create more members, or
reassign what the card sets.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar, cast

from compiler.analysis.laws import Laws
from compiler.analysis.normal_form import ONE, is_empty
from compiler.analysis.step_reads import all_steps
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.effects import assigned_facts, effects_in
from runtime.graph.effects.primitives import CreatePiece
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.walk import map_children

T = TypeVar("T")

TURNS_OF_CARD = graph.GameTrack("scenario", "turns")


@frozen_dataclass
class CardInvariants:
    """The invariants of a card: its facts that no step assigns, its forces, and the kinds that play creates."""

    laws: Laws
    card: graph.Scenario
    facts: dict[graph.Expr, graph.Expr]
    created: frozenset[str]
    turns: int | None

    def substituted_definition(self, expr: graph.GameTrack | graph.Ask) -> graph.Expr | None:
        """Return the definition of a term, or the value that the card sets for a fact; None if there is none."""
        return self.laws.expanded_term(expr) if isinstance(expr, graph.Ask) else self.facts.get(expr)

    def in_counts(self, expr: T) -> T | graph.Op:
        """Return an expression with `every(x in S where P)` as a count of P, where the card fixes the members of S."""
        match expr:
            case graph.Fold("every", var, graph.GameTrack() as source, None, body) if isinstance(
                value := self.facts.get(source), graph.SetOf
            ) and all(self._is_distinct(each) for each in value.elements):
                size = graph.Num(Fraction(len(set(value.elements))), "")
                return graph.Op(">=", (graph.Fold("count", var, source, body, None, None), size))
            case _:
                return map_children(expr, self.in_counts)

    def _is_distinct(self, element: graph.Expr) -> bool:
        """Return whether an element is no other name of something: some hexes have two numbers."""
        if isinstance(element, graph.Spot):
            return element.name in self.card.board.hexes
        return isinstance(element, graph.LiteralExpr)

    def max_members(self, source: graph.Expr, condition: graph.Expr | None, var: str) -> int | None:
        """Return an upper bound for the number of members of a collection that pass a condition; None if unknown."""
        match source:
            case graph.Pieces(kinds) | graph.All(graph.Piece(kinds)):
                return self._pieces(kinds, condition, var)
            case graph.Op("reserve", kinds):
                return self._pieces(
                    tuple(kind.name for kind in kinds if isinstance(kind, graph.Member)), condition, var
                )
            case graph.SetOf(elements):
                return len(elements)
            case graph.GameTrack() if source in self.facts:
                return self.max_members(self.facts[source], condition, var)
            case graph.All(graph.Enum("side")):
                return len(members_of(self.laws.stack.vocabulary, "side"))
            case graph.Op("union", parts):
                return _sum(self.max_members(part, condition, var) for part in parts)
            case graph.Op("without", (collection, _)):
                return self.max_members(collection, condition, var)
            case graph.Fold("gather", inner, among, passed):
                return self.max_members(among, passed, inner)
            case _:
                return None

    def _pieces(self, kinds: tuple[str, ...], condition: graph.Expr | None, var: str) -> int | None:
        """Count the pieces of the forces that may pass a condition.

        Only its restrictions to sides, to counters and to areas without a hex are used.
        """
        if any(self._is_off_map(part, var) for part in conjuncts(condition)):
            return 0
        if self.created & set(kinds) or (self.created and not kinds):
            return None
        sides, named = set[str](), set[str]()
        for part in conjuncts(condition):
            match part:
                case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "side"), graph.Member("side", side))):
                    sides |= {side} if name == var else set()
                case graph.Op("=", (graph.Get(graph.Var(name), "given", _, "counter"), graph.Member(_, word))):
                    named |= {word} if name == var else set()
                case _:
                    pass
        found = 0
        for force in self.card.forces:
            for unit, count in (*force.units, *((posted.counter, 1) for posted in force.placed)):
                counter = self.laws.stack.counters.get(unit)
                is_of_kind = counter is None or not kinds or counter.kind in kinds
                found += count * (is_of_kind and sides <= {force.side} and named <= {unit})
        return found

    def _is_off_map(self, part: graph.Expr, var: str) -> bool:
        """Return whether a condition requires a piece to be in an area of the card that has no hex."""
        match part:
            case graph.Op("in", (graph.Get(graph.Var(whose)), graph.GameTrack() as area)) if whose == var:
                return area in self.facts and is_empty(self.facts[area])
            case _:
                return False


def _fact(name: str) -> graph.GameTrack:
    owner, _, fact = name.partition(".")
    return graph.GameTrack(cast(graph.TrackOwner, owner), fact)


def card_invariants_of(laws: Laws) -> CardInvariants | None:
    """Return what a card fixes for the whole game, also where its boards are not loaded; None without a card."""
    stack = laws.stack
    card = stack.scenario
    if card is None:
        return None
    steps = tuple(all_steps(stack))
    targets = assigned_facts(stack.procedures)
    facts: dict[graph.GameTrack, graph.Expr] = {
        graph.GameTrack("scenario", track.name): track.initial
        for track in stack.vocabulary.tracks.values()
        if track.owner == "scenario" and track.initial is not None
    }
    facts |= {_fact(name): value for name, value in card.facts}
    clock = {step.source for step in steps if isinstance(step, graph.Each) and step.name == "turn"}
    last = clock == {graph.Op("span", (ONE, TURNS_OF_CARD))} and "scenario.turns" not in targets
    created = frozenset(effect.kind for effect in effects_in(stack.procedures, CreatePiece))
    settled: dict[graph.Expr, graph.Expr] = {
        track: value for track, value in facts.items() if f"{track.owner}.{track.name}" not in targets
    }
    return CardInvariants(laws, card, settled, created, card.turns if last else None)


def _sum(numbers: Iterable[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total
