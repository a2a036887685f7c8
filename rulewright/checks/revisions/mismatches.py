"""The differences of files from their checksums: of declarations and examples of rules, and of lines of data.

In: files of rules and data, and known checksums, of `checksums.txt` or of a former text (revision_comparison.py).
Out: the parts that differ. Files and examples without a checksum are not compared.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from compiler.source.span import Span
from rulewright.checks.revisions.checksums import (
    CHECKSUMS_FILE,
    KnownPart,
    RuleSums,
    Sums,
    data_lines,
    part_sums,
    parts_of,
    read_checksums,
    root_of,
    sums_of_data,
    sums_of_file,
    text_checksum,
)
from rulewright.checks.revisions.declarations import PHASE, Part, part_label
from rulewright.checks.revisions.resolved_paths import resolve_path
from runtime.graph.frozen_dataclass import frozen_dataclass

# Data that rules and procedures read.
DATA_READ_BY_RULES = re.compile(r"^(?:table|pieces|scenario|board|outline|patch|layer):", re.MULTILINE)
# Lines of data that are only printed, and keys of a file whose content is: names, and the words that a search reads.
PRINTED_LINE = re.compile(r"(?:title|titles|cites|edition|reads|group|gaps)\b:?")
KEY = re.compile(r"(\w[\w ]*):")
PRINTED_KEYS = frozenset({"titles", "nicknames", "gaps", "see", "card"})


@frozen_dataclass
class ChecksumMismatch:
    """A part of a file that differs from its checksum.

    `kind` of a declaration is sentence, law or citation if only that differs, rules if several do, new, gone, or
    elsewhere if it has moved into another declaration or is a phase in another order. Other kinds are example, and data
    for lines of a data file. `label` is that of the declaration, "" otherwise; `current_text` is the current text, or
    the name of the enclosing declaration if it is elsewhere, "" if lines or examples were removed: then `span` is
    above. `is_law`: its sentences express its law. `is_replacement`: lines of data replace as many others.
    `is_printed`: no rule and no procedure reads these lines of data.
    """

    kind: str
    label: str
    span: Span
    current_text: str
    is_law: bool = False
    is_replacement: bool = False
    is_printed: bool = False

    @property
    def is_text(self) -> bool:
        """Return whether it is data that only readers see, in place of other data."""
        return self.is_replacement and self.is_printed

    @property
    def may_change_results(self) -> bool:
        """Return whether rules or procedures may read what differs."""
        if self.kind == "data":
            return not self.is_printed
        return self.kind in {"law", "rules", "elsewhere", "new", "gone"}


def differing_from_checksums(files: Iterable[tuple[Path, str, str]]) -> Iterator[ChecksumMismatch]:
    """Yield the mismatches of files, given as (path, name, text), with their checksums."""
    roots: dict[Path, Path | None] = {}
    known: dict[Path, Sums] = {}
    folders: dict[str, str] = {}
    for place, name, text in files:
        path = Path(resolve_path(place, folders))
        if path.parent not in roots:
            roots[path.parent] = root_of(path)
        root = roots[path.parent]
        if root is None:
            continue
        if root not in known:
            known[root] = read_checksums(root / CHECKSUMS_FILE)
        sums = known[root].get(path.relative_to(root).as_posix())
        if sums:
            yield from mismatches_of_file(name, text, sums)


def mismatches_of_file(name: str, text: str, sums: RuleSums | Sequence[str]) -> Iterator[ChecksumMismatch]:
    """Yield the mismatches of a file with its known checksums."""
    current = sums_of_file(name, text)
    if isinstance(sums, RuleSums) and isinstance(current, RuleSums):
        if [*current.parts.items()] != [*sums.parts.items()] or current.examples != sums.examples:
            yield from _rule_mismatches(name, text, sums)
    elif current != sums and not isinstance(sums, RuleSums):
        yield from _data_mismatches(name, text, sums)


def line_span(file: str, lines: Sequence[str], number: int) -> Span:
    """Return the span of a line by its number, without its indentation."""
    line = lines[number - 1]
    return Span(file, number, len(line) - len(line.lstrip()) + 1, number, len(line.rstrip()) + 1)


def _rule_mismatches(file: str, text: str, sums: RuleSums) -> Iterator[ChecksumMismatch]:
    parts, examples = parts_of(text)
    lines = text.splitlines()
    yield from _removed(file, lines, parts, sums.parts)
    moved_phases = _moved_phases(parts, sums.parts)
    places = {"", *(part.name for part in parts)}  # What is in a renamed declaration is where it was.
    changed_indices = {
        index
        for index, part in enumerate(parts)
        if part.name not in sums.parts or part_sums(part) != sums.parts[part.name].sums
    }
    for index, part in enumerate(parts):
        kind = _kind(part, sums.parts) if index in changed_indices else ""
        enclosed = range(index + 1, _end_of(parts, index))
        if kind == "sentence" and any(other in changed_indices for other in enclosed):
            kind = "rules"  # The statement of a ruling is that of the rules in its braces.
        if kind == "law" and not part.sentences and _enclosing_changed(parts, index, changed_indices):
            kind = "rules"
        if kind:
            current_text = part.texts[0].replace("\n", " / ")
            yield ChecksumMismatch(kind, part.label, _span_of(file, lines, part), current_text, part.is_law)
        elif part.name in moved_phases or sums.parts[part.name].enclosing in places - {part.enclosing}:
            yield ChecksumMismatch("elsewhere", part.label, _span_of(file, lines, part), part.enclosing)
    yield from _example_mismatches(file, lines, examples, sums.examples)


def _enclosing_changed(parts: Sequence[Part], index: int, changed_indices: Container[int]) -> bool:
    """Return whether the declaration in whose braces one stands has changed."""
    above = (other for other in range(index - 1, -1, -1) if parts[other].depth < parts[index].depth)
    return next(above, None) in changed_indices


def _span_of(file: str, lines: Sequence[str], part: Part) -> Span:
    column = len(lines[part.first_line - 1]) - len(lines[part.first_line - 1].lstrip()) + 1
    return Span(file, part.first_line, column, part.last_line, len(lines[part.last_line - 1]) + 1)


def _span_above(file: str, lines: Sequence[str], above: Part | None) -> Span:
    """Return the span of the first line of a declaration behind which something was removed."""
    line = above.first_line if above else 1
    return Span(file, line, 1, line, len(lines[line - 1]) + 1 if lines else 1)


def _end_of(parts: Sequence[Part], index: int) -> int:
    """Return the index behind the last declaration that one encloses."""
    following = range(index + 1, len(parts))
    return next((other for other in following if parts[other].depth <= parts[index].depth), len(parts))


def _removed(
    file: str, lines: Sequence[str], parts: Sequence[Part], known: Mapping[str, KnownPart]
) -> Iterator[ChecksumMismatch]:
    """Yield the known declarations that are gone."""
    names = {part.name for part in parts}
    order = {name: index for index, name in enumerate(known)}
    for name in known:
        if name not in names:
            above = [part for part in parts if order.get(part.name, len(order)) < order[name]]
            span = _span_above(file, lines, above[-1] if above else None)
            yield ChecksumMismatch("gone", part_label(name), span, "")


def _moved_phases(parts: Sequence[Part], known: Mapping[str, KnownPart]) -> set[str]:
    """Return the names of the fewest phases without which the others stand in their known order."""
    current_names = [part.name for part in parts if part.name in known and part.name.startswith(f"{PHASE} ")]
    present_names = {*current_names}
    known_names = [name for name in known if name in present_names]
    if current_names == known_names:
        return set()
    blocks = SequenceMatcher(None, known_names, current_names, autojunk=False).get_matching_blocks()
    unmoved_names = {name for block in blocks for name in current_names[block.b : block.b + block.size]}
    return present_names - unmoved_names


def _example_mismatches(
    file: str, lines: Sequence[str], examples: Sequence[Part], known: Sequence[str]
) -> Iterator[ChecksumMismatch]:
    """Yield the examples that differ, and the places from which known ones were removed."""
    current_sums = [text_checksum("\n".join(example.texts)) for example in examples]
    for tag, _, _, start, stop in SequenceMatcher(None, known, current_sums, autojunk=False).get_opcodes():
        if tag == "replace":
            for example in examples[start:stop]:
                title = example.texts[0].partition("\n")[0]
                yield ChecksumMismatch("example", "", _span_of(file, lines, example), title)
        elif tag == "delete":
            above = examples[start - 1] if start else None
            yield ChecksumMismatch("example", "", _span_above(file, lines, above), "")


def _kind(part: Part, known: Mapping[str, KnownPart]) -> str:
    """Return the kind of the mismatch of a declaration that differs: rules if several components do."""
    if part.name not in known:
        return "new"
    kinds = [kind for kind, new, old in zip(("sentence", "law", "citation"), part_sums(part), known[part.name].sums,
             strict=False) if new != old]  # fmt: skip
    return kinds[0] if len(kinds) == 1 else "rules"


def _data_mismatches(file: str, text: str, sums: Sequence[str]) -> Iterator[ChecksumMismatch]:
    current_sums = sums_of_data(text)
    lines = data_lines(text)
    all_lines = text.splitlines()
    is_read = bool(DATA_READ_BY_RULES.search(text))
    for tag, first_sum, until, start, stop in SequenceMatcher(None, sums, current_sums, autojunk=False).get_opcodes():
        if tag == "equal" or not lines:
            continue
        changed_lines = lines[start:stop] or lines[max(start - 1, 0) : max(start, 1)]
        first, last = changed_lines[0][0], changed_lines[-1][0]
        span = Span(
            file, first, line_span(file, all_lines, first).column, last, line_span(file, all_lines, last).end_column
        )
        current_text = " ".join(line for _, line, _ in lines[start:stop])
        is_printed = not is_read or all(
            PRINTED_LINE.match(line) or top_key(all_lines, number) in PRINTED_KEYS for number, line, _ in changed_lines
        )
        yield ChecksumMismatch(
            "data", "", span, current_text, is_replacement=until - first_sum == stop - start, is_printed=is_printed
        )


def top_key(lines: Sequence[str], number: int) -> str:
    """Return the key of a data file to which a line belongs; "" if it belongs to none."""
    above = (found[1] for line in reversed(lines[:number]) if (found := KEY.match(line)))
    return next(above, "")
