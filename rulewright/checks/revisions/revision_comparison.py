"""Find what of a declaration changed alone since a revision: a sentence, a law or a citation.

In: the texts of a stack's files at a git revision. Out: what changed alone, how many declarations differ, and what was
not compared. Readers use the sentence and the engine the law; a change of one easily omits the other, which a single
version often does not show. The files are compared as with checksums, whose place the former texts take; no change of a
sentence is judged by its words.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher

from compiler.layered.layer_selection import layers_of_stack
from compiler.report.findings.revisions import ChangedAlone
from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.checks.revisions.checksums import data_lines, sums_of_file
from rulewright.checks.revisions.declarations import split_declarations
from rulewright.checks.revisions.file_changes import differing_words
from rulewright.checks.revisions.mismatches import ChecksumMismatch, line_span, mismatches_of_file, top_key
from rulewright.checks.revisions.revision_texts import FileChange, RevisionTexts, layer_folder
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.records.findings import RevisionRecord

# More parts that changed alone are an edit of the book: they are counted.
MOST_ALONE = 25
# The parts of a book that serve the search, and do not describe rules.
SEARCHED = frozenset({"index", "asked"})
LEFT_OUT = ("charts", "counters", "boards", "cards")
# The number of the text of a declaration by what of it has changed.
TEXT_OF_KIND = {"sentence": 0, "law": 1, "citation": 2}


@frozen_dataclass
class RevisionComparison:
    """A comparison of rules with a revision: numbers of changed, new and removed declarations; what changed alone.

    `absent_layers` are layers that the revision or git does not have; they were not compared. `alone` is the number of
    parts that changed alone, if that exceeds the limit: then none of them is reported.
    """

    revision: str
    changed: int
    new: int
    removed: int
    findings: tuple[ChangedAlone, ...]
    absent_layers: tuple[str, ...]
    alone: int = 0

    def record(self) -> RevisionRecord:
        """Return the record of it."""
        return {
            "revision": self.revision, "differ": self.changed, "new": self.new, "removed": self.removed,
            "left_out": list(LEFT_OUT), "absent": list(self.absent_layers), "alone": self.alone,
        }  # fmt: skip


def compare_with_revision(library: Library, stack: str, texts: RevisionTexts) -> RevisionComparison | None:
    """Compare the rules and the printed texts of a stack with a revision; None if git has no layer of it."""
    layers = [layer.name.text for layer in layers_of_stack(library, stack) if layer.name.text in library.files]
    names_of_layer = {
        layer: {library.layers[layer].span.file, *(file.name for file in library.files[layer])} for layer in layers
    }
    present = [layer for layer in layers if not names_of_layer[layer].isdisjoint(texts.known)]
    if not present:
        return None
    names = frozenset().union(*(names_of_layer[layer] for layer in present))
    files = [each for each in texts.differing if each.name in names]
    counts = {"changed": 0, "new": 0, "gone": 0}
    findings: list[ChangedAlone] = []
    for file in files:
        mismatches = list(mismatches_of_file(file.name, file.new_text, sums_of_file(file.name, file.old_text)))
        for mismatch in mismatches if file.has_rules else ():
            if mismatch.kind != "example":
                counts[mismatch.kind if mismatch.kind in counts else "changed"] += 1
        findings += _changed_alone(file, mismatches, texts.revision)
    # A file that git does not have is new, and one that is gone belongs to the innermost layer.
    for name in names - texts.known:
        counts["new"] += _count_declarations(name, library.texts[name])
    folders = {layer_folder(library, layer).resolve(): layer for layer in library.layers}
    for file in texts.removed:
        if next((folders[folder] for folder in file.path.parents if folder in folders), "") in present:
            counts["gone"] += _count_declarations(file.name, file.old_text)
    absent = tuple(layer for layer in layers if layer not in present)
    numbers = counts["changed"], counts["new"], counts["gone"]
    if len(findings) > MOST_ALONE:
        return RevisionComparison(texts.revision, *numbers, (), absent, len(findings))
    return RevisionComparison(texts.revision, *numbers, tuple(findings), absent)


def _count_declarations(name: str, text: str) -> int:
    if not name.endswith(".rules"):
        return 0
    return sum(not part.is_example for part in split_declarations(text))


def _changed_alone(file: FileChange, mismatches: list[ChecksumMismatch], revision: str) -> Iterator[ChangedAlone]:
    """Yield the parts of a file that changed alone, with their former texts."""
    lines = file.new_text.splitlines()
    for mismatch in mismatches:
        if mismatch.kind in TEXT_OF_KIND and (mismatch.kind != "law" or mismatch.is_law):
            old_text, new_text = _texts_of_part(file, mismatch)
            place = _changed_line(file, mismatch) or mismatch.span
            yield ChangedAlone(
                mismatch.kind, mismatch.label, *differing_words(old_text, new_text), revision, mismatch.current_text,
                mismatch.span, place,
            )  # fmt: skip
        elif mismatch.is_text and top_key(lines, mismatch.span.line) not in SEARCHED:
            old_text = _former_data(file, mismatch)
            words = differing_words(old_text, mismatch.current_text)
            yield ChangedAlone("text", "", *words, revision, mismatch.current_text, mismatch.span, mismatch.span)


def _texts_of_part(file: FileChange, mismatch: ChecksumMismatch) -> tuple[str, str]:
    """Return the former and the current text of what changed of a declaration."""
    number = TEXT_OF_KIND[mismatch.kind]
    new_part = next(part for part in split_declarations(file.new_text) if part.first_line == mismatch.span.line)
    old_part = next(part for part in split_declarations(file.old_text) if part.name == new_part.name)
    return old_part.texts[number], new_part.texts[number]


def _changed_line(file: FileChange, mismatch: ChecksumMismatch) -> Span | None:
    """Return the first line of a declaration that the former file does not have."""
    former_lines = {line.strip() for line in file.old_text.splitlines()}
    lines = file.new_text.splitlines()
    for number in range(mismatch.span.line, mismatch.span.end_line + 1):
        if lines[number - 1].strip() not in former_lines:
            return line_span(file.name, lines, number)
    return None


def _former_data(file: FileChange, mismatch: ChecksumMismatch) -> str:
    """Return the former lines of data in the place of changed ones."""
    old_lines = [line for _, line, _ in data_lines(file.old_text)]
    new_lines = data_lines(file.new_text)
    matcher = SequenceMatcher(None, old_lines, [line for _, line, _ in new_lines], autojunk=False)
    for _, first, last, start, _ in matcher.get_opcodes():
        if start < len(new_lines) and new_lines[start][0] == mismatch.span.line:
            return " ".join(old_lines[first:last])
    return ""
