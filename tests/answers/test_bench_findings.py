"""Findings of the bench are read from JSON as they were written."""

import json
from pathlib import Path

from bench.finding import AT_LEAST, Finding, interpreter
from bench.measuring import stored_findings


def test_findings_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Sections that were measured in several runs are one page; the line of the interpreter is there once."""
    found = [
        [interpreter(), Finding("real terms", "a term / by hand", "us", 3.0, 2.0, 1.5, 1.5)],
        [interpreter(), Finding("playing", "games a second", "/s", None, target=2.0, bound=AT_LEAST, note="absent")],
    ]
    files = [tmp_path / f"{number}.json" for number in range(len(found))]
    for file, findings in zip(files, found, strict=True):
        file.write_text(json.dumps([each.data() for each in findings]), encoding="utf-8")
    assert stored_findings(files) == [*found[0], found[1][1]]
