"""Search for a position in which a procedure that differs between two stacks has different results.

The input is two graphs, their machines, and a procedure of both, or a hook of one; the output is a position, what is
done there, and the final state in each. The search makes the path condition of each differing step true
(access_paths.py), starting with positions of examples; then the procedure runs in both stacks with the choices and the
dice of that path. Only its result counts.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.conjuncts import conjunction
from runtime.graph.procedure_pairs import ProcedurePair, procedure_of, with_first_body
from runtime.graph.walk import walk
from runtime.play.perform import execute_steps, perform_action
from runtime.play.playthrough import Names, Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness import goals, traced_run
from runtime.witness.access_paths import AccessPath, call_of, changed_access_paths
from runtime.witness.candidate import Candidate
from runtime.witness.example_corpus import PlayDifference, example_positions
from runtime.witness.paired_replay import PairedReplay
from runtime.witness.pool import DomainPool, PseudoRandom
from runtime.witness.position_file import expression_text
from runtime.witness.set_up import (
    NO_ANSWER,
    Instance,
    SearchInterpreter,
    instance_of,
    satisfies_invariants,
    stop_text,
)
from runtime.witness.shrinking import as_on_a_table, shrink
from runtime.witness.traced_run import TracedMachine
from runtime.witness.translated_position import translated_position
from runtime.witness.walk import Objective, SearchContext, search_candidates

# The number of paths that are searched, of positions for each, and of positions of examples that a search starts with.
MOST_PATHS, POSITIONS_PER_PATH, MOST_SEEDS = 4, 60, 6
# The number of positions for an action that chooses a subset.
OF_SEVERAL = 24
TERM, RULE = "way", "the-way-is-open"

REFUSED_WAY, TAKEN_WAY = "refused", "taken"

T = TypeVar("T")
PrepareFunction = Callable[[int, Candidate], Candidate]
RunOutcome = tuple[str, traced_run.Outcome]


class ProcedureRuns:
    """Two stacks in which a procedure runs, in positions found by search."""

    def __init__(self, plays: PairedReplay, prepared: PrepareFunction, *, is_single_change: bool) -> None:
        """Store two stacks; `is_single_change`: one procedure has changed, so that it causes any difference."""
        self.graphs, self.machines, self.interpreters = plays.graphs, plays.machines, plays.interpreters
        self.shared, self.prepared, self.is_single_change = plays.shared, prepared, is_single_change

    @cached_property
    def positions(self) -> tuple[list[tuple[graph.Example, graph.Position]], ...]:
        """Return the positions of examples in each stack."""
        return tuple(list(example_positions(rules)) for rules in self.graphs)

    def find(self, pair: ProcedurePair) -> tuple[PlayDifference | None, int]:
        """Return a position in which a procedure makes a difference, and the number of positions examined."""
        tried = 0
        if not self._can_be_begun(pair):
            return None, tried
        for which, path in changed_access_paths(*self.graphs, *pair[:2])[:MOST_PATHS]:
            search = _DrivenPath(self, pair, which, path)
            difference = search.find(OF_SEVERAL if self._is_wide(pair, path) else POSITIONS_PER_PATH)
            tried += search.trial_count
            if difference is not None:
                return difference, tried
        return None, tried

    @staticmethod
    def _is_wide(pair: ProcedurePair, path: AccessPath) -> bool:
        """Return whether an action chooses subsets on the path, whose legality is expensive to test."""
        subset_names = {parameter.name for parameter in path.parameters if isinstance(parameter.type, graph.Many)}
        return (pair.second_key or pair.first_key).startswith("action:") and not subset_names.isdisjoint(path.chosen)

    def _can_be_begun(self, pair: ProcedurePair) -> bool:
        """Return whether both stacks can run the same: a procedure of both, or an event that both raise."""
        if not pair.is_hook:
            return bool(pair.first_key and pair.second_key) and not pair.first_key.startswith("sequence")
        event = procedure_of(pair, self.graphs).event
        return event.startswith("end of ") or all(event in rules.vocabulary.events for rules in self.graphs)


class _DrivenPath:
    """The search along one path, in the words of one of the stacks."""

    def __init__(self, plays: ProcedureRuns, pair: ProcedurePair, which: int, path: AccessPath) -> None:
        self.plays, self.pair, self.which, self.path = plays, pair, which, path
        self.trial_count = 0
        # The first position in which one of the stacks gets stuck: told only where nothing else differs.
        self.stuck: Instance | None = None
        # The dice that fell in each stack when it was carried out there last.
        self.thrown: list[tuple[str, ...]] = [(), ()]
        first_dice, second_dice = (_dice_of(each, key) for each, key in zip(plays.graphs, pair[:2], strict=True))
        self.has_same_dice = all(second_dice.get(name, ends) == ends for name, ends in first_dice.items())
        rules = plays.graphs[which]
        rule = graph.Rule(
            RULE,
            (TERM,),
            "holds",
            None,
            path.lets,
            conjunction(path.conditions),
            (),
            (),
            "",
            "",
            "",
            (),
            "",
            graph.NO_ORIGIN,
        )
        term = graph.Term(
            TERM,
            "condition",
            path.parameters,
            graph.YesNo(),
            (RULE,),
            default=False,
            otherwise=None,
            capped=None,
            reads="",
            denied="",
            cites=(),
            origin=graph.NO_ORIGIN,
        )
        self.rules = replace(rules, terms={**rules.terms, TERM: term}, rules={**rules.rules, RULE: rule})
        self.interpreter = SearchInterpreter(self.rules, plays.interpreters[which].code)
        stream = PseudoRandom(f"{pair.first_key} {pair.second_key} {rules.stack} ")
        self.materials = DomainPool(self.rules, stream)

    def find(self, budget: int) -> PlayDifference | None:
        """Search for a position in which both stacks run the procedure with different results."""
        live = goals.live_objective(self.rules, TERM, RULE)
        name = f"way {self.pair.first_key} {self.pair.second_key} {self.path.conditions}"
        term = self.rules.terms[TERM]
        objective = Objective(name, term, live.propose, self._is_met)
        tools = SearchContext(self.interpreter, self.materials, budget // 2)
        found = search_candidates(self.rules, objective, budget, tools, list(self._seeds())) or self.stuck
        return None if found is None else self._play_difference(found)

    def _is_met(self, instance: Instance) -> bool:
        """Return whether the results differ; store the position if one stack gets stuck."""
        ends = self._differing_ends(instance.candidate)
        if ends is not None and _is_stuck(ends):
            self.stuck = self.stuck or instance
            return False
        return ends is not None

    def _seeds(self) -> Iterator[Candidate]:
        """Return positions of examples, those with the same action first, with its choices, or values for all names."""
        seeds = [(position, self._choices_of(example)) for example, position in self.plays.positions[self.which]]
        seeds.sort(key=lambda seed: not seed[1])
        for position, chosen in seeds[:MOST_SEEDS]:
            base_candidate = Candidate(position, ())
            arguments = []
            with suppress(IndexError, ValueError, *NO_ANSWER):
                for parameter in self.path.parameters:
                    value = chosen.get(parameter.name) or self.materials.make_value(parameter.type, base_candidate)
                    arguments += [] if value is None else [value]
                if len(arguments) == len(self.path.parameters):
                    yield self.plays.prepared(self.which, Candidate(position, tuple(arguments)))

    def _choices_of(self, example: graph.Example) -> dict[str, graph.Expr]:
        """Return the choices of an example that first takes the action, as far as they are literals."""
        actions = (line for line in example.lines if isinstance(line, graph.Perform))
        action_line = next((line for line in actions if f"action:{line.action}" == self.path.key), None)
        choices = action_line.choices if action_line else ()
        return {name: value for name, value in choices if not any(isinstance(part, graph.Var) for part in walk(value))}

    def _play_difference(self, instance: Instance) -> PlayDifference | None:
        """Shrink the position to one that can be set up, and format the states after what is done there."""
        is_stuck = instance is self.stuck

        def holds(candidate: Candidate) -> bool:
            ends = self._differing_ends(candidate) if self._is_sound(candidate) else None
            return ends is not None and _is_stuck(ends) == is_stuck

        small = shrink(instance.candidate, holds, self.rules.vocabulary.records)
        small = as_on_a_table(small, holds, self.materials, self.plays.shared)
        ends = self._differing_ends(small)
        if ends is None:
            return None
        (first_end, first_outcome), (second_end, second_outcome) = ends
        slots = traced_run.differing_things(first_outcome, second_outcome)
        after, missing_words = traced_run.difference_texts((first_outcome, second_outcome), slots, self.plays.graphs)
        if first_end != second_end:
            results = zip((first_end, second_end), after, strict=True)
            after = [(text if end == TAKEN_WAY else "") or end for end, text in results]
        act, *after = traced_run.with_dice(self._act(small, is_stuck=is_stuck), after, self.thrown)
        position = self.plays.prepared(self.which, small).position
        origin = procedure_of(self.pair, self.plays.graphs).origin
        return PlayDifference("", origin, self.which, act, after[0], after[1], position, missing_words)

    def _act(self, candidate: Candidate, *, is_stuck: bool) -> str:
        """Write what is done; where a resolution gets stuck, without the choices that it does not come to."""
        procedure = self.rules.procedures[self.path.key]
        if procedure.event.startswith("end of "):
            return procedure.event
        named = self._named(candidate.arguments)
        names = self.path.chosen
        if procedure.what != "action" and is_stuck:
            parameters = {parameter.name for parameter in procedure.parameters}
            names = tuple(name for name in names if name in parameters)
        choices_text = ", ".join(f"{name}: {expression_text(named[name])}" for name in names)
        return f"{procedure.event or procedure.name}({choices_text})"

    def _named(self, values: Sequence[T]) -> dict[str, T]:
        """Return the names of the path with their values."""
        return {parameter.name: value for parameter, value in zip(self.path.parameters, values, strict=True)}

    def _is_sound(self, candidate: Candidate) -> bool:
        instance = instance_of(self.interpreter, candidate)
        return instance is not None and satisfies_invariants(instance)

    # ------------------------------------------------------------------ running

    def _differing_ends(self, candidate: Candidate) -> tuple[RunOutcome, RunOutcome] | None:
        """Run the procedure in both stacks; None if the results are equal, or differ for another reason."""
        self.trial_count += 1
        try:
            candidates = self._candidates(candidate)
            if candidates is None:
                return None
            first, second = (self._run_procedure(which, candidates[which]) for which in (0, 1))
            if first is None or second is None or not _differ(first, second):
                return None
            return (first, second) if self._is_due(candidates[1], second) else None
        except (BrokenRules, AttributeError, *NO_ANSWER):
            return None

    def _candidates(self, candidate: Candidate) -> tuple[Candidate, Candidate] | None:
        """Convert a candidate for each stack; None if the other one has no counter for a piece."""
        prepared = self.plays.prepared(self.which, candidate)
        position = translated_position(prepared.position, self.plays.graphs[1 - self.which])
        if position is None:
            return None
        other = replace(prepared, position=position)
        return (prepared, other) if self.which == 0 else (other, prepared)

    def _run_procedure(self, which: int, candidate: Candidate) -> RunOutcome | None:
        """Run the procedure in one stack; None if that violates an `always` fact there."""
        machine = self.plays.machines[which]
        instance = instance_of(self.plays.interpreters[which], candidate)
        if instance is None or not satisfies_invariants(instance):
            return None
        named: dict[str, Value] = self._named(instance.arguments)
        # Dice on the path are the same in both stacks, unless one throws others.
        dice = tuple(int(named[name]) for name in self.path.rolled) if self.has_same_dice else ()
        playthrough = Playthrough(from_position(machine.graph, candidate.position), repr(candidate.arguments), dice)
        try:
            end = self._end_of_procedure(machine, playthrough, named)
        except (BrokenRules, Unanswered) as stopped:
            end = stop_text(stopped)
            if not end:
                raise
        if end is None:
            return None
        self.thrown[which] = tuple(str(die.value) for die in playthrough.dice if die.domain)
        return end, traced_run.summarize_events(playthrough.state, playthrough.journal)

    def _end_of_procedure(self, machine: TracedMachine, playthrough: Playthrough, named: Names) -> str | None:
        """Run the procedure with these values; return whether it is refused, None where the path does not say that."""
        procedure = self.rules.procedures[self.path.key]
        chosen = {name: named[name] for name in self.path.chosen}
        if procedure.what != "action":
            types = graph.parameter_types(self.path.parameters)
            execute_steps(machine, playthrough, (call_of(procedure),), chosen, types)
            return TAKEN_WAY
        if "player" in named:
            chosen["player"] = named["player"]
        refused = perform_action(machine, playthrough, procedure.name, chosen)
        if refused is not None and refused.unspecified:
            return None
        return REFUSED_WAY if refused else TAKEN_WAY

    def _is_due(self, candidate: Candidate, second_end: RunOutcome) -> bool:
        """Return whether the second stack would have another result with the procedure of the first one."""
        if self.plays.is_single_change or not self.pair.second_key:
            return True
        dice = self.thrown[1]
        with self.plays.machines[1].replace_procedure(
            self.pair.second_key, with_first_body(self.plays.graphs, self.pair)
        ):
            end = self._run_procedure(1, candidate)
        self.thrown[1] = dice
        return end is None or _differ(end, second_end)


def _dice_of(rules: graph.Graph, key: str) -> dict[str, tuple[int, int]]:
    """Return the least and greatest number of the dice of a procedure, by their domains; "" is no procedure."""
    steps = walk(rules.procedures[key].body) if key else ()
    return {step.domain: (step.low, step.high) for step in steps if isinstance(step, graph.Roll)}


def _differ(first: RunOutcome, second: RunOutcome) -> bool:
    return first[0] != second[0] or bool(traced_run.differing_things(first[1], second[1]))


def _is_stuck(ends: tuple[RunOutcome, RunOutcome]) -> bool:
    """Return whether the procedure stops halfway in one of the stacks."""
    return any(end not in {REFUSED_WAY, TAKEN_WAY} for end, _ in ends)
