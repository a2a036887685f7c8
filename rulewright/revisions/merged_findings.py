"""Merge the findings that a change since a revision causes: those that are not found without the change.

In: findings, changes, and a check of the rules without one of the changes. Out: the findings; those that a change
causes are merged into one, which has the span of the change and lists the others.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from compiler.report.diagnostic import Diagnostic, Label, Severity, place_text
from rulewright.revisions.accepted_differences import has_common_lines
from rulewright.revisions.file_changes import ParagraphChange, former_text

# The most changes that are reverted one by one, as each check takes seconds.
MOST_MERGED_CHANGES = 4
MOST_MERGED_LISTED = 12

DiagnosticsFunction = Callable[[ParagraphChange], Iterable[Diagnostic]]


def merged_findings(
    found: Sequence[Diagnostic], changes: Sequence[ParagraphChange], without: DiagnosticsFunction
) -> tuple[Diagnostic, ...]:
    """Merge the findings that a change causes into one; a single finding at a change requires no second check."""
    if not found or not 0 < len(changes) <= MOST_MERGED_CHANGES:
        return tuple(found)
    if len(found) == 1 and any(concerns_change(found[0], change) for change in changes):
        return tuple(found)
    left, diagnostics = list(found), []
    for change in changes:
        known = {_key(each) for each in without(change)}
        caused_findings = [each for each in left if _key(each) not in known]
        if caused_findings:
            left = [each for each in left if _key(each) in known]
            diagnostics.append(_merge(caused_findings, change))
    return (*diagnostics, *left)


def concerns_change(finding: Diagnostic, change: ParagraphChange) -> bool:
    """Return whether a finding has a span at a change."""
    return has_common_lines([label.span for label in finding.spans], change.span)


def _key(finding: Diagnostic) -> tuple[str, str]:
    return finding.code, finding.message


def _merge(caused_findings: Sequence[Diagnostic], change: ParagraphChange) -> Diagnostic:
    """Merge findings into the most relevant one: an error before a warning, and one at the change before others."""
    first = min(
        caused_findings, key=lambda each: (each.severity is not Severity.ERROR, not concerns_change(each, change))
    )
    others = [each for each in caused_findings if each is not first]
    note = "with that this is not found" if change.old_text else "this is not found without it"
    label = Label(change.span, f"{former_text(change)}; {note}")
    spans = first.spans if concerns_change(first, change) else (*first.spans, label)
    lines = [
        f"  {place_text(each.spans[0].span) + ' ' if each.spans else ''}{each.message}"
        for each in others[:MOST_MERGED_LISTED]
    ]
    if others:
        lines = ["Also found since this change, and gone without it:", *lines]
    if len(others) > MOST_MERGED_LISTED:
        lines.append(f"  and {len(others) - MOST_MERGED_LISTED} more")
    return replace(first, spans=spans, explanation="\n".join(filter(None, (first.explanation, *lines))))
