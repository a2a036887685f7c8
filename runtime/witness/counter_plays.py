"""Put a counter that is printed differently into positions of examples, and ask both stacks the same of it.

In: two graphs, positions, and counters that are in both but not the same. Out: for each a question that is answered
differently about it: one that an example asks where it stands in the place of a counter of its kind, else any
question that can be asked about a piece, drawn from a stream seeded by the counter.
"""

from collections.abc import Iterator
from dataclasses import replace

from runtime.answer.answer import Unanswered
from runtime.answer.expressions import everything
from runtime.answer.saying import VERDICT, say
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.trial.divergence import twin
from runtime.witness.aim import NO_ANSWER
from runtime.witness.chance import Chance
from runtime.witness.materials import written
from runtime.witness.places import Places, Walked
from runtime.witness.position_file import expression_text
from runtime.witness.swift import Swift

# Positions that a counter is put into, and questions of each term there.
POSITIONS, ROUNDS = 12, 2


class CounterPlays:
    """Two stacks that are asked about counters."""

    def __init__(self, places: Places, quick: tuple[Swift, Swift]) -> None:
        """Begin with two stacks and the positions of their examples."""
        self.graphs, self.places, self.quick = places.graphs, places.every, quick

    def find(self, counter: str) -> Walked | None:
        """Find a question that is answered differently about a counter."""
        return next(self._tries(counter), None)

    def _tries(self, counter: str) -> Iterator[Walked]:
        kind = self.graphs[0].counters[counter].kind
        with_kind = [place for place in self.places if any(p.kind == kind for p in place.example.position.pieces)]
        for place in with_kind[:POSITIONS]:
            positions = tuple(self._put(position, counter) for position in place.positions)
            try:
                states = [from_position(stack, p) for stack, p in zip(self.graphs, positions, strict=True)]
            except (*NO_ANSWER, StopIteration):
                continue
            name = _seat(place.positions[0], counter, kind)
            piece = next(at for at, sheet in enumerate(states[0].sheets) if sheet.name == name)
            for term, arguments in self._questions(states[0], piece, kind, f"{counter} {place.example.title}"):
                said = self._asked(states, term, arguments)
                if said is not None:
                    pairs = zip(arguments, self.graphs[0].terms[term].parameters, strict=True)
                    act = f"{term}({', '.join(_text(states[0], value, each) for value, each in pairs)})"
                    yield Walked(place.example, place.which, act, *said, positions[place.which])

    def _put(self, position: graph.Position, counter: str) -> graph.Position:
        """Let a counter stand in the place of one of its kind: of itself, or else of the first."""
        row = self.graphs[0].counters[counter]
        name = _seat(position, counter, row.kind)
        pieces = tuple(
            replace(each, counter=counter, owner=row.owner or each.owner, printed=(), traits=())
            if each.name == name
            else each
            for each in position.pieces
        )
        return replace(position, pieces=pieces, name="witness")

    def _questions(self, state: State, piece: int, kind: str, seed: str) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Draw questions about a piece, of all terms that one of its kind can be asked for."""
        chance = Chance(seed)
        here, there = self.graphs
        for name, term in here.terms.items():
            other = there.terms.get(name)
            fitting = [at for at, p in enumerate(term.parameters) if _admits(p.type, kind)]
            if not fitting or other is None or "." in name:
                continue
            if [p.type for p in term.parameters] != [p.type for p in other.parameters]:
                continue
            for _ in range(ROUNDS):
                drawn = [_drawn(state, p.type, chance) for p in term.parameters]
                drawn[chance.pick(fitting)] = piece
                if None not in drawn:
                    yield name, tuple(drawn)

    def _asked(self, states: list[State], term: str, arguments: tuple[Value, ...]) -> tuple[str, str] | None:
        """Ask both; None where they answer the same, or one of them cannot be asked."""
        found = []
        for state, quick in zip(states, self.quick, strict=True):
            try:
                value = quick.ask(state, term, arguments).value
            except (Unanswered, *NO_ANSWER):
                return None
            asked = quick.graph.terms[term]
            found.append((twin(value), VERDICT[value] if asked.form == "verdict" else say(state, value, asked.type)))
        (mine, said), (theirs, other) = found
        return None if mine == theirs else (said, other)


def _seat(position: graph.Position, counter: str, kind: str) -> str:
    """Name the piece in whose place a counter is put."""
    own = next((each.name for each in position.pieces if each.counter == counter), "")
    return own or next(each.name for each in position.pieces if each.kind == kind)


def _admits(of: graph.Type, kind: str) -> bool:
    return isinstance(of, graph.Piece) and (not of.kinds or kind in of.kinds)


def _drawn(state: State, of: graph.Type, chance: Chance) -> Value:
    """Draw an argument; None where there is none."""
    try:
        among = everything(state, of)
    except ValueError:
        return None
    return chance.pick(among) if among else None


def _text(state: State, value: Value, parameter: graph.Parameter) -> str:
    found = written(value, parameter.type, state)
    return say(state, value, parameter.type) if found is None else expression_text(found)
