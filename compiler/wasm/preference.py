"""Emit the worth of options for a greedy player (runtime/players/greedy.py): the next preference that is legally met.

In: the preferences of choices in the core. Out: WebAssembly text of the functions that the greedy player calls.

A worth is a fraction, or absent where no preference is met. `$ahead:ACTION:n` searches the head of an action whose
first n choices are made; `$worth:SITE` evaluates one option of a site.
"""

from compiler.core import control
from compiler.core.ir import Core, Local
from compiler.core.representation import Set, is_bit_set
from compiler.wasm.fold import write_member_loop
from compiler.wasm.function import i32_const, i64_const, type_of
from compiler.wasm.memory import ConstantPool
from compiler.wasm.procedure import (
    END_VALUE,
    FrameWriter,
    FunctionIndex,
    function_name,
    write_completes,
    write_sequence,
)
from runtime.graph.layout import ABSENT64

NO_OPTION = i64_const(ABSENT64)


def write_best_completion(pool: ConstantPool, procedure: control.Procedure, function_index: FunctionIndex) -> list[str]:
    """Emit the search for the completion of a head that a greedy player prefers, from its beginning and each choice."""
    head = procedure.head
    if head is None:
        return []
    action = procedure.action
    texts = []
    speaks = any(choice.preferring is not None for choice in head.choices)
    moves = any(choice.movement is not None for choice in head.choices)
    for number, stages in enumerate(head.stages):
        to = FrameWriter(pool, f"ahead:{action}:{number}", procedure, function_index)
        lines = [NO_OPTION]
        if (speaks or moves) and number < len(head.choices):
            mark = to.declare_local("i32")
            back = f"(global.set $sp (local.get {mark}))"
            lines = [f"(local.set {mark} (global.get $sp))"]
            if not speaks:
                lines.insert(0, f"(if (i32.eqz (global.get $plan)) (then (return {NO_OPTION})))")
            lines += [_stage(to, stage, back) for stage in stages]
            choice = head.choices[number]
            value_line, value = to.spill(_best_preference(to, choice, number), "i64")
            lines += [value_line, back, value]
        texts.append(to.text(lines, "(param $frame i32)", "(result i64)"))
    return texts


def _stage(to: FrameWriter, stage: control.Stage, back: str) -> str:
    """Emit the binding of a variable, or a condition without which no preference is met."""
    if isinstance(stage, tuple):
        return to.assign(stage[0].name, to.write(stage[1]), stage[0].representation)
    return f"(if (i32.eqz {to.write(stage)}) (then {back} (return {NO_OPTION})))"


def _is_better(top: str, worth: str) -> str:
    """Emit whether a preference exceeds the best one, if there is one yet."""
    return f"(if (result i32) (i64.eq {top} {NO_OPTION}) (then (i32.const 1)) (else (call $less_ratios {top} {worth})))"


def _best_preference(to: FrameWriter, choice: control.HeadChoice, number: int) -> str:
    """Emit the best preference that is met from a choice on."""
    if choice.mode:
        return _grown_worth(to, choice, number) if choice.mode == "any" and choice.preferring is not None else NO_OPTION
    action = to.procedure.action
    best, worth = to.declare_local("i64"), to.declare_local("i64")
    current_worth, top = f"(local.get {worth})", f"(local.get {best})"
    better = _is_better(top, current_worth)
    name = to.procedure.completion_test(number + 1)
    finishes = f"(call ${function_name(name)} (local.get $frame))"
    ahead_branch = (
        f"(local.set {worth} (call $ahead:{action}:{number + 1} (local.get $frame)))"
        f" (if (i64.ne {current_worth} {NO_OPTION}) (then (if {better} (then (local.set {best} {current_worth})))))"
    )
    immediate_branch = f"(if {better} (then (if {finishes} (then (local.set {best} {current_worth})))))"
    if choice.preferring is None and choice.movement is None:
        body = ahead_branch
    else:
        preference = _preference_value(to, choice.preferring, choice.name, choice.movement)
        body = (
            f"(local.set {worth} {preference}) (if (i64.eq {current_worth} "
            f"{NO_OPTION}) (then {ahead_branch}) (else {immediate_branch}))"
        )
    mark = to.declare_local("i32")
    bound = to.assign(choice.name.name, to.read(choice.member), choice.name.representation)
    body = f"(local.set {mark} (global.get $sp)) {bound} {body} (global.set $sp (local.get {mark}))"
    first, loop = write_member_loop(to, choice.source, choice.member.name, body)
    return f"(block (result i64) (local.set {best} {NO_OPTION}) {first} {loop} {top})"


def _preference_value(to: FrameWriter, preferring: Core | None, name: Local, movement: control.Movement | None) -> str:
    """Emit the worth of a member that is bound to its variable: by the orders of a plan, else by the rules."""
    written = NO_OPTION if preferring is None else to.write(preferring)
    if movement is None:
        return written
    if movement.piece is not None:
        return f"(call $worth_of_hex {to.read(movement.piece)} {to.read(name)} {written})"
    when = ("", "at_once", "later").index(movement.when)
    return f"(call $worth_of_piece {to.read(name)} {i32_const(when)} {written})"


def _grown_worth(to: FrameWriter, choice: control.HeadChoice, number: int) -> str:
    """Emit the worth of a set that is grown greedily, member by member, as long as its worth increases."""
    assert choice.preferring is not None
    best, worth, i = to.declare_local("i64"), to.declare_local("i64"), to.declare_local("i32")
    current_worth, top = f"(local.get {worth})", f"(local.get {best})"
    found_line, found = to.spill(write_sequence(to, to.write(choice.source), choice.source.representation), "i32")
    chosen_line, chosen = to.spill("(call $sequence)", "i32")
    trial_line, trial = to.spill(f"(call $copy_sequence {chosen})", "i32")
    bounds = [] if choice.least is None or choice.most is None else [to.write(choice.least), to.write(choice.most)]
    better = _is_better(top, current_worth)
    loop, exit_label = to.label(), to.label()
    name = chosen.removeprefix("(local.get ").removesuffix(")")
    lines = [
        found_line, chosen_line, f"(local.set {best} {NO_OPTION}) (local.set {i} (i32.const 0))",
        f"(block {exit_label} (loop {loop} (br_if {exit_label} (i32.ge_u (local.get {i}) (i32.load {found})))",
        f"{trial_line} (call $append {trial} (call $item {found} (local.get {i})))",
        to.assign(choice.name.name, _as_set(to, trial, choice.name), choice.name.representation),
        f"(local.set {worth} {to.write(choice.preferring)})",
        f"(if {better} (then (if {write_completes(to, choice, number, found, trial, bounds)}",
        f"  (then (local.set {name} {trial}) (local.set {best} {current_worth})))))",
        f"(local.set {i} (i32.add (local.get {i}) (i32.const 1))) (br {loop})))",
    ]  # fmt: skip
    return f"(block (result i64) {' '.join(lines)} {top})"


def _as_set(to: FrameWriter, row: str, name: Local) -> str:
    """Emit a row of members in the representation that a choice binds."""
    if not is_bit_set(name.representation):
        return row
    assert isinstance(name.representation, Set)
    return f"(call $bits_of {i32_const(to.pool.bitset_words(name.representation.element))} {row})"


def write_worth(
    pool: ConstantPool,
    procedure: control.Procedure,
    function_index: FunctionIndex,
    node: control.AskOffer | control.AskChoice,
) -> str:
    """Emit the worth of an option of a site; for a set that is grown, its worth with one more member, or as it is."""
    to = FrameWriter(pool, f"worth:{node.site}", procedure, function_index)
    if isinstance(node, control.AskOffer):
        lines = _offer_worth(to, node)
    elif node.mode:
        lines = (
            [NO_OPTION] if node.preferring is None or node.mode == "order" else _set_worth(to, node, node.preferring)
        )
    else:
        value = (
            "(local.get $value)" if type_of(node.name.representation) == "i64" else "(i32.wrap_i64 (local.get $value))"
        )
        lines = [to.assign(node.name.name, value, node.name.representation)]
        preference = _preference_value(to, node.preferring, node.name, node.movement)
        if node.head is None or (node.preferring is not None and node.movement is None):
            lines.append(preference)
        else:
            action = procedure.action
            later = f"(call $ahead:{action}:{node.head + 1} (local.get $frame))"
            line, worth = to.spill(preference, "i64")
            lines += [line, f"(if (result i64) (i64.eq {worth} {NO_OPTION}) (then {later}) (else {worth}))"]
    return to.text(lines, "(param $frame i32) (param $value i64)", "(result i64)")


def _offer_worth(to: FrameWriter, node: control.AskOffer) -> list[str]:
    """Emit the worth of an action; without a preference, or to end the offer, it is 0."""
    from compiler.wasm.site import begin_action  # noqa: PLC0415 -- sites are weighed by functions of their own

    nothing = i64_const(1)  # The fraction 0/1.
    lines = [f"(if (i64.eq (local.get $value) {i64_const(END_VALUE)}) (then (return {nothing})))"]
    top, worth = to.declare_local("i32"), to.declare_local("i64")
    for index, (name, arguments) in enumerate(node.actions):
        action = i32_const(to.function_index.index_by_key[f"action:{name}"])
        shunned = f"(if (call $is_shunned {action}) (then (return {nothing})))"
        begin, frame_local = begin_action(to, name, arguments, node.decider)
        begin = f"{shunned} {begin}"
        looked = (
            f"(local.set {top} (global.get $top)) {begin}"
            f" (local.set {worth} (call $ahead:{name}:0 (local.get {frame_local}))) (global.set $top (local.get {top}))"
            f" (return (call $worth_of_action {action} (local.get {worth})))"
        )
        lines.append(f"(if (i64.eq (local.get $value) {i64_const(index)}) (then {looked}))")
    return [*lines, "unreachable"]


def _set_worth(to: FrameWriter, node: control.AskChoice, preferring: Core) -> list[str]:
    """Emit the worth of a set with an option added; 0 for the empty set."""
    chosen = f"(i32.load offset={to.places[node.chosen.name]} (local.get $frame))"
    row_line, row = to.spill(f"(call $chosen_row {chosen})", "i32")
    extended_row_line, extended_row = to.spill(f"(call $copy_sequence {row})", "i32")
    none = f"(i32.and (i64.eq (local.get $value) {i64_const(END_VALUE)}) (i32.eqz (i32.load {row})))"
    return [
        row_line,
        f"(if {none} (then (return {i64_const(1)})))",
        extended_row_line,
        f"(if (i64.ne (local.get $value) {i64_const(END_VALUE)})"
        f" (then (call $append {extended_row} (local.get $value))))",
        to.assign(node.name.name, _as_set(to, extended_row, node.name), node.name.representation),
        to.write(preferring),
    ]
