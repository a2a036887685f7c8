"""Set up the position of a row of an example, and bind the names that its columns give values to."""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.play.playthrough import Playthrough
from runtime.state.constants import Scope, evaluate_constant
from runtime.state.record import Value
from runtime.state.setup import from_position, on_card


def set_up(rules: graph.Graph, example: graph.Example, row: int) -> tuple[Playthrough, dict[str, Value]]:
    """Set up the position, on its card if it has one, with the dice of the example; and bind the names of the row."""
    names: dict[str, Value] = {}
    position = example.position
    begin = on_card if example.card else from_position
    state = begin(rules, replace(position, pieces=()))
    if example.rows:
        scope = {piece.name: index for index, piece in enumerate(position.pieces, len(state.sheets))}
        for name, value in zip(example.names, example.rows[row], strict=True):
            names[name] = evaluate_constant(value, Scope({**state.board.index, **scope}, state.frame.rank))
    return Playthrough(begin(rules, position, names), None, example.dice), names
