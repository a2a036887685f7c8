"""Find where a trial diverges under other rules, and what took part in that step.

The input is a trial, the game it was recorded in, and a game of another graph, in which the recorded choices are made
side by side; the output is the first `Divergence`: a decision of another side or with another question, other options,
or another position; None if there is none.

The last segment is replayed on both sides with interpreters whose hook records every question (after its evaluation, so
that the questions an answer depends on are recorded before it). The first question that both sides query and answer
differently is named, with the rules, charts and procedures that took part on either side.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from runtime.answer.answer import Answer, live_labels
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.answer.tables import FoundCell
from runtime.answer.value_text import unanswered_reason, value_text
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.rows import row_label
from runtime.play.choices import Site
from runtime.play.dice import Stream
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.rule_faults import BrokenRules
from runtime.players.greedy import greedy_option
from runtime.players.player import Player, choose_option, seat_players
from runtime.state.position import State
from runtime.state.record import Record, Value
from runtime.trial.nodes import Trial

Question = tuple[str, tuple[Value, ...]]
PREFERENCE = "preference"  # The kind of a divergence of players, who choose otherwise from the same options.


@frozen_dataclass
class DivergenceCause:
    """The first question that is answered differently, with its answers as text; "" if there is none.

    `parts` are the live rules, the charts that were read, and the keys of procedures that were executed or offered,
    under either rules.
    """

    question: str
    answer_here: str
    answer_there: str
    parts: frozenset[str]


@frozen_dataclass
class Divergence:
    """The first difference.

    `kind` is side, question, options, state, end, PREFERENCE, or choice: a recorded one that does not exist. Options
    are those on one side only, or the one that is chosen.
    """

    step: int
    turn: int
    side: str
    question: str
    kind: str
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    cause: DivergenceCause | None


@frozen_dataclass
class TracedAnswer:
    """A recorded answer: its value as text, and the labels of the rules that determine it."""

    value: str
    rules: frozenset[str]


TracedAnswers = dict[Question, TracedAnswer]


class AnswerTracer(EvaluatorHook):
    """Records each question with its first answer, in the order of evaluation.

    The content of a cell is attributed to its chart or, with `by_row`, to the rows that were read.
    """

    def __init__(self, rules: graph.Graph, *, by_row: bool = False) -> None:
        """Start without answers."""
        self.graph = rules
        self.by_row = by_row
        self.traced_answers: TracedAnswers = {}

    def on_answer(self, state: State, name: str, arguments: tuple[Value, ...], answer: Answer) -> None:
        """Record an answer as text, and the rules that were live."""
        question = (name, comparable_value(arguments))
        if question not in self.traced_answers:
            term = self.graph.terms[name]
            labels = frozenset(live_labels(term, answer.mask))
            self.traced_answers[question] = TracedAnswer(value_text(state, answer.value, term.type), labels)

    def on_cell(self, state: State, name: str, keys: tuple[Value, ...], found: FoundCell) -> None:
        """Record a cell as text, and its chart or rows."""
        question = (name, comparable_value(keys))
        if question not in self.traced_answers:
            (cell, rows), table = found, self.graph.tables[name]
            labels = [row_label(table, row, self.graph.vocabulary) for row in rows] if self.by_row else [name]
            self.traced_answers[question] = TracedAnswer(value_text(state, cell, graph.CellOf(name)), frozenset(labels))


def first_divergence(trial: Trial, first_game: Game, second_game: Game) -> Divergence | None:
    """SegmentReplay the recorded choices in both games until they diverge, and trace the last segment."""
    lines = iter(trial.choices)

    def recorded_choices(_: Sequence[tuple[Game, Playthrough, Decision]]) -> list[int]:
        line = next(lines, None)
        return [] if line is None else [line.choice, line.choice]

    return _first_difference((first_game, second_game), trial.heading.seed, recorded_choices)


def divergence_of_players(
    player_of: Callable[[str], Player], names: Mapping[str, str], seed: str, games: tuple[Game, Game]
) -> Divergence | None:
    """Play both games with players, by side, until these diverge, or a player chooses otherwise in one of them.

    A choice by other preferences is of kind `preference`; its cause is looked for in what `preferring` asks.
    """
    seats = [seat_players({side: player_of(name) for side, name in names.items()}, seed) for _ in games]

    def players_choices(decisions: Sequence[tuple[Game, Playthrough, Decision]]) -> list[int]:
        return [choose_option(*decision, seat) for decision, seat in zip(decisions, seats, strict=True)]

    return _first_difference(games, seed, players_choices)


def _first_difference(
    games: tuple[Game, Game],
    seed: str,
    make_choices: Callable[[Sequence[tuple[Game, Playthrough, Decision]]], list[int]],
) -> Divergence | None:
    """Play both games until they diverge; `make_choices` returns a choice for each, none at its end."""
    first_game, second_game = games
    first, second = (game.start(seed) for game in games)
    before, last = (first.copy(), second.copy()), None
    while True:
        first_decision, second_decision = first_game.advance(first), _advance_or_fail(second_game, second)
        found = _compare_decisions(first_game, first, first_decision, second_game, second, second_decision)
        if found is not None:
            replay = None if last is None else partial(_choose_again, index=last)
            return _with_cause(found, games, before, (first, second), replay)
        if not (isinstance(first_decision, Decision) and isinstance(second_decision, Decision)):
            return None
        choices = make_choices([(first_game, first, first_decision), (second_game, second, second_decision)])
        if not choices:
            return None
        found = Divergence(
            first.choice_count, first.state.turn, first_decision.side, first_decision.question, "choice", (), (), None
        )
        if choices[0] >= len(first_decision.options):
            return found
        before, last = (first.copy(), second.copy()), choices[0]
        if choices[0] != choices[1]:
            labels = option_labels(first.state, first_game.programs.entries, first_decision)
            first_label, second_label = ((labels[choice],) for choice in choices)
            found = replace(found, kind=PREFERENCE, only_here=first_label, only_there=second_label)
            return _with_cause(found, games, before, before, _prefer_again)
        first_game.apply(first, first_decision, last)
        second_game.apply(second, second_decision, last)


def _with_cause(
    found: Divergence,
    games: tuple[Game, Game],
    before: tuple[Playthrough, Playthrough],
    after: tuple[Playthrough, Playthrough],
    replay: "SegmentReplay | None",
) -> Divergence:
    """Add the cause; `replay` does again in a traced game what led from `before` to `after`."""
    offered = {f"action:{label.partition('(')[0]}" for label in (*found.only_here, *found.only_there)}
    running = {call.key for playthrough in after for call in playthrough.calls}
    cause = _find_cause(games[0].graph, games[1].graph, before, replay)
    return replace(found, cause=replace(cause, parts=cause.parts | offered | running))


# Does again in a traced game what followed a decision.
SegmentReplay = Callable[[Game, Playthrough, Decision], None]


def _choose_again(game: Game, playthrough: Playthrough, decision: Decision, index: int) -> None:
    """Apply the last choice, and play on to the next decision."""
    game.apply(playthrough, decision, index)
    game.advance(playthrough)


def _prefer_again(game: Game, playthrough: Playthrough, decision: Decision) -> None:
    """Compute the preferences of the rules; which of equal options is drawn does not matter."""
    greedy_option(game, playthrough, decision, Stream("", decision.side))


def _advance_or_fail(game: Game, playthrough: Playthrough) -> Decision | FinishedGame | str:
    """Continue under the other rules, which may fail in positions that they did not lead to."""
    try:
        return game.advance(playthrough)
    except BrokenRules as problem:
        return str(problem)
    except Unanswered as problem:
        return unanswered_reason(playthrough.state, problem)


def _compare_decisions(
    first_game: Game,
    first: Playthrough,
    first_decision: Decision | FinishedGame,
    second_game: Game,
    second: Playthrough,
    second_decision: Decision | FinishedGame | str,
) -> Divergence | None:
    """Return how the next decisions, or the positions, differ; None if they are equal."""
    found = Divergence(first.choice_count, first.state.turn, "", "", "", (), (), None)
    if isinstance(first_decision, Decision) and isinstance(second_decision, Decision):
        found = replace(found, side=first_decision.side, question=first_decision.question)
        if first_decision.side != second_decision.side:
            return replace(found, kind="side", only_here=(first_decision.side,), only_there=(second_decision.side,))
        if first_decision.question != second_decision.question:
            return replace(
                found, kind="question", only_here=(first_decision.question,), only_there=(second_decision.question,)
            )
        open_here = option_labels(first.state, first_game.programs.entries, first_decision)
        open_there = option_labels(second.state, second_game.programs.entries, second_decision)
        if open_here != open_there:
            only_here = tuple(option for option in open_here if option not in open_there)
            only_there = tuple(option for option in open_there if option not in open_here)
            return replace(found, kind="options", only_here=only_here, only_there=only_there)
    elif isinstance(first_decision, Decision) or first_decision != second_decision:
        return replace(
            found, kind="end", only_here=(_next_text(first_decision),), only_there=(_next_text(second_decision),)
        )
    return None if first.position_hash() == second.position_hash() else replace(found, kind="state")


def _next_text(decision: Decision | FinishedGame | str) -> str:
    """Return a text for what comes next."""
    match decision:
        case Decision(side=side, question=question):
            return f"{side}: {question}"
        case FinishedGame(winner=winner, level=level):
            return f"{winner or 'nobody'} wins" + (f" at level {level}" if winner else "")
        case _:
            return decision


def _find_cause(
    first_graph: graph.Graph,
    second_graph: graph.Graph,
    before: tuple[Playthrough, Playthrough],
    replay: "SegmentReplay | None",
) -> DivergenceCause:
    """Return the first question that is answered differently when the last segment is replayed with tracing."""
    first_answers, first_parts = _trace_answers(first_graph, before[0], replay)
    second_answers, second_parts = _trace_answers(second_graph, before[1], replay)
    parts = first_parts | second_parts
    for question, answer in first_answers.items():
        other = second_answers.get(question)
        if other is not None and other.value != answer.value:
            return DivergenceCause(question[0], answer.value, other.value, parts)
    return DivergenceCause("", "", "", parts)


class ProcedureTracer:
    """A tracer of a game that records the keys of executed procedures."""

    def __init__(self) -> None:
        """Start without keys."""
        self.keys: set[str] = set()

    def decision_reached(self, playthrough: Playthrough, call: ProcedureFrame, site: Site) -> None:
        """Ignore decisions."""

    def action_taken(self, playthrough: Playthrough, action: str) -> None:  # noqa: ARG002 - as tracers have it.
        """Record an action."""
        self.keys.add(f"action:{action}")

    def procedure_called(self, key: str) -> None:
        """Record a resolution or a hook."""
        self.keys.add(key)

    def record_sequence_step(self, playthrough: Playthrough, call: ProcedureFrame, number: int) -> None:  # noqa: ARG002
        """Record the sequence of play."""
        self.keys.add(call.key)


def _trace_answers(
    rules: graph.Graph, before: Playthrough, replay: SegmentReplay | None
) -> tuple[TracedAnswers, frozenset[str]]:
    """Return each question of one replayed segment with its answer, in order, and what took part in it."""
    playthrough, procedures = before.copy(), ProcedureTracer()
    tracer = AnswerTracer(rules)
    game = Game(rules, Interpreter(rules, hooks=(tracer,)))
    game.tracer = procedures
    try:
        decision = game.advance(playthrough)
        if replay is not None and isinstance(decision, Decision):
            tracer.traced_answers.clear()
            procedures.keys.clear()
            replay(game, playthrough, decision)
    except (BrokenRules, Unanswered):
        pass  # The answers recorded so far are compared.
    labels = (answer.rules for answer in tracer.traced_answers.values())
    return tracer.traced_answers, frozenset(procedures.keys.union(*labels))


def comparable_value(value: Value) -> Value:
    """Convert a value to one that is comparable between games: a record becomes its type and serial number."""
    if isinstance(value, Record):
        return value.type, value.serial
    return tuple(map(comparable_value, value)) if isinstance(value, tuple) else value
