"""The counts of the results of a test of a stack, as lines of text and as data."""

from collections.abc import Iterator, Sequence
from typing import Any

from compiler.report.findings.failed_examples import ExampleFailed
from rulewright.checks.testing import ExampleReport, StackRuns
from rulewright.library.selection import ExampleGroup
from runtime.graph import words

# The most stacks in one line; the data has all.
MOST_LISTED = 4


def as_data(tested: ExampleReport) -> dict[str, Any]:
    """Return the counts as data: cases, examples, stacks, and what was omitted and why."""
    passed, failed = tested.cases
    passed_examples, failed_examples = tested.examples
    return {
        "passed": passed,
        "failed": failed,
        "examples": {"passed": passed_examples, "failed": failed_examples},
        "stacks": [_group_data(group) for group in tested.groups],
        "left_out": [
            *(_share_data(share, "here") for share in tested.selection.omitted_groups),
            *(_share_data(share, "below") for share in tested.selection.below),
        ],
    }


def failure_data(each: ExampleFailed) -> dict[str, Any]:
    """Return a failing example as data: the actual value, causes, and the other lines that fail."""
    return {
        "example": each.example, "case": each.case, "expected": each.expected, "actual": each.actual,
        "file": each.origin.file, "line": each.origin.line, "explanation": each.explanation,
        "causes": [
            {"known": cause.kind, "name": cause.party.label, "change": cause.change,
             "file": cause.party.origin.file, "line": cause.party.origin.line,
             "column": cause.party.origin.column}
            for cause in each.causes
        ],
        "others": [
            {"case": other.case, "expected": other.expected, "actual": other.actual,
             "file": other.origin.file, "line": other.origin.line}
            for other in each.other_failures
        ],
    }  # fmt: skip


def _group_data(group: StackRuns) -> dict[str, Any]:
    passed_examples, failed_examples = group.examples
    return {
        "stack": group.name,
        "passed": len(group.runs) - len(group.failing_cases),
        "failed": len(group.failing_cases),
        "examples": {"passed": passed_examples, "failed": failed_examples},
        "errors": len(group.problems),
    }


def _share_data(share: ExampleGroup, reason: str) -> dict[str, Any]:
    return {"stack": share.target.name, "examples": share.examples, "layers": list(share.layers), "why": reason}


def tally_lines(tested: ExampleReport, stack: str) -> Iterator[str]:
    """Yield the results by stack, unless there is only the requested one; what was omitted; and the totals."""
    if len(tested.groups) > 1 or any(group.problems or group.name != stack for group in tested.groups):
        yield from _by_stack(tested.groups)
    if tested.selection.omitted_groups:
        yield (
            "left out, as they are for other stacks: "
            f"{_examples_by_stack(tested.selection.omitted_groups)}; without --here they run"
        )
    if tested.selection.below:
        layers = sorted({layer for share in tested.selection.below for layer in share.layers})
        number = sum(share.examples for share in tested.selection.below)
        they = "it" if number == 1 else "them"
        have = "has" if len(layers) == 1 else "have"
        yield (
            f"left out: {_example_count(number)} that {words.list_text(layers)} below {have} for other stacks; "
            f"`test {'+'.join(layers)}` runs {they}"
        )
    yield (
        _totals(tested) if any(group.runs or group.problems for group in tested.groups) else _no_examples(tested, stack)
    )


def _by_stack(groups: Sequence[StackRuns]) -> Iterator[str]:
    """Yield the results of each stack; of passing ones, only a few are listed."""
    sound = [group for group in groups if not group.problems and not group.failing_cases]
    rest = sound[MOST_LISTED:]
    for group in groups:
        not_run = f"{_example_count(group.example_group.examples)} not run, as it does not compile"
        if not any(group is each for each in rest):
            yield f"{group.name}: {not_run if group.problems else _case_counts([group])}"
    if rest:
        yield f"{len(rest)} other {'stack' if len(rest) == 1 else 'stacks'}: {_case_counts(rest)}"


def _case_counts(groups: Sequence[StackRuns]) -> str:
    failing_count = sum(len(group.failing_cases) for group in groups)
    return f"{sum(len(group.runs) for group in groups) - failing_count} passed, {failing_count} failed"


def _totals(tested: ExampleReport) -> str:
    """Format the numbers of all cases, and of examples if these are fewer."""
    passed, failed = tested.cases
    cases, examples = passed + failed, sum(tested.examples)
    case_note = f" ({cases} cases of {_example_count(examples)})" if cases != examples else ""
    not_run = sum(group.example_group.examples for group in tested.groups if group.problems)
    return f"{passed} passed, {failed} failed{case_note}{f', {_example_count(not_run)} not run' if not_run else ''}"


def _no_examples(tested: ExampleReport, stack: str) -> str:
    """Return why there are no examples to run."""
    files = len(tested.selection.files)
    if tested.selection.omitted_groups:
        return f"no examples: none of those in {stack} is for exactly this stack"
    if not files:
        return f"no examples: {stack} has no rules files"
    return (
        f"no examples: {'the one rules file' if files == 1 else f'none of the {files} rules files'} of {stack} has "
        + ("none" if files == 1 else "one")
    )


def _examples_by_stack(shares: Sequence[ExampleGroup]) -> str:
    """Format the numbers of examples by stack."""
    phrases = [f"{_example_count(share.examples)} under {share.target.name}" for share in shares[:MOST_LISTED]]
    rest = shares[MOST_LISTED:]
    if rest:
        more = sum(share.examples for share in rest)
        phrases.append(f"{more} more under {len(rest)} other {'stack' if len(rest) == 1 else 'stacks'}")
    return words.list_text(phrases)


def _example_count(number: int) -> str:
    return words.counted_noun(number, "example")
