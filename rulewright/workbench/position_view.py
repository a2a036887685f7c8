"""The view of a position as data for JSON: names and sentences, without identifiers of rules files.

Input: a position as its reader may know it. Output: dictionaries, from which the page builds its markup as text.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rulewright.errors import UsageError
from rulewright.option_views import counterfactuals_data, option_from_data
from rulewright.table import option_lines, preview_lines
from rulewright.table.decision_state import offered_phases
from rulewright.table.option_lines import action_phrase
from rulewright.table.piece_details import look_at_hex, relation_lines
from rulewright.table.precedents import position_features, question_features
from rulewright.table.preview_lines import ALL, bracketed_sources
from rulewright.table.printed_rules import Ground, Grounds
from rulewright.table.refusal_lines import explain_refusals, underlying_explanations
from rulewright.table.related_rules import related_rules, situation_words
from rulewright.table.unreachable_places import ReachedPlace, partial_route
from rulewright.views.victory_conditions import victory_text
from rulewright.workbench.click_actions import ClickAction, ending_options, first_choices, ways_of_piece, ways_of_space
from rulewright.workbench.game_log import gather_lines
from rulewright.workbench.highlights import refusal_highlights
from rulewright.workbench.positions import Position, edges, piece_number, sides, space_number, statuses, terrains
from rulewright.workbench.sessions import GameSession
from rulewright.workbench.situations import rules_title
from rulewright.workbench.titles import piece_titles
from runtime.answer.explain import Explanation
from runtime.answer.value_text import value_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import walk
from runtime.play.choices import END, PICK, TAKE, Decision
from runtime.play.game import FinishedGame
from runtime.play.option_trials import no_cancel
from runtime.play.permission import explain_permission
from runtime.play.playthrough import Playthrough
from runtime.play.previews import Preview, chance_text
from runtime.state.position import GONE, State


def position_data(position: Position) -> dict[str, Any]:
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
        "phases": list_phases(position, state),
        "sides": [{"name": each, "title": words.member("side", each, state.graph.vocabulary),
                   "now": each == state.player}
                  for each in sides(state) if each in {*state.side, state.player}],
        "side": position.side,
        "side_title": words.member("side", position.side, state.graph.vocabulary) if position.side else "",
        "live": position.live,
        "yours": bool(session and position.live and position.side in session.humans),
        "changes": list(position.changes),
        "over": ending_text(position.now, state.graph),
        "aims": list(victory_text(position.rules)),
        "pieces": [piece_shown(state, piece, title) for piece, title in enumerate(piece_titles(state))
                   if state.hex[piece] != GONE],
        "spaces": [{"name": name, "title": words.readable_name(name), "facts": [*look_at_hex(state, at)]}
                   for at, name in enumerate(state.board.names)],
        "terrains": [{"name": name, "title": words.flag("hex", name, state.graph.vocabulary)}
                     for name in terrains(state)],
        "edges": [{"name": name, "title": words.flag("hexside", name, state.graph.vocabulary)}
                  for name in edges(state)],
        **decision_data(position),
        **(game_shown(session, position.reader) if session else {"game": "", "version": "", "log": [], "undo": ""}),
    }  # fmt: skip


def game_shown(session: GameSession, reader: str) -> dict[str, Any]:
    """Return the game of a position as data."""
    vocabulary = session.rules.vocabulary
    now = session.ask()
    side = now.side if isinstance(now, Decision) else ""
    names = [sheet.name for sheet in session.playthrough.state.sheets]
    return {
        "game": session.name,
        "version": session.version,
        "moment": session.playthrough.choices,
        "others": bool(side and side not in session.humans),
        "undo": session.undo_refusal(side) if side in session.humans else "it is not your choice",
        "log": [{"at": each.at, "side": words.member("side", each.side, vocabulary) if each.side else "",
                 "turn": each.turn, "lines": gather_lines(each.lines, names)}
                for each in session.log(reader) if each.lines],
    }  # fmt: skip


def list_phases(position: Position, state: State) -> list[dict[str, Any]]:
    """Return the phases of the sequence of play in order; `offers` if the Table can show the offers of one."""
    rules = position.rules
    sequence, offered = rules.procedures.get("sequence"), offered_phases(position.game)
    found = {node.name: node.title for node in walk(sequence) if isinstance(node, graph.Phase)} if sequence else {}
    return [{"name": name, "title": title or words.readable_name(name), "now": name == state.phase,
             "offers": name in offered} for name, title in found.items()]  # fmt: skip


def ending_text(now: Decision | FinishedGame, rules: graph.Graph) -> str:
    """Return how a game ended; "" if it is not over."""
    if isinstance(now, Decision):
        return ""
    winner = words.member("side", now.winner, rules.vocabulary) if now.winner else ""
    return f"The game is over: {winner} won." if winner else "The game is over: nobody won."


def decision_data(position: Position) -> dict[str, Any]:
    """Return a decision as data: a prompt, the highlights on the map, and buttons for other options."""
    now = position.now
    if isinstance(now, FinishedGame):
        return {"prompt": "", "lit": {"pieces": [], "spaces": [], "picks": {}}, "buttons": []}
    first = first_choices(position.game, position.visible, now)
    return {
        "prompt": prompt_text(position, now, first.pieces, first.spaces),
        "lit": {"pieces": list(first.pieces), "spaces": list(first.spaces), "picks": first.picks},
        "buttons": [*list_buttons(position, now)],
    }


def prompt_text(position: Position, now: Decision, pieces: Sequence[str], spaces: Sequence[str]) -> str:
    """Return a sentence that states what to click."""
    doing = words.sentence(option_lines.question_text(position.game, position.visible, now).partition(":")[0])
    if option_lines.is_between_actions(position.game, position.visible):
        doing = ""
    what = "a lit counter" if pieces else ""
    what += " or " if pieces and spaces else ""
    what += "a lit place" if spaces else ""
    if not what:
        return f"{doing} Choose below.".strip()
    others = " The other choices stand below." if any(each.what == TAKE for each in now.options) else ""
    return f"{doing} Click {what} to see what it can do.{others}".strip() if now.member is None else (
        f"{doing} Click {what}.".strip()
    )  # fmt: skip


def list_buttons(position: Position, now: Decision) -> Iterator[dict[str, Any]]:
    """Yield buttons for the options that are neither pieces nor places: the end, actions, and other values."""
    state, final = position.visible.state, ending_options(now)
    growing = any(option.what == PICK for option in now.options)
    for index, option in enumerate(now.options):
        if index in final:
            phase = words.readable_name(state.phase)
            end = f"End the {phase} phase" if len(position.playthrough.calls) == 1 and phase else "Done"
            yield {"label": "That is all" if growing else end if option.what == END else "Done", "options": [index],
                   "kind": "end"}  # fmt: skip
        elif option.what == TAKE:
            yield {"label": action_label(position, option.name, option.value), "options": [index], "kind": "action"}
        elif not isinstance(now.member, graph.Piece | graph.Hex) and now.member is not None:
            label = words.sentence(value_text(state, option.value, now.member)).rstrip(".")
            yield {"label": label, "options": [index], "kind": "choice"}


def action_label(position: Position, name: str, values: Sequence[Any]) -> str:
    """Return the label of an action: its description, with its arguments."""
    procedure = position.game.programs.of[f"action:{name}"].procedure
    label = words.sentence(option_lines.option_text(procedure)).rstrip(".")
    given = [
        value_text(position.visible.state, value, p.type)
        for p, value in zip(procedure.parameters, values or (), strict=True)
    ]
    return f"{label} ({', '.join(given)})" if given else label


def piece_shown(state: State, piece: int, title: str) -> dict[str, Any]:
    """Return a piece as data."""
    drawn = state.sheets[piece]
    vocabulary = state.graph.vocabulary
    here = state.hex[piece]
    return {
        "name": drawn.name,
        "title": title,
        "side": words.member("side", drawn.side, vocabulary) if drawn.side else "",
        "at": state.board.names[here] if here >= 0 else "",
        "facts": [option_lines.piece_words(state, piece), *relation_lines(state, piece)],
        "statuses": [{"name": name, "title": words.flag(drawn.kind, name, vocabulary),
                      "on": state.is_marked(f"{drawn.kind}.{name}", piece)} for name in statuses(state, piece)],
    }  # fmt: skip


def click_data(position: Position, piece: str, space: str, canceled: Callable[[], bool] = no_cancel) -> dict[str, Any]:
    """Return the actions of a click; if there are none, why.

    `unfinished`: the search was canceled, and has to be repeated.
    """
    now, game, playthrough = position.decision(), position.game, position.visible
    stopped = False

    def stop() -> bool:
        nonlocal stopped
        stopped = stopped or canceled()
        return stopped

    if piece:
        found = ways_of_piece(game, playthrough, now, piece_number(playthrough.state, piece), stop)
    else:
        found = ways_of_space(game, playthrough, now, space_number(playthrough.state, space))
    ways = [option_data(each) for each in found.actions]
    unfinished = found.cut and stopped
    return {
        "ways": ways,
        "cut": "not all choices could be tried; there may be more" if found.cut and not unfinished else "",
        "unfinished": unfinished,
        **({"why": [], "reasons": [], "published": []} if ways or unfinished else refusal_data(position, piece, space)),
    }


def refusal_data(position: Position, piece: str, space: str) -> dict[str, Any]:
    """Return why a piece or a place has no action.

    If no printed rule is a reason, the refusals of the adjacent places are preferred, as they are more informative.
    """
    found = refusal_reasons(position, [piece or space])
    state = position.visible.state
    here = state.hex[piece_number(state, piece)] if piece else -1
    if is_grounded(found) or here < 0:
        return found
    beside = (refusal_reasons(position, [piece, state.board.names[each]]) for each in state.board.beside[here])
    return next((each for each in beside if is_grounded(each)), found)


def is_grounded(found: dict[str, Any]) -> bool:
    """Return whether a reason has printed rules."""
    return any(each["because"] for each in found["reasons"])


def differences_shown(here: Position, there: Position, piece: str) -> dict[str, Any]:
    """Return the sentences of the actions that a piece has in only one of two positions."""
    if not (isinstance(here.now, Decision) and isinstance(there.now, Decision)):
        raise UsageError("in one of the two the game is over")
    if (here.side, here.visible.state.phase) != (there.side, there.visible.state.phase):
        phases = ((_side(each), words.readable_name(each.visible.state.phase)) for each in (here, there))
        said = [f"{side} chooses in the {phase} phase" for side, phase in phases]
        return {"only_here": [], "only_there": [], "apart": f"Here {said[0]}, there {said[1]}."}
    one, other = (sentences_of(each, piece) for each in (here, there))
    return {"only_here": [each for each in one if each not in other],
            "only_there": [each for each in other if each not in one], "apart": ""}  # fmt: skip


def _side(position: Position) -> str:
    """Return the title of the side of a decision."""
    return words.member("side", position.side, position.rules.vocabulary)


def sentences_of(position: Position, piece: str) -> list[str]:
    """Return a sentence for each action of a piece."""
    told = click_data(position, piece, "")["ways"]
    return [
        ": ".join(
            filter(None, (way["doing"], way["space"] or way["piece"] or way["choice"], way["note"] or way["odds"]))
        )
        for way in told
    ]


def option_data(way: ClickAction) -> dict[str, Any]:
    """Return an action as data."""
    doing = words.sentence(way.doing).rstrip(".") if way.doing else ""
    odds = next((each.text for each in way.preview.sheets if each.text), "") if way.preview else ""
    return {"options": list(way.take), "doing": doing, "space": way.space, "piece": way.piece, "choice": way.choice,
            "note": way.note, "tag": way.tag, "pauses": way.pauses, "odds": odds, "through": way.through}  # fmt: skip


def refusal_reasons(
    position: Position, names: Sequence[str], playthrough: Playthrough | None = None, *, closed: bool = False
) -> dict[str, Any]:
    """Return why something is not open: `why` has sentences with rules, `reasons` each reason with its rules.

    `lights` are the highlights of the first refusal. `playthrough` is a later state of the position, if specified. With
    `closed`, another option is open, and only complete refusals are reported.
    """
    playthrough = playthrough or position.playthrough
    found = explain_refusals(position.game, playthrough, names, position.side, closed=closed)
    explained = underlying_explanations(position.game, playthrough, found, position.side)
    grounds, left, told = Grounds(position.rules), iter(explained), dict[str, Ground]()
    reasons = []
    for each in found.reasons:
        own = grounds.printed_rules(next(left)) if each.explanation else ()
        # Rules reported for one action are not repeated for the next.
        reasons.append({"said": each.sentence, "because": grounds_data([one for one in own if one.label not in told])})
        told |= {one.label: one for one in own}
    similar = related_paragraphs(position, names, found.actions, explained)
    return {"why": list(found.lines), "reasons": reasons, "published": published_shown(grounds, explained, similar),
            "similar": grounds_data(grounds.similar_rules(similar, told)),
            "lights": refusal_highlights(position, found.refusals[:1])}  # fmt: skip


def related_paragraphs(
    position: Position, names: Sequence[str], actions: Sequence[str], explained: Sequence[Explanation]
) -> list[tuple[str, str]]:
    """Return the rules and rulings that concern a question: its actions, pieces and places."""
    state = position.visible.state
    pieces = [at for name in names for at, sheet in enumerate(state.sheets) if sheet.name == name]
    named = [state.board.index[name] for name in names if name in state.board.index]
    places = [*(state.hex[piece] for piece in pieces if state.hex[piece] >= 0), *named]
    doing = ". ".join(action_phrase(position.game, action) for action in actions)
    features = (*position_features(state, pieces, places), *question_features(position.rules, actions, explained))
    return related_rules(position.rules, situation_words(state, doing, pieces, places), features)


def out_of_reach(position: Position, piece: str, place: str, ways: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the nearest place that a piece reaches, and what refuses the next step; None if unknown."""
    state = position.visible.state
    other = next((number for number, sheet in enumerate(state.sheets) if sheet.name == place), None)
    goal = state.board.index.get(place, -1) if other is None else state.hex[other]
    # Values that JSON cannot represent are encoded as indices, which are only valid at the original decision.
    reached = [
        ReachedPlace(state.board.index[way["space"]], way["tag"],
                     tuple(map(option_from_data, way["options"])))
        for way in ways
        if way["space"] and not way["piece"] and not way["through"]
        and all(isinstance(each, list) for each in way["options"])
    ]  # fmt: skip
    number = piece_number(state, piece)
    near = partial_route(position.game, position.visible, position.side, number, goal, reached) if goal >= 0 else None
    if near is None:
        return None
    left = f", with {near.left} left" if near.left else ""
    said = f"{words.sentence(piece).rstrip('.')} gets as far as {near.place}{left}."
    if near.playthrough is None:
        told = f"{said} The other side may act on the way, so what keeps it from going on is not foreseen."
        return {"why": [told], "reasons": [{"said": told, "because": []}], "published": [], "lights": None}
    # In a continued move, the piece is already chosen.
    going_on = len(near.playthrough.calls) > len(position.playthrough.calls)
    found = refusal_reasons(position, [near.onward] if going_on else [piece, near.onward], near.playthrough)
    return {**found, "why": [said, *found["why"]], "reasons": [{"said": said, "because": []}, *found["reasons"]]}


def permission_shown(position: Position, options: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    """Return why something is open: the printed rules that allow it, those that could have forbidden it, and rulings.

    `names` are those of the piece and of its target.
    """
    procedure, found = explain_permission(position.game, position.visible, options)
    similar = related_paragraphs(position, names, [procedure.name] if procedure else [], found)
    grounds = Grounds(position.rules)
    own = {each.label: each for explanation in found for each in grounds.printed_rules(explanation)}
    near, far = grounds.obstacles(found)
    return {
        "because": grounds_data(own.values()),
        "near": grounds_data([each for each in near if each.label not in own]),
        "far": grounds_data(far),
        "published": published_shown(grounds, found, similar),
        "similar": grounds_data(grounds.similar_rules(similar, {*own, *(each.label for each in (*near, *far))})),
    }


def grounds_data(found: Iterable[Ground]) -> list[dict[str, Any]]:
    """Return printed rules as data."""
    return [{"prose": each.prose, "values": each.values, "cites": bracketed_sources(each.cites, ALL).strip()}
            for each in found]  # fmt: skip


def published_shown(
    grounds: Grounds, found: Sequence[Explanation], similar: Sequence[tuple[str, str]]
) -> list[dict[str, Any]]:
    """Return the rulings about the rules behind some answers as data; `decides` if it concerns an evaluated rule."""
    return [{"asks": each.asks, "answers": each.answers, "decides": each.decides,
             "cites": bracketed_sources(each.cites, ALL).strip()}
            for each in grounds.published_answers(found, similar)]  # fmt: skip


def counterfactuals_shown(position: Position, names: Sequence[str]) -> dict[str, Any]:
    """Return the counterfactuals of a refusal as sentences, with the number of changes that were tried."""
    found = counterfactuals_data(position.game, position.playthrough, names, position.side)
    told = [
        f"{words.sentence(each['does']).rstrip('.')}: it would be allowed if {words.list_text(changes)}."
        for each in found["refused"]
        for changes in each["changes"]
    ]
    return {"allowed_if": list(dict.fromkeys(told)), "looked_at": found["looked_at"],
            "cut": any(each["cut"] for each in found["refused"])}  # fmt: skip


def sheet_shown(position: Position, options: Sequence[int]) -> dict[str, Any] | None:
    """Return the preview of choices as data; None if there is none."""
    seen = preview_lines.preview_of(position.game, position.playthrough, options)
    return None if seen is None else preview_shown(seen)


def preview_shown(seen: Preview) -> dict[str, Any]:
    """Return a preview as data: sentences, the rules behind their figures, and the chance of each result."""
    parts = [
        {
            "text": f"{each.text}{bracketed_sources(each.cites, ALL)}".strip(),
            "reasons": [{"figure": figure, "rules": rules} for figure, rules in preview_lines.reasons_in(each, ALL)],
            "chances": [{"result": result or "nothing is said of it", "chance": chance_text(chance),
                         "share": float(chance)} for result, chance in each.chances],
        }
        for each in seen.sheets
        if each.text or each.chances
    ]  # fmt: skip
    return {"parts": parts, "throws": seen.throws, "sampled": seen.sampled, "stopped": seen.stopped}
