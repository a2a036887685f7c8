"""Emit the hexes that are reached from others, found by a worklist from which each spreads once.

In: a `Reachable` of the core. Out: how its words are read. Where the steps are those of the map within a ground that
is the same for all hexes, a search continues the last one of the same place in the code, as long as start and ground
have only grown since (incremental view maintenance; Gupta, Mumick and Subrahmanian, *Maintaining Views Incrementally*,
1993).
"""

from functools import reduce
from typing import NamedTuple

from compiler.core import ir
from compiler.core.ir import Core, Primitive
from compiler.core.representation import HEX
from compiler.wasm.bit_sets import (
    MOST_UNROLLED,
    ROWS,
    WORD_BITS,
    WORD_BYTES,
    WordReader,
    combined_reader,
    read_local,
    stored_set,
    without,
    word_reader,
    words_in_locals,
    write_bit_loop,
    write_word_loop,
    write_words,
)
from compiler.wasm.function import FunctionWriter, i32_const
from runtime.graph.walk import walk


def reachable_reader(to: FunctionWriter, node: ir.Reachable, count: int) -> WordReader:
    """Emit a search by a worklist, from which each hex spreads once; a set of few words is held in locals."""
    start = word_reader(to, node.start)
    member = to.bind(node.name, HEX)
    if count > MOST_UNROLLED:
        return _reachable_in_memory(to, start, member, word_reader(to, node.following))
    found, left = ([to.declare_local("i64") for _ in range(count)] for _ in range(2))
    steps = _steps_on_ground(node) if to.pool.has_one_map else None
    following, end = word_reader(to, node.following if steps is None else steps.rows), ""
    beginning = f"{start.before} {write_words(found, start.words())} {write_words(left, map(read_local, found))}"
    if steps is not None:
        search_record = _SearchRecord(to, count)
        beginning = search_record.write_beginning(start, _ground_reader(to, steps), found, left)
        following, end = search_record.restricted(following), search_record.write_end(found)
    new = to.declare_local("i64")
    loop, exit_label, picked = to.label(), to.label(), to.label()
    picks = [
        f"(if (i64.ne (local.get {word}) (i64.const 0)) (then"
        f" (local.set {member} (i32.wrap_i64 (i64.add (i64.ctz (local.get {word})) (i64.const {WORD_BITS * index}))))"
        f" (local.set {word} (i64.and (local.get {word}) (i64.sub (local.get {word}) (i64.const 1)))) (br {picked})))"
        for index, word in enumerate(left)
    ]
    spread = [
        f"(local.set {new} {without(word, read_local(known))})"
        f" (local.set {known} (i64.or (local.get {known}) (local.get {new})))"
        f" (local.set {rest} (i64.or (local.get {rest}) (local.get {new})))"
        for word, known, rest in zip(following.words(), found, left, strict=True)
    ]
    step = _with_memory_freed(to, f"{following.before} {' '.join(spread)}")
    search = (
        f"(block {exit_label} (loop {loop} (block {picked} {' '.join(picks)} (br {exit_label})) {step} (br {loop})))"
    )
    return words_in_locals(found)._replace(before=f"{beginning} {search} {end}")


class _GroundSteps(NamedTuple):
    """Steps from each hex to a row of the map, within the same ground for all; with `is_outside` outside of it."""

    rows: Core
    ground: Core
    is_outside: bool


def _steps_on_ground(node: ir.Reachable) -> _GroundSteps | None:
    """Return the steps by which hexes are reached; None for any that are not within a ground."""
    match node.following:
        case ir.Apply(Primitive.INTERSECTION | Primitive.DIFFERENCE as primitive, (ir.Apply(row) as rows, ground)):
            is_fixed = not any(isinstance(part, ir.Local) and part.name == node.name for part in walk(ground))
            if row in ROWS and rows.operands == (ir.Local(node.name, HEX),) and is_fixed:
                return _GroundSteps(rows, ground, primitive is Primitive.DIFFERENCE)
        case _:
            pass
    return None


def _ground_reader(to: FunctionWriter, steps: _GroundSteps) -> WordReader:
    """Return how the ground is read."""
    reader = word_reader(to, steps.ground)
    if not steps.is_outside:
        return reader
    return reader._replace(word=lambda offset: without("(i64.const -1)", reader.word(offset)))


class _SearchRecord:
    """The last search of a place in the code, in memory: its start, its ground, and what it found."""

    def __init__(self, to: FunctionWriter, count: int) -> None:
        """Reserve memory, and declare the locals of start and ground, of this search and of the last one."""
        self.to = to
        self.count = count
        self.address = i32_const(to.pool.reserve(3 * WORD_BYTES * count))
        self.start, self.ground, self.last_start, self.last_ground = (
            [to.declare_local("i64") for _ in range(count)] for _ in range(4)
        )

    def stored(self, part: int) -> list[str]:
        """Emit the words of a part of the record."""
        return [
            f"(i64.load offset={WORD_BYTES * (part * self.count + index)} {self.address})"
            for index in range(self.count)
        ]

    def write_beginning(self, start: WordReader, ground: WordReader, found: list[str], left: list[str]) -> str:
        """Emit what is found before the first step, and which hexes are left to spread."""
        lost = [*map(without, map(read_local, self.last_start), map(read_local, self.start))]
        lost += map(without, map(read_local, self.last_ground), map(read_local, self.ground))
        is_smaller = f"(i64.ne {reduce(lambda one, other: f'(i64.or {one} {other})', lost)} (i64.const 0))"
        fresh = write_words(found, map(read_local, self.start)) + write_words(left, map(read_local, self.start))
        parts = (
            start.before, write_words(self.start, start.words()),
            ground.before, write_words(self.ground, ground.words()),
            write_words(self.last_start, self.stored(0)), write_words(self.last_ground, self.stored(1)),
            f"(if {is_smaller} (then {fresh}) (else {self.write_continuation(found, left)}))",
        )  # fmt: skip
        return " ".join(parts)

    def write_continuation(self, found: list[str], left: list[str]) -> str:
        """Emit that what was found is found again; new hexes of the start spread, and those beside new ground."""
        known, start = self.stored(2), [*map(read_local, self.start)]
        united = [f"(i64.or {one} {other})" for one, other in zip(start, known, strict=True)]
        added = map(without, map(read_local, self.ground), map(read_local, self.last_ground))
        spreading = self.to.declare_local("i32")
        row_bytes = WORD_BYTES * self.count
        beside = stored_set(self.to.address(ROWS[Primitive.BESIDE], f"(local.get {spreading})", row_bytes), self.count)
        spread = [
            f"(i64.or (local.get {word}) (i64.and {old} {near}))"
            for word, old, near in zip(left, known, beside.words(), strict=True)
        ]
        parts = (
            write_words(found, united), write_words(left, map(without, start, known)),
            write_words(self.last_ground, added),
            write_bit_loop(self.to, words_in_locals(self.last_ground), spreading, write_words(left, spread)),
        )  # fmt: skip
        return " ".join(parts)

    def restricted(self, following: WordReader) -> WordReader:
        """Return how a set is read, restricted to the ground."""
        return combined_reader(following, words_in_locals(self.ground), "i64.and", inverts=False)

    def write_end(self, found: list[str]) -> str:
        """Emit that the search is stored; a trap before has left the last one as it was."""
        return " ".join(
            f"(i64.store offset={WORD_BYTES * index} {self.address} (local.get {local}))"
            for index, local in enumerate([*self.start, *self.ground, *found])
        )


def _reachable_in_memory(to: FunctionWriter, start: WordReader, member: str, following: WordReader) -> WordReader:
    """Emit a search whose sets are in memory."""
    size = i32_const(WORD_BYTES * start.word_count)
    found_line, found = to.spill(f"(call $alloc {size})", "i32")
    left_line, left = to.spill(f"(call $alloc {size})", "i32")
    offset, new = to.declare_local("i32"), to.declare_local("i64")
    at = f"(local.get {offset})"
    first = start.word(at)
    beginning = write_word_loop(
        to,
        offset,
        start.word_count,
        f"(i64.store (i32.add {found} {at}) {first}) (i64.store (i32.add {left} {at}) {first})",
    )
    known, rest = (f"(i64.load (i32.add {each} {at}))" for each in (found, left))
    spread = write_word_loop(
        to, offset, start.word_count,
        f"(local.set {new} (i64.and {following.word(at)} (i64.xor {known} (i64.const -1))))"
        f" (i64.store (i32.add {found} {at}) (i64.or {known} (local.get {new})))"
        f" (i64.store (i32.add {left} {at}) (i64.or {rest} (local.get {new})))",
    )  # fmt: skip
    loop, exit_label, picked = to.label(), to.label(), to.label()
    pick = write_word_loop(
        to, offset, start.word_count,
        f"(if (i64.ne (local.tee {new} {rest}) (i64.const 0)) (then"
        f" (local.set {member} (i32.add (i32.shl {at} (i32.const 3)) (i32.wrap_i64 (i64.ctz (local.get {new})))))"
        f" (i64.store (i32.add {left} {at}) (i64.and (local.get {new}) (i64.sub (local.get {new}) (i64.const 1))))"
        f" (br {picked})))",
    )  # fmt: skip
    step = _with_memory_freed(to, f"{following.before} {spread}")
    search = f"(block {exit_label} (loop {loop} (block {picked} {pick} (br {exit_label})) {step} (br {loop})))"
    before = f"{start.before} {found_line} {left_line} {beginning} {search}"
    return stored_set(found, start.word_count)._replace(before=before)


def _with_memory_freed(to: FunctionWriter, body: str) -> str:
    """Emit code, and free the memory that it allocated."""
    if "(call $" not in body:
        return body
    stack_top = to.declare_local("i32")
    return f"(local.set {stack_top} (global.get $sp)) {body} (global.set $sp (local.get {stack_top}))"
