"""Play the same choices in two stacks, and find where they lead to two positions.

The input is two graphs, and which of their procedures are the same; the output is for each line of an example with a
different effect or answer a case: the position before, the choice, the states after it, and the cause. That is a hook,
for what would have differed without it; for the rest the rules behind the first question that was answered differently,
if any of those has changed, else the differing procedures that ran, else what paired_evaluation.py finds.
Positions are those of the stacks' own examples: the author of a hook has usually written a position in which it
matters.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from runtime.examples.expectations import types_of_row
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names, substitute
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.procedure_pairs import ProcedurePair
from runtime.graph.type_of import type_of
from runtime.graph.walk import nodes_of
from runtime.graph.wording import Wording
from runtime.play.playthrough import Names
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.trial.divergence import TracedAnswers
from runtime.witness.example_corpus import AskedQuestions, PlayDifference, could_stand
from runtime.witness.paired_evaluation import Attribution
from runtime.witness.pool import literal_text
from runtime.witness.position_file import expression_text
from runtime.witness.set_up import NO_ANSWER, SearchInterpreter
from runtime.witness.traced_run import (
    ACTING,
    ASKING,
    PARTED,
    REFUSED_ANSWER,
    ChangedSlot,
    LineEvaluation,
    Outcome,
    PriorState,
    TracedMachine,
    TracedRun,
    common_slots,
    difference_texts,
    differing_things,
    is_acting,
)
from runtime.witness.translated_position import knows_factors, missing_words, translated_position, with_printed_values

Cause = TypeVar("Cause")


class PairedReplay:
    """A replay of all examples of two stacks in both."""

    def __init__(
        self,
        graphs: tuple[graph.Graph, graph.Graph],
        quick: tuple[SearchInterpreter, SearchInterpreter],
        pairs: tuple[ProcedurePair, ...],
        changes: frozenset[str],
        following: frozenset[str],
        example_runs: AskedQuestions | None,
    ) -> None:
        """Start with nothing replayed; of the first stack it may be known what its examples ask."""
        self.graphs = graphs
        self.example_runs = example_runs
        self.changed_terms = None if example_runs is None else example_runs.changed_terms(*graphs)
        self.interpreters = quick
        self.machines = tuple(TracedMachine(each, answers) for each, answers in zip(graphs, quick, strict=True))
        self.pairs = tuple(pair for pair in pairs if not pair.is_equal)
        self.attribution = Attribution(changes, following)
        self.shared = frozenset(graphs[0].counters.keys() & graphs[1].counters.keys())
        self.by_rules: dict[tuple[str, ...], list[PlayDifference]] = {}
        # Questions of examples that are answered differently, by the changes they are attributed to.
        self.by_questions: dict[tuple[str, ...], list[PlayDifference]] = {}
        self.by_procedure: dict[ProcedurePair, list[PlayDifference]] = {}
        self.choices = tuple(_choices(stack) for stack in graphs)
        self.line_count = 0
        # The number of plays in which a procedure of a pair ran.
        self.procedures: Counter[ProcedurePair] = Counter()
        # The number of examples that one of the two cannot set up.
        self.left_out_examples = 0

    def run(self) -> None:
        """Replay the examples of both stacks, common ones once."""
        known = set()
        for which, stack in enumerate(self.graphs):
            for example in stack.examples:
                place = (example.title, example.origin.file, example.origin.line)
                if place in known or not any(isinstance(line, (*ACTING, *ASKING)) for line in example.lines):
                    continue
                known.add(place)
                rows = [self._play(which, example, row) for row in range(max(1, len(example.rows)))]
                self.left_out_examples += not any(rows)

    def _play(self, which: int, example: graph.Example, row: int) -> bool:
        """Play one row of an example in both stacks until they part; False if it cannot be set up in both."""
        if which == 0 and self.example_runs is not None and self.changed_terms is not None:
            terms = self.example_runs.terms_of_row(example, row)
            if terms is not None and terms.isdisjoint(self.changed_terms):
                self.line_count += sum(map(is_acting, example.lines))
                return True
        spelled = with_printed_values(example.position, self.graphs[which], self.shared)
        position = translated_position(spelled, self.graphs[1 - which])
        if position is None:
            return False
        examples = [replace(example, position=spelled if index == which else position) for index in (0, 1)]
        try:
            sides = [
                TracedRun(self.graphs[index], examples[index], row, self.machines[index], self.interpreters[index])
                for index in (0, 1)
            ]
        except PARTED:
            return False
        sides[1 - which].is_incomplete = bool(missing_words(spelled, self.graphs[1 - which]))
        self._play_lines(sides, example, which)
        return True

    def _play_lines(self, sides: list[TracedRun], example: graph.Example, which: int) -> None:
        """Play the lines of an example that both stacks have set up until they part."""
        try:
            for line in example.lines:
                if isinstance(line, ASKING) and not is_acting(line):
                    self._ask(sides, line, which)
                elif is_acting(line):
                    if not self._agree(sides, line, which):
                        return
                elif max([side.step(line) for side in sides]):  # Both are to play it.
                    return
        except PARTED:
            return

    def _agree(self, sides: list[TracedRun], line: graph.ExampleLine, which: int) -> bool:
        """Run a line in both, and record how they diverge; False if they cannot continue together."""
        if not all(_has_choices(side, line, known) for side, known in zip(sides, self.choices, strict=True)):
            return False
        before = [(side.playthrough.copy(), dict(side.names)) for side in sides]
        ends = [side.step(line) for side in sides]
        first_keys, second_keys = (side.traced_machine.procedures for side in sides)
        executed_pairs = [pair for pair in self.pairs if pair.first_key in first_keys or pair.second_key in second_keys]
        self.line_count += 1
        self.procedures.update(executed_pairs)
        outcomes = [side.outcome() for side in sides]
        slots = differing_things(*outcomes)
        self._record_line(_PairedLine(sides, before, line, which, ends, outcomes), slots, executed_pairs)
        # After a different number of dice, all further dice differ.
        dice_counts = {len(side.playthrough.dice) for side in sides}
        agrees = ends[0] == ends[1] and ends[0] in {"", REFUSED_ANSWER} and len(dice_counts) == 1
        return agrees and not common_slots(slots, self.graphs)

    def _record_line(self, scene: "_PairedLine", slots: list[ChangedSlot], executed_pairs: list[ProcedurePair]) -> None:
        """Record the differing effects of a line: those of hooks, and the rest as `_attribute_difference` finds it."""
        # A slot that one stack alone declares is reported with its declaration, unless a hook writes it.
        unexplained = {*common_slots(slots, self.graphs)}
        if scene.ends == ["", ""] and slots:
            for pair in executed_pairs:
                unhooked = scene.unhooked_writes(pair)
                if written := [slot for slot in slots if slot in unhooked]:
                    self._record(self.by_procedure, pair, scene.difference_case(written))
                    unexplained.difference_update(written)
        if stopping := next(filter(scene.is_stopped_by, executed_pairs), None):
            self._record(self.by_procedure, stopping, scene.difference_case([]))
        elif unexplained or scene.ends[0] != scene.ends[1]:
            self._attribute_difference(scene, [slot for slot in slots if slot in unexplained], executed_pairs)

    def _attribute_difference(
        self, scene: "_PairedLine", slots: list[ChangedSlot], executed_pairs: list[ProcedurePair]
    ) -> None:
        """Attribute differences that are due to no hook: to changed rules, else to the procedures that ran."""
        first, second = scene.answers()
        case = scene.difference_case(slots)
        acting_pairs = [pair for pair in executed_pairs if not pair.is_hook]
        sequence = self._sequence_pair() if isinstance(scene.line, graph.Order) else None
        if labels := self.attribution.changes_of_answers(first, second):
            self._record(self.by_rules, labels, case)
        elif pair := next(iter(acting_pairs), sequence):
            self._record(self.by_procedure, pair, case)
        else:
            # A differing procedure has other questions: those of one stack only count where none has run.
            labels = self.attribution.other_causes(first, second, scene.counters_in_play(), slots, scene.line)
            self._record(self.by_rules, labels, case)

    def _sequence_pair(self) -> ProcedurePair | None:
        """Return the sequences of play, if they differ."""
        return next((pair for pair in self.pairs if "sequence" in pair[:2]), None)

    def _record(self, cases: dict[Cause, list[PlayDifference]], cause: Cause, case: PlayDifference) -> None:
        """Add a case to those of a cause, if its position could stand on a table."""
        if could_stand(case, self.interpreters):
            cases.setdefault(cause, []).append(case)

    def _ask(self, sides: list[TracedRun], line: graph.ExampleLine, which: int) -> None:
        """Evaluate the question of an example in both, or follow the sequence of play in both."""
        sequence = self._sequence_pair()
        if isinstance(line, graph.Order) and sequence is None:
            return
        if not all(knows_factors(line, rules) for rules in self.graphs):
            return  # What one alone prints on its counters is told by itself.
        before = [(side.playthrough.copy(), dict(side.names)) for side in sides]
        first, second = (_evaluation(side, line) for side in sides)
        if first is None or second is None or first.value == second.value:
            return
        if isinstance(line, graph.Order):
            # Where one deviates from an order that the other keeps, the other one comes by the expected station.
            texts = [first.text or second.value[0], second.text or first.value[0]]
        else:
            texts = [first.text, second.text]
        scene = _PairedLine(sides, before, line, which, texts, [{}, {}])
        case = scene.difference_case([])
        if isinstance(line, graph.Order) and sequence is not None:
            self._record(self.by_procedure, sequence, case)
            return
        answers = scene.answers()
        labels = self.attribution.changes_of_answers(*answers, (*first.labels, *second.labels))
        labels = labels or self.attribution.other_causes(*answers, scene.counters_in_play(), (), line)
        self._record(self.by_questions, labels, case)


@frozen_dataclass
class _PairedLine:
    """A line played in both stacks, with all that is needed to replay it."""

    sides: list[TracedRun]
    before: list[PriorState]
    line: graph.ExampleLine
    which: int
    ends: list[str]
    outcomes: list[Outcome]

    def answers(self) -> tuple[TracedAnswers, TracedAnswers]:
        """Return the questions that the line asks in each stack, with their answers."""
        first, second = self.sides
        return (
            first.questions_of_line(self.line, self.before[0]),
            second.questions_of_line(self.line, self.before[1]),
        )

    def unhooked_writes(self, pair: ProcedurePair) -> set[ChangedSlot]:
        """Return the slots that would differ without a hook."""
        slots: set[ChangedSlot] = set()
        for key, side, start, outcome in zip(pair[:2], self.sides, self.before, self.outcomes, strict=True):
            if pair.is_hook and key in side.traced_machine.procedures:
                slots.update(differing_things(outcome, side.outcome_without_hook(key, self.line, start)[0]))
        return slots

    def is_stopped_by(self, pair: ProcedurePair) -> bool:
        """Return whether a hook stops the line in one of the stacks only."""
        if not pair.is_hook or self.ends[0] == self.ends[1]:
            return False
        return any(
            end not in {"", REFUSED_ANSWER}
            and key in side.traced_machine.procedures
            and side.outcome_without_hook(key, self.line, start)[1]
            for key, side, start, end in zip(pair[:2], self.sides, self.before, self.ends, strict=True)
        )

    def counters_in_play(self) -> set[str]:
        """Return the counters in play."""
        return {sheet.counter for side in self.sides for sheet in side.playthrough.state.sheets}

    def difference_case(self, slots: list[ChangedSlot]) -> PlayDifference:
        """Build the case of a difference in these slots."""
        texts, missing_words = difference_texts(self.outcomes, slots, (self.sides[0].rules, self.sides[1].rules))
        if self.ends[0] != self.ends[1]:
            texts = [end or words or "taken" for end, words in zip(self.ends, texts, strict=True)]
        home, (playthrough, names) = self.sides[self.which], self.before[self.which]
        act, position = act_text(self.line, home, names), home.written_position(playthrough.state)
        question = composed_question(self.line, home, (playthrough, names))
        return PlayDifference(
            home.example.title,
            home.example.origin,
            self.which,
            act,
            texts[0],
            texts[1],
            position,
            missing_words,
            question=question,
        )


def act_text(line: graph.ExampleLine, side: TracedRun, names: Names) -> str:
    """Format what is done, as in an example."""
    match line:
        case graph.Perform(action, choices, by=player):
            acting = "" if player is None else f" by {_written(player, side, names)}"
            return f"{action}({_choice_texts(choices, side, names)}){acting}"
        case graph.Do(called, arguments, answers=answers):
            chosen = f" choosing {_choice_texts(answers, side, names)}" if answers else ""
            return f"{called}({_written_all(arguments, side, names)}){chosen}"
        case graph.Tell(called, arguments):
            return f"{called}({_written_all(arguments, side, names)})"
        case graph.End(moment):
            return f"end of {moment}"
        case graph.Order():
            return "the sequence of play"
        case graph.Check(graph.Ask(term, arguments)) if "." not in term:
            return f"{term}({_written_all(arguments, side, names)})"
        case graph.Check(graph.Get(base, "printed" | "track", _, name)):
            return f"{_written(base, side, names)}.{name}"
        case graph.Check(question):
            return Wording(side.rules).phrase(question)
        case _:
            return type(line).__name__.lower()


def composed_question(line: graph.ExampleLine, side: TracedRun, before: PriorState) -> graph.Expr | None:
    """Return a question that is no single term, with the values of its names.

    None for a single term or another line, for a question about a stage, and if a value cannot be written.
    """
    if not isinstance(line, graph.Check) or isinstance(line.question, graph.Ask | graph.Get):
        return None
    if any("." in part.term for part in nodes_of(graph.Ask, line.question)):
        return None
    playthrough, names = before
    literals: dict[str, graph.Expr] = {}
    for name in free_names(line.question):
        literal = _literal(graph.Var(name), side, names, playthrough.state)
        if literal is None:
            return None
        literals[name] = literal
    question: graph.Expr = substitute(line.question, literals)
    return question


def _choice_texts(choices: Iterable[tuple[str, graph.Expr]], side: TracedRun, names: Names) -> str:
    return ", ".join(f"{name}: {_written(value, side, names)}" for name, value in choices)


def _written_all(values: Iterable[graph.Expr], side: TracedRun, names: Names) -> str:
    return ", ".join(_written(value, side, names) for value in values)


def _written(value: graph.Expr, side: TracedRun, names: Names) -> str:
    """Write an expression: a literal as it is, anything else as its value."""
    with suppress(ValueError):
        return expression_text(_literal(value, side, names, side.playthrough.state) or value)
    return value.name if isinstance(value, graph.Var) else Wording(side.rules).phrase(value)


def _literal(value: graph.Expr, side: TracedRun, names: Names, state: State) -> graph.Expr | None:
    """Return the value of an expression as a literal; None if there is none."""
    types = {**types_of_row(side.example, side.row, side.rules), **side.types}
    with suppress(BrokenRules, ValueError, *NO_ANSWER):
        return literal_text(side.answers.evaluate(state, value, names), type_of(value, types, side.rules), state)
    return None


def _evaluation(side: TracedRun, line: graph.ExampleLine) -> LineEvaluation | None:
    """Evaluate a line of an example that asks; None if it has no answer."""
    side.evaluation = None
    with suppress(BrokenRules, *NO_ANSWER):
        side.step(line)
    return side.evaluation


def _has_choices(side: TracedRun, line: graph.ExampleLine, choices: frozenset[str]) -> bool:
    """Return whether a stack has an action with all given choices, in it or in reactions to it."""
    if not isinstance(line, graph.Perform):
        return True
    procedure = side.rules.procedures.get(f"action:{line.action}")
    if procedure is None:
        return False
    known = {"player", *(parameter.name for parameter in procedure.parameters), *choices}
    return known.issuperset(name.rpartition(".")[2] for name, _ in line.choices)


def _choices(rules: graph.Graph) -> frozenset[str]:
    """Return the names of all choices of a stack."""
    bodies = tuple(procedure.body for procedure in rules.procedures.values())
    return frozenset(step.name for step in nodes_of(graph.Choose, bodies))
