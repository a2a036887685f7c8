"""Construction of the initial position of a case, and of the bindings of its columns."""

from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.play.playthrough import Playthrough
from runtime.state.constants import ConstantScope, evaluate_constant
from runtime.state.record import Value
from runtime.state.setup import build_state, from_position


def set_up(rules: graph.Graph, example: graph.Example, row: int) -> tuple[Playthrough, dict[str, Value]]:
    """Return the position of a case, on its card if it has one, with the forced dice; and the bindings of its names."""
    names: dict[str, Value] = {}
    position = example.position
    begin = build_state if example.card else from_position
    state = begin(rules, replace(position, pieces=()))
    if example.rows:
        scope = {piece.name: index for index, piece in enumerate(position.pieces, len(state.sheets))}
        for name, value in zip(example.names, example.rows[row], strict=True):
            names[name] = evaluate_constant(value, ConstantScope({**state.board.index, **scope}, state.frame.rank))
    return Playthrough(begin(rules, position, names), None, example.dice), names
