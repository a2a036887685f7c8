"""Find where a trial diverges under other rules, and which rule causes it.

The input is a trial, the game it was recorded in, and a game of another graph, in which the recorded choices are made
side by side; the output is the first `Divergence`: a decision of another side or with another question, other options,
or another position; None if there is none.

The cause is found by replaying the last segment on both sides with interpreters that record every question (after its
evaluation, so that the questions an answer depends on are recorded before it). The first question that both sides query
and answer differently is the cause; the rules that are live on one side only are reported or, if the same rules are
live, those whose texts differ. This is preceded by another test: if one game asks for something that only its rules
have (a reaction, an action), that is the cause. Without such a question, the rules are reported that were live on one
side only, and without any, the procedures that differ.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from runtime.answer.answer import Answer, live_labels
from runtime.answer.interpreter import NO_PINNED_ANSWERS, AnswerOrCell, Interpreter, PinnedAnswerMap
from runtime.answer.value_text import unanswered_reason, value_text
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.graph.stages import stages_put_before
from runtime.play.game import SEQUENCE, FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.record import Record, Value
from runtime.trial.nodes import Trial

Question = tuple[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class DivergenceCause:
    """The question that is answered differently, as text, and the rules or cells on each side that cause it."""

    question: str
    answer_here: str
    answer_there: str
    rules_here: tuple[str, ...]
    rules_there: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference.

    `kind` is side, question, options, state, end, or choice: a recorded one that does not exist.

    Options are those on one side only.
    """

    step: int
    turn: int
    side: str
    question: str
    kind: str
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    cause: DivergenceCause | None


@dataclass(frozen=True, slots=True)
class TracedAnswer:
    """A recorded answer: its value as text, and the labels of the rules that determine it."""

    value: str
    rules: frozenset[str]


TracedAnswers = dict[Question, TracedAnswer]


class AnswerTracer(Interpreter):
    """An interpreter that records each question with its first answer, in the order of evaluation.

    The content of a cell is attributed to its chart or, with `by_row`, to the rows that were read.
    """

    def __init__(
        self,
        rules: graph.Graph,
        playthrough: Playthrough,
        pinned_answers: PinnedAnswerMap = NO_PINNED_ANSWERS,
        *,
        by_row: bool = False,
    ) -> None:
        """Start without answers; these are formatted with the present state of the playthrough."""
        super().__init__(rules, pinned_answers, self.record)
        self.playthrough = playthrough
        self.by_row = by_row
        self.traced_answers: TracedAnswers = {}

    def record(self, name: str, arguments: tuple[Value, ...], found: AnswerOrCell) -> None:
        """Record an answer or a cell as text, and its labels."""
        question = (name, comparable_value(arguments))
        if question in self.traced_answers:
            return
        if isinstance(found, Answer):
            term = self.graph.terms[name]
            labels = frozenset(live_labels(term, found.mask))
            self.traced_answers[question] = TracedAnswer(
                value_text(self.playthrough.state, found.value, term.type), labels
            )
            return
        cell, rows = found
        labels = frozenset((name,))
        if self.by_row:
            table, words = self.graph.tables[name], self.graph.vocabulary
            labels = frozenset(row_label(table, row, words) for row in rows)
        self.traced_answers[question] = TracedAnswer(
            value_text(self.playthrough.state, cell, graph.CellOf(name)), labels
        )


def first_divergence(trial: Trial, first_game: Game, second_game: Game) -> Divergence | None:
    """Repeat the recorded choices in both games until they diverge, and trace the last segment."""
    seed = trial.heading.seed
    first, second = first_game.start(seed), second_game.start(seed)
    before = (first.copy(), second.copy())
    last: int | None = None
    for line in (*trial.choices, None):
        first_decision, second_decision = first_game.advance(first), advance_or_fail(second_game, second)
        found = compare_decisions(first_game, first, first_decision, second_game, second, second_decision)
        if found is not None:
            known = differing_options(first_game, second_game, (first, second), found) or find_cause(
                first_game.graph, second_game.graph, before, last
            )
            return replace(found, cause=known)
        if line is None or not (isinstance(first_decision, Decision) and isinstance(second_decision, Decision)):
            return None
        if line.choice >= len(first_decision.options):
            return Divergence(
                first.choice_count, first.state.turn, first_decision.side, first_decision.question, "choice", (), (),
                None,
            )  # fmt: skip
        before, last = (first.copy(), second.copy()), line.choice
        first_game.apply(first, first_decision, line.choice)
        second_game.apply(second, second_decision, line.choice)
    return None


def advance_or_fail(game: Game, playthrough: Playthrough) -> Decision | FinishedGame | str:
    """Continue under the other rules, which may fail in positions that they did not lead to."""
    try:
        return game.advance(playthrough)
    except BrokenRules as problem:
        return str(problem)
    except Unanswered as problem:
        return unanswered_reason(playthrough.state, problem)


def compare_decisions(
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
            found, kind="end", only_here=(next_text(first_decision),), only_there=(next_text(second_decision),)
        )
    return None if first.position_hash() == second.position_hash() else replace(found, kind="state")


def next_text(decision: Decision | FinishedGame | str) -> str:
    """Return a text for what comes next."""
    match decision:
        case Decision(side=side, question=question):
            return f"{side}: {question}"
        case FinishedGame(winner=winner, level=level):
            return f"{winner or 'nobody'} wins" + (f" at level {level}" if winner else "")
        case _:
            return decision


def find_cause(
    first_graph: graph.Graph, second_graph: graph.Graph, before: tuple[Playthrough, Playthrough], last: int | None
) -> DivergenceCause | None:
    """Return the first question that is answered differently when the last segment is replayed with tracing."""
    first_answers = trace_answers(first_graph, before[0], last)
    second_answers = trace_answers(second_graph, before[1], last)
    questions = [
        question
        for question in first_answers
        if question in second_answers and second_answers[question] != first_answers[question]
    ]
    for question in questions:
        if first_answers[question].value != second_answers[question].value:
            found = rule_difference(
                first_graph, second_graph, question[0], first_answers[question], second_answers[question]
            )
            earlier_rules = (
                rules_live_before(first_answers, first_graph, second_graph, question),
                rules_live_before(second_answers, second_graph, first_graph, question),
            )
            same = found.rules_here == found.rules_there
            if same and any(earlier_rules):
                return replace(found, rules_here=earlier_rules[0], rules_there=earlier_rules[1])
            return found
    if questions:  # The answers are the same, by other rules.
        found = rule_difference(
            first_graph, second_graph, questions[0][0], first_answers[questions[0]], second_answers[questions[0]]
        )
        return replace(found, question="", answer_here="", answer_there="")
    live = frozenset().union(*(each.rules for each in first_answers.values()))
    live_there = frozenset().union(*(each.rules for each in second_answers.values()))
    if live != live_there:
        return DivergenceCause("", "", "", tuple(sorted(live - live_there)), tuple(sorted(live_there - live)))
    procedures = differing_procedures(first_graph, second_graph)
    return DivergenceCause("", "", "", procedures, procedures) if procedures else None


def rules_live_before(
    answers: TracedAnswers, rules: graph.Graph, others: graph.Graph, question: Question
) -> tuple[str, ...]:
    """Return the rules that were live on stages directly before a question that only this game has."""
    name, arguments = question
    stages = stages_put_before(rules, others, name)
    return tuple(sorted({label for stage in stages if (stage, arguments) in answers
                         for label in answers[stage, arguments].rules & rules.rules.keys()}))  # fmt: skip


def differing_options(
    first_game: Game, second_game: Game, after: tuple[Playthrough, Playthrough], found: Divergence
) -> DivergenceCause | None:
    """Return what only one game has, or what differs, where they ask for different things: reactions, actions."""
    first, second = after
    if found.kind in ("side", "question"):
        only = (
            running_procedures(first, first_game, second_game.graph),
            running_procedures(second, second_game, first_game.graph),
        )
    elif found.kind == "options":
        only = (
            missing_actions(found.only_here, first_game.graph, second_game.graph),
            missing_actions(found.only_there, second_game.graph, first_game.graph),
        )
    else:
        return None
    return DivergenceCause("", "", "", *only) if any(only) else None


def running_procedures(playthrough: Playthrough, game: Game, others: graph.Graph) -> tuple[str, ...]:
    """Return the innermost running procedure that the others do not have, or the offered actions that they lack."""
    keys = (call.key for call in reversed(playthrough.calls) if call.key != SEQUENCE)
    found = next(((key,) for key in keys if procedure_body(game.graph, key) != procedure_body(others, key)), ())
    if found or not playthrough.calls:
        return found
    callee = game.programs.entries[playthrough.calls[-1].key].code[playthrough.calls[-1].offset]
    if isinstance(callee, graph.Offer):
        return missing_actions((name for name, _ in callee.actions), game.graph, others)
    return ()


def missing_actions(labels: Iterable[str], rules: graph.Graph, others: graph.Graph) -> tuple[str, ...]:
    """Return the actions among options that the others do not have at all."""
    keys = (f"action:{label.partition('(')[0]}" for label in labels)
    return tuple(dict.fromkeys(key for key in keys if key in rules.procedures and key not in others.procedures))


def differing_procedures(first_graph: graph.Graph, second_graph: graph.Graph) -> tuple[str, ...]:
    """Return the procedures that differ, or exist on one side only."""
    keys = sorted({*first_graph.procedures, *second_graph.procedures})
    return tuple(key for key in keys if procedure_body(first_graph, key) != procedure_body(second_graph, key))


def procedure_body(rules: graph.Graph, key: str) -> tuple[graph.Step, ...] | None:
    """Return the steps of a procedure; None if there is none of that key."""
    return rules.procedures[key].body if key in rules.procedures else None


def rule_difference(
    first_graph: graph.Graph,
    second_graph: graph.Graph,
    callee: str,
    first_answer: TracedAnswer,
    second_answer: TracedAnswer,
) -> DivergenceCause:
    """Return the rules on one side only, or those that both sides have with different texts."""
    only, only_there = first_answer.rules - second_answer.rules, second_answer.rules - first_answer.rules
    if not only and not only_there:
        only = only_there = frozenset(changed_rules(first_graph, second_graph, callee, first_answer.rules))
    return DivergenceCause(
        callee, first_answer.value, second_answer.value, tuple(sorted(only)), tuple(sorted(only_there))
    )


def changed_rules(
    first_graph: graph.Graph, second_graph: graph.Graph, callee: str, rules: Iterable[str]
) -> Iterable[str]:
    """Return the rules whose text differs, or the chart itself."""
    for rule in rules:
        if rule in first_graph.rules and rule in second_graph.rules:
            first_rule, second_rule = first_graph.rules[rule], second_graph.rules[rule]
            if (first_rule.verb, first_rule.value, first_rule.guard, first_rule.names) != (
                second_rule.verb,
                second_rule.value,
                second_rule.guard,
                second_rule.names,
            ):
                yield rule
    if callee in first_graph.tables:
        yield callee


def trace_answers(rules: graph.Graph, before: Playthrough, last: int | None) -> TracedAnswers:
    """Return each question of one replayed segment with its answer, in the order of evaluation."""
    playthrough = before.copy()
    tracer = AnswerTracer(rules, playthrough)
    game = Game(rules, tracer)
    try:
        if last is not None:
            decision = game.advance(playthrough)
            tracer.traced_answers.clear()
            assert isinstance(decision, Decision)
            game.apply(playthrough, decision, last)
        game.advance(playthrough)
    except (BrokenRules, Unanswered):
        pass  # The answers recorded so far are compared.
    return tracer.traced_answers


def comparable_value(value: Value) -> Value:
    """Convert a value to one that is comparable between games: a record becomes its type and serial number."""
    if isinstance(value, Record):
        return value.type, value.serial
    return tuple(map(comparable_value, value)) if isinstance(value, tuple) else value
