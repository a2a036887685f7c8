"""Emit procedures as WebAssembly text: one function each, which resumes at the block recorded in its frame.

In: a procedure of the core. Out: WebAssembly text of its function.

A function returns 0 when another procedure is to run, and 1 when a side is to decide. Variables of the frame are read
and written through `FrameWriter`; effect.py emits the effects on a position, site.py the options of a choice.
"""

from collections.abc import Callable, Iterable

from compiler.core import control
from compiler.core.ir import Core, Local
from compiler.core.representation import ENUM, Piece, Record, Representation, Set, is_bit_set, is_sequence
from compiler.core.trap_reason import TrapReason
from compiler.wasm.function import (
    FunctionWriter,
    as_i64,
    has_references,
    i32_const,
    i64_const,
    narrowed_value,
    type_of,
    write_trap,
)
from compiler.wasm.memory import ConstantPool

MOST_STORES = 24  # Names of a frame that are set one by one.
SITE_FUNCTIONS = 5  # Of each site: side, members, open, take, worth.
FRAME_HEADER_BYTES = 24  # Bytes of a frame before its first name.
END_VALUE = -(1 << 63)  # Ends an offer, or stops adding to a set.
JUMPS = (control.Jump, control.JumpUnless, control.NextMember)
LEAVES = (control.Invoke, control.EmitEvent, control.AskOffer, control.AskChoice)


def function_name(key: str) -> str:
    """Return the name of a function; the keys of hooks contain blanks."""
    return key.replace(" ", "_")


class FunctionIndex:
    """The indices of functions in the table: procedures, the functions of sites, and those that complete heads."""

    def __init__(self, procedures: control.Procedures, sites: int) -> None:
        """Assign the indices."""
        self.procedures = procedures
        self.index_by_key = {key: index for index, key in enumerate(procedures.procedures_by_key)}
        self.sites = len(self.index_by_key)
        self.finish: dict[str, int] = {}
        index = self.sites + SITE_FUNCTIONS * sites
        for procedure in procedures.procedures_by_key.values():
            for number in range(len(procedure.head.finish) if procedure.head else 0):
                self.finish[procedure.completion_test(number)] = index
                index += 1
        self.draws = index
        self.count = index + sites


class FrameWriter(FunctionWriter):
    """An emitter of a function of a procedure, whose variables lie in the frame at address `$frame`."""

    def __init__(
        self, pool: ConstantPool, name: str, procedure: control.Procedure, function_index: FunctionIndex
    ) -> None:
        """Compute the layout of the frame."""
        super().__init__(pool, function_name(name), ())
        self.procedure = procedure
        self.function_index = function_index
        self.places = {local.name: FRAME_HEADER_BYTES + 8 * index for index, local in enumerate(procedure.names)}

    def read(self, local: Local) -> str:
        """Emit a read of a variable of the frame, or of a local."""
        if local.name not in self.places:
            return super().read(local)
        return f"({type_of(local.representation)}.load offset={self.places[local.name]} (local.get $frame))"

    def assign(self, name: str, value: str, representation: Representation) -> str:
        """Emit a binding of a variable of the frame, or of a local."""
        if name not in self.places:
            return super().assign(name, value, representation)
        return f"({type_of(representation)}.store offset={self.places[name]} (local.get $frame) {value})"

    def call(self, function: str, arguments: list[str]) -> str:
        """Emit a call of a term, or of the function that completes a head from this frame."""
        if function in self.function_index.finish:
            return f"(call ${function_name(function)} (local.get $frame))"
        return super().call(function, arguments)

    def write_completion_test(self, choice: str, operands: list[str]) -> str:
        """Emit a test whether a multiple choice can be completed from the empty set."""
        assert self.procedure.head is not None
        number = int(choice.rpartition(":")[2])
        head_choice = self.procedure.head.choices[number]
        line, found = self.spill(write_sequence(self, operands[0], head_choice.source.representation), "i32")
        can_be = write_completes(self, head_choice, number, found, "(call $sequence)", operands[1:])
        return f"(block (result i32) {line} {can_be})"

    def text(self, lines: Iterable[str], parameters: str, result: str) -> str:
        """Return the text of a function with these lines as its body."""
        body = "\n  ".join(lines)
        declared = self.local_declarations()
        function = f"(func ${self.name} {parameters} {result} {declared}\n  {body})"
        return "\n".join([function, *self.helper_functions])


def write_sequence(to: FunctionWriter, text: str, representation: Representation) -> str:
    """Emit a collection as a sequence."""
    if is_bit_set(representation):
        assert isinstance(representation, Set)
        return f"(call $listed {text} {i32_const(to.pool.bitset_words(representation.element))})"
    return text


def write_completes(
    to: FrameWriter, head_choice: control.HeadChoice, number: int, found: str, chosen: str, bounds: list[str]
) -> str:
    """Emit a test whether a set that contains those chosen can be completed to a legal one."""
    finish_index = to.function_index.finish[to.procedure.completion_test(number + 1)]
    representation = head_choice.name.representation
    words = (
        to.pool.bitset_words(representation.element)
        if is_bit_set(representation) and isinstance(representation, Set)
        else 0
    )
    slot = to.places[head_choice.name.name]
    least, most = bounds or (i64_const(-1), i64_const(-1))
    if head_choice.mode == "order":
        frame_arguments = f"(local.get $frame) {i32_const(slot)} {i32_const(finish_index)}"
        return f"(call $completes_order {frame_arguments} {found} {chosen} {least} {most})"
    return (
        f"(call $completes (local.get $frame) {i32_const(slot)} {i32_const(words)} "
        f"{i32_const(finish_index)} {found} {chosen}"
        f" {least} {most})"
    )


def unshared_value(to: FrameWriter, value: str, representation: Representation) -> str:
    """Emit a value as it is bound: statuses of the position are copied, as later steps change them."""
    if is_bit_set(representation):
        return f"(call $unshared {i32_const(to.pool.bitset_words(representation.element))} {value})"
    return pinned_value(value, representation)


def pinned_value(value: str, representation: Representation) -> str:
    """Emit a value that is identified by its address: a record is copied into the arena as soon as it is bound."""
    if isinstance(representation, Record):
        return f"(call $persist:{representation.type} {value})"
    if is_sequence(representation) and isinstance(representation.element, Record):
        return f"(call $persist_row:{representation.element.type} {value})"
    return value


Effect = Callable[[FrameWriter, control.Instruction], str]


def write_procedure(
    pool: ConstantPool, procedure: control.Procedure, function_index: FunctionIndex, effect: Effect
) -> str:
    """Emit a procedure as a function of its frame."""
    to = FrameWriter(pool, f"p:{procedure.key}", procedure, function_index)
    starts = block_starts(procedure.code)
    number = {start: index for index, start in enumerate(starts)}
    body = []
    ends = [*starts[1:], len(procedure.code)]
    for start, end in zip(starts, ends, strict=True):
        lines = [
            _step_count(to, index) + _write_instruction(to, each, index, number, effect)
            for index, each in enumerate(procedure.code[start:end], start)
        ]
        body.append("\n  ".join(lines))
    opening = " ".join(f"(block $b{index}" for index in reversed(range(len(starts))))
    table = " ".join(f"$b{index}" for index in range(len(starts)))
    text = f"(loop $go {opening} (br_table {table} (i32.load offset=4 (local.get $frame))))"
    text += "\n  " + ")\n  ".join(body)
    return to.text([text + ")", "unreachable"], "(param $frame i32)", "(result i32)")


def _step_count(to: FrameWriter, index: int) -> str:
    """Emit the count of an instruction in a module that counts it, else ""."""
    counts = to.pool.counts
    return counts.count_step(to.procedure.key, index) if counts else ""


def block_starts(code: tuple[control.Instruction, ...]) -> list[int]:
    """Return where blocks start: at targets of jumps, at decisions, and behind an exit from the procedure."""
    starts = {0}
    for index, each in enumerate(code):
        if isinstance(each, JUMPS):
            starts.add(each.target)
        if isinstance(each, control.AskOffer | control.AskChoice):
            starts.add(index)
        if isinstance(each, LEAVES):
            starts.add(index + 1)
    return sorted(starts & set(range(len(code))))


def _write_jump(number: dict[int, int], target: int) -> str:
    """Emit a jump to another instruction."""
    return f"(i32.store offset=4 (local.get $frame) {i32_const(number[target])}) (br $go)"


def _write_instruction(  # noqa: C901 -- one case an instruction
    to: FrameWriter, node: control.Instruction, index: int, number: dict[int, int], effect: Effect
) -> str:
    """Emit one instruction."""
    match node:
        case control.Bind(name, value):
            return write_bind(to, name, to.write(value))
        case control.Require(condition):
            return write_guard(to, condition, write_trap(TrapReason.BROKEN))
        case control.Jump(target):
            return _write_jump(number, target)
        case control.JumpUnless(condition, target):
            return write_guard(to, condition, _write_jump(number, target))
        case control.BeginLoop():
            return _write_begin_loop(to, node)
        case control.NextMember():
            return _write_next_member(to, node, number)
        case control.Expire(moment, is_own_only):
            player = to.load("fact:game.player", None, ENUM) if is_own_only else "(i32.const -1)"
            return f"(call $expire:{moment} {player})" if moment in to.function_index.procedures.expiring else ""
        case control.Invoke(procedure, arguments):
            return _write_calls(to, (procedure,), arguments, number[index + 1])
        case control.EmitEvent(hooks, arguments):
            return f"(call $end_pairs) {_write_calls(to, hooks, arguments, number[index + 1], tells=True)}"
        case control.ReturnIfGone(piece):
            return f"(if (call $has_left {to.read(piece)}) (then (call $return) (return (i32.const 0))))"
        case control.Halt(reason):
            return f"{write_trap(reason)} unreachable"
        case control.Return():
            return "(call $return) (return (i32.const 0))"
        case control.AskOffer(site) | control.AskChoice(site):
            return (
                f"(i32.store offset=4 (local.get $frame) {i32_const(number[index])}) "
                f"(global.set $site {i32_const(site)})"
                " (return (i32.const 1))"
            )
        case control.Draw():
            return effect(to, node)  # A binding: its value outlives the instruction.
        case _:
            return _with_scoped_memory(to, lambda: effect(to, node))


def write_guard(to: FrameWriter, condition: Core, alternative: str) -> str:
    """Emit what is executed if a condition does not hold; the memory of the condition is freed before."""
    holds = to.declare_local("i32")
    text = _with_scoped_memory(to, lambda: f"(local.set {holds} {to.write(condition)})")
    return f"{text} (if (i32.eqz (local.get {holds})) (then {alternative}))"


def _with_scoped_memory(to: FrameWriter, text: Callable[[], str]) -> str:
    """Emit code and free the memory that it allocated."""
    code = text()
    if "(call " not in code:
        return code
    mark = to.declare_local("i32")
    return f"(local.set {mark} (global.get $sp)) {code} (global.set $sp (local.get {mark}))"


def write_bind(to: FrameWriter, name: Local, value: str) -> str:
    """Emit a binding. The stack is freed except for the value; a value that refers to other memory frees nothing."""
    representation = name.representation
    if "(call " not in value and not is_bit_set(representation):
        return to.assign(name.name, value, representation)
    value = unshared_value(to, value, representation)
    value_local, mark = to.declare_local(type_of(representation)), to.declare_local("i32")
    lines = [f"(local.set {mark} (global.get $sp))", f"(local.set {value_local} {value})"]
    if is_sequence(representation) and isinstance(representation.element, Record):
        lines.append(f"(global.set $sp (local.get {mark}))")
    elif not has_references(representation):
        lines += to.compact(value_local, mark, representation)
    lines.append(to.assign(name.name, f"(local.get {value_local})", representation))
    return " ".join(lines)


def _write_calls(
    to: FrameWriter, keys: tuple[str, ...], arguments: tuple[Core, ...], continuation: int, *, tells: bool = False
) -> str:
    """Emit calls of procedures, the first one on top of the stack; their arguments lie below their frames."""
    if not keys:
        return ""
    base = to.declare_local("i32")
    lines = [f"(i32.store offset=4 (local.get $frame) {i32_const(continuation)}) (local.set {base} (global.get $sp))"]
    argument_lines, argument_values = write_arguments(to, arguments)
    lines += argument_lines
    reacting = ""
    if tells and any(to.function_index.procedures.procedures_by_key[key].offers for key in keys):
        line, reacting = to.spill("(call $reacting)", "i32")
        lines.append(line)
    player = to.read(Local("@player", ENUM))
    for key in reversed(keys):
        procedure = to.function_index.procedures.procedures_by_key[key]
        frame_local = to.declare_local("i32")
        text = push_frame(to, procedure, frame_local, f"(local.get {base})", player, argument_values)
        text += f" (local.set {base} (global.get $sp))"
        if to.pool.counts:
            text += to.pool.counts.count_call(to.function_index.index_by_key[key])
        if tells and procedure.offers:
            text = f"(if (i32.eqz {reacting}) (then {text}))"
        lines.append(text)
    return " ".join([*lines, "(return (i32.const 0))"])


Arguments = list[tuple[str, Representation]]


def write_arguments(to: FrameWriter, arguments: tuple[Core, ...]) -> tuple[list[str], Arguments]:
    """Emit the evaluation of the arguments of a procedure: statements, and the text that reads each value."""
    lines, argument_values = [], []
    for argument in arguments:
        line, value = to.spill(
            unshared_value(to, to.write(argument), argument.representation), type_of(argument.representation)
        )
        lines.append(line)
        argument_values.append((value, argument.representation))
    return lines, argument_values


def push_frame(
    to: FrameWriter, procedure: control.Procedure, frame_local: str, base: str, player: str, argument_values: Arguments
) -> str:
    """Emit code that pushes a frame with its arguments; the local `frame_local` receives its address."""
    size = FRAME_HEADER_BYTES + 8 * len(procedure.names)
    number = to.function_index.index_by_key[procedure.key]
    lines = [
        f"(local.set {frame_local} (call $begin {i32_const(number)} {i32_const(size)} {base} {player}))",
        write_unset_names(f"(local.get {frame_local})", procedure),
    ]
    lines += [
        f"({type_of(representation)}.store offset={FRAME_HEADER_BYTES + 8 * index} (local.get {frame_local}) {value})"
        for index, (value, representation) in enumerate(argument_values, 1)
    ]
    return " ".join(lines)


def write_unset_names(frame: str, procedure: control.Procedure) -> str:
    """Emit that the names of a frame, but for the player, are 0; few of them without a loop."""
    first, count = FRAME_HEADER_BYTES + 8, len(procedure.names) - 1
    if count > MOST_STORES:
        return f"(memory.fill (i32.add {frame} {i32_const(first)}) (i32.const 0) {i32_const(8 * count)})"
    return " ".join(f"(i64.store offset={first + 8 * index} {frame} (i64.const 0))" for index in range(count))


def _write_begin_loop(to: FrameWriter, node: control.BeginLoop) -> str:
    """Emit the start of a loop, which fixes its members."""
    text = write_bind(to, node.members, to.write(node.source))
    lines = [text, to.assign(node.cursor.name, i64_const(0), node.cursor.representation)]
    if node.book is not None:
        book = f"(i32.load (i32.const {to.pool.address_of(f'written:{node.record}')}))"
        lines.append(to.assign(node.book.name, book, node.book.representation))
    return " ".join(lines)


def _write_next_member(to: FrameWriter, node: control.NextMember, number: dict[int, int]) -> str:
    """Emit the binding of the next member that is still in the game."""
    representation = node.members.representation
    i, repeat_label = to.declare_local("i32"), to.label()
    index = f"(local.get {i})"
    advance = to.assign(
        node.cursor.name, f"(i64.extend_i32_s (i32.add {index} (i32.const 1)))", node.cursor.representation
    )
    cursor = f"(i32.wrap_i64 {to.read(node.cursor)})"
    exit_jump = _write_jump(number, node.target)
    if is_bit_set(representation):
        assert isinstance(representation, Set)
        words = i32_const(to.pool.bitset_words(representation.element))
        first = f"(local.set {i} (call $next_bit {to.read(node.members)} {words} {cursor}))"
        first += f" (if (i32.lt_s {index} (i32.const 0)) (then {exit_jump}))"
        value = index
    else:
        first = (
            f"(local.set {i} {cursor}) (if (i32.ge_u {index} (i32.load {to.read(node.members)})) (then {exit_jump}))"
        )
        value = narrowed_value(f"(call $item {to.read(node.members)} {index})", node.name.representation)
    line, member = to.spill(value, type_of(node.name.representation))
    lines = [first, line, advance]
    if isinstance(node.name.representation, Piece):
        lines.append(f"(br_if {repeat_label} (i32.eq (call $hex_of {member}) (i32.const -2)))")
    if node.book is not None:
        key = as_i64(member, node.name.representation)
        current_records = f"(i32.load (i32.const {to.pool.address_of(f'written:{node.record}')}))"
        earlier_membership = f"(call $has_item {to.read(node.book)} {key})"
        lines.append(
            f"(br_if {repeat_label} (i32.and {earlier_membership} (i32.eqz (call $has_item {current_records} {key}))))"
        )
    lines.append(to.assign(node.name.name, member, node.name.representation))
    return f"(loop {repeat_label} {' '.join(lines)})"
