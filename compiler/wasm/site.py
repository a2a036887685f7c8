"""Emit the functions of a site: the side that decides, the candidates, which of them are open, and the effects.

In: an offer or choice of a lowered procedure. Out: the texts of its functions. They are consecutive in the table;
play.wat calls them by the number of the site.
"""

from collections.abc import Callable

from compiler.core import control
from compiler.core.ir import Core, Local
from compiler.core.representation import Piece, Representation, Set, is_bit_set
from compiler.core.trap_reason import TrapReason
from compiler.wasm.draw import write_draw
from compiler.wasm.function import UnsupportedError, has_references, i32_const, i64_const, type_of, write_trap
from compiler.wasm.memory import ConstantPool
from compiler.wasm.procedure import (
    END_VALUE,
    FRAME_HEADER_BYTES,
    FrameWriter,
    FunctionIndex,
    block_starts,
    pinned_value,
    push_frame,
    unshared_value,
    write_arguments,
    write_bind,
    write_completes,
    write_sequence,
)

FrameFunction = Callable[[str], FrameWriter]
MOST_TAKEN = 10_000  # Actions in one offer.
MET = (
    END_VALUE + 1
)  # Queries whether an offer has reached its required condition, instead of whether an action is open.
FRAME, VALUE = "(param $frame i32)", "(param $frame i32) (param $value i64)"


def write_site(
    pool: ConstantPool,
    procedure: control.Procedure,
    function_index: FunctionIndex,
    node: control.AskOffer | control.AskChoice,
    index: int,
) -> list[str]:
    """Emit the functions of a site, which is at instruction `index` of its procedure."""

    def writer(name: str) -> FrameWriter:
        return FrameWriter(pool, f"{name}:{node.site}", procedure, function_index)

    side = writer("side")
    text = f"(block (result i32) {side.write(node.decider)})"
    side_function = side.text([text], FRAME, "(result i32)")
    following = block_starts(procedure.code).index(index) + 1
    rest = _offer(node, writer, following) if isinstance(node, control.AskOffer) else _choice(node, writer, following)
    return [side_function, *rest, write_draw(writer("draw"), node)]


def _resume_at(following: int) -> str:
    return f"(i32.store offset=4 (local.get $frame) {i32_const(following)})"


def _offer(node: control.AskOffer, make: FrameFunction, following: int) -> list[str]:
    """Emit an offer, whose options are actions by their index, or its end."""
    members = make("members")
    line, row = members.spill("(call $sequence)", "i32")
    rows = [line, *(f"(call $append {row} {i64_const(index)})" for index in range(len(node.actions)))]
    rows += [f"(call $append {row} {i64_const(END_VALUE)})", row]
    texts = [members.text(rows, FRAME, "(result i32)")]
    test = make("open")
    until = "(i32.const 1)" if node.until is None else test.write(node.until)
    lines = [f"(if (i64.eq (local.get $value) {i64_const(END_VALUE)}) (then (return {until})))"]
    if node.obligation is not None:
        lines.append(f"(if (i64.eq (local.get $value) {i64_const(MET)}) (then (return {test.write(node.obligation)})))")
    for index, (name, arguments) in enumerate(node.actions):
        lines.append(
            f"(if (i64.eq (local.get $value) {i64_const(index)}) (then "
            f"{_opening_test(test, name, arguments, node.decider)}))"
        )
    texts.append(test.text([*lines, "unreachable"], VALUE, "(result i32)"))
    take = make("take")
    ends = f"(i32.store offset=16 (local.get $frame) (i32.const 0)) {_resume_at(following)} (return)"
    taken_count = "(i32.load offset=16 (local.get $frame))"
    mark = 0 if node.obligation is None else node.site + 1 << 16
    broken = write_trap(TrapReason.BROKEN)
    lines = [
        f"(if (i64.eq (local.get $value) {i64_const(END_VALUE)}) (then {ends}))",
        f"(i32.store offset=16 (local.get $frame) (i32.or (i32.add {taken_count} (i32.const 1)) {i32_const(mark)}))",
        f"(if (i32.gt_u (i32.and {taken_count} (i32.const 0xffff)) {i32_const(MOST_TAKEN)}) (then {broken}))",
    ]
    for index, (name, arguments) in enumerate(node.actions):
        begin, _ = begin_action(take, name, arguments, node.decider)
        lines.append(f"(if (i64.eq (local.get $value) {i64_const(index)}) (then {begin} (return)))")
    texts.append(take.text([*lines, "unreachable"], VALUE, ""))
    return texts


def begin_action(to: FrameWriter, action: str, arguments: tuple[Core, ...], decider: Core) -> tuple[str, str]:
    """Emit the start of an action; return also the local that has the address of its frame."""
    procedure = to.function_index.procedures.procedures_by_key[f"action:{action}"]
    base, frame_local = to.declare_local("i32"), to.declare_local("i32")
    lines = [f"(local.set {base} (global.get $sp))"]
    player_line, player = to.spill(to.write(decider), "i32")
    argument_lines, argument_values = write_arguments(to, arguments)
    lines += [player_line, *argument_lines]
    lines.append(push_frame(to, procedure, frame_local, f"(local.get {base})", player, argument_values))
    return " ".join(lines), frame_local


def _opening_test(to: FrameWriter, action: str, arguments: tuple[Core, ...], decider: Core) -> str:
    """Emit a test whether an action can be completed legally, in a temporary frame on the stack."""
    begin, frame_local = begin_action(to, action, arguments, decider)
    procedure = to.function_index.procedures.procedures_by_key[f"action:{action}"]
    open_, top = to.declare_local("i32"), to.declare_local("i32")
    left = " ".join(
        f"(if (call $has_left (i32.load offset={FRAME_HEADER_BYTES + 8 * index} (local.get {frame_local})))"
        f" (then (global.set $top (local.get {top})) (return (i32.const 0))))"
        for index, part in enumerate(procedure.parameters, 1)
        if isinstance(part.representation, Piece)
    )
    completion_test = f"(local.set {open_} (call $finish:{action}:0 (local.get {frame_local})))"
    return (
        f"(local.set {top} (global.get $top)) {begin} {left} {completion_test} (global.set $top (local.get {top}))"
        f" (return (local.get {open_}))"
    )


def _choice(node: control.AskChoice, make: FrameFunction, following: int) -> list[str]:
    """Emit a choice of one member, or of several one after the other."""
    if node.mode:
        return _multiple_choice(node, make, following)
    members = make("members")
    texts = [members.text([_fresh_sequence(members, node.unfiltered_source)], FRAME, "(result i32)")]
    test = make("open")
    member = _narrowed_option(node.name.representation)
    lines = []
    if node.filter_condition is not None:
        lines.append(test.assign(node.member.name, member, node.member.representation))
        lines.append(f"(if (i32.eqz {test.write(node.filter_condition)}) (then (return (i32.const 0))))")
    if node.head is not None:
        lines.append(test.assign(node.name.name, member, node.name.representation))
        lines.append(f"(call {_finish(test, node.head)} (local.get $frame))")
    else:
        lines.append("(i32.const 1)")
    texts.append(test.text(lines, VALUE, "(result i32)"))
    take = make("take")
    texts.append(take.text([*_bind_member(take, node.name, member), _resume_at(following)], VALUE, ""))
    return texts


def _bind_member(to: FrameWriter, name: Local, member: str) -> list[str]:
    """Emit the binding of a chosen member; one in the memory of the options, which are freed, moves onto the stack."""
    representation = name.representation
    pinned = pinned_value(member, representation)
    if pinned != member:
        return [to.assign(name.name, pinned, representation)]
    if has_references(representation):
        raise UnsupportedError("a choice among collections of collections")
    value, mark = to.declare_local(type_of(representation)), to.declare_local("i32")
    return [
        f"(local.set {value} {unshared_value(to, member, representation)}) (local.set {mark} (global.get $sp))",
        *to.compact(value, mark, representation),
        to.assign(name.name, f"(local.get {value})", representation),
    ]


def _finish(to: FrameWriter, head: int) -> str:
    return f"${to.procedure.completion_test(head + 1)}"


def _narrowed_option(representation: Representation) -> str:
    return "(local.get $value)" if type_of(representation) == "i64" else "(i32.wrap_i64 (local.get $value))"


def _fresh_sequence(to: FrameWriter, source: Core) -> str:
    """Emit a collection as a fresh sequence, which may be changed."""
    text = to.write(source)
    if is_bit_set(source.representation):
        return write_sequence(to, text, source.representation)
    return f"(call $copy_sequence {text})"


def _multiple_choice(node: control.AskChoice, make: FrameFunction, following: int) -> list[str]:
    """Emit a choice of a set, from members behind the last one chosen, or of an order, from the rest; and the end."""
    members = make("members")
    chosen = f"(i32.load offset={members.places[node.chosen.name]} (local.get $frame))"
    line, row = members.spill(_fresh_sequence(members, node.source), "i32")
    count_line, count = members.spill(_chosen_count(chosen), "i32")
    least, most = _bounds(members, node)
    lines = [line, count_line, *least[0], *most[0]]
    # Members up to the last one chosen are removed from the row; all are removed where no more may be added.
    lines.append(f"(call $cut_to_{'rest' if node.mode == 'order' else 'later'} {row} {chosen})")
    if most[1]:
        full = f"(i64.ge_s (i64.extend_i32_s {count}) {most[1]})"
        lines.append(f"(if {full} (then (i32.store {row} (i32.const 0))))")
        if node.head is None and node.mode == "any":
            missing = f"(i64.sub {least[1]} (i64.extend_i32_s {count}))"
            lines.append(f"(call $leave_enough {row} {missing})")
    # Memory behind a truncated row stays allocated; the end of the choice is appended to a copy with capacity for it.
    options_line, options = members.spill(f"(call $copy_sequence {row})", "i32")
    lines.append(options_line)
    stops = i32_const(int(node.mode == "any"))
    if most[1]:
        wide = f"(i64.extend_i32_s {count})"
        stops = f"(i32.and (i64.ge_s {wide} {least[1]}) (i64.le_s {wide} {most[1]}))"
    lines.append(f"(if {stops} (then (call $append {options} {i64_const(END_VALUE)})))")
    texts = [members.text([*lines, options], FRAME, "(result i32)")]
    texts.append(_growth_test(node, make("open")))
    texts.append(_collecting_function(node, make("take"), following))
    return texts


def _chosen_count(chosen: str) -> str:
    return f"(if (result i32) {chosen} (then (i32.load {chosen})) (else (i32.const 0)))"


def _bounds(to: FrameWriter, node: control.AskChoice) -> tuple[tuple[list[str], str], tuple[list[str], str]]:
    """Emit the bounds of a choice, each evaluated once."""
    if node.least is None or node.most is None:
        return ([], ""), ([], "")
    least_line, least = to.spill(to.write(node.least), "i64")
    most_line, most = to.spill(to.write(node.most), "i64")
    return ([least_line], least), ([most_line], most)


def _growth_test(node: control.AskChoice, to: FrameWriter) -> str:
    """Emit a test whether a set can still be completed with one more member, or is complete."""
    if node.head is None:
        return to.text(["(i32.const 1)"], VALUE, "(result i32)")
    chosen = f"(i32.load offset={to.places[node.chosen.name]} (local.get $frame))"
    line, row = to.spill(f"(call $chosen_row {chosen})", "i32")
    words = (
        i32_const(to.pool.bitset_words(node.name.representation.element))
        if is_bit_set(node.name.representation)
        else ""
    )
    set_value = f"(call $bits_of {words} {row})" if words else row
    stop = (
        f"{to.assign(node.name.name, set_value, node.name.representation)} "
        f"(return (call {_finish(to, node.head)} (local.get $frame)))"
    )
    assert to.procedure.head is not None
    head_choice = to.procedure.head.choices[node.head]
    bounds = [] if node.least is None or node.most is None else [to.write(node.least), to.write(node.most)]
    source = head_choice.source
    found_line, found = to.spill(write_sequence(to, to.write(source), source.representation), "i32")
    grown_line, grown = to.spill(f"(call $copy_sequence {row})", "i32")
    return to.text(
        [
            line,
            f"(if (i64.eq (local.get $value) {i64_const(END_VALUE)}) (then {stop}))",
            found_line,
            grown_line,
            f"(call $append {grown} (local.get $value))",
            write_completes(to, head_choice, node.head, found, grown, bounds),
        ],
        VALUE,
        "(result i32)",
    )


def _full_order_end(node: control.AskChoice, to: FrameWriter, grown: str, following: int) -> list[str]:
    """Emit the end of an order that has all its members, or as many as are allowed."""
    if node.mode != "order":
        return []
    source_line, source = to.spill(write_sequence(to, to.write(node.source), node.source.representation), "i32")
    longest = f"(i64.extend_i32_u (i32.load {source}))"
    lines = [source_line]
    if node.most is not None:
        most_line, most = to.spill(to.write(node.most), "i64")
        lines.append(most_line)
        longest = f"(select {most} {longest} (i64.lt_s {most} {longest}))"
    place = to.places[node.chosen.name]
    completion = (
        f"{to.assign(node.name.name, grown, node.name.representation)} (i32.store "
        f"offset={place} (local.get $frame) (i32.const 0))"
        f" {_resume_at(following)}"
    )
    return [*lines, f"(if (i64.ge_s (i64.extend_i32_u (i32.load {grown})) {longest}) (then {completion}))"]


def _collecting_function(node: control.AskChoice, to: FrameWriter, following: int) -> str:
    """Emit code that adds one more member to a set, or ends the choice with the set as it is."""
    place = to.places[node.chosen.name]
    chosen = f"(i32.load offset={place} (local.get $frame))"
    line, row = to.spill(f"(call $chosen_row {chosen})", "i32")
    representation = node.name.representation
    value = row
    if is_bit_set(representation):
        assert isinstance(representation, Set)
        value = f"(call $bits_of {i32_const(to.pool.bitset_words(representation.element))} {row})"
    completion = (
        f"{write_bind(to, Local(node.name.name, representation), value)}"
        f" (i32.store offset={place} (local.get $frame) (i32.const 0)) {_resume_at(following)} (return)"
    )
    grown_line, grown = to.spill(f"(call $copy_sequence {row})", "i32")
    return to.text(
        [
            line,
            f"(if (i64.eq (local.get $value) {i64_const(END_VALUE)}) (then {completion}))",
            grown_line,
            f"(call $append {grown} (local.get $value)) (i32.store offset={place} (local.get $frame) {grown})",
            *_full_order_end(node, to, grown, following),
        ],
        VALUE,
        "",
    )
