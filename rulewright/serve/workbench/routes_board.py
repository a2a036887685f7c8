"""Requests about positions and games, of the views Table, Play and Situations."""

import re
from html import escape, unescape
from math import inf
from time import monotonic
from typing import Any

from starlette.responses import Response

from rulewright.book.book_places import book_index, places_page
from rulewright.explain.finder.find import find_rows
from rulewright.explain.finder.mentions import MentionReader
from rulewright.explain.finder.question_rows import SideView
from rulewright.explain.option_views import option_from_data
from rulewright.explain.views.picture import position_svg
from rulewright.explain.why_not import without_movers
from rulewright.library import cache
from rulewright.serve.workbench import position_view as views
from rulewright.serve.workbench import refusal_view
from rulewright.serve.workbench.block_encoding import blocks_data
from rulewright.serve.workbench.changeable_layers import playable_stacks
from rulewright.serve.workbench.checked_values import check_options, whole_number
from rulewright.serve.workbench.example_text import example_text
from rulewright.serve.workbench.positions import ShownPosition, address_under, position_at
from rulewright.serve.workbench.readable_packages import excluded_folders
from rulewright.serve.workbench.requests import (
    RequestFields,
    RequestFunction,
    is_option_list,
    position_of,
    question_words,
    requested_options,
    text_field,
)
from rulewright.serve.workbench.sessions import MOST_WAYS, STRETCH, Sessions, cache_recent
from rulewright.serve.workbench.set_positions import position_file_text, save_position
from rulewright.serve.workbench.situations import broken_cards, list_situations
from rulewright.serve.workbench.titles import Titles
from rulewright.system.errors import UsageError
from runtime.state.visibility import secret_types

# The most characters of a question in plain words.
LONGEST_QUERY = 400
# The most places of the book below the rows of a question.
MOST_PLACES = 3
# The number of names in a request about a piece and a place.
PAIR = 2
TITLE = re.compile(r"<title>([^<]*)</title>")


def _with_titles(position: ShownPosition, answer: Any) -> Any:
    """Replace the names of pieces and places in an answer by their titles."""
    return Titles(position.visible.state).read_all(answer)


def position_view(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a position as data."""
    position = position_of(sessions, payload)
    return _with_titles(position, views.position_data(position))


def _position_picture(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the picture of a position."""
    state = position_of(sessions, payload).visible.state
    titles = Titles(state)
    svg = TITLE.sub(lambda found: f"<title>{escape(titles.read(unescape(found[1])))}</title>", position_svg(state))
    return Response(svg, media_type="image/svg+xml")


def click_actions(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the actions of a click, cached while the position is unchanged.

    `within` is a limit in milliseconds, after which the result so far is returned as `unfinished`. `ahead`: a prefetch
    before a click, which yields to other requests.
    """
    start_time = monotonic()
    position = position_of(sessions, payload)
    piece, space = text_field(payload, "piece"), text_field(payload, "space")
    key = _click(position, piece, space)
    found = sessions.clicks.get(key)
    if found is None:
        within = whole_number(text_field(payload, "within"))
        until = inf if within is None else start_time + within / 1000

        def is_canceled() -> bool:
            return monotonic() > until or (bool(text_field(payload, "ahead")) and sessions.waiting > 0)

        found = _with_titles(position, views.click_data(position, piece, space, is_canceled))
    return found if found["unfinished"] else cache_recent(sessions.clicks, key, found, MOST_WAYS)


def explain_closed(sessions: Sessions, payload: RequestFields) -> Any:
    """Return why something is not open; with `closed`, another option is open, and only full refusals are reported."""
    position = position_of(sessions, payload)
    decision = position.decision()
    words = question_words(payload)
    closed = bool(text_field(payload, "closed"))
    found = refusal_view.refusal_reasons(
        position, without_movers(position.game, position.playthrough, decision, words), closed=closed
    )
    pieces = {sheet.name for sheet in position.visible.state.sheets}
    if not closed and len(words) == PAIR and words[0] in pieces and not found["explained"]:
        # For a place several steps away, the cached actions of the piece contain the places that it reaches.
        known = sessions.clicks.get(_click(position, words[0], ""))
        if known and (nearer := refusal_view.unreachable_place(position, words[0], words[1], known["ways"])):
            found = nearer
        elif against := refusal_view.refusal_of_occupants(position, words[0], words[1]):
            found = against
    return _with_titles(position, found)


def _answer_words(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the questions that words about a position may mean; *it* is the `piece`, meant if they name no other."""
    position = position_of(sessions, payload)
    state, words, piece = position.visible.state, text_field(payload, "words"), text_field(payload, "piece")
    if len(words) > LONGEST_QUERY:
        raise UsageError(f"a question has {len(words):,} characters; {LONGEST_QUERY} at most are answered")
    text = Titles(state).write(words)
    if piece:
        text = re.sub(r"\b[Ii]t\b", piece, text)
        text = (
            text if any(mention.pieces for mention in MentionReader(state).read(text).mentions) else f"{piece} {text}"
        )
    found = find_rows(state, text, SideView(position.viewing_side, tuple(secret_types(position.rules))))
    places = places_page(position.stack, book_index(position.stack), words.rstrip("?"))
    notes = []
    if not found.rows:
        notes.append("No question of the rules has these words about counters and places of the map.")
    if position.game.choices.secret:
        notes.append("It is answered by what you may know: what is secret to you is left out.")
    answer = {
        "rows": [{**row.data, "blocks": blocks_data(row.blocks)} for row in found.rows],
        "places": [each for each in places["places"][:MOST_PLACES] if each["number"]] if places else [],
        "note": " ".join(notes),
    }
    return _with_titles(position, answer)


def _click(position: ShownPosition, piece: str, space: str) -> tuple[object, ...]:
    """Return the key of a click at a moment of a game."""
    moment = position.session.version if position.session and position.is_live else ""
    return position.address, moment, position.changes, piece, space, position.rules.hash


def _refusal_counterfactuals(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the counterfactuals of something that is not open."""
    position = position_of(sessions, payload)
    position.decision()
    words = question_words(payload)
    return _with_titles(position, refusal_view.counterfactuals_shown(position, words))


def _option_differences(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the actions that a piece has only here, or only under other rules in the same position."""
    position = position_of(sessions, payload)
    other_position = position_at(sessions, address_under(position, text_field(payload, "rules")), position.changes)
    return _with_titles(position, views.differences_shown(position, other_position, text_field(payload, "piece")))


def _choice_preview(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the preview of choices before dice are thrown."""
    position = position_of(sessions, payload)
    position.decision()
    options = requested_options(payload, position.game, position.playthrough)
    check_options(position.game, position.playthrough, options)
    # A question about permission requires the reasons; play requires only the chances.
    permission = refusal_view.permission_shown(position, options) if text_field(payload, "why") else {}
    return _with_titles(position, {"sheet": views.sheet_shown(position, options), **permission})


def _game_version(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the version of a game, by which a window checks whether it is up to date."""
    return {"version": sessions.find(text_field(payload, "game")).version}


def _situation_list(sessions: Sessions, _: RequestFields) -> Any:
    """Return the situations that can be played, and the games that can be resumed."""
    unusable = cache.unusable_reason()
    return {
        **list_situations(sessions.packages_in_reach, () if unusable else sessions.stored_games()),
        "left_out": excluded_folders(sessions.available_packages),
        "broken_cards": broken_cards(sessions.packages_in_reach),
        "unusable": unusable,
    }


def _playable_games(sessions: Sessions, _: RequestFields) -> Any:
    """Return the games with their options."""
    return {"games": playable_stacks(sessions.packages_in_reach)}


def begin_game(sessions: Sessions, payload: RequestFields) -> Any:
    """Start a game."""
    players, seed = text_field(payload, "players"), text_field(payload, "seed") or "1"
    session = sessions.begin(text_field(payload, "card"), text_field(payload, "rules") or None, players, seed)
    return {"game": session.name}


def _apply_choices(sessions: Sessions, payload: RequestFields) -> Any:
    """Apply choices in a game."""
    session = sessions.find(text_field(payload, "game"))
    session.expect_version(text_field(payload, "version"))
    session.ask()
    session.take(text_field(payload, "version"), requested_options(payload, session.game, session.playthrough))
    return {"version": session.version}


def _undo_click(sessions: Sessions, payload: RequestFields) -> Any:
    """Undo the last click."""
    session = sessions.find(text_field(payload, "game"))
    session.undo(text_field(payload, "version"))
    return {"version": session.version}


def finish_phase(sessions: Sessions, payload: RequestFields) -> Any:
    """Finish a phase as the greedy player; with `part` for a limited time, and `more` if the "next" part is needed."""
    session, part = sessions.find(text_field(payload, "game")), text_field(payload, "part")
    seconds = STRETCH if part else inf
    more = session.finish_phase(text_field(payload, "version"), seconds, going_on=part == "next")
    return {"version": session.version, "more": more}


def _advance_others(sessions: Sessions, payload: RequestFields) -> Any:
    """Run the other players for a limited time; `thinks` if a slow one is choosing."""
    session = sessions.find(text_field(payload, "game"))
    if thinks := session.player_thinks():
        more = session.let_think(sessions.jobs, sessions.packages_in_reach)
    else:
        more = session.let_others_play()
    return {"version": session.version, "more": more, "thinks": thinks}


def _stop_player(sessions: Sessions, payload: RequestFields) -> Any:
    """Stop a slow player."""
    session = sessions.find(text_field(payload, "game"))
    session.stop_thinking()
    return {"version": session.version}


def _example_of_position(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a position, with the last question about it, as the text of an example."""
    position = position_of(sessions, payload)
    position.decision()
    options = payload.get("options")
    if not is_option_list(options):
        options = []  # Options that JSON cannot represent are indices, which are meaningless in a text.
    chosen_options = [option_from_data(option) for option in options]
    text, left_out = example_text(position, chosen_options, question_words(payload))
    hint = "Add it to a .rules file of your package; `rulewright test` runs it."
    return {"text": text, "left_out": list(left_out), "here": hint}


def position_text(sessions: Sessions, payload: RequestFields) -> Any:
    """Return a position as the text of a position file."""
    position = position_of(sessions, payload)
    text, left_out = position_file_text(position.visible.state, "from_the_table")
    return {"text": text, "left_out": list(left_out)}


def position_save(sessions: Sessions, payload: RequestFields) -> Any:
    """Save a position file, and return its address, and sentences about pairs that end at once."""
    name, text = text_field(payload, "name"), text_field(payload, "text")
    address, ended = save_position(name, text, sessions.packages_in_reach)
    return {"address": address, "ended": ended}


READ: dict[str, RequestFunction] = {
    "position_text": position_text, "example_text": _example_of_position, "view": position_view,
    "picture": _position_picture, "ways": click_actions, "why": explain_closed, "sheet": _choice_preview,
    "asked": _answer_words, "differences": _option_differences, "counterfactuals": _refusal_counterfactuals,
    "version": _game_version, "cards": _situation_list, "stacks": _playable_games,
}  # fmt: skip
WRITE: dict[str, RequestFunction] = {
    "position_save": position_save,
    "begin": begin_game,
    "take": _apply_choices,
    "undo": _undo_click,
    "finish": finish_phase,
    "others": _advance_others,
    "pause": _stop_player,
}
