"""Findings on the examples of stacks, and the measurement of protected ledger items by mutation."""

from collections.abc import Sequence

from compiler.report.findings.missing_examples import ReadingUnplayed
from compiler.source.finding import Finding
from rulewright.library import cache
from rulewright.library.example_targets import ExampleTarget, all_targets
from rulewright.library.stacks import PackageSet
from rulewright.system.progress import ProgressListener
from runtime.graph import nodes as graph
from runtime.mutation.source_coverage import Coverage, SourceItem, measure_coverage
from runtime.mutation.targets import Protection, measure_protection


def unplayed_readings(package_set: PackageSet, rules: graph.Graph) -> list[ReadingUnplayed]:
    """Return the findings of readings of the topmost layer that have rules and that no available stack chooses."""
    top = rules.layers[-1].name
    disputes = (
        [dispute for dispute in rules.disputes.values() if dispute.origin.layer == top]
        if "=" not in rules.stack
        else []
    )
    open_ = [
        (dispute, reading)
        for dispute in disputes
        for reading in dispute.readings
        if reading.rules and not reading.chosen
    ]
    if not open_:
        return []
    played = {part for target in all_targets(package_set) for part in target.stack.split("+")}
    layers = package_set.library.layers.values()
    played |= {f"{word.text}={reading.text}" for layer in layers for word, reading in layer.readings}
    return [
        ReadingUnplayed(each.label, reading.label, top, each.origin)
        for each, reading in open_
        if f"{each.label}={reading.label}" not in played
    ]


def _protect_stack(rules: graph.Graph) -> Protection:
    """Run the mutants of whole statements, and return which examples detect them, with caching."""
    key = cache.cache_key(b"protection", cache.compiler_stamp("runtime"), rules.hash.encode())
    return cache.remember_result(key, lambda: measure_protection(rules))


def measure_examples(
    items: Sequence[SourceItem], targets: Sequence[ExampleTarget], package_set: PackageSet, progress: ProgressListener
) -> tuple[Coverage, list[Finding], tuple[int, int]]:
    """Return the items that the examples of some stacks protect; stacks that do not compile are ignored.

    The last element counts the cases that ran and those that failed, which are ignored too.
    """
    protections: list[tuple[graph.Graph, Protection]] = []
    problems: list[Finding] = []
    for number, target in enumerate(targets, 1):
        stack = target.compiled(package_set)
        if stack.is_broken or stack.graph is None:
            problems += stack.problems
        else:
            protections.append((stack.graph, _protect_stack(stack.graph)))
        progress(number, len(targets))
    runs = [run for _, protection in protections for run in protection.runs]
    return measure_coverage(items, protections), problems, (len(runs), sum(not run.has_passed for run in runs))
