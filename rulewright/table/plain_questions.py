"""Answers to plain words about a position: what a piece can do, or why not, and the questions that the words may mean.

In: a state, and words that name pieces and places of it: `why may T not enter B`. Out: the same lines as those of
`why` and `open` in a game, for the phase of the state or the one in which it is decided; and the questions of the rules
whose wording has words of the query and whose arguments are what it names, as expressions that `ask` accepts.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import stem
from rulewright.games import game_of
from rulewright.library.generated_code import quick_interpreter
from rulewright.table.decision_state import offered_phases
from rulewright.table.fact_lines import fact_lines
from rulewright.table.fitting_questions import FittingQuestion, fitting_questions
from rulewright.table.named_actions import BY_VERB, action_stems, terms_asked
from rulewright.table.plain_query import DIRECTIONS, PREPOSITIONS, PlainQuery, parse_query, split_acts
from rulewright.table.play_reader import PlayReader
from runtime.answer.answer import Unanswered
from runtime.answer.explain import Explanation
from runtime.answer.value_text import unanswered_reason
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.play.rule_faults import BrokenRules, budget_message
from runtime.state.position import State
from runtime.state.record import Value

# The forms of questions about what is allowed.
ALLOWING = {"condition", "verdict"}
# The most names of pieces in a hint.
MOST_NAMES = 8


class PlainAnswer(NamedTuple):
    """The phase and side that an answer assumes, with their titles; its lines, and questions of the rules.

    `left_out` are the words of the query of which no action and no question has any. `lines_first`: the query names a
    fact of a piece, or an action by as many words as a question, and the lines answer it before the questions.
    """

    phase: str
    side: str
    moment: str
    lines: tuple[str, ...]
    questions: tuple[FittingQuestion, ...]
    left_out: tuple[str, ...]
    lines_first: bool = False
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def notes(self) -> list[str]:
        """Return sentences about what is not understood."""
        left_out, is_silent = (
            " ".join(self.left_out),
            not (self.lines or self.questions or self.left_out or self.unclear),
        )
        return [
            *(
                f"“{words_for}” may be {_listed(names)}: name one." if names else f"No “{words_for}” is on the map."
                for words_for, names in self.unclear
            ),
            *(["What is asked about these names is not understood."] if is_silent else []),
            *([f"No action and no question about these names answers “{left_out}”."] if left_out else []),
        ]


def answer_plain_words(state: State, text: str, depth: int = 0) -> PlainAnswer | None:
    """Answer a query about a position; None if it names no piece and no place of it.

    The answers of questions are explained to `depth` levels of questions behind them.
    """
    query = parse_query(state, text)
    if query.unclear or not query.names:
        return PlainAnswer("", "", "", (), (), (), unclear=query.unclear) if query.unclear else None
    with open_budget(SLOW):
        return _answer_query(state, text, depth)


def _answer_query(state: State, text: str, depth: int) -> PlainAnswer:
    """Answer a query that names something."""
    game = game_of(state.graph)
    first, *later = split_acts(state, text, action_stems(game))
    query = parse_query(state, first)
    answers = quick_interpreter(state.graph)
    single = [] if later else [*_single_queries(state, query)]
    questions = [found for each in single for found in fitting_questions(answers, state, each, depth)]
    reader: PlayReader | None = None
    lines: tuple[str, ...] = ()
    is_about_facts = False
    try:
        reader = PlayReader(game, state, query) if offered_phases(game) else None
        if query.asks_state or reader is None or not any(each.action.how >= BY_VERB for each in reader.actions):
            lines = tuple(fact_lines(answers, reader.visible_state if reader else state, query))
            is_about_facts = bool(lines)
        if reader and not lines and not query.asks_state:
            has_question = any(query.topics <= each.matched for each in questions)
            lines = tuple(reader.lines(has_question=has_question))
            lines += tuple(reader.outcome_lines())
            for each in later:
                lines += tuple(reader.lines_after_act(each))
    except Unanswered as unanswered:
        lines = (f"what is open is not known: {unanswered_reason(state, unanswered)}",)
    except BrokenRules as broken:
        lines = (f"what is open is not known: {broken}",)
    except TooMuchWork:
        lines = (f"what is open is not known: {budget_message()}",)
    chosen = reader.chosen_actions if reader and lines else []
    topics = query.topics - DIRECTIONS
    action_coverage = max((len(topics & each.stems) for each in chosen), default=0)
    question_coverage = max((len(topics & each.matched) for each in questions), default=0)
    verb = next((stem(word) for word in query.words if stem(word) in query.topics - query.name_stems), "")
    is_other_act = verb and all(each.how < BY_VERB and verb not in each.stems for each in chosen)
    if chosen and (question_coverage > action_coverage or is_other_act):
        # What all words are about answers better than an action that has some of them, and not the first one.
        lines, chosen = (), []
    if is_about_facts or (lines and not chosen and reader and query.topics <= reader.read_stems):
        questions = []
    elif chosen:
        terms = {name for each in chosen for name in terms_asked(game, each.name)}
        terms -= {name for name in terms if query.asks_permission and state.graph.terms[name].form not in ALLOWING}
        questions = _without_other_forms(state, questions, terms, reader.explained if reader else ())
    else:
        questions = _relevant(state, questions, query)
    understood = set[str]().union(*(each.matched for each in questions), reader.read_stems if reader and lines else ())
    known = query.topics if is_about_facts else query.name_stems | understood
    left_out = tuple(each for each in query.words if stem(each) in query.topics - known and each not in PREPOSITIONS)
    moment = reader.moment if reader else None
    named = max((len(each.stems) for each in chosen), default=0)
    lines_first = is_about_facts or 0 < named >= max((len(each.matched) for each in questions), default=0)
    title = words.sentence(moment.title(with_now=True) if moment else "in this position").rstrip(".")
    return PlainAnswer(
        moment.phase if moment else "",
        moment.side if moment else "",
        title,
        lines,
        tuple(questions),
        left_out,
        lines_first,
        unclear=query.unclear,
    )


def _single_queries(state: State, query: PlainQuery) -> Iterator[PlainQuery]:
    """Yield a query for each case of pieces that are meant together, or the query itself."""
    if len(query.cases) == 1 or query.lacks_agent:
        yield query
        return
    pieces = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    for case in query.cases:
        places = tuple(state.board.index[each] for each in case if each not in pieces)
        yield query._replace(names=case, pieces=tuple(pieces[each] for each in case if each in pieces), places=places)


def _relevant(state: State, questions: Sequence[FittingQuestion], query: PlainQuery) -> list[FittingQuestion]:
    """Return the questions whose wording has the first topic of a query; open ones if no other has it."""
    first = next((stem(word) for word in query.words if stem(word) in query.topics), "")
    about_verb = [each for each in questions if first in each.matched]
    if query.lacks_agent:
        about_verb = [each for each in about_verb if state.graph.terms[each.term].form == "set"]
    elif query.asks_state:
        conditions = [each for each in about_verb if each.explanation and isinstance(each.explanation.value, bool)]
        about_verb = conditions or about_verb
    return [each for each in about_verb if each.explanation or each.unanswered] or about_verb


def _without_other_forms(
    state: State, questions: Sequence[FittingQuestion], terms: Collection[str], explained: Sequence[Explanation]
) -> list[FittingQuestion]:
    """Return the answers to these questions, without the other forms of one that the lines explain: a march, a wade."""

    def named(each: Explanation) -> tuple[str, tuple[Value, ...]]:
        parameters = state.graph.terms[each.term].parameters
        pairs = zip(parameters, each.arguments, strict=True)
        return each.term, tuple(value for parameter, value in pairs if not isinstance(parameter.type, graph.Enum))

    refused = {(each.term, each.arguments) for each in explained}
    explanations = [each.explanation for each in questions if each.explanation]
    exact = {named(each) for each in explanations if (each.term, each.arguments) in refused}

    def is_other_form(each: Explanation) -> bool:
        return named(each) in exact and (each.term, each.arguments) not in refused

    found = [each for each in questions if each.term in terms and (each.explanation or each.unanswered)]
    return [each for each in found if not each.explanation or not is_other_form(each.explanation)]


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
