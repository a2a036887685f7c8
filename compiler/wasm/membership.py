"""Emit tests of membership without a call and without materializing the set, where possible.

In: a value and a collection of the core. Out: WebAssembly text that leaves 0 or 1 on the stack.
"""

from functools import reduce

from compiler.core import ir
from compiler.core.ir import Core, Primitive
from compiler.core.representation import PIECE, is_bit_set
from compiler.wasm.function import FunctionWriter, i64_const, type_of

WORD = 64


def tested_bit(to: FunctionWriter, base: int, index: Core) -> str:
    """Emit a test of a bit of a set at a fixed address; a piece off the map is in no set of hexes."""
    line, index_local = to.spill(to.write(index), "i32")
    bit_test = write_bit_test(base, index_local)
    if index.representation == PIECE:
        return f"(block (result i32) {line} {bit_test})"
    return (
        f"(block (result i32) {line} (if (result i32) (i32.lt_s {index_local} "
        f"(i32.const 0)) (then (i32.const 0)) (else {bit_test})))"
    )


def write_bit_test(base: int, index: str) -> str:
    """Emit a bit of a set at a fixed address; the index is in a local and not negative."""
    byte = f"(i32.load8_u offset={base} (i32.shr_u {index} (i32.const 3)))"
    return f"(i32.and (i32.shr_u {byte} (i32.and {index} (i32.const 7))) (i32.const 1))"


def write_constant_membership(to: FunctionWriter, value: Core, collection: Core) -> str | None:
    """Emit a membership test in a set of constants as a test of a bit; None if the collection is not constant."""
    if not isinstance(collection, ir.Members):
        return None
    if is_bit_set(collection.representation):
        return tested_bit(to, to.pool.store_members(collection), value)
    numbers = [each.value for each in collection.elements if isinstance(each, ir.Const) and isinstance(each.value, int)]
    if len(numbers) < len(collection.elements) or not all(0 <= number < WORD for number in numbers):
        return None
    mask = sum(1 << number for number in numbers)
    type_ = type_of(value.representation)
    line, value_local = to.spill(to.write(value), type_)
    wide = value_local if type_ == "i64" else f"(i64.extend_i32_u {value_local})"
    bit_test = f"(i32.wrap_i64 (i64.shr_u {i64_const(mask - (mask >> (WORD - 1) << WORD))} {wide}))"
    return (
        f"(block (result i32) {line} (if (result i32) ({type_}.lt_u {value_local} ({type_}.const {WORD}))"
        f" (then (i32.and {bit_test} (i32.const 1))) (else (i32.const 0))))"
    )


def write_membership(to: FunctionWriter, collection: Core, member: str) -> str:
    """Emit a membership test in a set that is not materialized: the pieces of given kinds on the map or in reserve."""
    match collection:
        case ir.Apply(Primitive.PIECES_ON_MAP | Primitive.PIECES_IN_RESERVE as primitive, _, _, kinds):
            place = "on_map" if primitive is Primitive.PIECES_ON_MAP else "reserve"
            found = write_bit_test(to.pool.address_of(place), member)
            listed = [to.pool.address_of(f"kind:{kind}") for kind in kinds.split(",") if kind]
            masks = [write_bit_test(base, member) for base in listed]
            return f"(i32.and {found} {reduce(lambda a, b: f'(i32.or {a} {b})', masks)})" if masks else found
        case _:
            return ""
