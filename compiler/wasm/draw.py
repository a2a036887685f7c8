"""Emit how a random player draws an option of a site without listing the others (runtime/play/random_draw.py).

In: a choice or an offer. Out: the text of its function `$draw:N`: it takes an option and returns 1, or returns 0 where
none is open. The candidates of a choice of one member of a bit set stay a set: a drawn number selects a member by
counting bits, and a member that is not open leaves the set. Other candidates are a row (`$draw` in play.wat).
"""

from functools import reduce

from compiler.core import control
from compiler.core.representation import is_bit_set
from compiler.wasm.bit_sets import MOST_UNROLLED, WORD_BITS, word_reader, write_copied, write_words
from compiler.wasm.function import i32_const
from compiler.wasm.procedure import SITE_FUNCTIONS, FrameWriter

PARAMETERS, RESULT = "(param $frame i32) (param $side i32)", "(result i32)"


def write_draw(to: FrameWriter, node: control.AskOffer | control.AskChoice) -> str:
    """Emit the function of a site."""
    if isinstance(node, control.AskChoice) and not node.mode and is_bit_set(node.unfiltered_source.representation):
        return _draw_from_set(to, node)
    site = i32_const(SITE_FUNCTIONS * node.site)
    return to.text([f"(call $draw (local.get $frame) {site} (local.get $side))"], PARAMETERS, RESULT)


def _draw_from_set(to: FrameWriter, node: control.AskChoice) -> str:
    """Emit a draw from a bit set, whose words are in locals or, if there are many, in memory."""
    mark, left, number, member, chosen = (to.declare_local("i32") for _ in range(5))
    reader = word_reader(to, node.unfiltered_source)
    if reader.word_count <= MOST_UNROLLED:
        words = [to.declare_local("i64") for _ in range(reader.word_count)]
        beginning = f"{reader.before} {write_words(words, reader.words())}"
        count, pick = _count_of(words), _pick_of(to, words, number, member)
    else:
        beginning, candidates = to.spill(write_copied(to, node.unfiltered_source), "i32")
        count = f"(call $count_bits {candidates} {i32_const(reader.word_count)})"
        pick = f"(local.set {member} (call $take_bit {candidates} (local.get {number})))"
    fewer = f"(local.set {left} (i32.sub (local.get {left}) (i32.const 1)))"
    next_draw, next_test, exit_label = to.label(), to.label(), to.label()
    if node.filter_condition is None and node.head is None:
        is_closed, another = "", f"(if (local.get {left}) (then (call $mark)))"
    else:
        is_closed = f"(br_if {next_draw} (i32.eqz {_open_test(node, member)}))"
        # A decision is counted if another candidate is open; they are asked from the last one on.
        another = (
            f"(block {exit_label} (loop {next_test} (br_if {exit_label} (i32.eqz (local.get {left}))) {fewer}"
            f" (local.set {number} (local.get {left})) {pick}"
            f" (br_if {next_test} (i32.eqz {_open_test(node, member)})) (call $mark)))"
        )
    value = f"(i64.extend_i32_u (local.get {chosen}))"
    lines = [
        f"(local.set {mark} (global.get $sp)) (call $restart_chance (local.get $side)) {beginning}",
        f"(local.set {left} {count})",
        f"(loop {next_draw} (if (i32.eqz (local.get {left}))"
        f" (then (global.set $sp (local.get {mark})) (return (i32.const 0))))"
        f" (local.set {number} (call $draw_number (local.get {left}))) {pick} {fewer} {is_closed})",
        f"(local.set {chosen} (local.get {member})) {another}",
        f"(global.set $sp (local.get {mark})) (call $log_choice {i32_const(node.site)} {value})",
        f"(call $take:{node.site} (local.get $frame) {value}) (i32.const 1)",
    ]
    return to.text(lines, PARAMETERS, RESULT)


def _open_test(node: control.AskChoice, member: str) -> str:
    """Emit the test whether a member is open; a filter alone keeps no memory but that of its evaluation."""
    value = f"(i64.extend_i32_u (local.get {member}))"
    if node.head is None:
        return f"(call $open:{node.site} (local.get $frame) {value})"
    return f"(call $is_open (local.get $frame) {i32_const(SITE_FUNCTIONS * node.site)} {value})"


def _count_of(words: list[str]) -> str:
    """Emit the number of bits of words in locals."""
    counts = [f"(i64.popcnt (local.get {word}))" for word in words]
    return f"(i32.wrap_i64 {reduce(lambda one, other: f'(i64.add {one} {other})', counts)})"


def _pick_of(to: FrameWriter, words: list[str], number: str, member: str) -> str:
    """Emit the removal of the member of a number from words in locals."""
    picked, bits = to.label(), to.declare_local("i32")
    picks = []
    for index, word in enumerate(words):
        bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u (local.get {member})))"
        rest = f"(local.set {number} (i32.sub (local.get {number}) (local.get {bits})))"
        picks.append(
            f"(if (i32.lt_u (local.get {number})"
            f" (local.tee {bits} (i32.wrap_i64 (i64.popcnt (local.get {word})))))"
            f" (then (local.set {member} (call $nth_bit (local.get {word}) (local.get {number})))"
            f" (local.set {word} (i64.xor (local.get {word}) {bit}))"
            f" (local.set {member} (i32.add (local.get {member}) {i32_const(WORD_BITS * index)}))"
            f" (br {picked}))) {rest}"
        )
    return f"(block {picked} {' '.join(picks)})"
