"""Queries over symbol tables: which are reused and which recomputed, compared with an empty database.

The toy is a sheet of cells, each the sum of other cells and of names in tables. An edit changes, adds or removes one
binding; after each edit the values must equal those of an empty database.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeVar, cast

import pytest

from compiler.query.database import VERSIONS, Database
from compiler.query.symbol_table import SymbolTable
from compiler.source.content import Content

NAMES = "abcdefgh"
T = TypeVar("T")


@dataclass(frozen=True)
class Cell:
    """A cell: the names that it reads of each table, the tables that it sums, and the cells that it asks."""

    number: int
    reads: tuple[tuple[str, str], ...]
    wholes: tuple[str, ...]
    asks: tuple["Cell", ...]


class Sheet:
    """Two tables, and the numbers of the cells that were computed."""

    def __init__(self, database: Database, bindings: dict[str, dict[str, int]]) -> None:
        self.database = database
        self.tables = {name: SymbolTable({each: Big(value) for each, value in inner.items()})
                       for name, inner in bindings.items()}  # fmt: skip
        for name, table in self.tables.items():
            table.attach(database, name)
            table.intern_values()
        self.computed: list[int] = []

    def value(self, cell: Cell) -> "Big":
        """Return the value of a cell, computed or reused."""
        return self.database.query("cell", (cell,), self.tables, lambda: self._sum(cell))

    def _sum(self, cell: Cell) -> "Big":
        self.computed.append(cell.number)
        total = sum(self.value(each).value for each in cell.asks)
        for table, name in cell.reads:
            total += self.tables[table].get(name, Big(0)).value + (name in self.tables[table])
        return self.database.intern(
            Big(total + sum(each.value for table in cell.wholes for each in self.tables[table].values()))
        )


@dataclass(frozen=True)
class Big:
    """A number that is compared by identity, like a node."""

    value: int


def sheet(dice: Random, size: int) -> list[Cell]:
    """Make random cells, each of which asks up to two earlier ones."""
    cells: list[Cell] = []
    for number in range(size):
        asks = tuple(dice.sample(cells, min(len(cells), dice.randrange(3))))
        reads = tuple((dice.choice("xy"), dice.choice(NAMES)) for _ in range(dice.randrange(3)))
        cells.append(Cell(number, reads, ("x",) if dice.random() < 0.1 else (), asks))
    return cells


def edits(dice: Random) -> Iterator[dict[str, dict[str, int]]]:
    """Yield the bindings after each of 30 edits of one binding."""
    bindings = {table: {name: dice.randrange(3) for name in NAMES if dice.random() < 0.7} for table in "xy"}
    for _ in range(30):
        table, name = dice.choice("xy"), dice.choice(NAMES)
        if dice.random() < 0.3:
            bindings[table].pop(name, None)
        else:
            bindings[table][name] = dice.randrange(3)
        yield {each: dict(inner) for each, inner in bindings.items()}


@pytest.mark.parametrize("seed", range(12))
def test_reused_values_equal_recomputed_ones(seed: int) -> None:
    dice, database = Random(seed), Database()
    cells = sheet(dice, 25)
    total = 0
    for bindings in edits(dice):
        here, fresh = Sheet(database, bindings), Sheet(Database(), bindings)
        assert [here.value(cell) for cell in cells] == [fresh.value(cell) for cell in cells]
        total += len(here.computed)
    assert 0 < total < 30 * 25 / 2


def test_only_readers_of_an_edited_name_are_recomputed() -> None:
    database = Database()
    reader, other = Cell(1, (("x", "a"),), (), ()), Cell(2, (("x", "b"),), (), ())
    asker, counter = Cell(3, (), (), (reader,)), Cell(4, (), ("x",), ())
    cells = (reader, other, asker, counter)

    def computed(**bindings: int) -> list[int]:
        here = Sheet(database, {"x": bindings, "y": {}})
        for cell in cells:
            here.value(cell)
        return here.computed

    assert computed(a=1, b=1) == [1, 2, 3, 4]
    assert computed(a=1, b=1) == []
    assert computed(a=2, b=1) == [1, 3, 4]
    assert computed(a=1, b=1) == []  # The memo of the first revision is valid again.
    assert computed(b=1) == [1, 3, 4]  # The absence of a binding is read, too.
    assert computed(a=1, b=1, c=1) == [4]


def test_an_equal_value_is_interned_and_cuts_off_recomputation() -> None:
    database = Database()
    tables = {"x": SymbolTable({"a": Big(3)}), "even": SymbolTable[Big]()}
    for name, table in tables.items():
        table.attach(database, name)
    ran: list[str] = []

    def parity() -> Big:
        ran.append("parity")
        return database.intern(Big(tables["x"]["a"].value % 2))

    def word() -> str:
        ran.append("word")
        return "odd" if tables["even"]["a"].value else "even"

    node = object()
    for value, expected in ((3, ["parity", "word"]), (5, ["parity"]), (6, ["parity", "word"]), (3, [])):
        ran.clear()
        tables["x"]["a"] = database.intern(Big(value))
        tables["even"]["a"] = database.query("parity", (node,), tables, parity)
        database.query("word", (node,), tables, word)
        assert ran == expected, value


def test_a_value_without_memo_is_recomputed_and_its_reads_are_traced() -> None:
    database, table = Database(), SymbolTable({"a": Big(1)})
    table.attach(database, "x")
    ran: list[str] = []

    def inner() -> int:
        ran.append("inner")
        return table["a"].value

    def outer() -> int:
        ran.append("outer")
        return database.query("inner", (table,), {"x": table}, inner, keep=lambda: False)

    for value, expected in ((1, ["outer", "inner"]), (1, []), (2, ["outer", "inner"])):
        ran.clear()
        table["a"] = database.intern(Big(value))
        assert database.query("outer", (table,), {"x": table}, outer) == value
        assert ran == expected
    with database.tracing() as trace, suppress(KeyError):
        database.query("failing", (table,), {"x": table}, lambda: table["none"])
    assert [*trace] == [("x", "none")]
    assert database.trace is None


def test_derived_values_depend_on_inputs_and_arguments_alone() -> None:
    database, nodes, ran = Database(), [Big(1), Big(1)], []

    def compute(node: Big, more: int) -> int:
        ran.append(more)
        return node.value + more

    for node in nodes:
        for more in (1, 2, 1):
            assert database.derive("sum", (node,), lambda node=node, more=more: compute(node, more), more) == 1 + more  # type: ignore[misc]
    assert ran == [1, 2, 1, 2]
    assert database.tuple_of(nodes) is database.tuple_of(tuple(nodes))


def test_the_capacity_bounds_the_memos() -> None:
    database, nodes = Database(capacity=5), [Big(number) for number in range(20)]
    for node in nodes:
        database.derive("same", (node,), lambda node=node: node)  # type: ignore[misc]
        database.intern(Big(node.value))
    table = SymbolTable[Big]()
    table.attach(database, "x")
    for number in range(3 * VERSIONS):
        table["a"] = Big(number)
        assert database.query("read", (table,), {"x": table}, lambda: table["a"]).value == number
    assert {each.name: each.memos for each in database.uses()} == {"same": 5, "read": VERSIONS}
    assert len({id(database.intern(Big(1))) for _ in range(3)}) == 1


def test_a_pickled_database_has_no_memos() -> None:
    database = Database()
    database.derive("one", (database.lock,), lambda: 1)
    assert pickle.loads(pickle.dumps(database)).uses() == ()
    table = SymbolTable({"a": 1})
    table.attach(database, "x")
    assert pickle.loads(pickle.dumps(table)).bindings == {"a": 1}


class MemoryArchive:
    """An archive in memory without a limit."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], object] = {}

    def find(self, name: str, digest: str, make: Callable[[], T]) -> T:
        """Return the stored value, or compute and store it."""
        return cast("T", self.found.setdefault((name, digest), make()))


def test_layer_names_do_not_collide_with_names_of_memoized_facts() -> None:
    """Facts of a text are archived under their names beside its rules, which have the name of their layer."""
    content = Content("a.rules", 'rule one [house] "One."\n  withdraws two\n', (), MemoryArchive())
    remaining = {
        what: content.memoize(what, partial(str.upper, what)) for what in ("words", "meaning", "layer", "rules")
    }
    for what, layer_content in remaining.items():
        file, problems = content.rules(what)
        assert (file.layer, problems) == (what, ())
        assert content.memoize(what, str) == layer_content
