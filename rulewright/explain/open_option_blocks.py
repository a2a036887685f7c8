"""The open options and routes of a piece, and what is not open, as blocks of the document tree.

In: the results of `rulewright/explain/option_views.py`. Out: blocks; the title of each says what it lists.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from rulewright.explain.option_lines import action_phrase
from rulewright.explain.option_views import open_options
from rulewright.explain.option_words import without_chosen
from rulewright.explain.refusal_blocks import short_reason
from rulewright.explain.unreachable_places import OTHERS_ON_THE_WAY, PartialRoute, ReachedPlace, partial_route
from rulewright.explain.why_not import explain_refusals, later_refusals, refusal_explanation, without_movers
from runtime.answer.answer_block import figures_line, plain_block
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.document import DocumentBlock, DocumentLine
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


def open_option_blocks(game: Game, state: State, found: PieceOptions, side: str) -> Iterator[DocumentBlock]:
    """Yield the blocks of the open options of a piece, or of a side against a piece of another one.

    Where nothing is open, the block says what refuses each action of the piece, if `found` has that.
    """
    name = state.sheets[found.piece].name
    cut = [words.sentence(CUT)] if found.is_cut else []
    if found.hexes:
        reached = map(figures_line, _hexes(state, found.piece, found.hexes))
        yield plain_block(f"{name} can get to:", (), (*reached, *map(figures_line, () if found.acts else cut)))
    if found.acts:
        foreign = state.side[found.piece] not in ("", side)
        side_title = words.sentence(words.member("side", side, state.graph.vocabulary)).rstrip(".")
        # The piece itself may be in one of two sets that are named alike.
        lines = dict.fromkeys(_act_line(game, state, act, found.piece) for act in found.acts)
        title = f"{side_title} can, against {name}:" if foreign else f"{name} can:"
        yield plain_block(title, (), (*lines, *map(figures_line, cut)))
    if not found.hexes and not found.acts:
        refused = [f"Cannot {action_phrase(game, each.action)}: {short_reason(each)}" for each in found.refusals]
        yield plain_block(f"{name} can do nothing now.", cut, [*map(figures_line, refused)])


def forecast_lines(
    game: Game, state: State, found: PieceOptions, actions: Collection[str], targets: Collection[str]
) -> Iterator[DocumentLine]:
    """Yield the lines of the open acts of a piece that have previewed results, and a target as another choice.

    The figures of an act, as the strength and the odds of an attack, are its items.

    `actions` are those that are wanted; `targets` are names of pieces and hexes, empty for any.
    """
    for act in found.acts:
        is_wanted = act.action in actions
        is_aimed = not targets or not {*_act_names(state, act)}.isdisjoint(targets)
        if act.preview and is_wanted and is_aimed:
            line = _act_line(game, state, act, found.piece)
            sheets = [each for each in act.preview.sheets if each.text and (each.chances or not act.throws)]
            yield replace(line, items=(*(figures_line(sheet.text) for sheet in sheets), *line.items))


def _act_names(state: State, act: OpenAct) -> Iterator[str]:
    """Yield the names of the pieces and hexes chosen in an act, and the hexes of the pieces."""
    for each in act.chosen:
        member, values = (each.type.of, each.value) if isinstance(each.type, graph.Many) else (each.type, (each.value,))
        if isinstance(member, graph.Piece):
            yield from (state.sheets[value].name for value in values)
        hexes = values if isinstance(member, graph.Hex) else ()
        yield from (state.board.names[value] for value in hexes)
        yield from (state.sheets[piece].name for value in hexes for piece in state.at.get(value, ()))


def reach_blocks(game: Game, playthrough: Playthrough, side: str, word_list: Sequence[str]) -> Iterator[DocumentBlock]:
    """Yield the route of a piece to a distant hex, or the nearest hex that it reaches and what refuses the next step.

    Without a route, acts that take it there are the answer, as an overrun, or a move whose end a die decides. A refused
    step is one by which the piece gets anywhere, and no other with the same words. Nothing is yielded unless the words
    are a piece of that side and a hex.
    """
    if (named := _piece_and_hex(playthrough.state, side, word_list)) is None:
        return
    name, goal = word_list[0], named[1]
    found = open_options(game, playthrough, name, refused=False)
    if reached_hex := next((each for each in found.hexes if each.hex == goal), None):
        yield _route_block(playthrough.state, found.piece, reached_hex, word_list)
        return
    if acts := [act for act in found.acts if act.moves_to == goal]:
        yield from open_option_blocks(game, playthrough.state, found._replace(hexes=(), acts=tuple(acts)), side)
        return
    reached = [
        ReachedPlace(place.hex, words.number(place.allowance) if place.type is not None else "", place.options)
        for place in found.hexes
    ]
    taken_actions = {option.name for place in found.hexes for option in place.options if option.kind == TAKE}
    if any(moves_a_whole_way(game.graph, f"action:{action}") for action in taken_actions):
        return  # The search reports the obstacle, with the step that is refused.
    route = partial_route(game, as_seen(game, playthrough, side), side, found.piece, goal, reached)
    if route is not None:
        yield from _partial_route_blocks(game, playthrough, route, found, side)


def _partial_route_blocks(
    game: Game, playthrough: Playthrough, route: PartialRoute, found: PieceOptions, side: str
) -> Iterator[DocumentBlock]:
    """Yield how far a piece gets, and what refuses the next step."""
    name = playthrough.state.sheets[found.piece].name
    title = f"No. {route.sentence(name)}"
    if route.playthrough is None:
        yield plain_block(title, (OTHERS_ON_THE_WAY,))
        return
    going_on = len(route.playthrough.calls) > len(playthrough.calls)
    next_words = [route.next_place] if going_on else [name, route.next_place]
    refused = explain_refusals(game, route.playthrough, next_words, side, actions=_last_step_actions(found))
    if route.action and not refused.open:
        # What ends the move is said of the action that went so far, and not of another one.
        further = explain_refusals(game, route.playthrough, [route.action, route.next_place], side)
        refused = further if further.explained else refused
    if refused.open:
        yield plain_block(title, (f"It may go on to {route.next_place}, but whether it gets there is not foreseen.",))
        return
    yield plain_block(title)
    yield from refused.blocks(game.graph)
    yield from later_refusals(game, route.playthrough, next_words, side, refused)


def why_blocks(
    game: Game, playthrough: Playthrough, decision: Decision, word_list: Sequence[str]
) -> Iterator[DocumentBlock]:
    """Yield why what the words of a player name is not open: a way, or a choice."""
    if blocks := [*reach_blocks(game, playthrough, decision.side, word_list)]:
        yield from blocks
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
        yield f"{heading}{': ' if heading else ''}{', '.join(names)}"
    if not all(each.stops for each in hexes):
        yield "* It may not stay there."


def _cost_text(state: State, reached: ReachedHex) -> str:
    """Return the cost of a route and the rest of the allowance; "" if unknown."""
    if reached.type is None:
        return ""
    return f"{value_text(state, reached.cost, reached.type)}, {words.number(reached.allowance)} left"


def _route_block(state: State, piece: int, reached: ReachedHex, word_list: Sequence[str]) -> DocumentBlock:
    """Return the route to a hex, with its cost."""
    price = _cost_text(state, reached)
    route = ", ".join(state.board.names[h] for h in reached.route)
    remarks = [OTHERS_ON_THE_WAY] if reached.asks_others else []
    remarks.append(f"It is open: `move {' '.join(word_list)}`" if reached.stops else "It may not stay there.")
    return plain_block(f"Yes. {state.sheets[piece].name} goes {route}{f': {price}' if price else ''}.", remarks)


def _act_line(game: Game, state: State, act: OpenAct, piece: int) -> DocumentLine:
    """Return the line of an act of a piece: its other choices, its destination, and the chances of its results."""
    chosen = ", ".join(filter(None, (_chosen(state, each, piece) for each in act.chosen)))
    sheet = next((each for each in act.preview.sheets if each.chances), None) if act.preview else None
    chances = [f"{chance_text(chance)}: {result}" for result, chance in sheet.chances] if sheet else []
    moved = f", to {state.board.names[act.moves_to]}" if act.moves_to is not None and not act.throws else ""
    line = figures_line(f"{action_phrase(game, act.action)}{f' ({chosen})' if chosen else ''}{moved}")
    return replace(line, items=tuple(map(figures_line, chances)))


def _chosen(state: State, each: ChosenValue, piece: int) -> str:
    """Format a chosen value with the wording of its choice; "" for the piece itself."""
    member = each.type.of if isinstance(each.type, graph.Many) else each.type
    if each.type is None or (isinstance(member, graph.Piece) and each.value in (piece, (piece,))):
        return ""
    name = "" if isinstance(each.type, graph.Hex) else f"{words.choice_words(each.name, member)} "
    return f"{name}{value_text(state, each.value, each.type)}"
