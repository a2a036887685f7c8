"""Answers to plain words about a position: what a piece can do, or why not, and the questions that the words may mean.

In: a state, and words that name pieces and places of it: `why may T not enter B`. Out: the same lines as those of
`why` and `open` in a game, for the phase of the state or the one in which it is decided; and the questions of the rules
whose wording has words of the query and whose arguments are what it names, as expressions that `ask` accepts.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import stem
from rulewright.games import game_of
from rulewright.library.generated_code import delegating_interpreter
from rulewright.table.act_sequence_reader import ActSequenceReader, without_tied_pieces
from rulewright.table.action_reader import NO_ANSWER, ActionReading
from rulewright.table.actors import is_about_object, may_have_open_object
from rulewright.table.decision_state import offered_phases
from rulewright.table.fact_lines import fact_lines
from rulewright.table.fitting_questions import FittingQuestion, fitting_questions, object_sentences
from rulewright.table.lexicon import DIRECTIONS, PREPOSITIONS, has_role
from rulewright.table.named_actions import BY_VERB, action_stems, relation_stems, terms_asked
from rulewright.table.option_lines import piece_marks
from rulewright.table.place_agents import SupposedQuery, name_mover, suppose_agents
from rulewright.table.plain_query import PlainQuery
from rulewright.table.query_parser import parse_query
from rulewright.table.query_parts import split_acts
from rulewright.table.supposed_places import suppose_places
from rulewright.views.picture import clock_text, phase_title
from runtime.answer.value_text import unanswered_reason
from runtime.board.answer_errors import Unanswered
from runtime.graph import words
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.graph.english import predicate_text
from runtime.graph.movement import moves_a_whole_way
from runtime.graph.step_questions import step_parameters
from runtime.graph.steps import phases_of_sequence
from runtime.play.game import Game
from runtime.play.rule_faults import BrokenRules, budget_message
from runtime.state.position import State

# The forms of questions about what is allowed.
ALLOWING = {"condition", "verdict"}
# Words of a question about what one is obliged to do.
_OBLIGATION = re.compile(r"\b(?:must|has to|have to|need not)\b")
# The most names of pieces in a hint.
MOST_NAMES = 8
LEFT_OUT = "The phase is left out as things stand, and none of it is open. If it were played:"


class PlainAnswer(NamedTuple):
    """The phase and side that an answer assumes, with their titles; its lines, and questions of the rules.

    `words_left` are the words of the query of which no action and no question has any, `future` those about another
    time. `lines_first`: the query names a fact of a piece, or an action by as many words as a question, and the lines
    answer it before the questions. `remarks` are other sentences about it.
    """

    phase: str = ""
    side: str = ""
    moment: str = ""
    lines: tuple[str, ...] = ()
    questions: tuple[FittingQuestion, ...] = ()
    words_left: tuple[str, ...] = ()
    lines_first: bool = False
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()
    future: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def not_understood(self) -> list[str]:
        """Return sentences about what is not understood."""
        is_silent = not (self.lines or self.questions or self.words_left or self.unclear)
        sentences = {
            f"“{self.future}” is not foreseen: this is about the position as it is.": self.future,
            "What is asked about these names is not understood.": is_silent,
            f"No action and no question about these names answers “{' '.join(self.words_left)}”.": self.words_left,
        }
        return [
            *(
                f"“{words_for}” may be {_listed(names)}: name one." if names else f"No “{words_for}” is on the map."
                for words_for, names in self.unclear
            ),
            *(sentence for sentence, is_so in sentences.items() if is_so),
            *self.remarks,
        ]


def answer_plain_words(state: State, text: str, depth: int = 0) -> PlainAnswer | None:
    """Answer a single question (query_parts.py) about a position; None if it names no piece and no place of it.

    The answers of questions are explained to `depth` levels of questions behind them.
    """
    state, text, supposed = suppose_places(state, text)
    query = parse_query(state, text)
    if query.unclear:
        return PlainAnswer(unclear=query.unclear)
    with open_budget(SLOW):
        if query.names or query.agents:
            answer = _answer_query(state, text, depth)
            remarks = (*filter(None, [supposed]), *answer.remarks)
            return answer._replace(future=query.future, remarks=remarks)
        if query.asks_clock:
            return PlainAnswer(moment="In this position", lines=(*_clock_lines(state),))
        # Without a name it is answered only if a question about nothing else has all its words: *what is the weather*.
        found = fitting_questions(delegating_interpreter(state.graph), state, query, depth)
        known = tuple(each for each in found if query.topics <= each.matched and each.explanation)
        return PlainAnswer(questions=known, future=query.future) if known else None


class _Findings(NamedTuple):
    """What is found for a query: fitting questions, facts, and lines of acts with their reader, if there is play.

    `supposed` is a sentence about pieces that it supposes elsewhere.
    """

    query: PlainQuery
    questions: list[FittingQuestion]
    facts: tuple[str, ...]
    acts: tuple[str, ...]
    reader: ActSequenceReader | None
    supposed: str = ""


def _find_answers(state: State, text: str, depth: int) -> _Findings:
    """Return everything that may answer a query."""
    game, answers = game_of(state.graph), delegating_interpreter(state.graph)
    first, *later = split_acts(state, text, action_stems(game))
    query = without_tied_pieces(game, state, parse_query(state, first))
    if not later and (priced := name_mover(state, query)):
        if not priced.agents:
            return _Findings(query, [], (priced.sentence,), (), None)
        query = priced.query
    elif not later and (found := _find_by_roles(game, state, query, depth)):
        return found
    single = [] if later else [*_single_queries(state, query)]
    questions = [found for each in single for found in fitting_questions(answers, state, each, depth)]
    reader: ActSequenceReader | None = None
    facts, acts = tuple[str, ...](), tuple[str, ...]()
    try:
        reader = ActSequenceReader(game, state, query) if offered_phases(game) else None
        if reader and (other := _as_way(state, query, reader, questions)) != query:
            query, reader = other, ActSequenceReader(game, state, other)
        if (
            query.asks_state
            or query.asks_value
            or not reader
            or all(each.action.how < BY_VERB for each in reader.actions)
        ):
            facts = tuple(fact_lines(answers, reader.visible_state if reader else state, query))
        if reader and (query.asks_reach or not (facts or query.asks_state or query.asks_value)):
            complete = [each for each in questions if query.topics <= each.matched]
            has_answer = any(each.explanation for each in complete)
            lines = reader.lines(has_question=bool(complete), has_answer=has_answer)
            acts = (*lines, *reader.lines_after(later))
            at_target = query.mentions and query.mentions[0].preposition
            is_open = (reader.reached or any(each.why.open for each in reader.chosen)) and not at_target
            if query.may_be_imperative and not (later or is_open):
                # *Load G* tells nobody in particular to do it to G, where G itself may not load anything.
                as_object = ActSequenceReader(
                    game, state, query.without_places_of_target(state)._replace(is_passive=True)
                )
                others = (*as_object.lines(has_question=bool(complete), has_answer=has_answer),)
                if as_object.has_agent or at_target:
                    reader, acts = as_object, others
    except (Unanswered, BrokenRules, TooMuchWork) as problem:
        reason = budget_message() if isinstance(problem, TooMuchWork) else problem
        reason = unanswered_reason(state, problem) if isinstance(problem, Unanswered) else reason
        acts = (f"what is open is not known: {reason}",)
    return _Findings(query, questions, facts, acts, reader)


def _find_by_roles(game: Game, state: State, query: PlainQuery, depth: int) -> _Findings | None:
    """Return the questions about what somebody in a place does, or on what a piece acts, or who acts on it.

    None if the query does not ask that, names an action, or has no such question with an answer.
    """
    if query.verb_stem in action_stems(game) or query.has("harm", "distance"):
        return None
    supposed = suppose_agents(state, query)
    if not supposed:
        is_open = may_have_open_object(state, query)
        is_passive = query.may_be_passive or query.has_phrase("passive phrase")
        if not (is_open or (query.is_about_pieces and is_passive and is_about_object(query))):
            return None
        query = query._replace(has_open_object=is_open, is_passive=not is_open)
        supposed = SupposedQuery(state, query)
    answers = delegating_interpreter(state.graph)
    questions = [
        found
        for each in _single_queries(supposed.state, supposed.query)
        for found in fitting_questions(answers, supposed.state, each, depth)
    ]
    known = [each for each in questions if each.explanation and not _is_about_others(supposed, each)]
    sentences = [supposed.sentence] if supposed.sentence else []
    sentences += object_sentences(state, known) if supposed.query.has_open_object else []
    return _Findings(supposed.query, known, (), (), None, " ".join(sentences)) if known else None


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
    if (query.asks_halt and not (questions or reader.actions)) or (is_price and query.pieces and query.places):
        return query._replace(topics=frozenset())
    named = [each.action.name for each in reader.actions if each.action.how >= BY_VERB]
    moves = [*filter(reader.moves_pieces, named)]
    goes = all(has_role("motion", [each]) for each in query.topics)
    if query.has_open_agent or not (goes or (moves and moves == named)):
        return query
    other = query.with_goal_at(state)
    is_there = any(state.hex[each] in other.places for each in other.pieces)
    return other._replace(topics=frozenset()) if other.places != query.places and (goes or is_there) else other


def _answer_query(state: State, text: str, depth: int) -> PlainAnswer:
    """Answer a query that names something by its best reading: a fact, acts, or questions of the rules."""
    query, questions, facts, acts, reader, supposed = _find_answers(state, text, depth)
    chosen = reader.chosen if reader and acts else []
    topics = query.topics - DIRECTIONS
    most = max((len(topics & each.matched) for each in questions if each.explanation), default=0)
    is_other = not chosen and reader and reader.answered and most > len(topics & reader.answered)
    similar = frozenset[str]()
    if is_other or (chosen and not _are_better(query, chosen, questions)):
        if reader and chosen and not (is_other or query.asks_what_is or most):
            # The verb is of no action; others with words beside it are told apart from an answer, unless it goes there.
            similar = similar.union(*(each.action.stems for each in chosen))
            goes = query.places and query.destinations and any(each.action.name in reader.moving for each in chosen)
            acts, chosen = (acts, chosen) if goes else (tuple(reader.similar_action_lines()), [])
        else:
            acts, chosen = (), []
    stems_of_acts = [each.action.stems for each in chosen]
    answered = similar.union(reader.answered if reader and acts else (), *stems_of_acts)
    if reader and any(each.action.name in reader.moving for each in chosen):
        answered |= {each for each in query.topics if has_role("motion", [each])}  # *Go by train*.
    goes_whole_way = reader and any(moves_a_whole_way(state.graph, f"action:{each}") for each in reader.moving)
    if query.has("price") and acts and reader and (goes_whole_way or not reader.reached):
        # The line of such a way, or of a refusal, has no price.
        questions = [each for each in questions if each.explanation]
    elif query.asks_obligation and acts:
        questions = [each for each in questions if _OBLIGATION.search(_wording(state, each))]
    elif chosen and not facts:
        questions = _questions_behind(game_of(state.graph), state, query, questions, chosen)
    else:
        is_complete = (facts and not query.asks_capacity) or (acts and query.topics <= answered)
        questions = [] if is_complete else _about_verb(state, questions, query)
    by_name = max(map(len, stems_of_acts), default=0)
    answered |= query.name_stems.union(query.topics if facts else (), *(each.matched for each in questions))
    if (acts and query.destinations) or (questions and query.asks_state):
        answered |= DIRECTIONS  # *Drive off to D*.
    if reader and acts and query.destinations and reader.tells_later_acts:
        # *Load G and go to D*, or *drive to D*.
        answered |= {each for each in query.topics if has_role("motion", [each])}
        answered = answered.union(
            *(each.action.stems for each in reader.actions if reader.moves_pieces(each.action.name))
        )
    if any(each.explanation and step_parameters(state.graph, each.term) for each in questions):
        answered |= {each for each in query.topics if has_role("motion", [each]) or has_role("reach", [each])}
    remarks = [*filter(None, [supposed]), *_remarks(state, query, questions, facts + acts)]
    remarks += [f"The way through {each} is not taken into account." for each in query.passed_places]
    goals = reader.query.later_goals if reader and acts else ()
    remarks += [f"That it goes to {each} then is not taken into account." for each in goals]
    if query.asks_time and (questions or facts) and not acts:
        remarks.append("This is about the position as it is; when, or how long, is not answered.")
    moment = reader.moment if reader else None
    if moment and acts and moment.is_left_out:
        acts = LEFT_OUT, *(f"  {line}" for line in acts)
    topic_words = (each for each in query.words if stem(each) in query.topics and each not in PREPOSITIONS)
    return PlainAnswer(
        moment.phase if moment else "",
        moment.side if moment else "",
        words.sentence(moment.title(with_now=True) if moment and (acts or not facts) else "in this position").rstrip(
            "."
        ),
        facts + acts,
        tuple(questions),
        tuple(each for each in (*topic_words, *query.status_words) if stem(each) not in answered),
        bool(facts) or query.has("price") or 0 < by_name >= max((len(each.matched) for each in questions), default=0),
        query.unclear,
        remarks=tuple(remarks),
    )


def _clock_lines(state: State) -> Iterator[str]:
    """Yield the turn, the side on move and the phase, and all phases in their order."""
    yield f"Turn {clock_text(state)}."
    if order := [*phases_of_sequence(state.graph)]:
        yield f"The phases in the order of play: {words.list_text([phase_title(state, each) for each in order])}."


def _remarks(
    state: State, query: PlainQuery, questions: Sequence[FittingQuestion], lines: Sequence[str]
) -> Iterator[str]:
    """Yield how a named piece is, if its place stands for it in all questions: they do not take that into account.

    If nothing is answered, yield what may be asked about the first named piece.
    """
    if query.pieces and not (questions or lines):
        yield f"“What can {state.sheets[query.pieces[0]].name} do” lists what is open to it, and what is not."
    for name, piece in ((state.sheets[each].name, each) for each in query.pieces if state.hex[each] >= 0):
        marks, place = piece_marks(state, piece), state.board.names[state.hex[piece]]
        if marks and questions and all(place in each.arguments and name not in each.arguments for each in questions):
            clauses = [predicate_text("", mark).strip() for mark in marks]
            yield f"This is about {place}, where {name} is; {name} {words.list_text(clauses)}."


def _are_better(query: PlainQuery, chosen: Sequence[ActionReading], questions: Iterable[FittingQuestion]) -> bool:
    """Return whether actions answer better than questions: one has the verb of a query, and as many of its topics.

    What a piece does or has (*does it have a zone*) is no action with a word of that in its description.
    """
    topics = query.topics - DIRECTIONS
    has_verb = any(
        each.action.how >= BY_VERB or (query.verb_stem in ("", *each.action.stems) and not query.asks_what_is)
        for each in chosen
    )
    most = max((len(topics & each.matched) for each in questions), default=0)
    count = max(len(topics & each.action.stems) for each in chosen)
    # An action of which they are no verb, and that no rule refuses but takes other things, is no better than an
    # answered question.
    takes_them = (
        each.quality != NO_ANSWER or each.action.how >= BY_VERB or each.why.explained or not each.why.lines
        for each in chosen
    )
    answers = any(takes_them) or not any(each.explanation for each in questions)
    return has_verb and (count >= most if answers else count > most)


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


def _about_verb(state: State, questions: Sequence[FittingQuestion], query: PlainQuery) -> list[FittingQuestion]:
    """Return the questions whose wording has the first topic of a query; open ones if no other has it."""
    topics = [each for each in query.stems if each in query.topics]
    first = next((each for each in topics if each not in DIRECTIONS), "".join(topics[:1]))  # *Out of supply*.
    found = [each for each in questions if first in each.matched]
    conditions = [each for each in found if each.explanation and isinstance(each.explanation.value, bool)]
    if query.has_open_agent or query.has_open_object:
        found = (
            _holding(conditions) or conditions or [each for each in found if state.graph.terms[each.term].form == "set"]
        )
    elif query.asks_state:
        found = conditions or found
    return [each for each in found if each.explanation or each.unanswered] or found


def _wording(state: State, question: FittingQuestion) -> str:
    """Return the wording of a question and of its denial."""
    term = state.graph.terms[question.term]
    return f"{term.reads} {term.denied}"


def _holding(questions: Iterable[FittingQuestion]) -> list[FittingQuestion]:
    """Return the conditions and verdicts that hold."""
    return [each for each in questions if each.explanation and each.explanation.value is True]


def _questions_behind(
    game: Game, state: State, query: PlainQuery, questions: Sequence[FittingQuestion], chosen: Sequence[ActionReading]
) -> list[FittingQuestion]:
    """Return the answered questions that actions ask, without other forms of one that refuses: a march, a wade."""
    terms = {name for each in chosen for name in terms_asked(game, each.action.name)}
    if query.has("permission"):
        terms = {name for name in terms if state.graph.terms[name].form in ALLOWING}
    reasons = (reason.explanation for each in chosen for reason in each.why.reasons)
    refused = {(each.term, each.arguments) for each in reasons if each}
    # Whether one may carry another is asked beside how it comes to do so.
    if any({query.verb_stem} == each for act in chosen for each in relation_stems(game, act.action.name)):
        terms |= {each.term for each in questions if query.verb_stem in each.matched}
    questions = _holding(questions) if query.has_open_agent else questions
    most = max(len(each.action.stems & query.topics) for each in chosen)
    found = [each for each in questions if each.term in terms and (each.explanation or each.unanswered)]
    exact = [each for each in found if each.explanation and (each.term, each.explanation.arguments) in refused]
    refusing = {term for term, _ in refused}
    others = (each for each in found if each.term not in refusing and len(each.matched & query.topics) >= most)
    return [*exact, *others]


def names_text(state: State) -> str:
    """Return a sentence with names of pieces of a state, and a place, for a query that has none."""
    if not state.sheets:
        return "It has no pieces."
    pieces = _listed([sheet.name for sheet in state.sheets])
    return f"Its pieces are {pieces}; its places are named as on its map, such as {state.board.names[0]}."


def _listed(names: Sequence[str]) -> str:
    """Return names, but not too many."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"
