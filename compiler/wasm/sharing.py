"""Emit values that are shared by their uses: lazy values within an expression, and memoized answers in tables.

In: a lazy binding or a memo of the core. Out: WebAssembly text that evaluates it once.
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes.memoization import INDICES
from compiler.core.representation import BOOL, ENUM, HEX, PIECE, Representation, Set, is_bit_set
from compiler.core.sharing import LetLazy, Memo, RecordKey
from compiler.wasm.function import FunctionWriter, as_i64, i32_const, i64_const, type_of
from runtime.graph.layout import ABSENT64, BELOW
from runtime.graph.walk import walk

MOST_QUESTIONS, MOST_KEY_WORDS = 1 << 62, 16
# Answers about the map alone are requested in each game. Others that are found by a hash are of use for a few
# decisions: a larger table costs more in a first game than it saves later, and its entries lie apart.
MOST_BYTES, MOST_OF_MAP, MOST_OF_HASHED = 1 << 21, 1 << 22, 1 << 16
HASH = "(i64.const 0x9e3779b97f4a7c15)"


def write_let_lazy(to: FunctionWriter, node: LetLazy) -> str:
    """Emit a scope that starts with a value not yet evaluated.

    The slot of a bit set is allocated there, because it may be evaluated within a loop.
    """
    known = f"${node.name}?"
    to.locals[known], to.locals[f"${node.name}"] = "i32", type_of(node.value.representation)
    to.lazy[node.name] = node.value
    lines = [f"(local.set {known} (i32.const 0))"]
    to.slots[node.name] = ""
    if is_bit_set(node.value.representation):
        slot = to.slots[node.name] = to.declare_local("i32")
        lines.append(f"(local.set {slot} (call $alloc {i32_const(_bytes_of(to, node.value.representation))}))")
    return f"(block (result {type_of(node.representation)}) {' '.join(lines)} {to.write(node.body)})"


def write_slot_copy(to: FunctionWriter, slot: str, text: str, representation: Representation) -> str:
    """Emit a copy of a bit set into its slot."""
    size = i32_const(_bytes_of(to, representation))
    return f"(block (result i32) (memory.copy (local.get {slot}) {text} {size}) (local.get {slot}))"


def _bytes_of(to: FunctionWriter, representation: Representation) -> int:
    """Return the size of a bit set in bytes."""
    assert isinstance(representation, Set)
    return 8 * to.pool.bitset_words(representation.element)


def free_locals(value: Core, lazy: Mapping[str, Core]) -> tuple[ir.Local, ...]:
    """Return the free locals of a value, including those of the lazy values that it forces."""
    found: dict[str, ir.Local] = {}
    bound: set[str] = set()
    todo, seen = [value], set()
    while todo:
        for node in walk(todo.pop()):
            match node:
                case ir.Local(name):
                    found[name] = node
                case ir.Let(name) | ir.Fold(_, name) | ir.Reachable(name):
                    bound.add(name)
                case ir.Cheapest():
                    bound.update(node.step)
                case ir.Force(name) if name not in seen:
                    seen.add(name)
                    if name in lazy:
                        todo.append(lazy[name])
                case _:
                    pass
    return tuple(each for name, each in found.items() if name not in bound)


def write_memo(to: FunctionWriter, node: Memo) -> str:
    """Emit a memo table with a lookup before the evaluation; an entry is stamped with the latest change (validity.py).

    Where a table has capacity for all combinations of keys, each has its own entry; otherwise entries are hashed, and
    hold their keys.
    """
    type_ = type_of(node.representation)
    sets = is_bit_set(node.representation)
    number, questions = packed_number(to, node.keys)
    words = [word for key in node.keys if key.representation not in INDICES for word in _argument_words(to, key)]
    words += [word for field in node.fields for word in _field_words(to, field)]
    if len(words) > MOST_KEY_WORDS or questions > MOST_QUESTIONS:
        return to.write(node.body)
    value_size = _bytes_of(to, node.representation) if sets else 8
    most_bytes = MOST_BYTES if node.footprint else MOST_OF_MAP
    is_hashed = bool(words) or questions > 1 << (most_bytes // (16 + value_size)).bit_length()
    if is_hashed and questions > 1:
        words.append(number)
    lines, keys = [], []
    for word in words if is_hashed else [number]:
        line, key = to.spill(word, "i64")
        lines.append(line)
        keys.append(key)
    header = 8 + 8 * len(words) if is_hashed else 8
    records = MemoRecords(to, header)
    header += records.size
    size = header + value_size
    entry, value = to.declare_local("i32"), to.declare_local(type_)
    arguments = {key.name: to.read(key) for key in node.keys}
    stamp_line, stamp = to.spill(to.pool.validity.latest_change(to.pool.layout, node.footprint, arguments), "i64")
    found = f"(i64.eq (i64.load (local.get {entry})) {stamp})"
    stores = [f"(i64.store (local.get {entry}) {stamp})"]
    if is_hashed:
        if node.footprint or len(words) > 1:
            most_bytes = MOST_OF_HASHED
        bits = (most_bytes // size).bit_length()
        entries = 1 << bits
        mixed = f"(i64.mul {keys[0]} {HASH})"
        for key in keys[1:]:
            mixed = f"(i64.mul (i64.xor {mixed} {key}) {HASH})"
        index = f"(i32.wrap_i64 (i64.shr_u {mixed} (i64.const {64 - bits})))"
        for number_of_word, key in enumerate(keys, 1):
            offset = 8 * number_of_word
            found = f"(i32.and {found} (i64.eq (i64.load offset={offset} (local.get {entry})) {key}))"
            stores.append(f"(i64.store offset={offset} (local.get {entry}) {key})")
    else:
        entries = questions
        index = f"(i32.wrap_i64 {keys[0]})"
    base = to.pool.reserve(entries * size)
    place = f"(i32.add (local.get {entry}) (i32.const {header}))"
    if sets:
        known = f"(call $copy_bits {i32_const(value_size // 8)} {place})"
        stores.append(f"(memory.copy {place} (local.get {value}) {i32_const(value_size)})")
    else:
        known = f"({type_}.load offset={header} (local.get {entry}))"
        stores.append(f"({type_}.store offset={header} (local.get {entry}) (local.get {value}))")
    # The evaluation may use the same entry for other keys, so the entry is written as a whole after it.
    return (
        f"(block (result {type_}) {' '.join(lines)} {stamp_line}"
        f" (local.set {entry} (i32.add (i32.const {base}) (i32.mul {index} (i32.const {size}))))"
        f" (if (result {type_}) {found} (then {records.merge(entry)} {known})"
        f" (else {records.begin()} (local.set {value} {to.write(node.body)})"
        f" {' '.join(stores)} {records.store(entry)} (local.get {value}))))"
    )


class MemoRecords:
    """What was recorded while an answer was computed, in the entry of its memo: reusing it records that again."""

    def __init__(self, to: FunctionWriter, offset: int) -> None:
        """Assign the words of a function their places in its entries, from `offset` on."""
        counts = to.pool.counts
        words = counts.words_of(to.name.removeprefix("t:")) if counts else ()
        self.places = [(counts.word(word), offset + 8 * index) for index, word in enumerate(words)] if counts else []
        self.size = 8 * len(words)
        self.saved = [to.declare_local("i64") for _ in words]

    def begin(self) -> str:
        """Emit the removal of what was recorded before."""
        return " ".join(
            f"(local.set {saved} (i64.load {word})) (i64.store {word} (i64.const 0))"
            for saved, (word, _) in zip(self.saved, self.places, strict=True)
        )

    def store(self, entry: str) -> str:
        """Emit that the entry gets what was recorded, and that what was recorded before is restored."""
        return " ".join(
            f"(i64.store offset={offset} (local.get {entry}) (i64.load {word}))"
            f" (i64.store {word} (i64.or (i64.load {word}) (local.get {saved})))"
            for saved, (word, offset) in zip(self.saved, self.places, strict=True)
        )

    def merge(self, entry: str) -> str:
        """Emit the record of what the entry has."""
        return " ".join(
            f"(i64.store {word} (i64.or (i64.load {word}) (i64.load offset={offset} (local.get {entry}))))"
            for word, offset in self.places
        )


def packed_number(to: FunctionWriter, keys: tuple[ir.Local, ...]) -> tuple[str, int]:
    """Emit the number of a combination of those keys that are indices, and return how many there are.

    Words come first: few of them are asked about, as two sides, so that their entries lie together.
    """
    layout = to.pool.layout
    sizes = {PIECE: layout.pieces, HEX: layout.hexes + BELOW, ENUM: layout.enum_capacity, BOOL: 2}
    questions, number = 1, i64_const(0)
    for key in sorted(keys, key=lambda key: key.representation != ENUM):
        if key.representation not in INDICES:
            continue
        value = to.read(key)
        value = as_i64(f"(i32.add {value} {i32_const(BELOW)})" if key.representation == HEX else value, BOOL)
        size = sizes[key.representation]
        number = value if questions == 1 else f"(i64.add (i64.mul {number} {i64_const(size)}) {value})"
        questions *= size
    return number, questions


def _argument_words(to: FunctionWriter, key: ir.Local) -> list[str]:
    """Emit the words of an argument that is no index: a number, or the members of a set."""
    value = to.read(key)
    return _set_words(to, value, key.representation) if is_bit_set(key.representation) else [value]


def _field_words(to: FunctionWriter, key: RecordKey) -> list[str]:
    """Emit the words of a field of a record; of a set, whether it is present, and its members."""
    raw = f"(i64.load offset={8 * key.place} (local.get ${key.parameter}))"
    is_present = f"(i64.extend_i32_u (i64.ne {raw} {i64_const(ABSENT64)}))"
    if key.representation is None:
        return [is_present]
    if not is_bit_set(key.representation):
        return [raw]
    # The address of an absent set is 0, where other words are compared in vain.
    return [is_present, *_set_words(to, f"(i32.wrap_i64 {raw})", key.representation)]


def _set_words(to: FunctionWriter, address: str, representation: Representation) -> list[str]:
    """Emit the words of a bit set."""
    return [f"(i64.load offset={8 * word} {address})" for word in range(_bytes_of(to, representation) // 8)]
