"""Find where a trial diverges under other rules, and what took part in that step.

The input is a trial, the game it was recorded in, and a game of another graph, in which the recorded choices are made
side by side; the output is the first `Divergence`: a decision of another side or with another question, other options,
or another position; None if there is none.

The last segment is replayed on both sides with interpreters whose hook records every question (after its evaluation, so
that the questions an answer depends on are recorded before it). The first question that both sides query and answer
differently is named, with the rules, charts and procedures that took part on either side.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from runtime.answer.answer import Answer, live_labels
from runtime.answer.evaluator import EvaluatorHook
from runtime.answer.interpreter import Interpreter
from runtime.answer.tables import FoundCell
from runtime.answer.value_text import unanswered_reason, value_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.rows import row_label
from runtime.play.choices import Site
from runtime.play.dice import Stream
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import END, Decision
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
class _DivergenceCause:
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
    cause: _DivergenceCause | None


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
    """Repeat the recorded choices in both games until they diverge, and trace the last segment."""
    pair = _PairedGames((first_game, second_game), trial.heading.seed)
    for line in (*trial.choices, None):
        found = pair.advance()
        if found is not None:
            return pair.with_cause(found)
        if line is None or not pair.decisions:
            return None
        if line.choice >= len(pair.decisions[0].options):
            return pair.divergence("choice")
        pair.choose((line.choice, line.choice))
    return None


def divergence_of_players(
    player_of: Callable[[str], Player], names: Mapping[str, str], seed: str, games: tuple[Game, Game]
) -> Divergence | None:
    """Play both games with players, by side, until these diverge, or a player chooses otherwise in one of them.

    Options that one game alone has matter where a player takes one. A choice by other preferences is of kind
    `preference`; its cause is looked for in what `preferring` asks.
    """
    pair = _PairedGames(games, seed)
    seats = [seat_players({side: player_of(name) for side, name in names.items()}, seed) for _ in games]
    while True:
        found = pair.advance()
        is_elsewhere = found is not None and found.kind != "side" and not pair.have_equal_states()
        if not pair.decisions or is_elsewhere:
            # The numbers of decisions of finished games may differ.
            return pair.with_cause(found) if found and (is_elsewhere or found.only_here != found.only_there) else None
        players = zip(games, pair.playthroughs, pair.decisions, seats, strict=True)
        first_choice, second_choice = (choose_option(*player) for player in players)
        choices = first_choice, second_choice
        if found is not None and found.kind == "side":
            if not pair.end_extra_offer(choices):
                return pair.with_cause(found)
            continue
        first_label, second_label = pair.labels(choices)
        if first_label != second_label:
            preferred = pair.divergence(PREFERENCE, (first_label,), (second_label,))
            return pair.with_preference(preferred) if found is None else pair.with_cause(found)
        pair.choose(choices)


# Does again in a traced game what followed a decision.
SegmentReplay = Callable[[Game, Playthrough, Decision], None]


class _PairedGames:
    """A game under each of two sets of rules, in which choices are made side by side.

    `decisions` are those of both games, empty unless both ask a side.
    """

    def __init__(self, games: tuple[Game, Game], seed: str) -> None:
        first, second = games
        self.games = games
        self.playthroughs = first.start(seed), second.start(seed)
        self.decisions: tuple[Decision, ...] = ()
        # The games before the last choice, and what makes it again in each.
        self.before = self.copies()
        self.replays: tuple[SegmentReplay | None, SegmentReplay | None] = None, None

    def copies(self) -> tuple[Playthrough, Playthrough]:
        first, second = self.playthroughs
        return first.copy(), second.copy()

    def advance(self) -> Divergence | None:
        """Play both on to the next decision, and return how these differ."""
        (first_game, second_game), (first, second) = self.games, self.playthroughs
        first_decision, second_decision = first_game.advance(first), _advance_or_fail(second_game, second)
        self.decisions = ()
        if isinstance(first_decision, Decision) and isinstance(second_decision, Decision):
            self.decisions = first_decision, second_decision
        return _compare_decisions(first_game, first, first_decision, second_game, second, second_decision)

    def have_equal_states(self) -> bool:
        first, second = self.playthroughs
        return first.position_hash() == second.position_hash()

    def labels(self, choices: tuple[int, int]) -> list[str]:
        """Return the texts of an option in each game."""
        decided = zip(self.games, self.playthroughs, self.decisions, choices, strict=True)
        return [
            option_labels(playthrough.state, game.programs.entries, decision)[choice]
            for game, playthrough, decision, choice in decided
        ]

    def end_extra_offer(self, choices: tuple[int, int]) -> bool:
        """Apply the choice of the game that is behind, if it ends an offer; return whether it does.

        An offer in which nothing but added actions is open is reached in one of the games only.
        """
        ending = [number for number in (0, 1) if self.decisions[number].options[choices[number]].kind == END]
        if not ending:
            return False
        extra = min(ending, key=lambda number: self.playthroughs[number].state.turn)
        self.games[extra].apply(self.playthroughs[extra], self.decisions[extra], choices[extra])
        return True

    def choose(self, choices: tuple[int, int]) -> None:
        """Apply an option in each game."""
        self.before = self.copies()
        first_choice, second_choice = choices
        self.replays = partial(_choose_again, index=first_choice), partial(_choose_again, index=second_choice)
        for game, playthrough, decision, choice in zip(
            self.games, self.playthroughs, self.decisions, choices, strict=True
        ):
            game.apply(playthrough, decision, choice)

    def divergence(self, kind: str, here: tuple[str, ...] = (), there: tuple[str, ...] = ()) -> Divergence:
        """Return a divergence at the present decision, without a cause."""
        first, decision = self.playthroughs[0], self.decisions[0]
        return Divergence(
            first.choice_count, first.state.turn, decision.side, decision.question, kind, here, there, None
        )

    def with_preference(self, found: Divergence) -> Divergence:
        """Add a cause from the preferences at the present decision."""
        self.before, self.replays = self.playthroughs, (_prefer_again, _prefer_again)
        return self.with_cause(found)

    def with_cause(self, found: Divergence) -> Divergence:
        """Add the cause, from the segment that is traced again."""
        offered = {f"action:{label.partition('(')[0]}" for label in (*found.only_here, *found.only_there)}
        running = {call.key for playthrough in self.playthroughs for call in playthrough.calls}
        cause = _find_cause(self.games, self.before, self.replays)
        return replace(found, cause=replace(cause, parts=cause.parts | offered | running))


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
    games: tuple[Game, Game],
    before: tuple[Playthrough, Playthrough],
    replays: tuple[SegmentReplay | None, SegmentReplay | None],
) -> _DivergenceCause:
    """Return the first question that is answered differently when the last segment is replayed with tracing."""
    (first_answers, first_parts), (second_answers, second_parts) = (
        _trace_answers(game.graph, start, replay) for game, start, replay in zip(games, before, replays, strict=True)
    )
    parts = first_parts | second_parts
    for question, answer in first_answers.items():
        other = second_answers.get(question)
        if other is not None and other.value != answer.value:
            return _DivergenceCause(question[0], answer.value, other.value, parts)
    return _DivergenceCause("", "", "", parts)


class _ProcedureTracer:
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
    playthrough, procedures = before.copy(), _ProcedureTracer()
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
