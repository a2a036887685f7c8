"""Insert a counter that is printed differently into positions of examples, and compare answers about it.

The input is two graphs, positions, and counters that are in both but not the same; the output is for each a question
about it that is answered differently: one of an example with it in place of a counter of its kind, else any question
about a piece, drawn from a stream seeded by the counter; finally, what is printed on it.
"""

from collections.abc import Iterator
from dataclasses import replace

from runtime.answer.expressions import everything
from runtime.answer.value_text import answer_text, value_text
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.trial.divergence import comparable_value
from runtime.witness.domain_pool import literal_text
from runtime.witness.example_places import ExamplePositions, PairedPosition, PlayDifference, could_stand
from runtime.witness.fast_interpreter import FastInterpreter
from runtime.witness.instance import NO_ANSWER
from runtime.witness.label_changes import differing_properties
from runtime.witness.paired_evaluation import answer_in_words
from runtime.witness.position_file import expression_text
from runtime.witness.pseudorandom import PseudoRandom

# The number of positions for a counter, and of questions of each term there.
POSITIONS_OF_COUNTER, QUERIES_OF_TERM = 12, 2


class CounterPlays:
    """Two stacks in which counters are compared."""

    def __init__(self, places: ExamplePositions, quick: tuple[FastInterpreter, FastInterpreter]) -> None:
        """Store two stacks and the positions of their examples."""
        self.graphs, self.places, self.interpreters = places.graphs, places.all_places, quick

    def find(self, counter: str) -> PlayDifference | None:
        """Return a question about a counter with different answers; None if none is found."""
        return next(
            (found for found in self._counter_differences(counter) if could_stand(found, self.interpreters)), None
        )

    def printed_difference(self, counter: str) -> PlayDifference | None:
        """Return what is printed on a counter, where no other question distinguishes its two versions."""
        first, second = (stack.counters[counter] for stack in self.graphs)
        place = next((place for place in self.places if _has_kind(place, first.kind)), None)
        if place is None:
            return None
        for part in differing_properties(first, second):
            property_kind, _, name = part.rpartition(" ")
            piece = _replaced_piece(place.positions[0], counter, first.kind)
            positions = [self._put(position, counter, piece, ()) for position in place.positions]
            printed_question = _print(property_kind, graph.Spot("piece", piece), first.kind, name.rpartition(".")[2])
            if printed_question is None:
                continue
            question, act = printed_question
            answers = [
                answer_in_words(stack, position, question, type_of(question, {}, stack))
                for stack, position in zip(self.graphs, positions, strict=True)
            ]
            if None not in answers and answers[0] != answers[1]:
                found = PlayDifference(
                    place.example, place.which, act, str(answers[0]), str(answers[1]), positions[place.which]
                )
                if could_stand(found, self.interpreters):
                    return found
        return None

    def _counter_differences(self, counter: str) -> Iterator[PlayDifference]:
        kind = self.graphs[0].counters[counter].kind
        with_kind = [place for place in self.places if _has_kind(place, kind)]
        for place in with_kind[:POSITIONS_OF_COUNTER]:
            name = _replaced_piece(place.positions[0], counter, kind)
            for tracks in self._track_settings(counter):
                yield from self._differences_in(place, counter, name, tracks)

    def _differences_in(
        self, place: PairedPosition, counter: str, name: str, tracks: tuple[tuple[str, graph.Expr], ...]
    ) -> Iterator[PlayDifference]:
        """Evaluate questions about a counter in one position, with one of its tracks set."""
        positions = tuple(self._put(position, counter, name, tracks) for position in place.positions)
        try:
            states = [from_position(stack, p) for stack, p in zip(self.graphs, positions, strict=True)]
        except NO_ANSWER:
            return
        piece = next(index for index, sheet in enumerate(states[0].sheets) if sheet.name == name)
        for term, arguments in self._questions(states[0], piece, f"{counter} {place.name} {tracks}"):
            answers = self._differing_answers(states, term, arguments)
            if answers is not None:
                pairs = zip(arguments, self.graphs[0].terms[term].parameters, strict=True)
                act = f"{term}({', '.join(_text(states[0], value, each) for value, each in pairs)})"
                yield PlayDifference(place.example, place.which, act, *answers, positions[place.which])

    def _track_settings(self, counter: str) -> Iterator[tuple[tuple[str, graph.Expr], ...]]:
        """Return tracks of a counter to be set: none, or a number near those printed differently, if possible."""
        yield ()
        first, second = (dict(stack.counters[counter].printed) for stack in self.graphs)
        changed = [
            value.value
            for name in first
            for value in (first[name], second.get(name))
            if first[name] != second.get(name) and isinstance(value, graph.Num)
        ]
        numbers = sorted({value - less for value in changed for less in (0, 1, 2)}, reverse=True)
        kind = self.graphs[0].counters[counter].kind
        for track in self.graphs[0].vocabulary.tracks.values():
            if track.owner == kind and isinstance(track.type, graph.Number):
                low, high, measure = track.type.low or 0, track.type.high, track.type.measure
                for value in numbers:
                    if low <= value and (high is None or value <= high):
                        yield ((track.name, graph.Num(value, measure)),)

    def _put(
        self, position: graph.Position, counter: str, name: str, tracks: tuple[tuple[str, graph.Expr], ...]
    ) -> graph.Position:
        """Replace a piece by a counter."""
        row = self.graphs[0].counters[counter]
        pieces = tuple(
            replace(
                each,
                counter=counter,
                owner=row.owner or each.owner,
                printed=(),
                traits=(),
                tracks=tracks or each.tracks,
            )
            if each.name == name
            else each
            for each in position.pieces
        )
        return replace(position, pieces=pieces, name="witness")

    def _questions(self, state: State, piece: int, seed: str) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Draw questions about a piece, for all terms with a parameter of its kind."""
        chance, kind = PseudoRandom(seed), state.kind[piece]
        first, second = self.graphs
        for name, term in first.terms.items():
            other = second.terms.get(name)
            types = [parameter.type for parameter in term.parameters]
            fitting_indexes = [
                index for index, each in enumerate(types) if isinstance(each, graph.Piece) and each.admits(kind)
            ]
            if not fitting_indexes or other is None or "." in name:
                continue
            if [p.type for p in term.parameters] != [p.type for p in other.parameters]:
                continue
            for _ in range(QUERIES_OF_TERM):
                arguments = [_draw_argument(state, p.type, chance, piece) for p in term.parameters]
                arguments[chance.pick(fitting_indexes)] = piece
                if None not in arguments:
                    yield name, tuple(arguments)

    def _differing_answers(
        self, states: list[State], term: str, arguments: tuple[Value, ...]
    ) -> tuple[str, str] | None:
        """Evaluate a question in both stacks; None if the answers are equal, or one has none."""
        found = []
        for state, quick in zip(states, self.interpreters, strict=True):
            try:
                value = quick.ask(state, term, arguments).value
            except (Unanswered, *NO_ANSWER):
                return None
            found.append((comparable_value(value), answer_text(state, quick.graph.terms[term], value)))
        (first_value, first_text), (second_value, second_text) = found
        return None if first_value == second_value else (first_text, second_text)


def _has_kind(place: PairedPosition, kind: str) -> bool:
    return any(piece.kind == kind for piece in place.positions[0].pieces)


def _print(property_kind: str, piece: graph.Spot, kind: str, name: str) -> tuple[graph.Expr, str] | None:
    """Return the question for a figure or a trait of a piece, as a node and as text."""
    match property_kind:
        case "printed":
            return graph.Get(piece, property_kind, kind, name), f"{piece.name}.{name}"
        case "trait":
            return graph.Is(piece, (graph.Test(property_kind, kind, name),), negated=False), f"{piece.name} is {name}"
        case _:
            return None


def _replaced_piece(position: graph.Position, counter: str, kind: str) -> str:
    """Return the piece that a counter replaces."""
    piece_name = next((each.name for each in position.pieces if each.counter == counter), "")
    return piece_name or next(each.name for each in position.pieces if each.kind == kind)


def _draw_argument(state: State, type_: graph.Type, chance: PseudoRandom, piece: int) -> Value:
    """Draw an argument; None if there is none. Pieces other than the queried one are preferred."""
    try:
        values = everything(state, type_)
    except ValueError:
        return None
    if isinstance(type_, graph.Piece):
        values = tuple(other for other in values if other != piece) or values
    return chance.pick(values) if values else None


def _text(state: State, value: Value, parameter: graph.Parameter) -> str:
    found = literal_text(value, parameter.type, state)
    return value_text(state, value, parameter.type) if found is None else expression_text(found)
