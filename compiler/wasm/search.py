"""Emit searches for shortest paths on the map (Dijkstra 1959), with gate and price inlined.

In: a search of the core. Out: WebAssembly text that leaves the cost, the path or the reached hexes on the stack.
"""

from compiler.core import ir
from compiler.core.representation import HEX, RATIO, Representation
from compiler.core.trap_reason import TrapReason
from compiler.wasm.bit_sets import WordReader, stored_set, write_bit_loop
from compiler.wasm.function import FunctionWriter, representation_constant, type_of, write_less, write_trap

PATHS_PER_HEX = 8  # Ways in the heap for each hex of the map, on average.


def write_cheapest(to: FunctionWriter, node: ir.Cheapest) -> str:
    """Emit a search. Costs and predecessors are stored in arrays, open paths in a heap."""
    representation = node.cost
    hexes = to.pool.layout.hexes
    costs, predecessors, visited_hexes, heap, top = (to.declare_local("i32") for _ in range(5))
    current_hex, neighbor_hex = to.bind(node.step[0], HEX), to.bind(node.step[1], HEX)
    cost = to.declare_local("i64")
    price = to.declare_local("i64")
    end = to.declare_local("i32")
    limit = to.declare_local("i64")
    lines = []
    most = ""
    if node.most is not None:
        line, most = to.spill(to.write(node.most), "i64")
        lines.append(line)
    words = to.pool.layout.bitset_words("hex")
    start_line, start = to.spill(to.write(node.start), "i32")
    goal = ""
    lines.append(start_line)
    if node.goal is not None:
        line, goal = to.spill(to.write(node.goal), "i32")
        lines.append(line)
    ratios = int(representation == RATIO)
    lines += [
        f"(local.set {end} (i32.const 0))",
        f"(local.set {costs} (call $alloc (i32.const {8 * hexes})))",
        f"(local.set {predecessors} (call $alloc (i32.const {4 * hexes})))",
        f"(local.set {visited_hexes} (call $bits (i32.const {words})))",
        f"(local.set {heap} (call $alloc (i32.const {16 * (PATHS_PER_HEX * hexes + 1)})))",
        f"(i32.store (local.get {heap}) (i32.const 0))",
        f"(i32.store offset=4 (local.get {heap}) (i32.const {PATHS_PER_HEX * hexes}))",
    ]
    push = f"(call $push (local.get {heap}) (i32.const {ratios})"
    first = f"{push} {representation_constant(0, representation)} (local.get {current_hex}) (i32.const -1))"
    known, note = visited_hexes, ""
    if node.price is None:
        # All steps cost the same: the first path to a hex is the shortest, and no other path to it is pushed.
        known = to.declare_local("i32")
        lines.append(f"(local.set {known} (call $bits (i32.const {words})))")
        first += f" (call $put (local.get {known}) (local.get {current_hex}))"
        note = f" (call $put (local.get {known}) (local.get {neighbor_hex}))"
    lines.append(write_bit_loop(to, stored_set(start, words), current_hex, first))
    step = f"(local.set {price} {_step_price(to, node, representation)})"
    added = (
        f"(call $add_ratios (local.get {cost}) (local.get {price}))"
        if ratios
        else f"(i64.add (local.get {cost}) (local.get {price}))"
    )
    step += f" (local.set {price} {added})"
    onward = f"{push} (local.get {price}) (local.get {neighbor_hex}) (local.get {current_hex})){note}"
    if most:
        onward = f"(if (i32.eqz {write_less(most, f'(local.get {price})', representation)}) (then {onward}))"
    step = f"{step} {onward}"
    if node.gate is not None:
        step = f"(if {to.write(node.gate)} (then {step}))"
    mark = to.declare_local("i32")
    step = (
        f"(local.set {mark} (global.get $sp)) (if (i32.eqz (call $bit (local.get {known}) (local.get {neighbor_hex})))"
        f" (then {step})) (global.set $sp (local.get {mark}))"
    )
    neighbor_set = to.declare_local("i32")
    spread = write_bit_loop(to, stored_set(f"(local.get {neighbor_set})", words), neighbor_hex, step)
    loop, stop, skip = to.label(), to.label(), to.label()
    lines.append(
        f"(block {stop} (loop {loop} (br_if {stop} (i32.eqz (i32.load (local.get {heap}))))"
        f" (local.set {top} (call $pop (local.get {heap}) (i32.const {ratios})))"
        f" (local.set {current_hex} (i32.load offset=8 (local.get {top})))"
        f" (block {skip} (br_if {skip} (call $bit (local.get {visited_hexes}) (local.get {current_hex})))"
        f" (local.set {cost} (i64.load (local.get {top})))"
        f"{_write_limit_exit(node, (cost, end, limit), representation, stop)}"
        f" (call $put (local.get {visited_hexes}) (local.get "
        f"{current_hex})){_record_arrival(node, goal, (current_hex, cost, end, limit))}"
        f" (i64.store (i32.add (local.get {costs}) (i32.shl (local.get "
        f"{current_hex}) (i32.const 3))) (local.get {cost}))"
        f" (i32.store (i32.add (local.get {predecessors}) (i32.shl (local.get {current_hex}) (i32.const 2)))"
        f" (i32.load offset=12 (local.get {top})))"
        f" (local.set {neighbor_set} (call $neighbors (local.get {current_hex}))) {spread}) (br {loop})))"
    )
    lines.append(_write_result(to, node, (costs, predecessors, visited_hexes, goal), words, representation))
    return f"(block (result {type_of(node.representation)}) {' '.join(lines)})"


def _write_limit_exit(
    node: ir.Cheapest, path_locals: tuple[str, str, str], representation: Representation, stop: str
) -> str:
    """Emit the exit where a path costs more than the shortest one to the goal, which is all that the search is for."""
    cost, end, limit = path_locals
    if node.goal is None:
        return ""
    farther = write_less(f"(local.get {limit})", f"(local.get {cost})", representation)
    return f" (br_if {stop} (i32.and (local.get {end}) {farther}))"


def _record_arrival(node: ir.Cheapest, goal: str, path_locals: tuple[str, str, str, str]) -> str:
    """Emit the assignment of the cost of the shortest path to the goal when the search reaches its first hex."""
    current_hex, cost, end, limit = path_locals
    if node.goal is None:
        return ""
    first = f"(i32.and (i32.eqz (local.get {end})) (call $bit {goal} (local.get {current_hex})))"
    return f" (if {first} (then (local.set {end} (i32.const 1)) (local.set {limit} (local.get {cost}))))"


def _step_price(to: FunctionWriter, node: ir.Cheapest, representation: Representation) -> str:
    """Emit the cost of a step, at least 0."""
    if node.price is None:
        return representation_constant(1, representation)
    line, value = to.spill(to.write(node.price), "i64")
    zero = representation_constant(0, representation)
    return f"(block (result i64) {line} (select {zero} {value} {write_less(value, zero, representation)}))"


def _write_result(
    to: FunctionWriter,
    node: ir.Cheapest,
    found: tuple[str, str, str, str],
    words: int,
    representation: Representation,
) -> str:
    """Emit the result of a search."""
    costs, predecessors, visited_hexes, goal = found
    if node.kind == "reachable":
        return f"(local.get {visited_hexes})"
    nearest, h, value = to.declare_local("i32"), to.declare_local("i32"), to.declare_local("i64")
    cost = f"(i64.load (i32.add (local.get {costs}) (i32.shl (local.get {h}) (i32.const 3))))"
    better = (
        f"(i32.or (i32.lt_s (local.get {nearest}) (i32.const 0)) "
        f"{write_less(cost, f'(local.get {value})', representation)})"
    )
    take = f"(if {better} (then (local.set {nearest} (local.get {h})) (local.set {value} {cost})))"

    def reached_goals(offset: str) -> str:
        visited_word = f"(i64.load (i32.add (local.get {visited_hexes}) {offset}))"
        return f"(i64.and (i64.load (i32.add {goal} {offset})) {visited_word})"

    lines = [f"(local.set {nearest} (i32.const -1))", write_bit_loop(to, WordReader("", reached_goals, words), h, take)]
    if node.kind == "cheapest_cost":
        none = write_trap(TrapReason.GAP) + " unreachable" if node.default is None else to.write(node.default)
        missed = f"(i32.lt_s (local.get {nearest}) (i32.const 0))"
        return " ".join((*lines, f"(if (result i64) {missed} (then {none}) (else (local.get {value})))"))
    path = to.declare_local("i32")
    current_hex = to.declare_local("i32")
    loop = to.label()
    stop = to.label()
    n = to.declare_local("i32")
    repeat_label, exit_label = to.label(), to.label()
    follow = f"(i32.load (i32.add (local.get {predecessors}) (i32.shl (local.get {current_hex}) (i32.const 2))))"
    lines += [
        f"(local.set {n} (i32.const 0)) (local.set {current_hex} (local.get {nearest}))",
        f"(block {stop} (loop {loop} (br_if {stop} (i32.lt_s (local.get {current_hex}) (i32.const 0)))",
        f"(local.set {n} (i32.add (local.get {n}) (i32.const 1))) (local.set {current_hex} {follow}) (br {loop})))",
        f"(local.set {path} (call $alloc (i32.add (i32.const 8) (i32.shl (local.get {n}) (i32.const 3)))))",
        f"(i64.store (local.get {path}) (i64.extend_i32_u (local.get {n}))) "
        f"(local.set {current_hex} (local.get {nearest}))",
        f"(block {exit_label} (loop {repeat_label} (br_if {exit_label} "
        f"(i32.lt_s (local.get {current_hex}) (i32.const 0)))",
        f"(i64.store (i32.add (local.get {path}) (i32.shl (local.get {n}) (i32.const 3)))",
        f" (i64.extend_i32_s (local.get {current_hex})))",
        f"(local.set {n} (i32.sub (local.get {n}) (i32.const 1))) (local.set "
        f"{current_hex} {follow}) (br {repeat_label})))",
        f"(local.get {path})",
    ]
    return " ".join(lines)
