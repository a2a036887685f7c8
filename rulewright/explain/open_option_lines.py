"""Format the open options and routes of a piece, and what is not open, as lines.

In: the results of `rulewright/explain/option_views.py`. Out: lines, not wrapped.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from rulewright.explain.option_lines import action_phrase
from rulewright.explain.option_views import open_options
from rulewright.explain.option_words import without_chosen
from rulewright.explain.unreachable_places import ReachedPlace, partial_route
from rulewright.explain.why_not import (
    explain_refusals,
    later_refusal_lines,
    refusal_explanation,
    without_movers,
)
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.movement import moves_a_whole_way
from runtime.play.game import Game
from runtime.play.options import TAKE, Decision
from runtime.play.piece_choices import ChosenValue
from runtime.play.piece_options import OpenAct, PieceOptions
from runtime.play.playthrough import Playthrough
from runtime.play.previews import chance_text
from runtime.play.routes import ReachedHex
from runtime.players.player import as_seen
from runtime.state.position import State

# The number of words of a piece and its destination.
PAIR = 2
CUT = "more was open than could be tried: hexes and acts may be missing"


def open_option_lines(game: Game, state: State, found: PieceOptions, side: str) -> Iterator[str]:
    """Yield the lines of the open options of a piece, or of a side against a piece of another one."""
    name = state.sheets[found.piece].name
    if found.hexes:
        yield f"{name} can get to:"
        yield from _hexes(state, found.piece, found.hexes)
    if found.acts:
        foreign = state.side[found.piece] not in ("", side)
        side_title = words.member("side", side, state.graph.vocabulary)
        yield f"open to {side_title} against {name}:" if foreign else f"open with {name}:"
        # The piece itself may be in one of two sets that are named alike.
        yield from dict.fromkeys(f"  {_act(game, state, act, found.piece)}" for act in found.acts)
    if not found.hexes and not found.acts:
        yield f"nothing is open to {name} now"
    for refusal in found.refusals:
        yield f"  not open: {action_phrase(game, refusal.action)}: {refusal.reason}"
    if found.is_cut:
        yield f"  ({CUT})"


def forecast_lines(
    game: Game, state: State, found: PieceOptions, actions: Collection[str], targets: Collection[str]
) -> Iterator[str]:
    """Yield the lines of the open acts of a piece that have previewed results, and a target as another choice.

    The line of an act is followed by its figures, as the strength and the odds of an attack.

    `actions` are those that are wanted; `targets` are names of pieces and hexes, empty for any.
    """
    for act in found.acts:
        is_wanted = act.action in actions
        is_aimed = not targets or not {*_act_names(state, act)}.isdisjoint(targets)
        if act.preview and is_wanted and is_aimed:
            yield _act(game, state, act, found.piece)
            for sheet in (each for each in act.preview.sheets if each.text and (each.chances or not act.throws)):
                yield f"  {sheet.text}"


def _act_names(state: State, act: OpenAct) -> Iterator[str]:
    """Yield the names of the pieces and hexes chosen in an act, and the hexes of the pieces."""
    for each in act.chosen:
        member, values = (each.type.of, each.value) if isinstance(each.type, graph.Many) else (each.type, (each.value,))
        if isinstance(member, graph.Piece):
            yield from (state.sheets[value].name for value in values)
        hexes = values if isinstance(member, graph.Hex) else ()
        yield from (state.board.names[value] for value in hexes)
        yield from (state.sheets[piece].name for value in hexes for piece in state.at.get(value, ()))


def reach_lines(game: Game, playthrough: Playthrough, side: str, word_list: Sequence[str]) -> Iterator[str]:
    """Yield the route of a piece to a distant hex, or the nearest hex that it reaches and what refuses the next step.

    Without a route, acts that take it there are the answer, as an overrun, or a move whose end a die decides. A refused
    step is one by which the piece gets anywhere, and no other with the same words. Nothing is yielded unless the words
    are a piece of that side and a hex.
    """
    if (named := _piece_and_hex(playthrough.state, side, word_list)) is None:
        return
    name, goal = word_list[0], named[1]
    found = open_options(game, playthrough, name, refused=False)
    if lines := tuple(_open_route_lines(playthrough.state, found, word_list, goal)):
        yield from lines
        return
    if acts := [act for act in found.acts if act.moves_to == goal]:
        yield from open_option_lines(game, playthrough.state, found._replace(hexes=(), acts=tuple(acts)), side)
        return
    reached = [
        ReachedPlace(place.hex, words.number(place.allowance) if place.type is not None else "", place.options)
        for place in found.hexes
    ]
    taken_actions = {option.name for place in found.hexes for option in place.options if option.kind == TAKE}
    if any(moves_a_whole_way(game.graph, f"action:{action}") for action in taken_actions):
        return  # The search reports the obstacle, with the step that is refused.
    route = partial_route(game, as_seen(game, playthrough, side), side, found.piece, goal, reached)
    if route is None:
        return
    yield f"{name} gets as far as {route.place}{f', with {route.allowance} left' if route.allowance else ''}"
    if route.playthrough is None:
        yield "others are asked on the way, so what keeps it from going on is not foreseen"
        return
    going_on = len(route.playthrough.calls) > len(playthrough.calls)
    next_words = [route.next_place] if going_on else [name, route.next_place]
    refused = explain_refusals(game, route.playthrough, next_words, side, actions=_last_step_actions(found))
    if route.action and not refused.open:
        # What ends the move is said of the action that went so far, and not of another one.
        further = explain_refusals(game, route.playthrough, [route.action, route.next_place], side)
        refused = further if further.explained else refused
    if refused.open:
        yield f"it may go on to {route.next_place}, but whether it gets there is not foreseen"
        return
    yield from refused.lines
    yield from later_refusal_lines(game, route.playthrough, next_words, side, refused)


def why_lines(game: Game, playthrough: Playthrough, decision: Decision, word_list: Sequence[str]) -> Iterator[str]:
    """Yield why what the words of a player name is not open: a way, or a choice."""
    if lines := [*reach_lines(game, playthrough, decision.side, word_list)]:
        yield from lines
        return
    left = without_chosen(game, playthrough, word_list) or word_list
    left = without_movers(game, playthrough, decision, left)
    yield from refusal_explanation(game, playthrough, left, decision.side)


def _last_step_actions(found: PieceOptions) -> set[str]:
    """Return the actions by which a piece takes the last step to anywhere."""
    action_lists = ([option.name for option in each.options if option.kind == TAKE] for each in found.hexes)
    return {names[-1] for names in action_lists if names}


def _piece_and_hex(state: State, side: str, word_list: Sequence[str]) -> tuple[int, int] | None:
    """Return the piece of a side on the map and the hex that two words name; None if they name something else."""
    names = [sheet.name for sheet in state.sheets]
    if len(word_list) != PAIR or word_list[0] not in names or word_list[1] not in state.board.index:
        return None
    piece = names.index(word_list[0])
    return (piece, state.board.index[word_list[1]]) if state.side[piece] == side and state.hex[piece] >= 0 else None


def _open_route_lines(state: State, found: PieceOptions, word_list: Sequence[str], goal: int) -> Iterator[str]:
    """Yield the lines of the open route to a hex, if there is one."""
    if reached_hex := next((each for each in found.hexes if each.hex == goal), None):
        yield _route_line(state, found.piece, reached_hex)
        if reached_hex.stops:
            yield f"it is open: `move {' '.join(word_list)}`"


def _hexes(state: State, piece: int, hexes: Sequence[ReachedHex]) -> Iterator[str]:
    """Yield lines of hexes grouped by cost; an asterisk marks those where the piece may not end its move.

    Without costs they are grouped by the number of steps, unless an action goes several hexes at once.
    """
    step_by_step = all(
        a >= 0 and state.board.adjacent(a, b) for each in hexes for a, b in pairwise((state.hex[piece], *each.route))
    )
    groups: dict[str, list[str]] = {}
    for each in hexes:
        steps = words.amount(len(each.route), "steps", state.graph.vocabulary) if step_by_step else ""
        groups.setdefault(_cost_text(state, each) or steps, []).append(
            state.board.names[each.hex] + ("" if each.stops else "*")
        )
    for heading, names in groups.items():
        yield f"  {heading}{': ' if heading else ''}{', '.join(names)}"
    if not all(each.stops for each in hexes):
        yield "  (* it may not stay there)"


def _cost_text(state: State, reached: ReachedHex) -> str:
    """Return the cost of a route and the rest of the allowance; "" if unknown."""
    if reached.type is None:
        return ""
    return f"{value_text(state, reached.cost, reached.type)}, {words.number(reached.allowance)} left"


def _route_line(state: State, piece: int, reached: ReachedHex) -> str:
    """Format the route to a hex as a sentence."""
    price = _cost_text(state, reached)
    word_list = "; others are asked as it moves" if reached.asks_others else ""
    word_list += "" if reached.stops else "; it may not stay there"
    route = ", ".join(state.board.names[h] for h in reached.route)
    return f"{state.sheets[piece].name} goes {route}{f': {price}' if price else ''}{word_list}"


def _act(game: Game, state: State, act: OpenAct, piece: int) -> str:
    """Format an act of a piece with its other choices, its destination and the chances of its results."""
    chosen = ", ".join(filter(None, (_chosen(state, each, piece) for each in act.chosen)))
    sheet = next((each for each in act.preview.sheets if each.chances), None) if act.preview else None
    chances = (
        "; ".join(f"{chance_text(chance)}: {result.rstrip('.')}" for result, chance in sheet.chances) if sheet else ""
    )
    moved = f", to {state.board.names[act.moves_to]}" if act.moves_to is not None and not act.throws else ""
    action_text = action_phrase(game, act.action)
    return f"{action_text}{f' ({chosen})' if chosen else ''}{moved}{f' -- {chances}' if chances else ''}"


def _chosen(state: State, each: ChosenValue, piece: int) -> str:
    """Format a chosen value with the wording of its choice; "" for the piece itself."""
    member = each.type.of if isinstance(each.type, graph.Many) else each.type
    if each.type is None or (isinstance(member, graph.Piece) and each.value in (piece, (piece,))):
        return ""
    name = "" if isinstance(each.type, graph.Hex) else f"{words.choice_words(each.name, member)} "
    return f"{name}{value_text(state, each.value, each.type)}"
