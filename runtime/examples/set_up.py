"""Construction of the initial position of a row of an example, and of the bindings of its columns."""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.play.playthrough import Playthrough
from runtime.state.constants import ConstantScope, evaluate_constant
from runtime.state.record import Value
from runtime.state.setup import from_position, from_position_on_card


def set_up(rules: graph.Graph, example: graph.Example, row: int) -> tuple[Playthrough, dict[str, Value]]:
    """Return the position of a row, on its card if it has one, with the forced dice; and the bindings of its names."""
    names: dict[str, Value] = {}
    position = example.position
    begin = from_position_on_card if example.card else from_position
    state = begin(rules, replace(position, pieces=()))
    if example.rows:
        scope = {piece.name: index for index, piece in enumerate(position.pieces, len(state.sheets))}
        for name, value in zip(example.names, example.rows[row], strict=True):
            names[name] = evaluate_constant(value, ConstantScope({**state.board.index, **scope}, state.frame.rank))
    return Playthrough(begin(rules, position, names), None, example.dice), names
