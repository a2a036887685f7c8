"""Answers to plain words about a position: what a piece can do, or why not, and the questions that the words may mean.

In: a state, and words that name pieces and places of it: `why may T not enter B`. Out: the same lines as those of
`why` and `open` in a game, for the phase of the state or the one in which it is decided; and the questions of the rules
whose wording has words of the query and whose arguments are what it names, as expressions that `ask` accepts.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import stem, stems
from rulewright.games import game_of
from rulewright.library.generated_code import delegating_interpreter
from rulewright.table.action_reader import NO_ANSWER, ActionReading
from rulewright.table.findings import Findings, find_answers
from rulewright.table.fitting_questions import FittingQuestion, fitting_questions
from rulewright.table.lexicon import DIRECTIONS, PREPOSITIONS, has_phrase, has_role
from rulewright.table.named_actions import BY_VERB, terms_asked
from rulewright.table.option_lines import piece_marks
from rulewright.table.plain_query import PlainQuery
from rulewright.table.query_parser import parse_query
from rulewright.table.roles import action_roles
from rulewright.table.supposed_places import suppose_places
from rulewright.views.picture import clock_text, phase_title
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import SLOW, open_budget
from runtime.graph.english import predicate_text
from runtime.graph.movement import moves_a_whole_way
from runtime.graph.step_questions import step_parameters
from runtime.graph.steps import phases_of_sequence
from runtime.graph.templates import without_slots
from runtime.play.game import Game
from runtime.state.position import State

# The forms of questions about what is allowed.
ALLOWING = {"condition", "verdict"}
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


def _answer_query(state: State, text: str, depth: int) -> PlainAnswer:
    """Answer a query that names something by its best reading: a fact, acts, or questions of the rules."""
    query, questions, facts, acts, reader, supposed = find_answers(state, text, depth)
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
    found = Findings(query, questions, facts, acts, reader)
    questions = _choose_questions(
        state, found, chosen, is_complete=bool(facts) or (bool(acts) and query.topics <= answered)
    )
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


def _choose_questions(
    state: State, found: Findings, chosen: Sequence[ActionReading], *, is_complete: bool
) -> list[FittingQuestion]:
    """Return the questions that are told beside facts and acts; none if these are complete.

    The line of a way that is refused, or that has no steps, tells no price.
    """
    query, questions, facts, acts, reader, _ = found
    answered = [each for each in questions if each.explanation]
    if query.asks_capacity:
        return answered
    if query.has("price") and acts and reader:
        goes_whole_way = any(moves_a_whole_way(state.graph, f"action:{each}") for each in reader.moving)
        if goes_whole_way or not reader.reached:
            return answered
    if query.asks_obligation and acts:
        return [each for each in questions if _is_about_duty(state, each)]
    if chosen and not facts:
        return _questions_behind(game_of(state.graph), state, query, questions, chosen)
    if not is_complete:
        return _about_verb(state, questions, query)
    return _about_value(state, questions, query) if facts else []


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


def _about_verb(state: State, questions: Sequence[FittingQuestion], query: PlainQuery) -> list[FittingQuestion]:
    """Return the questions whose wording has the first topic of a query; open ones if no other has it."""
    topics = [each for each in query.stems if each in query.topics]
    first = next((each for each in topics if each not in DIRECTIONS), "".join(topics[:1]))  # *Out of supply*.
    found = [each for each in questions if first in each.matched]
    conditions = [each for each in found if each.explanation and isinstance(each.explanation.value, bool)]
    if query.has_open_agent or query.has_open_object:
        found = (
            _holding(state, query, conditions)
            or conditions
            or [each for each in found if state.graph.terms[each.term].form == "set"]
        )
    elif query.asks_state:
        found = conditions or found
    return [each for each in found if each.explanation or each.unanswered] or found


def _about_value(state: State, questions: Iterable[FittingQuestion], query: PlainQuery) -> list[FittingQuestion]:
    """Return the questions that answer *the defense of T* by a number: beside what is printed, what it is by rules."""
    found = (each for each in questions if each.explanation and query.asks_value and query.topics <= each.matched)
    return [each for each in found if isinstance(state.graph.terms[each.term].type, graph.Number)]


def _is_about_duty(state: State, question: FittingQuestion) -> bool:
    """Return whether the wording of a question, or of its denial, says that one must do something."""
    term = state.graph.terms[question.term]
    return any(has_phrase(role, f"{term.reads} {term.denied}") for role in ("obligation", "obligation phrase"))


def _holding(state: State, query: PlainQuery, questions: Iterable[FittingQuestion]) -> list[FittingQuestion]:
    """Return the conditions and verdicts that hold, or do not if the words of the query are those of the denial.

    *Who is cut off* is answered by those of which *is in supply* is not so.
    """

    def is_wanted(question: FittingQuestion) -> bool:
        term = state.graph.terms[question.term]
        of_denial = {*stems(without_slots(term.denied))} - {*stems(without_slots(term.reads))}
        value = question.explanation.value if question.explanation else None
        return value is query.topics.isdisjoint(of_denial)

    return [each for each in questions if is_wanted(each)]


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
    relations = (each for act in chosen for each in action_roles(state.graph)[act.action.name].relation_stems)
    if frozenset({query.verb_stem}) in relations:
        terms |= {each.term for each in questions if query.verb_stem in each.matched}
    questions = _holding(state, query, questions) if query.has_open_agent else questions
    most = max(len(each.action.stems & query.topics) for each in chosen)
    found = [each for each in questions if each.term in terms and (each.explanation or each.unanswered)]
    if any(each.why.open for each in chosen):
        # What refuses it is about other things than the open action.
        found = [each for each in found if not each.explanation or each.explanation.value is not False]
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
