"""Emit operations that make sets: union, difference, intersection, sets of given elements, sets of pieces.

In: an `ir.Apply`, and the text of its operands. Out: a folded expression. Sets are bit sets or ordered sequences. Tests
of membership leave 0 or 1 on the stack, without a call and without materializing the set where possible.
"""

from functools import reduce

from compiler.core import ir
from compiler.core.ir import Core, Primitive
from compiler.core.representation import PIECE, List, Set, is_bit_set
from compiler.wasm.bit_sets import WORD_BITS
from compiler.wasm.function import (
    FunctionWriter,
    UnsupportedError,
    as_i64,
    element_order,
    i32_const,
    i64_const,
    type_of,
    write_union,
)

OF_SEQUENCES = {Primitive.UNION: "$union_sequences", Primitive.DIFFERENCE: "$without_sequence"}


def write_set_operation(to: FunctionWriter, node: ir.Apply, operands: list[str]) -> str:
    """Emit a union or a difference of sequences; a union with one operand converts a list to a set."""
    representation = node.representation
    assert isinstance(representation, Set | List)
    if is_bit_set(representation):
        return f"(call $bits_of {i32_const(to.pool.bitset_words(representation.element))} {operands[0]})"
    if representation.element is not None and element_order(to, representation.element) >= 0:
        if node.primitive == Primitive.UNION and len(operands) == 2:
            return write_union(to, representation, operands[0], operands[1])
        raise UnsupportedError("a difference of sets of sets or of fractions")
    if len(operands) == 1:
        return f"(call $as_set {operands[0]})"
    return f"(call {OF_SEQUENCES[node.primitive]} {' '.join(operands)})"


def write_set(to: FunctionWriter, node: ir.Apply, operands: list[str]) -> str:
    """Emit a set of given elements, which are evaluated before memory is allocated for it."""
    spilled_values = [
        to.spill(text, type_of(each.representation)) for text, each in zip(operands, node.operands, strict=True)
    ]
    lines = [line for line, _ in spilled_values]
    assert isinstance(node.representation, Set)
    if is_bit_set(node.representation):
        line, elements = to.spill(f"(call $bits {i32_const(to.pool.bitset_words(node.representation.element))})", "i32")
        puts = [f"(call $put {elements} {value})" for _, value in spilled_values]
    else:
        order = element_order(to, node.operands[0].representation)
        allocation = "(call $sequence)" if order < 0 else f"(call $alloc (i32.const {8 * (len(spilled_values) + 1)}))"
        line, elements = to.spill(allocation, "i32")
        line += "" if order < 0 else f" (i64.store {elements} (i64.const 0))"
        end = "" if order < 0 else f" {i32_const(order)}"
        puts = [
            f"(call $insert{'_by' if end else ''} {elements} {as_i64(value, each.representation)}{end})"
            for (_, value), each in zip(spilled_values, node.operands, strict=True)
        ]
    return f"(block (result i32) {' '.join((*lines, line, *puts))} {elements})"


def write_pieces_at(to: FunctionWriter, node: ir.Apply, operands: list[str]) -> str:
    """Emit the set of the pieces of given kinds in a hex."""
    words = i32_const(to.pool.layout.bitset_words("piece"))
    text = f"(call $pieces_at {operands[0]})"
    line, pieces = to.spill(text, "i32")
    masks = [i32_const(to.pool.address_of(f"kind:{kind}")) for kind in node.name.split(",") if kind]
    if not masks:
        return text
    mask = masks[0]
    for other in masks[1:]:
        mask = f"(call $union_bits {words} {mask} {other})"
    return f"(block (result i32) {line} (call $and_into {words} {pieces} {mask}) {pieces})"


def tested_bit(to: FunctionWriter, base: int, index: Core) -> str:
    """Emit a test of a bit of a set at a fixed address; a piece off the map is in no set of hexes."""
    line, index_local = to.spill(to.write(index), "i32")
    bit_test = _write_bit_test(base, index_local)
    if index.representation == PIECE:
        return f"(block (result i32) {line} {bit_test})"
    return (
        f"(block (result i32) {line} (if (result i32) (i32.lt_s {index_local} "
        f"(i32.const 0)) (then (i32.const 0)) (else {bit_test})))"
    )


def _write_bit_test(base: int, index: str) -> str:
    """Emit a bit of a set at a fixed address; the index is in a local and not negative."""
    byte = f"(i32.load8_u offset={base} (i32.shr_u {index} (i32.const 3)))"
    return f"(i32.and (i32.shr_u {byte} (i32.and {index} (i32.const 7))) (i32.const 1))"


def write_constant_membership(to: FunctionWriter, value: Core, collection: Core) -> str | None:
    """Emit a membership test in a set of constants as a test of a bit; None if the collection is not constant."""
    if not isinstance(collection, ir.Members):
        return None
    if is_bit_set(collection.representation):
        return tested_bit(to, to.pool.store_members(collection), value)
    numbers = [
        element.value
        for element in collection.elements
        if isinstance(element, ir.Const) and isinstance(element.value, int)
    ]
    if len(numbers) < len(collection.elements) or not all(0 <= number < WORD_BITS for number in numbers):
        return None
    mask = sum(1 << number for number in numbers)
    type_ = type_of(value.representation)
    line, value_local = to.spill(to.write(value), type_)
    wide = value_local if type_ == "i64" else f"(i64.extend_i32_u {value_local})"
    bit_test = f"(i32.wrap_i64 (i64.shr_u {i64_const(mask - (mask >> (WORD_BITS - 1) << WORD_BITS))} {wide}))"
    return (
        f"(block (result i32) {line} (if (result i32) ({type_}.lt_u {value_local} ({type_}.const {WORD_BITS}))"
        f" (then (i32.and {bit_test} (i32.const 1))) (else (i32.const 0))))"
    )


def write_membership(to: FunctionWriter, collection: Core, member: str) -> str:
    """Emit a membership test in a set that is not materialized: the pieces of given kinds on the map or in reserve."""
    match collection:
        case ir.Apply(Primitive.PIECES_ON_MAP | Primitive.PIECES_IN_RESERVE as primitive, _, _, kinds):
            place = "on_map" if primitive is Primitive.PIECES_ON_MAP else "reserve"
            found = _write_bit_test(to.pool.address_of(place), member)
            listed = [to.pool.address_of(f"kind:{kind}") for kind in kinds.split(",") if kind]
            masks = [_write_bit_test(base, member) for base in listed]
            return f"(i32.and {found} {reduce(lambda a, b: f'(i32.or {a} {b})', masks)})" if masks else found
        case _:
            return ""
