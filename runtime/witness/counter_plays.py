"""Put a counter that is printed differently into a position of an example, and ask what is printed on it.

The input is two graphs, positions, and a counter that is in both but not the same; the output is a question about it
that is answered differently. It is the last resort: comparison.py searches other questions about the counter, and
procedure_runs.py its effect in play.
"""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.witness.example_places import ExamplePositions, PlayDifference
from runtime.witness.label_changes import differing_properties
from runtime.witness.paired_evaluation import answer_in_words


def printed_difference(places: ExamplePositions, counter: str) -> PlayDifference | None:
    """Return what is printed on a counter in each stack; None if no example has a piece of its kind."""
    first, second = (stack.counters[counter] for stack in places.graphs)
    for place in places.all_places:
        pieces = [piece for piece in place.positions[0].pieces if piece.kind == first.kind]
        if pieces:
            break
    else:
        return None
    name = next((piece.name for piece in pieces if piece.counter == counter), pieces[0].name)
    positions = [_put(position, first, name) for position in place.positions]
    for part in differing_properties(first, second):
        property_kind, _, factor = part.rpartition(" ")
        printed_question = _print(property_kind, graph.Spot("piece", name), first.kind, factor.rpartition(".")[2])
        if printed_question is None:
            continue
        question, act = printed_question
        answers = [
            answer_in_words(stack, position, question, type_of(question, {}, stack))
            for stack, position in zip(places.graphs, positions, strict=True)
        ]
        if None not in answers and answers[0] != answers[1]:
            first_text, second_text = (str(answer) for answer in answers)
            return PlayDifference(place.example, place.which, act, first_text, second_text, positions[place.which])
    return None


def _put(position: graph.Position, counter: graph.Counter, name: str) -> graph.Position:
    """Replace a piece by a counter."""
    pieces = tuple(
        replace(each, counter=counter.id, owner=counter.owner or each.owner, printed=(), traits=())
        if each.name == name
        else each
        for each in position.pieces
    )
    return replace(position, pieces=pieces, name="witness")


def _print(property_kind: str, piece: graph.Spot, kind: str, name: str) -> tuple[graph.Expr, str] | None:
    """Return the question for a figure or a trait of a piece, as a node and as text."""
    match property_kind:
        case "printed":
            return graph.Get(piece, property_kind, kind, name), f"{piece.name}.{name}"
        case "trait":
            return graph.Is(piece, (graph.Test(property_kind, kind, name),), negated=False), f"{piece.name} is {name}"
        case _:
            return None
