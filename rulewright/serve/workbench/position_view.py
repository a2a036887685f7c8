"""The view of a position as data for JSON: names and sentences, without identifiers of rules files.

In: a position as its reader may know it. Out: dictionaries, from which the page builds its markup as text.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.explain import option_lines
from rulewright.explain.decision_state import offered_phases
from rulewright.explain.kept_notes import kept_notes
from rulewright.explain.piece_details import look_at_hex, note_and_relation_lines
from rulewright.explain.preview_blocks import preview_blocks, preview_of
from rulewright.explain.views.victory_conditions import victory_text
from rulewright.serve.workbench.block_encoding import blocks_data
from rulewright.serve.workbench.click_actions import (
    ClickAction,
    ending_options,
    first_choices,
    ways_of_piece,
    ways_of_space,
)
from rulewright.serve.workbench.positions import (
    ShownPosition,
    features_of,
    piece_number,
    secret_choice_text,
    space_number,
    statuses_of,
)
from rulewright.serve.workbench.refusal_view import refusal_data
from rulewright.serve.workbench.sessions import GameSession
from rulewright.serve.workbench.situations import rules_title
from rulewright.system.errors import UsageError
from runtime.answer.answer_block import plain_block
from runtime.answer.piece_text import piece_labels
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.members import members_of
from runtime.graph.steps import phases_of_sequence
from runtime.play.game import FinishedGame
from runtime.play.option_trials import never_canceled
from runtime.play.options import END, PICK, TAKE, Decision
from runtime.state.position import GONE, State

# The highlights and buttons of a position without a choice.
NOTHING_OPEN: dict[str, Any] = {"question": "", "lit": {"pieces": [], "spaces": [], "picks": {}}, "buttons": []}

# What is shown of a position that belongs to no game.
NO_GAME = {"game": "", "version": "", "log": [], "undo": ""}


def position_data(position: ShownPosition) -> dict[str, Any]:
    """Return a position as data: the clock, the prompt, the highlights, the pieces, and the game so far."""
    state = position.visible.state
    session = position.session
    card = position.rules.scenario
    return {
        "address": position.address,
        "title": position.title,
        "rules_name": position.stack.name,
        "rules": rules_title(position.stack.library, position.stack.name),
        "turn": state.turn,
        "turns": card.turns if card else 0,
        "phases": _list_phases(position, state),
        "sides": [{"name": each, "title": words.member("side", each, state.graph.vocabulary),
                   "now": each == state.player}
                  for each in members_of(state.graph.vocabulary, "side") if each in {*state.side, state.player}],
        "side": position.side,
        "side_title": words.member("side", position.side, state.graph.vocabulary) if position.side else "",
        "side_phrase": words.side(position.side, state.graph.vocabulary) if position.side else "",
        "live": position.is_live,
        "yours": bool(session and position.is_live and position.side in session.humans),
        "changes": list(position.changes),
        "over": _ending_text(position.current_decision, state.graph),
        "aims": list(victory_text(position.rules)),
        "notes": [{"owner": owner, "notes": [{"name": note.name, "value": note.value} for note in notes]}
                  for owner, notes in kept_notes(state)],
        "pieces": [piece_shown(state, piece, label.title) for piece, label in enumerate(piece_labels(state))
                   if state.hex[piece] != GONE],
        "spaces": [{"name": name, "title": words.readable_name(name), "facts": [*look_at_hex(state, index)]}
                   for index, name in enumerate(state.board.names)],
        "terrains": _feature_titles(state, "hex"),
        "edges": _feature_titles(state, "hexside"),
        **_decision_data(position),
        **(_game_shown(session, position.viewing_side) if session else NO_GAME),
    }  # fmt: skip


def _feature_titles(state: State, owner: str) -> list[dict[str, str]]:
    """Return the features that the page can paint on hexes or hexsides."""
    vocabulary = state.graph.vocabulary
    return [{"name": name, "title": words.flag(owner, name, vocabulary)} for name in features_of(state, owner)]


def _game_shown(session: GameSession, reader: str) -> dict[str, Any]:
    """Return the game of a position as data."""
    vocabulary = session.rules.vocabulary
    decision = session.ask()
    side = decision.side if isinstance(decision, Decision) else ""
    return {
        "game": session.name,
        "version": session.version,
        "moment": session.playthrough.choice_count,
        "hands_over": session.has_hand_over,
        "reader": reader,
        "reader_phrase": words.side(reader, vocabulary) if reader else "",
        "others": bool(side and side not in session.humans),
        "undo": session.undo_refusal(side) if side in session.humans else "it is not your choice",
        "log": [{"at": each.choice_count, "side": words.member("side", each.side, vocabulary) if each.side else "",
                 "turn": each.turn, "lines": list(each.lines)}
                for each in session.log(reader) if each.lines],
    }  # fmt: skip


def _list_phases(position: ShownPosition, state: State) -> list[dict[str, Any]]:
    """Return the phases of the sequence of play in order; `offers` if the Table can show the offers of one."""
    offered = offered_phases(position.game)
    return [{"name": name, "title": phase.title or words.readable_name(name), "now": name == state.phase,
             "offers": name in offered} for name, phase in phases_of_sequence(position.rules).items()]  # fmt: skip


def _ending_text(outcome: Decision | FinishedGame, rules: graph.Graph) -> str:
    """Return how a game ended; "" if it is not over."""
    if isinstance(outcome, Decision):
        return ""
    winner = words.side(outcome.winner, rules.vocabulary) if outcome.winner else ""
    return f"The game is over: {winner} won." if winner else "The game is over: no side won."


def _decision_data(position: ShownPosition) -> dict[str, Any]:
    """Return a decision as data: a prompt, the highlights on the map, and buttons for other options."""
    decision = position.current_decision
    if isinstance(decision, FinishedGame):
        return {"prompt": "", **NOTHING_OPEN}
    if position.is_secret_choice:
        return {"prompt": f"{words.sentence(secret_choice_text(position.side, position.rules))}", **NOTHING_OPEN}
    first = first_choices(position.game, position.visible, decision)
    return {
        "question": question_text(position, decision),
        "prompt": f"{_chooser(position)}{_prompt_text(position, decision, first.pieces, first.spaces)}",
        "lit": {"pieces": list(first.pieces), "spaces": list(first.spaces), "picks": first.picks},
        "buttons": [*_other_option_buttons(position, decision)],
    }


def _chooser(position: ShownPosition) -> str:
    """Return who chooses if several share the screen, or it is not the side whose turn it is; otherwise ""."""
    shares = position.session is not None and len(position.session.humans) > 1
    if not shares and position.side == position.visible.state.player:
        return ""
    return f"{words.sentence(words.side(position.side, position.rules.vocabulary)).rstrip('.')}: "


def question_text(position: ShownPosition, decision: Decision) -> str:
    """Return what is chosen, and in which action; "" between actions."""
    if option_lines.is_between_actions(position.game, position.visible):
        return ""
    return words.sentence(option_lines.decision_question(position.game, position.visible, decision).partition(":")[0])


def _prompt_text(position: ShownPosition, decision: Decision, pieces: Sequence[str], spaces: Sequence[str]) -> str:
    """Return a sentence that states what to click."""
    question = question_text(position, decision)
    targets = "a highlighted counter" if pieces else ""
    targets += " or " if pieces and spaces else ""
    targets += "a highlighted place" if spaces else ""
    if not targets:
        return f"{question} Choose with a button.".strip()
    others = " The buttons have the other choices." if any(option.kind == TAKE for option in decision.options) else ""
    return f"{question} Click {targets} to see its actions.{others}".strip() if decision.member is None else (
        f"{question} Click {targets}.".strip()
    )  # fmt: skip


def _other_option_buttons(position: ShownPosition, decision: Decision) -> Iterator[dict[str, Any]]:
    """Yield buttons for the options that are neither pieces nor places: the end, actions, and other values."""
    state, final = position.visible.state, ending_options(decision)
    growing = any(option.kind == PICK for option in decision.options)
    for index, option in enumerate(decision.options):
        if index in final:
            phase = words.readable_name(state.phase).removesuffix(" phase")
            end = f"End the {phase} phase" if len(position.playthrough.calls) == 1 and phase else "Done"
            label = "Finish the selection" if growing else end if option.kind == END else "Done"
            yield {"label": label, "options": [index], "kind": "end"}
        elif option.kind == TAKE:
            yield {"label": action_label(position, option.name, option.value), "options": [index], "kind": "action"}
        elif not isinstance(decision.member, graph.Piece | graph.Hex) and decision.member is not None:
            label = words.sentence(value_text(state, option.value, decision.member)).rstrip(".")
            yield {"label": label, "options": [index], "kind": "choice"}


def action_label(position: ShownPosition, name: str, values: Sequence[Any]) -> str:
    """Return the label of an action: its description, with its arguments."""
    procedure = position.game.programs.entries[f"action:{name}"].procedure
    label = words.sentence(option_lines.option_text(procedure)).rstrip(".")
    argument_texts = [
        value_text(position.visible.state, value, p.type)
        for p, value in zip(procedure.parameters, values or (), strict=True)
    ]
    return f"{label} ({', '.join(argument_texts)})" if argument_texts else label


def piece_shown(state: State, piece: int, title: str) -> dict[str, Any]:
    """Return a piece as data."""
    sheet = state.sheets[piece]
    vocabulary = state.graph.vocabulary
    space = state.hex[piece]
    return {
        "name": sheet.name,
        "title": title,
        "side": words.member("side", sheet.side, vocabulary) if sheet.side else "",
        "at": state.board.names[space] if space >= 0 else "",
        "facts": [option_lines.piece_words(state, piece), *note_and_relation_lines(state, piece)],
        "statuses": [{"name": name, "title": words.flag(sheet.kind, name, vocabulary),
                      "on": state.is_marked(f"{sheet.kind}.{name}", piece)} for name in statuses_of(state, piece)],
    }  # fmt: skip


def click_data(
    position: ShownPosition, piece: str, space: str, canceled: Callable[[], bool] = never_canceled
) -> dict[str, Any]:
    """Return the actions of a click; if there are none, why.

    `unfinished`: the search was canceled, and has to be repeated.
    """
    decision, game, playthrough = position.decision(), position.game, position.visible
    stopped = False

    def is_stopped() -> bool:
        nonlocal stopped
        stopped = stopped or canceled()
        return stopped

    if piece:
        found = ways_of_piece(game, playthrough, decision, piece_number(playthrough.state, piece), is_stopped)
    else:
        found = ways_of_space(game, playthrough, decision, space_number(playthrough.state, space))
    actions = [_option_data(action) for action in found.actions]
    unfinished = found.cut and stopped
    return {
        "ways": actions,
        "cut": "Not all choices could be tried; there may be more actions." if found.cut and not unfinished else "",
        "unfinished": unfinished,
        **({"blocks": []} if actions or unfinished else refusal_data(position, piece, space)),
    }


def differences_shown(position: ShownPosition, other_position: ShownPosition, piece: str) -> dict[str, Any]:
    """Return the sentences of the actions that a piece has in only one of two positions."""
    if not (isinstance(position.current_decision, Decision) and isinstance(other_position.current_decision, Decision)):
        raise UsageError("the game is over under one of the two sets of rules")
    if (position.side, position.visible.state.phase) != (other_position.side, other_position.visible.state.phase):
        phases = (
            (_side(each), words.readable_name(each.visible.state.phase).removesuffix(" phase"))
            for each in (position, other_position)
        )
        phase_texts = [f"{side} chooses in the {phase} phase" for side, phase in phases]
        return {
            "only_here": [],
            "only_there": [],
            "apart": f"Under these rules {phase_texts[0]}, under the others {phase_texts[1]}.",
        }
    sentences, other_sentences = (sentences_of(each, piece) for each in (position, other_position))
    only_here = [sentence for sentence in sentences if sentence not in other_sentences]
    only_there = [sentence for sentence in other_sentences if sentence not in sentences]
    return {"only_here": only_here, "only_there": only_there, "apart": ""}


def _side(position: ShownPosition) -> str:
    """Return the noun phrase of the side of a decision."""
    return words.side(position.side, position.rules.vocabulary)


def sentences_of(position: ShownPosition, piece: str) -> list[str]:
    """Return a sentence for each action of a piece."""
    actions = click_data(position, piece, "")["ways"]
    return [
        ": ".join(
            filter(
                None,
                (
                    action["doing"],
                    action["space"] or action["piece"] or action["choice"],
                    action["note"] or action["odds"],
                ),
            )
        )
        for action in actions
    ]


def _option_data(act: ClickAction) -> dict[str, Any]:
    """Return an action as data."""
    text = words.sentence(act.action_text).rstrip(".") if act.action_text else ""
    odds = next((sheet.text for sheet in act.preview.sheets if sheet.text), "") if act.preview else ""
    return {"options": list(act.take), "doing": text, "space": act.space, "piece": act.piece, "choice": act.choice,
            "note": act.note, "tag": act.tag, "pauses": act.pauses, "odds": odds, "through": act.detour}  # fmt: skip


def sheet_shown(position: ShownPosition, options: Sequence[int]) -> dict[str, Any] | None:
    """Return the preview of choices as data; None if it has no account and throws no dice."""
    seen = preview_of(position.game, position.playthrough, options)
    if seen is None:
        return None
    blocks = preview_blocks(seen)
    if not blocks and seen.throws:
        blocks = [plain_block("Dice are thrown. These rules do not state the odds in advance.")]
    return {"blocks": blocks_data(blocks), "throws": seen.throws} if blocks else None
