"""Emit the expiry of state: pairs whose ending condition holds, and statuses and tracks that last until a moment.

In: the procedures of the core. Out: WebAssembly text of the functions that end pairs and reset arrays.
"""

from compiler.core import control, ir
from compiler.core.passes.footprint import field_of
from compiler.core.representation import PIECE, Representation
from compiler.wasm.bit_sets import stored_set, write_bit_loop
from compiler.wasm.function import FunctionWriter, i32_const, i64_const, type_of, write_if_other
from compiler.wasm.memory import ConstantPool
from runtime.graph import nodes as graph
from runtime.graph.layout import ABSENT32, ABSENT64, BELOW


def write_endings(pool: ConstantPool, procedures: control.Procedures) -> str:
    """Emit `$end_pairs`: it removes all pairs whose ending condition holds at once, until there are none.

    Nothing ends as long as nothing has changed that the conditions read, since there were none.
    """
    to = FunctionWriter(pool, "end_pairs", ())
    ended_pairs_line, ended_pairs = to.spill("(call $sequence)", "i32")
    mark = to.declare_local("i32")
    repeat_label, looks = to.label(), []
    i = to.declare_local("i32")
    for ending in procedures.endings:
        base = i32_const(pool.address_of(f"pairs:{ending.relation}"))
        left = to.bind(ending.left.name, ending.left.representation)
        right = to.bind(ending.right.name, ending.right.representation)
        pair, loop, exit_label, inner = to.declare_local("i32"), to.label(), to.label(), to.declare_local("i32")
        binding = (
            f"(local.set {left} (i32.load (local.get {pair}))) (local.set "
            f"{right} (i32.load offset=4 (local.get {pair})))"
        )
        if ending.payload is not None:
            payload = to.bind(ending.payload.name, ending.payload.representation)
            raw = f"(i64.load offset=8 (local.get {pair}))"
            raw = raw if type_of(ending.payload.representation) == "i64" else f"(i32.wrap_i64 {raw})"
            binding += f" (local.set {payload} {raw})"
        holds = to.declare_local("i32")
        condition = to.write(ending.condition)
        noted = " ".join(
            f"(call $append {ended_pairs} {value})"
            for value in (
                f"(i64.extend_i32_s {base})",
                f"(i64.extend_i32_s (local.get {left}))",
                f"(i64.extend_i32_s (local.get {right}))",
            )
        )
        looks.append(
            f"(local.set {i} (i32.const 0)) (block {exit_label} (loop {loop}"
            f" (br_if {exit_label} (i32.ge_u (local.get {i}) (i32.load {base})))"
            f" (local.set {pair} (call $pair_at {base} (local.get {i}))) {binding}"
            f" (local.set {inner} (global.get $sp)) (local.set {holds} {condition})"
            f" (global.set $sp (local.get {inner})) (if (local.get {holds}) (then {noted}))"
            f" (local.set {i} (i32.add (local.get {i}) (i32.const 1))) (br {loop})))"
        )
    if not looks:
        return "(func $end_pairs)"
    loop, exit_label = to.label(), to.label()
    item = f"(i32.wrap_i64 (call $item {ended_pairs} (i32.add (local.get {i}) (i32.const {{}}))))"
    wrote = " ".join(
        f"(if (i32.eq {item.format(0)} {i32_const(pool.address_of(relation))}) (then"
        f" {' '.join(pool.validity.write_stale(pool.layout, (relation,), item.format(end), PIECE) for end in (1, 2))}))"
        for relation in dict.fromkeys(f"pairs:{each.relation}" for each in procedures.endings)
    )
    removes = (
        f"(local.set {i} (i32.const 0)) (block {exit_label} (loop {loop}"
        f" (br_if {exit_label} (i32.ge_u (local.get {i}) (i32.load {ended_pairs})))"
        f" (call $unrelate {item.format(0)} {item.format(1)} {item.format(2)}) {wrote}"
        f" (local.set {i} (i32.add (local.get {i}) (i32.const 3))) (br {loop})))"
    )
    declared = to.local_declarations()
    change = pool.validity.latest_change(pool.layout, pool.validity.read_by_endings, {})
    known = i32_const(pool.reserve(8))
    body = (
        f"(if (i64.eq (i64.load {known}) {change}) (then (return)))"
        f" (local.set {mark} (global.get $sp)) (loop {repeat_label} {ended_pairs_line} {' '.join(looks)} {removes}"
        f" (local.set {i} (i32.load {ended_pairs})) (global.set $sp (local.get "
        f"{mark})) (br_if {repeat_label} (local.get {i}))) (i64.store {known} {change})"
    )
    return "\n".join([f"(func $end_pairs {declared}\n  {body})", *to.helper_functions])


def write_expiry(pool: ConstantPool, procedures: control.Procedures, vocabulary: graph.Vocabulary) -> list[str]:
    """Emit the resets at the end of each moment; with a player, they concern the pieces of that player only."""
    texts = []
    for moment, arrays in procedures.expiring.items():
        to = FunctionWriter(pool, f"expire:{moment}", ())
        lines = [
            _write_reset(to, array, initial, representation, vocabulary)
            for array, initial, representation in arrays
            if array in pool.layout.arrays
        ]
        declared = to.local_declarations()
        texts.append(f"(func $expire:{moment} (param $player i32) {declared}\n  {' '.join(lines)})")
    return texts


def _write_reset(
    to: FunctionWriter,
    array: str,
    initial: ir.Core | None,
    representation: Representation | None,
    vocabulary: graph.Vocabulary,
) -> str:
    """Emit the reset of one status or track to its default; of pieces, only where it has another value."""
    layout, validity = to.pool.layout, to.pool.validity
    place = layout.arrays[array]
    of_piece = array.partition(":")[2].partition(".")[0] in vocabulary.kinds
    index, loop = to.declare_local("i32"), to.label()
    at = f"(local.get {index})"
    wrote = validity.write_stale(layout, (field_of(array),), *((at, PIECE) if of_piece else ()))
    if representation is None:
        if not of_piece:
            words = layout.bitset_words(place.index)
            return f"(memory.fill {i32_const(place.base)} (i32.const 0) {i32_const(words * 8)}) {wrote}"
        reset = f"(drop (call $change_bit {i32_const(place.base)} {at} (i32.const 0))) {wrote}"
        marked = stored_set(i32_const(place.base), layout.bitset_words("piece"))
        return write_bit_loop(to, marked, index, _if_of_player(to, at, reset))
    wide = place.element in ("i64", "ratio")
    type_ = "i64" if wide else "i32"
    value = i64_const(ABSENT64) if wide else i32_const(ABSENT32)
    if initial is not None:
        value = to.write(initial)
    if not place.index:
        return f"({type_}.store {i32_const(place.base)} {value}) {wrote}"
    stride = 8 if wide else 4
    base = place.base - (BELOW * stride if place.index == "hex" else 0)
    address = f"(i32.add {i32_const(base)} (i32.shl {at} (i32.const {stride.bit_length() - 1})))"
    if of_piece:
        return _write_piece_loop(to, index, loop, write_if_other(to, address, value, type_, wrote))
    count = {"hex": layout.hexes + BELOW, "enum": layout.enum_capacity}[place.index]
    return (
        f"(local.set {index} (i32.const 0)) (loop {loop} ({type_}.store {address} {value}) (local.set "
        f"{index} (i32.add {at} (i32.const 1)))"
        f" (br_if {loop} (i32.lt_u {at} (i32.const {count})))) {wrote}"
    )


def _if_of_player(to: FunctionWriter, piece: str, body: str) -> str:
    """Emit what is executed for a piece of the player, or for any where there is no player."""
    side = f"(i32.load {to.address('side', piece, 4)})"
    owner_test = f"(i32.or (i32.lt_s (local.get $player) (i32.const 0)) (i32.eq {side} (local.get $player)))"
    return f"(if {owner_test} (then {body}))"


def _write_piece_loop(to: FunctionWriter, index: str, loop: str, body: str) -> str:
    """Emit a loop over all pieces, or over those of the player."""
    return (
        f"(local.set {index} (i32.const 0)) (loop {loop} {_if_of_player(to, f'(local.get {index})', body)}"
        f" (local.set {index} (i32.add (local.get {index}) (i32.const 1)))"
        f" (br_if {loop} (i32.lt_u (local.get {index}) {i32_const(to.pool.layout.pieces)})))"
    )
