"""A database of memoized queries, shared between stacks and revisions of a stack.

A query has a name, inputs and a function that computes its value. Inputs are nodes: trees as they were parsed, nodes of
the rule graph. They are told apart by identity, since a file that still says the same is parsed into the same nodes
(source/content.py) and equal meanings are interned; a memo holds its inputs, so that their identities stay
unique. Two kinds of queries differ in what else a value may depend on.

- `derive`: on nothing else. The value is a function of the inputs and of hashable arguments.
- `query`: on names. A stack binds names in symbol tables (symbol_table.py), and whatever a query looks up there is
  recorded in its trace, names that are not bound included. No other way leads to a binding, so no dependency can be
  forgotten, and none is declared.

A memo of the second kind serves again in another stack, or in the next revision of the same, if every name in its trace
is bound to the same object there; otherwise the value is computed and becomes one more memo under the same key. This is
the verifying trace of "Build Systems a la Carte" (Mokhov, Mitchell, Peyton Jones, 2018). Early cutoff comes with
interning: a query that is computed again and gives a value equal to the last one gives the very same object, so a
query that read it is not computed again. A query within a query adds its trace to that of the outer one.

A query may also accumulate facts beside its value, as salsa's accumulators do: the definitions of names, for instance.
A memo stores the facts of its computation and yields them on every hit. Facts are accumulated on request only
(`accumulating`); a memo without facts is recomputed once for them.

Dropping a database changes no result, only time. Memory is bounded by one policy: of each query the memos of the latest
`capacity` keys are retained, and `VERSIONS` memos under each key.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock
from typing import Any, Protocol, TypeVar

from runtime.graph.frozen_dataclass import frozen_dataclass

T = TypeVar("T")

# The retained keys of each query: enough for a hundred large stacks or some thousand edits.
CAPACITY = 50_000
# The retained keys of a query whose values hold a large part of a stack.
LARGE = 300
# Versions under one key: a rule of a shared core is typed differently in each family of games and with some options.
VERSIONS = 12

MISSING: Any = object()

# A table and a name in it; None: all its names. A trace says what they were bound to, MISSING if a name was not.
Read = tuple[str, Any]
Trace = dict[Read, Any]


class _BindingTable(Protocol):
    """A table of bindings of names."""

    @property
    def bindings(self) -> Mapping[str, Any]:
        """Return the bindings, without recording the read."""


Tables = Mapping[str, _BindingTable]


@frozen_dataclass
class Memo:
    """A value with the inputs of its key, the names it read, and the tables it read as a whole.

    `facts` are those accumulated by its computation; None if they were not requested.
    """

    inputs: tuple[object, ...]
    value: Any
    names: Trace
    wholes: Trace
    facts: tuple[object, ...] | None

    def is_valid(self, tables: Tables) -> bool:
        """Return whether everything in the trace is bound to the same objects in these tables."""
        for (table, name), bound in self.names.items():
            if tables[table].bindings.get(name, MISSING) is not bound:
                return False
        return all(tuple(tables[table].bindings.items()) == snapshot for (table, _), snapshot in self.wholes.items())


class Archive(Protocol):
    """A store of parsed files that outlives a process."""

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Return the parsed file of this name and text, from the store or by `make`."""


@frozen_dataclass
class _QueryUse:
    """The statistics of a query: memos, computations, hits, and the names and whole tables in its traces."""

    name: str
    memos: int
    computed: int
    reused: int
    reads: int


class Database:
    """The memos of one library. `trace` records for the query that is running; None: nothing is recorded.

    `contents` are the inputs: files as they were read, by their paths.
    """

    __slots__ = (
        "_canonical",
        "_computation_counts",
        "_interned",
        "_memos",
        "_reuse_counts",
        "archive",
        "capacity",
        "contents",
        "facts",
        "lock",
        "trace",
    )

    def __init__(self, archive: Archive | None = None, capacity: int = CAPACITY) -> None:
        """Start without memos."""
        self.archive = archive
        self.capacity = capacity
        self.contents: dict[tuple[str, str], object] = {}
        self.trace: Trace | None = None
        self.facts: list[object] | None = None  # None: no facts are requested.
        self.lock = RLock()  # One query runs at a time: there is one trace.
        self._computation_counts: Counter[str] = Counter()
        self._reuse_counts: Counter[str] = Counter()
        self._memos: defaultdict[str, dict[tuple[Hashable, ...], list[Memo]]] = defaultdict(dict)
        self._interned: dict[Any, Any] = {}
        self._canonical: set[int] = set()  # the identities of what `intern` gives

    def __reduce__(self) -> "tuple[type[Database], tuple[()]]":
        """Pickle as an empty database, as identities are not preserved between processes."""
        return Database, ()

    def derive(
        self, name: str, inputs: tuple[object, ...], compute: Callable[[], T], *arguments: Hashable,
        capacity: int | None = None,
    ) -> T:  # fmt: skip
        """Return a value that depends on the inputs and arguments alone."""
        key = (*map(id, inputs), *arguments)
        memos = self._memos[name].get(key)
        if memos:
            self._reuse_counts[name] += 1
            value: T = self._with_facts(memos, 0, compute).value
            return value
        computed_value, facts = self._computed_with_facts(compute)
        self._add(name, key, Memo(inputs, computed_value, {}, {}, facts), capacity)
        return computed_value

    def query(
        self, name: str, inputs: tuple[object, ...], tables: Tables, compute: Callable[[], T], *arguments: Hashable,
        keep: Callable[[], bool] = lambda: True,
    ) -> T:  # fmt: skip
        """Return a value that also depends on names bound in tables. It is memoized unless `keep` returns False."""
        key = (*map(id, inputs), *arguments)
        memos = self._memos[name].get(key, [])
        for index in reversed(range(len(memos))):  # Most often the latest holds.
            if memos[index].is_valid(tables):
                self._reuse_counts[name] += 1
                memo = self._with_facts(memos, index, compute)
                self._record(memo.names)
                self._record(memo.wholes)
                value: T = memo.value
                return value
        with self.tracing() as trace:
            computed_value, facts = self._computed_with_facts(compute)
        if keep():
            names = {read: bound for read, bound in trace.items() if read[1] is not None}
            wholes = {read: snapshot for read, snapshot in trace.items() if read[1] is None}
            self._add(name, key, Memo(inputs, computed_value, names, wholes, facts))
        return computed_value

    @contextmanager
    def tracing(self) -> Iterator[Trace]:
        """Yield the trace that records the reads within the context; they are added to the enclosing query's trace."""
        outer, trace = self.trace, Trace()
        self.trace = trace
        try:
            yield trace
        finally:
            self.trace = outer
            self._record(trace)

    @contextmanager
    def accumulating(self) -> Iterator[list[object]]:
        """Yield the list to which queries within the context add their facts, memoized ones included."""
        outer, facts = self.facts, list[object]()
        self.facts = facts
        try:
            yield facts
        finally:
            self.facts = outer

    def _with_facts(self, memos: list[Memo], index: int, compute: Callable[[], object]) -> Memo:
        """Return a memo, with its facts accumulated on request; its value keeps its identity."""
        memo = memos[index]
        if self.facts is None:
            return memo
        if memo.facts is None:
            with self.tracing():
                memo = memos[index] = replace(memo, facts=self._computed_with_facts(compute)[1])
        else:
            self.facts += memo.facts
        return memo

    def _computed_with_facts(self, compute: Callable[[], T]) -> tuple[T, tuple[object, ...] | None]:
        """Compute a value, and return it with the facts accumulated."""
        if self.facts is None:
            return compute(), None
        with self.accumulating() as facts:
            value = compute()
        self.facts += facts
        return value, tuple(facts)

    def intern(self, value: T) -> T:
        """Return the canonical object of all equal values."""
        if id(value) in self._canonical:
            return value
        if len(self._interned) >= self.capacity:
            self._interned.clear()
            self._canonical.clear()
        value = self._interned.setdefault(value, value)
        self._canonical.add(id(value))
        return value

    def tuple_of(self, nodes: Iterable[T]) -> tuple[T, ...]:
        """Return the canonical tuple of these nodes by identity, which can be an input of a query."""
        elements = tuple(nodes)
        return self.derive("tuple", elements, lambda: elements)

    def uses(self) -> tuple[_QueryUse, ...]:
        """Return the statistics of each query, in order of first computation."""
        found = []
        for name, keys in self._memos.items():
            memos = [memo for versions in keys.values() for memo in versions]
            reads = sum(len(memo.names) + len(memo.wholes) for memo in memos)
            found.append(_QueryUse(name, len(memos), self._computation_counts[name], self._reuse_counts[name], reads))
        return tuple(found)

    def _record(self, trace: Trace) -> None:
        if self.trace is not None:
            self.trace.update(trace)

    def _add(self, name: str, key: tuple[Hashable, ...], memo: Memo, capacity: int | None = None) -> None:
        self._computation_counts[name] += 1
        keys = self._memos[name]
        versions = keys.setdefault(key, [])
        versions.append(memo)
        del versions[:-VERSIONS]
        if len(keys) > (capacity or self.capacity):
            del keys[next(iter(keys))]
