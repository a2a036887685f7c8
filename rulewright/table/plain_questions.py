"""Answers to plain words about a position: what a piece can do, or why not, and the questions that the words may mean.

In: a state, and words that name pieces and places of it: `why may T not enter B`. Out: the same lines as those of
`why` and `open` in a game, for the phase of the state or the likeliest one; and the questions of the rules whose
wording has words of the query and whose arguments are what it names, as expressions that `ask` accepts.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import split_tokens, stem, stems
from rulewright.games import game_of
from rulewright.library.generated_code import quick_interpreter
from rulewright.option_views import with_accounts
from rulewright.table.decision_state import (
    DecisionState,
    actions_by_phase,
    enter_phase,
    likeliest_decision,
    offered_phases,
    with_inner_actions,
)
from rulewright.table.fact_lines import fact_lines
from rulewright.table.fitting_questions import FittingQuestion, fitting_questions
from rulewright.table.open_option_lines import forecast_lines, open_option_lines, open_route_lines, reach_lines
from rulewright.table.option_lines import option_text
from rulewright.table.piece_details import detail_lines
from rulewright.table.plain_query import PlainQuery, parse_query
from rulewright.table.refusal_lines import REASONS, WhyNot, explain_refusals
from rulewright.views.picture import phase_title
from runtime.answer.answer import Unanswered
from runtime.answer.value_text import unanswered_reason
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.graph.members import members_of
from runtime.graph.steps import nested_steps
from runtime.graph.templates import without_slots
from runtime.graph.type_of import SIDE
from runtime.play.game import Game
from runtime.play.piece_options import BUDGET, OpenToPiece, SearchLimits, open_to
from runtime.play.rule_faults import BrokenRules, budget_message
from runtime.players.player import as_seen
from runtime.state.position import State

# The most names of pieces in a hint.
MOST_NAMES = 8


class PlainAnswer(NamedTuple):
    """The phase and side that an answer assumes, with their titles; its lines, and questions of the rules.

    `left_out` are the words of the query of which no action and no question has any. `lines_first`: the query names an
    action or a fact of a piece, and the lines answer it before the questions.
    """

    phase: str
    side: str
    moment: str
    lines: tuple[str, ...]
    questions: tuple[FittingQuestion, ...]
    left_out: tuple[str, ...]
    lines_first: bool = False


def answer_plain_words(state: State, text: str, depth: int = 0) -> PlainAnswer | None:
    """Answer a query about a position; None if it names no piece and no place of it.

    The answers of questions are explained to `depth` levels of questions behind them.
    """
    query = parse_query(state, text)
    if not query.names:
        return None
    with open_budget(SLOW):
        return _answer_query(state, query, depth)


def _answer_query(state: State, query: PlainQuery, depth: int) -> PlainAnswer:
    """Answer a parsed query."""
    answers = quick_interpreter(state.graph)
    questions = tuple(fitting_questions(answers, state, query, depth))
    game = game_of(state.graph)
    actions: dict[str, int] = {}
    is_about_facts = False
    phase = side = moment = ""
    try:
        if offered_phases(game):
            phase, side = _assumed_decision(game, state, query)
            actions = _named_actions(game, phase, query)
            entered = enter_phase(game, state.copy(), phase, side)
            moment = f"{words.member('side', side, state.graph.vocabulary)}, {phase_title(entered.playthrough.state)}"
            seen = as_seen(game, entered.playthrough, entered.decision.side)
            lines = () if actions and not query.asks_state else tuple(fact_lines(answers, seen.state, query))
            is_about_facts = bool(lines)
            if not lines and not query.asks_state:
                lines = tuple(_lines_of_play(game, entered, query, actions, has_questions=bool(questions)))
        else:
            lines = tuple(fact_lines(answers, state, query))
            is_about_facts = bool(lines)
    except Unanswered as unanswered:
        lines = (f"what is open is not known: {unanswered_reason(state, unanswered)}",)
    except BrokenRules as broken:
        lines = (f"what is open is not known: {broken}",)
    except TooMuchWork:
        lines = (f"what is open is not known: {budget_message()}",)
    title = words.sentence(moment or "in this position").rstrip(".")
    is_understood = bool(questions or (lines and (actions or is_about_facts or query.question)))
    left_out = () if is_understood else tuple(word for word in query.words if stem(word) in query.topics)
    return PlainAnswer(phase, side, title, lines, questions, left_out, bool(actions) or is_about_facts)


def _lines_of_play(
    game: Game, entered: DecisionState, query: PlainQuery, actions: Mapping[str, int], *, has_questions: bool
) -> Iterator[str]:
    """Yield what is open to the named things with the named `actions`, or the rules that refuse it.

    Two pieces without an action or a place could mean any action of one of them at the other, a place without an action
    or a piece any action there, and an explanation may have no rule, as that a place is no candidate. All are left out
    unless the query has only names.
    """
    playthrough, side = entered.playthrough, entered.decision.side
    has_only_names = not (has_questions or query.stems)
    if has_only_names and len(query.names) == 1 and (query.places or query.question == "where"):
        yield from detail_lines(as_seen(game, playthrough, side).state, query.names[0])
        return
    is_about_options = not (query.topics and (has_questions or query.question))
    is_about_places = query.question == "where" and query.asks_permission
    if query.is_about_one_piece and (is_about_places or (not actions and is_about_options)):
        yield from open_option_lines(game, playthrough.state, _open_to_piece(game, entered, query), side)
        return
    explained = {
        action: explain_refusals(
            game,
            playthrough,
            [action, *_named_members(game, action, query), *_names_for(game, playthrough.state, action, query)],
            side,
        )
        for action in actions
    }
    informative = [action for action, why in explained.items() if _is_informative(why)]
    if informative:
        # Of the actions with most words of the query, an open one.
        best = min(informative, key=lambda action: (-actions[action], not explained[action].open))
        yield from _lines_of_action(game, entered, query, explained[best])
        return
    # Named actions that take all names, and are refused by something that is no question, as the edge of the map.
    if complete_refusals := [why for why in explained.values() if _takes_all(why, query)]:
        yield from _furthest_lines(complete_refusals)
        return
    is_about_place = query.places and query.pieces and not query.question
    is_open = len(entered.decision.options) > 1
    if is_open and is_about_place and (lines := list(reach_lines(game, playthrough, side, query.names))):
        yield from lines
    elif query.topics and not explained and not is_about_place:
        if query.question or not (has_questions or query.asks_permission):
            yield from _forecasts(game, entered, query, None)
    else:
        refused = explain_refusals(game, playthrough, query.names, side)
        # The actions with the words are refused, so an open one is another. Words of no action may mean to go there.
        is_refusal = _is_informative(refused) and not refused.open
        if not query.topics or (is_refusal and (explained or any(_moves(game, each) for each in refused.actions))):
            yield from refused.lines
        elif not (has_questions and query.question):
            yield from _furthest_lines([*explained.values()])


def _takes_all(why: WhyNot, query: PlainQuery) -> bool:
    """Return whether a refused action takes its name and all names of the query."""
    return any(each.bound_word_count > len(query.names) for each in why.refusals)


def _moves(game: Game, action: str) -> bool:
    """Return whether an action moves a piece."""
    steps = nested_steps(game.programs.entries[f"action:{action}"].procedure.body)
    return any(isinstance(step, graph.Move) for step in steps)


def _lines_of_action(game: Game, entered: DecisionState, query: PlainQuery, why: WhyNot) -> Iterator[str]:
    """Yield the lines of a named action: its refusal, or that it is open, with the chances of its results.

    Asked how far, where or what for one piece, an open action is answered by its places and choices.
    """
    if query.question in {"which", "who"} and query.ends_with_target:
        return  # What the named piece may do is no answer to who may act on it.
    if why.open and query.question and query.is_about_one_piece:
        found = _open_to_piece(game, entered, query)
        hexes = tuple(
            each for each in found.hexes if not {*why.open}.isdisjoint(option.name for option in each.options)
        )
        acts = tuple(each for each in found.acts if each.action in why.open)
        if hexes or acts:
            named_options = found._replace(hexes=hexes, acts=acts, refusals=())
            yield from open_option_lines(game, entered.playthrough.state, named_options, entered.decision.side)
            return
    side = entered.decision.side
    route = list(open_route_lines(game, entered.playthrough, side, query.names)) if why.open else []
    yield from route or why.lines
    if why.open:
        yield from _forecasts(game, entered, query, why.open)


def _open_to_piece(game: Game, entered: DecisionState, query: PlainQuery, *, refused: bool = True) -> OpenToPiece:
    """Return what is open to the first named piece, or against it, as far as the deciding side may know."""
    seen = as_seen(game, entered.playthrough, entered.decision.side)
    limits = SearchLimits(BUDGET)
    return open_to(with_accounts(game), seen, entered.decision, query.pieces[0], limits, refused=refused)


def _forecasts(game: Game, entered: DecisionState, query: PlainQuery, actions: Collection[str] | None) -> Iterator[str]:
    """Yield the possible results of these actions, or of all, of the first named piece with other named things.

    A piece is meant as well by acts at its place, a place by acts at a piece in it.
    """
    others = query.pieces[1:]
    if query.pieces and (others or query.places):
        found = _open_to_piece(game, entered, query, refused=False)
        state = as_seen(game, entered.playthrough, entered.decision.side).state
        hexes = query.places or tuple(state.hex[piece] for piece in others)
        pieces = others or tuple(piece for piece, place in enumerate(state.hex) if place in hexes)
        yield from forecast_lines(game, state, found, actions, (pieces, hexes))


def _is_informative(found: WhyNot) -> bool:
    """Return whether an action is open, or a question of the rules refuses."""
    return bool(found.open) or any(each.explanation for each in found.reasons)


def _furthest_lines(found: Sequence[WhyNot]) -> Iterator[str]:
    """Yield the lines of the explanations that match most of the words."""
    counts = [max((each.bound_word_count for each in why.refusals), default=0) for why in found]
    best = [why for why, count in zip(found, counts, strict=True) if count == max(counts, default=0)][:REASONS]
    yield from (line for why in best for line in why.lines)


def names_text(state: State) -> str:
    """Return a sentence with names of pieces of a state, and a place, for a query that has none."""
    pieces = [sheet.name for sheet in state.sheets][:MOST_NAMES]
    if not pieces:
        return "It has no pieces."
    more = f" and {len(state.sheets) - len(pieces)} more" if len(state.sheets) > len(pieces) else ""
    return (
        f"Its pieces are {', '.join(pieces)}{more}; its places are named as on its map, such as {state.board.names[0]}."
    )


def _assumed_decision(game: Game, state: State, query: PlainQuery) -> tuple[str, str]:
    """Return the phase and the side that a query is about.

    The side is that of the first named piece, otherwise that of the state. The phase is that of the state unless the
    query names actions of other phases only.
    """
    phase, side = likeliest_decision(game, state, ())
    phases = [each for each in offered_phases(game) if _named_actions(game, each, query)]
    if phases and phase not in phases:
        phase = phases[0]
    return phase, next((state.side[piece] for piece in query.pieces if state.side[piece]), side)


def _named_actions(game: Game, phase: str, query: PlainQuery) -> dict[str, int]:
    """Return the actions of a phase that have a topic of the query, with how many words of it, most first."""
    found = {name: _action_stems(game, name) for name in with_inner_actions(game, actions_by_phase(game)[phase])}
    counts = {name: len(each.intersection(query.stems)) for name, each in found.items() if each & query.topics}
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def _action_stems(game: Game, action: str) -> frozenset[str]:
    """Return the stems of the name, the description and the printed sentence of an action, without parameters.

    Those of the members that it lets choose are among them, as the works that an engineer begins.
    """
    procedure = game.programs.entries[f"action:{action}"].procedure
    sentence = without_slots(procedure.reads)
    members = " ".join(f"{name} {wording}" for each in _chosen_enums(game, action) for name, wording in each)
    return frozenset(stems(f"{action} {option_text(procedure)} {sentence} {members}".replace("_", " ")))


def _chosen_enums(game: Game, action: str) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield the members of each enumeration from which an action chooses, with their wordings; sides are none."""
    vocabulary = game.graph.vocabulary
    for member in game.programs.entries[f"action:{action}"].members:
        if isinstance(member, graph.Enum) and member != SIDE:
            yield [(each, words.member(member.name, each, vocabulary)) for each in members_of(vocabulary, member.name)]


def _names_for(game: Game, state: State, action: str, query: PlainQuery) -> list[str]:
    """Return the names that an action can take: a record that it chooses stands for the places in it.

    *Can R land on B* is about the landing of R, if that is booked for B.
    """
    places = set[int]()
    for member in game.programs.entries[f"action:{action}"].members:
        for record in state.records[member.name] if isinstance(member, graph.RecordOf) else ():
            types = {each.name: each.type for each in state.graph.vocabulary.records[record.type].fields}
            pieces = {value for name, value in record.fields.items() if isinstance(types[name], graph.Piece)}
            if pieces.intersection(query.pieces):
                places |= {value for name, value in record.fields.items() if isinstance(types[name], graph.Hex)}
    known = {state.board.names[place] for place in places}
    return [name for name in query.names if name not in known]


def _named_members(game: Game, action: str, query: PlainQuery) -> Iterator[str]:
    """Yield the member with most words of the query, of each enumeration from which an action chooses."""
    for members in _chosen_enums(game, action):
        member_stems = {
            name: {stem(token) for token in split_tokens(f"{name} {wording}".replace("_", " "))}
            for name, wording in members
        }
        counts = {name: len(each & query.all_stems) for name, each in member_stems.items() if each & query.topics}
        named = [name for name, count in counts.items() if count == max(counts.values())]
        if len(named) == 1:
            yield named[0]
