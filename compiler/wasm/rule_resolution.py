"""Emit the resolution of clauses to an answer: each defeater is evaluated before what it defeats, each guard once.

In: the clauses of a term in the core. Out: WebAssembly text that leaves the answer on the stack.
"""

from collections.abc import Iterable

from compiler.core import ir
from compiler.core.ir import Clause, Form
from compiler.core.representation import RATIO, Record, Set, is_bit_set
from compiler.core.trap_reason import TrapReason
from compiler.wasm.function import (
    FunctionWriter,
    UnsupportedError,
    has_references,
    i32_const,
    representation_constant,
    type_of,
    write_equality,
    write_less,
    write_trap,
    write_union,
)


def write_live(to: FunctionWriter, clause: Clause, flags: dict[str, str]) -> str:
    """Emit a test whether a clause is live."""
    to.lazy.update({each.name: each.value for each in clause.lazy})
    text = "(i32.const 1)" if clause.guard is None else to.write(clause.guard)
    for other in clause.defeated_by:
        if other in flags:
            text = f"(if (result i32) (local.get {flags[other]}) (then (i32.const 0)) (else {text}))"
    return text


def write_verdict(to: FunctionWriter, node: ir.Verdict) -> str:
    """Emit a verdict.

    Without a tally the first live clause that bars decides; a live clause that grants decides if no barring clause
    follows.
    """
    if node.tally is not None:
        return _write_tallied_verdict(to, node, node.tally)
    exit_label, granted = to.label(), to.declare_local("i32")
    needed = {label for clause, _ in node.clauses for label in clause.defeated_by}
    barring = [index for index, (_, grants) in enumerate(node.clauses) if grants is False]
    last = barring[-1] if barring else -1
    flags: dict[str, str] = {}
    lines = [f"(local.set {granted} (i32.const {int(node.default)}))"]
    for index, (clause, grants) in enumerate(node.clauses):
        if index > last and node.default:
            break
        text = write_live(to, clause, flags)
        if grants is False:
            lines.append(f"(if {text} (then (br {exit_label} (i32.const 0))))")
            continue
        if clause.label in needed:
            flags[clause.label] = to.declare_local("i32")
            lines.append(f"(local.set {flags[clause.label]} {text})")
            text = f"(local.get {flags[clause.label]})"
        if grants:
            action = f"(br {exit_label} (i32.const 1))" if index > last else f"(local.set {granted} (i32.const 1))"
            lines.append(f"(if {text} (then {action}))")
    return f"(block {exit_label} (result i32) {' '.join(lines)} (local.get {granted}))"


def _write_tallied_verdict(to: FunctionWriter, node: ir.Verdict, tally: int) -> str:
    """Emit a verdict that evaluates every clause, and records which were live."""
    flags: dict[str, str] = {}
    granted, barred = to.declare_local("i32"), to.declare_local("i32")
    lines = [f"(local.set {granted} {i32_const(int(node.default))}) (local.set {barred} (i32.const 0))"]
    for clause, grants in node.clauses:
        text = write_live(to, clause, flags)
        flags[clause.label] = to.declare_local("i32")
        lines.append(f"(local.set {flags[clause.label]} {text})")
        if grants is not None:
            decided = granted if grants else barred
            lines.append(f"(if (local.get {flags[clause.label]}) (then (local.set {decided} (i32.const 1))))")
    lines += _write_tally(to, tally, flags.values())
    answer = f"(i32.and (local.get {granted}) (i32.eqz (local.get {barred})))"
    return f"(block (result i32) {' '.join(lines)} {answer})"


def _write_tally(to: FunctionWriter, tally: int, live_flags: Iterable[str]) -> list[str]:
    """Emit the record that clauses were evaluated, which of them were live, and whether none was."""
    counts = to.pool.counts
    assert counts is not None
    lines, is_silent, bit = [counts.mark(tally)], "(i32.const 1)", tally
    for bit, flag in enumerate(live_flags, tally + 1):
        lines.append(f"(if (local.get {flag}) (then {counts.mark(bit)}))")
        is_silent = f"(select (i32.const 0) {is_silent} (local.get {flag}))"
    return [*lines, f"(if {is_silent} (then {counts.mark(bit + 1)}))"]


def write_resolve(to: FunctionWriter, node: ir.Resolve) -> str:
    """Emit the answer that the live clauses determine together."""
    needed = {label for clause in node.clauses for label in clause.defeated_by}
    flags: dict[str, str] = {}
    type_ = type_of(node.representation)
    answer, found = to.declare_local(type_), to.declare_local("i32")
    lines = [_initial_answer(to, node, answer), f"(local.set {found} (i32.const 0))"]
    excluded: list[tuple[str, Clause]] = []
    for clause in node.clauses:
        text = write_live(to, clause, flags)
        if clause.label in needed or clause.excludes or node.tally is not None:
            flags[clause.label] = to.declare_local("i32")
            lines.append(f"(local.set {flags[clause.label]} {text})")
            text = f"(local.get {flags[clause.label]})"
        if clause.excludes:
            excluded.append((text, clause))
        elif clause.value is not None:
            lines.append(f"(if {text} (then {_joined_value(to, node, clause, answer, found)}))")
    if node.tally is not None:
        lines += _write_tally(to, node.tally, flags.values())
    for text, clause in excluded:
        assert clause.value is not None
        lines.append(
            f"(if {text} (then (local.set {answer} {_write_exclusion(to, node, answer, to.write(clause.value))})))"
        )
    if node.form in (Form.VALUE, Form.MIN, Form.MAX):
        silent = (
            write_trap(TrapReason.GAP) if node.default is None else f"(local.set {answer} {to.write(node.default)})"
        )
        lines.append(f"(if (i32.eqz (local.get {found})) (then {silent}))")
    return f"(block (result {type_}) {' '.join(lines)} (local.get {answer}))"


def _initial_answer(to: FunctionWriter, node: ir.Resolve, answer: str) -> str:
    """Emit the initial value of an answer."""
    if node.form == Form.SET:
        assert isinstance(node.representation, Set)
        empty = (
            f"(call $bits {i32_const(to.pool.bitset_words(node.representation.element))})"
            if is_bit_set(node.representation)
            else "(call $sequence)"
        )
        return f"(local.set {answer} {empty})"
    return f"(local.set {answer} {representation_constant(0, node.representation)})"


def _joined_value(to: FunctionWriter, node: ir.Resolve, clause: Clause, answer: str, found: str) -> str:
    """Emit how the value of a live clause is combined with the answer so far."""
    assert clause.value is not None
    text = to.write(clause.value)
    answer_value, found_mark = f"(local.get {answer})", f"(local.set {found} (i32.const 1))"
    if node.form == Form.SUM:
        add = (
            f"(call $add_ratios {answer_value} {text})"
            if node.representation == RATIO
            else f"(i64.add {answer_value} {text})"
        )
        return f"(local.set {answer} {add})"
    if node.form == Form.SET:
        assert isinstance(node.representation, Set)
        if is_bit_set(node.representation):
            return (
                f"(call $or_into {i32_const(to.pool.bitset_words(node.representation.element))} {answer_value} {text})"
            )
        return f"(local.set {answer} {write_union(to, node.representation, answer_value, text)})"
    line, value = to.spill(text, type_of(node.representation))
    if node.form == Form.VALUE:
        differs = f"(i32.eqz {write_equality(to.pool, value, answer_value, node.representation)})"
        clash = f"(if (local.get {found}) (then (if {differs} (then {write_trap(TrapReason.CLASH)}))))"
        return f"{line} {clash} (local.set {answer} {value}) {found_mark}"
    first = (
        write_less(value, answer_value, node.representation)
        if node.form == Form.MIN
        else write_less(answer_value, value, node.representation)
    )
    takes = f"(if (i32.or (i32.eqz (local.get {found})) {first}) (then (local.set {answer} {value})))"
    return f"{line} {takes} {found_mark}"


def _write_exclusion(to: FunctionWriter, node: ir.Resolve, answer: str, text: str) -> str:
    """Emit a set without the elements that a clause excludes."""
    assert isinstance(node.representation, Set)
    if is_bit_set(node.representation):
        return (
            f"(call $without_bits {i32_const(to.pool.bitset_words(node.representation.element))} "
            f"(local.get {answer}) {text})"
        )
    if has_references(node.representation) and not isinstance(node.representation.element, Record):
        raise UnsupportedError("a set of sets without others")
    return f"(call $without_sequence (local.get {answer}) {text})"
