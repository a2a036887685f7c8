"""Fixtures with many cases in one file, each with the expected problems on their lines.

    === a bad number
    rule fen [T.1] cost is 1/0    #! `1/0` is no number

A case starts at its `===` line. After `#!` stands a part of a problem's report whose first place is that line; a line
may have several, and ` | ` separates parts of one report. Both unexpected and missing reports fail. Cases keep their
line numbers, so that a failure points into the fixture.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from compiler.report.diagnose import sentence_of
from compiler.source.finding import Finding

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its name, and its text, padded so that its lines have the numbers of the file."""

    name: str
    text: str


def cases(*files: str) -> list[Case]:
    """Read the cases of fixture files; their names must be unique."""
    found: list[Case] = []
    for file in files:
        lines = (HERE / file).read_text(encoding="utf-8").split("\n")
        starts = [at for at, line in enumerate(lines) if line.startswith("=== ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            text = "\n" * (start + 1) + "\n".join(lines[start + 1 : end])
            found.append(Case(lines[start][4:].strip(), text))
    assert len({case.name for case in found}) == len(found), "names of cases are unique"
    return found


def each(*files: str) -> pytest.MarkDecorator:
    """Parametrize a test by the cases of these files."""
    found = cases(*files)
    return pytest.mark.parametrize("case", found, ids=[case.name for case in found])


def check(case: Case, problems: Iterable[Finding]) -> None:
    """Compare the reported problems of a case with the expected ones, line by line."""
    missing = [(at, part.strip()) for at, line in enumerate(case.text.split("\n"), 1) for part in line.split("#!")[1:]]
    extra = []
    for line, report in sorted(_report(problem) for problem in problems):
        wanted = next((each for each in missing if each[0] == line and _has_all_parts(each[1], report)), None)
        if wanted is None:
            extra.append(f"line {line}: unexpected: {report}")
        else:
            missing.remove(wanted)
    read_problems = [*(f"line {line}: missing: {part}" for line, part in missing), *extra]
    if read_problems:
        pytest.fail("\n".join(read_problems), pytrace=False)


def _has_all_parts(wanted: str, report: str) -> bool:
    """Return whether a report contains all parts of an expectation."""
    return all(part in report for part in wanted.split(" | "))


def _report(problem: Finding) -> tuple[int, str]:
    """Return the line of a problem, and its texts as one line."""
    problem_text = sentence_of(problem)
    labels = [label.text for label in problem_text.spans]
    return problem_text.spans[0].span.line, " | ".join([problem_text.message, *labels, problem_text.help or ""])
