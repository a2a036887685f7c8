"""The view of the reasons of refusals and permissions as data for JSON, with printed rules and rulings.

Input: a position as its reader may know it, and names of pieces and places. Output: dictionaries of sentences.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.explain.option_views import counterfactuals_data, option_from_data
from rulewright.explain.preview_lines import ALL, bracketed_sources
from rulewright.explain.printed_rules import CitedRule, PrintedRules
from rulewright.explain.unreachable_places import ReachedPlace, partial_route
from rulewright.explain.why_not import explain_refusals, underlying_explanations
from rulewright.serve.workbench.positions import ShownPosition, piece_number
from runtime.answer.explain import Explanation
from runtime.answer.explanation_text import dispute_lines
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

    If no printed rule is a reason, the refusals of the adjacent places and of the nearest pieces of other sides are
    preferred, as they are more informative.
    """
    found = refusal_reasons(position, [piece or space])
    state = position.visible.state
    piece_space = state.hex[piece_number(state, piece)] if piece else -1
    if is_grounded(found) or piece_space < 0:
        return found
    targets = [*(state.board.names[each] for each in state.board.beside[piece_space]), *_nearest_others(state, piece)]
    target_refusals = (refusal_reasons(position, [piece, target]) for target in targets)
    return next((refusal for refusal in target_refusals if is_grounded(refusal)), found)


def refusal_of_occupants(position: ShownPosition, piece: str, place: str) -> dict[str, Any] | None:
    """Return why a piece has no action against a piece of another side in a place; None without a printed rule."""
    state = position.visible.state
    side = state.side[piece_number(state, piece)]
    occupants = [each for each in state.at.get(state.board.index.get(place, -1), ()) if state.side[each] != side]
    refusals = (refusal_reasons(position, [piece, state.sheets[occupant].name]) for occupant in occupants)
    return next((refusal for refusal in refusals if is_grounded(refusal)), None)


def _nearest_others(state: State, piece: str) -> list[str]:
    """Return the names of the nearest pieces of other sides on the map."""
    number = piece_number(state, piece)
    others = [each for each, side in enumerate(state.side) if side != state.side[number] and state.hex[each] >= 0]
    others.sort(key=lambda each: state.board.distance(state.hex[number], state.hex[each]))
    return [state.sheets[each].name for each in others[:NEAREST]]


def is_grounded(found: dict[str, Any]) -> bool:
    """Return whether a reason has printed rules."""
    return any(each["because"] for each in found["reasons"])


def refusal_reasons(
    position: ShownPosition, names: Sequence[str], playthrough: Playthrough | None = None, *, closed: bool = False
) -> dict[str, Any]:
    """Return why something is not open: `why` has sentences with rules, `reasons` each reason with its rules.

    `lights` are the highlights of the first refusal; with `open`, nothing is refused. `playthrough` is a later state of
    the position, if specified. With `closed`, another option is open, and only complete refusals are reported.
    """
    playthrough = playthrough or position.playthrough
    found = explain_refusals(position.game, playthrough, names, position.side, closed=closed)
    explained = underlying_explanations(position.game, playthrough, found, position.side)
    printed, left, known_rules = PrintedRules(position.rules), iter(explained), dict[str, CitedRule]()
    reasons = []
    for reason in found.reasons:
        explanation = next(left) if reason.explanation else None
        own_rules = printed.rules_behind(explanation) if explanation else ()
        # Rules reported for one action are not repeated for the next.
        reasons.append(
            {
                "said": reason.sentence,
                "because": _printed_rule_data([rule for rule in own_rules if rule.label not in known_rules]),
            }
        )
        reasons += _disputes_shown(explanation)
        known_rules |= {rule.label: rule for rule in own_rules}
    return {"why": list(found.lines), "reasons": reasons, "open": bool(found.open),
            "published": _published_shown(printed, explained),
            "lights": _refusal_highlights(position, found.refusals[:1])}  # fmt: skip


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
    left = f", with {route.allowance} left" if route.allowance else ""
    sentence = f"{words.sentence(piece).rstrip('.')} gets as far as {route.place}{left}."
    if route.playthrough is None:
        explanation = f"{sentence} The other side may act on the way, so what keeps it from going on is not foreseen."
        return {
            "why": [explanation],
            "reasons": [{"said": explanation, "because": []}],
            "published": [],
            "lights": None,
        }
    # In a continued move, the piece is already chosen.
    going_on = len(route.playthrough.calls) > len(position.playthrough.calls)
    found = refusal_reasons(position, [route.next_place] if going_on else [piece, route.next_place], route.playthrough)
    return {
        **found,
        "why": [sentence, *found["why"]],
        "reasons": [{"said": sentence, "because": []}, *found["reasons"]],
    }


def permission_shown(position: ShownPosition, options: Sequence[int]) -> dict[str, Any]:
    """Return why something is open: the printed rules that allow it, those that could have forbidden it, rulings."""
    _, found = explain_permission(position.game, position.visible, options)
    printed = PrintedRules(position.rules)
    own_rules = {each.label: each for explanation in found for each in printed.rules_behind(explanation)}
    near_rules, far_rules = printed.obstacles(found)
    return {
        "disputes": [each for explanation in found for each in _disputes_shown(explanation)],
        "because": _printed_rule_data(own_rules.values()),
        "near": _printed_rule_data([rule for rule in near_rules if rule.label not in own_rules]),
        "far": _printed_rule_data(far_rules),
        "published": _published_shown(printed, found),
    }


def _disputes_shown(explanation: Explanation | None) -> list[dict[str, Any]]:
    """Return the disputes on which an answer hangs as reasons without printed rules."""
    return [{"said": line, "because": []} for line in (dispute_lines(explanation.disputed) if explanation else ())]


def _printed_rule_data(found: Iterable[CitedRule]) -> list[dict[str, Any]]:
    """Return printed rules as data."""
    return [{"prose": each.prose, "values": each.values, "cites": bracketed_sources(each.cites, ALL).strip()}
            for each in found]  # fmt: skip


def _published_shown(printed: PrintedRules, found: Sequence[Explanation]) -> list[dict[str, Any]]:
    """Return the rulings about the rules behind some answers as data; `decides` if it concerns an evaluated rule."""
    return [{"asks": each.question, "answers": each.answer, "decides": each.is_decisive,
             "cites": bracketed_sources(each.cites, ALL).strip()}
            for each in printed.published_answers(found)]  # fmt: skip


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
