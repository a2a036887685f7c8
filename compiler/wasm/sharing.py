"""Emit values that are shared by their uses: lazy values within an expression, and memoized answers in tables.

In: a lazy binding or a memo of the core. Out: WebAssembly text that evaluates it once.
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.representation import BOOL, ENUM, HEX, PIECE, Representation, Set, is_bit_set
from compiler.core.sharing import LetLazy, Memo
from compiler.wasm.function import FunctionWriter, i32_const, type_of
from runtime.graph.layout import BELOW
from runtime.graph.walk import walk

HEADER = 16  # Bytes of an entry before its value: the last change of its footprint, and the number of the keys.
MOST_QUESTIONS = 1 << 32
# Answers about the map alone are requested in each game.
MOST_BYTES, MOST_OF_MAP = 1 << 21, 1 << 22


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
        lines.append(f"(local.set {slot} (call $alloc {i32_const(bytes_of(to, node.value.representation))}))")
    return f"(block (result {type_of(node.representation)}) {' '.join(lines)} {to.write(node.body)})"


def write_slot_copy(to: FunctionWriter, slot: str, text: str, representation: Representation) -> str:
    """Emit a copy of a bit set into its slot."""
    size = i32_const(bytes_of(to, representation))
    return f"(block (result i32) (memory.copy (local.get {slot}) {text} {size}) (local.get {slot}))"


def bytes_of(to: FunctionWriter, representation: Representation) -> int:
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
                case ir.Let(name) | ir.Fold(_, name):
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

    Where a table has capacity for all combinations of keys, each has its own entry; otherwise entries are hashed.
    """
    type_, layout = type_of(node.representation), to.pool.layout
    sets = is_bit_set(node.representation)
    sizes = {PIECE: layout.pieces, HEX: layout.hexes + BELOW, ENUM: layout.enum_capacity, BOOL: 2}
    questions, number = 1, "(i32.const 0)"
    for key in node.keys:
        key_value = to.read(key)
        key_value = f"(i32.add {key_value} (i32.const {BELOW}))" if key.representation == HEX else key_value
        number = (
            key_value
            if questions == 1
            else f"(i32.add (i32.mul {number} (i32.const {sizes[key.representation]})) {key_value})"
        )
        questions *= sizes[key.representation]
    if questions > MOST_QUESTIONS:
        return to.write(node.body)
    size = HEADER + (bytes_of(to, node.representation) if sets else 8)
    entries = min(questions, 1 << ((MOST_BYTES if node.footprint else MOST_OF_MAP) // size).bit_length())
    base = to.pool.reserve(entries * size)
    line, question_number = to.spill(number, "i32")
    entry, value = to.declare_local("i32"), to.declare_local(type_)
    stamp_line, stamp = to.spill(to.pool.validity.latest_change(layout, node.footprint), "i64")
    entry_index, found = question_number, f"(i64.eq (i64.load (local.get {entry})) {stamp})"
    stores = [f"(i64.store (local.get {entry}) {stamp})"]
    if questions > entries:
        entry_index = (
            f"(i32.and (i32.shr_u (i32.mul {question_number} (i32.const "
            f"0x9e3779b1)) (i32.const 12)) (i32.const {entries - 1}))"
        )
        found = f"(i32.and {found} (i32.eq (i32.load offset=8 (local.get {entry})) {question_number}))"
        stores.append(f"(i32.store offset=8 (local.get {entry}) {question_number})")
    place = f"(i32.add (local.get {entry}) (i32.const {HEADER}))"
    if sets:
        words = i32_const(bytes_of(to, node.representation) // 8)
        known = f"(call $copy_bits {words} {place})"
        stores.append(f"(memory.copy {place} (local.get {value}) {i32_const(bytes_of(to, node.representation))})")
    else:
        known = f"({type_}.load offset={HEADER} (local.get {entry}))"
        stores.append(f"({type_}.store offset={HEADER} (local.get {entry}) (local.get {value}))")
    # The evaluation may use the same entry for other keys, so the entry is written as a whole after it.
    return (
        f"(block (result {type_}) {line} {stamp_line}"
        f" (local.set {entry} (i32.add (i32.const {base}) (i32.mul {entry_index} (i32.const {size}))))"
        f" (if (result {type_}) {found} (then {known})"
        f" (else (local.set {value} {to.write(node.body)}) {' '.join(stores)} (local.get {value}))))"
    )
