"""Check a stack: compile it and the stacks of its examples, and prove it, with caching of sound results.

In: the name of a stack. Out: a `CheckReport`. A check without findings is cached under the hash of all inputs, without
comments and layout of rules, so that a change of a comment requires no new check. A second hash excludes the stack's
own examples: if nothing else has changed, only the checks of examples are repeated. For other edits, see
checks/trace_store.py.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

from compiler.analysis.budgets import limit_steps
from compiler.analysis.prove import stack_checks
from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.report.findings.revisions import ChangedAlone
from compiler.source.finding import Finding
from compiler.source.sentence import Severity
from rulewright.checks import trace_store
from rulewright.checks.card_library import CheckedCards, cards_to_check, checked_cards, problems_of_card
from rulewright.checks.check_inputs import meaning_without_examples
from rulewright.checks.dependent_layers import NO_LAYERS, DependentLayers, dependent_layers
from rulewright.checks.proofs import (
    PlayFindings,
    diagnostics_of,
    problems_after_examples_changed,
    problems_of_offers,
    problems_of_rules,
    prove_stack,
    without_stack_findings,
)
from rulewright.checks.revisions import accepted_differences
from rulewright.checks.revisions.file_changes import changes_since
from rulewright.checks.revisions.mismatches import ChecksumMismatch
from rulewright.checks.revisions.removed_files import with_removed_files
from rulewright.checks.revisions.revision_comparison import RevisionComparison, compare_with_revision
from rulewright.checks.revisions.revision_texts import layer_folders, read_revision, require_revision
from rulewright.checks.testing import broken_stacks
from rulewright.checks.witnesses import save_witnesses
from rulewright.library import cache
from rulewright.library.stacks import PackageSet, Stack, load_from, packages_for
from rulewright.system.git import HEAD
from rulewright.system.progress import report_stage
from rulewright.system.worker import Future, SharedJobs, worker_for
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import counted_noun
from runtime.play.garbage_collection import exempt_objects

ProofListener = Callable[[Sequence[Diagnostic]], None]

CHECKS = cache.CachePool(".check", 500)
NO_CARDS = CheckedCards()
NOT_PLAYED = PlayFindings((), ())


@frozen_dataclass
class CheckReport:
    """The result of a check. `open_questions` are those that only arithmetic could decide, and that were not decided.

    `chosen_readings` is the number of contradictions between sources that are resolved by choice. `comparison` is None
    without a revision. `mismatches` are the parts of files that differ from their checksums and that git does not know
    as changed.
    """

    stack: str
    diagnostics: tuple[Diagnostic, ...]
    open_questions: tuple[str, ...]
    chosen_readings: int
    texts: Mapping[str, str]
    comparison: RevisionComparison | None = None
    cards: CheckedCards = NO_CARDS
    mismatches: tuple[ChecksumMismatch, ...] = ()
    dependents: DependentLayers = NO_LAYERS

    def recorded_text(self) -> str:
        """Encode the report of a check without findings."""
        return json.dumps(
            {
                "open_questions": self.open_questions,
                "chosen_readings": self.chosen_readings,
                "cards": [self.cards.cards, self.cards.others],
            }
        )

    @classmethod
    def read_recorded(cls, stack: str, texts: Mapping[str, str], text: str | None) -> Self | None:
        """Decode the report of a check without findings; None if it is missing or malformed."""
        try:
            data = json.loads(text or "")
            cards, others = data["cards"]
            cards_too = CheckedCards(tuple(cards), tuple((name, tuple(each)) for name, each in others))
            return cls(
                stack,
                (),
                tuple(map(str, data["open_questions"])),
                int(data["chosen_readings"]),
                texts,
                cards=cards_too,
            )
        except (ValueError, KeyError, TypeError):
            return None


def check_stack(
    stack: str,
    packages: Sequence[Path],
    steps: int,
    witnesses: Path | None = None,
    on_proved: ProofListener | None = None,
) -> CheckReport:
    """Check a stack, with a budget of `steps` for the proofs of one place; witnesses are saved in a folder.

    `on_proved` is called with the findings of compiling and of proofs before cards and examples are checked.
    """
    return _cached_check(*packages_for(stack, packages), steps, witnesses, on_proved)


def check_since_revision(
    stack: str, packages: Sequence[Path], steps: int, witnesses: Path | None, revision: str,
    on_proved: ProofListener | None,
) -> CheckReport:  # fmt: skip
    """Check a stack, and compare its rules with a revision, by default the last commit.

    The places of few changes are further spans of the findings. Rules with errors are not compared; changes of a
    paragraph with another finding are not reported.
    """
    package_set, name = packages_for(stack, packages)
    if revision and not package_set.missing_layers(name):
        require_revision(layer_folders(package_set.library, name), revision)
    report = _cached_check(package_set, name, steps, witnesses, on_proved)
    return _compared_since(report, package_set, name, revision)


def _compared_since(report: CheckReport, package_set: PackageSet, name: str, revision: str) -> CheckReport:
    """Add to a report what changed since a revision and since checksums were taken."""
    if package_set.missing_layers(name):
        return report
    texts = read_revision(package_set.library, revision or HEAD)
    changes = changes_since(texts, accepted_differences.FileDependencies(package_set, name))
    mismatches = accepted_differences.checksum_mismatches(package_set.library, name)
    differing = accepted_differences.without_changes_of_git(mismatches, changes)
    places = accepted_differences.change_labels(changes, differing)
    found = with_removed_files(
        report.diagnostics, texts.removed, layer_folders(package_set.library, name), package_set.texts()
    )
    report = replace(report, diagnostics=accepted_differences.with_places(found, places), mismatches=differing)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in report.diagnostics):
        return report
    comparison = compare_with_revision(package_set.library, name, texts)
    new = _changed_alone(report.diagnostics, comparison, mismatches)
    return replace(
        report,
        diagnostics=(*report.diagnostics, *diagnose(new, package_set.texts())),
        comparison=comparison,
        dependents=dependent_layers(package_set, name),
    )


def _changed_alone(
    found: Sequence[Diagnostic],
    comparison: RevisionComparison | None,
    mismatches: tuple[ChecksumMismatch, ...],
) -> list[ChangedAlone]:
    """Return what changed alone since a revision, then since checksums were taken, without places of other findings."""
    since = comparison.findings if comparison else ()
    reported_spans = [label.span for each in found for label in each.spans]
    new = [each for each in since if not accepted_differences.has_common_lines(reported_spans, each.span)]
    reported_spans += (span for each in new for span in (each.span, each.part_span))
    unaccepted = accepted_differences.unpaired_changes(mismatches)
    return [
        *new,
        *(
            each
            for each in unaccepted
            if not accepted_differences.has_common_lines(reported_spans, each.span, each.part_span)
        ),
    ]


def _cached_check(
    package_set: PackageSet, name: str, steps: int, witnesses: Path | None, on_proved: ProofListener | None = None
) -> CheckReport:
    key = _key(package_set, name, steps)
    cached = (
        None
        if package_set.problems
        else CheckReport.read_recorded(name, package_set.texts(), cache.get_text(key, CHECKS))
    )
    if cached is not None:
        return cached
    loaded = load_from(package_set, name)
    exempt_objects()
    with limit_steps(steps):
        report = _check_compiled(loaded, witnesses, _key_without_examples(package_set, name, steps), on_proved)
    if loaded.graph is not None and not loaded.is_broken:
        report = replace(report, cards=cards_to_check(loaded))
    if not report.diagnostics and not loaded.problems:
        cache.put_text(key, report.recorded_text(), CHECKS)
    return report


@frozen_dataclass
class _WorkerResult:
    """The findings of a worker that runs concurrently with the proofs, and its verdicts."""

    problems_by_job: Mapping[int, tuple[Finding, ...]]
    traces: trace_store.TraceDelta


def _check_compiled(
    loaded: Stack, witnesses: Path | None, key_without_examples: str, on_proved: ProofListener | None
) -> CheckReport:
    if loaded.graph is None or loaded.is_broken:
        found = save_witnesses(list(loaded.diagnostics), loaded.name, witnesses)
        reading_count = 0 if loaded.graph is None else len(loaded.graph.disputes)
        return CheckReport(loaded.name, tuple(found), (), reading_count, loaded.texts)
    recorded = CheckReport.read_recorded(loaded.name, loaded.texts, cache.get_text(key_without_examples, CHECKS))
    if recorded is not None:
        return replace(
            recorded, diagnostics=tuple(save_witnesses(_diagnostics_of_examples(loaded), loaded.name, witnesses))
        )

    # The findings of this stack also occur in the stacks above it.
    package_set = PackageSet(loaded.library, ())
    cards = [partial(problems_of_card, package_set, card, name) for name, card in checked_cards(loaded)]
    offers_and_stacks = partial(problems_of_offers, loaded.graph), partial(broken_stacks, package_set, loaded.name)
    jobs = SharedJobs[tuple[Finding, ...]]((*offers_and_stacks, *cards))
    checks = SharedJobs(stack_checks(loaded.graph))
    check_future, worker_future = Future(checks.take), Future(partial(_findings_of_worker, jobs))
    with worker_for(check_future, worker_future):
        report_stage(f"proving the rules of {loaded.name}")
        proved = problems_of_rules(loaded, lambda: checks.results(checks.take(), check_future.result()))
        if on_proved is not None:
            on_proved(diagnostics_of(loaded, proved, NOT_PLAYED))
        problem_count = len(loaded.problems) + len(proved)
        summary = f"{counted_noun(problem_count, 'finding')} so far" if problem_count else "nothing found so far"
        report_stage(f"rules of {loaded.name} proved, {summary}; looking at its situations and examples")
        own_problems = jobs.take()
        if worker_future.is_elsewhere:
            cache.write_pending()  # This process is idle until the worker ends.
        other = worker_future.result()
    checks.close()
    trace_store.store.merge_delta(other.traces)
    stuck_offers, broken, *problems_by_card = jobs.results(own_problems, other.problems_by_job)
    card_problems = (*loaded.library.scenarios.problems, *(each for found in problems_by_card for each in found))
    new = diagnose(without_stack_findings(loaded, broken), loaded.texts)
    play_findings = PlayFindings(without_stack_findings(loaded, card_problems), stuck_offers)
    found = save_witnesses([*diagnostics_of(loaded, proved, play_findings), *new], loaded.name, witnesses)
    proof = prove_stack(loaded.graph)
    report = CheckReport(loaded.name, tuple(found), proof.open, len(loaded.graph.disputes), loaded.texts)
    if not found and not proof.searched:
        cache.put_text(key_without_examples, report.recorded_text(), CHECKS)
    return report


def _findings_of_worker(jobs: SharedJobs[tuple[Finding, ...]]) -> _WorkerResult:
    """Compute the findings that require no proofs of rules, which are half of the work after an edit."""
    with trace_store.store.recording_delta() as delta:
        problems_by_job = jobs.take()
    return _WorkerResult(problems_by_job, delta)


def _diagnostics_of_examples(loaded: Stack) -> list[Diagnostic]:
    """Return the findings that may change if only the stack's own examples have changed."""
    report_stage(f"looking at the examples of {loaded.name}")
    with worker_for(written := Future(_write_pending)):
        found = diagnostics_of(loaded, *problems_after_examples_changed(loaded))
        if written.is_elsewhere and written.result():
            cache.forget_unwritten()
    return found


def _write_pending() -> bool:
    """Write compiled stacks to the cache; return whether that succeeded, as the first process reports failures."""
    cache.write_pending()
    return not cache.failure_text()


def _key(package_set: PackageSet, name: str, steps: int) -> str:
    """Hash all inputs of a check, and the version of the checker."""
    return cache.cache_key(b"check", *_inputs_of_checker(name, steps), package_set.library.texts.meaning_hash)


def _key_without_examples(package_set: PackageSet, name: str, steps: int) -> str:
    """Hash all inputs of a check except the stack's own examples, and the version of the checker."""
    return cache.cache_key(
        b"without examples", *_inputs_of_checker(name, steps), meaning_without_examples(package_set.library, name)
    )


def _inputs_of_checker(name: str, steps: int) -> tuple[bytes, ...]:
    """Return what both hashes contain: the versions of the checker and its prover, the stack, the budget."""
    stamp = cache.compiler_stamp("compiler", "runtime", "rulewright")
    return stamp, *(part.encode() for part in (trace_store.prover_version(), name, str(steps)))
