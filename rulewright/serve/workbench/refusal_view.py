"""The view of the reasons of refusals and permissions as data for JSON, as blocks that the page lays out.

Input: a position as its reader may know it, and names of pieces and places. Output: dictionaries with `blocks`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.explain.auxiliary_rules import deciding_rules_first
from rulewright.explain.option_views import counterfactuals_data, option_from_data
from rulewright.explain.unreachable_places import OTHERS_ON_THE_WAY, ReachedPlace, partial_route
from rulewright.explain.why_not import explain_refusals
from rulewright.serve.workbench.block_encoding import blocks_data
from rulewright.serve.workbench.positions import ShownPosition, piece_number
from runtime.answer.answer_block import AnswerBlockBuilder, plain_block
from runtime.answer.interpreter import Interpreter
from runtime.answer.map_references import MapReferences, ReferenceAnalysis
from runtime.graph import words
from runtime.play.permission import explain_permission
from runtime.play.playthrough import Playthrough
from runtime.play.refusal_parts import ActionRefusal
from runtime.state.position import State

# The pieces of other sides that a piece without an action is compared with.
NEAREST = 2


def refusal_data(position: ShownPosition, piece: str, space: str) -> dict[str, Any]:
    """Return why a piece or a place has no action.

    If no rule is a reason, the refusals of the adjacent places and of the nearest pieces of other sides are
    preferred, as they are more informative.
    """
    found = refusal_reasons(position, [piece or space])
    state = position.visible.state
    piece_space = state.hex[piece_number(state, piece)] if piece else -1
    if found["explained"] or piece_space < 0:
        return found
    targets = [*(state.board.names[each] for each in state.board.beside[piece_space]), *_nearest_others(state, piece)]
    target_refusals = (refusal_reasons(position, [piece, target]) for target in targets)
    return next((refusal for refusal in target_refusals if refusal["explained"]), found)


def refusal_of_occupants(position: ShownPosition, piece: str, place: str) -> dict[str, Any] | None:
    """Return why a piece has no action against a piece of another side in a place; None without a rule."""
    state = position.visible.state
    side = state.side[piece_number(state, piece)]
    occupants = [each for each in state.at.get(state.board.index.get(place, -1), ()) if state.side[each] != side]
    refusals = (refusal_reasons(position, [piece, state.sheets[occupant].name]) for occupant in occupants)
    return next((refusal for refusal in refusals if refusal["explained"]), None)


def _nearest_others(state: State, piece: str) -> list[str]:
    """Return the names of the nearest pieces of other sides on the map."""
    number = piece_number(state, piece)
    others = [each for each, side in enumerate(state.side) if side != state.side[number] and state.hex[each] >= 0]
    others.sort(key=lambda each: state.board.distance(state.hex[number], state.hex[each]))
    return [state.sheets[each].name for each in others[:NEAREST]]


def refusal_reasons(
    position: ShownPosition, names: Sequence[str], playthrough: Playthrough | None = None, *, closed: bool = False
) -> dict[str, Any]:
    """Return why something is not open, as blocks; `explained`: rules refuse it, `open`: nothing does.

    `lights` are the highlights of the first refusal. `playthrough` is a later state of the position, if specified. With
    `closed`, another option is open, and only complete refusals are reported.
    """
    playthrough = playthrough or position.playthrough
    found = explain_refusals(position.game, playthrough, names, position.side, closed=closed)
    return {"blocks": blocks_data(found.blocks(position.rules)), "explained": found.explained,
            "open": bool(found.open), "lights": _refusal_highlights(position, found.refusals[:1])}  # fmt: skip


def unreachable_place(
    position: ShownPosition, piece: str, place: str, actions: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """Return the nearest place that a piece reaches, and what refuses the next step; None if unknown."""
    state = position.visible.state
    other = next((number for number, sheet in enumerate(state.sheets) if sheet.name == place), None)
    goal = state.board.index.get(place, -1) if other is None else state.hex[other]
    # Values that JSON cannot represent are encoded as indices, which are only valid at the original decision.
    reached = [
        ReachedPlace(state.board.index[action["space"]], action["tag"],
                     tuple(map(option_from_data, action["options"])))
        for action in actions
        if action["space"] and not action["piece"] and not action["through"]
        and all(isinstance(each, list) for each in action["options"])
    ]  # fmt: skip
    number = piece_number(state, piece)
    route = partial_route(position.game, position.visible, position.side, number, goal, reached) if goal >= 0 else None
    if route is None:
        return None
    title = f"No. {route.sentence(words.sentence(piece).rstrip('.'))}"
    if route.playthrough is None:
        blocks = blocks_data([plain_block(title, (OTHERS_ON_THE_WAY,))])
        return {"blocks": blocks, "explained": False, "open": False, "lights": None}
    # In a continued move, the piece is already chosen.
    going_on = len(route.playthrough.calls) > len(position.playthrough.calls)
    found = refusal_reasons(position, [route.next_place] if going_on else [piece, route.next_place], route.playthrough)
    return {**found, "blocks": [*blocks_data([plain_block(title)]), *found["blocks"]]}


def permission_shown(position: ShownPosition, options: Sequence[int]) -> dict[str, Any]:
    """Return why something is open: the answers to the questions that the last action asks."""
    _, found = explain_permission(position.game, position.visible, options)
    builder = AnswerBlockBuilder(position.rules)
    return {"blocks": blocks_data(builder.block(deciding_rules_first(each), whole=each) for each in found)}


def counterfactuals_shown(position: ShownPosition, names: Sequence[str]) -> dict[str, Any]:
    """Return the counterfactuals of a refusal as sentences, with the number of changes that were tried."""
    found = counterfactuals_data(position.game, position.playthrough, names, position.side)
    sentences = [
        f"{words.sentence(each['does']).rstrip('.')}: it would be allowed if {words.list_text(changes)}."
        for each in found["refused"]
        for changes in each["changes"]
    ]
    return {"allowed_if": list(dict.fromkeys(sentences)), "looked_at": found["looked_at"],
            "cut": any(each["cut"] for each in found["refused"])}  # fmt: skip


# ---------------------------------------------------------------- the places that a reason mentions


# The depth to which questions in conditions are expanded: a verdict, its questions, and theirs.
DEPTH = 3


def _refusal_highlights(position: ShownPosition, refusals: Sequence[ActionRefusal]) -> dict[str, Any]:
    """Return the places that refusals mention, as far as the reader may know."""
    state = position.visible.state
    pointer = ReferenceAnalysis(Interpreter(position.rules, elsewhere=position.game.evaluator.evaluator.ask), state)
    for refusal in refusals:
        if refusal.failing is not None:
            pointer.follow_condition(refusal.failing.condition, refusal.failing.names, refusal.failing.types, DEPTH)
    return _highlights_data(state, pointer.references)


def _highlights_data(state: State, found: MapReferences) -> dict[str, Any]:
    """Return references as data: `counted` decide, `spoken` do not; pieces off the map are omitted."""
    counted = dict.fromkeys(found.counted_hexes)
    pieces: list[str] = []
    for piece in found.counted_pieces:
        if state.hex[piece] >= 0:
            counted[state.hex[piece]] = None
            pieces.append(state.sheets[piece].name)

    def named(places: Iterable[int]) -> list[str]:
        return [state.board.names[place] for place in places]

    return {
        "counted": named(counted),
        "spoken": named(place for place in found.hexes if place not in counted),
        "pieces": pieces,
        "sides": [*map(named, found.sides)],
        "lines": [named(line) for line in found.lines if line[0] != line[1]],
    }
