"""Emit core expressions as WebAssembly text: `write_expression` has one case for each node.

In: a core expression, and the writer of its function. Out: one folded expression of WebAssembly.
"""

from functools import singledispatch

from compiler.core import ir
from compiler.core.ir import Core, Fold, FoldKind, Primitive, TrapReason
from compiler.core.representation import RATIO, Set, is_bit_set, member_representation
from compiler.core.sharing import LetLazy, Memo
from compiler.wasm.fold import write_fold
from compiler.wasm.function import (
    ARITHMETIC,
    HELPERS,
    SMALL,
    FunctionWriter,
    UnsupportedError,
    as_i64,
    element_order,
    i32_const,
    i64_const,
    representation_constant,
    type_of,
    write_equality,
    write_less,
    write_trap,
)
from compiler.wasm.membership import tested_bit, write_constant_membership, write_membership
from compiler.wasm.rule_resolution import write_resolve, write_verdict
from compiler.wasm.search import write_cheapest
from compiler.wasm.set_operations import write_pieces, write_set, write_set_operation
from compiler.wasm.sharing import free_locals, write_let_lazy, write_memo, write_slot_copy
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
    return i64_const(number) if type_of(node.representation) == "i64" else i32_const(number)


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
    known, local = f"${node.name}?", f"${node.name}"
    to.locals[known], to.locals[local] = "i32", type_of(node.representation)
    small = once or sum(1 for _ in walk(value)) <= SMALL
    text = write_expression(to, value) if small else _call_of_lazy(node, value, to)
    if slot := to.slots.get(node.name):
        text = write_slot_copy(to, slot, text, node.representation)
    return (
        f"(block (result {type_of(node.representation)}) (if (i32.eqz "
        f"(local.get {known})) (then (local.set {local} {text})"
        f" (local.set {known} (i32.const 1)))) (local.get {local}))"
    )


def _call_of_lazy(node: ir.Force, value: Core, to: FunctionWriter) -> str:
    """Emit a call of a large lazy value, which is emitted once as a function."""
    name = f"{to.name}~{node.name}"
    parameters = free_locals(value, to.lazy)
    if not any(text.startswith(f"(func ${name} ") for text in to.helper_functions):
        inner = FunctionWriter(to.pool, name, parameters)
        inner.lazy = to.lazy
        to.helper_functions.append("")  # Reserves its place during its emission.
        to.helper_functions[-1] = f"(func ${name} "
        index = len(to.helper_functions) - 1
        to.helper_functions[index] = inner.function(value)
    arguments = " ".join(f"(local.get ${each.name})" for each in parameters)
    return f"(call ${name} {arguments})"


@_write.register
def _(node: LetLazy, to: FunctionWriter) -> str:
    return write_let_lazy(to, node, write_expression)


@_write.register
def _(node: Memo, to: FunctionWriter) -> str:
    return write_memo(to, node, write_expression)


@_write.register
def _(node: ir.Let, to: FunctionWriter) -> str:
    value = write_expression(to, node.value)
    bound = to.assign(node.name, value, node.value.representation)
    return f"(block (result {type_of(node.representation)}) {bound} {write_expression(to, node.body)})"


@_write.register
def _(node: ir.If, to: FunctionWriter) -> str:
    condition, then, orelse = (write_expression(to, each) for each in (node.condition, node.then, node.orelse))
    return f"(if (result {type_of(node.representation)}) {condition} (then {then}) (else {orelse}))"


@_write.register
def _(node: ir.Call, to: FunctionWriter) -> str:
    return to.call(node.function, [write_expression(to, each) for each in node.arguments])


@_write.register
def _(node: ir.Load, to: FunctionWriter) -> str:
    return to.load(node.array, None if node.index is None else write_expression(to, node.index), node.representation)


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
    return to.write_narrowing(raw, node.representation, TrapReason.ABSENT)


@_write.register
def _(node: ir.HasField, to: FunctionWriter) -> str:
    return f"(i64.ne (i64.load offset={8 * node.place} {write_expression(to, node.base)}) (i64.const {-(1 << 63)}))"


@_write.register
def _(node: ir.NewRecord, to: FunctionWriter) -> str:
    lines, values = [], []
    for field in node.fields:
        value = i64_const(-(1 << 63)) if field is None else as_i64(write_expression(to, field), field.representation)
        line, spilled_value = to.spill(value, "i64")
        lines.append(line)
        values.append(spilled_value)
    line, local = to.spill(f"(call $alloc (i32.const {8 * len(values)}))", "i32")
    stores = [f"(i64.store offset={8 * place} {local} {value})" for place, value in enumerate(values)]
    return f"(block (result i32) {' '.join((*lines, line, *stores))} {local})"


@_write.register
def _(node: ir.Partners, to: FunctionWriter) -> str:
    helper = "$partners" if isinstance(node.representation, Set) else "$partner"
    text = f"(call {helper} {_pairs(to, node)} {write_expression(to, node.piece)})"
    if isinstance(node.representation, Set):
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
    if node.is_test:
        return f"(i32.ne {found} (i32.const 0))"
    pair = to.declare_local("i32")
    value = to.write_narrowing(f"(i64.load offset=8 (local.get {pair}))", node.representation, TrapReason.ABSENT)
    missing = f"(if (i32.eqz (local.tee {pair} {found})) (then {write_trap(TrapReason.ABSENT)}))"
    return f"(block (result {type_of(node.representation)}) {missing} {value})"


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
    return (
        f"(block (result {type_of(node.representation)}) {' '.join(lines)} "
        f"{to.write_narrowing(raw, node.representation, TrapReason.GAP)})"
    )


def _place(to: FunctionWriter, key: Core, domain: tuple[int | str, ...]) -> str:
    """Emit the position of a key in its domain; a key outside the domain has a position beyond its end or below 0."""
    text = write_expression(to, key)
    if domain and isinstance(domain[0], str):
        return f"(i32.load (i32.add (i32.const {to.pool.store_domain(domain)}) (i32.shl {text} (i32.const 2))))"
    low = domain[0] if domain else 0
    if type_of(key.representation) == "i32":
        return f"(i32.sub {text} (i32.const {low}))"
    far = to.declare_local("i64")
    bounded = f"(i64.lt_u (local.tee {far} (i64.sub {text} (i64.const {low}))) (i64.const {len(domain)}))"
    return f"(if (result i32) {bounded} (then (i32.wrap_i64 (local.get {far}))) (else (i32.const -1)))"


@_write.register
def _(node: ir.FirstMatch, to: FunctionWriter) -> str:
    exit_label = to.label()
    tries = [
        f"(if {write_expression(to, when)} (then (br {exit_label} {write_expression(to, value)})))"
        for when, value in node.cases
    ]
    return (
        f"(block {exit_label} (result {type_of(node.representation)}) "
        f"{' '.join(tries)} {write_trap(node.reason)} unreachable)"
    )


@_write.register
def _(node: ir.BoundsCheck, to: FunctionWriter) -> str:
    type_ = type_of(node.representation)
    line, value = to.spill(write_expression(to, node.value), type_)
    lines = [line]
    for bound, is_low in ((node.low, True), (node.high, False)):
        if bound is None:
            continue
        end = representation_constant(bound, node.representation)
        outside_test = (
            write_less(value, end, node.representation) if is_low else write_less(end, value, node.representation)
        )
        name = value.removeprefix("(local.get ").removesuffix(")")
        then = f"(local.set {name} {end})" if node.clamps else write_trap(TrapReason.OUTSIDE)
        lines.append(f"(if {outside_test} (then {then}))")
    return f"(block (result {type_}) {' '.join(lines)} {value})"


@_write.register
def _(node: ir.Trap, _: FunctionWriter) -> str:
    return f"(block (result {type_of(node.representation)}) {write_trap(node.reason)} unreachable)"


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
    primitive, representation = node.primitive, node.representation
    if primitive is Primitive.PIECES_IN:  # Folds iterate over the hexes of this node; elsewhere it is gathered.
        each = ir.Local(f".{to.label()[2:]}", member_representation(representation))
        return write_expression(to, Fold(FoldKind.GATHER, each.name, node, None, each, None, representation))
    operands = [write_expression(to, operand) for operand in node.operands]
    match primitive:
        case Primitive.NOT:
            return f"(i32.eqz {operands[0]})"
        case Primitive.ADD | Primitive.SUBTRACT | Primitive.MULTIPLY:
            return f"({ARITHMETIC[primitive][representation == RATIO]} {' '.join(operands)})"
        case Primitive.NEGATE:
            return (
                f"(call $negate_ratio {operands[0]})"
                if representation == RATIO
                else f"(i64.sub (i64.const 0) {operands[0]})"
            )
        case Primitive.MINIMUM | Primitive.MAXIMUM:
            (left_line, a), (right_line, b) = to.spill(operands[0], "i64"), to.spill(operands[1], "i64")
            first = (
                write_less(b, a, representation) if primitive == Primitive.MINIMUM else write_less(a, b, representation)
            )
            return f"(block (result i64) {left_line} {right_line} (select {b} {a} {first}))"
        case Primitive.EQUAL:
            return write_equality(to.pool, operands[0], operands[1], node.operands[0].representation)
        case Primitive.LESS:
            return write_less(operands[0], operands[1], node.operands[0].representation)
        case Primitive.MEMBER:
            value, collection = node.operands
            if (found := write_constant_membership(to, value, collection, write_expression)) is not None:
                return found
            if is_bit_set(collection.representation):
                line, spilled_value = to.spill(operands[0], "i32")
                found = write_membership(to, collection, spilled_value)
                return f"(block (result i32) {line} {found})" if found else f"(call $bit {operands[1]} {operands[0]})"
            if element_order(to, value.representation) > 0:
                raise UnsupportedError("a member of a set of sets")
            return f"(call $has_item {operands[1]} {as_i64(operands[0], value.representation)})"
        case Primitive.UNION | Primitive.DIFFERENCE | Primitive.INTERSECTION:
            return write_set_operation(to, node, operands)
        case Primitive.COMPLETES:
            return to.write_completion_test(node.name, operands)
        case Primitive.SET_OF:
            return write_set(to, node, operands)
        case Primitive.PIECES_AT | Primitive.PIECES_ON_MAP | Primitive.PIECES_IN_RESERVE:
            return write_pieces(to, node, operands)
        case Primitive.MASK:
            return i32_const(to.pool.address_of(node.name))
        case Primitive.WRITTEN_RECORDS:
            return f"(i32.load (i32.const {to.pool.address_of(f'written:{node.name}')}))"
        case _:
            return f"(call {HELPERS[primitive]} {' '.join(operands)})"
