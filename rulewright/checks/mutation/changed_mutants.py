"""The mutants of what changed since a revision: `--since REV`.

In: a library, folders of packages and a git revision. Out: the changed places by file, and whether a mutant is in one:
in a declaration with changed lines, or in a changed line of data. A changed declaration or card is mutated as a whole,
an example is not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.checks.revisions.declarations import PHASE, Part, split_declarations
from rulewright.checks.revisions.file_changes import changes_of_file
from rulewright.checks.revisions.revision_texts import read_revision, require_revision
from runtime.mutation.mutant import Mutant

# A file that is not in git is changed as a whole, and so is a card: its numbers have no place of their own.
ALL_LINES = range(1, 1 << 30)
CARD_FILE = re.compile(r"^scenario:", re.MULTILINE)
ChangedPlaces = Mapping[str, Sequence[range]]  # The changed lines of files by name.


def changed_places(library: Library, folders: Iterable[Path], revision: str) -> ChangedPlaces:
    """Return the changed lines of the files in some folders; those of a new file are all of them."""
    tops = [folder.resolve() for folder in folders]
    require_revision(tops, revision)
    texts = read_revision(library, revision)
    found: dict[str, list[range]] = {}
    for file in texts.differing:
        parts = split_declarations(file.new_text) if file.has_rules else []
        if changes := [_place(parts, each.span) for each in changes_of_file(file, revision)]:
            found[file.name] = [ALL_LINES] if CARD_FILE.search(file.new_text) else changes
    for name in library.texts:
        if name not in texts.known:
            found[name] = [ALL_LINES]
    return {name: places for name, places in found.items() if _is_inside(library, name, tops)}


def is_changed(mutant: Mutant, places: ChangedPlaces) -> bool:
    """Return whether a mutant alters a changed place."""
    origin = mutant.origin
    return any(place.start <= origin.end_line and origin.line < place.stop for place in places.get(origin.file, ()))


def _place(parts: Iterable[Part], span: Span) -> range:
    """Return the lines of the declaration around a change; the steps of a phase have the place of their sequence."""
    first_line, last_line = span.line, span.end_line
    for part in parts:
        if part.first_line <= span.line <= part.last_line and not part.name.startswith(f"{PHASE} "):
            first_line, last_line = part.first_line, max(part.last_line, span.end_line)
    return range(first_line, last_line + 1)


def _is_inside(library: Library, name: str, folders: Iterable[Path]) -> bool:
    file = library.texts.file(name)
    return file is not None and any(file.path.resolve().is_relative_to(folder) for folder in folders)
