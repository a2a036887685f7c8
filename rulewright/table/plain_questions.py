"""Answers to plain words about a position: what a piece can do, or why not, and the questions that the words may mean.

In: a state, and words that name pieces and places of it: `why may T not enter B`. Out: the same lines as those of
`why` and `open` in a game, for the phase of the state or the likeliest one; and the questions of the rules whose
wording has words of the query and whose arguments are what it names, as expressions that `ask` accepts.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice, permutations, product
from typing import Any, NamedTuple, cast

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from rulewright.games import game_of
from rulewright.option_views import with_accounts
from rulewright.questions import explain_question, missing_requirements
from rulewright.table.decision_state import (
    DecisionState,
    actions_by_phase,
    enter_phase,
    likeliest_decision,
    offered_phases,
)
from rulewright.table.open_option_lines import open_option_lines, reach_lines
from rulewright.table.option_lines import option_text
from rulewright.table.piece_details import detail_lines
from rulewright.table.refusal_lines import WhyNot, explain_refusals
from rulewright.views.picture import phase_title
from runtime.answer.answer import Unanswered
from runtime.answer.explain import Explanation
from runtime.answer.explanation_text import as_json
from runtime.answer.value_text import unanswered_reason
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.play.game import Game
from runtime.play.piece_options import BUDGET, Limits, open_to
from runtime.play.rule_faults import BrokenRules, budget_message
from runtime.play.word_binding import values_named, worded_members
from runtime.players.player import as_seen
from runtime.state.position import State
from runtime.state.record import Value

# The most questions of the rules that are listed.
QUESTIONS = 5
# The most calls of one question.
CALLS = 12
# The most names of pieces in a hint.
MOST_NAMES = 8
# The most named pieces and places that are tried as arguments in every order.
ARGUMENTS = 4
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


# An argument of a question as it is written, and its value; None if it is open.
Argument = tuple[str, Value]


class PlainQuery(NamedTuple):
    """What a query names: pieces and places of a state, in the order of the query; its other words, and their stems."""

    pieces: tuple[int, ...]
    places: tuple[int, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]


class FittingQuestion(NamedTuple):
    """A call of a question, and its explanation; None if an argument is open, or why it is `unanswered`."""

    call: str
    explanation: Explanation | None = None
    unanswered: str = ""


class PlainAnswer(NamedTuple):
    """The phase and side that an answer assumes, with their titles; its lines, and questions of the rules.

    `left_out` are the words of the query of which no action and no question has any.
    """

    phase: str
    side: str
    moment: str
    lines: tuple[str, ...]
    questions: tuple[FittingQuestion, ...]
    left_out: tuple[str, ...]
    names_action: bool = False


def parse_query(state: State, text: str) -> PlainQuery:
    """Find the pieces and places that a query names.

    Case counts in stop words and single letters: *a* is an article, *A* may be a hex.
    """
    pieces: list[int] = []
    places: list[int] = []
    names: list[str] = []
    rest: list[str] = []
    exact = {*state.board.index, *(sheet.name for sheet in state.sheets)}
    for word in (each.strip("?!.,;:\"'`“”").removesuffix("'s").removesuffix("’s") for each in text.split()):
        is_name = word in exact or (len(word) > 1 and word.lower() not in STOP_WORDS)
        named_pieces = cast("list[int]", values_named(state, graph.Piece(()), word) if is_name else [])
        named_places = cast("list[int]", values_named(state, graph.Hex(), word) if is_name else [])
        if len(named_pieces) == 1:
            pieces += named_pieces
            names.append(state.sheets[named_pieces[0]].name)
        elif named_places and not named_pieces:
            places += named_places[:1]
            names.append(state.board.names[named_places[0]])
        else:
            rest.append(word)
    other_words = tuple(dict.fromkeys(token for token in split_tokens(" ".join(rest)) if token not in STOP_WORDS))
    return PlainQuery(
        tuple(dict.fromkeys(pieces)), tuple(dict.fromkeys(places)), tuple(dict.fromkeys(names)),
        other_words, tuple(dict.fromkeys(map(stem, other_words))),
    )  # fmt: skip


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
    questions = tuple(fitting_questions(state, query, depth))
    game = game_of(state.graph)
    if not offered_phases(game):
        return PlainAnswer("", "", "", (), questions, () if questions else query.words)
    actions: list[str] = []
    phase = side = moment = ""
    try:
        phase, side = _assumed_decision(game, state, query)
        actions = _named_actions(game, phase, query)
        entered = enter_phase(game, state.copy(), phase, side)
        moment = f"{words.member('side', side, state.graph.vocabulary)}, {phase_title(entered.playthrough.state)}"
        lines = tuple(_lines_of_play(game, entered, query, actions, is_only_answer=not (questions or query.stems)))
    except Unanswered as unanswered:
        lines = (f"what is open is not known: {unanswered_reason(state, unanswered)}",)
    except BrokenRules as broken:
        lines = (f"what is open is not known: {broken}",)
    except TooMuchWork:
        lines = (f"what is open is not known: {budget_message()}",)
    title = words.sentence(moment or "in this position").rstrip(".")
    is_understood = bool(questions or (actions and lines))
    return PlainAnswer(phase, side, title, lines, questions, () if is_understood else query.words, bool(actions))


def _lines_of_play(
    game: Game, entered: DecisionState, query: PlainQuery, actions: Sequence[str], *, is_only_answer: bool
) -> Iterator[str]:
    """Yield what is open to the named things with the named `actions`, or the rules that refuse it.

    Two pieces without an action or a place could mean any action of one of them at the other, and an explanation may
    have no rule, as that a place is no candidate. Both are left out unless the query has only names.
    """
    playthrough, side = entered.playthrough, entered.decision.side
    if is_only_answer and len(query.names) == len(query.places) == 1:
        yield from detail_lines(as_seen(game, playthrough, side).state, query.names[0])
        return
    if len(query.names) == len(query.pieces) == 1 and not actions:
        seen = as_seen(game, playthrough, side)
        found = open_to(with_accounts(game), seen, entered.decision, query.pieces[0], Limits(BUDGET))
        yield from open_option_lines(game, playthrough.state, found, side)
        return
    for action in actions:
        refused = explain_refusals(game, playthrough, [action, *query.names], side)
        if _is_informative(refused):
            yield from refused.lines
            return
    if not query.places and not actions and not is_only_answer:
        return
    is_open = len(entered.decision.options) > 1
    if is_open and (lines := list(reach_lines(game, playthrough, side, query.names))):
        yield from lines
        return
    refused = explain_refusals(game, playthrough, query.names, side)
    if is_only_answer or _is_informative(refused):
        yield from refused.lines


def _is_informative(found: WhyNot) -> bool:
    """Return whether an action is open, or a question of the rules refuses."""
    return bool(found.open) or any(each.explanation for each in found.reasons)


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


def _named_actions(game: Game, phase: str, query: PlainQuery) -> list[str]:
    """Return the actions offered in a phase whose name or description has a word of the query."""
    return [name for name, _ in actions_by_phase(game)[phase] if _action_stems(game, name).intersection(query.stems)]


def _action_stems(game: Game, action: str) -> frozenset[str]:
    """Return the stems of the name and the description of an action."""
    procedure = game.programs.entries[f"action:{action}"].procedure
    return frozenset(stems(f"{action.replace('_', ' ')} {option_text(procedure)}"))


def fitting_questions(state: State, query: PlainQuery, depth: int = 0) -> Iterator[FittingQuestion]:
    """Yield the questions with most words of the query that take the named things as arguments.

    An argument that the query does not name is any member of its enumeration, if there is only one question and its
    calls are few; otherwise it is the name of its parameter in braces.
    """
    found = []
    for term in state.graph.terms.values():
        if term.form == "flag" or "." in term.name or not term.reads:
            continue
        matched = len(set(query.stems).intersection(stems(f"{term.name.replace('_', ' ')} {term.reads}")))
        if matched and (arguments := _arguments(state, term, query)):
            found.append((-matched, len(term.parameters), term.name, arguments))
    found.sort(key=lambda each: each[:3])
    best = [each for each in found if each[0] == found[0][0]][:QUESTIONS]
    for *_, name, arguments in best:
        calls = list(islice(product(*arguments), CALLS + 1))
        is_open = any(value is None for each in arguments for _, value in each)
        if is_open or len(calls) > (CALLS if len(best) == 1 else 1):
            parameters = zip(arguments, state.graph.terms[name].parameters, strict=True)
            written = [given[0][0] if len(given) == 1 else f"{{{each.name}}}" for given, each in parameters]
            yield FittingQuestion(f"{name}({', '.join(written)})")
        else:
            yield from (_answered(state, name, call, depth) for call in calls)


def _answered(state: State, term: str, arguments: Sequence[Argument], depth: int) -> FittingQuestion:
    """Answer one call of a question, unless the position lacks a required fact that it reads."""
    call = f"{term}({', '.join(text for text, _ in arguments)})"
    try:
        if missing := next(missing_requirements(state, graph.Ask(term, ())), None):
            track, demand = missing
            reason = f"`{track.name}` is required, and the position has none: {demand.why}"
            return FittingQuestion(call, unanswered=reason)
        return FittingQuestion(call, explain_question(state, term, tuple(value for _, value in arguments), depth))
    except Unanswered as unanswered:
        return FittingQuestion(call, unanswered=unanswered_reason(state, unanswered))
    except TooMuchWork:
        return FittingQuestion(call, unanswered=budget_message())


def _arguments(state: State, term: graph.Term, query: PlainQuery) -> list[tuple[Argument, ...]]:
    """Return the possible arguments for each parameter of a question, with all named things; [] if they do not fit.

    Where a question has one place more than the query, it is that of the first piece.
    """
    places = list(query.places)
    own_place = [state.hex[each] for each in query.pieces[:1] if state.hex[each] >= 0]
    for ordered in permutations(query.pieces[:ARGUMENTS]):
        for spaces in (own_place + places, places) if places else (places,):
            left, rest = list(ordered), list(spaces)
            arguments: list[tuple[Argument, ...]] = []
            for each in term.parameters:
                if isinstance(each.type, graph.Piece) and left and each.type.admits(state.sheets[left[0]].kind):
                    arguments.append(((_written(state.sheets[left[0]].name), left.pop(0)),))
                elif isinstance(each.type, graph.Hex) and rest:
                    arguments.append(((_written(state.board.names[rest[0]]), rest.pop(0)),))
                else:
                    members = _members(state, each.type, query)
                    arguments.append(tuple((name, name) for name in members) or ((f"{{{each.name}}}", None),))
            if not left and not rest:
                return arguments
    return []


def questions_data(state: State, questions: Sequence[FittingQuestion]) -> list[dict[str, Any]]:
    """Return questions as data: a call with the keys of an explained answer, or `unanswered`, or none of them.

    Successive calls of one question with equal answers are one entry: `same_with` has the other arguments of each.
    """
    entries = [
        {"call": each.call, "same_with": [], **({"unanswered": each.unanswered} if each.unanswered else {}),
         **(as_json(state, each.explanation) if each.explanation else {})}
        for each in questions
    ]  # fmt: skip
    found = []
    for _, group in groupby(entries, key=lambda each: (_term(each["call"]), each.get("value"), each.get("because"))):
        first, *others = group
        found.append({**first, "same_with": [_different_arguments(first["call"], each["call"]) for each in others]})
    return found


def _term(call: str) -> str:
    """Return the name of the question in a call."""
    return call.partition("(")[0]


def _different_arguments(call: str, other: str) -> str:
    """Return the arguments of the second call that differ from those of the first."""
    pairs = zip(*(text.partition("(")[2].rstrip(")").split(", ") for text in (call, other)), strict=True)
    return ", ".join(argument for first, argument in pairs if argument != first)


def _members(state: State, type_: graph.Type, query: PlainQuery) -> tuple[str, ...]:
    """Return the members of an enumeration that a query names, otherwise all; () for another type."""
    members = worded_members(state, type_.name) if isinstance(type_, graph.Enum) else []
    found = [name for name, wording in members if not {*stems(f"{name} {wording}")}.isdisjoint(query.stems)]
    return tuple(found or (name for name, _ in members))


def _written(name: str) -> str:
    """Return a name as the language writes it."""
    return name if IDENTIFIER.fullmatch(name) else f"'{name}'"
