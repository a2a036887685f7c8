"""Find the questions and actions that words about a position may mean, each with its own answer.

In: a state as its reader may know it, and words. Out: `Row`s, the likeliest first. What an action asks is a part of it:
that a part may be done is listed below the action, which other rules may refuse.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS
from rulewright.explain.finder.action_rows import UNKNOWN, ActionRows
from rulewright.explain.finder.asked_terms import ACTION, actions_asking, question_index, with_pairs
from rulewright.explain.finder.bindings import ArgumentSearch, Binding
from rulewright.explain.finder.mentions import MentionReader, ReadWords
from rulewright.explain.finder.question_rows import QuestionRows, SideView, unasked_row
from rulewright.explain.finder.row import ACTION as ACTION_SORT
from rulewright.explain.finder.row import QUESTION, Row
from rulewright.explain.option_lines import option_text
from runtime.graph import nodes as graph
from runtime.graph.budget import SLOW, open_budget
from runtime.graph.templates import without_slots
from runtime.state.position import State

# The most rows, the questions and actions that are tried for them, and of one question.
_MOST_ROWS, _MOST_TRIED, _MOST_ALIKE = 5, 8, 2
# Other arguments of a question are tried if they fit nearly as well.
_ALIKE = 0.95
_MOST_ACTIONS = 4
# A row is listed with this share of the score of the best, and of the rarity of a word.
_LEAST_SHARE, _LEAST_SCORE = 0.25, 0.08
# Questions without a position: the most, and the share of the score of the best.
_MOST_UNASKED, _LEAST_UNASKED = 3, 0.5
# An action stands above its part with this share of the score of the part.
_WHOLE = 0.3
# A question of another form than the words ask for: whether, or how many.
_OTHER_FORM = 0.6
# The words of the reading as they are; a No where the words ask why not.
_LITERAL, _EXPECTED = 0.6, 1.3
_DENIALS = frozenset("cannot cant can't not".split())
_WHETHER = frozenset("are can cannot could did do does has have is may must was were will would".split())
# Words of questions for all that is open to a piece, beside words without a topic.
_OPEN_WORDS = frozenset("far go move open option options reach".split())
_AMOUNT = frozenset("cost costs count far high long many much number price range strong".split())


class _FoundRows(NamedTuple):
    """The rows for a query, and the words as they were read."""

    rows: tuple[Row, ...]
    query: ReadWords


def find_rows(state: State, text: str, view: SideView) -> _FoundRows:
    """Return the rows for words about a state."""
    query = MentionReader(state).read(text)
    if not query.words:
        return _FoundRows((), query)
    index = question_index(state.graph)
    scores = {place.head.address: place.score for place in index.find(with_pairs(query.topic, index.forms))}
    with open_budget(SLOW):
        rows = [*_question_rows(state, query, scores, view), *_action_rows(state, query, scores)]
    rows.sort(key=lambda each: -each.score)
    rows = [*_below_wholes(state.graph, _without_bare_refusals(rows))]
    least = max(_LEAST_SCORE * math.log1p(len(index.rows)), _LEAST_SHARE * rows[0].score if rows else 0.0)
    return _FoundRows(tuple(row for row in rows if row.score >= least)[:_MOST_ROWS], query)


def _without_bare_refusals(rows: Sequence[Row]) -> list[Row]:
    """Return rows without actions that take other things, which no rule refuses; one of them, if no action is left."""
    actions = [row for row in rows if row.sort == ACTION_SORT]
    telling = [row for row in actions if row.is_open or row.is_explained] or actions[:1]
    return [row for row in rows if row.sort != ACTION_SORT or row in telling]


def unanswered_rows(rules: graph.Graph, text: str) -> list[Row]:
    """Return the rows for words about no position: questions without arguments, and so without answers."""
    index, rows = question_index(rules), list[Row]()
    for place in index.find(with_pairs(text, index.forms)):
        term = rules.terms.get(place.head.address)
        best = rows[0].score if rows else place.score
        if term and place.score >= _LEAST_UNASKED * best:
            rows.append(unasked_row(rules, term, place.score))
    return rows[:_MOST_UNASKED]


def _question_rows(state: State, query: ReadWords, scores: dict[str, float], view: SideView) -> Iterator[Row]:
    """Yield the rows of the questions that fit best."""
    binder, candidates = ArgumentSearch(state, query), list[tuple[float, str, Binding]]()
    for name, score in scores.items():
        if term := state.graph.terms.get(name):
            form = _form_score(query, term) * _literal_score(query, term.reads)
            best = binder.bindings(term)[:_MOST_ALIKE]
            as_good = [each for each in best if each.score >= _ALIKE * best[0].score]
            candidates += [(score * form * each.score, name, each) for each in as_good]
    candidates.sort(key=lambda each: -each[0])
    rows = QuestionRows(state, view)
    for score, name, binding in candidates[:_MOST_TRIED]:
        row = rows.row(state.graph.terms[name], binding, score)
        is_expected = row.is_open is False and not _DENIALS.isdisjoint(query.words)
        yield row._replace(score=score * _EXPECTED) if is_expected else row


def _form_score(query: ReadWords, term: graph.Term) -> float:
    """Return how well the type of an answer fits the first words of a query."""
    first, is_truth = query.words[:1], isinstance(term.type, graph.YesNo)
    if (first and first[0] in _WHETHER) or "why" in first:
        return 1.0 if is_truth else _OTHER_FORM
    if not _AMOUNT.isdisjoint(query.words):
        return 1.0 if isinstance(term.type, graph.Number) else _OTHER_FORM
    return 1.0


def _literal_score(query: ReadWords, reading: str) -> float:
    """Return how many words of a reading stand in a query as they are: *can spot*, *is spotted*."""
    written = without_slots(reading).lower().split()
    return 1.0 + _LITERAL * sum(each in query.words for each in written) / max(1, len(written))


def _action_rows(state: State, query: ReadWords, scores: dict[str, float]) -> Iterator[Row]:
    """Yield the rows of the actions that fit best, and what is open to a piece."""
    named = [each for each in scores if each.startswith(ACTION)][:_MOST_ACTIONS]
    asks_what_is_open = query.words[0] not in _WHETHER and {*query.topic.split()} <= STOP_WORDS | _OPEN_WORDS
    if not query.mentions or not (named or asks_what_is_open):
        return
    rows = ActionRows(state, query)
    with suppress(*UNKNOWN):
        if asks_what_is_open and (row := rows.open_row(max(scores.values(), default=1.0) + 1)):
            yield row
    for each in named:
        score = scores[each] * _literal_score(query, option_text(state.graph.procedures[each]))
        with suppress(*UNKNOWN):
            if row := rows.row(each.removeprefix(ACTION), score):
                yield row


def _below_wholes(rules: graph.Graph, rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows in order, but a part that may be done below the actions with it that are refused."""
    wholes, left = actions_asking(rules), [*rows]
    while left:
        row = left.pop(0)
        is_part = row.sort == QUESTION and row.is_open
        enough = _WHOLE * row.score
        wanted = [each for each in left if is_part and each.sort == ACTION_SORT and each.score >= enough]
        refused = [each for each in wanted if each.is_open is False]
        above = [each for each in refused if not {*wholes.get(row.name, ())}.isdisjoint(each.actions)]
        for each in above:
            left.remove(each)
        yield from (*above, row)
