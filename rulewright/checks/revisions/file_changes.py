"""The differences of files from a revision, as changes that can be reverted one by one.

In: the texts of files at a git revision. Out: changes, each a paragraph of rules or adjacent lines of data, with the
text of its file without this change. Examples are excluded, since their expectations are not the cause of a failure, or
obviously so. New files are excluded too.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from compiler.source.span import Span
from rulewright.checks.revisions.declarations import Part, split_declarations
from rulewright.checks.revisions.revision_texts import FileChange, RevisionTexts
from runtime.graph.frozen_dataclass import frozen_dataclass

# The most changes that are analyzed: reverting more of them one by one takes too long.
MOST_FILE_CHANGES = 12
# The most lines, and words, that are compared, which takes quadratic time.
MOST_COMPARED_LINES, MOST_COMPARED_WORDS = 2_000, 1_000
# Changed lines of data with fewer lines between them are one change.
MOST_LINES_BETWEEN = 2
# The longest quoted text.
LONGEST_QUOTED = 60


@frozen_dataclass
class ParagraphChange:
    """A change: its span, the new and the former text, and the text of the file without it.

    `label` is that of the enclosing rule or declaration, "" in data. If lines were removed, `span` is the line above.
    """

    path: Path
    span: Span
    label: str
    old_text: str
    new_text: str
    revision: str
    reverted_text: str


def changes_since(texts: RevisionTexts, files: Container[str] | None) -> tuple[ParagraphChange, ...]:
    """Return the changes of some files, or of all; () if there are too many."""
    found: list[ParagraphChange] = []
    for file in texts.differing:
        if files is not None and file.name not in files:
            continue
        found += _changes_of_file(file, texts.revision)
        if len(found) > MOST_FILE_CHANGES:
            return ()
    return tuple(found)


def _changes_of_file(file: FileChange, revision: str) -> Iterator[ParagraphChange]:
    """Split the differences of a file into changes."""
    old, new = (text.splitlines(keepends=True) for text in (file.old_text, file.new_text))
    old_parts, new_parts = (
        split_declarations(text) if file.has_rules else [] for text in (file.old_text, file.new_text)
    )
    for group in _groups(old, new, rules=file.has_rules):
        first, last, start, stop = group[0][1], group[-1][2], group[0][3], group[-1][4]
        if file.has_rules and _in_example(old, old_parts, first, last) and _in_example(new, new_parts, start, stop):
            continue
        old_text = _without_comments(line for code in group for line in old[code[1] : code[2]])
        new_text = _without_comments(line for code in group for line in new[code[3] : code[4]])
        if old_text == new_text:  # Swapped lines are reported with the lines between them.
            old_text, new_text = _without_comments(old[first:last]), _without_comments(new[start:stop])
        if old_text == new_text:
            continue
        label = _label(new_parts, start) if stop > start else _label(old_parts, first)
        reverted_text = "".join((*new[:start], *old[first:last], *new[stop:]))
        span = _span(file.name, new, start, stop)
        yield ParagraphChange(file.path, span, label, old_text, new_text, revision, reverted_text)


def _span(name: str, lines: Sequence[str], start: int, stop: int) -> Span:
    """Return the span of some lines; without lines, that of the last nonempty line above."""
    if start == stop:
        start = next((index for index in range(min(start, len(lines)) - 1, -1, -1) if lines[index].strip()), 0)
        stop = start + 1
    if not lines:
        return Span(name, 1, 1, 1, 1)
    indent = len(lines[start]) - len(lines[start].lstrip())
    return Span(name, start + 1, indent + 1, stop, len(lines[stop - 1].rstrip()) + 1)


Code = tuple[str, int, int, int, int]


def _groups(old: Sequence[str], new: Sequence[str], *, rules: bool) -> Iterator[list[Code]]:
    """Group the differences in one paragraph, or in adjacent lines of data."""
    group: list[Code] = []
    for code in _codes(old, new):
        if code[0] != "equal":
            group.append(code)
        elif group:
            between = new[code[3] : code[4]]
            is_separate = any(not line.strip() for line in between) if rules else len(between) > MOST_LINES_BETWEEN
            if is_separate:
                yield group
                group = []
    if group:
        yield group


def _codes(old: Sequence[str], new: Sequence[str]) -> Iterator[Code]:
    """Compare lines; if too many differ, those from the first to the last are one difference."""
    shorter = min(len(old), len(new))
    first = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    last = next((index for index in range(shorter - first) if old[-1 - index] != new[-1 - index]), shorter - first)
    old_middle, new_middle = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(old_middle), len(new_middle)) > MOST_COMPARED_LINES:
        yield "replace", first, len(old) - last, first, len(new) - last
        return
    for tag, *ends in SequenceMatcher(None, old_middle, new_middle, autojunk=False).get_opcodes():
        start, end, begin, stop = (end + first for end in ends)
        yield tag, start, end, begin, stop


def _without_comments(lines: Iterable[str]) -> str:
    """Join lines into one, without comments."""
    stripped_lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines)
    return " ".join(filter(None, stripped_lines))


def _in_example(lines: Sequence[str], parts: Iterable[Part], first: int, last: int) -> bool:
    """Return whether some lines are part of examples; true for empty lines."""
    examples = [part for part in parts if part.is_example]
    return all(
        any(example.first_line <= number + 1 <= example.last_line for example in examples)
        for number in range(first, last)
        if lines[number].strip()
    )


def _label(parts: Iterable[Part], index: int) -> str:
    """Return the label of the innermost declaration that contains a line; "" if there is none."""
    labels = (part.label for part in parts if part.first_line <= index + 1 <= part.last_line)
    return next(reversed([*labels]), "")


def quote_excerpt(text: str) -> str:
    """Truncate a text to the length of a quotation."""
    return text if len(text) <= LONGEST_QUOTED else f"{text[: LONGEST_QUOTED - 3].rstrip()}..."


def text_without_change(change: ParagraphChange) -> Mapping[Path, str]:
    """Return the text of the file without a change, by path, like an unsaved buffer of an editor."""
    return {change.path: change.reverted_text}


def former_text(change: ParagraphChange) -> str:
    """Return a phrase with the former text of a change."""
    if not change.old_text:
        return f"new since {change.revision}"
    old_words, new_words = differing_words(change.old_text, change.new_text)
    if not change.new_text:
        return f"at {change.revision} `{old_words}` stood behind this"
    return f"`{new_words}`, was `{old_words}` at {change.revision}"


def differing_words(old_text: str, new_text: str) -> tuple[str, str]:
    """Return the differing words of two texts, with a word of context on each side."""
    old_words, new_words = old_text.split(), new_text.split()
    if max(len(old_words), len(new_words)) > MOST_COMPARED_WORDS:
        return quote_excerpt(old_text), quote_excerpt(new_text)
    codes = [
        code for code in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    if not codes:
        return quote_excerpt(old_text), quote_excerpt(new_text)
    first, last, start, stop = codes[0][1], codes[-1][2], codes[0][3], codes[-1][4]
    parts = old_words[max(first - 1, 0) : last + 1], new_words[max(start - 1, 0) : stop + 1]
    return quote_excerpt(" ".join(parts[0])), quote_excerpt(" ".join(parts[1]))
