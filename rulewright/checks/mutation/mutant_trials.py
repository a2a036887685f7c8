"""Run the mutants of one scene, in this process or in several, as a stream of answers.

In: a scene, the packages, and the numbers of the graph's mutants to run. Out: numbers, each with whether an
example detects the mutant. Each process compiles the scene itself, as loading a graph from the cache is faster than
sending it; the order of mutants is deterministic.
"""

import queue
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.queues import Queue
from pathlib import Path

from compiler.source.garbage_collection import without_garbage_collection
from rulewright.checks.mutation.mutation_scenes import MutationStack
from rulewright.library import cache
from rulewright.library.ablation import strip_statement, without_labels
from rulewright.library.parse_archive import pack
from rulewright.library.stacks import PackageSet, open_packages
from runtime.experiment.processes import WorkerContext, end_with_parent
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.related_procedures import is_amendment
from runtime.mutation.mutant import RULE, Mutant
from runtime.mutation.protection import Trials, mutants_of

# The least number of mutants for which another process saves time.
ENOUGH_MUTANTS = 400
# The interval in seconds at which processes are checked.
LOOK = 5.0

Answer = tuple[int, bool]


@frozen_dataclass
class MutationLimits:
    """The limits of a mutation test: until `is_late` is true, in `jobs` processes.

    One in `sample` mutants is run, and `seed` selects the sample. `places` are files, folders, rules or procedures; if
    it is empty, all are included.
    """

    is_late: Callable[[], bool] = lambda: False
    jobs: int = 1
    sample: int = 1
    seed: int = 0
    places: tuple[str, ...] = ()


def try_mutants(
    scene: MutationStack,
    packages: Sequence[Path],
    mutants: Sequence[Mutant],
    numbers: Sequence[int],
    rules: graph.Graph,
    limits: MutationLimits,
) -> Iterator[Answer]:
    """Yield for each mutant whether an example detects it, until the time is up."""
    if limits.jobs < 2 or len(numbers) < ENOUGH_MUTANTS:
        yield from _try_scene(scene, open_packages(packages), rules, mutants, numbers)
    else:
        yield from _in_processes(scene, packages, numbers, limits)


def _try_scene(
    scene: MutationStack, package_set: PackageSet, rules: graph.Graph, mutants: Sequence[Mutant], numbers: Sequence[int]
) -> Iterator[Answer]:
    chosen = [mutants[number] for number in numbers]
    trials = Trials(rules, chosen)
    for number, mutant in zip(numbers, chosen, strict=True):
        rule = trials.rules.rules.get(mutant.name) if mutant.kind == RULE else None
        if rule is not None and any(verb == "withdraws" or is_amendment(verb) for verb, _ in rule.relations):
            yield number, _noticed_without(scene, package_set, trials, rule)
        else:
            yield number, trials.is_detected(mutant)


def _noticed_without(scene: MutationStack, package_set: PackageSet, trials: Trials, rule: graph.Rule) -> bool:
    """Return whether an example detects the removal of a rule that amends or withdraws procedures.

    A graph contains only the result of amendments and withdrawals, so the stack is compiled again.
    """
    library, target = package_set.library, scene.target
    card = library.scenarios.get(target.scenario) if target.scenario else None
    if card is not None and rule.origin.layer == card.name.text:
        laws = (law for each in card.special for law in strip_statement(each, frozenset({rule.label})))
        card = replace(card, special=tuple(laws))
    else:
        library = without_labels(library, target.stack, (rule.label,))
    altered = PackageSet(library, (), (rule.label,)).compiled(target.stack, card).graph
    return altered is not None and trials.is_distinguished(altered)


def _in_processes(
    scene: MutationStack, packages: Sequence[Path], numbers: Sequence[int], limits: MutationLimits
) -> Iterator[Answer]:
    cache.write_pending()
    pack.write_entries()
    context = WorkerContext()
    answers: Queue[Answer | None] = context.Queue()
    shares = [tuple(numbers[offset :: limits.jobs]) for offset in range(limits.jobs)]
    workers = [
        context.Process(target=_run_worker, args=(scene, tuple(packages), share, answers), daemon=True)
        for share in shares
    ]
    for worker in workers:
        worker.start()
    open_ = len(workers)
    try:
        while open_:
            try:
                answer = answers.get(timeout=LOOK)
            except queue.Empty:
                if limits.is_late():
                    return
                if not any(worker.is_alive() for worker in workers):
                    raise RuntimeError("the processes that try mutants ended early") from None
                continue
            if answer is None:
                open_ -= 1
            else:
                yield answer
    finally:
        for worker in workers:
            if worker.is_alive():
                worker.terminate()
            worker.join()


def _run_worker(
    scene: MutationStack, packages: Sequence[Path], numbers: Sequence[int], answers: "Queue[Answer | None]"
) -> None:
    """Run a share of the mutants, in a worker process."""
    end_with_parent()
    with without_garbage_collection():
        package_set = open_packages(packages)
        rules = scene.graph(package_set)
        if rules is not None:
            for answer in _try_scene(scene, package_set, rules, list(mutants_of(rules)), numbers):
                answers.put(answer)
    answers.put(None)
