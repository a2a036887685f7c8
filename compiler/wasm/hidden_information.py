"""Emit the function that removes from a position what a side does not know."""

from compiler.core.choices import OWNER
from compiler.wasm.function import FunctionWriter, i32_const
from compiler.wasm.memory import ConstantPool
from compiler.wasm.validity import EVERYTHING
from runtime.graph import nodes as graph
from runtime.graph.layout import ABSENT32, BELOW, size_of


def write_hiding(pool: ConstantPool, rules: graph.Graph) -> str:
    """Emit `$hide`: it removes from a position what a side does not know (runtime/state/visibility.py)."""
    arrays, vocabulary = pool.layout.arrays, rules.vocabulary
    field = {
        name: i32_const(8 * [part.name for part in record.fields].index(OWNER))
        for name, record in vocabulary.records.items()
        if record.secret
    }
    to = FunctionWriter(pool, "hide", ())
    lines: list[str] = []

    def write_hidden(address: str, type_: str, *, is_many: bool) -> str:
        value = f"(i32.load {address})"
        if is_many:
            return f"(i32.store {address} (call $known_of {value} (local.get $side) {field[type_]}))"
        unknown = f"(i32.eqz (call $is_known {value} (local.get $side) {field[type_]}))"
        erasure = f"(i32.store {address} {i32_const(ABSENT32)})"
        return f"(if (i32.ge_s {value} (i32.const 0)) (then (if {unknown} (then {erasure}))))"

    lines += [
        write_hidden(i32_const(pool.address_of(f"written:{name}")), name, is_many=True)
        for name in field
        if f"written:{name}" in arrays
    ]
    for key, track in vocabulary.tracks.items():
        array = arrays.get(f"{'fact' if track.owner in ('game', 'scenario') else 'track'}:{key}")
        is_many = isinstance(track.type, graph.Many)
        value_type = track.type.of if isinstance(track.type, graph.Many) else track.type
        if array is None or not isinstance(value_type, graph.RecordOf) or value_type.name not in field:
            continue
        if not array.index:
            lines.append(write_hidden(i32_const(array.base), value_type.name, is_many=is_many))
            continue
        count = size_of(array.index, pool.layout.pieces, pool.layout.hexes, pool.layout.enum_capacity)
        index, loop = to.declare_local("i32"), to.label()
        element_address = f"(i32.add {i32_const(array.base)} (i32.shl (local.get {index}) (i32.const 2)))"
        lines.append(
            f"(local.set {index} {i32_const(-BELOW if array.index == 'hex' else 0)}) (loop {loop}"
            f" {write_hidden(element_address, value_type.name, is_many=is_many)} (local.set "
            f"{index} (i32.add (local.get {index}) (i32.const 1)))"
            f" (br_if {loop} (i32.lt_s (local.get {index}) (i32.const {count}))))"
        )
    declared = " ".join(f"(local {name} {type_})" for name, type_ in to.locals.items())
    changed = pool.validity.write_stale(pool.layout, EVERYTHING)
    return f"(func $hide (param $side i32) {declared}\n  {' '.join(lines)} {changed})"
