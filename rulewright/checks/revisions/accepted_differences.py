"""Findings about the differences of a stack from its accepted state (checksums.py).

In: a stack, and the mismatches of its files. Out: sentences or laws that changed alone; changes that no example
detects; changes that are likely causes of a failing example. A change that git knows is excluded, since git has the
former text.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from compiler.analysis.parties import Party
from compiler.layered.layer_selection import layers_of_stack
from compiler.report.diagnostic import Diagnostic
from compiler.report.findings.failed_examples import LikelyCause
from compiler.report.findings.revisions import ChangedAlone, ChangeUnnoticed
from compiler.source.files import PackageFile
from compiler.source.origins import origin_of
from compiler.source.package import Library
from compiler.source.sentence import Label
from compiler.source.span import Span
from rulewright.checks.card_library import cards_of_stack
from rulewright.checks.revisions.file_changes import ParagraphChange, former_text, quote_excerpt
from rulewright.checks.revisions.mismatches import ChecksumMismatch, differing_from_checksums
from rulewright.library.selection import select_examples
from rulewright.library.stacks import PackageSet, Stack
from runtime.examples.row_result import Run
from runtime.graph import nodes as graph

# The most mismatches that are reported one by one: more are accepted together.
MOST_MISMATCHES = 12
# The most places that help to locate a fault.
MOST_CAUSES = 2


def files_of(library: Library, name: str) -> Iterator[tuple[Path, str, str]]:
    """Yield the files of a stack, of its layers, cards and boards, as (path, name, text)."""
    stack = Stack(name, library, None, None, (), library.texts)
    layers = layers_of_stack(library, name)
    found: dict[str, PackageFile | None] = {
        file.name: file for layer in layers for file in library.files.get(layer.name.text, ())
    }
    for manifest in (layer.span.file for layer in layers):
        found.setdefault(manifest, library.texts.file(manifest))
    for _, card in cards_of_stack(stack):
        boards = (library.boards.get(each.board.text) for each in card.map)
        for span in (card.span, *(board.span for board in boards if board)):
            found.setdefault(span.file, library.texts.file(span.file))
    for called, file in found.items():
        if file is not None:
            yield file.path, called, library.texts[called]


@dataclass(frozen=True)
class FileDependencies(Container[str]):
    """The names of the files that a test may depend on: of a stack, and of the stacks of its layers' examples."""

    package_set: PackageSet
    name: str

    def __contains__(self, called: object) -> bool:
        """Return whether a file is a dependency; the stacks of examples are resolved last, as that reads all layers."""
        return called in self._own_files or called in self._example_files

    @cached_property
    def _own_files(self) -> frozenset[str]:
        return self._files_of_stack(self.name)

    @cached_property
    def _example_files(self) -> frozenset[str]:
        groups = select_examples(self.package_set, self.name).run
        return frozenset().union(*map(self._files_of_stack, {group.target.stack for group in groups}))

    def _files_of_stack(self, stack: str) -> frozenset[str]:
        return frozenset(called for _, called, _ in files_of(self.package_set.library, stack))


def checksum_mismatches(library: Library, name: str) -> tuple[ChecksumMismatch, ...]:
    """Return the mismatches of the files of a stack with their checksums."""
    return tuple(differing_from_checksums(files_of(library, name)))


def without_changes_of_git(
    found: Sequence[ChecksumMismatch], changes: Sequence[ParagraphChange]
) -> tuple[ChecksumMismatch, ...]:
    """Return the mismatches that overlap with no change known to git; what is gone may be in its former text."""
    changed_spans = [change.span for change in changes]
    former_texts = [change.old_text for change in changes]
    return tuple(
        each
        for each in found
        if not has_common_lines(changed_spans, each.span)
        and not (each.kind == "gone" and any(each.label in text for text in former_texts))
    )


def has_common_lines(reported: Sequence[Span], *places: Span) -> bool:
    """Return whether one of some places has lines in common with a reported one."""
    return any(
        span.file == place.file and span.line <= place.end_line and place.line <= span.end_line
        for span in reported
        for place in places
    )


def unpaired_changes(found: Sequence[ChecksumMismatch]) -> Iterator[ChangedAlone]:
    """Yield sentences, laws, citations and printed lines that changed alone; their former text is not known."""
    for each in found if len(found) <= MOST_MISMATCHES else ():
        kind = "text" if each.is_text else each.kind
        if kind in {"elsewhere", "sentence", "citation", "text"} or (kind == "law" and each.is_law):
            yield ChangedAlone(kind, _part_name(each), "", "", "", each.current_text, each.span, each.span)


def change_labels(changes: Sequence[ParagraphChange], mismatches: Sequence[ChecksumMismatch]) -> tuple[Label, ...]:
    """Return the places of changes that rules read, known to git or by checksums: possible causes of findings.

    None if there are more than a few.
    """
    read = [mismatch for mismatch in mismatches if mismatch.may_change_results]
    if len(changes) + len(read) > MOST_CAUSES or len(mismatches) > MOST_MISMATCHES:
        return ()
    known = (Label(change.span, former_text(change)) for change in changes)
    unknown = (
        Label(each.span, f"`{_part_name(each)}` {_change_text(each)} since checksums were taken") for each in read
    )
    return (*known, *unknown)


def with_places(findings: Sequence[Diagnostic], places: Sequence[Label]) -> tuple[Diagnostic, ...]:
    """Return findings with the places of changes as further spans, unless they have lines in common."""
    changed_spans = [label.span for label in places]
    return tuple(
        finding if has_common_lines(changed_spans, *(label.span for label in finding.spans))
        else replace(finding, spans=(*finding.spans, *places)) for finding in findings
    )  # fmt: skip


def mismatch_text(each: ChecksumMismatch) -> str:
    """Format what of a part differs from its checksum."""
    name = _part_name(each)
    match each.kind:
        case "sentence" | "law" | "citation":
            return f"the {each.kind} of `{name}` has changed"
        case "example":
            return f"the example “{name}” has changed" if name else "an example is gone from behind this"
        case _:
            return f"`{name}` {_change_text(each)}" if name else "data is gone from behind this"


def _part_name(each: ChecksumMismatch) -> str:
    return each.label or quote_excerpt(each.current_text)


def _change_text(each: ChecksumMismatch) -> str:
    return {"new": "is new", "gone": "is gone", "elsewhere": "was moved"}.get(each.kind, "has changed")


def unnoticed_changes(found: Sequence[ChecksumMismatch]) -> Iterator[ChangeUnnoticed]:
    """Yield the changes of rules, procedures and data that no example detects; all examples pass."""
    for each in found if len(found) <= MOST_MISMATCHES else ():
        if each.may_change_results:
            name = _part_name(each)
            yield ChangeUnnoticed(*((name, "") if each.kind == "gone" else ("", name)), "", each.span)


def changed_parts_reached(found: Sequence[ChecksumMismatch], rules: graph.Graph, run: Run) -> tuple[LikelyCause, ...]:
    """Return the changed parts that a failing case reaches, or all if it reaches none; () for more than a few."""
    mismatches = [each for each in found if each.may_change_results]
    if len(found) > MOST_MISMATCHES:
        return ()
    reached_parts = [mismatch for mismatch in mismatches if _reaches(run, rules, mismatch)]
    chosen = reached_parts or mismatches
    return tuple(_cause(rules, each) for each in chosen) if len(chosen) <= MOST_CAUSES else ()


def _contains(span: Span, origin: graph.Origin) -> bool:
    return origin.file == span.file and span.line <= origin.line <= span.end_line


def _reaches(run: Run, rules: graph.Graph, each: ChecksumMismatch) -> bool:
    """Return whether a case reaches the declaration of a part, or a row of a chart in it."""
    if not each.label:
        return any(_contains(each.span, row.origin) for row in run.rows)
    keys = {key.rpartition(":")[2] for key in run.entered | run.procedures}
    rule = rules.rules.get(each.label)
    is_rule_reached = rule is not None and not run.terms.isdisjoint(rule.terms)
    return is_rule_reached or each.label in run.terms or each.label in keys or each.label.split(" ")[-1] in run.terms


def _cause(rules: graph.Graph, each: ChecksumMismatch) -> LikelyCause:
    party = Party(_part_name(each), "", (), origin_of(rules.stack, each.span))
    return LikelyCause("differing", party, _change_text(each))
