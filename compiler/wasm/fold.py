"""Emit folds over collections as loops: over words of bit sets, the pieces in a hex, or elements of sequences."""

from collections.abc import Callable

from compiler.core import ir
from compiler.core.ir import Core, Fold, FoldKind, Primitive, TrapReason
from compiler.core.representation import RATIO, Record, Set, is_bit_set, is_sequence, member_of
from compiler.wasm.function import (
    FunctionWriter,
    UnsupportedError,
    as_i64,
    i32_const,
    less_than,
    narrowed_value,
    order_of,
    representation_constant,
    type_of,
    write_trap,
    write_union,
)
from runtime.graph.walk import walk

Write = Callable[[FunctionWriter, Core], str]


def write_fold(to: FunctionWriter, node: Fold, write: Write) -> str:
    """Emit a fold."""
    if node.kind in (FoldKind.LEADING, FoldKind.TRAILING):
        return write_run(to, node, write)
    if node.kind == FoldKind.GATHER and node.body is not None and order_of(to, node.body.of) >= 0:
        return write_gather_by_value(to, node, write)
    done = to.label()
    before, body, after = BODIES[node.kind](to, node, done, write)
    if node.where is not None:
        body = f"(if {write(to, node.where)} (then {body}))"
    loop = each(to, node.source, node.name, with_memory_restored(to, node, body), write)
    return f"(block {done} (result {type_of(node.of)}) {loop[0]} {before} {loop[1]} {after})"


def with_memory_restored(to: FunctionWriter, node: Fold, body: str) -> str:
    """Emit code that frees memory after each member, unless a value allocated by the body outlives it."""
    kept = any(
        isinstance(inner, ir.NewRecord)
        or (
            isinstance(inner, ir.Force)
            and not to.slots.get(inner.name)
            and (is_bit_set(inner.of) or is_sequence(inner.of) or isinstance(inner.of, Record))
        )
        for inner in walk((node.where, node.body))
    )
    grows = node.kind == FoldKind.GATHER and not is_bit_set(node.of)
    grows = grows or (node.kind == FoldKind.UNITE and not is_bit_set(node.of))
    if kept or grows or "(call $" not in body:
        return body
    here = to.declare_local("i32")
    return f"(local.set {here} (global.get $sp)) {body} (global.set $sp (local.get {here}))"


def each(to: FunctionWriter, source: Core, name: str, body: str, write: Write) -> tuple[str, str]:
    """Emit a loop over a collection: the code before the loop, and the loop."""
    of = member_of(source.of)
    member = to.bind(name, of)
    if isinstance(source, ir.Apply) and source.primitive == Primitive.PIECES_AT:
        return pieces_of_hex(to, source, member, body, write)
    if isinstance(source, ir.Apply) and source.primitive == Primitive.PIECES_IN:
        return pieces_of_hexes(to, source, member, body, write)
    if is_bit_set(source.of):
        before, word, words = stream(to, source, write)
        return before, over_words(to, word, words, member, body)
    row, i = to.declare_local("i32"), to.declare_local("i32")
    loop, done = to.label(), to.label()
    return f"(local.set {row} {write(to, source)})", (
        f"(local.set {i} (i32.const 0)) (block {done} (loop {loop}"
        f" (br_if {done} (i32.ge_u (local.get {i}) (i32.load (local.get {row}))))"
        f" (local.set {member} {narrowed_value(f'(call $item (local.get {row}) (local.get {i}))', of)})"
        f" {body} (local.set {i} (i32.add (local.get {i}) (i32.const 1))) (br {loop})))"
    )


# Set operations on bit sets that are iterated are computed word by word: whether the second operand is inverted.
WORDWISE = {
    Primitive.UNION: ("i64.or", False),
    Primitive.INTERSECTION: ("i64.and", False),
    Primitive.DIFFERENCE: ("i64.and", True),
}


def pieces_of_hexes(to: FunctionWriter, source: ir.Apply, member: str, body: str, write: Write) -> tuple[str, str]:
    """Emit a loop over the hexes of a set with an inner loop over the pieces in each hex."""
    before, word, words = stream(to, source.operands[0], write)
    here = to.declare_local("i32")
    first, loop = chained(to, f"(local.get {here})", source.name, member, body)
    return before, over_words(to, word, words, here, f"{first} {loop}")


def pieces_of_hex(to: FunctionWriter, source: ir.Apply, member: str, body: str, write: Write) -> tuple[str, str]:
    """Emit a loop over the pieces in a hex."""
    return chained(to, write(to, source.operands[0]), source.name, member, body)


def chained(to: FunctionWriter, here: str, kinds: str, member: str, body: str) -> tuple[str, str]:
    """Emit a loop over the pieces of given kinds in a hex, in the order of its linked list."""
    piece = to.declare_local("i32")
    loop, done = to.label(), to.label()
    masks = [i32_const(to.pool.address_of(f"kind:{kind}")) for kind in kinds.split(",") if kind]
    test = ""
    for mask in masks:
        one = f"(call $bit {mask} (local.get {piece}))"
        test = f"(i32.or {test} {one})" if test else one
    inner = f"(local.set {member} (local.get {piece})) {body}"
    inner = f"(if {test} (then {inner}))" if test else inner
    first = f"(i32.load {to.address('first_at', here, 4)})"
    following = f"(i32.load {to.address('next_at', f'(local.get {piece})', 4)})"
    # The first piece has a local for each loop: the body may contain another loop over the same hex.
    start = to.declare_local("i32")
    return f"(local.set {start} {first})", (
        f"(local.set {piece} (local.get {start})) (block {done} (loop {loop}"
        f" (br_if {done} (i32.lt_s (local.get {piece}) (i32.const 0)))"
        f" {inner} (local.set {piece} {following}) (br {loop})))"
    )


def stream(to: FunctionWriter, source: Core, write: Write) -> tuple[str, Callable[[str], str], int]:
    """Return how a bit set is read by words: the code before, a function from an index to a word, and their number."""
    assert isinstance(source.of, Set)
    words = to.pool.bitset_words(source.of.of)
    if isinstance(source, ir.Apply) and source.primitive in (Primitive.PIECES_ON_MAP, Primitive.PIECES_IN_RESERVE):
        base = to.pool.address_of("on_map" if source.primitive == Primitive.PIECES_ON_MAP else "reserve")
        kinds = [to.pool.address_of(f"kind:{kind}") for kind in source.name.split(",") if kind]

        def word(at: str) -> str:
            mask = ""
            for kind in kinds:
                one = f"(i64.load (i32.add (i32.const {kind}) {at}))"
                mask = f"(i64.or {mask} {one})" if mask else one
            text = f"(i64.load (i32.add (i32.const {base}) {at}))"
            return f"(i64.and {text} {mask})" if mask else text

        return "", word, words
    if isinstance(source, ir.Apply) and source.primitive is Primitive.MASK:
        base = to.pool.address_of(source.name)
        return "", lambda at: f"(i64.load (i32.add (i32.const {base}) {at}))", words
    if isinstance(source, ir.Apply) and source.primitive in WORDWISE and len(source.operands) > 1:
        (one, left, _), (other, right, _) = (stream(to, operand, write) for operand in source.operands)
        operation, inverted = WORDWISE[source.primitive]
        if inverted:
            return f"{one} {other}", lambda at: f"({operation} {left(at)} (i64.xor {right(at)} (i64.const -1)))", words
        return f"{one} {other}", lambda at: f"({operation} {left(at)} {right(at)})", words
    line, value = to.spill(write(to, source), "i32")
    return line, lambda at: f"(i64.load (i32.add {value} {at}))", words


def over_words(to: FunctionWriter, word: Callable[[str], str], words: int, member: str, body: str) -> str:
    """Emit a loop over the set bits of a stream of words."""
    at, left = to.declare_local("i32"), to.declare_local("i64")
    outer, inner, done = to.label(), to.label(), to.label()
    number = f"(i32.add (i32.shl (local.get {at}) (i32.const 3)) (i32.wrap_i64 (i64.ctz (local.get {left}))))"
    bits = (
        f"(block {done} (loop {inner} (br_if {done} (i64.eqz (local.get {left})))"
        f" (local.set {member} {number})"
        f" (local.set {left} (i64.and (local.get {left}) (i64.sub (local.get {left}) (i64.const 1))))"
        f" {body} (br {inner})))"
    )
    onward = f"(local.tee {at} (i32.add (local.get {at}) (i32.const 8)))"
    return (
        f"(local.set {at} (i32.const 0)) (loop {outer} (local.set {left} {word(f'(local.get {at})')}) {bits}"
        f" (br_if {outer} (i32.lt_u {onward} (i32.const {8 * words}))))"
    )


Parts = tuple[str, str, str]


def count(to: FunctionWriter, _: Fold, __: str, ___: Write) -> Parts:
    """Emit a count of members."""
    n = to.declare_local("i64")
    return (
        f"(local.set {n} (i64.const 0))",
        f"(local.set {n} (i64.add (local.get {n}) (i64.const 1)))",
        f"(local.get {n})",
    )


def some(_: FunctionWriter, __: Fold, done: str, ___: Write) -> Parts:
    """Emit an existential test: the first member that passes ends the loop."""
    return "", f"(br {done} (i32.const 1))", "(i32.const 0)"


def every(to: FunctionWriter, node: Fold, done: str, write: Write) -> Parts:
    """Emit a universal test: the first member whose body is false ends the loop."""
    assert node.body is not None
    return "", f"(if (i32.eqz {write(to, node.body)}) (then (br {done} (i32.const 0))))", "(i32.const 1)"


def total(to: FunctionWriter, node: Fold, _: str, write: Write) -> Parts:
    """Emit a sum over members."""
    assert node.body is not None
    n = to.declare_local("i64")
    value = write(to, node.body)
    add = f"(call $add_ratios (local.get {n}) {value})" if node.of == RATIO else f"(i64.add (local.get {n}) {value})"
    end = f"(local.get {n})" if node.of == RATIO else f"(call $whole (local.get {n}))"
    return f"(local.set {n} {representation_constant(0, node.of)})", f"(local.set {n} {add})", end


def best(to: FunctionWriter, node: Fold, _: str, write: Write) -> Parts:
    """Emit the smallest or largest value, or the first member that attains it."""
    assert node.body is not None
    of = node.body.of
    n, found, value = to.declare_local(type_of(of)), to.declare_local("i32"), to.declare_local(type_of(of))
    key, least = f"(local.get {value})", node.kind in (FoldKind.MIN, FoldKind.LEAST)
    first = less_than(key, f"(local.get {n})", of) if least else less_than(f"(local.get {n})", key, of)
    member = node.kind in (FoldKind.LEAST, FoldKind.GREATEST)
    result = to.declare_local(type_of(node.of)) if member else n
    takes = f"(local.set {n} {key}) (local.set {found} (i32.const 1))"
    takes += f" (local.set {result} (local.get ${node.name}))" if member else ""
    body = (
        f"(local.set {value} {write(to, node.body)}) (if (i32.or (i32.eqz (local.get {found})) {first}) (then {takes}))"
    )
    none = write_trap(TrapReason.GAP) if node.otherwise is None else f"(local.set {result} {write(to, node.otherwise)})"
    return (
        f"(local.set {found} (i32.const 0))",
        body,
        f"(if (i32.eqz (local.get {found})) (then {none})) (local.get {result})",
    )


def gather(to: FunctionWriter, node: Fold, _: str, write: Write) -> Parts:
    """Emit a set of the values of members.

    A sequence grows at the end of memory, so the memory that an element allocated is freed before the element is
    appended.
    """
    assert node.body is not None
    assert isinstance(node.of, Set)
    made = to.declare_local("i32")
    if is_bit_set(node.of):
        begin = f"(local.set {made} (call $bits {i32_const(to.pool.bitset_words(node.of.of))}))"
        return begin, f"(call $put (local.get {made}) {write(to, node.body)})", f"(local.get {made})"
    value, end = to.declare_local("i64"), to.declare_local("i32")
    body = (
        f"(local.set {value} {as_i64(write(to, node.body), node.body.of)}) (global.set $sp (local.get {end}))"
        f" (call $insert (local.get {made}) (local.get {value})) (local.set {end} (global.get $sp))"
    )
    begin = f"(local.set {made} (call $sequence)) (local.set {end} (global.get $sp))"
    return begin, body, f"(global.set $sp (local.get {end})) (local.get {made})"


def write_gather_by_value(to: FunctionWriter, node: Fold, write: Write) -> str:
    """Emit a set of fractions or of sets, whose elements lie behind a row with capacity for all of them."""
    assert node.body is not None
    name = f".{to.label()[2:]}"
    source = to.assign(name, write(to, node.source), node.source.of)
    local = ir.Local(name, node.source.of)
    count = f"(i32.load {to.read(local)})"
    if is_bit_set(node.source.of):
        assert isinstance(node.source.of, Set)
        count = i32_const(64 * to.pool.bitset_words(node.source.of.of))
    made = to.declare_local("i32")
    room = f"(local.set {made} (call $alloc (i32.add (i32.const 8) (i32.shl {count} (i32.const 3)))))"
    insert = f"(call $insert_by (local.get {made}) {as_i64(write(to, node.body), node.body.of)}"
    body = f"{insert} {i32_const(order_of(to, node.body.of))})"
    if node.where is not None:
        body = f"(if {write(to, node.where)} (then {body}))"
    first, loop = each(to, local, node.name, body, write)
    begin = f"(i64.store (local.get {made}) (i64.const 0))"
    return f"(block (result i32) {source} {room} {begin} {first} {loop} (local.get {made}))"


def unite(to: FunctionWriter, node: Fold, _: str, write: Write) -> Parts:
    """Emit the union of sets."""
    assert node.body is not None
    made = to.declare_local("i32")
    if is_bit_set(node.of) and isinstance(node.of, Set):
        words = i32_const(to.pool.bitset_words(node.of.of))
        begin = f"(local.set {made} (call $bits {words}))"
        return begin, f"(call $or_into {words} (local.get {made}) {write(to, node.body)})", f"(local.get {made})"
    body = f"(local.set {made} {write_union(to, node.of, f'(local.get {made})', write(to, node.body))})"
    return f"(local.set {made} (call $sequence))", body, f"(local.get {made})"


BODIES: dict[FoldKind, Callable[[FunctionWriter, Fold, str, Write], Parts]] = {
    FoldKind.COUNT: count,
    FoldKind.SOME: some,
    FoldKind.EVERY: every,
    FoldKind.SUM: total,
    FoldKind.MIN: best,
    FoldKind.MAX: best,
    FoldKind.LEAST: best,
    FoldKind.GREATEST: best,
    FoldKind.GATHER: gather,
    FoldKind.UNITE: unite,
}


def write_run(to: FunctionWriter, node: Fold, write: Write) -> str:
    """Emit the longest prefix or suffix of a list whose elements satisfy a condition."""
    if not is_sequence(node.source.of) or node.where is None:
        raise UnsupportedError("leading or trailing of a bit set")
    of = member_of(node.source.of)
    member = to.bind(node.name, of)
    row, first, last, i, made = (to.declare_local("i32") for _ in range(5))
    loop, done, copy, copied = (to.label() for _ in range(4))
    trailing = node.kind == FoldKind.TRAILING
    at = f"(i32.sub (local.get {i}) (i32.const 1))" if trailing else f"(local.get {i})"
    stop = f"(i32.eqz (local.get {i}))" if trailing else f"(i32.ge_u (local.get {i}) (i32.load (local.get {row})))"
    begin = f"(i32.load (local.get {row}))" if trailing else "(i32.const 0)"
    ends = (
        f"(local.set {first} (local.get {i})) (local.set {last} (i32.load (local.get {row})))"
        if trailing
        else f"(local.set {first} (i32.const 0)) (local.set {last} (local.get {i}))"
    )
    return (
        f"(block (result i32) (local.set {row} {write(to, node.source)}) (local.set {i} {begin})"
        f" (block {done} (loop {loop} (br_if {done} {stop})"
        f" (local.set {member} {narrowed_value(f'(call $item (local.get {row}) {at})', of)})"
        f" (br_if {done} (i32.eqz {write(to, node.where)}))"
        f" (local.set {i} (i32.{'sub' if trailing else 'add'} (local.get {i}) (i32.const 1))) (br {loop})))"
        f" {ends} (local.set {made} (call $sequence))"
        f" (block {copied} (loop {copy} (br_if {copied} (i32.ge_u (local.get {first}) (local.get {last})))"
        f" (call $append (local.get {made}) (call $item (local.get {row}) (local.get {first})))"
        f" (local.set {first} (i32.add (local.get {first}) (i32.const 1))) (br {copy})))"
        f" (local.get {made}))"
    )
