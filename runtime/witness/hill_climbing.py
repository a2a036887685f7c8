"""Climb from a bare candidate to one that meets an objective.

The input is an objective, which computes the fitness of candidates and proposes changes to them; the output is the
first candidate that meets it within the budget, or None. The search accepts each change that does not decrease the
fitness (and few that do) and restarts when it is stuck; all choices are drawn from one stream, so that the same
objective yields the same candidate.

Fitness is useful for differences between stacks: without it, one of the sources (PLQ.MOVE.02,
tests/shipped/test_contrasts.py) is not found, although some others are. Of 170 rules of six games to be made live, 161
were found without it and 160 with it, and equally many of 50 conflicts of rules whose exception was removed, in three
quarters of the time.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.candidate import Candidate, empty_candidate, with_piece
from runtime.witness.card_facts import with_facts
from runtime.witness.domain_pool import DomainPool
from runtime.witness.fitness import NO_ANSWER, Fitness
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.random_change import random_change
from runtime.witness.repair import Repairer

# The number of hexes of a row, which is extended only where a distance requires it.
HEXES = 4
# For rules that read the neighborhood of a hex, there are three rows of three, with arguments from the middle on: a hex
# with all its neighbors, and two that have another one in common.
SIDE, INSIDE_OUT = 3, (4, 5, 2, 1, 3, 7, 8, 0, 6)

# The number of steps without progress after which a search restarts. Found by trying 40 to 400 on planted conflicts:
# less gives up on deep guards, more wastes the budget on bad starts.
MOST_IDLE_STEPS = 120

# Occasionally a search accepts a step that is worse by at most this: two things may have to change at once, as where
# one feature of a hex has to be removed before another one counts.
DETOUR = 0.05


@dataclass(frozen=True, slots=True)
class Instance:
    """A candidate that is set up: the state, and the arguments as plain values."""

    candidate: Candidate
    state: State
    arguments: tuple[Value, ...]
    fitness: Fitness


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of a search for a term: a fitness from 0 to 1, a proposal, and a test of an instance.

    `counters` limits the pieces to these rows of the unit chart; None permits all.
    """

    name: str
    term: graph.Term
    grade: Callable[[Instance], float]
    propose: Callable[[Repairer, Instance], Candidate | None]
    is_met: Callable[[Instance], bool]
    counters: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The context of a search, which callers with many searches of one graph pass in."""

    answers: Interpreter
    materials: DomainPool
    budget: int = MOST_IDLE_STEPS


def search_candidates(
    rules: graph.Graph,
    objective: Objective,
    budget: int,
    tools: SearchContext | None = None,
    seeds: Sequence[Candidate] = (),
) -> Instance | None:
    """Search for a candidate that meets the objective; `budget` candidates are examined.

    Each restart is from the next of the `seeds`; when all were tried, from a bare candidate, cyclically. Callers with
    many searches of one graph pass in the context.
    """
    chance = PseudoRandom(f"{rules.stack} {objective.name}")
    tools = tools or SearchContext(Interpreter(rules), DomainPool(rules, chance, objective.counters))
    answers, materials = tools.answers, tools.materials.with_stream(chance)
    best: Instance | None = None
    grade, stale = 0.0, 0
    starts = cycle((*seeds, None))
    for _ in range(budget):
        if best is None or stale > tools.budget:
            best, grade, stale = None, 0.0, 0
            candidate: Candidate | None = next(starts) or initial_candidate(materials, objective.term)
        else:
            candidate = propose_candidate(objective, best, materials)
        instance = None if candidate is None else instance_of(answers, candidate)
        if instance is None:
            stale += 1
            continue
        if satisfies_invariants(answers, instance) and objective.is_met(instance):
            return instance
        found = grade_instance(objective, instance)
        stale = 0 if found > grade else stale + 1
        if found >= grade or (found > grade - DETOUR and chance.one_in(6)):
            best, grade = instance, found
    return None


def initial_candidate(materials: DomainPool, term: graph.Term) -> Candidate | None:
    """Build a bare row with a piece for each piece parameter and some arguments; None if they cannot be built."""
    chance = materials.chance
    player = chance.pick_or_none(materials.sides) if "player" in materials.clock else None
    phase = chance.pick_or_none(materials.phases) if "phase" in materials.clock else None
    square = term.name in materials.map_readers and chance.one_in(2)
    names = materials.hex_names(SIDE * SIDE if square else HEXES)
    candidate = empty_candidate(materials.stack.stack, player or "", phase or "", names, SIDE if square else HEXES)
    candidate = replace(candidate, position=with_facts(candidate.position, materials.facts))
    hexes = tuple(names[place] for place in INSIDE_OUT) if square else tuple(names)
    arguments: list[graph.Expr] = []
    # Hexes become arguments in their order, starting at some hex: most questions are about neighbors.
    hex_index = chance.number_below(2)
    for parameter in term.parameters:
        match parameter.type:
            case graph.Piece():
                kind = materials.kind_of(parameter.type)
                piece = materials.make_piece(candidate, kind, parameter.name, hexes[chance.number_below(2)])
                candidate = with_piece(candidate, piece)
                arguments.append(graph.Spot("piece", piece.name))
            case graph.Hex():
                arguments.append(graph.Spot("hex", hexes[min(hex_index, len(hexes) - 1)]))
                hex_index += 1
            case other:
                value = materials.make_value(other, candidate)
                if value is None and not isinstance(other, graph.Many):
                    return None
                arguments.append(graph.SetOf(()) if value is None else value)
    return Candidate(candidate.position, tuple(arguments))


def instance_of(answers: Interpreter, candidate: Candidate) -> Instance | None:
    """Set a position up; None if that is impossible."""
    try:
        state = from_position(answers.graph, candidate.position)
    except NO_ANSWER:
        return None
    return instance_in(answers, candidate, state)


def instance_in(answers: Interpreter, candidate: Candidate, state: State) -> Instance | None:
    """Evaluate the arguments in a state; None if that fails."""
    try:
        arguments = tuple(answers.evaluate(state, argument, {}) for argument in candidate.arguments)
    except NO_ANSWER:
        return None
    return Instance(candidate, state, arguments, Fitness(answers, state))


def satisfies_invariants(answers: Interpreter, instance: Instance) -> bool:
    """Return whether a position satisfies the `always` facts of the stack."""
    return all(instance.fitness.value(fact.condition, {}) is True for fact in answers.graph.always)


def grade_instance(objective: Objective, instance: Instance) -> float:
    """Compute the fitness of an instance; violating an `always` fact halves it."""
    return objective.grade(instance) * (1.0 if satisfies_invariants(instance.fitness.answers, instance) else 0.5)


def propose_candidate(objective: Objective, best: Instance, materials: DomainPool) -> Candidate | None:
    """Propose a change to the best instance so far: a repair, or a random change if none is known."""
    types = tuple(parameter.type for parameter in objective.term.parameters)
    repairer = Repairer(best.fitness, best.candidate, materials, types)
    broken = [f.condition for f in materials.stack.always if best.fitness.value(f.condition, {}) is not True]
    try:
        repaired = (
            repairer.propose_repair(materials.chance.pick(broken), {}, want=True)
            if broken
            else objective.propose(repairer, best)
        )
    except NO_ANSWER:
        repaired = None
    return repaired or random_change(repairer)
