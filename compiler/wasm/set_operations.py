"""Emit operations that make sets: union, difference, intersection, sets of given elements, sets of pieces.

In: an `ir.Apply`, and the text of its operands. Out: a folded expression. Sets are bit sets or ordered sequences.
"""

from compiler.core import ir
from compiler.core.ir import Primitive
from compiler.core.representation import List, Set, is_bit_set
from compiler.wasm.function import (
    FunctionWriter,
    UnsupportedError,
    as_i64,
    element_order,
    i32_const,
    type_of,
    write_union,
)

UNITED = {Primitive.UNION: "union", Primitive.DIFFERENCE: "without", Primitive.INTERSECTION: "intersect"}


def write_set_operation(to: FunctionWriter, node: ir.Apply, operands: list[str]) -> str:
    """Emit a union or a difference of sets; a union with one operand converts a list to a set."""
    representation = node.representation
    assert isinstance(representation, Set | List)
    words = i32_const(to.pool.bitset_words(representation.element)) if is_bit_set(representation) else ""
    if not words and representation.element is not None and element_order(to, representation.element) >= 0:
        if node.primitive == Primitive.UNION and len(operands) == 2:
            return write_union(to, representation, operands[0], operands[1])
        raise UnsupportedError("a difference of sets of sets or of fractions")
    if len(operands) == 1:
        if words:
            return f"(call $bits_of {words} {operands[0]})"
        return f"(call $as_set {operands[0]})"
    name = UNITED[node.primitive]
    if words:
        return f"(call ${name}_bits {words} {' '.join(operands)})"
    return f"(call ${name}_sequence{'s' * (name == 'union')} {' '.join(operands)})"


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


def write_pieces(to: FunctionWriter, node: ir.Apply, operands: list[str]) -> str:
    """Emit a set of the pieces of given kinds."""
    words = i32_const(to.pool.layout.bitset_words("piece"))
    match node.primitive:
        case Primitive.PIECES_AT:
            text = f"(call $pieces_at {operands[0]})"
        case Primitive.PIECES_ON_MAP:
            text = f"(call $copy_bits {words} {i32_const(to.pool.address_of('on_map'))})"
        case _:
            text = f"(call $copy_bits {words} {i32_const(to.pool.address_of('reserve'))})"
    line, pieces = to.spill(text, "i32")
    masks = [i32_const(to.pool.address_of(f"kind:{kind}")) for kind in node.name.split(",") if kind]
    if not masks:
        return text
    mask = masks[0]
    for other in masks[1:]:
        mask = f"(call $union_bits {words} {mask} {other})"
    return f"(block (result i32) {line} (call $and_into {words} {pieces} {mask}) {pieces})"
