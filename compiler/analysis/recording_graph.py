"""A rule graph whose lookups are recorded, so that proofs of one stack are reused for another, and after an edit.

In: a rule graph, and a database of earlier proofs. Out: the same graph with symbol tables (query/symbol_table.py) in
the place of its mappings. Stacks of a library share most of their nodes, and so do two versions of a stack: what
depends on those alone is proved once.

What a graph holds outside of tables is the same for every name (invariants, whether an option is loaded); it is part of
the key of every query.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, fields, replace
from functools import partial
from typing import Any, TypeVar

from compiler.analysis.budgets import charge_stored_steps, has_full_budget, step_limit, steps_spent
from compiler.query.database import MISSING, Database, Read
from compiler.query.symbol_table import SymbolTable
from compiler.query.traces import StoredTrace, TraceStore, content_hash, hash_texts
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

T = TypeVar("T")

# Proofs look names up in these tables; no finding may depend on the others.
TABLES = ("terms", "rules", "tables", "counters", "procedures")


@frozen_dataclass
class RecordingGraph:
    """A stack with its symbol tables."""

    stack: graph.Graph
    tables: dict[str, SymbolTable[Any]]
    database: Database
    store: TraceStore | None
    _digests: dict[str, str] = field(default_factory=dict)  # hashes of whole tables

    def table(self, name: str, bindings: dict[Any, T]) -> SymbolTable[T]:
        """Return a new symbol table for values derived from a stack."""
        symbol_table = self.tables[name] = SymbolTable(bindings)
        symbol_table.attach(self.database, name)
        return symbol_table

    def query(self, name: str, node: object, compute: Callable[[], T], *arguments: str | bool) -> T:
        """Return a value derived from a node of the stack, recomputed only if one of its dependencies has changed."""
        inputs = (node, self.stack.always)
        # A result within less than the budget of one place is valid under a greater one as well.
        return self.database.query(name, inputs, self.tables, compute, *arguments, step_limit(), keep=has_full_budget)

    def prove(
        self, name: str, node: object, compute: Callable[[], T], answers: Sequence[T], *arguments: str | bool
    ) -> T:
        """Return the result of a proof about a node; if it is one of `answers`, it is stored for later processes."""
        return self.query(name, node, partial(self._proved, name, node, compute, answers, arguments), *arguments)

    def _proved(
        self, name: str, node: object, compute: Callable[[], T], answers: Sequence[T], arguments: tuple[str | bool, ...]
    ) -> T:
        if self.store is None:
            return compute()
        context_parts = (self._content(self.stack.always), str(step_limit()))
        key = hash_texts(name, *map(str, arguments), *context_parts, self._content(node))
        for stored in self.store.traces(key):
            if stored.answer < len(answers) and self._digest(stored.reads) == stored.digest:
                self.record(stored.reads)
                charge_stored_steps(stored.steps)
                return answers[stored.answer]
        before = steps_spent()
        answer = compute()
        if answer in answers:
            reads: tuple[Read, ...] = tuple(self.database.trace or ())
            self.store.add(key, StoredTrace(reads, self._digest(reads), answers.index(answer), steps_spent() - before))
        return answer

    def record(self, reads: Iterable[Read]) -> None:
        """Record the reads of a result that was computed in another process or outside of this stack."""
        for table, name in reads:
            if name is None:
                self.tables[table].keys()
            else:
                self.tables[table].get(name)

    def record_whole(self) -> None:
        """Record that a result may depend on anything in the stack."""
        self.record((table, None) for table in (*self.vocabulary_tables(), *TABLES))

    def vocabulary_tables(self) -> tuple[str, ...]:
        """Return the names of the tables of the vocabulary."""
        return tuple(each.name for each in fields(self.stack.vocabulary))

    def _digest(self, reads: Iterable[Read]) -> str:
        """Return a hash of what these names are bound to in the stack."""
        tables = self.tables
        return hash_texts(
            *(
                self._table_digest(table) if name is None else self._content(tables[table].bindings.get(name, MISSING))
                for table, name in reads
                if table in tables
            )
        )

    def _table_digest(self, table: str) -> str:
        if table not in self._digests:
            members = self.tables[table].bindings.items()
            self._digests[table] = hash_texts(
                *(part for name, value in members for part in (name, self._content(value)))
            )
        return self._digests[table]

    def _content(self, value: object) -> str:
        return self.database.derive("content", (value,), partial(content_hash, value))


def recording_graph(stack: graph.Graph, database: Database, store: TraceStore | None) -> RecordingGraph:
    """Return a copy of a stack's graph with symbol tables, which record reads, in place of its mappings."""
    always = database.intern(stack.always)
    recording = RecordingGraph(stack, {}, database, store)
    words = stack.vocabulary
    inner: dict[str, Any] = {part.name: recording.table(part.name, getattr(words, part.name)) for part in fields(words)}
    tables: dict[str, Any] = {name: recording.table(name, getattr(stack, name)) for name in TABLES}
    return replace(recording, stack=replace(stack, always=always, vocabulary=replace(words, **inner), **tables))
