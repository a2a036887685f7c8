"""The content of a file of a package: its text and, on demand, its nodes.

The input is a file; the output is one `Content`, identical to the previous one if the file is unchanged. Results that
are derived from its nodes are memoized by their identity (database.py), so that an edit costs what depends on one file.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import TypeVar, cast

from compiler.query.database import Archive, Database
from compiler.source.comments import without_comments
from compiler.source.documents import Node, read_documents
from compiler.source.files import PackageFile, is_unsaved, read_text
from compiler.source.finding import Finding
from compiler.source.heads import Head, document_heads
from compiler.source.nodes import RulesFile
from compiler.source.parse import parse_rules

RULES_SUFFIX = ".rules"
T = TypeVar("T")


class Content:
    """The text of a file and what is derived from it; `problems` states why there is no text."""

    __slots__ = ("_archive", "_digest", "_documents", "_heads", "_memoized", "_rules", "name", "problems", "text")

    def __init__(self, name: str, text: str, problems: tuple[Finding, ...], archive: Archive | None) -> None:
        """Store the text."""
        self._archive = archive
        self.name, self.text, self.problems = name, text, problems
        self._digest: str | None = None
        self._heads: tuple[Head, ...] | None = None
        self._documents: tuple[tuple[Node, ...], tuple[Finding, ...]] | None = None
        self._rules: dict[str, tuple[RulesFile, tuple[Finding, ...]]] = {}
        self._memoized: dict[str, object] = {}

    @property
    def digest(self) -> str:
        """Compute the hash of the text."""
        if self._digest is None:
            self._digest = hashlib.sha256(self.text.encode()).hexdigest()
        return self._digest

    @property
    def meaning_hash(self) -> str:
        """Compute the hash of what is compiled: for rules, the text without comments and layout."""
        if not self.name.endswith(RULES_SUFFIX):
            return self.digest
        return self.memoize("meaning", self._hashed)

    def _hashed(self) -> str:
        return hashlib.sha256(without_comments(self.text).encode()).hexdigest()

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return the kind, the name and the span of each document."""
        if self._heads is None:
            self._heads = tuple(document_heads(self.text, self.name))
        return self._heads

    @property
    def documents(self) -> tuple[tuple[Node, ...], tuple[Finding, ...]]:
        """Parse the text as YAML, once."""
        if self._documents is None:
            self._documents = self._archived(self.name, lambda: read_documents(self.text, self.name))
        return self._documents

    def rules(self, layer: str) -> tuple[RulesFile, tuple[Finding, ...]]:
        """Parse the text as rules of a layer, once."""
        if layer not in self._rules:
            self._rules[layer] = self._archived(f"{self.name} layer {layer}", lambda: self._parsed(layer))
        return self._rules[layer]

    def _parsed(self, layer: str) -> tuple[RulesFile, tuple[Finding, ...]]:
        parsed, problems = parse_rules(self.text, self.name)
        return replace(parsed, layer=layer), problems

    def memoize(self, key: str, make: Callable[[], T]) -> T:
        """Return a value derived from the text alone; it is computed again only if the text has changed."""
        if key not in self._memoized:
            # A layer may have any name, so what is kept of its rules has a key of two words.
            self._memoized[key] = self._archived(f"{self.name} {key}", make)
        return cast("T", self._memoized[key])

    def _archived(self, name: str, make: Callable[[], T]) -> T:
        """Return the value of a name from the archive, which makes it where it has none for this text."""
        return make() if self._archive is None else self._archive.find(name, self.digest, make)


class Texts(Mapping[str, str]):
    """The texts of all files of a library by the names that spans use; each file is read once, on demand.

    Texts that are in no file of the library, such as a question, may be added to them.
    """

    def __init__(self, database: Database) -> None:
        """Start without files; their contents may be memoized in the database."""
        self._files: dict[str, PackageFile] = {}
        self._others: dict[str, str] = {}
        self._read: dict[str, Content] = {}
        self._database = database
        self._digest: bytes | None = None

    def add(self, found: PackageFile) -> None:
        """Add a file."""
        self._files[found.name] = found

    def file(self, name: str) -> PackageFile | None:
        """Return the file with a name; None if there is none."""
        return self._files.get(name)

    def with_others(self, others: Mapping[str, str]) -> "Texts":
        """Return these texts with others, which `digest` does not include."""
        found = copy(self)
        found._others = {**self._others, **others}
        return found

    @property
    def digest(self) -> bytes:
        """Compute the hash of the names and texts of all files."""
        if self._digest is None:
            lines = (f"{name} {self.content(found).digest}\n" for name, found in sorted(self._files.items()))
            self._digest = hashlib.sha256("".join(lines).encode()).digest()
        return self._digest

    @property
    def meaning_hash(self) -> bytes:
        """Compute the hash of the names of all files and of what is compiled; it ignores comments."""
        lines = (f"{name} {self.content(found).meaning_hash}\n" for name, found in sorted(self._files.items()))
        return hashlib.sha256("".join(lines).encode()).digest()

    def content_named(self, name: str) -> Content:
        """Return the content of the file with a name."""
        return self.content(self._files[name])

    def content(self, found: PackageFile) -> Content:
        """Return the content of a file, which is read once."""
        if found.name not in self._read:
            self._read[found.name] = self._content(found)
        return self._read[found.name]

    def _content(self, found: PackageFile) -> Content:
        text, problems = read_text(found)
        place = (str(found.path), found.name)
        before = self._database.contents.get(place)
        if isinstance(before, Content) and before.text == text and before.problems == problems:
            return before
        # A text in an editor changes with every keystroke and is not worth archiving.
        archive = None if is_unsaved(found) else self._database.archive
        self._database.contents[place] = content = Content(found.name, text, problems, archive)
        return content

    def __getitem__(self, name: str) -> str:
        return self._others[name] if name in self._others else self.content_named(name).text

    def __iter__(self) -> Iterator[str]:
        return iter(self._others | self._files)

    def __len__(self) -> int:
        return len(self._others | self._files)
