"""Search for a position in which a procedure that differs between two stacks has different results.

The input is two graphs, their machines, and a procedure of both, or a hook of one; the output is a position, what is
done there, and the final state in each. The search makes the path condition of each differing step true
(access_paths.py), starting with positions of examples; then the procedure runs in both stacks with the choices and the
dice of that path. Only its result counts.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from runtime.answer.conditions import conjunction
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import ProcedurePair, taken_back
from runtime.graph.walk import walk
from runtime.play.perform import carry_out, perform
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness import objectives
from runtime.witness.access_paths import AccessPath, access_paths, call_of, changed_access_paths
from runtime.witness.candidate import Candidate
from runtime.witness.dependencies import dependencies_of
from runtime.witness.domain_pool import DomainPool
from runtime.witness.example_places import Place, Places, PlayDifference
from runtime.witness.fast_interpreter import FastInterpreter
from runtime.witness.fitness import NO_ANSWER
from runtime.witness.label_changes import differing_properties
from runtime.witness.outcome import Outcome, differing_things, state_of, summarize_events, with_dice, words_for
from runtime.witness.paired_machines import PairedMachines
from runtime.witness.position_file import expression_text
from runtime.witness.possible_position import impossible_parts, possible_position
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.search import Instance, Objective, SearchContext, instance_of, is_sound, search_candidates
from runtime.witness.shrinking import shrink
from runtime.witness.traced_run import TracedMachine
from runtime.witness.translated_position import translated_position

# The number of paths that are searched, of positions for each, and of positions of examples that a search starts with.
WAYS, BUDGET, SEEDS = 4, 60, 6
# The number of positions for an action that chooses a subset.
OF_SEVERAL = 24
# The number of positions for a procedure and a counter: often the dice have to match as well.
OF_COUNTER = 150
# The number of positions with equal results in both stacks from which runs start.
OPEN = 2
TERM, RULE = "way", "the-way-is-open"
NOWHERE = graph.Origin("", "", 0, 0, 0, 0)
REFUSED, TAKEN = "refused", "taken"

Prepared = Callable[[int, Candidate], Candidate]
Ended = tuple[str, Outcome]


class ProcedureRuns:
    """Two stacks in which a procedure runs, in positions found by search."""

    def __init__(
        self, places: Places, machines: tuple[TracedMachine, ...], quick: tuple[FastInterpreter, FastInterpreter],
        prepared: Prepared, *, alone: bool,
    ) -> None:  # fmt: skip
        """Store two stacks; `alone`: only one procedure has changed, so that it is the cause of any difference."""
        self.graphs, self.machines, self.quick, self.places = places.graphs, machines, quick, places.all_places
        self.prepared, self.alone = prepared, alone
        self.walks = PairedMachines(places, machines, alone=alone)

    def find(self, pair: ProcedurePair) -> tuple[PlayDifference | None, int]:
        """Return a position in which a procedure makes a difference, and the number of positions examined."""
        tried = 0
        if not self._can_be_begun(pair):
            return None, tried
        strange: PlayDifference | None = None
        for which, way in changed_access_paths(*self.graphs, *pair[:2])[:WAYS]:
            one = _DrivenPath(self, pair, which, way)
            found = one.find(OF_SEVERAL if self._is_wide(pair, way) else BUDGET)
            tried += one.tried
            if found is not None and not found.remarks:
                return found, tried
            strange = strange or found
            walks = [self.walks.taken_up(pair, place) for place in one.open] if self.alone and found is None else []
            tried += len(walks)
            if walked := next(filter(None, walks), None):
                return walked, tried
        return strange, tried

    def with_counter(self, id_: str) -> tuple[PlayDifference, ProcedurePair] | None:
        """Return a procedure, the same in both, with a different result for a counter that is printed differently."""
        here, there = self.graphs
        read = set(differing_properties(here.counters[id_], there.counters[id_]))
        keys = [
            key
            for key, each in there.procedures.items()
            if each.what in {"action", "resolution"} and not read.isdisjoint(dependencies_of(each.body))
        ]
        for key in keys[:WAYS] if self.alone else ():
            pair = ProcedurePair(key, key, same=True)
            reading = [way for way in access_paths(there, key) if not self._is_wide(pair, way)
                       and not read.isdisjoint(dependencies_of((way.step, way.conditions)))]  # fmt: skip
            found = _DrivenPath(self, pair, 1, reading[-1], id_).find(OF_COUNTER) if reading else None
            if found is not None:
                return found, pair
        return None

    @staticmethod
    def _is_wide(pair: ProcedurePair, way: AccessPath) -> bool:
        """Return whether an action chooses subsets on the path, whose legality is expensive to test."""
        several = {each.name for each in way.parameters if isinstance(each.type, graph.Many)}
        return (pair.there or pair.here).startswith("action:") and not several.isdisjoint(way.chosen)

    def _can_be_begun(self, pair: ProcedurePair) -> bool:
        """Return whether both stacks can run the same: a procedure of both, or an event that both raise."""
        if not pair.is_hook:
            return bool(pair.here and pair.there) and not pair.here.startswith("sequence")
        event = self._event(pair)
        return event.startswith("end of ") or all(event in each.vocabulary.events for each in self.graphs)

    def _event(self, pair: ProcedurePair) -> str:
        return next(rules.procedures[key].event for rules, key in zip(self.graphs, pair[:2], strict=True) if key)


class _DrivenPath:
    """The search along one path, in the words of one of the stacks."""

    def __init__(
        self, plays: ProcedureRuns, pair: ProcedurePair, which: int, way: AccessPath, counter: str = ""
    ) -> None:
        self.plays, self.pair, self.which, self.way = plays, pair, which, way
        self.tried = 0
        self.open: list[Place] = []
        # The dice that fell in each stack when it was carried out there last.
        self.thrown: list[tuple[str, ...]] = [(), ()]
        rules = plays.graphs[which]
        rule = graph.Rule(RULE, (TERM,), "holds", None, way.lets, conjunction(way.conditions), (), (), "", "", "", (),
                          "", NOWHERE)  # fmt: skip
        term = graph.Term(TERM, "condition", way.parameters, graph.YesNo(), (RULE,), default=False, otherwise=None,
                          capped=None, reads="", denied="", cites=(), origin=NOWHERE)  # fmt: skip
        self.rules = replace(rules, terms={**rules.terms, TERM: term}, rules={**rules.rules, RULE: rule})
        materials = DomainPool(self.rules, PseudoRandom(f"{pair.here} {pair.there} {rules.stack} {counter}"))
        self.materials = materials.favoring_counter(counter) if counter else materials

    def find(self, budget: int) -> PlayDifference | None:
        """Search for a position in which both stacks run the procedure with different results."""
        live = objectives.live_objective(self.rules, TERM, RULE)
        name = f"way {self.pair.here} {self.pair.there} {self.way.conditions}"
        term = self.rules.terms[TERM]
        objective = Objective(name, term, live.grade, live.propose, lambda instance: self._met(instance, live))
        tools = SearchContext(Interpreter(self.rules), self.materials, budget // 2)
        found = search_candidates(self.rules, objective, budget, tools, list(self._seeds()))
        return None if found is None else self._told(found)

    def _met(self, instance: Instance, live: Objective) -> bool:
        """Return whether the results differ; store the position if they do not, and the path is open."""
        if self._ends(instance.candidate) is not None:
            return True
        if (
            len(self.open) < OPEN
            and live.met(instance)
            and (positions := self._positions(instance.candidate)) is not None
        ):
            self.open.append(Place(None, self.which, positions))
        return False

    def _seeds(self) -> Iterator[Candidate]:
        """Return positions of examples, those with the same action first, with its choices, or values for all names."""
        places = [(place, self._choices_of(place)) for place in self.plays.places if place.which == self.which]
        for place, chosen in sorted(places, key=lambda each: not each[1])[:SEEDS]:
            bare = Candidate(place.positions[self.which], ())
            with suppress(IndexError, ValueError, *NO_ANSWER):
                values = [chosen.get(each.name) or self.materials.make_value(each.type, bare)
                          for each in self.way.parameters]  # fmt: skip
                if None not in values:
                    arguments = tuple(value for value in values if value is not None)
                    yield self.plays.prepared(self.which, Candidate(bare.position, arguments))

    def _choices_of(self, place: Place) -> dict[str, graph.Expr]:
        """Return the choices of an example that first takes the action, as far as they are literals."""
        lines = place.example.lines if place.example else ()
        taken = next((line for line in lines if isinstance(line, graph.Perform)
                      and f"action:{line.action}" == self.way.key), None)  # fmt: skip
        given = taken.choices if taken else ()
        return {name: value for name, value in given if not any(isinstance(part, graph.Var) for part in walk(value))}

    def _told(self, instance: Instance) -> PlayDifference | None:
        """Shrink the position to one that can be set up, and format the states after what is done there."""
        records = self.rules.vocabulary.records

        def holds(candidate: Candidate) -> bool:
            return self._is_sound(candidate) and self._ends(candidate) is not None

        small = possible_position(shrink(instance.candidate, holds, records), holds, self.materials, self.plays.graphs)
        ends = self._ends(small)
        if ends is None:
            return None
        (said, here), (other, there) = ends
        things = differing_things(here, there)
        shared = words_for(words_for(things, self.plays.graphs[0]), self.plays.graphs[1])
        told = shared or things
        after = [state_of(here, there, told), state_of(there, here, told)]
        if said != other:
            after = [end if end == REFUSED else words or end for end, words in zip((said, other), after, strict=True)]
        act, *after = with_dice(self._act(small), after, self.thrown)
        lacks = () if shared or not things else tuple(dict.fromkeys(t.key.rpartition(".")[2] for t in things))
        position = self.plays.prepared(self.which, small).position
        strange = impossible_parts(small, self.plays.graphs)
        return PlayDifference(None, self.which, act, after[0], after[1], position, lacks, strange)

    def _act(self, candidate: Candidate) -> str:
        """Write what is done."""
        named = dict(zip((each.name for each in self.way.parameters), candidate.arguments, strict=True))
        given = ", ".join(f"{name}: {expression_text(named[name])}" for name in self.way.chosen)
        procedure = self.rules.procedures[self.way.key]
        moment = procedure.event.startswith("end of ")
        return procedure.event if moment else f"{procedure.event or procedure.name}({given})"

    def _is_sound(self, candidate: Candidate) -> bool:
        answers = Interpreter(self.rules)
        instance = instance_of(answers, candidate)
        return instance is not None and is_sound(answers, instance)

    # ------------------------------------------------------------------ running

    def _ends(self, candidate: Candidate) -> tuple[Ended, Ended] | None:
        """Run the procedure in both stacks; None if the results are equal, or differ for another reason."""
        self.tried += 1
        try:
            positions = self._positions(candidate)
            if positions is None:
                return None
            candidates = [
                Candidate(position, self.plays.prepared(self.which, candidate).arguments) for position in positions
            ]
            here, there = (self._end(at, candidates[at]) for at in (0, 1))
            if here is None or there is None or not _differ(here, there):
                return None
            return (here, there) if self._is_due(candidates[1], there) else None
        except (BrokenRules, AttributeError, *NO_ANSWER):
            return None

    def _positions(self, candidate: Candidate) -> tuple[graph.Position, graph.Position] | None:
        """Convert a position for each stack; None if the other one has no counter for a piece."""
        position = self.plays.prepared(self.which, candidate).position
        other = translated_position(position, self.plays.graphs[1 - self.which])
        if other is None:
            return None
        return (position, other) if self.which == 0 else (other, position)

    def _end(self, at: int, candidate: Candidate) -> Ended | None:
        """Run the procedure in one stack; None if that violates an `always` fact there."""
        machine = self.plays.machines[at]
        instance = instance_of(self.plays.quick[at], candidate)
        if instance is None or not is_sound(self.plays.quick[at], instance):
            return None
        named: dict[str, Value] = {
            each.name: value for each, value in zip(self.way.parameters, instance.arguments, strict=True)
        }
        dice = tuple(int(named[name]) for name in self.way.rolled)
        # Dice on the path are the same in both stacks.
        playthrough = Playthrough(from_position(machine.graph, candidate.position), repr(candidate.arguments), dice)
        procedure = self.rules.procedures[self.way.key]
        types = {each.name: each.type for each in self.way.parameters}
        if procedure.what == "action":
            player = {"player": named["player"]} if "player" in named else {}
            chosen = {name: named[name] for name in self.way.chosen} | player
            refused = perform(machine, playthrough, procedure.name, chosen)
            if refused is not None and refused.unspecified:
                return None
            return self._ended(at, playthrough, REFUSED if refused else TAKEN)
        carry_out(machine, playthrough, (call_of(procedure),), {name: named[name] for name in self.way.chosen}, types)
        return self._ended(at, playthrough, TAKEN)

    def _ended(self, at: int, playthrough: Playthrough, how: str) -> Ended:
        self.thrown[at] = tuple(str(die.value) for die in playthrough.dice if die.domain)
        return how, summarize_events(playthrough.state, playthrough.journal)

    def _is_due(self, candidate: Candidate, came: Ended) -> bool:
        """Return whether the second stack would have another result with the procedure of the first one."""
        if self.plays.alone or not self.pair.there:
            return True
        fell = self.thrown[1]
        with self.plays.machines[1].replace_procedure(self.pair.there, taken_back(self.plays.graphs, self.pair)):
            end = self._end(1, candidate)
        self.thrown[1] = fell
        return end is None or _differ(end, came)


def _differ(here: Ended, there: Ended) -> bool:
    return here[0] != there[0] or bool(differing_things(here[1], there[1]))
