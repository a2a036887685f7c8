"""Emit bit sets word by word: operations on sets are operations on words, and no set is stored that is only read.

In: an expression whose value is a bit set. Out: how its words are read, loops over its members, its count, a copy of
it in memory. Sets of few words are read by straight-line code.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import NamedTuple

from compiler.core import ir
from compiler.core.ir import Core, Primitive
from compiler.core.representation import Set, is_bit_set
from compiler.core.trap_reason import TrapReason
from compiler.wasm.function import FunctionWriter, i32_const, write_trap

WORD_BYTES, WORD_BITS = 8, 64
MOST_UNROLLED = 4  # Words of a set that is read without a loop.
# The instructions of operations on sets, and whether the second operand is inverted.
WORDWISE = {
    Primitive.UNION: ("i64.or", False),
    Primitive.INTERSECTION: ("i64.and", False),
    Primitive.DIFFERENCE: ("i64.and", True),
}
# Rows of the map, each the set of a hex: the array of each.
ROWS = {Primitive.NEIGHBORS: "board:around", Primitive.BESIDE: "board:near"}
# Sets of pieces by their place: the array of each.
SECTIONS = {Primitive.PIECES_ON_MAP: "on_map", Primitive.PIECES_IN_RESERVE: "reserve"}


class WordReader(NamedTuple):
    """How a bit set is read: code that is executed before, a word at an offset in bytes, and the number of words."""

    before: str
    word: Callable[[str], str]
    word_count: int

    def words(self) -> Iterator[str]:
        """Emit the words in order."""
        return (self.word(i32_const(WORD_BYTES * index)) for index in range(self.word_count))


def word_reader(to: FunctionWriter, source: Core) -> WordReader:
    """Return how a bit set is read."""
    assert isinstance(source.representation, Set)
    count = to.pool.bitset_words(source.representation.element)
    match source:
        case ir.Apply(Primitive.PIECES_ON_MAP | Primitive.PIECES_IN_RESERVE as primitive, _, _, kinds):
            return WordReader("", _section_reader(to, SECTIONS[primitive], kinds), count)
        case ir.Apply(Primitive.MASK, _, _, array):
            return stored_set(i32_const(to.pool.address_of(array)), count)
        case ir.Members(()):
            return WordReader("", lambda _: "(i64.const 0)", count)
        case ir.Apply(Primitive.ALL_HEXES):
            return stored_set(i32_const(to.pool.address_of("board:all")), count)
        case ir.Apply(primitive, operands) if primitive in WORDWISE and len(operands) > 1:
            readers = [word_reader(to, operand) for operand in operands]
            return reduce(lambda left, right: combined_reader(left, right, *WORDWISE[primitive]), readers)
        case ir.Apply(Primitive.SET_OF, elements) if count <= MOST_UNROLLED:
            return _listed_reader(to, elements, count)
        case ir.Let(name, value, body):
            bound = to.assign(name, to.write(value), value.representation)
            reader = word_reader(to, body)
            return reader._replace(before=f"{bound} {reader.before}")
        case ir.If() if count <= MOST_UNROLLED and not _has_address(source):
            return _selected_reader(to, source, count)
        case ir.Fold(ir.FoldKind.GATHER | ir.FoldKind.UNITE) if count <= MOST_UNROLLED:
            from compiler.wasm.fold import gathered_reader  # noqa: PLC0415 -- a fold reads its source by words

            return gathered_reader(to, source)
        case ir.Reachable():
            from compiler.wasm.reachable import reachable_reader  # noqa: PLC0415 -- it reads its sets by words, too

            return reachable_reader(to, source, count)
        case _:
            line, address = to.spill(to.write(source), "i32")
            return stored_set(address, count)._replace(before=line)


def stored_set(address: str, count: int) -> WordReader:
    """Return how a bit set of so many words in memory is read."""
    return WordReader("", _word_at(address), count)


def _word_at(address: str) -> Callable[[str], str]:
    """Return the function that reads words behind an address."""
    return lambda offset: f"(i64.load (i32.add {address} {offset}))"


def _section_reader(to: FunctionWriter, array: str, kinds: str) -> Callable[[str], str]:
    """Return the function that reads words of the pieces of given kinds in a section of the position."""
    section = _word_at(i32_const(to.pool.address_of(array)))
    masks = [_word_at(i32_const(to.pool.address_of(f"kind:{kind}"))) for kind in kinds.split(",") if kind]
    if not masks:
        return section

    def word(offset: str) -> str:
        united = reduce(lambda one, other: f"(i64.or {one} {other})", [mask(offset) for mask in masks])
        return f"(i64.and {section(offset)} {united})"

    return word


def combined_reader(left: WordReader, right: WordReader, operation: str, inverts: bool) -> WordReader:  # noqa: FBT001
    """Return how the result of a set operation is read."""

    def word(offset: str) -> str:
        other = right.word(offset)
        return f"({operation} {left.word(offset)} {f'(i64.xor {other} (i64.const -1))' if inverts else other})"

    return WordReader(f"{left.before} {right.before}", word, left.word_count)


def _listed_reader(to: FunctionWriter, elements: tuple[Core, ...], count: int) -> WordReader:
    """Return how a set of given elements is read."""
    words = [to.declare_local("i64") for _ in range(count)]
    lines = [write_words(words, ["(i64.const 0)"] * count), *(write_put(to, words, each) for each in elements)]
    return words_in_locals(words)._replace(before=" ".join(lines))


def write_put(to: FunctionWriter, words: list[str], element: Core) -> str:
    """Emit the addition of an element to a set in locals; a hex off the map is a trap."""
    line, index = to.spill(to.write(element), "i32")
    bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u {index}))"
    bits = [bit]
    if len(words) > 1:
        places = (f"(i32.eq (i32.shr_u {index} (i32.const 6)) {i32_const(number)})" for number in range(len(words)))
        bits = [f"(select {bit} (i64.const 0) {place})" for place in places]
    united = [f"(i64.or (local.get {word}) {each})" for word, each in zip(words, bits, strict=True)]
    off_map = f"(if (i32.lt_s {index} (i32.const 0)) (then {write_trap(TrapReason.OUTSIDE)}))"
    return f"{line} {off_map} {write_words(words, united)}"


def _has_address(node: Core) -> bool:
    """Return whether a set, or one of two sets, is in memory without being copied."""
    match node:
        case ir.If(_, then, orelse):
            return _has_address(then) and _has_address(orelse)
        case ir.Apply(primitive):
            return primitive in (Primitive.MASK, Primitive.ALL_HEXES, Primitive.ACROSS) or primitive in ROWS
        case _:
            return isinstance(node, ir.Local | ir.Members)


def _selected_reader(to: FunctionWriter, node: ir.If, count: int) -> WordReader:
    """Return how one of two sets is read, whose words are stored in locals."""
    words = [to.declare_local("i64") for _ in range(count)]
    condition = to.write(node.condition)
    branches = []
    for branch in (node.then, node.orelse):
        reader = word_reader(to, branch)
        sets = [f"(local.set {local} {word})" for local, word in zip(words, reader.words(), strict=True)]
        branches.append(f"{reader.before} {' '.join(sets)}")
    before = f"(if {condition} (then {branches[0]}) (else {branches[1]}))"
    return words_in_locals(words)._replace(before=before)


def is_wordwise(node: Core) -> bool:
    """Return whether a bit set is the result of operations on words."""
    return (
        isinstance(node, ir.Apply)
        and is_bit_set(node.representation)
        and (node.primitive in SECTIONS or (node.primitive in WORDWISE and len(node.operands) > 1))
    )


def write_copied(to: FunctionWriter, source: Core) -> str:
    """Emit a bit set as a new one in memory."""
    before, word, count = reader = word_reader(to, source)
    line, copied = to.spill(f"(call $alloc {i32_const(WORD_BYTES * count)})", "i32")
    if count <= MOST_UNROLLED:
        stores = [
            f"(i64.store offset={WORD_BYTES * index} {copied} {each})" for index, each in enumerate(reader.words())
        ]
        return f"(block (result i32) {before} {line} {' '.join(stores)} {copied})"
    offset = to.declare_local("i32")
    store = f"(i64.store (i32.add {copied} (local.get {offset})) {word(f'(local.get {offset})')})"
    return f"(block (result i32) {before} {line} {write_word_loop(to, offset, count, store)} {copied})"


def write_word_loop(to: FunctionWriter, offset: str, count: int, body: str) -> str:
    """Emit a loop over the words of a set, with the offset of each in a local."""
    loop = to.label()
    onward = f"(local.tee {offset} (i32.add (local.get {offset}) {i32_const(WORD_BYTES)}))"
    return (
        f"(local.set {offset} (i32.const 0)) (loop {loop} {body}"
        f" (br_if {loop} (i32.lt_u {onward} {i32_const(WORD_BYTES * count)})))"
    )


def write_cardinality(to: FunctionWriter, source: Core) -> str:
    """Emit the number of members of a bit set."""
    before, word, count = reader = word_reader(to, source)
    if count <= MOST_UNROLLED:
        total = reduce(
            lambda one, other: f"(i64.add {one} {other})", [f"(i64.popcnt {each})" for each in reader.words()]
        )
        return f"(block (result i64) {before} {total})"
    offset, total = to.declare_local("i32"), to.declare_local("i64")
    added = f"(i64.add (local.get {total}) (i64.popcnt {word(f'(local.get {offset})')}))"
    loop = write_word_loop(to, offset, count, f"(local.set {total} {added})")
    return f"(block (result i64) {before} (local.set {total} (i64.const 0)) {loop} (local.get {total}))"


def write_nonempty(to: FunctionWriter, source: Core) -> str:
    """Emit the test whether a bit set has members."""
    before, word, count = reader = word_reader(to, source)
    if count <= MOST_UNROLLED:
        united = reduce(lambda one, other: f"(i64.or {one} {other})", reader.words())
        return f"(block (result i32) {before} (i64.ne {united} (i64.const 0)))"
    offset, exit_label = to.declare_local("i32"), to.label()
    member_test = f"(br_if {exit_label} (i32.const 1) (i64.ne {word(f'(local.get {offset})')} (i64.const 0))) drop"
    loop = write_word_loop(to, offset, count, member_test)
    return f"(block {exit_label} (result i32) {before} {loop} (i32.const 0))"


def write_bit_loop(to: FunctionWriter, reader: WordReader, member: str, body: str) -> str:
    """Emit a loop over the members of a bit set, in ascending order."""
    offset, left = to.declare_local("i32"), to.declare_local("i64")
    loop, exit_label = to.label(), to.label()
    one_word = reader.word_count == 1
    at = i32_const(0) if one_word else f"(local.get {offset})"
    number = f"(i32.wrap_i64 (i64.ctz (local.get {left})))"
    number = number if one_word else f"(i32.add (i32.shl {at} (i32.const 3)) {number})"
    bits = (
        f"(local.set {left} {reader.word(at)})"
        f" (block {exit_label} (loop {loop} (br_if {exit_label} (i64.eqz (local.get {left})))"
        f" (local.set {member} {number})"
        f" (local.set {left} (i64.and (local.get {left}) (i64.sub (local.get {left}) (i64.const 1))))"
        f" {body} (br {loop})))"
    )
    return bits if one_word else write_word_loop(to, offset, reader.word_count, bits)


def without(word: str, other: str) -> str:
    """Emit the bits of a word that another does not have."""
    return f"(i64.and {word} (i64.xor {other} (i64.const -1)))"


def read_local(name: str) -> str:
    """Emit a read of a local."""
    return f"(local.get {name})"


def write_words(locals_: list[str], words: Iterable[str]) -> str:
    """Emit the assignment of words to locals."""
    return " ".join(f"(local.set {local} {word})" for local, word in zip(locals_, words, strict=True))


def words_in_locals(words: list[str]) -> WordReader:
    """Return how a bit set in locals is read, by a constant offset or by one in a local."""

    def word(offset: str) -> str:
        by_offset = {i32_const(WORD_BYTES * index): f"(local.get {local})" for index, local in enumerate(words)}
        if offset in by_offset:
            return by_offset[offset]
        *others, last = by_offset.items()
        return reduce(
            lambda rest, each: f"(select {each[1]} {rest} (i32.eq {offset} {each[0]}))", reversed(others), last[1]
        )

    return WordReader("", word, len(words))
