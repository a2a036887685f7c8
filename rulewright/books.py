"""Write the book of a stack into a folder."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.rulebook.book import count_anchors, count_pages, write_site
from compiler.rulebook.changes import Against
from compiler.rulebook.contents import gather_contents
from rulewright.evidence import gather_evidence, owed
from rulewright.stacks import Shelves, Stack


@dataclass(frozen=True, slots=True)
class Written:
    """A book that was written, or what has to be mended before it is."""

    data: dict[str, Any]
    owed: list[Diagnostic]


def write_reference(shelves: Shelves, stack: Stack, against: Against | None, out: Path) -> Written:
    """Write every page, unless an example fails or a rule lacks its source, its sentence or an example."""
    assert stack.graph
    evidence = gather_evidence(shelves, stack)
    missing = [replace(each, severity=Severity.ERROR) for each in diagnose(owed(stack.graph, evidence), stack.texts)]
    if missing:
        return Written({"files": [], "pages": 0, "anchors": 0}, missing)
    files = write_site(gather_contents(stack.graph, evidence.played, against))
    for name, content in files.items():
        place = out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return Written({"files": sorted(files), "pages": count_pages(files), "anchors": count_anchors(files)}, [])
