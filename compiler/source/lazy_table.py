"""Tables of boards and cards that are read on demand.

A package may contain dozens of boards, and one game needs two. The problems of a file are stored with the table for
reports; a recording table reports only the problems of the names that were read through it.
"""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from compiler.source.content import Texts
from compiler.source.files import PackageFile
from compiler.source.finding import Finding
from compiler.source.nodes import Board, Outline, Position, Scenario
from compiler.source.span import Span

T = TypeVar("T", bound=Board | Outline | Scenario | Position)


class LazyTable(Mapping[str, T], Generic[T]):
    """Nodes of one type by name, each read once; a name whose file is broken is absent."""

    def __init__(self, kind: type[T], places: Mapping[str, tuple[PackageFile, Span]], texts: Texts) -> None:
        self._kind = kind
        self._texts = texts
        self._read: dict[str, T | None] = {}
        self._problems: dict[str, tuple[Finding, ...]] = {}  # by the file that they are in
        self.places = places

    def __getitem__(self, name: str) -> T:
        if name not in self.places:
            raise KeyError(name)
        if name not in self._read:
            found = self.places[name][0]
            self._problems[found.name] = self._load(found)
        node = self._read.get(name)
        if node is None:
            raise KeyError(name)
        return node

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def readable(self) -> Iterator[T]:
        """Read all files, and yield what those without syntax errors contain."""
        return (node for name in self.places if (node := self.get(name)) is not None)

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Return the problems of all files read so far."""
        return tuple(problem for found in self._problems.values() for problem in found)

    def problems_with(self, name: str) -> tuple[Finding, ...]:
        """Return the problems of the file that contains a name."""
        return self._problems.get(self.places[name][0].name, ()) if name in self.places else ()

    def _load(self, found: PackageFile) -> tuple[Finding, ...]:
        """Read one file with all nodes of this kind in it."""
        content = self._texts.content(found)
        nodes, problems = content.documents
        for node in nodes:
            if isinstance(node, self._kind):
                self._read.setdefault(node.name.text, node)
        for name, (file, _) in self.places.items():
            if file == found:
                self._read.setdefault(name, None)
        return (*content.problems, *problems)


class RecordingTable(Mapping[str, T], Generic[T]):
    """A view of a table that records which names are read, and reports the problems of their files."""

    def __init__(self, table: LazyTable[T]) -> None:
        self._table = table
        self._names_read: dict[str, None] = {}

    def __getitem__(self, name: str) -> T:
        self._names_read[name] = None
        return self._table[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Return the problems of the files whose names were read."""
        found = (problem for name in self._names_read for problem in self._table.problems_with(name))
        return tuple(dict.fromkeys(found))
