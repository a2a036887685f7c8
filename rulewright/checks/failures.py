"""The failures of examples as findings, one for each failing example.

In: runs of examples, and their rules. Out: findings for the report, each with its own line, value and explanation, and
with the changes since a revision, or the parts that differ from their checksums, that may be its cause. A cause is
named from history alone: alterations that would make the example pass pointed to other rules in ten of 26 planted
faults.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from compiler.analysis.parties import Party
from compiler.report.findings.failed_examples import ExampleFailed, LikelyCause, OtherFailure
from compiler.source.origins import origin_of
from rulewright.checks.drawn_counters import split_drawn_failures
from rulewright.checks.revisions.accepted_differences import changed_parts_reached
from rulewright.checks.revisions.file_changes import ParagraphChange, former_text
from rulewright.checks.revisions.mismatches import ChecksumMismatch
from runtime.examples.failure import FailedLine
from runtime.examples.idle_parts import idle_parts
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph
from runtime.graph.grouping import group_by

# A function from runs to the changes without which some cases pass, each with these cases.
ChangesFunction = Callable[[Sequence[Run]], Sequence[tuple[ParagraphChange, tuple[Run, ...]]]]
ExampleKey = tuple[str, str]  # The file and the title of an example.


def list_failures(
    runs: Sequence[Run],
    rules: graph.Graph | None = None,
    change_finder: ChangesFunction = lambda _: (),
    differing: Sequence[ChecksumMismatch] = (),
) -> list[ExampleFailed]:
    """Return the findings of failures; with the rules also their causes.

    A cause is a change without which the example passes, otherwise a part `differing` from its checksum that the
    example reaches. A counter that an example draws differently is reported at its chart.
    """
    misdrawn_failures: list[ExampleFailed] = []
    others = runs
    if rules is not None:
        misdrawn_failures, others = split_drawn_failures(rules, runs)
    failures = group_by((run for run in others if run.failures), _example)
    causes = {} if rules is None else _causes(rules, others, change_finder, differing)
    findings = [_finding(cases, causes.get(key, ())) for key, cases in failures.items()]
    return [*findings, *misdrawn_failures, *map(_failed, idle_parts(runs))]


def _finding(cases: Sequence[Run], causes: tuple[LikelyCause, ...]) -> ExampleFailed:
    """Return the finding of an example at its first failing line, with those of its other lines and cases."""
    first, *others = (_failed(failure) for run in cases for failure in run.failures)
    return replace(first, other_failures=tuple(map(_also, others)), causes=causes)


def _causes(
    rules: graph.Graph, runs: Sequence[Run], change_finder: ChangesFunction, differing: Sequence[ChecksumMismatch]
) -> dict[ExampleKey, tuple[LikelyCause, ...]]:
    """Return the causes of each failing example that history has."""
    failing = [run for run in runs if run.failures]
    causes: dict[ExampleKey, tuple[LikelyCause, ...]] = {}
    for change, cases in change_finder(failing) if failing else ():
        for run in cases:
            causes.setdefault(_example(run), (_changed(rules, change),))
    for run in failing:
        causes.setdefault(_example(run), changed_parts_reached(differing, rules, run))
    return causes


def _changed(rules: graph.Graph, change: ParagraphChange) -> LikelyCause:
    """Return a change without which an example passes as its cause."""
    label = change.label or change.span.file.rpartition("/")[2]
    text = f"{former_text(change)}; {'with that' if change.old_text else 'without it'}"
    return LikelyCause("changed", Party(label, "", (), origin_of(rules.stack, change.span)), text)


def _example(run: Run) -> ExampleKey:
    return run.example.origin.file, run.example.title


def _failed(each: FailedLine) -> ExampleFailed:
    return ExampleFailed(
        each.example,
        each.case,
        each.expected,
        each.actual,
        each.explanation,
        each.origin,
        each.step,
        moment=each.moment,
        without_player=each.without_player,
    )


def _also(failed: ExampleFailed) -> OtherFailure:
    return OtherFailure(failed.case, failed.expected, failed.actual, failed.origin)
