"""The mutants that changed since a revision: `--since REV`.

In: folders of rules and a revision that git knows. Out: for each file the lines that were written since. A mutant is
changed if a line of the paragraph or the row that it stands in is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from compiler.source.nodes import Statement, laws_inside
from compiler.source.package import Library, load_layer
from compiler.source.span import Span
from rulewright.errors import UsageError
from rulewright.git import NotInGitError, ask_git, unknown_revision
from runtime.mutation.mutant import Mutant

FILE = re.compile(r"^\+\+\+ (.*)$")
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
# Every line of a file that git does not know yet.
ALL = range(1, 1 << 30)

Lines = Mapping[str, Sequence[range]]


def changed_lines(folders: Iterable[Path], revision: str) -> Lines:
    """List the lines written since a revision, by file."""
    found: dict[str, list[range]] = {}
    for folder in folders:
        place = folder.resolve()
        known = _git(place, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
        diff = _git(
            place,
            "diff",
            "--unified=0",
            "--no-color",
            "--no-prefix",
            "--no-ext-diff",
            "--no-textconv",
            "--relative",
            known,
            "--",
            ".",
        )
        name = ""
        for line in diff.splitlines():
            if file := FILE.match(line):
                name = f"{place.name}/{file[1]}"
            elif hunk := HUNK.match(line):
                first, count = int(hunk[1]), int(hunk[2] or 1)
                # Where lines are gone, those around are what changed.
                found.setdefault(name, []).append(range(first, first + max(count, 2 if not count else 1)))
        for new in _git(place, "ls-files", "--others", "--exclude-standard", "--", ".").splitlines():
            found[f"{place.name}/{new}"] = [ALL]
    return found


def _git(folder: Path, *words: str) -> str:
    try:
        return ask_git(folder, *words).decode("utf-8", "replace")
    except NotInGitError as failure:
        raise UsageError(f"`--since` {unknown_revision(folder, failure)}") from None


class ChangedMutants:
    """Tells what changed of the mutants of some layers."""

    def __init__(self, library: Library, lines: Lines) -> None:
        """Keep the lines, and the paragraphs of the files that they are in."""
        self.lines = lines
        self.paragraphs: dict[str, list[Span]] = {}
        for name in library.layers:
            if any(file.name in lines for file in library.files[name]):
                for file in load_layer(library, name)[0].files:
                    self.paragraphs.setdefault(file.span.file, []).extend(_spans(file.statements))

    def holds(self, mutant: Mutant) -> bool:
        """Return whether the paragraph or the row of a mutant changed."""
        at = mutant.origin
        lines = self.lines.get(at.file)
        if not lines:
            return False
        inside = [span for span in self.paragraphs.get(at.file, ()) if span.line <= at.line <= span.end_line]
        around = min(inside, key=lambda span: span.end_line - span.line, default=None)
        first, last = (at.line, at.end_line) if around is None else (around.line, around.end_line)
        return any(each.start <= last and first < each.stop for each in lines)


def _spans(statements: Iterable[Statement]) -> Iterable[Span]:
    for statement in statements:
        yield statement.span
        yield from _spans(laws_inside(statement))  # type: ignore[arg-type]
