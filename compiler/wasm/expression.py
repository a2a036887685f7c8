"""Emit core expressions as WebAssembly text: `write_expression` has one case for each node."""

from functools import singledispatch

from compiler.core import ir
from compiler.core.ir import Core, Fold, FoldKind, Primitive, TrapReason
from compiler.core.representation import RATIO, Set, is_bit_set, member_of
from compiler.core.sharing import LetLazy, Memo
from compiler.wasm.fold import write_fold
from compiler.wasm.function import (
    ARITHMETIC,
    HELPERS,
    SMALL,
    FunctionWriter,
    UnsupportedError,
    as_i64,
    i32_const,
    i64_const,
    less_than,
    order_of,
    representation_constant,
    type_of,
    write_equality,
    write_trap,
    write_union,
)
from compiler.wasm.membership import in_constant, tested_bit, write_membership
from compiler.wasm.rule_resolution import write_resolve, write_verdict
from compiler.wasm.search import write_cheapest
from compiler.wasm.sharing import free_locals, in_slot, write_let_lazy, write_memo
from runtime.graph.walk import walk


def write_expression(to: FunctionWriter, node: Core) -> str:
    """Emit a core expression as a folded expression."""
    return _write(node, to)


@singledispatch
def _write(node: object, _: FunctionWriter) -> str:
    raise UnsupportedError(type(node).__name__)


@_write.register
def _(node: ir.Const, to: FunctionWriter) -> str:
    number = to.pool.encode(node)
    return i64_const(number) if type_of(node.of) == "i64" else i32_const(number)


@_write.register
def _(node: ir.EnumConst, to: FunctionWriter) -> str:
    return i32_const(to.pool.encode(node))


@_write.register
def _(node: ir.Members, to: FunctionWriter) -> str:
    return i32_const(to.pool.store_members(node))


@_write.register
def _(node: ir.Local, to: FunctionWriter) -> str:
    return to.read(node)


@_write.register
def _(node: ir.Force, to: FunctionWriter) -> str:
    value = to.lazy[node.name]
    once = to.forced.get(node.name, 0) <= 1
    if once and node.name not in to.slots:
        return write_expression(to, value)
    known, made = f"${node.name}?", f"${node.name}"
    to.locals[known], to.locals[made] = "i32", type_of(node.of)
    small = once or sum(1 for _ in walk(value)) <= SMALL
    text = write_expression(to, value) if small else _call_of_lazy(node, value, to)
    if slot := to.slots.get(node.name):
        text = in_slot(to, slot, text, node.of)
    return (
        f"(block (result {type_of(node.of)}) (if (i32.eqz (local.get {known})) (then (local.set {made} {text})"
        f" (local.set {known} (i32.const 1)))) (local.get {made}))"
    )


def _call_of_lazy(node: ir.Force, value: Core, to: FunctionWriter) -> str:
    """Emit a call of a large lazy value, which is emitted once as a function."""
    name = f"{to.name}~{node.name}"
    parameters = free_locals(value, to.lazy)
    if not any(text.startswith(f"(func ${name} ") for text in to.extra):
        inner = FunctionWriter(to.pool, name, parameters)
        inner.lazy = to.lazy
        to.extra.append("")  # Reserves its place during its emission.
        to.extra[-1] = f"(func ${name} "
        at = len(to.extra) - 1
        to.extra[at] = inner.function(value)
    given = " ".join(f"(local.get ${each.name})" for each in parameters)
    return f"(call ${name} {given})"


@_write.register
def _(node: LetLazy, to: FunctionWriter) -> str:
    return write_let_lazy(to, node, write_expression)


@_write.register
def _(node: Memo, to: FunctionWriter) -> str:
    return write_memo(to, node, write_expression)


@_write.register
def _(node: ir.Let, to: FunctionWriter) -> str:
    value = write_expression(to, node.value)
    bound = to.assign(node.name, value, node.value.of)
    return f"(block (result {type_of(node.of)}) {bound} {write_expression(to, node.body)})"


@_write.register
def _(node: ir.If, to: FunctionWriter) -> str:
    condition, then, orelse = (write_expression(to, each) for each in (node.condition, node.then, node.orelse))
    return f"(if (result {type_of(node.of)}) {condition} (then {then}) (else {orelse}))"


@_write.register
def _(node: ir.Call, to: FunctionWriter) -> str:
    return to.call(node.function, [write_expression(to, each) for each in node.arguments])


@_write.register
def _(node: ir.Load, to: FunctionWriter) -> str:
    return to.load(node.array, None if node.index is None else write_expression(to, node.index), node.of)


@_write.register
def _(node: ir.Present, to: FunctionWriter) -> str:
    index = None if node.index is None else write_expression(to, node.index)
    element = to.pool.layout.arrays[node.array].element
    if element == "i32":
        return f"(i32.ne (i32.load {to.address(node.array, index, 4)}) (i32.const {-(1 << 31)}))"
    return f"(i64.ne (i64.load {to.address(node.array, index, 8)}) (i64.const {-(1 << 63)}))"


@_write.register
def _(node: ir.Bit, to: FunctionWriter) -> str:
    return tested_bit(to, to.pool.address_of(node.array), node.index, write_expression)


@_write.register
def _(node: ir.SideBit, to: FunctionWriter) -> str:
    return f"(call $side_bit {i32_const(to.pool.address_of(node.array))} {write_expression(to, node.index)})"


@_write.register
def _(node: ir.Field, to: FunctionWriter) -> str:
    raw = f"(i64.load offset={8 * node.place} {write_expression(to, node.base)})"
    return to.write_narrowing(raw, node.of, TrapReason.ABSENT)


@_write.register
def _(node: ir.HasField, to: FunctionWriter) -> str:
    return f"(i64.ne (i64.load offset={8 * node.place} {write_expression(to, node.base)}) (i64.const {-(1 << 63)}))"


@_write.register
def _(node: ir.NewRecord, to: FunctionWriter) -> str:
    lines, values = [], []
    for field in node.fields:
        value = i64_const(-(1 << 63)) if field is None else as_i64(write_expression(to, field), field.of)
        line, kept = to.spill(value, "i64")
        lines.append(line)
        values.append(kept)
    line, made = to.spill(f"(call $alloc (i32.const {8 * len(values)}))", "i32")
    stores = [f"(i64.store offset={8 * place} {made} {value})" for place, value in enumerate(values)]
    return f"(block (result i32) {' '.join((*lines, line, *stores))} {made})"


@_write.register
def _(node: ir.Partners, to: FunctionWriter) -> str:
    helper = "$partners" if isinstance(node.of, Set) else "$partner"
    text = f"(call {helper} {_pairs(to, node)} {write_expression(to, node.piece)})"
    if isinstance(node.of, Set):
        return text
    value = to.declare_local("i32")
    absent = f"(i32.lt_s (local.tee {value} {text}) (i32.const 0))"
    return f"(block (result i32) (if {absent} (then {write_trap(TrapReason.ABSENT)})) (local.get {value}))"


@_write.register
def _(node: ir.HasPartner, to: FunctionWriter) -> str:
    return f"(i32.ge_s (call $partner {_pairs(to, node)} {write_expression(to, node.piece)}) (i32.const 0))"


def _pairs(to: FunctionWriter, node: ir.Partners | ir.HasPartner) -> str:
    """Emit the address of the pairs of a relation, and the offset of the end that is read."""
    base = to.pool.address_of(f"pairs:{node.relation}")
    return f"{i32_const(base)} {i32_const(0 if node.end == 'left' else 4)}"


@_write.register
def _(node: ir.Payload, to: FunctionWriter) -> str:
    base = i32_const(to.pool.address_of(f"pairs:{node.relation}"))
    found = f"(call $related {base} {write_expression(to, node.left)} {write_expression(to, node.right)})"
    if node.tests:
        return f"(i32.ne {found} (i32.const 0))"
    at = to.declare_local("i32")
    value = to.write_narrowing(f"(i64.load offset=8 (local.get {at}))", node.of, TrapReason.ABSENT)
    missing = f"(if (i32.eqz (local.tee {at} {found})) (then {write_trap(TrapReason.ABSENT)}))"
    return f"(block (result {type_of(node.of)}) {missing} {value})"


@_write.register
def _(node: ir.TableLookup, to: FunctionWriter) -> str:
    lines, index = [], "(i32.const 0)"
    for key, domain in zip(node.keys, node.domains, strict=True):
        place = to.declare_local("i32")
        lines.append(f"(local.set {place} {_place(to, key, domain)})")
        lines.append(
            f"(if (i32.ge_u (local.get {place}) (i32.const {len(domain)})) (then {write_trap(TrapReason.GAP)}))"
        )
        index = f"(i32.add (i32.mul {index} (i32.const {len(domain)})) (local.get {place}))"
    base = to.pool.store_array(node.cells)
    raw = f"(i64.load (i32.add (i32.const {base}) (i32.shl {index} (i32.const 3))))"
    return f"(block (result {type_of(node.of)}) {' '.join(lines)} {to.write_narrowing(raw, node.of, TrapReason.GAP)})"


def _place(to: FunctionWriter, key: Core, domain: tuple[int | str, ...]) -> str:
    """Emit the position of a key in its domain; a key outside the domain has a position beyond its end or below 0."""
    text = write_expression(to, key)
    if domain and isinstance(domain[0], str):
        return f"(i32.load (i32.add (i32.const {to.pool.store_domain(domain)}) (i32.shl {text} (i32.const 2))))"
    low = domain[0] if domain else 0
    if type_of(key.of) == "i32":
        return f"(i32.sub {text} (i32.const {low}))"
    far = to.declare_local("i64")
    bounded = f"(i64.lt_u (local.tee {far} (i64.sub {text} (i64.const {low}))) (i64.const {len(domain)}))"
    return f"(if (result i32) {bounded} (then (i32.wrap_i64 (local.get {far}))) (else (i32.const -1)))"


@_write.register
def _(node: ir.FirstMatch, to: FunctionWriter) -> str:
    done = to.label()
    tries = [
        f"(if {write_expression(to, when)} (then (br {done} {write_expression(to, value)})))"
        for when, value in node.cases
    ]
    return f"(block {done} (result {type_of(node.of)}) {' '.join(tries)} {write_trap(node.reason)} unreachable)"


@_write.register
def _(node: ir.BoundsCheck, to: FunctionWriter) -> str:
    type_ = type_of(node.of)
    line, value = to.spill(write_expression(to, node.value), type_)
    lines = [line]
    for bound, is_low in ((node.low, True), (node.high, False)):
        if bound is None:
            continue
        end = representation_constant(bound, node.of)
        beyond = less_than(value, end, node.of) if is_low else less_than(end, value, node.of)
        name = value.removeprefix("(local.get ").removesuffix(")")
        then = f"(local.set {name} {end})" if node.clamps else write_trap(TrapReason.OUTSIDE)
        lines.append(f"(if {beyond} (then {then}))")
    return f"(block (result {type_}) {' '.join(lines)} {value})"


@_write.register
def _(node: ir.Trap, _: FunctionWriter) -> str:
    return f"(block (result {type_of(node.of)}) {write_trap(node.reason)} unreachable)"


@_write.register
def _(node: ir.Fold, to: FunctionWriter) -> str:
    return write_fold(to, node, write_expression)


@_write.register
def _(node: ir.Cheapest, to: FunctionWriter) -> str:
    return write_cheapest(to, node, write_expression)


@_write.register
def _(node: ir.Resolve, to: FunctionWriter) -> str:
    return write_resolve(to, node, write_expression)


@_write.register
def _(node: ir.Verdict, to: FunctionWriter) -> str:
    return write_verdict(to, node, write_expression)


@_write.register
def _(node: ir.Apply, to: FunctionWriter) -> str:  # noqa: C901 -- one case an operation
    primitive, of = node.primitive, node.of
    if primitive is Primitive.PIECES_IN:  # Folds iterate over the hexes of this node; elsewhere it is gathered.
        each = ir.Local(f".{to.label()[2:]}", member_of(of))
        return write_expression(to, Fold(FoldKind.GATHER, each.name, node, None, each, None, of))
    given = [write_expression(to, operand) for operand in node.operands]
    match primitive:
        case Primitive.NOT:
            return f"(i32.eqz {given[0]})"
        case Primitive.ADD | Primitive.SUBTRACT | Primitive.MULTIPLY:
            return f"({ARITHMETIC[primitive][of == RATIO]} {' '.join(given)})"
        case Primitive.NEGATE:
            return f"(call $negate_ratio {given[0]})" if of == RATIO else f"(i64.sub (i64.const 0) {given[0]})"
        case Primitive.MINIMUM | Primitive.MAXIMUM:
            (one, a), (other, b) = to.spill(given[0], "i64"), to.spill(given[1], "i64")
            first = less_than(b, a, of) if primitive == Primitive.MINIMUM else less_than(a, b, of)
            return f"(block (result i64) {one} {other} (select {b} {a} {first}))"
        case Primitive.EQUAL:
            return write_equality(to.pool, given[0], given[1], node.operands[0].of)
        case Primitive.LESS:
            return less_than(given[0], given[1], node.operands[0].of)
        case Primitive.MEMBER:
            value, collection = node.operands
            if (found := in_constant(to, value, collection, write_expression)) is not None:
                return found
            if is_bit_set(collection.of):
                line, kept = to.spill(given[0], "i32")
                found = write_membership(to, collection, kept)
                return f"(block (result i32) {line} {found})" if found else f"(call $bit {given[1]} {given[0]})"
            if order_of(to, value.of) > 0:
                raise UnsupportedError("a member of a set of sets")
            return f"(call $has_item {given[1]} {as_i64(given[0], value.of)})"
        case Primitive.UNION | Primitive.DIFFERENCE | Primitive.INTERSECTION:
            return _united(to, node, given)
        case Primitive.COMPLETES:
            return to.can_complete(node.name, given)
        case Primitive.SET_OF:
            return _set_of(to, node, given)
        case Primitive.PIECES_AT | Primitive.PIECES_ON_MAP | Primitive.PIECES_IN_RESERVE:
            return _pieces(to, node, given)
        case Primitive.MASK:
            return i32_const(to.pool.address_of(node.name))
        case Primitive.WRITTEN_RECORDS:
            return f"(i32.load (i32.const {to.pool.address_of(f'written:{node.name}')}))"
        case _:
            return f"(call {HELPERS[primitive]} {' '.join(given)})"


UNITED = {Primitive.UNION: "union", Primitive.DIFFERENCE: "without", Primitive.INTERSECTION: "intersect"}


def _united(to: FunctionWriter, node: ir.Apply, given: list[str]) -> str:
    """Emit a union or a difference of sets; a union with one operand converts a list to a set."""
    of = node.of
    words = i32_const(to.pool.bitset_words(of.of)) if is_bit_set(of) and isinstance(of, Set) else ""
    if not words and of.of is not None and order_of(to, of.of) >= 0:  # type: ignore[union-attr]
        if node.primitive == Primitive.UNION and len(given) == 2:
            return write_union(to, of, given[0], given[1])
        raise UnsupportedError("a difference of sets of sets or of fractions")
    if len(given) == 1:
        if words:
            return f"(call $bits_of {words} {given[0]})"
        return f"(call $as_set {given[0]})"
    name = UNITED[node.primitive]
    if words:
        return f"(call ${name}_bits {words} {' '.join(given)})"
    return f"(call ${name}_sequence{'s' * (name == 'union')} {' '.join(given)})"


def _set_of(to: FunctionWriter, node: ir.Apply, given: list[str]) -> str:
    """Emit a set of given elements, which are evaluated before memory is allocated for it."""
    kept = [to.spill(text, type_of(each.of)) for text, each in zip(given, node.operands, strict=True)]
    lines = [line for line, _ in kept]
    assert isinstance(node.of, Set)
    if is_bit_set(node.of):
        line, made = to.spill(f"(call $bits {i32_const(to.pool.bitset_words(node.of.of))})", "i32")
        puts = [f"(call $put {made} {value})" for _, value in kept]
    else:
        order = order_of(to, node.operands[0].of)
        room = "(call $sequence)" if order < 0 else f"(call $alloc (i32.const {8 * (len(kept) + 1)}))"
        line, made = to.spill(room, "i32")
        line += "" if order < 0 else f" (i64.store {made} (i64.const 0))"
        end = "" if order < 0 else f" {i32_const(order)}"
        puts = [
            f"(call $insert{'_by' if end else ''} {made} {as_i64(value, each.of)}{end})"
            for (_, value), each in zip(kept, node.operands, strict=True)
        ]
    return f"(block (result i32) {' '.join((*lines, line, *puts))} {made})"


def _pieces(to: FunctionWriter, node: ir.Apply, given: list[str]) -> str:
    """Emit a set of the pieces of given kinds."""
    words = i32_const(to.pool.layout.bitset_words("piece"))
    match node.primitive:
        case Primitive.PIECES_AT:
            text = f"(call $pieces_at {given[0]})"
        case Primitive.PIECES_ON_MAP:
            text = f"(call $copy_bits {words} {i32_const(to.pool.address_of('on_map'))})"
        case _:
            text = f"(call $copy_bits {words} {i32_const(to.pool.address_of('reserve'))})"
    line, made = to.spill(text, "i32")
    masks = [i32_const(to.pool.address_of(f"kind:{kind}")) for kind in node.name.split(",") if kind]
    if not masks:
        return text
    mask = masks[0]
    for other in masks[1:]:
        mask = f"(call $union_bits {words} {mask} {other})"
    return f"(block (result i32) {line} (call $and_into {words} {made} {mask}) {made})"
