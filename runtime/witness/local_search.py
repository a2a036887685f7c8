"""Search for a candidate that meets an objective, from a bare one, by repairing one failing condition after the other.

The input is an objective, which proposes changes to candidates; the output is the first candidate that meets it within
the budget, or None. This is a focused random walk, as in WalkSAT (Selman, Kautz and Cohen, Noise Strategies for
Improving Local Search, 1994): each step repairs a condition that fails, drawn at random, and is accepted in any case;
after some steps the walk starts again. All choices are drawn from one stream, so that the same objective yields the
same candidate.

A fitness that only accepts what comes nearer was measured, and is not worth its code: docs/architecture.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle

from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.witness.candidate import Candidate, empty_candidate, with_piece
from runtime.witness.card_facts import with_facts
from runtime.witness.domain_pool import DomainPool
from runtime.witness.instance import NO_ANSWER, Instance, instance_of, satisfies_invariants
from runtime.witness.pseudorandom import PseudoRandom
from runtime.witness.random_change import random_change
from runtime.witness.repair import Repairer

# The number of hexes of a row, which is extended only where a distance requires it.
HEXES_OF_ROW = 4
# For rules that read the neighborhood of a hex, there are three rows of three, with arguments from the middle on: a hex
# with all its neighbors, and two that have another one in common.
SIDE_OF_GRID, INSIDE_OUT = 3, (4, 5, 2, 1, 3, 7, 8, 0, 6)

# The number of steps after which a walk starts again.
STEPS_OF_WALK = 120


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of a search for a term: a proposal, and a test of an instance."""

    name: str
    term: graph.Term
    propose: Callable[[Repairer, Instance], Candidate | None]
    is_met: Callable[[Instance], bool]


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The context of a search, which callers with many searches of one graph pass in."""

    answers: Interpreter
    materials: DomainPool
    most_steps: int = STEPS_OF_WALK


def search_candidates(
    rules: graph.Graph,
    objective: Objective,
    budget: int,
    tools: SearchContext | None = None,
    seeds: Sequence[Candidate] = (),
) -> Instance | None:
    """Return a candidate that meets the objective, set up; None after `budget` candidates.

    Each walk starts from the next of the `seeds`; when all were tried, from a bare candidate, cyclically.
    """
    chance = PseudoRandom(f"{rules.stack} {objective.name}")
    tools = tools or SearchContext(Interpreter(rules), DomainPool(rules, chance))
    materials = tools.materials.with_stream(chance)
    current: Instance | None = None
    steps = 0
    starts = cycle((*seeds, None))
    for _ in range(budget):
        if current is None or steps > tools.most_steps:
            current, steps = None, 0
            candidate = next(starts) or initial_candidate(materials, objective.term)
        else:
            candidate = propose_candidate(objective, current, materials)
        instance = None if candidate is None else instance_of(tools.answers, candidate)
        steps += 1
        if instance is None:
            continue
        if satisfies_invariants(instance) and objective.is_met(instance):
            return instance
        current = instance
    return None


def initial_candidate(materials: DomainPool, term: graph.Term) -> Candidate | None:
    """Build a bare row with a piece for each piece parameter and some arguments; None if they cannot be built."""
    chance = materials.chance
    player = chance.pick_or_none(materials.sides) if "player" in materials.clock else None
    phase = chance.pick_or_none(materials.phases) if "phase" in materials.clock else None
    square = term.name in materials.map_readers and chance.one_in(2)
    names = materials.hex_names(SIDE_OF_GRID * SIDE_OF_GRID if square else HEXES_OF_ROW)
    candidate = empty_candidate(
        materials.stack.stack, player or "", phase or "", names, SIDE_OF_GRID if square else HEXES_OF_ROW
    )
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


def propose_candidate(objective: Objective, current: Instance, materials: DomainPool) -> Candidate | None:
    """Propose a change to an instance: a repair, or a random change if none is known."""
    types = tuple(parameter.type for parameter in objective.term.parameters)
    repairer = Repairer(current, materials, types)
    broken = [fact.condition for fact in materials.stack.always if current.value(fact.condition, {}) is not True]
    try:
        repaired = (
            repairer.propose_repair(materials.chance.pick(broken), {}, want=True)
            if broken
            else objective.propose(repairer, current)
        )
    except NO_ANSWER:
        repaired = None
    return repaired or random_change(repairer)
