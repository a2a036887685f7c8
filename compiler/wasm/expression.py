"""Emit core expressions as WebAssembly text: `write_expression` has one case for each node.

In: a core expression, and the writer of its function. Out: one folded expression of WebAssembly.
"""

from compiler.core import ir
from compiler.core.ir import Core, Fold, FoldKind, Primitive
from compiler.core.representation import RATIO, Set, is_bit_set, member_representation
from compiler.core.sharing import LetLazy, Memo
from compiler.core.trap_reason import TrapReason
from compiler.wasm.bit_sets import ROWS, WORD_BYTES, is_wordwise, write_copied
from compiler.wasm.fold import write_fold
from compiler.wasm.function import (
    ARITHMETIC,
    HELPERS,
    MOST_REPEATED_NODES,
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
from compiler.wasm.rule_resolution import write_resolve, write_verdict
from compiler.wasm.search import write_cheapest
from compiler.wasm.set_operations import (
    tested_bit,
    write_constant_membership,
    write_membership,
    write_pieces_at,
    write_set,
    write_set_operation,
)
from compiler.wasm.sharing import free_locals, write_let_lazy, write_memo, write_slot_copy
from runtime.graph.walk import walk


def write_expression(to: FunctionWriter, node: Core) -> str:  # noqa: C901 -- one arm a node
    """Emit a core expression as a folded expression."""
    match node:
        case ir.Const():
            number = to.pool.encode(node)
            return i64_const(number) if type_of(node.representation) == "i64" else i32_const(number)
        case ir.EnumConst():
            return i32_const(to.pool.encode(node))
        case ir.Members():
            return i32_const(to.pool.store_members(node))
        case ir.Local():
            return to.read(node)
        case ir.Force():
            return _write_force(to, node)
        case LetLazy():
            return write_let_lazy(to, node)
        case Memo():
            return write_memo(to, node)
        case ir.Let():
            value = to.write(node.value)
            bound = to.assign(node.name, value, node.value.representation)
            return f"(block (result {type_of(node.representation)}) {bound} {to.write(node.body)})"
        case ir.If():
            condition, then, orelse = (to.write(each) for each in (node.condition, node.then, node.orelse))
            return f"(if (result {type_of(node.representation)}) {condition} (then {then}) (else {orelse}))"
        case ir.Call():
            return to.call(node.function, [to.write(argument) for argument in node.arguments])
        case ir.Load():
            return to.load(node.array, None if node.index is None else to.write(node.index), node.representation)
        case ir.Present():
            return _write_present(to, node)
        case ir.Bit():
            return tested_bit(to, to.pool.address_of(node.array), node.index)
        case ir.SideBit():
            return f"(call $side_bit {i32_const(to.pool.address_of(node.array))} {to.write(node.index)})"
        case ir.Field():
            raw = f"(i64.load offset={8 * node.place} {to.write(node.base)})"
            return to.write_narrowing(raw, node.representation, TrapReason.ABSENT)
        case ir.HasField():
            raw = f"(i64.load offset={8 * node.place} {to.write(node.base)})"
            return f"(i64.ne {raw} (i64.const {-(1 << 63)}))"
        case ir.NewRecord():
            return _write_new_record(to, node)
        case ir.Partners():
            return _write_partners(to, node)
        case ir.Payload():
            return _write_payload(to, node)
        case ir.TableLookup():
            return _write_table_lookup(to, node)
        case ir.FirstMatch():
            return _write_first_match(to, node)
        case ir.BoundsCheck():
            return _write_bounds_check(to, node)
        case ir.Trap():
            return f"(block (result {type_of(node.representation)}) {write_trap(node.reason)} unreachable)"
        case ir.Fold():
            return write_fold(to, node)
        case ir.Cheapest():
            return write_cheapest(to, node)
        case ir.Reachable():
            return write_copied(to, node)
        case ir.Resolve():
            return write_resolve(to, node)
        case ir.Verdict():
            return write_verdict(to, node)
        case ir.Apply():
            return _write_operation(to, node)


def _write_force(to: FunctionWriter, node: ir.Force) -> str:
    value = to.lazy[node.name]
    once = to.forced.get(node.name, 0) <= 1
    if once and node.name not in to.slots:
        return to.write(value)
    known, local = f"${node.name}?", f"${node.name}"
    to.locals[known], to.locals[local] = "i32", type_of(node.representation)
    small = once or sum(1 for _ in walk(value)) <= MOST_REPEATED_NODES
    text = to.write(value) if small else _call_of_lazy(node, value, to)
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
    arguments = " ".join(f"(local.get ${parameter.name})" for parameter in parameters)
    return f"(call ${name} {arguments})"


def _write_present(to: FunctionWriter, node: ir.Present) -> str:
    index = None if node.index is None else to.write(node.index)
    element = to.pool.layout.arrays[node.array].element
    if element == "i32":
        return f"(i32.ne (i32.load {to.address(node.array, index, 4)}) (i32.const {-(1 << 31)}))"
    return f"(i64.ne (i64.load {to.address(node.array, index, 8)}) (i64.const {-(1 << 63)}))"


def _write_new_record(to: FunctionWriter, node: ir.NewRecord) -> str:
    lines, values = [], []
    for field in node.fields:
        value = i64_const(-(1 << 63)) if field is None else as_i64(to.write(field), field.representation)
        line, spilled_value = to.spill(value, "i64")
        lines.append(line)
        values.append(spilled_value)
    line, local = to.spill(f"(call $alloc (i32.const {8 * len(values)}))", "i32")
    stores = [f"(i64.store offset={8 * index} {local} {value})" for index, value in enumerate(values)]
    return f"(block (result i32) {' '.join((*lines, line, *stores))} {local})"


def _write_partners(to: FunctionWriter, node: ir.Partners) -> str:
    helper = "$partners" if isinstance(node.representation, Set) else "$partner"
    text = f"(call {helper} {_pairs(to, node)} {to.write(node.piece)})"
    if isinstance(node.representation, Set):
        return text
    value = to.declare_local("i32")
    absent = f"(i32.lt_s (local.tee {value} {text}) (i32.const 0))"
    return f"(block (result i32) (if {absent} (then {write_trap(TrapReason.ABSENT)})) (local.get {value}))"


def _pairs(to: FunctionWriter, node: ir.Partners) -> str:
    """Emit the address of the pairs of a relation, and the offset of the end that is read."""
    base = to.pool.address_of(f"pairs:{node.relation}")
    return f"{i32_const(base)} {i32_const(0 if node.end == 'left' else 4)}"


def _write_payload(to: FunctionWriter, node: ir.Payload) -> str:
    base = i32_const(to.pool.address_of(f"pairs:{node.relation}"))
    found = f"(call $related {base} {to.write(node.left)} {to.write(node.right)})"
    if node.is_test:
        return f"(i32.ne {found} (i32.const 0))"
    pair = to.declare_local("i32")
    value = to.write_narrowing(f"(i64.load offset=8 (local.get {pair}))", node.representation, TrapReason.ABSENT)
    missing = f"(if (i32.eqz (local.tee {pair} {found})) (then {write_trap(TrapReason.ABSENT)}))"
    return f"(block (result {type_of(node.representation)}) {missing} {value})"


def _write_table_lookup(to: FunctionWriter, node: ir.TableLookup) -> str:
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
    text = to.write(key)
    if domain and isinstance(domain[0], str):
        return f"(i32.load (i32.add (i32.const {to.pool.store_domain(domain)}) (i32.shl {text} (i32.const 2))))"
    low = domain[0] if domain else 0
    if type_of(key.representation) == "i32":
        return f"(i32.sub {text} (i32.const {low}))"
    far = to.declare_local("i64")
    bounded = f"(i64.lt_u (local.tee {far} (i64.sub {text} (i64.const {low}))) (i64.const {len(domain)}))"
    return f"(if (result i32) {bounded} (then (i32.wrap_i64 (local.get {far}))) (else (i32.const -1)))"


def _write_first_match(to: FunctionWriter, node: ir.FirstMatch) -> str:
    exit_label = to.label()
    tries = [f"(if {to.write(when)} (then (br {exit_label} {to.write(value)})))" for when, value in node.cases]
    return (
        f"(block {exit_label} (result {type_of(node.representation)}) "
        f"{' '.join(tries)} {write_trap(node.reason)} unreachable)"
    )


def _write_bounds_check(to: FunctionWriter, node: ir.BoundsCheck) -> str:
    type_ = type_of(node.representation)
    line, value = to.spill(to.write(node.value), type_)
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


def _write_operation(to: FunctionWriter, node: ir.Apply) -> str:  # noqa: C901 -- one case an operation
    primitive, representation = node.primitive, node.representation
    if primitive is Primitive.PIECES_IN:  # Folds iterate over the hexes of this node; elsewhere it is gathered.
        each = ir.Local(f".{to.label()[2:]}", member_representation(representation))
        return to.write(Fold(FoldKind.GATHER, each.name, node, None, each, None, representation))
    if is_wordwise(node):
        return write_copied(to, node)
    operands = [to.write(operand) for operand in node.operands]
    match primitive:
        case Primitive.NOT:
            return f"(i32.eqz {operands[0]})"
        case Primitive.ADD | Primitive.SUBTRACT | Primitive.MULTIPLY:
            return f"({ARITHMETIC[primitive][representation == RATIO]} {' '.join(operands)})"
        case Primitive.NEGATE:
            if representation == RATIO:
                return f"(call $negate_ratio {operands[0]})"
            return f"(i64.sub (i64.const 0) {operands[0]})"
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
            if (found := write_constant_membership(to, value, collection)) is not None:
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
        case Primitive.PIECES_AT:
            return write_pieces_at(to, node, operands)
        case Primitive.MASK:
            return i32_const(to.pool.address_of(node.name))
        case Primitive.ALL_HEXES:
            return i32_const(to.pool.address_of("board:all"))
        case Primitive.NEIGHBORS | Primitive.BESIDE | Primitive.ACROSS:
            row_bytes = WORD_BYTES * to.pool.layout.bitset_words("hex")
            return to.address(ROWS.get(primitive) or f"across:{node.name}", operands[0], row_bytes)
        case Primitive.WRITTEN_RECORDS:
            return f"(i32.load (i32.const {to.pool.address_of(f'written:{node.name}')}))"
        case _:
            return f"(call {HELPERS[primitive]} {' '.join(operands)})"
