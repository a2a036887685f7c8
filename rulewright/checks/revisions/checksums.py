"""The checksums of declarations and examples of rules, and of lines of data.

In: files of rules and data. Out: `checksums.txt` at the root of their package, which `check STACK --accept` writes, and
its content. Like a lock file, checksums represent a state that was reviewed and whose examples passed; they identify a
changed text but not its former content.

The file has a line for each file with its path below the root. Of rules an indented line follows for each declaration,
with the checksums of its sentences, its law and its citations: in the order of the file, and further indented where it
stands within the braces of another one; then the checksums of the examples. Of data the checksums of the lines follow,
each of which includes the depth of its indentation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path

from compiler.source.content import RULES_SUFFIX
from rulewright.checks.revisions.declarations import Part, split_declarations
from rulewright.system.atomic_files import save_inside
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import read_regular
from runtime.graph.frozen_dataclass import frozen_dataclass

CHECKSUMS_FILE = "checksums.txt"
CHECKSUMS_COMMENT = "# Checksums of rules, examples and lines of data. `rulewright check STACK --accept` writes them."
EXAMPLES = "examples"
# A comment in data, or a quoted text, in which a # is none.
DATA_COMMENT = re.compile(r"(\"[^\"\n]*\"|'[^'\n]*')|(?:^|\s)#.*")
# The size limit: a larger file was not written by this program.
MOST_BYTES = 16_000_000
CHECKSUM_DIGITS, CHECKSUMS_PER_LINE = 3, 16
# The number of files whose checksums are cached in memory.
MOST_CACHED_FILES = 1_000


@frozen_dataclass
class KnownPart:
    """The checksums of a declaration, and the name of the one in whose braces it stood."""

    enclosing: str
    sums: tuple[str, ...]


@frozen_dataclass
class RuleSums:
    """The checksums of the declarations of a file of rules by name, and those of its examples, both in order."""

    parts: Mapping[str, KnownPart]
    examples: Sequence[str]


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
    sums_by_file = {**(known or {}), **{place: sums_of_file(place, text) for place, text in files.items()}}
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


def sums_of_file(place: str, text: str) -> RuleSums | Sequence[str]:
    """Return the checksums of a file, of rules or of data."""
    return _sums_of_rules(text) if place.endswith(RULES_SUFFIX) else sums_of_data(text)


@lru_cache(MOST_CACHED_FILES)
def _sums_of_rules(text: str) -> RuleSums:
    parts, examples = parts_of(text)
    return RuleSums(
        {part.name: KnownPart(part.enclosing, part_sums(part)) for part in parts},
        [text_checksum("\n".join(example.texts)) for example in examples],
    )


def parts_of(text: str) -> tuple[list[Part], list[Part]]:
    """Return the declarations and the examples of a file of rules."""
    parts = split_declarations(text)
    return [part for part in parts if not part.is_example], [part for part in parts if part.is_example]


def part_sums(part: Part) -> tuple[str, ...]:
    """Return the checksums of the sentences, the law and the citations of a declaration."""
    return tuple(map(text_checksum, part.texts))


@lru_cache(MOST_CACHED_FILES)
def sums_of_data(text: str) -> Sequence[str]:
    """Return the checksums of the lines of a data file."""
    return [text_checksum(f"{depth} {line}") for _, line, depth in data_lines(text)]


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
