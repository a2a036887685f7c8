"""Run the examples that a test of a stack selects, each under the stack that it specifies, and count them.

In: the available packages and the name of a stack. Out: the runs by stack, the failures, and the problems that
prevented runs. A case is a row of an example with `for`, or an example without.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from compiler.compile import problems_of_stack
from compiler.layered.findings.layers import LayersExclude, LeavesOffNothing, UnknownLayer
from compiler.layered.findings.readings import UnknownReading
from compiler.report.findings.failed_examples import ExampleFailed
from compiler.report.findings.missing_examples import ReadingUnplayed, StaleEquivalent
from compiler.report.findings.revisions import ChangeUnnoticed
from compiler.report.written_places import ParsedTexts, with_written_place
from compiler.source.finding import Finding
from compiler.source.garbage_collection import without_garbage_collection
from compiler.source.sentence import Severity
from compiler.source.span import NOWHERE, Span
from compiler.source.suggestions import nearest_names
from rulewright.checks.example_findings import unplayed_readings
from rulewright.checks.failures import list_failures
from rulewright.checks.revisions import accepted_differences
from rulewright.checks.revisions.file_changes import differing_words
from rulewright.checks.revisions.regressions import Regressions
from rulewright.library.example_targets import own_layers
from rulewright.library.selection import ExampleGroup, Selection, select_examples
from rulewright.library.stacks import PackageSet, Stack
from rulewright.system.progress import counted_progress
from runtime.examples.coverage import CoverageReport, coverage_report
from runtime.examples.idle_parts import idle_parts
from runtime.examples.row_result import Run
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class StackRuns:
    """The runs of the examples under one stack, or the problems that prevented them.

    A case passes if all its lines have the expected values and all of its inputs are used, such as forced dice.
    """

    example_group: ExampleGroup
    graph: graph.Graph | None
    runs: tuple[Run, ...]
    failed: tuple[ExampleFailed, ...]
    problems: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """Return the name of the stack with its card."""
        return self.example_group.target.name

    @property
    def failing_cases(self) -> tuple[Run, ...]:
        """Return the cases that do not pass."""
        idle = {each.origin for each in idle_parts(self.runs)}
        return tuple(run for run in self.runs if not run.has_passed or run.example.origin in idle)

    @property
    def examples(self) -> tuple[int, int]:
        """Count the examples that pass in all their cases, and the others."""
        all_origins = {run.example.origin for run in self.runs}
        failing_origins = {run.example.origin for run in self.failing_cases}
        return len(all_origins) - len(failing_origins), len(failing_origins)


@frozen_dataclass
class ExampleReport:
    """The results of all selected examples, and the omitted ones."""

    groups: tuple[StackRuns, ...]
    selection: Selection

    @property
    def cases(self) -> tuple[int, int]:
        """Return the number of passing cases, and of the others."""
        failed_count = sum(len(group.failing_cases) for group in self.groups)
        return sum(len(group.runs) for group in self.groups) - failed_count, failed_count

    @property
    def examples(self) -> tuple[int, int]:
        """Count the examples that pass in all their cases, and the others."""
        counts = [group.examples for group in self.groups]
        return sum(passed for passed, _ in counts), sum(failed for _, failed in counts)

    def coverage_report(self, rules: graph.Graph) -> CoverageReport:
        """Return what no case reaches in the stack's own layers, without those whose examples are all left out."""
        ran = ((group.graph, group.runs) for group in self.groups if group.graph is not None)
        tested = {layer for group in self.selection.run for layer in group.layers}
        left_out = {layer for group in self.selection.below for layer in group.layers} - tested
        return coverage_report(rules, own_layers(rules) - left_out, ran)


@frozen_dataclass
class ExampleFindings:
    """The findings of a test: problems that prevented runs, failures, and other problems to be corrected.

    `stale_equivalents` are entries of `equivalent` that no mutant matches; `unnoticed_changes` changes do not fail a
    test.
    """

    problems: list[Finding]
    failed: list[ExampleFailed]
    readings: list[ReadingUnplayed]
    stale_equivalents: tuple[StaleEquivalent, ...]
    unnoticed_changes: list[ChangeUnnoticed]

    @property
    def repairs(self) -> tuple[Finding, ...]:
        """Return the problems to be corrected although no example fails because of them."""
        return (*self.readings, *self.stale_equivalents)

    def all_findings(self) -> tuple[Finding, ...]:
        """Return the reported findings."""
        return (*self.problems, *self.failed, *self.repairs, *self.unnoticed_changes)


def findings_of(
    tested: ExampleReport,
    package_set: PackageSet,
    stack: Stack,
    rules: graph.Graph,
    regressions: Regressions,
    stale: tuple[StaleEquivalent, ...],
) -> ExampleFindings:
    """Return the findings of a test; without failures, also the changes that no example detects."""
    problems = [each for group in tested.groups for each in group.problems]
    texts = ParsedTexts(stack.texts)
    failed = [with_written_place(each, texts) for group in tested.groups for each in group.failed]
    return ExampleFindings(
        problems,
        failed,
        unplayed_readings(package_set, rules),
        stale,
        [] if problems or failed else unnoticed_changes(tested, regressions, stack),
    )


def unnoticed_changes(tested: ExampleReport, regressions: Regressions, stack: Stack) -> list[ChangeUnnoticed]:
    """Return the changes since a revision or checksums that no example detects, including omitted examples."""
    shares = (*(group.example_group for group in tested.groups), *tested.selection.skipped_groups)
    found = [
        ChangeUnnoticed(*differing_words(each.old_text, each.new_text), each.revision, each.span)
        for each in regressions.unnoticed_changes(shares, stack)
    ]
    return [*found, *accepted_differences.unnoticed_changes(regressions.mismatches)]


def run_stack(rules: graph.Graph, layers: Collection[str]) -> tuple[Run, ...]:
    """Run the examples of some layers for exactly this stack."""
    chosen = tuple(example for example in rules.examples if example.origin.layer in layers)
    with without_garbage_collection():
        return tuple(run_examples(replace(rules, examples=chosen)))


def run_tests(
    package_set: PackageSet, stack: str, *, here: bool = False, regressions: Regressions | None = None
) -> ExampleReport:
    """Run the examples of the requested layers of a stack, each under the stack that it specifies.

    With `here`, only those for exactly this stack. For a stack that does not compile, its problems are returned.
    `regressions` determine the change that causes a failure.
    """
    selection = select_examples(package_set, stack, here=here)
    return ExampleReport(
        tuple(
            _group(package_set, share, regressions)
            for share in counted_progress("running examples, stacks", selection.run)
        ),
        selection,
    )


def broken_stacks(package_set: PackageSet, stack: str) -> tuple[Finding, ...]:
    """Return the problems of the other stacks of examples of the requested layers, without cards."""
    others = (share for share in select_examples(package_set, stack).run if share.target.stack != stack)
    found = (problem for share in others if not share.target.scenario for problem in _errors(package_set, share))
    return tuple(dict.fromkeys(found))


def _errors(package_set: PackageSet, share: ExampleGroup) -> Iterator[Finding]:
    """Yield the errors of the stack of some examples, without building its graph."""
    if package_set.missing_layers(share.target.stack):
        yield from _compiled(package_set, share)[1]
        return
    for each in problems_of_stack(package_set.library, share.target.stack):
        if each.code.severity is Severity.ERROR:
            yield _located(each, share.span)


def _group(package_set: PackageSet, share: ExampleGroup, regressions: Regressions | None) -> StackRuns:
    """Run the examples of one stack, or return its problems."""
    rules, problems = _compiled(package_set, share)
    if rules is None:
        return StackRuns(share, None, (), (), problems)
    runs = run_stack(rules, share.layers)
    causes = partial(regressions.causes_of_failures, share) if regressions else lambda _: ()
    failed = list_failures(runs, rules, causes, regressions.mismatches if regressions else ())
    return StackRuns(share, rules, runs, tuple(failed), ())


def _compiled(package_set: PackageSet, share: ExampleGroup) -> tuple[graph.Graph | None, tuple[Finding, ...]]:
    """Compile the stack of some examples; None, and why, if it does not compile or has unknown layers."""
    missing = package_set.missing_layers(share.target.stack)
    if missing:
        layers = package_set.library.layers
        return None, tuple(UnknownLayer(share.span, part, nearest_names(part, layers)) for part in missing)
    compiled = share.target.compiled(package_set)
    if compiled.graph is None or compiled.is_broken:
        errors = (problem for problem in compiled.problems if problem.code.severity is Severity.ERROR)
        return None, tuple(_located(error, share.span) for error in errors)
    return compiled.graph, ()


def _located(problem: Finding, span: Span) -> Finding:
    """Return a problem of the name of a stack with the span at which an example specifies it."""
    if (
        isinstance(problem, UnknownLayer | UnknownReading | LayersExclude | LeavesOffNothing)
        and problem.span == NOWHERE
    ):
        return replace(problem, span=span)
    return problem
