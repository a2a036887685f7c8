"""The counts of the results of a test of a stack as records."""

from compiler.report.findings.failed_examples import ExampleFailed
from rulewright.checks.testing import ExampleReport, StackRuns
from rulewright.library.selection import ExampleGroup
from runtime.graph.records.testing import FailureRecord, LeftOutRecord, TallyRecord, TestedStackRecord


def tally_record(tested: ExampleReport) -> TallyRecord:
    """Return the counts: cases, examples, stacks, and what was omitted and why."""
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
        "files": len(tested.selection.files),
    }


def failure_record(each: ExampleFailed) -> FailureRecord:
    """Return a failing example as its record: the actual value, causes, and the other lines that fail."""
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


def _group_data(group: StackRuns) -> TestedStackRecord:
    passed_examples, failed_examples = group.examples
    return {
        "stack": group.name,
        "passed": len(group.runs) - len(group.failing_cases),
        "failed": len(group.failing_cases),
        "examples": {"passed": passed_examples, "failed": failed_examples},
        "errors": len(group.problems),
        "not_run": group.example_group.examples if group.problems else 0,
    }


def _share_data(share: ExampleGroup, reason: str) -> LeftOutRecord:
    return {"stack": share.target.name, "examples": share.examples, "layers": list(share.layers), "why": reason}
