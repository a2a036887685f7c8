"""The protection of a stack by its examples: every mutant of its own layers is run in every scene that has it.

In: the available packages, a stack, and limits. Out: a `ProtectionReport`. A mutant that no example of the stack
detects is run on its cards and under other stacks that have the same place. A mutant that survives is equivalent if
the compiler proves that, or if the layer lists it as equivalent with a reason.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

from compiler.report.findings.missing_examples import StaleEquivalent
from compiler.source.content import Texts
from compiler.source.garbage_collection import without_garbage_collection
from rulewright.checks.mutation.equivalent_mutants import (
    EquivalentEntry,
    Key,
    equivalence_proof,
    listed_entries,
    mutant_key,
    name_without_number,
    number_mutants,
)
from rulewright.checks.mutation.mutant_trials import MutationLimits, try_mutants
from rulewright.checks.mutation.mutation_scenes import (
    MutationStack,
    card_scenes,
    contained_stacks,
    other_scenes,
    reading_scenes,
)
from rulewright.library.example_targets import ExampleTarget, own_layers
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.errors import UsageError, suggestion_text
from rulewright.system.progress import ProgressListener
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.mutation.mutant import Mutant
from runtime.mutation.protection import mutants_of


@frozen_dataclass
class Survivor:
    """A surviving mutant, and the stack that has it. It is the `nth` of `total` mutants with the same text."""

    mutant: Mutant
    stack: str
    rules: graph.Graph
    nth: int
    total: int


@dataclass(slots=True)
class ProtectionReport:
    """The outcomes of all mutants, of which `possible_mutants` is the number by kind.

    `unfinished` is the number of those that no example has detected and that were not run in every scene that has
    them, as the time was up or the run was interrupted.
    """

    possible_mutants: Counter[str] = field(default_factory=Counter)
    protected: list[Mutant] = field(default_factory=list)
    survivors: list[Survivor] = field(default_factory=list)
    proved: list[tuple[Survivor, str]] = field(default_factory=list)  # With what was looked at.
    listed: list[tuple[Survivor, EquivalentEntry]] = field(default_factory=list)
    stale: list[StaleEquivalent] = field(default_factory=list)
    unfinished: int = 0
    broken_scenes: list[str] = field(default_factory=list)  # Scenes that do not compile.
    lower_layers: frozenset[str] = frozenset()  # Layers that are judged by themselves.
    was_interrupted: bool = False  # Readings and cards may have mutants that were not even listed.

    @property
    def count_killed(self) -> Counter[str]:
        """Return the number of detected mutants by kind."""
        return Counter(mutant.kind for mutant in self.protected)

    @property
    def equivalent_counts(self) -> Counter[str]:
        """Return the number of equivalent mutants, proved or listed, by kind."""
        same = [*(survivor for survivor, _ in self.proved), *(survivor for survivor, _ in self.listed)]
        return Counter(survivor.mutant.kind for survivor in same)

    @property
    def unnoticed_counts(self) -> Counter[str]:
        """Return the number of surviving mutants that are not equivalent, by kind."""
        return Counter(survivor.mutant.kind for survivor in self.survivors)

    @property
    def tried_mutants(self) -> Counter[str]:
        """Return the number of mutants whose outcome is known, by kind."""
        return self.count_killed + self.equivalent_counts + self.unnoticed_counts


def run_own_mutants(
    package_set: PackageSet,
    stack: str,
    packages: Sequence[Path],
    limits: MutationLimits,
    progress: ProgressListener = lambda *_: None,
) -> ProtectionReport:
    """Run the mutants of a stack's own layers, and return the report."""
    with without_garbage_collection():
        mutation = _StackMutation(package_set, stack, packages, limits, progress)
        try:
            mutation.run()
        except KeyboardInterrupt:
            if not mutation.answer_count:
                raise
            mutation.protection.was_interrupted = True
            mutation.unfinished.update(mutation.unnoticed)
        return mutation.report()


class _StackMutation:
    """A running mutation test of one stack: the detected mutants, and those still to be run elsewhere."""

    def __init__(
        self,
        package_set: PackageSet,
        stack: str,
        packages: Sequence[Path],
        limits: MutationLimits,
        progress: ProgressListener,
    ) -> None:
        self.package_set, self.stack, self.packages = package_set, stack, tuple(packages)
        self.limits, self.progress = limits, progress
        self.protection = ProtectionReport()
        self.unnoticed: dict[Key, Survivor] = {}  # The mutants that no example has detected.
        self.unfinished: set[Key] = set()  # Those with scenes that were not tried.
        self.answer_count = 0
        self.entries: tuple[EquivalentEntry, ...] = ()
        # Entries that match a mutant, by number: whether an example detects it.
        self.met_entries: dict[int, bool] = {}

    def run(self) -> None:
        """Run the mutants of the stack, its readings and its cards, and the survivors under other stacks."""
        stacks_below = contained_stacks(self.package_set, self.stack)
        scene = MutationStack(ExampleTarget(self.stack), "layers", stacks_below)
        rules = scene.graph(self.package_set)
        assert rules is not None, self.stack
        layers = own_layers(rules)
        self.protection.lower_layers = frozenset(layer.name for layer in rules.layers) - layers
        entries = listed_entries(self.package_set.library, self.stack)
        self.entries = tuple(each for each in entries if each.layer in layers)
        self.try_scene(scene, rules, layers)
        for each in (
            *reading_scenes(self.package_set, rules, self.stack), *card_scenes(self.package_set, self.stack)
        ):  # fmt: skip
            self.try_scene(each, rules, layers)
        homes = frozenset(survivor.mutant.origin.layer for survivor in self.unnoticed.values())
        for each in other_scenes(self.package_set, self.stack, homes) if homes else ():
            self.try_scene(each, rules, layers)

    def try_scene(self, scene: MutationStack, stack_rules: graph.Graph, layers: frozenset[str]) -> None:
        """Run the mutants of a scene that are new in it, or that survive elsewhere."""
        if self.limits.is_late() and scene.altered != "layers":
            self.unfinished.update(self.unnoticed)
            return
        rules = scene.graph(self.package_set)
        if rules is None:
            self.protection.broken_scenes.append(scene.target.name)
            return
        mutants = list(mutants_of(rules))
        keys = list(keys_of(mutants))
        places = list(number_mutants(mutants))
        totals = dict(zip(map(mutant_key, mutants), places, strict=True))  # The last one has the highest number.
        known_count = len(self.unnoticed)
        for mutant, key, nth in zip(mutants, keys, places, strict=True):
            self.note_entry(mutant, nth, rules)
            if key not in self.unnoticed and scene.is_new(mutant, rules, stack_rules, layers):
                self.add(key, Survivor(mutant, scene.target.name, rules, nth, totals[mutant_key(mutant)]))
        numbers = [number for number, key in enumerate(keys) if key in self.unnoticed]
        if len(self.unnoticed) == known_count and scene.stacks_of_examples:
            # There is no new mutant, and the shared ones were run with the stack itself, except those of a reading.
            scene = replace(scene, stacks_of_examples=tuple(name for name in scene.stacks_of_examples if "=" in name))
            rules = scene.graph(self.package_set) or rules
        if not rules.examples or not numbers:
            return
        self.unfinished.update(keys[number] for number in numbers)
        all_count = self.answer_count + len(numbers)
        for number, noticed in try_mutants(scene, self.packages, mutants, numbers, rules, self.limits):
            self.unfinished.discard(keys[number])
            if noticed:
                self.unnoticed.pop(keys[number], None)
                self.protection.protected.append(mutants[number])
                self.note_entry(mutants[number], places[number], rules, noticed=True)
            self.answer_count += 1
            self.progress(self.answer_count, all_count)
            if self.limits.is_late():
                break

    def add(self, key: Key, survivor: Survivor) -> None:
        """Add a mutant that is in a requested place, and in the sample."""
        mutant = survivor.mutant
        if is_inside(mutant, self.limits.places):
            self.protection.possible_mutants[mutant.kind] += 1
            if _in_sample(mutant, self.limits.sample, self.limits.seed):
                self.unnoticed[key] = survivor

    def note_entry(self, mutant: Mutant, nth: int, rules: graph.Graph, *, noticed: bool = False) -> None:
        """Record which entry of a manifest matches a mutant, and whether an example detects it."""
        for number, entry in enumerate(self.entries):
            if (noticed or number not in self.met_entries) and entry.matches(mutant, nth, rules):
                self.met_entries[number] = noticed

    def report(self) -> ProtectionReport:
        """Classify the surviving mutants, and return the report."""
        found = self.protection
        for key, survivor in self.unnoticed.items():
            if key in self.unfinished:
                found.unfinished += 1
                continue
            entries = (each for each in self.entries if each.matches(survivor.mutant, survivor.nth, survivor.rules))
            if entry := next(entries, None):
                found.listed.append((survivor, entry))
            elif proof := equivalence_proof(survivor.mutant, survivor.rules):
                found.proved.append((survivor, proof))
            else:
                found.survivors.append(survivor)
        is_complete = not self.limits.is_late() and not found.was_interrupted
        for number, each in enumerate(self.entries):
            noticed = self.met_entries.get(number, False)
            if noticed or (is_complete and number not in self.met_entries):
                found.stale.append(StaleEquivalent(each.subject, each.original, each.replacement, noticed, each.span))
        return found


def keys_of(mutants: Iterable[Mutant]) -> Iterator[Key]:
    """Yield a key of each mutant that is the same in every stack: with origins instead of numbers of hooks and rows."""
    count: Counter[Key] = Counter()
    for mutant in mutants:
        key = (
            mutant.kind,
            _stack_independent_name(mutant.name),
            mutant.key,
            mutant.origin,
            mutant.original,
            mutant.replacement,
        )
        count[key] += 1
        yield (*key, count[key])


def _stack_independent_name(name: str) -> str:
    """Return a name without the number of a hook or a row, which depends on the stack."""
    return name_without_number(name).partition("[")[0]


def is_inside(mutant: Mutant, places: Sequence[str]) -> bool:
    """Return whether a mutant is in one of some places: a file, a folder, or a rule or procedure by name."""
    file, subject = f"/{mutant.origin.file}", name_without_number(mutant.name.rpartition(" of ")[2])
    return not places or any(
        place in (mutant.name, name_without_number(mutant.procedure), subject)
        or file.endswith(f"/{place}")
        or f"/{place.strip('/')}/" in file
        for place in places
    )


def package_place(place: str, texts: Texts) -> str:
    """Return the name in the packages of a file or folder given by its path; other places stay."""
    path = Path(place).absolute()
    if path.exists():
        for name in texts:
            file = texts.file(name)
            if file is not None and file.path.absolute().is_relative_to(path):
                below = file.path.absolute().relative_to(path).as_posix()
                return name if below == "." else name.removesuffix(f"/{below}")
    return place


def require_places(places: Sequence[str], stack: Stack) -> None:
    """Raise `UsageError` for a place that is no file and no folder, and whose name no file contains."""
    files = [f"/{name}" for name in stack.texts]
    for place in places:
        is_file = any(file.endswith(f"/{place}") or f"/{place.strip('/')}/" in file for file in files)
        name = re.compile(rf"(?<![\w-]){re.escape(place.rpartition(' of ')[2].rpartition(':')[2])}(?![\w-])")
        if is_file or stack.graph is None or any(name.search(stack.texts[file]) for file in stack.texts):
            continue
        known = [*stack.graph.rules, *(procedure.name for procedure in stack.graph.procedures.values())]
        raise UsageError(f"there is no file, folder, rule or procedure `{place}`; {suggestion_text(place, known)}")


def _in_sample(mutant: Mutant, share: int, seed: int) -> bool:
    """Return whether a mutant is in a sample of one in `share`, by a hash that does not depend on its position.

    The samples of the seeds below `share` are disjoint.
    """
    text = f"{mutant.kind} {_stack_independent_name(mutant.name)} {mutant.key} {mutant.original} {mutant.replacement}"
    return share < 2 or crc32(text.encode()) % share == seed % share
