"""The actions of a click on a counter or a place, and the highlighted pieces and places before a click.

In: a game, a playthrough at a decision as its reader may know it, and what was clicked. Out: `ClickAction`s, each
with the options to take. The engine computes the open options of a piece (runtime/play/piece_options.py); this module
expresses them in terms of a map: destination, target, cost.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from rulewright.explain.option_lines import option_text
from rulewright.explain.option_views import piece_called, with_accounts
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.play.game import Game
from runtime.play.machine import Machine
from runtime.play.options import END, PICK, STOP, TAKE, Decision, Option
from runtime.play.piece_choices import ChosenValue
from runtime.play.piece_options import OpenAct, SearchLimits, indices_of, open_to
from runtime.play.playthrough import FrameHook, Playthrough, ProcedureFrame
from runtime.play.previews import Preview
from runtime.play.routes import ReachedHex
from runtime.play.tryout_playthrough import TryoutPlaythrough, UnthrownDie
from runtime.state.position import State


class ClickAction(NamedTuple):
    """An action of a click: its description, and the place, piece or other choice it ends with ("" for the others).

    `take` are the options as (what, name, value), or as indices in the following decisions. `note` describes the cost,
    `tag` in a word. `pauses`: its last option ends a set that could be extended. `preview` is that of the dice, None if
    none is thrown. `detour` is the place of a detour, "" for none.
    """

    take: Sequence[Any]
    action_text: str
    space: str
    piece: str
    choice: str
    note: str = ""
    tag: str = ""
    pauses: bool = False
    preview: Preview | None = None
    detour: str = ""


class _ClickActions(NamedTuple):
    """The actions of a click; `cut`: there may be more."""

    actions: tuple[ClickAction, ...]
    cut: bool


def ways_of_piece(
    game: Game, playthrough: Playthrough, decision: Decision, piece: int, canceled: Callable[[], bool]
) -> _ClickActions:
    """Return the actions with a piece, or those found before `canceled` returned true."""
    found = open_to(with_accounts(game), playthrough, decision, piece, SearchLimits(canceled=canceled), refused=False)
    hexes = (_move_action(game, playthrough.state, each) for each in found.hexes)
    acts = (_other_action(game, playthrough, piece, act) for act in found.acts)
    return _ClickActions((*hexes, *acts), found.is_cut)


def _move_action(game: Game, state: State, each: ReachedHex) -> ClickAction:
    """Return the action of moving a piece to a place."""
    steps = len(each.route)
    note = f"{steps} steps" if steps > 1 else ""
    tag = ""
    if each.type is not None:
        cost, left = value_text(state, each.cost, each.type), value_text(state, each.allowance, each.type)
        note, tag = f"costs {cost}, {left} left", words.number(each.allowance)
    if each.asks_others:
        note = f"{note}; the other side may act on the way".lstrip("; ")
    take = [list(option) for option in each.options]
    return ClickAction(take, _action_text(game, each.options), state.board.names[each.hex], "", "", note, tag)


def _other_action(game: Game, playthrough: Playthrough, piece: int, each: OpenAct) -> ClickAction:
    """Return another action of a piece; its end is the last chosen value other than the piece itself."""
    state = playthrough.state
    others = [found for chosen_value in each.chosen if (found := _end(state, piece, chosen_value)) is not None]
    space, other, choice = others[-1] if others else ("", "", "")
    # The target is chosen first in some games, and last in others; a piece of the same side is no target.
    for end in others:
        if end[1] and state.side[piece_called(state, end[1])] != state.side[piece]:
            space, other, choice = end
    through = ""
    if each.moves_to is not None:
        space = state.board.names[each.moves_to]
        through = next((end[0] for end in others if end[0] and end[0] != space), "")
    pauses = bool(each.options) and each.options[-1].kind == STOP
    return ClickAction(
        _encoded_options(game, playthrough, each.options),
        option_text(game.programs.entries[f"action:{each.action}"].procedure),
        space,
        other,
        choice,
        pauses=pauses,
        preview=each.preview,
        detour=through,
    )


def _encoded_options(game: Game, playthrough: Playthrough, options: Sequence[Option]) -> Sequence[Any]:
    """Encode options for the page: as they are if JSON can represent their values, otherwise as indices."""
    if all(_is_plain(option.value) for option in options):
        return [list(option) for option in options]
    return indices_of(game, playthrough, options)


def _is_plain(value: Any) -> bool:
    """Return whether JSON can represent a value; lists are decoded as tuples."""
    return isinstance(value, int | str | None) or (
        type(value) is tuple and all(isinstance(each, int | str) for each in value)
    )


def _end(state: State, piece: int, chosen_value: ChosenValue) -> tuple[str, str, str] | None:
    """Return a chosen value other than the piece as (place, piece, other); None for the piece itself."""
    match chosen_value.type:
        case graph.Hex():
            return state.board.names[chosen_value.value], "", ""
        case graph.Piece():
            return None if chosen_value.value == piece else ("", state.sheets[chosen_value.value].name, "")
        case graph.Many():
            return None
        case type_:
            return "", "", value_text(state, chosen_value.value, type_)


def _action_text(game: Game, options: Sequence[Option]) -> str:
    """Return the description of the first action in options; "" if there is none."""
    action_option = next((option for option in options if option.kind == TAKE), None)
    return option_text(game.programs.entries[f"action:{action_option.name}"].procedure) if action_option else ""


def ways_of_space(game: Game, playthrough: Playthrough, decision: Decision, space: int) -> _ClickActions:
    """Return the actions whose next choice is a place."""
    name = playthrough.state.board.names[space]
    found = []
    for options, first_decision in _first_decisions(game, playthrough, decision):
        for index, option in enumerate(first_decision.options):
            if option.kind == PICK and isinstance(first_decision.member, graph.Hex) and option.value == space:
                action_text = _action_text(game, [decision.options[each] for each in options])
                found.append(ClickAction([*options, index], action_text, name, "", ""))
    return _ClickActions(tuple(found), cut=False)


class _FirstChoices(NamedTuple):
    """The pieces and places that can be chosen next, by name.

    `picks` are pieces that a click adds to a set, with the option for it.
    """

    pieces: tuple[str, ...]
    spaces: tuple[str, ...]
    picks: dict[str, int]


def first_choices(game: Game, playthrough: Playthrough, decision: Decision) -> _FirstChoices:
    """Return the pieces and places to highlight: those that a decision, or an action it offers, may choose first.

    A piece that is the only one to choose is highlighted, too, though the machine chooses it.
    """
    spaces: dict[str, None] = {}
    state = playthrough.state
    forced: list[int] = []
    first_found = [*_first_decisions(game, playthrough, decision, forced)]
    pieces = dict.fromkeys(state.sheets[piece].name for piece in forced)
    for _, first_decision in first_found:
        for option in first_decision.options:
            if option.kind == PICK and isinstance(first_decision.member, graph.Piece):
                pieces[state.sheets[option.value].name] = None
            elif option.kind == PICK and isinstance(first_decision.member, graph.Hex):
                spaces[state.board.names[option.value]] = None
            elif option.kind == TAKE:
                pieces |= dict.fromkeys(_arguments(game, playthrough, option))
    call = playthrough.calls[-1]
    step = game.step_of(call)
    growing = isinstance(step, graph.Choose) and bool(step.how) and isinstance(decision.member, graph.Piece)
    picks = {
        state.sheets[option.value].name: index
        for index, option in enumerate(decision.options)
        if growing and option.kind == PICK
    }
    return _FirstChoices(tuple(pieces), tuple(spaces), picks)


def _first_decisions(
    game: Game, playthrough: Playthrough, decision: Decision, forced: list[int] | None = None
) -> Iterator[tuple[tuple[int, ...], Decision]]:
    """Yield the decision itself, and the first decisions of its actions, each with the options that lead to it.

    To `forced`, pieces are added with which actions begin because there are no others to choose.
    """
    yield (), decision
    machine = game.without_listeners()
    for index, option in enumerate(decision.options):
        if option.kind != TAKE or _arguments(game, playthrough, option):
            continue
        trial = TryoutPlaythrough.copy_of(playthrough)
        watch = _first_piece_watch(machine, trial, forced)
        try:
            machine.take(trial, option)
            next_decision = machine.run(trial, watch=watch)
        except UnthrownDie:
            continue
        if (
            next_decision is not None
            and next_decision.side == decision.side
            and len(trial.calls) > len(playthrough.calls)
        ):
            yield (index,), next_decision


def _first_piece_watch(machine: Machine, trial: Playthrough, forced: list[int] | None) -> FrameHook | None:
    """Return what adds the only piece of the first choice of an action to `forced`; None without a list."""
    if forced is None:
        return None
    depth, is_first = len(trial.calls), True

    def watch(call: ProcedureFrame) -> None:
        nonlocal is_first
        if is_first and len(trial.calls) > depth and isinstance(machine.choices.site(call).member, graph.Piece):
            only = machine.forced_option(trial, call)
            if only is not None and only.kind == PICK:
                forced.append(only.value)
        is_first = False

    return watch


def _arguments(game: Game, playthrough: Playthrough, option: Option) -> list[str]:
    """Return the names of the pieces that are arguments of an offered action."""
    types = [p.type for p in game.programs.entries[f"action:{option.name}"].procedure.parameters]
    arguments = zip(types, option.value or (), strict=False)
    return [playthrough.state.sheets[value].name for type_, value in arguments if isinstance(type_, graph.Piece)]


def ending_options(decision: Decision) -> list[int]:
    """Return the options that end or stop."""
    return [index for index, option in enumerate(decision.options) if option.kind in (END, STOP)]
