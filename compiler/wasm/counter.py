"""Emit the functions that set the fields of a piece from a counter: on creation, and when the piece is flipped.

In: the lowered counters. Out: WebAssembly text of these functions.
"""

import struct
from collections.abc import Iterator

from compiler.core.counters import CounterFace
from compiler.core.ir import Core
from compiler.core.trap_reason import TrapReason
from compiler.wasm.function import FunctionWriter, i32_const, write_trap
from compiler.wasm.memory import ConstantPool
from runtime.graph import nodes as graph
from runtime.graph.counter_steps import step_count
from runtime.graph.layout import ABSENT32, ABSENT64
from runtime.graph.members import members_of


def write_counters(
    pool: ConstantPool,
    rules: graph.Graph,
    faces: dict[str, CounterFace],
    first: dict[str, dict[str, Core]],
    kinds: set[str],
) -> list[str]:
    """Emit `$create:KIND`, `$turn_back`, `$turn_front` and the functions that they call."""
    created_counters = {name for kind in kinds for name in (face.id for face in faces.values() if face.kind == kind)}
    flipped_counters = {face.id for face in faces.values() if face.back or face.front}
    needed = sorted(created_counters | flipped_counters)
    return [
        *(_face_function(pool, rules, faces[name]) for name in needed),
        *(_create(pool, rules, faces, first.get(kind, {}), kind) for kind in sorted(kinds)),
        _flip_function(pool, faces, "back"),
        _flip_function(pool, faces, "front"),
        *_recovery_functions(pool, rules),
    ]


def _element(pool: ConstantPool, array: str, value: str) -> str:
    """Emit a store of `value` into the element of an array at index `$p`."""
    wide = pool.layout.arrays[array].element in ("i64", "ratio")
    address = f"(i32.add (i32.const {pool.address_of(array)}) (i32.shl (local.get $p) (i32.const {3 if wide else 2})))"
    return f"({'i64' if wide else 'i32'}.store {address} {value})"


def _read(pool: ConstantPool, array: str) -> str:
    """Emit a read of the element of an array of `i32` at index `$p`."""
    return f"(i32.load (i32.add (i32.const {pool.address_of(array)}) (i32.shl (local.get $p) (i32.const 2))))"


def _absent(pool: ConstantPool, array: str) -> str:
    wide = pool.layout.arrays[array].element in ("i64", "ratio")
    return f"(i64.const {ABSENT64})" if wide else f"(i32.const {ABSENT32})"


def _face_function(pool: ConstantPool, rules: graph.Graph, face: CounterFace) -> str:
    """Emit the function that sets the fields of a piece from one counter."""
    to = FunctionWriter(pool, f"show:{face.id}", ())
    arrays = pool.layout.arrays
    lines = []
    if "counter" in arrays:
        lines.append(_element(pool, "counter", i32_const(pool.rank[face.id])))
    for flag in rules.vocabulary.flags.values():
        array = f"trait:{flag.owner}.{flag.name}"
        if flag.what == "trait" and array in arrays:
            on = flag.owner == face.kind and flag.name in face.traits
            lines.append(f"(call $set_bit {i32_const(arrays[array].base)} (local.get $p) {i32_const(int(on))})")
    for array in (each for each in arrays if each.startswith("printed:")):
        value = face.printed.get(array.removeprefix("printed:"))
        lines.append(_element(pool, array, _absent(pool, array) if value is None else to.write(value)))
    for side, other in (("back", face.back), ("front", face.front)):
        if f"face:{side}" in arrays:
            lines.append(
                f"(call $set_bit {i32_const(arrays[f'face:{side}'].base)} (local.get $p) {i32_const(int(bool(other)))})"
            )
    return f"(func $show:{face.id} (param $p i32)\n  {' '.join(lines)})"


def _create(
    pool: ConstantPool, rules: graph.Graph, faces: dict[str, CounterFace], first: dict[str, Core], kind: str
) -> str:
    """Emit the function that creates a piece of a kind; it shows the counter of its kind if its side has only one."""
    arrays = pool.layout.arrays
    to = FunctionWriter(pool, f"create:{kind}", ())
    lines = [
        f"(if (i32.ge_u (global.get $pieces) (i32.const {pool.layout.pieces})) (then (call $fail (i32.const 6))))",
        "(local.set $p (global.get $pieces)) (global.set $pieces (i32.add (local.get $p) (i32.const 1)))",
        _element(pool, "hex", "(i32.const -1)"),
        _element(pool, "next_at", "(i32.const -1)"),
        _element(pool, "kind", i32_const(pool.rank[kind])),
        _element(pool, "side", "(local.get $side)"),
    ]
    for array in (each for each in arrays if each.startswith("printed:")):
        value = first.get(array.removeprefix("printed:"))
        lines.append(_element(pool, array, _absent(pool, array) if value is None else to.write(value)))
    if "counter" in arrays:
        lines.append(_element(pool, "counter", i32_const(pool.rank[""])))
    if "area" in arrays:
        lines.append(_element(pool, "area", i32_const(pool.store(bytes(pool.layout.bitset_words("hex") * 8)))))
    if f"kind:{kind}" in arrays:
        lines.append(f"(call $set_bit {i32_const(arrays[f'kind:{kind}'].base)} (local.get $p) (i32.const 1))")
    sides = ["", *members_of(rules.vocabulary, "side")]
    for side in sides:
        rows = [face for face in faces.values() if face.kind == kind and face.owner in ("", side)]
        if len(rows) == 1:
            side_test = f"(i32.eq (local.get $side) {i32_const(pool.rank[side])})"
            lines.append(f"(if {side_test} (then (call $show:{rows[0].id} (local.get $p))))")
    return f"(func $create:{kind} (param $side i32) (result i32) (local $p i32)\n  {' '.join(lines)} (local.get $p))"


def _flip_function(pool: ConstantPool, faces: dict[str, CounterFace], to: str) -> str:
    """Emit the function that flips a piece; a piece that is out of the game is unchanged."""
    guard = "(if (i32.eq (call $hex_of (local.get $p)) (i32.const -2)) (then (return)))"
    lines = []
    for face in faces.values():
        other = face.back if to == "back" else face.front
        if other:
            face_test = f"(i32.eq {_read(pool, 'counter')} {i32_const(pool.rank[face.id])})"
            lines.append(f"(if {face_test} (then {guard} (call $show:{other} (local.get $p)) (return)))")
    return f"(func $turn_{to} (param $p i32)\n  {' '.join(lines)} {write_trap(TrapReason.BROKEN)})"


def _recovery_functions(pool: ConstantPool, rules: graph.Graph) -> Iterator[str]:
    """Emit `$steps_left`, as `State.steps_left`, and `$recover`, which counts the steps that a piece has got back."""
    if "regained" not in pool.layout.arrays:
        return
    steps = [1] * pool.layout.enum_capacity
    for name in rules.counters:
        steps[pool.rank[name]] = step_count(rules.counters, name)
    table = i32_const(pool.store(struct.pack(f"<{len(steps)}i", *steps)))
    shown_steps = f"(i32.load (i32.add {table} (i32.shl {_read(pool, 'counter')} (i32.const 2))))"
    is_there = "(i32.or (i32.ge_s (local.get $h) (i32.const -1)) (i32.eq (local.get $h) (i32.const -3)))"
    yield (
        "(func $steps_left (param $p i32) (result i32) (local $h i32) (local.set $h (call $hex_of (local.get $p)))\n"
        f"  (select {shown_steps} (i32.const 0) {is_there}))"
    )
    gained = "(i32.sub (call $steps_left (local.get $p)) (local.get $before))"
    counted = _element(pool, "regained", f"(i32.add {_read(pool, 'regained')} {gained})")
    yield f"(func $recover (param $p i32) (param $before i32) (if (i32.gt_s {gained} (i32.const 0)) (then {counted})))"
