"""Whole things that cite a source, and which of them the examples protect: what a ledger is measured by.

In: a graph whose examples pass. Out: its units with a source of their own. A unit counts as protected when all its
alterations are noticed: of a counter every figure and trait. What stands inside of rules and steps is left out.
"""

from collections.abc import Callable
from dataclasses import dataclass

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.mutation.mutant import FIGURE, ORDER, ROUND, STEP, TRAIT, WHOLES, Mutant
from runtime.mutation.protection import Trials, mutants_of

COUNTER = "counter"
COUNTED_AS = {FIGURE: COUNTER, TRAIT: COUNTER, ORDER: STEP, ROUND: STEP}


@dataclass(frozen=True, slots=True)
class MutationTarget:
    """Something an example should protect: a rule's label, `table[n]` for its row n, a step of a procedure, .."""

    what: str
    name: str
    cites: tuple[str, ...]
    origin: graph.Origin


@dataclass(frozen=True, slots=True)
class Protection:
    """What mutation found. `runs` are the examples as they stand."""

    runs: tuple[Run, ...]
    protected: tuple[MutationTarget, ...]
    unprotected: tuple[MutationTarget, ...]


def target_of(mutant: Mutant) -> MutationTarget:
    """Return the thing that a mutant alters."""
    return MutationTarget(COUNTED_AS.get(mutant.what, mutant.what), mutant.name, mutant.cites, mutant.origin)


def mutate(rules: graph.Graph, only: Callable[[MutationTarget], bool] = lambda _: True) -> Protection:
    """Alter every whole thing of a graph, or `only` some, one at a time."""
    mutants: dict[MutationTarget, list[Mutant]] = {}
    for mutant in mutants_of(rules):
        if mutant.what in WHOLES and mutant.singled_out and only(unit := target_of(mutant)):
            mutants.setdefault(unit, []).append(mutant)
    trials = Trials(rules, [mutant for each in mutants.values() for mutant in each])
    protected = [unit for unit, each in mutants.items() if all(trials.is_killed(mutant) for mutant in each)]
    done = set(protected)
    left = tuple(unit for unit in mutants if unit not in done)
    return Protection(tuple(record.run for record in trials.records), tuple(protected), left)
