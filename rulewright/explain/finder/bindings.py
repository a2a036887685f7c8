"""Give a question the pieces and places that words mention as arguments.

In: a question, and `ReadWords`. Out: `Binding`s, the best first: the values of each parameter, and how well they fit.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from compiler.rulebook.index.stems import stems
from rulewright.explain.finder.asked_terms import MOST_NUMBERS
from rulewright.explain.finder.mentions import Mention, ReadWords
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import NoGeometryError
from runtime.graph.predeclared_types import SIDE
from runtime.graph.step_questions import step_parameters
from runtime.play.word_binding import worded_members
from runtime.state.position import State
from runtime.state.record import Value

# The most arguments of one question that are tried, and the most readings of one description.
MOST_CALLS = 12
_MOST_MEANT = 2
# A thing that a question does not take, one that stands for its place, a place for what is there; out of order.
UNUSED, _AS_PLACE, _AS_PIECE, _SWAPPED = 0.25, 0.9, 0.4, 0.8
# A step from where the piece is, or from a neighbor of a distant goal; a word before a place that fits.
_OWN_PLACE, _FROM_NEIGHBOR, _PREPOSED = 0.9, 0.8, 1.2
# A question about a number that the words do not name, as that on a die.
_ANY_NUMBER = 0.4
# Words before who acts, or what holds another, behind what is acted on; and words before where one goes, and starts.
_AGENT_WORDS = frozenset("aboard by in inside into on onto".split())
_GOAL_WORDS, _SOURCE_WORDS = frozenset("at in into on onto over to towards".split()), frozenset(["from"])
_SOURCES, _OWN_PLACES = frozenset(["from", "start"]), frozenset("from here start".split())


# The values of a parameter, which are tried one after the other.
_Values = tuple[Value, ...]


class Binding(NamedTuple):
    """The values of each parameter of a question, of which several are tried one after the other, and a score."""

    values: tuple[_Values, ...]
    score: float

    @property
    def calls(self) -> list[tuple[Value, ...]]:
        """Return the arguments of each call, as far as they are few."""
        return [*product(*self.values)][:MOST_CALLS]


class ArgumentSearch:
    """The bindings of one query in one state."""

    def __init__(self, state: State, query: ReadWords) -> None:
        """Store the query."""
        self.state, self.query = state, query

    def bindings(self, term: graph.Term) -> list[Binding]:
        """Return the bindings of a question, the best first."""
        slots = [parameter for parameter in term.parameters if isinstance(parameter.type, graph.Piece | graph.Hex)]
        found = [binding for chosen in self._choices(len(slots)) if (binding := self._bound(term, slots, chosen))]
        best = sorted(found, key=lambda each: -each.score)
        return [*dict.fromkeys(best)]

    def _choices(self, slot_count: int) -> Iterator[tuple[Mention | None, ...]]:
        """Yield the assignments of mentions to slots, each mention once; of a description, each of its meanings."""
        meanings = [None, *(single for mention in self.query.mentions for single in _meanings(mention))]
        for chosen in product(meanings, repeat=slot_count):
            orders = [each.order for each in chosen if each]
            if len({*orders}) == len(orders):
                yield chosen

    def _bound(
        self, term: graph.Term, slots: Sequence[graph.Parameter], chosen: Sequence[Mention | None]
    ) -> Binding | None:
        """Return the binding of a question with these mentions in its slots; None if they do not fit."""
        given, values = (
            [(slot, mention) for slot, mention in zip(slots, chosen, strict=True) if mention],
            dict[str, _Values](),
        )
        score = UNUSED ** (len(self.query.mentions) - len(given)) * _SWAPPED ** _swaps(term, given)
        for slot, mention in given:
            members, share = self._fit(slot, mention)
            values[slot.name] = members
            score *= share * (_PREPOSED if _agrees(slot, mention) else 1.0)
        if not all(values.values()):
            return None
        agents = [values[slot.name][0] for slot, _ in given if isinstance(slot.type, graph.Piece)]
        score *= self._add_places(term, slots, values, self.state.hex[agents[0]] if agents else -1)
        for parameter in term.parameters:
            if parameter.name not in values:
                values[parameter.name] = self._members(parameter.type, agents)
                is_any = isinstance(parameter.type, graph.Number) and len(values[parameter.name]) > 1
                score *= _ANY_NUMBER if is_any else 1.0
        if not score or not all(values.values()) or not self._is_possible(term, values):
            return None
        return Binding(tuple(values[parameter.name] for parameter in term.parameters), score)

    def _add_places(
        self, term: graph.Term, slots: Sequence[graph.Parameter], values: dict[str, _Values], start: int
    ) -> float:
        """Add the places that nothing mentions: where the first piece is. Return how well they fit, 0 if one lacks."""
        score, step = 1.0, step_parameters(self.state.graph, term.name)
        for slot in slots:
            if slot.name in values:
                continue
            if start < 0 or slot.name not in _OWN_PLACES or not isinstance(slot.type, graph.Hex):
                return 0.0
            is_start = step is not None and slot.name == step[0] and step[1] in values
            place = self._step_from(start, values[step[1]][0]) if step and is_start else start
            values[slot.name], score = (place,), score * (_OWN_PLACE if place == start else _FROM_NEIGHBOR)
        return score

    def _step_from(self, start: int, goal: int) -> int:
        """Return the place from which a step leads to a goal: where the piece is, or the neighbor nearest to it."""
        board = self.state.board
        if start in board.beside[goal] or not board.beside[goal]:
            return start
        try:
            return min(board.beside[goal], key=lambda place: board.distance(start, place))
        except NoGeometryError:
            return start

    def _fit(self, slot: graph.Parameter, mention: Mention) -> tuple[_Values, float]:
        """Return the values that a mention gives to a slot, () if it has none, and how well they fit."""
        state = self.state
        if isinstance(slot.type, graph.Piece):
            kind, score = slot.type, 1.0 if mention.pieces else _AS_PIECE
            pieces = mention.pieces or [piece for place in mention.places for piece in state.at.get(place, ())]
            admitted = tuple(each for each in pieces if kind.admits(state.sheets[each].kind))
            admitted = admitted if mention.is_open else admitted[:1]
            return admitted, score
        if mention.places:
            return mention.places[:1], 1.0
        places = tuple(dict.fromkeys(state.hex[each] for each in mention.pieces if state.hex[each] >= 0))
        return places, _AS_PLACE

    def _members(self, type_: graph.Type, pieces: Sequence[int]) -> _Values:
        """Return the members of a type that the query names, or all; of sides those that are not a piece's."""
        if isinstance(type_, graph.Number):
            low, high = type_.low, type_.high
            every = range(low, high + 1) if low is not None and high is not None else ()
            return tuple(each for each in every if str(each) in self.query.words) or tuple(every)[:MOST_NUMBERS]
        if not isinstance(type_, graph.Enum):
            return ()
        members = worded_members(self.state, type_.name)
        named = tuple(name for name, text in members if not {*stems(f"{name} {text}")}.isdisjoint(self.query.stems))
        if named or type_ != SIDE:
            return named or tuple(name for name, _ in members)
        present = [name for name, _ in members if name in self.state.side]
        own_sides = {self.state.side[piece] for piece in pieces}
        return tuple(each for each in present if each not in own_sides) or tuple(present)

    def _is_possible(self, term: graph.Term, values: dict[str, _Values]) -> bool:
        """Return whether a question is about different things, and of a step, about neighbors."""
        for type_ in (graph.Piece, graph.Hex):
            filled = [values[parameter.name] for parameter in term.parameters if isinstance(parameter.type, type_)]
            single = [members[0] for members in filled if len(members) == 1]
            if len({*single}) < len(single):
                return False
        step = step_parameters(self.state.graph, term.name)
        return step is None or values[step[1]][0] in self.state.board.beside[values[step[0]][0]]


def _meanings(mention: Mention) -> Iterator[Mention]:
    """Yield a mention with each of the first things that it may mean; an open one stays as it is."""
    if mention.is_open:
        yield mention
        return
    yield from (mention._replace(pieces=(piece,), places=()) for piece in mention.pieces[:_MOST_MEANT])
    yield from (mention._replace(places=(place,), pieces=()) for place in mention.places[:_MOST_MEANT])


def _swaps(term: graph.Term, given: Sequence[tuple[graph.Parameter, Mention]]) -> int:
    """Return how many mentions stand in another order than the slots that they fill, in the reading of a question.

    Who stands behind *by*, *on* or *into*, unless the reading has that word, acts or holds: it is the first parameter.
    """
    pieces = [pair for pair in given if isinstance(pair[0].type, graph.Piece)]
    agents = [mention.order for slot, mention in pieces if _is_agent(term, slot, mention)]
    if len(pieces) > 1 and agents:
        orders = [-1 if mention.order in agents else mention.order for _, mention in given]
    else:
        ordered = sorted(given, key=lambda pair: term.reads.find(f"{{{pair[0].name}"))
        orders = [mention.order for _, mention in ordered]
    return sum(first > second for first, second in pairwise(orders))


def _is_agent(term: graph.Term, slot: graph.Parameter, mention: Mention) -> bool:
    """Return whether the word before a mention says that it acts on another piece, or holds it."""
    return mention.before in _AGENT_WORDS and f"{mention.before} {{{slot.name}" not in term.reads


def _agrees(slot: graph.Parameter, mention: Mention) -> bool:
    """Return whether the word before a mention says that it is the place from which, or to which, a question is."""
    if not isinstance(slot.type, graph.Hex):
        return False
    return mention.before in (_SOURCE_WORDS if slot.name in _SOURCES else _GOAL_WORDS)
