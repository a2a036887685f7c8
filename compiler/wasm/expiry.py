"""Emit the expiry of state: pairs whose ending condition holds, and statuses and tracks that last until a moment."""

from compiler.core import control, ir
from compiler.core.passes.footprint import field_of
from compiler.core.representation import Representation
from compiler.wasm.expression import write_expression
from compiler.wasm.function import FunctionWriter, i32_const, i64_const, type_of
from compiler.wasm.memory import ConstantPool
from runtime.graph import nodes as graph
from runtime.graph.layout import ABSENT32, ABSENT64, BELOW


def write_endings(pool: ConstantPool, procedures: control.Procedures) -> str:
    """Emit `$end_pairs`: it removes all pairs whose ending condition holds at once, until there are none."""
    to = FunctionWriter(pool, "end_pairs", ())
    over_line, over = to.spill("(call $sequence)", "i32")
    mark = to.declare_local("i32")
    again, looks = to.label(), []
    i = to.declare_local("i32")
    for ending in procedures.endings:
        base = i32_const(pool.address_of(f"pairs:{ending.relation}"))
        left, right = to.bind(ending.left.name, ending.left.of), to.bind(ending.right.name, ending.right.of)
        at, loop, done, inner = to.declare_local("i32"), to.label(), to.label(), to.declare_local("i32")
        binding = (
            f"(local.set {left} (i32.load (local.get {at}))) (local.set {right} (i32.load offset=4 (local.get {at})))"
        )
        if ending.payload is not None:
            payload = to.bind(ending.payload.name, ending.payload.of)
            raw = f"(i64.load offset=8 (local.get {at}))"
            raw = raw if type_of(ending.payload.of) == "i64" else f"(i32.wrap_i64 {raw})"
            binding += f" (local.set {payload} {raw})"
        holds = to.declare_local("i32")
        condition = write_expression(to, ending.condition)
        noted = " ".join(
            f"(call $append {over} {value})"
            for value in (
                f"(i64.extend_i32_s {base})",
                f"(i64.extend_i32_s (local.get {left}))",
                f"(i64.extend_i32_s (local.get {right}))",
            )
        )
        looks.append(
            f"(local.set {i} (i32.const 0)) (block {done} (loop {loop}"
            f" (br_if {done} (i32.ge_u (local.get {i}) (i32.load {base})))"
            f" (local.set {at} (call $pair_at {base} (local.get {i}))) {binding}"
            f" (local.set {inner} (global.get $sp)) (local.set {holds} {condition})"
            f" (global.set $sp (local.get {inner})) (if (local.get {holds}) (then {noted}))"
            f" (local.set {i} (i32.add (local.get {i}) (i32.const 1))) (br {loop})))"
        )
    if not looks:
        return "(func $end_pairs)"
    loop, done = to.label(), to.label()
    item = f"(i32.wrap_i64 (call $item {over} (i32.add (local.get {i}) (i32.const {{}}))))"
    wrote = pool.validity.write_stale(pool.layout, (f"pairs:{each.relation}" for each in procedures.endings))
    removes = (
        f"(local.set {i} (i32.const 0)) (block {done} (loop {loop}"
        f" (br_if {done} (i32.ge_u (local.get {i}) (i32.load {over})))"
        f" (call $unrelate {item.format(0)} {item.format(1)} {item.format(2)}) {wrote}"
        f" (local.set {i} (i32.add (local.get {i}) (i32.const 3))) (br {loop})))"
    )
    declared = " ".join(f"(local {name} {type_})" for name, type_ in to.locals.items())
    body = (
        f"(local.set {mark} (global.get $sp)) (loop {again} {over_line} {' '.join(looks)} {removes}"
        f" (local.set {i} (i32.load {over})) (global.set $sp (local.get {mark})) (br_if {again} (local.get {i})))"
    )
    return "\n".join([f"(func $end_pairs {declared}\n  {body})", *to.extra])


def write_expiry(pool: ConstantPool, procedures: control.Procedures, vocabulary: graph.Vocabulary) -> list[str]:
    """Emit the resets at the end of each moment; with a player, they concern the pieces of that player only."""
    texts = []
    for moment, arrays in procedures.expiring.items():
        to = FunctionWriter(pool, f"expire:{moment}", ())
        lines = []
        for array, initial, of in arrays:
            if array in pool.layout.arrays:
                lines.append(write_reset(to, array, initial, of, vocabulary))
        declared = " ".join(f"(local {name} {type_})" for name, type_ in to.locals.items())
        wrote = pool.validity.write_stale(pool.layout, (field_of(array) for array, _, _ in arrays))
        texts.append(f"(func $expire:{moment} (param $player i32) {declared}\n  {' '.join(lines)} {wrote})")
    return texts


def write_reset(
    to: FunctionWriter, array: str, initial: ir.Core | None, of: Representation | None, vocabulary: graph.Vocabulary
) -> str:
    """Emit the reset of one status or track to its default."""
    layout = to.pool.layout
    place = layout.arrays[array]
    owner = array.partition(":")[2].partition(".")[0]
    of_piece = owner in vocabulary.kinds
    at, loop = to.declare_local("i32"), to.label()
    if of is None:
        words = layout.bitset_words(place.index)
        fill = f"(memory.fill {i32_const(place.base)} (i32.const 0) {i32_const(words * 8)})"
        if not of_piece:
            return fill
        reset = f"(call $set_bit {i32_const(place.base)} (local.get {at}) (i32.const 0))"
        return (
            f"(if (i32.lt_s (local.get $player) (i32.const 0)) (then {fill}) (else {over_pieces(to, at, loop, reset)}))"
        )
    wide = place.element in ("i64", "ratio")
    value = i64_const(ABSENT64) if wide else i32_const(ABSENT32)
    if initial is not None:
        value = write_expression(to, initial)
    if not place.index:
        return f"({'i64' if wide else 'i32'}.store {i32_const(place.base)} {value})"
    stride = 8 if wide else 4
    first = place.base - (BELOW * stride if place.index == "hex" else 0)
    count = {"piece": layout.pieces, "hex": layout.hexes + BELOW, "enum": layout.enum_capacity}[place.index]
    base = place.base if of_piece else first
    store = (
        f"({'i64' if wide else 'i32'}.store (i32.add {i32_const(base)}"
        f" (i32.shl (local.get {at}) (i32.const {stride.bit_length() - 1}))) {value})"
    )
    if of_piece:
        return over_pieces(to, at, loop, store)
    return (
        f"(local.set {at} (i32.const 0)) (loop {loop} {store} (local.set {at} (i32.add (local.get {at}) (i32.const 1)))"
        f" (br_if {loop} (i32.lt_u (local.get {at}) (i32.const {count}))))"
    )


def over_pieces(to: FunctionWriter, at: str, loop: str, body: str) -> str:
    """Emit a loop over all pieces, or over those of the player."""
    side = f"(i32.load {to.address('side', f'(local.get {at})', 4)})"
    own = f"(i32.or (i32.lt_s (local.get $player) (i32.const 0)) (i32.eq {side} (local.get $player)))"
    return (
        f"(local.set {at} (i32.const 0)) (loop {loop} (if {own} (then {body}))"
        f" (local.set {at} (i32.add (local.get {at}) (i32.const 1)))"
        f" (br_if {loop} (i32.lt_u (local.get {at}) {i32_const(to.pool.layout.pieces)})))"
    )
