"""Emit one function of the core as WebAssembly text.

In: a function of the core, and the pool of constants. Out: its text. Each core expression becomes one folded
expression; where statements are needed, it becomes a block with a result. Sets and sequences are allocated on the stack
of `helpers.wat`, which a function restores before it returns.
"""

from compiler.core import ir
from compiler.core.ir import Core, Primitive
from compiler.core.passes.totality import NEVER_ABSENT
from compiler.core.representation import (
    INT,
    RATIO,
    Crossing,
    Int,
    Ratio,
    Record,
    Representation,
    Set,
    is_bit_set,
    is_sequence,
)
from compiler.core.trap_reason import TrapReason
from compiler.wasm.memory import ConstantPool
from runtime.graph.layout import ABSENT32, ABSENT64
from runtime.graph.walk import walk

CODES = {reason: number for number, reason in enumerate(TrapReason, 1)}
CROSSING_BYTES = 40  # A crossing lies on the stack: see $crossing in helpers.wat.
MOST_REPEATED_NODES = 12  # Nodes of a lazy value that is written out wherever it is needed.
# Loops and functions that call others count their steps, and stop when none are left: up to 4 % of the time of games.
# (Counting instructions in the engine of WebAssembly made games a third slower; counting only where a loop over members
# goes back, and no words of sets, made none faster.)
STEP_CODE = (
    "(if (i64.lt_s (global.get $steps) (i64.const 0)) (then unreachable))"
    " (global.set $steps (i64.sub (global.get $steps) (i64.const 1)))"
)
ARITHMETIC = {
    Primitive.ADD: ("i64.add", "call $add_ratios"),
    Primitive.SUBTRACT: ("i64.sub", "call $subtract_ratios"),
    Primitive.MULTIPLY: ("call $multiply", "call $multiply_ratios"),
}
HELPERS = {
    Primitive.DIVIDE: "$divide_ratios",
    Primitive.FLOOR: "$floor_ratio",
    Primitive.CEILING: "$ceiling_ratio",
    Primitive.FLOOR_DIVIDE: "$floor_divide",
    Primitive.CEILING_DIVIDE: "$ceiling_divide",
    Primitive.TO_RATIO: "$to_ratio",
    Primitive.SPAN: "$span",
    Primitive.DISTANCE: "$distance",
    Primitive.ADJACENT: "$adjacent",
    Primitive.WITHIN: "$within",
    Primitive.BETWEEN: "$between",
    Primitive.BEYOND: "$beyond",
    Primitive.TOWARD: "$toward",
    Primitive.LINE: "$line",
    Primitive.TOUCHING: "$touching",
    Primitive.ENDS: "$ends",
    Primitive.EDGE: "$edge",
    Primitive.ALL_HEXSIDES: "$all_hexsides",
}


class UnsupportedError(Exception):
    """A core construct that the back end does not support; the message identifies it."""


def type_of(representation: Representation) -> str:
    """Return the WebAssembly type of values of a representation."""
    return "i64" if isinstance(representation, Int | Ratio) else "i32"


def i32_const(value: int) -> str:
    """Emit a 32-bit constant."""
    return f"(i32.const {value})"


def i64_const(value: int) -> str:
    """Emit a 64-bit constant."""
    return f"(i64.const {value})"


def write_trap(reason: TrapReason) -> str:
    """Emit a trap with its reason, as a statement."""
    return f"(call $fail {i32_const(CODES[reason])})"


class FunctionWriter:
    """An emitter of one function; `helper_functions` contains the auxiliary functions that it needs for lazy values."""

    def __init__(self, pool: ConstantPool, name: str, parameters: tuple[ir.Local, ...]) -> None:
        """Start a function without locals."""
        self.pool = pool
        self.name = name
        self.parameters = parameters
        self.locals: dict[str, str] = {}
        self.helper_functions: list[str] = []
        self.lazy: dict[str, Core] = {}
        # Variables that a `LetLazy` binds; the slot of a bit set that is computed on demand, "" for other values.
        self.slots: dict[str, str] = {}
        self.forced: dict[str, int] = {}
        self.number = 0

    # Locals and blocks

    def declare_local(self, type_: str) -> str:
        """Declare a fresh local of a WebAssembly type and return its name."""
        self.number += 1
        name = f"$.{self.number}"
        self.locals[name] = type_
        return name

    def bind(self, name: str, representation: Representation) -> str:
        """Declare the local of a core variable and return its name."""
        self.locals[f"${name}"] = type_of(representation)
        return f"${name}"

    def read(self, local: ir.Local) -> str:
        """Emit a read of a core variable."""
        return f"(local.get ${local.name})"

    def assign(self, name: str, value: str, representation: Representation) -> str:
        """Emit a binding of a core variable."""
        return f"(local.set {self.bind(name, representation)} {value})"

    def call(self, function: str, arguments: list[str]) -> str:
        """Emit a call of a core function."""
        return f"(call $t:{function} {' '.join(arguments)})"

    def write_completion_test(self, choice: str, _: list[str]) -> str:
        """Emit a test whether a multiple choice can be completed; it is unsupported outside procedures."""
        raise UnsupportedError(choice)

    def label(self) -> str:
        """Return a fresh label."""
        self.number += 1
        return f"$@{self.number}"

    def spill(self, value: str, type_: str) -> tuple[str, str]:
        """Store a value in a fresh local: return the statement, and the text that reads the local."""
        name = self.declare_local(type_)
        return f"(local.set {name} {value})", f"(local.get {name})"

    def write(self, node: Core) -> str:
        """Emit a core expression as a folded expression."""
        from compiler.wasm.expression import write_expression  # noqa: PLC0415 -- expressions are written by and for functions

        return write_expression(self, node)

    def function(self, body: Core, export: str = "") -> str:
        """Emit the whole function."""
        asks = False
        for node in walk(body):
            if isinstance(node, ir.Force):
                self.forced[node.name] = self.forced.get(node.name, 0) + 1
            asks = asks or isinstance(node, ir.Call)
        value = self.write(body)
        result = type_of(body.representation)
        lines = [value]
        if "(call $" in value:
            lines = self.write_release(value, body.representation, result)
        parameters = " ".join(
            f"(param ${parameter.name} {type_of(parameter.representation)})" for parameter in self.parameters
        )
        exported = f' (export "{export}")' if export else ""
        declared = self.local_declarations()
        first = f"(func ${self.name}{exported} {parameters} (result {result}) {declared} {STEP_CODE if asks else ''}"
        text = "\n  ".join([first, *lines]) + ")"
        return "\n".join([text, *self.helper_functions])

    def local_declarations(self) -> str:
        """Emit the declarations of the locals so far."""
        return " ".join(f"(local {name} {type_})" for name, type_ in self.locals.items())

    def write_release(self, value: str, representation: Representation, result: str) -> list[str]:
        """Emit a value and free the memory that its evaluation took, except for the value itself."""
        begin, value_local = self.declare_local("i32"), self.declare_local(result)
        lines = [f"(local.set {begin} (global.get $sp))", f"(local.set {value_local} {value})"]
        if not has_references(representation):
            lines += self.compact(value_local, begin, representation)
        return [*lines, f"(local.get {value_local})"]

    def compact(self, value_local: str, begin: str, representation: Representation) -> list[str]:
        """Emit code that frees the stack from `begin` on, except for the value of `value_local`, which moves down.

        What the value itself refers to does not move: see `has_references`.
        """
        if is_bit_set(representation):
            size = i32_const(self.pool.bitset_words(representation.element) * 8)
        elif is_sequence(representation):
            size = f"(i32.add (i32.const 8) (i32.shl (i32.load (local.get {value_local})) (i32.const 3)))"
        elif isinstance(representation, Crossing):
            size = i32_const(CROSSING_BYTES)
        else:
            return [f"(global.set $sp (local.get {begin}))"]
        bytes_ = self.declare_local("i32")
        return [
            f"(if (i32.ge_u (local.get {value_local}) (local.get {begin})) (then (local.set {bytes_} {size})",
            f"  (memory.copy (local.get {begin}) (local.get {value_local}) (local.get {bytes_}))",
            f"  (local.set {value_local} (local.get {begin}))",
            f"  (global.set $sp (i32.add (local.get {begin}) (local.get {bytes_}))))",
            f"  (else (global.set $sp (local.get {begin}))))",
        ]

    # Memory

    def address(self, array: str, index: str | None, stride: int) -> str:
        """Emit the address of an element."""
        base = self.pool.address_of(array)
        if index is None:
            return i32_const(base)
        shift = stride.bit_length() - 1
        offset = (
            f"(i32.shl {index} (i32.const {shift}))"
            if stride == 1 << shift
            else f"(i32.mul {index} (i32.const {stride}))"
        )
        return f"(i32.add (i32.const {base}) {offset})"

    def load(self, array: str, index: str | None, representation: Representation) -> str:
        """Emit a load; it traps where the value is absent."""
        type_ = type_of(representation)
        raw = f"({type_}.load {self.address(array, index, 8 if type_ == 'i64' else 4)})"
        if array in NEVER_ABSENT:
            return raw
        value = self.declare_local(type_)
        absent = (
            f"(i32.lt_s (local.tee {value} {raw}) (i32.const 0))"
            if array == "hex"
            else f"({type_}.eq (local.tee {value} {raw}) ({type_}.const {ABSENT64 if type_ == 'i64' else ABSENT32}))"
        )
        return f"(block (result {type_}) (if {absent} (then {write_trap(TrapReason.ABSENT)})) (local.get {value}))"

    def write_narrowing(self, raw: str, representation: Representation, reason: TrapReason) -> str:
        """Emit the conversion of 8 loaded bytes to a value; it traps where the value is absent."""
        value = self.declare_local("i64")
        read = f"(local.get {value})" if type_of(representation) == "i64" else f"(i32.wrap_i64 (local.get {value}))"
        return (
            f"(block (result {type_of(representation)}) (if (i64.eq (local.tee {value} {raw}) (i64.const {ABSENT64}))"
            f" (then {write_trap(reason)})) {read})"
        )


def as_i64(value: str, representation: Representation) -> str:
    """Emit the conversion of a value to 8 bytes."""
    return value if type_of(representation) == "i64" else f"(i64.extend_i32_s {value})"


def narrowed_value(value: str, representation: Representation) -> str:
    """Emit the conversion of 8 bytes to a value."""
    return value if type_of(representation) == "i64" else f"(i32.wrap_i64 {value})"


def element_order(to: FunctionWriter, representation: Representation) -> int:
    """Return how `$compare` orders elements: 0 as fractions, n > 0 as bit sets of n words, -1 as integers."""
    if representation == RATIO:
        return 0
    if is_bit_set(representation):
        assert isinstance(representation, Set)
        return to.pool.bitset_words(representation.element)
    if is_sequence(representation):
        raise UnsupportedError("a set of lists")
    return -1


def write_union(to: FunctionWriter, representation: Representation, left: str, right: str) -> str:
    """Emit the union of two sets that are sequences."""
    order = (
        element_order(to, representation.element)
        if isinstance(representation, Set) and representation.element is not None
        else -1
    )
    if order < 0:
        return f"(call $union_sequences {left} {right})"
    return f"(call $union_by {left} {right} {i32_const(order)})"


def has_references(representation: Representation) -> bool:
    """Return whether a value refers to memory beyond its own: a record, or a row of records or of sets."""
    if isinstance(representation, Record):
        return True
    return is_sequence(representation) and (
        isinstance(representation.element, Record) or is_bit_set(representation.element)
    )


def write_equality(pool: ConstantPool, left: str, right: str, representation: Representation) -> str:
    """Emit an equality test of two values."""
    if is_bit_set(representation):
        assert isinstance(representation, Set)
        return f"(call $equal_bits (i32.const {pool.bitset_words(representation.element)}) {left} {right})"
    if is_sequence(representation):
        if has_references(representation) and not isinstance(representation.element, Record):
            raise UnsupportedError("sets of sets that are compared")
        return f"(call $equal_sequences {left} {right})"
    return f"({type_of(representation)}.eq {left} {right})"


def write_less(left: str, right: str, representation: Representation) -> str:
    """Emit a comparison of two numbers."""
    if representation == RATIO:
        return f"(call $less_ratios {left} {right})"
    return f"({type_of(representation)}.lt_s {left} {right})"


def write_if_other(to: FunctionWriter, address: str, value: str, type_: str, wrote: str) -> str:
    """Emit a store, followed by `wrote`, unless the same value is there: then all that was read of it stays valid."""
    line, new = to.spill(value, type_)
    return f"{line} (if ({type_}.ne ({type_}.load {address}) {new}) (then ({type_}.store {address} {new}) {wrote}))"


def representation_constant(value: int, representation: Representation) -> str:
    """Emit an integer as a constant of a representation."""
    if representation == RATIO:
        return i64_const(value << 32 | 1)
    return i64_const(value) if representation == INT else i32_const(value)
