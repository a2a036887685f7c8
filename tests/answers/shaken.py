"""Random positions: those of examples, with pieces moved and statuses changed at random."""

import random

from runtime.graph import nodes as graph
from runtime.state import change
from runtime.state.position import State
from runtime.state.setup import from_position


def shaken(rules: graph.Graph, position: graph.Position, seed: int) -> State:
    """Set up a position and change it at random; seed 0 leaves it unchanged."""
    state = from_position(rules, position)
    if not seed:
        return state
    dice = random.Random(seed)
    for piece in range(len(state.sheets)):
        if state.hex[piece] >= 0 and state.board.size and dice.random() < 0.4:
            change.move(state, piece, dice.randrange(state.board.size))
        for key in state.marks:
            owner, _, _ = key.partition(".")
            if state.kind[piece] == owner and dice.random() < 0.1:
                (change.unmark if piece in state.marks[key] else change.mark)(state, key, piece)
    return state
