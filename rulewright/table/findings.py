"""What may answer plain words about a position: questions of the rules, facts, and lines about acts.

In: a state, and words that name pieces and places of it. Out: `Findings`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from compiler.rulebook.index.stems import stem
from rulewright.games import game_of
from rulewright.library.generated_code import delegating_interpreter
from rulewright.table.act_sequence_reader import ActSequenceReader, without_tied_pieces
from rulewright.table.actors import is_about_object, may_have_open_object
from rulewright.table.decision_state import offered_phases
from rulewright.table.fact_lines import fact_lines, hexside_lines
from rulewright.table.fitting_questions import FittingQuestion, fitting_questions, object_sentences
from rulewright.table.lexicon import WORDS, has_role
from rulewright.table.named_actions import BY_VERB, action_stems
from rulewright.table.place_agents import SupposedQuery, suppose_agents, suppose_mover
from rulewright.table.plain_query import PlainQuery
from rulewright.table.query_parser import parse_query
from rulewright.table.query_parts import split_acts
from runtime.answer.value_text import unanswered_reason
from runtime.board.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.play.game import Game
from runtime.play.rule_faults import BrokenRules, budget_message
from runtime.state.position import State


class Findings(NamedTuple):
    """What is found for a query: fitting questions, facts, and lines of acts with their reader, if there is play.

    `supposed` is a sentence about pieces that it supposes elsewhere.
    """

    query: PlainQuery
    questions: list[FittingQuestion]
    facts: tuple[str, ...]
    acts: tuple[str, ...]
    reader: ActSequenceReader | None
    supposed: str = ""


@dataclass(frozen=True)
class _AnswerSearch:
    """A query about a state in a game, the words of acts after it, and the levels of questions behind an answer."""

    game: Game
    state: State
    query: PlainQuery
    later: Sequence[str]
    depth: int

    def questions(self, queries: Iterable[PlainQuery], state: State | None = None) -> list[FittingQuestion]:
        """Return the questions that fit some queries about its state, or about another one."""
        answers, state = delegating_interpreter(self.state.graph), state or self.state
        return [found for each in queries for found in fitting_questions(answers, state, each, self.depth)]


def find_answers(state: State, text: str, depth: int) -> Findings:
    """Return what answers a query: what the first of the strategies finds that applies to it (STRATEGIES)."""
    game = game_of(state.graph)
    first, *later = split_acts(state, text, action_stems(game))
    query = without_tied_pieces(game, state, parse_query(state, first))
    search = _AnswerSearch(game, state, query, later, depth)
    return next((found for strategy in STRATEGIES if (found := strategy(search))), None) or _find_all(search)


def _find_price(search: _AnswerSearch) -> Findings | None:
    """Return what going to a place costs those in the one that is left; None if a query does not ask that."""
    priced = None if search.later else suppose_mover(search.state, search.query)
    if not priced:
        return None
    if not priced.agents:
        return Findings(search.query, [], (priced.sentence,), (), None)
    return _find_all(replace(search, query=priced.query))


def _find_hexside(search: _AnswerSearch) -> Findings | None:
    """Return what is between two places; None if a query does not ask for that alone."""
    lines = hexside_lines(search.state, search.query)
    return Findings(search.query, [], lines, (), None) if lines and not search.later else None


def _find_room(search: _AnswerSearch) -> Findings | None:
    """Return whether a piece has room where another one is, as *can G stack with E* asks; None for other queries."""
    query = search.query.with_room_beside(search.state)
    return _find_all(replace(search, query=query)) if query and not search.later else None


def _find_by_roles(search: _AnswerSearch) -> Findings | None:
    """Return the questions about what somebody in a place does, or on what a piece acts, or who acts on it.

    None if the query does not ask that, names an action, or has no such question with an answer.
    """
    state, query = search.state, search.query
    names_action = query.verb_stem in action_stems(search.game)
    # *A clear view* between two places clears nothing.
    may_cover_all = not query.pieces and len(query.topics) > 1
    if search.later or query.has("harm", "distance", "neighbor") or (names_action and not may_cover_all):
        return None
    supposed = suppose_agents(state, query)
    if not supposed:
        is_open = may_have_open_object(state, query)
        is_passive = query.may_be_passive or query.has_phrase("passive phrase")
        if not (is_open or (query.is_about_pieces and is_passive and is_about_object(query))):
            return None
        query = query._replace(has_open_object=is_open, is_passive=not is_open)
        supposed = SupposedQuery(state, query)
    questions = search.questions(_single_queries(supposed.state, supposed.query), supposed.state)
    known = [each for each in questions if each.explanation and not _is_about_others(supposed, each)]
    if names_action and not any(query.topics <= each.matched for each in known):
        return None
    sentences = [supposed.sentence] if supposed.sentence else []
    sentences += object_sentences(state, known) if supposed.query.has_open_object else []
    return Findings(supposed.query, known, (), (), None, " ".join(sentences)) if known else None


def _find_all(search: _AnswerSearch) -> Findings:
    """Return the questions, the facts and the acts that fit a query, and what follows the acts."""
    game, state, query = search.game, search.state, search.query
    queries = [] if search.later else _single_queries(state, query)
    questions = search.questions(_by_limit(state, query) if query.asks_capacity else queries)
    reader: ActSequenceReader | None = None
    facts, acts = tuple[str, ...](), tuple[str, ...]()
    try:
        reader = ActSequenceReader(game, state, query) if offered_phases(game) else None
        if reader and (other := _as_way(state, query, reader, questions)) != query:
            query, reader = other, ActSequenceReader(game, state, other)
        asks_fact = query.asks_state or query.asks_capacity or query.asks_value
        if asks_fact or not reader or all(each.action.how < BY_VERB for each in reader.actions):
            answers = delegating_interpreter(state.graph)
            facts = tuple(fact_lines(answers, reader.visible_state if reader else state, query))
        if reader and (query.asks_reach or not (facts or query.asks_state or query.asks_value)):
            reader, acts = _acts(search, query, reader, questions)
    except (Unanswered, BrokenRules, TooMuchWork) as problem:
        reason = budget_message() if isinstance(problem, TooMuchWork) else problem
        reason = unanswered_reason(state, problem) if isinstance(problem, Unanswered) else reason
        acts = (f"what is open is not known: {reason}",)
    return Findings(query, questions, facts, acts, reader)


# The strategies, in the order in which they are tried, before everything that fits.
STRATEGIES: Sequence[Callable[[_AnswerSearch], Findings | None]] = (
    _find_price,
    _find_hexside,
    _find_room,
    _find_by_roles,
)


def _acts(
    search: _AnswerSearch, query: PlainQuery, reader: ActSequenceReader, questions: Sequence[FittingQuestion]
) -> tuple[ActSequenceReader, tuple[str, ...]]:
    """Return the lines about the acts of a query with their reader, that of a query without who acts if it has none."""
    complete = [each for each in questions if query.topics <= each.matched]
    known = {"has_question": bool(complete), "has_answer": any(each.explanation for each in complete)}
    lines = (*reader.lines(**known), *reader.lines_after(search.later))
    at_target = query.mentions and query.mentions[0].preposition
    is_open = (reader.reached or any(each.why.open for each in reader.chosen)) and not at_target
    if query.may_be_imperative and not (search.later or is_open):
        # *Load G* tells nobody in particular to do it to G, where G itself may not load anything.
        passive = query.without_places_of_target(search.state)._replace(is_passive=True)
        as_object = ActSequenceReader(search.game, search.state, passive)
        others = (*as_object.lines(**known),)
        if as_object.has_agent or at_target:
            return as_object, others
    return reader, lines


def _is_about_others(supposed: SupposedQuery, question: FittingQuestion) -> bool:
    """Return whether a question is not about the pieces in the place that a query is about."""
    names = {supposed.state.sheets[each].name for each in supposed.agents}
    return bool(names) and names.isdisjoint(question.arguments)


def _as_way(
    state: State, query: PlainQuery, reader: ActSequenceReader, questions: Sequence[FittingQuestion]
) -> PlainQuery:
    """Return a query about a way to a place: *stop in B*, or *drive to T* where T is; else the query itself."""
    roles = ("price", "beside price", "motion", "entry")
    moving = {stem for each in reader.actions if reader.moves_pieces(each.action.name) for stem in each.action.stems}
    others = {each for each in query.topics - moving if not any(has_role(role, [each]) for role in roles)}
    is_price = query.has("price") and not others
    is_way = bool(query.pieces and query.places)
    enters = is_way and query.topics and all(has_role("entry", [each]) for each in query.topics)
    if ((query.asks_halt or enters) and not (questions or reader.actions)) or (is_price and is_way):
        return query._replace(topics=frozenset())
    named = [each.action.name for each in reader.actions if each.action.how >= BY_VERB]
    moves = [*filter(reader.moves_pieces, named)]
    goes = all(has_role("motion", [each]) for each in query.topics)
    if query.has_open_agent or not (goes or (moves and moves == named)):
        return query
    other = query.with_goal_at(state)
    is_there = any(state.hex[each] in other.places for each in other.pieces)
    return other._replace(topics=frozenset()) if other.places != query.places and (goes or is_there) else other


def _single_queries(state: State, query: PlainQuery) -> Iterator[PlainQuery]:
    """Yield a query for each binding of names that are meant together, or the query itself."""
    pieces = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    for binding in query.bindings if len(query.bindings) > 1 and not query.has_open_agent else ():
        places = tuple(state.board.index[each] for each in binding if each not in pieces)
        mentions = tuple(each._replace(names=(name,)) for each, name in zip(query.mentions, binding, strict=True))
        named = tuple(pieces[each] for each in binding if each in pieces)
        yield query._replace(mentions=mentions, pieces=named, places=places)
    if len(query.bindings) == 1 or query.has_open_agent:
        yield query


def _by_limit(state: State, query: PlainQuery) -> Iterator[PlainQuery]:
    """Yield a query about how many fit in a place for each word for that, with a named piece and without."""
    alone = query._replace(
        mentions=tuple(each for each in query.mentions if each.names[0] in state.board.index), pieces=()
    )
    for word, each in product(sorted(WORDS["fullness"]), [query, alone] if query.pieces else [query]):
        yield each._replace(topics=frozenset({stem(word)}), words=(word,), agents=())
