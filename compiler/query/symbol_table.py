"""Symbol tables that record lookups in the trace of the running query (database.py).

A lookup records the name and its binding, or that it is unbound; an iteration records the whole table, and so does its
size.
"""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from typing import Any, TypeVar, overload

from compiler.query.database import MISSING, Database

T = TypeVar("T")
M = TypeVar("M")

# The database of tables that are not attached, which records nothing.
UNRECORDED = Database()


class SymbolTable(MutableMapping[str, T]):
    """The bindings of one namespace of a stack. `name` identifies the table in traces."""

    __slots__ = ("_items", "_new_names", "bindings", "database", "name")

    def __init__(self, bindings: dict[str, T] | None = None) -> None:
        """Start with bindings; nothing is recorded before `attach`."""
        self.bindings: dict[str, T] = {} if bindings is None else bindings
        self.database = UNRECORDED
        self.name = ""
        self._new_names = set(self.bindings)  # names bound since values were interned
        self._items: tuple[tuple[str, T], ...] | None = None  # of the whole table, until a name is bound

    def attach(self, database: Database, name: str) -> None:
        """Record all further lookups in a database."""
        self.database, self.name = database, name

    def __reduce__(self) -> "tuple[type[SymbolTable[T]], tuple[dict[str, T]]]":
        """Pickle the bindings alone."""
        return type(self), (self.bindings,)

    def __getitem__(self, name: str) -> T:
        found: T = self.bindings.get(name, MISSING)
        if self.database.trace is not None:
            self.database.trace[self.name, name] = found
        if found is MISSING:
            raise KeyError(name)
        return found

    @overload
    def get(self, name: str, default: None = None, /) -> T | None:
        """Return the binding of a name, or None."""

    @overload
    def get(self, name: str, default: T | M, /) -> T | M:
        """Return the binding of a name, or a default."""

    def get(self, name: str, default: T | M | None = None, /) -> T | M | None:
        """Return the binding of a name, or a default."""
        found = self.bindings.get(name, MISSING)
        if self.database.trace is not None:
            self.database.trace[self.name, name] = found
        return default if found is MISSING else found

    def __contains__(self, name: Any) -> bool:
        if self.database.trace is not None:
            self.database.trace[self.name, name] = self.bindings.get(name, MISSING)
        return name in self.bindings

    def __setitem__(self, name: str, value: T) -> None:
        self.bindings[name] = value
        self._new_names.add(name)
        self._items = None

    def __delitem__(self, name: str) -> None:
        del self.bindings[name]
        self._new_names.discard(name)
        self._items = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._read_all())

    def __len__(self) -> int:
        return len(self._read_all())

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._read_all().keys()

    def values(self) -> ValuesView[T]:
        """Return the bound values."""
        return self._read_all().values()

    def items(self) -> ItemsView[str, T]:
        """Return names and values."""
        return self._read_all().items()

    def _read_all(self) -> dict[str, T]:
        if self.database.trace is not None:
            if self._items is None:
                self._items = tuple(self.bindings.items())
            self.database.trace[self.name, None] = self._items
        return self.bindings

    def intern_values(self) -> None:
        """Intern every value bound since the last call."""
        intern = self.database.intern
        for name in self._new_names:
            self.bindings[name] = intern(self.bindings[name])
        self._new_names.clear()
        self._items = None

    def bind(self, bindings: Mapping[str, T]) -> None:
        """Bind several names."""
        self.bindings.update(bindings)
        self._new_names.update(bindings)
        self._items = None

    def inherit(self, other: "SymbolTable[T]") -> None:
        """Copy the bindings of another table, with their interning status."""
        self.bindings.update(other.bindings)
        self._new_names |= other._new_names
        self._items = None
