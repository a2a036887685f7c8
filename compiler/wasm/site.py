"""Emit the functions of a site: the side that decides, the candidates, which of them are open, and the effects.

The functions of a site are consecutive in the table; play.wat calls them by the number of the site.
"""

from collections.abc import Callable

from compiler.core import control
from compiler.core.ir import Core, Local, TrapReason
from compiler.core.representation import Piece, Representation, Set, is_bit_set
from compiler.wasm.expression import write_expression
from compiler.wasm.function import i32_const, i64_const, type_of, write_trap
from compiler.wasm.memory import ConstantPool
from compiler.wasm.procedure import (
    HEADER,
    STOP,
    FrameWriter,
    Numbers,
    as_sequence,
    block_starts,
    push_frame,
    write_arguments,
    write_bind,
    write_completes,
)

Make = Callable[[str], FrameWriter]
MOST_TAKEN = 10_000  # Actions in one offer.
MET = STOP + 1  # Queries whether an offer has reached its required condition, instead of whether an action is open.
FRAME, VALUE = "(param $frame i32)", "(param $frame i32) (param $value i64)"


def write_site(
    pool: ConstantPool,
    procedure: control.Procedure,
    numbers: Numbers,
    node: control.AskOffer | control.AskChoice,
    at: int,
) -> list[str]:
    """Emit the functions of a site, which is at instruction `at` of its procedure."""

    def writer(name: str) -> FrameWriter:
        return FrameWriter(pool, f"{name}:{node.site}", procedure, numbers)

    side = writer("side")
    text = f"(block (result i32) {write_expression(side, node.by)})"
    asked = side.text([text], FRAME, "(result i32)")
    following = block_starts(procedure.code).index(at) + 1
    rest = _offer(node, writer, following) if isinstance(node, control.AskOffer) else _choice(node, writer, following)
    return [asked, *rest]


def _resume_at(following: int) -> str:
    return f"(i32.store offset=4 (local.get $frame) {i32_const(following)})"


def _offer(node: control.AskOffer, make: Make, following: int) -> list[str]:
    """Emit an offer, whose options are actions by their index, or its end."""
    members = make("members")
    line, row = members.spill("(call $sequence)", "i32")
    rows = [line, *(f"(call $append {row} {i64_const(at)})" for at in range(len(node.actions)))]
    rows += [f"(call $append {row} {i64_const(STOP)})", row]
    texts = [members.text(rows, FRAME, "(result i32)")]
    test = make("open")
    until = "(i32.const 1)" if node.until is None else write_expression(test, node.until)
    lines = [f"(if (i64.eq (local.get $value) {i64_const(STOP)}) (then (return {until})))"]
    if node.met is not None:
        lines.append(
            f"(if (i64.eq (local.get $value) {i64_const(MET)}) (then (return {write_expression(test, node.met)})))"
        )
    for at, (name, arguments) in enumerate(node.actions):
        lines.append(
            f"(if (i64.eq (local.get $value) {i64_const(at)}) (then {_opens(test, name, arguments, node.by)}))"
        )
    texts.append(test.text([*lines, "unreachable"], VALUE, "(result i32)"))
    take = make("take")
    ends = f"(i32.store offset=16 (local.get $frame) (i32.const 0)) {_resume_at(following)} (return)"
    taken = "(i32.load offset=16 (local.get $frame))"
    mark = 0 if node.met is None else node.site + 1 << 16
    broken = write_trap(TrapReason.BROKEN)
    lines = [
        f"(if (i64.eq (local.get $value) {i64_const(STOP)}) (then {ends}))",
        f"(i32.store offset=16 (local.get $frame) (i32.or (i32.add {taken} (i32.const 1)) {i32_const(mark)}))",
        f"(if (i32.gt_u (i32.and {taken} (i32.const 0xffff)) {i32_const(MOST_TAKEN)}) (then {broken}))",
    ]
    for at, (name, arguments) in enumerate(node.actions):
        begin, _ = begin_action(take, name, arguments, node.by)
        lines.append(f"(if (i64.eq (local.get $value) {i64_const(at)}) (then {begin} (return)))")
    texts.append(take.text([*lines, "unreachable"], VALUE, ""))
    return texts


def begin_action(to: FrameWriter, action: str, arguments: tuple[Core, ...], by: Core) -> tuple[str, str]:
    """Emit the start of an action; return also the local that has the address of its frame."""
    procedure = to.numbers.procedures.of[f"action:{action}"]
    base, made = to.declare_local("i32"), to.declare_local("i32")
    lines = [f"(local.set {base} (global.get $sp))"]
    player_line, player = to.spill(write_expression(to, by), "i32")
    argument_lines, given = write_arguments(to, arguments)
    lines += [player_line, *argument_lines]
    lines.append(push_frame(to, procedure, made, f"(local.get {base})", player, given))
    return " ".join(lines), made


def _opens(to: FrameWriter, action: str, arguments: tuple[Core, ...], by: Core) -> str:
    """Emit a test whether an action can be completed legally, in a temporary frame on the stack."""
    begin, made = begin_action(to, action, arguments, by)
    procedure = to.numbers.procedures.of[f"action:{action}"]
    open_, top = to.declare_local("i32"), to.declare_local("i32")
    left = " ".join(
        f"(if (call $has_left (i32.load offset={HEADER + 8 * at} (local.get {made})))"
        f" (then (global.set $top (local.get {top})) (return (i32.const 0))))"
        for at, part in enumerate(procedure.parameters, 1)
        if isinstance(part.of, Piece)
    )
    asked = f"(local.set {open_} (call $finish:{action}:0 (local.get {made})))"
    return (
        f"(local.set {top} (global.get $top)) {begin} {left} {asked} (global.set $top (local.get {top}))"
        f" (return (local.get {open_}))"
    )


def _choice(node: control.AskChoice, make: Make, following: int) -> list[str]:
    """Emit a choice of one member, or of several one after the other."""
    if node.how:
        return _several(node, make, following)
    members = make("members")
    texts = [members.text([_fresh(members, node.everybody)], FRAME, "(result i32)")]
    test = make("open")
    member = _narrow(node.name.of)
    lines = []
    if node.passes is not None:
        lines.append(test.assign(node.member.name, member, node.member.of))
        lines.append(f"(if (i32.eqz {write_expression(test, node.passes)}) (then (return (i32.const 0))))")
    if node.head is not None:
        lines.append(test.assign(node.name.name, member, node.name.of))
        lines.append(f"(call {_finish(test, node.head)} (local.get $frame))")
    else:
        lines.append("(i32.const 1)")
    texts.append(test.text(lines, VALUE, "(result i32)"))
    take = make("take")
    texts.append(take.text([take.assign(node.name.name, member, node.name.of), _resume_at(following)], VALUE, ""))
    return texts


def _finish(to: FrameWriter, head: int) -> str:
    return f"$finish:{to.procedure.key.removeprefix('action:')}:{head + 1}"


def _narrow(of: Representation) -> str:
    return "(local.get $value)" if type_of(of) == "i64" else "(i32.wrap_i64 (local.get $value))"


def _fresh(to: FrameWriter, source: Core) -> str:
    """Emit a collection as a fresh sequence, which may be changed."""
    text = write_expression(to, source)
    return as_sequence(to, text, source.of) if is_bit_set(source.of) else f"(call $copy_sequence {text})"


def _several(node: control.AskChoice, make: Make, following: int) -> list[str]:
    """Emit a choice of a set, from members behind the last one chosen, or of an order, from the rest; and the end."""
    members = make("members")
    chosen = f"(i32.load offset={members.places[node.chosen.name]} (local.get $frame))"
    line, row = members.spill(_fresh(members, node.source), "i32")
    count_line, count = members.spill(_chosen_count(chosen), "i32")
    least, most = _bounds(members, node)
    lines = [line, count_line, *least[0], *most[0]]
    # Members up to the last one chosen are removed from the row; all are removed where no more may be added.
    lines.append(f"(call $cut_to_{'rest' if node.how == 'order' else 'later'} {row} {chosen})")
    if most[1]:
        full = f"(i64.ge_s (i64.extend_i32_s {count}) {most[1]})"
        lines.append(f"(if {full} (then (i32.store {row} (i32.const 0))))")
        if node.head is None and node.how == "any":
            missing = f"(i64.sub {least[1]} (i64.extend_i32_s {count}))"
            lines.append(f"(call $leave_enough {row} {missing})")
    # Memory behind a truncated row stays allocated; the end of the choice is appended to a copy with capacity for it.
    made_line, made = members.spill(f"(call $copy_sequence {row})", "i32")
    lines.append(made_line)
    stops = i32_const(int(node.how == "any"))
    if most[1]:
        wide = f"(i64.extend_i32_s {count})"
        stops = f"(i32.and (i64.ge_s {wide} {least[1]}) (i64.le_s {wide} {most[1]}))"
    lines.append(f"(if {stops} (then (call $append {made} {i64_const(STOP)})))")
    texts = [members.text([*lines, made], FRAME, "(result i32)")]
    texts.append(_grows(node, make("open")))
    texts.append(_collected(node, make("take"), following))
    return texts


def _chosen_count(chosen: str) -> str:
    return f"(if (result i32) {chosen} (then (i32.load {chosen})) (else (i32.const 0)))"


def _bounds(to: FrameWriter, node: control.AskChoice) -> tuple[tuple[list[str], str], tuple[list[str], str]]:
    """Emit the bounds of a choice, each evaluated once."""
    if node.least is None or node.most is None:
        return ([], ""), ([], "")
    least_line, least = to.spill(write_expression(to, node.least), "i64")
    most_line, most = to.spill(write_expression(to, node.most), "i64")
    return ([least_line], least), ([most_line], most)


def _grows(node: control.AskChoice, to: FrameWriter) -> str:
    """Emit a test whether a set can still be completed with one more member, or is complete."""
    if node.head is None:
        return to.text(["(i32.const 1)"], VALUE, "(result i32)")
    chosen = f"(i32.load offset={to.places[node.chosen.name]} (local.get $frame))"
    line, row = to.spill(f"(call $chosen_row {chosen})", "i32")
    words = i32_const(to.pool.bitset_words(node.name.of.of)) if is_bit_set(node.name.of) else ""  # type: ignore[union-attr]
    whole = f"(call $bits_of {words} {row})" if words else row
    stop = (
        f"{to.assign(node.name.name, whole, node.name.of)} (return (call {_finish(to, node.head)} (local.get $frame)))"
    )
    assert to.procedure.head is not None
    several = to.procedure.head.choices[node.head]
    bounds = (
        []
        if node.least is None or node.most is None
        else [write_expression(to, node.least), write_expression(to, node.most)]
    )
    found_line, found = to.spill(as_sequence(to, write_expression(to, node.source), node.source.of), "i32")
    grown_line, grown = to.spill(f"(call $copy_sequence {row})", "i32")
    return to.text(
        [
            line,
            f"(if (i64.eq (local.get $value) {i64_const(STOP)}) (then {stop}))",
            found_line,
            grown_line,
            f"(call $append {grown} (local.get $value))",
            write_completes(to, several, node.head, found, grown, bounds),
        ],
        VALUE,
        "(result i32)",
    )


def _when_full(node: control.AskChoice, to: FrameWriter, grown: str, following: int) -> list[str]:
    """Emit the end of an order that has all its members, or as many as are allowed."""
    if node.how != "order":
        return []
    source_line, source = to.spill(as_sequence(to, write_expression(to, node.source), node.source.of), "i32")
    longest = f"(i64.extend_i32_u (i32.load {source}))"
    lines = [source_line]
    if node.most is not None:
        most_line, most = to.spill(write_expression(to, node.most), "i64")
        lines.append(most_line)
        longest = f"(select {most} {longest} (i64.lt_s {most} {longest}))"
    place = to.places[node.chosen.name]
    done = (
        f"{to.assign(node.name.name, grown, node.name.of)} (i32.store offset={place} (local.get $frame) (i32.const 0))"
        f" {_resume_at(following)}"
    )
    return [*lines, f"(if (i64.ge_s (i64.extend_i32_u (i32.load {grown})) {longest}) (then {done}))"]


def _collected(node: control.AskChoice, to: FrameWriter, following: int) -> str:
    """Emit code that adds one more member to a set, or ends the choice with the set as it is."""
    place = to.places[node.chosen.name]
    chosen = f"(i32.load offset={place} (local.get $frame))"
    line, row = to.spill(f"(call $chosen_row {chosen})", "i32")
    of = node.name.of
    value = row
    if is_bit_set(of):
        assert isinstance(of, Set)
        value = f"(call $bits_of {i32_const(to.pool.bitset_words(of.of))} {row})"
    done = (
        f"{write_bind(to, Local(node.name.name, of), value)}"
        f" (i32.store offset={place} (local.get $frame) (i32.const 0)) {_resume_at(following)} (return)"
    )
    grown_line, grown = to.spill(f"(call $copy_sequence {row})", "i32")
    return to.text(
        [
            line,
            f"(if (i64.eq (local.get $value) {i64_const(STOP)}) (then {done}))",
            grown_line,
            f"(call $append {grown} (local.get $value)) (i32.store offset={place} (local.get $frame) {grown})",
            *_when_full(node, to, grown, following),
        ],
        VALUE,
        "",
    )
