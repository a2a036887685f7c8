"""Count the use of the rules that an experiment is about: what was queried, offered, taken, live in a game.

The input is a graph ready to play, the keys of the changes in it (reachable_changes.py) and the evaluator of its
executed steps; the output is for each of them how often it was reached, offered and used in a game. Actions, phases and
resolutions are counted each time. For rules, cells and counters it is recorded whether a game queried them and whether
they were live: in executed steps, or in the computation of options, which is where a rule that forbids is live. What a
player evaluates or tries out for itself does not count.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from runtime.answer.tables import matching_rows
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.experiment.reachable_changes import ACTION, CELL, CHART, COUNTER, DEFAULT, OFFER, PHASE, RULE, STEP
from runtime.experiment.watched_parts import watched_parts
from runtime.graph import nodes as graph
from runtime.graph.rows import row_label
from runtime.play.choices import Choices, Offering, Site
from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import TAKE, Option
from runtime.play.playthrough import Playthrough, ProcedureFrame
from runtime.play.programs import Program
from runtime.state.position import State

# Between the key of an action and a side that took it.
BY_SIDE = " by "


class Use(NamedTuple):
    """How often something was reached, offered and used in a game; 0 or 1 for rules, cells and counters."""

    key: str
    reached: int
    offered: int
    used: int


class UseTracer:
    """A tracer of the games of one graph, one after the other."""

    def __init__(self, machine: Machine, keys: Collection[str], listener: CountingEvaluator) -> None:
        """Compute which questions have to be recorded for these keys; `listener` evaluates executed steps."""
        rules = self.rules = machine.graph
        self.keys = frozenset(keys)
        self.listener = listener
        watched = watched_parts(rules, keys)
        listener.counted_terms, listener.charts = frozenset(watched.terms), frozenset(watched.charts)
        self.counter_keys = frozenset(key for key in self.keys if key.startswith(f"{COUNTER}:"))
        self.rule_keys = frozenset(key for key in self.keys if key.partition(":")[0] in (RULE, CELL, CHART, DEFAULT))
        self.choices = Choices(machine.programs.entries, OptionEvaluator(listener, rules), rules, is_as_written=True)
        self.phases = _phases_of(machine.programs.entries[SEQUENCE]) if SEQUENCE in machine.programs.entries else ()
        self.offering_phase, self.offering_side = "", ""
        self.counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.live_keys: set[str] = set()

    # During a game.

    def decision_reached(self, playthrough: Playthrough, call: ProcedureFrame, site: Site) -> None:
        """Count the offered actions, and record the computation of options and the shown counters."""
        state, names = playthrough.state, call.names
        self._note_counters(state)
        if isinstance(site, Offering):
            self.offering_phase = self._phase(state, call.key, call.offset)
            self.offering_side = self.choices.site(call).side(state, names)
        offers = self._offers(site) if isinstance(site, Offering) else {}
        listens = not self.rule_keys <= self.live_keys
        if not offers and not listens:
            return
        own_site = self.choices.site(call)
        candidates = own_site.candidates(state, names, own_site.side(state, names))
        for member in candidates.members:
            action_keys = offers.get(member.name, ()) if isinstance(member, Option) and member.kind == TAKE else ()
            if (listens or action_keys) and candidates.legal(member):
                for key in action_keys:
                    self.counts[key][1] += 1
        for keys in offers.values():
            for key in keys:
                self.counts[key][0] += 1
        self._note_evaluations()

    def action_taken(self, playthrough: Playthrough, action: str) -> None:  # noqa: ARG002 - as tracers have it.
        """Count an action; the last offer that was reached is the one that it is taken in."""
        for key in (f"{ACTION}:{action}", offer_key(action, self.offering_phase)):
            self.procedure_called(key)
            if key in self.keys:
                self.counts[side_key(key, self.offering_side)][2] += 1

    def procedure_called(self, key: str) -> None:
        """Count a resolution or a hook, or another use."""
        if key in self.keys:
            self.counts[key][2] += 1

    def record_sequence_step(self, playthrough: Playthrough, call: ProcedureFrame, number: int) -> None:
        """Count a phase, or a resolution in its place in the sequence of play."""
        step = self.choices.programs[call.key].steps[number]
        if isinstance(step, graph.Phase):
            self.procedure_called(f"{PHASE}:{step.name}")
        elif isinstance(step, graph.Do):
            self.procedure_called(f"{STEP}:{step.resolution}@{self._phase(playthrough.state, call.key, number)}")

    def _phase(self, state: State, key: str, number: int) -> str:
        """Return the phase of a step; the phase of the state lasts beyond its end, until the next one begins."""
        return self.phases[number] if key == SEQUENCE else state.phase

    def _offers(self, site: Offering) -> dict[str, list[str]]:
        """Return the watched keys among the actions of an offer."""
        offered = {}
        for name, _ in site.step.actions:
            keys = [key for key in (f"{ACTION}:{name}", offer_key(name, self.offering_phase)) if key in self.keys]
            if keys:
                offered[name] = keys
        return offered

    # At its end.

    def take_counts(self, state: State) -> tuple[Use, ...]:
        """Return the counts of a game that ended like this, and reset them."""
        self._note_evaluations()
        self._note_counters(state)
        for key in self.live_keys:
            self.counts[key][2] = 1
        uses = counted_uses(self.counts, self.keys)
        self.forget()
        return uses

    def forget(self) -> None:
        """Reset the counts."""
        self.counts.clear()
        self.live_keys.clear()
        self.listener.take_evaluations()

    def _note_counters(self, state: State) -> None:
        """Record which counters show, or have shown on the way to the face that shows: a piece may be flipped."""
        if self.counter_keys <= self.live_keys:
            return
        for sheet in state.sheets:
            faces = faces_between(self.rules, sheet.original_counter or sheet.counter, sheet.counter)
            self.live_keys |= self.counter_keys & {f"{COUNTER}:{name}" for name in faces}

    def _note_evaluations(self) -> None:
        """Record which questions were evaluated, and which rules were live in an answer."""
        for name, evaluated in self.listener.take_evaluations():
            keys = clause_keys(self.rules, name)
            if table := self.rules.tables.get(name):
                self._note_rule(f"{CHART}:{name}", live=True)
                rows = matching_rows(table, evaluated)
                live_clauses = [row in rows for row in table.rows]
            else:
                live_clauses = [bool(evaluated >> bit & 1) for bit in range(len(keys) - 1)] + [not evaluated]
            for key, live in zip(keys, live_clauses, strict=True):
                self._note_rule(key, live=live)

    def _note_rule(self, key: str, *, live: bool) -> None:
        if key in self.rule_keys:
            self.counts[key][0] = 1
            if live:
                self.live_keys.add(key)


def counted_uses(counts: Mapping[str, list[int]], keys: Collection[str]) -> tuple[Use, ...]:
    """Return the uses of the watched keys, and by each side; what was used was also offered and reached."""
    return tuple(
        Use(key, max(reached, offered, used), max(offered, used), used)
        for key, (reached, offered, used) in sorted(counts.items())
        if key.partition(BY_SIDE)[0] in keys
    )


def clause_keys(rules: graph.Graph, name: str) -> list[str]:
    """Return the keys of the cells of a chart, or of the rules of a term and behind them its default."""
    if table := rules.tables.get(name):
        return [f"{CELL}:{row_label(table, row, rules.vocabulary)}" for row in table.rows]
    return [*(f"{RULE}:{label}" for label in rules.terms[name].rules), f"{DEFAULT}:{name}"]


def offer_key(action: str, phase: str) -> str:
    """Return the key of an action offered in a phase, "" outside all."""
    return f"{OFFER}:{action}@{phase}"


def side_key(key: str, side: str) -> str:
    """Return the key for the use of an action by one side."""
    return f"{key}{BY_SIDE}{side}"


def faces_between(rules: graph.Graph, first: str, last: str) -> list[str]:
    """Return the faces of a piece from its first one to the last, which it shows."""
    faces = [first]
    while faces[-1] != last and (face := rules.counters.get(faces[-1])) and face.back not in faces:
        faces.append(face.back)
    return faces


def _phases_of(sequence: Program) -> tuple[str, ...]:
    """Return for each step of the sequence of play the phase that it is in, "" outside all."""
    phases = [""] * len(sequence.steps)
    for number, step in enumerate(sequence.steps):
        if isinstance(step, graph.Phase):
            phases[number] = step.name
        for block in sequence.blocks.get(number, ()):
            for inner in block:
                phases[inner] = phases[number]
    return tuple(phases)
