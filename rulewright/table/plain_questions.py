"""Answers to plain words about a position: what a piece can do, or why not, and the questions that the words may mean.

In: a state, and words that name pieces and places of it: `why may T not enter B`. Out: the same lines as those of
`why` and `open` in a game, for the phase of the state or the one in which it is decided; and the questions of the rules
whose wording has words of the query and whose arguments are what it names, as expressions that `ask` accepts.
"""

from typing import NamedTuple

from compiler.rulebook.index.stems import stem
from rulewright.games import game_of
from rulewright.library.generated_code import quick_interpreter
from rulewright.table.decision_state import offered_phases
from rulewright.table.fact_lines import fact_lines
from rulewright.table.fitting_questions import FittingQuestion, fitting_questions
from rulewright.table.named_actions import named_actions
from rulewright.table.plain_query import parse_query, successive_queries
from rulewright.table.play_reader import PlayReader
from runtime.answer.answer import Unanswered
from runtime.answer.value_text import unanswered_reason
from runtime.graph import words
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.play.rule_faults import BrokenRules, budget_message
from runtime.state.position import State

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


def answer_plain_words(state: State, text: str, depth: int = 0) -> PlainAnswer | None:
    """Answer a query about a position; None if it names no piece and no place of it.

    The answers of questions are explained to `depth` levels of questions behind them.
    """
    if not parse_query(state, text).names:
        return None
    with open_budget(SLOW):
        return _answer_query(state, text, depth)


def _answer_query(state: State, text: str, depth: int) -> PlainAnswer:
    """Answer a query that names something."""
    game = game_of(state.graph)
    known = [each.procedure.name for each in game.programs.entries.values() if each.procedure.what == "action"]
    first, *later = successive_queries(state, text, lambda query: any(named_actions(game, known, query)))
    query = parse_query(state, first)
    answers = quick_interpreter(state.graph)
    questions = tuple(fitting_questions(answers, state, query, depth)) if not later else ()
    reader: PlayReader | None = None
    lines: tuple[str, ...] = ()
    is_about_facts = False
    try:
        reader = PlayReader(game, state, query) if offered_phases(game) else None
        if query.asks_state or reader is None or not any(each.action.is_own for each in reader.actions):
            lines = tuple(fact_lines(answers, reader.seen if reader else state, query))
            is_about_facts = bool(lines)
        if reader and not lines and not query.asks_state:
            lines = tuple(reader.lines(has_questions=bool(questions)))
            for each in later:
                lines += tuple(reader.later_lines(each))
    except Unanswered as unanswered:
        lines = (f"what is open is not known: {unanswered_reason(state, unanswered)}",)
    except BrokenRules as broken:
        lines = (f"what is open is not known: {broken}",)
    except TooMuchWork:
        lines = (f"what is open is not known: {budget_message()}",)
    actions = reader.actions if reader else ()
    if lines and actions and not is_about_facts:
        questions = tuple(each for each in questions if each.explanation or each.unanswered)
    title = words.sentence(reader.moment.title(with_now=True) if reader else "in this position").rstrip(".")
    is_understood = bool(questions or (lines and (actions or is_about_facts or query.question)))
    left_out = () if is_understood else tuple(word for word in query.words if stem(word) in query.topics)
    moment = reader.moment if reader else None
    phase, side = (moment.phase, moment.side) if moment else ("", "")
    named = max((len(each.action.stems) for each in actions), default=0)
    lines_first = is_about_facts or 0 < named >= max((each.matched for each in questions), default=0)
    return PlainAnswer(phase, side, title, lines, questions, left_out, lines_first)


def names_text(state: State) -> str:
    """Return a sentence with names of pieces of a state, and a place, for a query that has none."""
    pieces = [sheet.name for sheet in state.sheets][:MOST_NAMES]
    if not pieces:
        return "It has no pieces."
    more = f" and {len(state.sheets) - len(pieces)} more" if len(state.sheets) > len(pieces) else ""
    return (
        f"Its pieces are {', '.join(pieces)}{more}; its places are named as on its map, such as {state.board.names[0]}."
    )
