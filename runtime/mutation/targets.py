"""Compute which whole things with a citation the examples protect: the measure of a ledger.

The input is a graph whose examples pass; the output is its units with their own citations. A unit is protected if all
its alterations are detected: for a counter, each figure and trait. The inside of rules and steps is excluded.
"""

from collections.abc import Callable

from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.mutation.mutant import FIGURE, ROUND, STEP, TRAIT, WHOLES, Mutant
from runtime.mutation.protection import Trials, mutants_of

COUNTER_TARGET = "counter"
COUNTED_AS = {FIGURE: COUNTER_TARGET, TRAIT: COUNTER_TARGET, ROUND: STEP}


@frozen_dataclass
class MutationTarget:
    """A thing that an example should protect: a rule by its label, row n of a table as `table[n]`, a step, .."""

    kind: str
    name: str
    cites: tuple[str, ...]
    origin: graph.Origin


@frozen_dataclass
class Protection:
    """The results of mutation. `runs` are the runs of the examples under the original rules."""

    runs: tuple[Run, ...]
    protected: tuple[MutationTarget, ...]
    unprotected: tuple[MutationTarget, ...]


def target_of(mutant: Mutant) -> MutationTarget:
    """Return the thing that a mutant alters."""
    return MutationTarget(COUNTED_AS.get(mutant.kind, mutant.kind), mutant.name, mutant.cites, mutant.origin)


def measure_protection(rules: graph.Graph, only: Callable[[MutationTarget], bool] = lambda _: True) -> Protection:
    """Mutate each whole thing of a graph, or `only` some, one at a time."""
    mutants: dict[MutationTarget, list[Mutant]] = {}
    for mutant in mutants_of(rules):
        if mutant.kind in WHOLES and mutant.singled_out and only(unit := target_of(mutant)):
            mutants.setdefault(unit, []).append(mutant)
    trials = Trials(rules, [mutant for each in mutants.values() for mutant in each])
    protected = {unit: all(trials.is_detected(mutant) for mutant in each) for unit, each in mutants.items()}
    units = (tuple(unit for unit in mutants if protected[unit] == wanted) for wanted in (True, False))
    return Protection(tuple(record.run for record in trials.records), *units)
