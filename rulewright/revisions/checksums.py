"""The differences from checksums: of declarations and examples of rules, and of lines of data, without git.

In: files of rules and data, and `checksums.txt` at the root of their package, which `check STACK --accept` writes.
Out: the parts that differ. Like a lock file, checksums represent a state that was reviewed and whose examples
passed; they identify a changed text but not its former content. Files and examples without a checksum are not compared.

The file has a line for each file with its path below the root. Of rules an indented line follows for each declaration,
with the checksums of its sentences, its law and its citations: in the order of the file, and further indented where it
stands within the braces of another one; then the checksums of the examples. Of data the checksums of the lines follow,
each of which includes the depth of its indentation.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from compiler.source.content import RULES_SUFFIX
from compiler.source.span import Span
from rulewright.atomic_files import save_inside
from rulewright.errors import UsageError
from rulewright.regular_files import read_regular
from rulewright.revisions.declarations import PHASE, Part, part_label, split_declarations
from rulewright.revisions.resolved_paths import resolve_path

CHECKSUMS_FILE = "checksums.txt"
CHECKSUMS_COMMENT = "# Checksums of rules, examples and lines of data. `rulewright check STACK --accept` writes them."
EXAMPLES = "examples"
# A comment in data, or a quoted text, in which a # is none.
DATA_COMMENT = re.compile(r"(\"[^\"\n]*\"|'[^'\n]*')|(?:^|\s)#.*")
# Lines of data that are only printed, and keys of a file whose content is: names, and the words that a search reads.
PRINTED_LINE = re.compile(r"(?:title|titles|cites|edition|reads|group|gaps)\b:?")
KEY = re.compile(r"(\w[\w ]*):")
PRINTED_KEYS = frozenset({"titles", "nicknames", "gaps", "see", "card"})
# The size limit: a larger file was not written by this program.
MOST_BYTES = 16_000_000
CHECKSUM_DIGITS, CHECKSUMS_PER_LINE = 3, 16
# The number of files whose checksums are cached in memory.
MOST_CACHED_FILES = 1_000


@dataclass(frozen=True, slots=True)
class KnownPart:
    """The checksums of a declaration, and the name of the one in whose braces it stood."""

    enclosing: str
    sums: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleSums:
    """The checksums of the declarations of a file of rules by name, and those of its examples, both in order."""

    parts: Mapping[str, KnownPart]
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class ChecksumMismatch:
    """A part of a file that differs from its checksum.

    `kind` of a declaration is sentence, law or citation if only that differs, rules if several do, new, gone, elsewhere
    if it has moved into another declaration or is a phase in another order, and order if it has moved otherwise, which
    changes no answer. Other kinds are example, and data for lines of a data file. `label` is that of the declaration,
    "" otherwise; `current_text` is the current text, or the name of the enclosing declaration if it is elsewhere, "" if
    lines or examples were removed: then `span` is above. `is_law`: its sentences express its law. `is_replacement`:
    lines of data replace as many others. `is_printed`: no rule and no procedure reads these lines of data.
    """

    kind: str
    label: str
    span: Span
    current_text: str
    is_law: bool = False
    is_replacement: bool = False
    is_printed: bool = False


def text_checksum(text: str) -> str:
    """Return the checksum of a text."""
    return blake2b(text.encode(), digest_size=CHECKSUM_DIGITS).hexdigest()


def data_lines(text: str) -> list[tuple[int, str, int]]:
    """Return the nonempty lines of a data file as (number, text, depth), without layout and comments.

    The depth of a line is the number of lines above it that are less indented than all between.
    """
    found: list[tuple[int, str, int]] = []
    indents: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = DATA_COMMENT.sub(lambda match: match[1] or "", line).strip()
        if content:
            indent = len(line) - len(line.lstrip())
            indents = [outer for outer in indents if outer < indent]
            found.append((number, " ".join(content.split()), len(indents)))
            indents.append(indent)
    return found


Sums = Mapping[str, RuleSums | Sequence[str]]


def write_checksums(files: Mapping[str, str], known: Sums | None) -> str:
    """Format the checksums of files, whose texts are by path below the root; `known` ones of other files are kept."""
    sums_by_file = {**(known or {}), **{place: _sums_of_file(place, text) for place, text in files.items()}}
    lines = [CHECKSUMS_COMMENT]
    for place, sums in sorted(sums_by_file.items()):
        lines.append(place)
        if isinstance(sums, RuleSums):
            lines += _part_lines(sums.parts)
            lines += (f"  {EXAMPLES}: {row}" for row in _rows(sums.examples))
        else:
            lines += (f"  {row}" for row in _rows(sums))
    return "\n".join((*lines, ""))


def _part_lines(parts: Mapping[str, KnownPart]) -> Iterator[str]:
    """Yield a line for each declaration, indented by the number of those in which it stands."""
    depths = {"": 0}
    for name, part in parts.items():
        depths[name] = depths[part.enclosing] + 1
        yield f"{'  ' * depths[name]}{name}: {' '.join(part.sums)}"


def _rows(sums: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(sums), CHECKSUMS_PER_LINE):
        yield " ".join(sums[start : start + CHECKSUMS_PER_LINE])


def read_checksums(path: Path) -> Sums:
    """Read a file of checksums; {} if it is too large or cannot be read."""
    try:
        content = read_regular(path, MOST_BYTES)
    except (OSError, UsageError):
        return {}
    return _parse_checksums(content.decode("utf-8", "replace"))


@cache
def _parse_checksums(text: str) -> Sums:
    found: dict[str, RuleSums | list[str]] = {}
    place, enclosing = "", list[str]()
    parts, examples = dict[str, KnownPart](), list[str]()
    for line in text.splitlines():
        if not line.startswith("  "):
            place, enclosing, parts, examples = "" if line.startswith("#") else line, [], {}, []
            if place:
                found[place] = RuleSums(parts, examples) if place.endswith(RULES_SUFFIX) else []
            continue
        entries = found.get(place)
        if isinstance(entries, list):
            entries += line.split()
        elif entries is not None:
            depth = (len(line) - len(line.lstrip())) // 2 - 1
            name, _, sums = line.strip().rpartition(": ")
            if name == EXAMPLES:
                examples += sums.split()
            else:
                enclosing = [*enclosing[:depth], name]
                parts[name] = KnownPart(enclosing[-2] if len(enclosing) > 1 else "", tuple(sums.split()))
    return found


def root_of(path: Path) -> Path | None:
    """Return the nearest folder above a file that has checksums; None if there is none."""
    return next((folder for folder in path.parents if (folder / CHECKSUMS_FILE).is_file()), None)


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
        if isinstance(sums, RuleSums):
            if not _are_equal(_sums_of_rules(text), sums):
                yield from _rule_mismatches(name, text, sums)
        elif sums:
            yield from _data_mismatches(name, text, sums)


def _are_equal(current: RuleSums, known: RuleSums) -> bool:
    """Return whether checksums of rules are equal, in the same order."""
    return [*current.parts.items()] == [*known.parts.items()] and current.examples == known.examples


def _sums_of_file(place: str, text: str) -> RuleSums | Sequence[str]:
    return _sums_of_rules(text) if place.endswith(RULES_SUFFIX) else _sums_of_data(text)


@lru_cache(MOST_CACHED_FILES)
def _sums_of_rules(text: str) -> RuleSums:
    parts, examples = _parts_of(text)
    return RuleSums(
        {part.name: KnownPart(part.enclosing, _part_sums(part)) for part in parts},
        [text_checksum("\n".join(example.texts)) for example in examples],
    )


def _parts_of(text: str) -> tuple[list[Part], list[Part]]:
    """Return the declarations and the examples of a file of rules."""
    parts = split_declarations(text)
    return [part for part in parts if not part.is_example], [part for part in parts if part.is_example]


def _part_sums(part: Part) -> tuple[str, ...]:
    return tuple(map(text_checksum, part.texts))


@lru_cache(MOST_CACHED_FILES)
def _sums_of_data(text: str) -> Sequence[str]:
    return [text_checksum(f"{depth} {line}") for _, line, depth in data_lines(text)]


def _rule_mismatches(file: str, text: str, sums: RuleSums) -> Iterator[ChecksumMismatch]:
    parts, examples = _parts_of(text)
    lines = text.splitlines()
    former_names = {part.name: part.name for part in parts if part.name in sums.parts} | _renamed(parts, sums.parts)
    yield from _removed(file, lines, parts, sums.parts, {*former_names.values()})
    moved_names = _moved(parts, sums.parts)
    changed_indices = {
        index
        for index, part in enumerate(parts)
        if part.name not in sums.parts or _part_sums(part) != sums.parts[part.name].sums
    }
    for index, part in enumerate(parts):
        kind = _kind(part, sums.parts, former_names) if index in changed_indices else ""
        enclosed = range(index + 1, _end_of(parts, index))
        if kind == "sentence" and any(other in changed_indices for other in enclosed):
            kind = "rules"  # The statement of a ruling is that of the rules in its braces.
        if kind:
            current_text = part.texts[0].replace("\n", " / ")
            yield ChecksumMismatch(kind, part.label, _span_of(file, lines, part), current_text, part.is_law)
        elif part.name in sums.parts and sums.parts[part.name].enclosing != former_names.get(
            part.enclosing, part.enclosing
        ):
            yield ChecksumMismatch("elsewhere", part.label, _span_of(file, lines, part), part.enclosing)
        elif part.name in moved_names:
            kind = "elsewhere" if part.name.startswith(f"{PHASE} ") else "order"
            yield ChecksumMismatch(kind, part.label, _span_of(file, lines, part), part.enclosing)
    yield from _example_mismatches(file, lines, examples, sums.examples)


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
    file: str, lines: Sequence[str], parts: Sequence[Part], known: Mapping[str, KnownPart], names: Container[str]
) -> Iterator[ChecksumMismatch]:
    """Yield the known declarations without one of `names`."""
    order = {name: index for index, name in enumerate(known)}
    for name in known:
        if name not in names:
            above = [part for part in parts if order.get(part.name, len(order)) < order[name]]
            span = _span_above(file, lines, above[-1] if above else None)
            yield ChecksumMismatch("gone", part_label(name), span, "")


def _moved(parts: Sequence[Part], known: Mapping[str, KnownPart]) -> set[str]:
    """Return the names of the fewest declarations without which the others stand in their known order."""
    current_names = [part.name for part in parts if part.name in known]
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


def _renamed(parts: Sequence[Part], known: Mapping[str, KnownPart]) -> dict[str, str]:
    """Return the former names of renamed declarations: of the same kind, after the same neighbor."""
    names = {part.name for part in parts}
    left = {above: name for above, name in pairwise(("", *known)) if name not in names}
    found: dict[str, str] = {}
    for above, part in pairwise((None, *parts)):
        old_name = left.get(above.name if above else "", "") if part and part.name not in known else ""
        if part and old_name.split(" ")[0] == part.name.split(" ")[0]:
            found[part.name] = old_name
    return found


def _kind(part: Part, known: Mapping[str, KnownPart], former_names: Container[str]) -> str:
    """Return the kind of the mismatch of a declaration that differs: rules if several components do."""
    if part.name not in known:
        return "rules" if part.name in former_names else "new"
    kinds = [kind for kind, new, old in zip(("sentence", "law", "citation"), _part_sums(part), known[part.name].sums,
             strict=False) if new != old]  # fmt: skip
    return kinds[0] if len(kinds) == 1 else "rules"


def _data_mismatches(file: str, text: str, sums: Sequence[str]) -> Iterator[ChecksumMismatch]:
    current_sums = _sums_of_data(text)
    if current_sums == sums:
        return
    lines = data_lines(text)
    all_lines = text.splitlines()
    for tag, first_sum, until, start, stop in SequenceMatcher(None, sums, current_sums, autojunk=False).get_opcodes():
        if tag == "equal" or not lines:
            continue
        changed_lines = lines[start:stop] or lines[max(start - 1, 0) : max(start, 1)]
        first, last = changed_lines[0][0], changed_lines[-1][0]
        indent = len(all_lines[first - 1]) - len(all_lines[first - 1].lstrip())
        span = Span(file, first, indent + 1, last, len(all_lines[last - 1].rstrip()) + 1)
        current_text = " ".join(line for _, line, _ in lines[start:stop])
        is_printed = all(
            PRINTED_LINE.match(line) or _is_printed(all_lines, number) for number, line, _ in changed_lines
        )
        yield ChecksumMismatch(
            "data", "", span, current_text, is_replacement=until - first_sum == stop - start, is_printed=is_printed
        )


def _is_printed(lines: Sequence[str], number: int) -> bool:
    """Return whether a line belongs to a key of its file whose content is only printed."""
    above = (found[1] for line in reversed(lines[:number]) if (found := KEY.match(line)))
    return next(above, "") in PRINTED_KEYS


def accept_checksums(files: Iterable[tuple[Path, str]], roots: Iterable[Path]) -> list[Path]:
    """Write the current checksums of files, each at the root that has a file of checksums, otherwise at one of `roots`.

    The checksums of missing files are removed. Return the written files.
    """
    resolved_roots = [root.resolve() for root in roots]
    texts: dict[Path, dict[str, str]] = {}
    for place, text in files:
        path = place.resolve()
        above = (root for root in resolved_roots if path.is_relative_to(root))
        root = root_of(path) or max(above, key=lambda root: len(root.parts), default=None)
        if root is not None:
            texts.setdefault(root, {})[path.relative_to(root).as_posix()] = text
    for root, found in texts.items():
        known = {
            place: sums for place, sums in read_checksums(root / CHECKSUMS_FILE).items() if (root / place).is_file()
        }
        save_inside(root, CHECKSUMS_FILE, write_checksums(found, known))
    return [root / CHECKSUMS_FILE for root in texts]
