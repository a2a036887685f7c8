"""The changes since a revision that cause failing examples, and those that no example detects.

In: changes, runs of examples, and the folders of packages. Out: for a change, the cases that pass if it alone is
reverted (delta debugging: Zeller, Yesterday, My Program Worked, 1999). If all cases pass: the changes of rules, charts,
counters and cards without which all pass as well. The result is exact: the rules are compiled without the change, and
the examples are run again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from compiler.query.traces import content_hash
from compiler.source.files import reading_unsaved
from compiler.source.garbage_collection import without_garbage_collection
from rulewright.checks.card_library import cards_of_stack
from rulewright.checks.revisions.accepted_differences import (
    FileDependencies,
    checksum_mismatches,
    without_changes_of_git,
)
from rulewright.checks.revisions.file_changes import ParagraphChange, changes_since, text_without_change
from rulewright.checks.revisions.mismatches import ChecksumMismatch
from rulewright.checks.revisions.revision_texts import read_revision
from rulewright.library.selection import ExampleGroup
from rulewright.library.stacks import PackageSet, Stack, open_packages
from runtime.examples.row_result import Run
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

Case = tuple[str, str, int]
# The most changes that are tested, since the examples are run once for each.
MOST_UNNOTICED = 4


@frozen_dataclass
class Regressions:
    """Changes since a revision, their packages, and the other mismatches with checksums."""

    packages: tuple[Path, ...]
    changes: tuple[ParagraphChange, ...]
    mismatches: tuple[ChecksumMismatch, ...] = ()

    @classmethod
    def since_revision(cls, revision: str, package_set: PackageSet, stack: str, packages: tuple[Path, ...]) -> Self:
        """Collect the changes of the files that a test of a stack may depend on."""
        files, library = FileDependencies(package_set, stack), package_set.library
        texts = read_revision(library, revision)
        changes = changes_since(texts, files)
        mismatches = without_changes_of_git(checksum_mismatches(library, stack), changes)
        return cls(packages, changes, mismatches)

    def causes_of_failures(
        self, group: ExampleGroup, runs: Sequence[Run]
    ) -> list[tuple[ParagraphChange, tuple[Run, ...]]]:
        """Return the changes without which some failing cases pass; each case belongs to the first of them."""
        left = [run for run in runs if run.failures]
        found: list[tuple[ParagraphChange, tuple[Run, ...]]] = []
        for change in self.changes:
            if not left:
                break
            passing = self.cases_passing_without(change, group, left)
            mended = tuple(run for run in left if _case_of(run) in passing)
            if mended:
                found.append((change, mended))
                left = [run for run in left if _case_of(run) not in passing]
        return found

    def cases_passing_without(
        self, change: ParagraphChange, group: ExampleGroup, runs: Sequence[Run]
    ) -> frozenset[Case]:
        """Return the cases that pass without a change; empty if the rules do not compile without it."""
        example_keys = {_case_of(run)[:2] for run in runs}
        with reading_unsaved(text_without_change(change)):
            older_stack = group.target.compiled(open_packages(self.packages))
            if older_stack.graph is None or older_stack.is_broken:
                return frozenset()
            return _passing_cases(older_stack.graph, example_keys)

    def unnoticed_changes(self, groups: Sequence[ExampleGroup], stack: Stack) -> Iterator[ParagraphChange]:
        """Yield the changes of rules, or of cards of a stack, that no example detects."""
        if len(self.changes) > MOST_UNNOTICED:
            return
        for change in self.changes:
            ordered_groups = sorted(groups, key=lambda share: change.span.file not in share.files)
            with reading_unsaved(text_without_change(change)):
                older = open_packages(self.packages)
                noticed = _is_noticed(ordered_groups, PackageSet(stack.library, ()), older)
                if noticed is None:
                    noticed = not _differs_on_card(stack, older, change.span.file)
            if not noticed:
                yield change


def _is_noticed(groups: Iterable[ExampleGroup], current: PackageSet, older: PackageSet) -> bool | None:
    """Return whether the result of an example differs with older rules; None if all graphs are equivalent."""
    noticed: bool | None = None
    for group in groups:
        older_stack, rules = group.target.compiled(older), group.target.compiled(current).graph
        if older_stack.graph is None or older_stack.is_broken or rules is None:
            return True  # It cannot be reverted alone.
        if _are_equivalent(rules, older_stack.graph):
            continue
        noticed = False
        chosen = tuple(example for example in older_stack.graph.examples if example.origin.layer in group.layers)
        with without_garbage_collection():
            if not all(run.has_passed for run in run_examples(replace(older_stack.graph, examples=chosen))):
                return True
    return noticed


def _differs_on_card(stack: Stack, older: PackageSet, file: str) -> bool:
    """Return whether a card of a stack that depends on a file differs."""
    boards, current = stack.library.boards, PackageSet(stack.library, ())
    for name, card in cards_of_stack(stack):
        board_files = (board.span.file for each in card.map if (board := boards.get(each.board.text)))
        if file not in {card.span.file, *board_files}:
            continue
        older_card = older.library.scenarios.get(card.name.text)
        graphs = current.compiled(name, card).graph, older.compiled(name, older_card).graph if older_card else None
        if all(graphs) and not _are_equivalent(*filter(None, graphs)):
            return True
    return False


def _are_equivalent(first: graph.Graph, second: graph.Graph) -> bool:
    """Return whether two graphs are equal except for examples, origins, sources and printed texts."""
    for name in ("terms", "rules", "tables", "counters", "procedures"):
        old, new = getattr(first, name), getattr(second, name)
        if old.keys() != new.keys() or not all(_are_equal(old[key], new[key]) for key in old):
            return False
    others = ("vocabulary", "scenario", "outcome", "always", "preconditions")
    return all(_are_equal(getattr(first, name), getattr(second, name)) for name in others)


def _are_equal(first: object, second: object) -> bool:
    return first is second or content_hash(first) == content_hash(second)


def _passing_cases(rules: graph.Graph, example_keys: set[tuple[str, str]]) -> frozenset[Case]:
    """Run the examples with some (file, title) pairs, and return the cases that pass."""
    chosen = tuple(example for example in rules.examples if (example.origin.file, example.title) in example_keys)
    with without_garbage_collection():
        return frozenset(_case_of(run) for run in run_examples(replace(rules, examples=chosen)) if run.has_passed)


def _case_of(run: Run) -> Case:
    """Return the key of a case, independent of its line."""
    return run.example.origin.file, run.example.title, run.row
