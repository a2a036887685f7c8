"""The places that a reason mentions, for highlighting: hexes and counters by name, hexsides and lines as points.

In: a position and refusals. Out: names and points as data; `views/picture.py` draws the map with the same points.
"""

from collections.abc import Sequence
from typing import Any

from rulewright.workbench.positions import Position
from runtime.answer.interpreter import DelegatingInterpreter
from runtime.answer.map_references import MapReferences, ReferenceAnalysis
from runtime.play.refusal_parts import Refusal
from runtime.state.position import State

# The depth to which questions in conditions are expanded: a verdict, its questions, and theirs.
DEPTH = 3


def refusal_highlights(position: Position, refusals: Sequence[Refusal]) -> dict[str, Any]:
    """Return the places that refusals mention, as far as the reader may know."""
    state = position.visible.state
    pointer = ReferenceAnalysis(DelegatingInterpreter(position.game.evaluator.evaluator, position.rules), state)
    for each in refusals:
        if each.failing is not None:
            pointer.follow_condition(each.failing.condition, each.failing.names, each.failing.types, DEPTH)
    return highlights_data(state, pointer.references)


def highlights_data(state: State, found: MapReferences) -> dict[str, Any]:
    """Return references as data: `counted` decide, `mentioned_hexes` do not; pieces off the map are omitted."""
    names, sheets = state.board.names, state.sheets
    on_map = [piece for piece in found.counted_pieces if state.hex[piece] >= 0]
    counted = dict.fromkeys([*found.counted_hexes, *(state.hex[piece] for piece in on_map)])
    mentioned_hexes = [place for place in found.hexes if place not in counted]
    return {
        "counted": [names[place] for place in counted],
        "spoken": [names[place] for place in mentioned_hexes],
        "pieces": [sheets[piece].name for piece in on_map],
        "sides": [[names[first], names[second]] for first, second in found.sides],
        "lines": [[names[first], names[second]] for first, second in found.lines if first != second],
    }
