"""The differences from checksums: of sentences, laws and citations of rules, and of lines of data, without git.

In: files of rules and data, and `checksums.txt` at the root of their package, which `check STACK --accept` writes.
Out: the parts that differ. Like a lock file, checksums represent a state that was reviewed and whose examples
passed; they identify a changed text but not its former content. Parts without a checksum are not compared. Examples are
excluded, since their expectations are not the cause of a failure, or obviously so.

The file has a line for each file with its path below the root, followed by an indented line for each declaration of
rules, with the checksums of its sentences, its law and its citations, or by the checksums of the lines of data.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from compiler.source.content import RULES_SUFFIX
from compiler.source.span import Span
from rulewright.atomic_files import save_inside
from rulewright.revisions.resolved_paths import resolve_path
from rulewright.revisions.rule_paragraphs import NO_SENTENCE, PARAGRAPH_TOKEN

CHECKSUMS_FILE = "checksums.txt"
CHECKSUMS_COMMENT = (
    "# Checksums of sentences, laws, citations and lines of data. `rulewright check STACK --accept` writes them."
)
# The content in braces of a case, a ruling or a dispute is a separate part, unlike other lines within a declaration.
OPENING_LINE = re.compile(
    r"(?P<indent> *)(?:(?P<inner>(?:rule|ruling|reading|dispute|case|example|phase)\b)|(?=[a-z]))"
)
DECLARATION_HEAD = re.compile(r"[^\[\"={(]*")
# The number of words of the head of a declaration that are its name; the second of them is its label.
NAMED_DECLARATION = re.compile(
    r"(?:rule|ruling|reading|dispute|case|action|resolution|reaction|sequence|phase|define) "
)
MOST_NAME_WORDS = 4
CITATION = re.compile(r"\[(?:[A-Z][\w-]*(?:\.[\w-]+)+|house)\b[^\]]*\]")
EXAMPLE_PART, ACCOUNT_PART = "example", "account"
LAWS = frozenset({"rule", "ruling", "reading"})
# Lines of data that are only printed, and keys of a file whose content is: names, and the words that a search reads.
PRINTED_LINE = re.compile(r"- \"|(?:title|titles|cites|edition|reads|group|gaps)\b:?")
KEY = re.compile(r"(\w[\w ]*):")
PRINTED_KEYS = frozenset({"titles", "nicknames", "gaps", "see", "card"})
# The size limit: a larger file was not written by this program.
MOST_BYTES = 16_000_000
CHECKSUM_DIGITS, CHECKSUMS_PER_LINE = 3, 16
# The number of files whose checksums are cached in memory.
MOST_CACHED_FILES = 1_000


@dataclass(frozen=True, slots=True)
class Part:
    """A declaration of a file of rules: its name, its one-based lines, and the texts of its checksums.

    `depth` is its indentation; `sentences`, `law` and `cites` are texts without layout and comments.
    """

    name: str
    first_line: int
    last_line: int
    depth: int
    sentences: str
    law: str
    cites: str

    @property
    def part_checksums(self) -> tuple[str, ...]:
        """Return the checksums of the sentences, the law and the citations."""
        return tuple(map(text_checksum, (self.sentences, self.law, self.cites)))

    @property
    def is_law(self) -> bool:
        """Return whether its sentences express its law."""
        return self.name.partition(" ")[0] in LAWS

    @property
    def label(self) -> str:
        """Return the label of the declaration, or its first words if it has none."""
        return part_label(self.name)


@dataclass(frozen=True, slots=True)
class ChecksumMismatch:
    """A part of a file that differs from its checksum.

    `kind` is sentence, law or citation if only that differs, rules if several do, new or gone for a declaration, and
    data for lines of a data file. `label` is that of the declaration, "" in data; `current_text` is the current text,
    "" if lines were removed: then `span` is above. `is_law`: its sentences express its law. `is_replacement`: lines of
    data replace as many others. `is_printed`: no rule and no procedure reads these lines of data.
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


def part_label(name: str) -> str:
    """Return the label within the name of a part, otherwise the name."""
    return name.split(" ")[1] if NAMED_DECLARATION.match(name) else name


def split_declarations(text: str) -> list[Part]:
    """Split a file of rules into declarations, without examples; equal names are numbered."""
    lines = text.splitlines()
    heads = [start for start, line in enumerate(lines) if _opens(line)]
    found: list[Part] = []
    counts: dict[str, int] = {}
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        line = lines[start]
        name = _name(line.strip())
        if name.split(" ")[0] == EXAMPLE_PART:
            continue
        counts[name] = counts.get(name, 0) + 1
        numbered_name = name if counts[name] == 1 else f"{name} {counts[name]}"
        last = max((number for number in range(start, end) if lines[number].strip()), default=start) + 1
        found.append(
            Part(numbered_name, start + 1, last, len(line) - len(line.lstrip()), *_read("\n".join(lines[start:last])))
        )
    return found


def _name(head: str) -> str:
    """Return the name of a declaration, from its first line."""
    found = DECLARATION_HEAD.match(head)
    words = found[0].split() if found else []
    return " ".join(words[: 2 if NAMED_DECLARATION.match(head) else MOST_NAME_WORDS])


def _opens(line: str) -> bool:
    head = OPENING_LINE.match(line)
    return bool(head and (head["inner"] or not head["indent"]) and not line.startswith(ACCOUNT_PART))


def _read(text: str) -> tuple[str, str, str]:
    """Split a declaration into its sentences, the words of its law and its citations."""
    cites = " ".join(found[0] for found in CITATION.finditer(text))
    sentences: list[str] = []
    law: list[str] = []
    for found in PARAGRAPH_TOKEN.finditer(CITATION.sub(" ", text)):
        if found["text"] and not (law and law[-1] in NO_SENTENCE):
            sentences.append(" ".join(found[0].strip('"').split()))
        elif not found["comment"] and found[0] not in "{}":
            law.append(found[0])
    return "\n".join(sentences), " ".join(law), cites


def data_lines(text: str) -> list[tuple[int, str]]:
    """Return the nonempty lines of a data file with their numbers, without layout and comments."""
    texts = ((number, re.sub(r"(^|\s)#.*", "", line).strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, " ".join(line.split())) for number, line in texts if line]


Sums = Mapping[str, Mapping[str, tuple[str, ...]] | Sequence[str]]


def write_checksums(files: Mapping[str, str], known: Sums | None) -> str:
    """Format the checksums of files, whose texts are by path below the root; `known` ones of other files are kept."""
    lines_by_file: dict[str, list[str]] = {}
    for place, sums in (known or {}).items():
        lines_by_file[place] = _lines(sums)
    for place, text in files.items():
        if place.endswith(RULES_SUFFIX):
            lines_by_file[place] = _lines(_sums_of_rules(text))
        else:
            lines_by_file[place] = _lines(_sums_of_data(text))
    return "\n".join(
        (CHECKSUMS_COMMENT, *(line for place in sorted(lines_by_file) for line in (place, *lines_by_file[place])), "")
    )


def _lines(sums: Mapping[str, tuple[str, ...]] | Sequence[str]) -> list[str]:
    if isinstance(sums, Mapping):
        return [f"  {name}: {' '.join(each)}" for name, each in sums.items()]
    return [
        "  " + " ".join(sums[start : start + CHECKSUMS_PER_LINE]) for start in range(0, len(sums), CHECKSUMS_PER_LINE)
    ]


def read_checksums(path: Path) -> Sums:
    """Read a file of checksums; {} if it is too large or cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError:
        return {}
    return _parse_checksums(content.decode("utf-8", "replace")) if len(content) <= MOST_BYTES else {}


@cache
def _parse_checksums(text: str) -> Sums:
    found: dict[str, dict[str, tuple[str, ...]] | list[str]] = {}
    place = ""
    for line in text.splitlines():
        if not line.startswith("  "):
            place = "" if line.startswith("#") else line
            if place:
                found[place] = {} if place.endswith(RULES_SUFFIX) else []
            continue
        entries = found.get(place)
        if isinstance(entries, dict):
            name, _, sums = line.strip().rpartition(": ")
            entries[name] = tuple(sums.split())
        elif entries is not None:
            entries += line.split()
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
        if isinstance(sums, Mapping):
            yield from _rule_mismatches(name, text, sums) if _sums_of_rules(text) != sums else ()
        elif sums:
            yield from _data_mismatches(name, text, sums)


@lru_cache(MOST_CACHED_FILES)
def _sums_of_rules(text: str) -> Mapping[str, tuple[str, ...]]:
    return {part.name: part.part_checksums for part in split_declarations(text)}


@lru_cache(MOST_CACHED_FILES)
def _sums_of_data(text: str) -> Sequence[str]:
    return [text_checksum(line) for _, line in data_lines(text)]


def _rule_mismatches(file: str, text: str, sums: Mapping[str, tuple[str, ...]]) -> Iterator[ChecksumMismatch]:
    parts = split_declarations(text)
    changed_indices = {index for index, part in enumerate(parts) if part.part_checksums != sums.get(part.name)}
    lines = text.splitlines()
    before = {name: index for index, name in enumerate(sums)}
    renamed = _renamed(parts, sums)
    for name in sums.keys() - {part.name for part in parts} - {*renamed.values()}:
        above = [part for part in parts if before.get(part.name, len(before)) < before[name]]
        line = above[-1].first_line if above else 1
        yield ChecksumMismatch(
            "gone", part_label(name), Span(file, line, 1, line, len(lines[line - 1]) + 1 if lines else 1), ""
        )
    for index in sorted(changed_indices):
        part = parts[index]
        kind = (
            _differing_component(part, sums[part.name])
            if part.name in sums
            else "rules"
            if part.name in renamed
            else "new"
        )
        end = next((other for other in range(index + 1, len(parts)) if parts[other].depth <= part.depth), len(parts))
        if kind == "sentence" and any(other in changed_indices for other in range(index + 1, end)):
            kind = "rules"  # The statement of a ruling is that of the rules in its braces.
        column = len(lines[part.first_line - 1]) - len(lines[part.first_line - 1].lstrip()) + 1
        span = Span(file, part.first_line, column, part.last_line, len(lines[part.last_line - 1]) + 1)
        yield ChecksumMismatch(kind, part.label, span, part.sentences.replace("\n", " / "), part.is_law)


def _renamed(parts: Sequence[Part], sums: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the former names of renamed declarations: of the same kind, after the same neighbor."""
    names = {part.name for part in parts}
    left = {above: name for above, name in pairwise(("", *sums)) if name not in names}
    found: dict[str, str] = {}
    for above, part in pairwise((None, *parts)):
        old_name = left.get(above.name if above else "", "") if part and part.name not in sums else ""
        if part and old_name.split(" ")[0] == part.name.split(" ")[0]:
            found[part.name] = old_name
    return found


def _differing_component(part: Part, known: tuple[str, ...]) -> str:
    """Return the only component of a declaration that differs; "rules" if there are several."""
    kinds = [kind for kind, new, old in zip(("sentence", "law", "citation"), part.part_checksums, known, strict=False)
           if new != old]  # fmt: skip
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
        current_text = " ".join(line for _, line in lines[start:stop])
        is_printed = bool(PRINTED_LINE.match(current_text)) or all(
            _is_printed(all_lines, line) for line, _ in changed_lines
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
