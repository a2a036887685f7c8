"""The mutants of what changed since a revision: `--since REV`.

In: a library, folders of packages and a git revision. Out: the changed places by file, and whether a mutant is in one:
in a declaration with another law or in another place, or in a changed line of data. A changed declaration or card is
mutated as a whole; a sentence, a citation and an example are not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.errors import UsageError
from rulewright.git import NotInGitError, ask_git, unknown_revision
from rulewright.revisions.checksums import sums_of_file
from rulewright.revisions.declarations import PHASE, split_declarations
from rulewright.revisions.mismatches import mismatches_of_file
from rulewright.revisions.revision_texts import FileChange, read_revision
from runtime.mutation.mutant import Mutant

# A file that is not in git is changed as a whole, and so is a card: its numbers have no place of their own.
ALL_LINES = range(1, 1 << 30)
CARD_FILE = re.compile(r"^scenario:", re.MULTILINE)
ChangedPlaces = Mapping[str, Sequence[range]]  # The changed lines of files by name.


def changed_places(library: Library, folders: Iterable[Path], revision: str) -> ChangedPlaces:
    """Return the changed lines of the files in some folders; those of a new file are all of them."""
    tops = [folder.resolve() for folder in folders]
    for top in tops:
        _require_revision(top, revision)
    texts = read_revision(library, revision)
    found: dict[str, list[range]] = {}
    for file in texts.differing:
        if places := list(_places_of(file)):
            found[file.name] = places
    for name in library.texts:
        if name not in texts.known:
            found[name] = [ALL_LINES]
    return {name: places for name, places in found.items() if _is_inside(library, name, tops)}


def is_changed(mutant: Mutant, places: ChangedPlaces) -> bool:
    """Return whether a mutant alters a changed place."""
    origin = mutant.origin
    return any(place.start <= origin.end_line and origin.line < place.stop for place in places.get(origin.file, ()))


def _require_revision(folder: Path, revision: str) -> None:
    try:
        ask_git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except NotInGitError as failure:
        raise UsageError(f"`--since` {unknown_revision(folder, failure)}") from None


def _places_of(file: FileChange) -> Iterator[range]:
    """Yield the lines of changed declarations, or the changed lines of data."""
    for mismatch in mismatches_of_file(file.name, file.new_text, sums_of_file(file.name, file.old_text)):
        if mismatch.may_change_results and mismatch.kind != "gone":
            span = _whole_sequence(file, mismatch.span) if file.has_rules else mismatch.span
            yield ALL_LINES if CARD_FILE.search(file.new_text) else range(span.line, span.end_line + 1)


def _whole_sequence(file: FileChange, span: Span) -> Span:
    """Return the span of the sequence around a phase; other spans stay.

    The steps of a phase have the place of their sequence.
    """
    parts = split_declarations(file.new_text)
    part = next(part for part in parts if part.first_line == span.line)
    if part.name.partition(" ")[0] != PHASE:
        return span
    outermost = next(other for other in reversed(parts) if other.depth == 0 and other.first_line <= part.first_line)
    return Span(file.name, outermost.first_line, 1, outermost.last_line, 1)


def _is_inside(library: Library, name: str, folders: Iterable[Path]) -> bool:
    file = library.texts.file(name)
    return file is not None and any(file.path.resolve().is_relative_to(folder) for folder in folders)
