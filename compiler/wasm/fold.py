"""Emit folds over collections as loops: over words of bit sets, the pieces in a hex, or elements of sequences.

In: a fold of the core. Out: WebAssembly text that leaves its value on the stack.
"""

from collections.abc import Callable

from compiler.core import ir
from compiler.core.ir import Core, Fold, FoldKind, Primitive
from compiler.core.representation import RATIO, Record, Set, is_bit_set, is_sequence, member_representation
from compiler.core.trap_reason import TrapReason
from compiler.wasm.bit_sets import (
    MOST_UNROLLED,
    WordReader,
    word_reader,
    words_in_locals,
    write_bit_loop,
    write_cardinality,
    write_copied,
    write_nonempty,
    write_put,
    write_words,
)
from compiler.wasm.function import (
    FunctionWriter,
    UnsupportedError,
    as_i64,
    element_order,
    i32_const,
    narrowed_value,
    representation_constant,
    type_of,
    write_less,
    write_trap,
    write_union,
)
from runtime.graph.walk import walk


def write_fold(to: FunctionWriter, node: Fold) -> str:
    """Emit a fold."""
    if node.kind in (FoldKind.LEADING, FoldKind.TRAILING):
        return _write_run(to, node)
    if node.kind in OF_WHOLE_SETS and node.condition is None and _is_read_by_words(node.source):
        return OF_WHOLE_SETS[node.kind](to, node.source)
    if node.kind == FoldKind.GATHER and node.body is not None and element_order(to, node.body.representation) >= 0:
        return _write_gather_by_value(to, node)
    if node.kind in (FoldKind.GATHER, FoldKind.UNITE) and is_bit_set(node.representation):
        assert isinstance(node.representation, Set)
        if to.pool.bitset_words(node.representation.element) <= MOST_UNROLLED:
            return write_copied(to, node)
    exit_label = to.label()
    before, body, after = BODIES[node.kind](to, node, exit_label)
    if node.condition is not None:
        body = f"(if {to.write(node.condition)} (then {body}))"
    loop = write_member_loop(to, node.source, node.name, _with_memory_restored(to, node, body))
    return f"(block {exit_label} (result {type_of(node.representation)}) {loop[0]} {before} {loop[1]} {after})"


def gathered_reader(to: FunctionWriter, node: Fold) -> WordReader:
    """Return how a gathered or united bit set of few words is read, which is collected in locals."""
    assert isinstance(node.representation, Set)
    assert node.body is not None
    words = [to.declare_local("i64") for _ in range(to.pool.bitset_words(node.representation.element))]
    if node.kind == FoldKind.GATHER:
        body = write_put(to, words, node.body)
    else:
        reader = word_reader(to, node.body)
        united = (f"(i64.or (local.get {word}) {each})" for word, each in zip(words, reader.words(), strict=True))
        body = f"{reader.before} {write_words(words, united)}"
    if node.condition is not None:
        body = f"(if {to.write(node.condition)} (then {body}))"
    first, loop = write_member_loop(to, node.source, node.name, _with_memory_restored(to, node, body))
    return words_in_locals(words)._replace(
        before=f"{first} {write_words(words, ['(i64.const 0)'] * len(words))} {loop}"
    )


def _with_memory_restored(to: FunctionWriter, node: Fold, body: str) -> str:
    """Emit code that frees memory after each member, unless a value allocated by the body outlives it."""
    keeps_memory = any(
        isinstance(inner, ir.NewRecord)
        or (
            isinstance(inner, ir.Force)
            and not to.slots.get(inner.name)
            and (
                is_bit_set(inner.representation)
                or is_sequence(inner.representation)
                or isinstance(inner.representation, Record)
            )
        )
        for inner in walk((node.condition, node.body))
    )
    grows = node.kind == FoldKind.GATHER and not is_bit_set(node.representation)
    grows = grows or (node.kind == FoldKind.UNITE and not is_bit_set(node.representation))
    if keeps_memory or grows or "(call $" not in body:
        return body
    stack_top = to.declare_local("i32")
    return f"(local.set {stack_top} (global.get $sp)) {body} (global.set $sp (local.get {stack_top}))"


def write_member_loop(to: FunctionWriter, source: Core, name: str, body: str) -> tuple[str, str]:
    """Emit a loop over a collection: the code before the loop, and the loop."""
    representation = member_representation(source.representation)
    member = to.bind(name, representation)
    if isinstance(source, ir.Apply) and source.primitive == Primitive.PIECES_AT:
        return _write_hex_loop(to, to.write(source.operands[0]), source.name, member, body)
    if isinstance(source, ir.Apply) and source.primitive == Primitive.PIECES_IN:
        return _pieces_of_hexes(to, source, member, body)
    if is_bit_set(source.representation):
        reader = word_reader(to, source)
        return reader.before, write_bit_loop(to, reader, member, body)
    row, i = to.declare_local("i32"), to.declare_local("i32")
    loop, exit_label = to.label(), to.label()
    return f"(local.set {row} {to.write(source)})", (
        f"(local.set {i} (i32.const 0)) (block {exit_label} (loop {loop}"
        f" (br_if {exit_label} (i32.ge_u (local.get {i}) (i32.load (local.get {row}))))"
        f" (local.set {member} {narrowed_value(f'(call $item (local.get {row}) (local.get {i}))', representation)})"
        f" {body} (local.set {i} (i32.add (local.get {i}) (i32.const 1))) (br {loop})))"
    )


def _pieces_of_hexes(to: FunctionWriter, source: ir.Apply, member: str, body: str) -> tuple[str, str]:
    """Emit a loop over the hexes of a set with an inner loop over the pieces in each hex."""
    reader = word_reader(to, source.operands[0])
    hex_index = to.declare_local("i32")
    first, loop = _write_hex_loop(to, f"(local.get {hex_index})", source.name, member, body)
    return reader.before, write_bit_loop(to, reader, hex_index, f"{first} {loop}")


def _write_hex_loop(to: FunctionWriter, hex_index: str, kinds: str, member: str, body: str) -> tuple[str, str]:
    """Emit a loop over the pieces of given kinds in a hex, in the order of its linked list."""
    piece = to.declare_local("i32")
    loop, exit_label = to.label(), to.label()
    masks = [i32_const(to.pool.address_of(f"kind:{kind}")) for kind in kinds.split(",") if kind]
    test = ""
    for mask in masks:
        mask_test = f"(call $bit {mask} (local.get {piece}))"
        test = f"(i32.or {test} {mask_test})" if test else mask_test
    inner = f"(local.set {member} (local.get {piece})) {body}"
    inner = f"(if {test} (then {inner}))" if test else inner
    first = f"(i32.load {to.address('first_at', hex_index, 4)})"
    following = f"(i32.load {to.address('next_at', f'(local.get {piece})', 4)})"
    # The first piece has a local for each loop: the body may contain another loop over the same hex.
    start = to.declare_local("i32")
    return f"(local.set {start} {first})", (
        f"(local.set {piece} (local.get {start})) (block {exit_label} (loop {loop}"
        f" (br_if {exit_label} (i32.lt_s (local.get {piece}) (i32.const 0)))"
        f" {inner} (local.set {piece} {following}) (br {loop})))"
    )


Parts = tuple[str, str, str]


def _emit_count(to: FunctionWriter, _: Fold, __: str) -> Parts:
    """Emit a count of members."""
    n = to.declare_local("i64")
    return (
        f"(local.set {n} (i64.const 0))",
        f"(local.set {n} (i64.add (local.get {n}) (i64.const 1)))",
        f"(local.get {n})",
    )


def _emit_some(_: FunctionWriter, __: Fold, exit_label: str) -> Parts:
    """Emit an existential test: the first member that passes ends the loop."""
    return "", f"(br {exit_label} (i32.const 1))", "(i32.const 0)"


def _emit_every(to: FunctionWriter, node: Fold, exit_label: str) -> Parts:
    """Emit a universal test: the first member whose body is false ends the loop."""
    assert node.body is not None
    return "", f"(if (i32.eqz {to.write(node.body)}) (then (br {exit_label} (i32.const 0))))", "(i32.const 1)"


def _emit_total(to: FunctionWriter, node: Fold, _: str) -> Parts:
    """Emit a sum over members."""
    assert node.body is not None
    n = to.declare_local("i64")
    value = to.write(node.body)
    add = (
        f"(call $add_ratios (local.get {n}) {value})"
        if node.representation == RATIO
        else f"(i64.add (local.get {n}) {value})"
    )
    end = f"(local.get {n})" if node.representation == RATIO else f"(call $whole (local.get {n}))"
    return f"(local.set {n} {representation_constant(0, node.representation)})", f"(local.set {n} {add})", end


def _emit_best(to: FunctionWriter, node: Fold, _: str) -> Parts:
    """Emit the smallest or largest value, or the first member that attains it."""
    assert node.body is not None
    representation = node.body.representation
    n = to.declare_local(type_of(representation))
    found = to.declare_local("i32")
    value = to.declare_local(type_of(representation))
    key, least = f"(local.get {value})", node.kind in (FoldKind.MIN, FoldKind.LEAST)
    first = (
        write_less(key, f"(local.get {n})", representation)
        if least
        else write_less(f"(local.get {n})", key, representation)
    )
    member = node.kind in (FoldKind.LEAST, FoldKind.GREATEST)
    result = to.declare_local(type_of(node.representation)) if member else n
    takes = f"(local.set {n} {key}) (local.set {found} (i32.const 1))"
    takes += f" (local.set {result} (local.get ${node.name}))" if member else ""
    body = (
        f"(local.set {value} {to.write(node.body)}) (if (i32.or (i32.eqz (local.get {found})) {first}) (then {takes}))"
    )
    none = write_trap(TrapReason.GAP) if node.default is None else f"(local.set {result} {to.write(node.default)})"
    return (
        f"(local.set {found} (i32.const 0))",
        body,
        f"(if (i32.eqz (local.get {found})) (then {none})) (local.get {result})",
    )


def _emit_gathered(to: FunctionWriter, node: Fold, _: str) -> Parts:
    """Emit a set of the values of members.

    A sequence grows at the end of memory, so the memory that an element allocated is freed before the element is
    appended.
    """
    assert node.body is not None
    assert isinstance(node.representation, Set)
    elements = to.declare_local("i32")
    if is_bit_set(node.representation):
        begin = f"(local.set {elements} (call $bits {i32_const(to.pool.bitset_words(node.representation.element))}))"
        return begin, f"(call $put (local.get {elements}) {to.write(node.body)})", f"(local.get {elements})"
    value, end = to.declare_local("i64"), to.declare_local("i32")
    body = (
        f"(local.set {value} {as_i64(to.write(node.body), node.body.representation)}) "
        f"(global.set $sp (local.get {end}))"
        f" (call $insert (local.get {elements}) (local.get {value})) (local.set {end} (global.get $sp))"
    )
    begin = f"(local.set {elements} (call $sequence)) (local.set {end} (global.get $sp))"
    return begin, body, f"(global.set $sp (local.get {end})) (local.get {elements})"


def _write_gather_by_value(to: FunctionWriter, node: Fold) -> str:
    """Emit a set of fractions or of sets, whose elements lie behind a row with capacity for all of them."""
    assert node.body is not None
    name = f".{to.label()[2:]}"
    source = to.assign(name, to.write(node.source), node.source.representation)
    local = ir.Local(name, node.source.representation)
    _emit_count = f"(i32.load {to.read(local)})"
    if is_bit_set(node.source.representation):
        assert isinstance(node.source.representation, Set)
        _emit_count = i32_const(64 * to.pool.bitset_words(node.source.representation.element))
    elements = to.declare_local("i32")
    allocation = f"(local.set {elements} (call $alloc (i32.add (i32.const 8) (i32.shl {_emit_count} (i32.const 3)))))"
    insert = f"(call $insert_by (local.get {elements}) {as_i64(to.write(node.body), node.body.representation)}"
    body = f"{insert} {i32_const(element_order(to, node.body.representation))})"
    if node.condition is not None:
        body = f"(if {to.write(node.condition)} (then {body}))"
    first, loop = write_member_loop(to, local, node.name, body)
    begin = f"(i64.store (local.get {elements}) (i64.const 0))"
    return f"(block (result i32) {source} {allocation} {begin} {first} {loop} (local.get {elements}))"


def _emit_union(to: FunctionWriter, node: Fold, _: str) -> Parts:
    """Emit the union of sets."""
    assert node.body is not None
    union = to.declare_local("i32")
    if is_bit_set(node.representation) and isinstance(node.representation, Set):
        words = i32_const(to.pool.bitset_words(node.representation.element))
        begin = f"(local.set {union} (call $bits {words}))"
        return begin, f"(call $or_into {words} (local.get {union}) {to.write(node.body)})", f"(local.get {union})"
    body = f"(local.set {union} {write_union(to, node.representation, f'(local.get {union})', to.write(node.body))})"
    return f"(local.set {union} (call $sequence))", body, f"(local.get {union})"


BODIES: dict[FoldKind, Callable[[FunctionWriter, Fold, str], Parts]] = {
    FoldKind.COUNT: _emit_count,
    FoldKind.SOME: _emit_some,
    FoldKind.EVERY: _emit_every,
    FoldKind.SUM: _emit_total,
    FoldKind.MIN: _emit_best,
    FoldKind.MAX: _emit_best,
    FoldKind.LEAST: _emit_best,
    FoldKind.GREATEST: _emit_best,
    FoldKind.GATHER: _emit_gathered,
    FoldKind.UNITE: _emit_union,
}


def _is_read_by_words(source: Core) -> bool:
    """Return whether a collection is a bit set, and not the pieces of hexes, which are linked lists."""
    in_hexes = isinstance(source, ir.Apply) and source.primitive in (Primitive.PIECES_AT, Primitive.PIECES_IN)
    return is_bit_set(source.representation) and not in_hexes


# Folds without a condition that are operations on words.
OF_WHOLE_SETS = {FoldKind.COUNT: write_cardinality, FoldKind.SOME: write_nonempty}


def _write_run(to: FunctionWriter, node: Fold) -> str:
    """Emit the longest prefix or suffix of a list whose elements satisfy a condition."""
    if not is_sequence(node.source.representation) or node.condition is None:
        raise UnsupportedError("leading or trailing of a bit set")
    representation = member_representation(node.source.representation)
    member = to.bind(node.name, representation)
    row, first, last, i, run = (to.declare_local("i32") for _ in range(5))
    loop, exit_label, copy, copied = (to.label() for _ in range(4))
    trailing = node.kind == FoldKind.TRAILING
    index = f"(i32.sub (local.get {i}) (i32.const 1))" if trailing else f"(local.get {i})"
    stop = f"(i32.eqz (local.get {i}))" if trailing else f"(i32.ge_u (local.get {i}) (i32.load (local.get {row})))"
    begin = f"(i32.load (local.get {row}))" if trailing else "(i32.const 0)"
    ends = (
        f"(local.set {first} (local.get {i})) (local.set {last} (i32.load (local.get {row})))"
        if trailing
        else f"(local.set {first} (i32.const 0)) (local.set {last} (local.get {i}))"
    )
    return (
        f"(block (result i32) (local.set {row} {to.write(node.source)}) (local.set {i} {begin})"
        f" (block {exit_label} (loop {loop} (br_if {exit_label} {stop})"
        f" (local.set {member} {narrowed_value(f'(call $item (local.get {row}) {index})', representation)})"
        f" (br_if {exit_label} (i32.eqz {to.write(node.condition)}))"
        f" (local.set {i} (i32.{'sub' if trailing else 'add'} (local.get {i}) (i32.const 1))) (br {loop})))"
        f" {ends} (local.set {run} (call $sequence))"
        f" (block {copied} (loop {copy} (br_if {copied} (i32.ge_u (local.get {first}) (local.get {last})))"
        f" (call $append (local.get {run}) (call $item (local.get {row}) (local.get {first})))"
        f" (local.set {first} (i32.add (local.get {first}) (i32.const 1))) (br {copy})))"
        f" (local.get {run}))"
    )
