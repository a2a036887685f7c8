"""Emit the effects of instructions on a position: on tracks, statuses, pieces, pairs, records and dice.

In: an instruction of the core. Out: WebAssembly text that executes it in the memory of the game.

Values that a position refers to are copied into the arena when they are stored. They are immutable there, except for
the fields of records, which have identity.
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import control
from compiler.core.ir import Core, Local
from compiler.core.passes.footprint import field_of
from compiler.core.representation import (
    HEXSIDE,
    PIECE,
    Crossing,
    Record,
    Representation,
    Set,
    is_bit_set,
    is_sequence,
    member_representation,
)
from compiler.core.trap_reason import TrapReason
from compiler.wasm.function import (
    CROSSING_BYTES,
    FunctionWriter,
    UnsupportedError,
    as_i64,
    i32_const,
    i64_const,
    type_of,
    write_if_other,
    write_trap,
)
from compiler.wasm.procedure import FrameWriter, write_bind, write_sequence
from compiler.wasm.validity import CHANGED_BY_SHEET, CROSSED, EVERYTHING, MOVED
from runtime.graph import nodes as graph
from runtime.graph.effects.primitives import (
    CreatePiece,
    FlipPiece,
    MovePiece,
    PrimitiveEffect,
    RelatePieces,
    RemovePiece,
    StrikeRecord,
    WriteRecord,
)
from runtime.graph.layout import ABSENT32, ABSENT64, MOST_PAIRS

ONE = {"": 0, "left": 1, "right": 2}


class Effects:
    """An emitter of effects."""

    def __init__(self, relations: Mapping[str, graph.Relation]) -> None:
        """Store the declared relations by name."""
        self.relations = relations

    def __call__(self, to: FrameWriter, node: control.Instruction) -> str:
        """Emit one effect, with the invalidation of the memoized answers that depend on it."""
        match node:
            case control.Store(array, index) | control.StoreBit(array, index):
                if index is None:
                    assert isinstance(node, control.Store)
                    return self.write_store(to, node, self.write_stale(to, array))
                line, local, index_value = self.evaluate_index(to, index)
                wrote = self.write_stale(to, array, index_value, index.representation)
                if isinstance(node, control.Store):
                    return f"{line} {self.write_store(to, replace(node, index=local), wrote)}"
                return f"{line} {self.store_bit(to, replace(node, index=local), wrote)}"
            case control.StoreField(record, place, value):
                line, base = to.spill(to.write(record), "i32")
                persistent_value = as_i64(
                    self.write_persistent(to, to.write(value), value.representation), value.representation
                )
                return (
                    f"{line} (i64.store offset={8 * place} {base} {persistent_value}) "
                    f"{self.invalidate_record(to, record)}"
                )
            case control.Extend(array, index, _, _, record):
                if record is not None:
                    return f"{self.write_extend(to, node)} {self.invalidate_record(to, record)}"
                if index is None:
                    return f"{self.write_extend(to, node)} {self.write_stale(to, array)}"
                line, local, index_value = self.evaluate_index(to, index)
                extended = self.write_extend(to, replace(node, index=local))
                return f"{line} {extended} {self.write_stale(to, array, index_value, index.representation)}"
            case control.ApplyEffect(effect, name):
                return self.write_effect(to, effect, name)
            case control.Roll(name, low, high):
                thrown = f"(call $throw {i64_const(low)} {i64_const(high)} (global.get $dice_subject))"
                rolled = to.assign(name.name, thrown, name.representation)
                return f"{self.write_subject(to, node)} {rolled}"
            case control.Draw():
                return self.write_draw(to, node)
            case _:
                raise AssertionError(node)

    def write_effect(self, to: FrameWriter, effect: PrimitiveEffect[Core], name: Local | None) -> str:
        """Emit a primitive effect, with a count of the steps that a piece gets back, and the binding to a name."""
        if not isinstance(effect, MovePiece | FlipPiece | RemovePiece) or "regained" not in to.pool.layout.arrays:
            return self.write_act(to, effect, name)
        line, piece, p = self.evaluate_index(to, effect.piece)
        before_line, before = to.spill(f"(call $steps_left {p})", "i32")
        act = self.write_act(to, replace(effect, piece=piece), name)
        return f"{line} {before_line} {act} (call $recover {p} {before})"

    def write_act(self, to: FrameWriter, effect: PrimitiveEffect[Core], name: Local | None) -> str:
        """Emit what a primitive effect does, and the binding of what it creates to a name."""
        match effect:
            case MovePiece():
                return self.write_move(to, effect)
            case RemovePiece(for_good, as_lost, piece):
                line, p = to.spill(to.write(piece), "i32")
                placed = self.write_placement(to, p, i32_const(-2 if for_good else -4 if as_lost else -3), "open")
                in_play = f"(i32.ne (call $hex_of {p}) (i32.const -2))"
                return f"{line} (if {in_play} (then {placed}))"
            case FlipPiece(face, piece):
                line, p = to.spill(to.write(piece), "i32")
                invalidation = to.pool.validity.write_stale(to.pool.layout, CHANGED_BY_SHEET, p, PIECE)
                return f"{line} (call $turn_{face} {p}) {invalidation}"
            case CreatePiece():
                creation = self.write_creation(to, effect, name)
                return f"{creation} {to.pool.validity.write_stale(to.pool.layout, EVERYTHING)}"
            case RelatePieces():
                return self.write_relation(to, effect)
            case WriteRecord():
                return self.write_record(to, effect, name)
            case StrikeRecord(record):
                base, stale = self.records_of(to, record)
                key = as_i64(to.write(record), record.representation)
                return f"(i32.store {base} (call $persist_without (i32.load {base}) {key})) {stale}"
            case _:
                raise AssertionError(effect)  # The core has other instructions for tracks, fields and statuses.

    def write_record(self, to: FrameWriter, effect: WriteRecord[Core], name: Local | None) -> str:
        """Emit the addition of a record to those of its type."""
        record = effect.record
        base, stale = self.records_of(to, record)
        line, pointer = to.spill(self.write_persistent(to, to.write(record), record.representation), "i32")
        text = f"{line} (i32.store {base} (call $persist_with (i32.load {base}) (i64.extend_i32_s {pointer})))"
        return f"{text} {stale}" + (f" {to.assign(name.name, pointer, name.representation)}" if name else "")

    def records_of(self, to: FrameWriter, record: Core) -> tuple[str, str]:
        """Return the address of the records of the same type, and the invalidation of what was read from them."""
        assert isinstance(record.representation, Record)
        array = f"written:{record.representation.type}"
        return i32_const(to.pool.address_of(array)), self.write_stale(to, array)

    def write_stale(
        self, to: FrameWriter, array: str, index: str = "", representation: Representation | None = None
    ) -> str:
        """Emit the invalidation of what was read from an array, at an index or of its only value."""
        return to.pool.validity.write_stale(to.pool.layout, (field_of(array),), index, representation)

    def invalidate_record(self, to: FrameWriter, record: Core) -> str:
        """Emit the invalidation of what was read from the fields of a record type."""
        assert isinstance(record.representation, Record)
        return self.write_stale(to, f"fields:{record.representation.type}")

    def evaluate_index(self, to: FrameWriter, index: Core) -> tuple[str, Core, str]:
        """Emit code that evaluates an index once: the statement, the local that binds it, and the text of a read."""
        name = Local(f".{to.label()[2:]}", index.representation)
        return to.assign(name.name, to.write(index), index.representation), name, to.read(name)

    def store_bit(self, to: FrameWriter, node: control.StoreBit, wrote: str) -> str:
        """Emit code that sets or clears a bit, and the invalidation `wrote` if the bit changes."""
        index = to.write(node.index)
        if node.index.representation == HEXSIDE:
            index = f"(call $slot {index})"
        base, on = i32_const(to.pool.address_of(node.array)), i32_const(int(node.on))
        return f"(if (call $change_bit {base} {index} {on}) (then {wrote}))"

    def write_placement(self, to: FrameWriter, piece: str, destination: str, place: str) -> str:
        """Emit code that moves a piece to a hex or off the map.

        It invalidates reads of both hexes and of the pieces on the map.
        """
        validity, layout = to.pool.validity, to.pool.layout
        moved = validity.write_stale(layout, MOVED, piece, PIECE)
        old = to.declare_local("i32")
        off = f"(i32.lt_s (i32.or (local.get {old}) (call $hex_of {piece})) (i32.const 0))"
        crossed = validity.write_stale(layout, CROSSED, piece, PIECE)
        return (
            f"(local.set {old} (call $hex_of {piece})) {moved} (call $place_piece {piece} {destination})"
            f" {self.put_place(to, piece, place)} {moved}" + (f" (if {off} (then {crossed}))" if crossed else "")
        )

    def write_subject(self, to: FrameWriter, node: control.Roll) -> str:
        """Emit the key of the subjects of a roll, 0 in games whose dice do not depend on them."""
        lines = ["(global.set $dice_subject (i64.const 0))"]
        added = []
        for subject in node.subjects:
            value = to.write(subject)
            if is_bit_set(subject.representation) or is_sequence(subject.representation):
                added.append(f"(call $add_subjects {write_sequence(to, value, subject.representation)})")
            else:
                added.append(f"(call $add_subject (i64.extend_i32_s {value}))")
        if added:
            lines.append(f"(if (global.get $by_action) (then {' '.join(added)}))")
        return " ".join(lines)

    def write_store(self, to: FrameWriter, node: control.Store, wrote: str) -> str:
        """Emit a store into an element of an array, and the invalidation `wrote` if the value changes."""
        wide = to.pool.layout.arrays[node.array].element in ("i64", "ratio")
        type_ = "i64" if wide else "i32"
        address = to.address(node.array, None if node.index is None else to.write(node.index), 8 if wide else 4)
        value = f"({type_}.const {ABSENT64 if wide else ABSENT32})"
        if node.value is not None:
            value = self.write_persistent(to, to.write(node.value), node.value.representation)
        return write_if_other(to, address, value, type_, wrote)

    def write_persistent(self, to: FunctionWriter, text: str, representation: Representation) -> str:
        """Emit a value that outlives the evaluation: what it refers to is copied into the arena."""
        if is_bit_set(representation):
            assert isinstance(representation, Set)
            return f"(call $persist_bytes {text} {i32_const(to.pool.bitset_words(representation.element) * 8)})"
        if isinstance(representation, Record):
            return f"(call $persist:{representation.type} {text})"
        if is_sequence(representation):
            member = representation.element
            if isinstance(member, Record):
                return f"(call $persist_row:{member.type} {text})"
            if member is not None and (is_bit_set(member) or is_sequence(member)):
                raise UnsupportedError("a collection of collections that is kept")
            return f"(call $persist_sequence {text})"
        if isinstance(representation, Crossing):
            return f"(call $persist_bytes {text} {i32_const(CROSSING_BYTES)})"
        return text

    def write_extend(self, to: FrameWriter, node: control.Extend) -> str:
        """Emit code that adds an element to a collection of the position."""
        line, value = to.spill(
            self.write_persistent(to, to.write(node.element), node.element.representation),
            type_of(node.element.representation),
        )
        if node.record is not None:
            first, base = to.spill(to.write(node.record), "i32")
            old = to.declare_local("i64")
            place = f"offset={8 * node.place} {base}"
            empty = f"(i64.eq (local.tee {old} (i64.load {place})) {i64_const(ABSENT64)})"
            fresh = self.write_empty(to, node.representation)
            row = f"(if (result i32) {empty} (then {fresh}) (else (i32.wrap_i64 (local.get {old}))))"
            return (
                f"{first} {line} (i64.store {place} (i64.extend_i32_s "
                f"{self.write_grown(to, node.representation, row, value)}))"
            )
        index = None if node.index is None else to.write(node.index)
        address_line, address = to.spill(to.address(node.array, index, 4), "i32")
        old = to.declare_local("i32")
        absent = f"(i32.eq (local.tee {old} (i32.load {address})) {i32_const(ABSENT32)})"
        row = f"(if (result i32) {absent} (then {self.write_empty(to, node.representation)}) (else (local.get {old})))"
        return f"{line} {address_line} (i32.store {address} {self.write_grown(to, node.representation, row, value)})"

    def write_empty(self, to: FrameWriter, representation: Representation) -> str:
        """Emit an empty collection."""
        if is_bit_set(representation):
            assert isinstance(representation, Set)
            return f"(call $bits {i32_const(to.pool.bitset_words(representation.element))})"
        return "(call $sequence)"

    def write_grown(self, to: FrameWriter, representation: Representation, row: str, value: str) -> str:
        """Emit a collection with one more element."""
        member = member_representation(representation)
        if is_bit_set(representation):
            words = i32_const(to.pool.bitset_words(member))
            line, bits = to.spill(f"(call $copy_bits {words} {row})", "i32")
            copied = f"(call $persist_bytes {bits} (i32.shl {words} (i32.const 3)))"
            return f"(block (result i32) {line} (call $put {bits} {value}) {copied})"
        function = "$persist_set_with" if isinstance(representation, Set) else "$persist_with"
        return f"(call {function} {row} {as_i64(value, member)})"

    def put_place(self, to: FrameWriter, piece: str, place: str) -> str:
        """Emit code that stores the place of a piece within its hex."""
        return f"(i32.store {to.address('place', piece, 4)} {i32_const(to.pool.rank[place])})"

    def write_move(self, to: FrameWriter, effect: MovePiece[Core]) -> str:
        """Emit a move of a piece; it traps if the piece is out of the game."""
        piece, space = to.write(effect.piece), to.write(effect.to)
        line, p = to.spill(piece, "i32")
        guard = f"(if (i32.eq (call $hex_of {p}) (i32.const -2)) (then {write_trap(TrapReason.BROKEN)}))"
        return f"{line} {guard} {self.write_placement(to, p, space, effect.place or 'open')}"

    def write_creation(self, to: FrameWriter, node: CreatePiece[Core], name: Local | None) -> str:
        """Emit the creation of a piece."""
        side = i32_const(to.pool.rank[""]) if node.owner is None else to.write(node.owner)
        space_line, space = to.spill(to.write(node.at), "i32")
        line, p = to.spill(f"(call $create:{node.kind} {side})", "i32")
        show_call = f"(call $show:{node.counter} {p})" if node.counter else ""
        counter = f"(i32.load {to.address('counter', p, 4)})"
        came = f"(i32.store {to.address('came_as', p, 4)} {counter})"
        moved = f"{show_call} {came} (call $place_piece {p} {space}) {self.put_place(to, p, 'open')}"
        return f"{space_line} {line} {moved} {to.assign(name.name, p, name.representation) if name else ''}"

    def write_relation(self, to: FrameWriter, node: RelatePieces[Core]) -> str:
        """Emit code that relates two pieces, or removes their relation."""
        base = i32_const(to.pool.address_of(f"pairs:{node.relation}"))
        left_line, _, left_at = self.evaluate_index(to, node.left)
        right_line, _, right_at = self.evaluate_index(to, node.right)
        ends = f"{left_line} {right_line}"
        wrote = " ".join(self.write_stale(to, f"pairs:{node.relation}", each, PIECE) for each in (left_at, right_at))
        if not node.on:
            return f"{ends} (call $unrelate {base} {left_at} {right_at}) {wrote}"
        payload = i64_const(ABSENT64)
        if node.payload is not None:
            representation = node.payload.representation
            payload = as_i64(self.write_persistent(to, to.write(node.payload), representation), representation)
        most = to.pool.layout.pieces * MOST_PAIRS
        exclusive_end = self.relations[node.relation].one
        if exclusive_end:
            # Relating a piece to one partner removes its other pairs.
            wrote = to.pool.validity.write_stale(to.pool.layout, (f"pairs:{node.relation}",))
        related = (
            f"(call $relate {base} {left_at} {right_at} {payload} {i32_const(ONE[exclusive_end])} {i32_const(most)})"
        )
        return f"{ends} {related} {wrote}"

    def write_draw(self, to: FrameWriter, node: control.Draw) -> str:
        """Emit code that draws members of a collection at random."""
        member = member_representation(node.source.representation)
        row_line, row = to.spill(write_sequence(to, to.write(node.source), node.source.representation), "i32")
        copy_line, left = to.spill(f"(call $copy_sequence {row})", "i32")
        i = to.declare_local("i32")
        thrown = (
            f"(local.set {i} (i32.wrap_i64 (call $throw (i64.const 0) (i64.extend_i32_s"
            f" (i32.sub (i32.load {left}) (i32.const 1))) (i64.const 0))))"
        )
        item = f"(call $item {left} (local.get {i}))"
        show_call = f"(call $show_die {item})" if node.numbers else ""
        lines = [row_line, copy_line]
        if not node.mode:
            lines.append(
                f"(if (i32.eqz (i32.load {left})) (then {write_trap(TrapReason.BROKEN)})) {thrown} {show_call}"
            )
            value = item if type_of(member) == "i64" else f"(i32.wrap_i64 {item})"
            return " ".join([*lines, to.assign(node.name.name, value, node.name.representation)])
        members_line, members = to.spill("(call $sequence)", "i32")
        count = f"(i64.extend_i32_s (i32.load {row}))" if node.count is None else to.write(node.count)
        count_line, limit = to.spill(count, "i64")
        add = "$insert" if node.mode == "any" else "$append"
        n, loop, exit_label = to.declare_local("i64"), to.label(), to.label()
        # The row of drawn members grows at the end of memory: nothing else is allocated meanwhile.
        body = (
            f"(br_if {exit_label} (i32.eqz (i32.load {left}))) (br_if {exit_label} (i64.ge_s (local.get {n}) {limit}))"
            f" {thrown} {show_call} (call {add} {members} {item}) (call $drop {left} (local.get {i}))"
            f" (local.set {n} (i64.add (local.get {n}) (i64.const 1))) (br {loop})"
        )
        lines += [count_line, members_line, f"(local.set {n} (i64.const 0)) (block {exit_label} (loop {loop} {body}))"]
        value = members
        if is_bit_set(node.name.representation):
            value = f"(call $bits_of {i32_const(to.pool.bitset_words(member))} {members})"
        return " ".join([*lines, write_bind(to, node.name, value)])


def write_persisting(fields: dict[str, tuple[Representation, ...]], writer: Effects, to: FunctionWriter) -> list[str]:
    """Emit, for each record type, the functions that copy a record, and a row of records, into the arena.

    A record is copied with all that it refers to.
    """
    written = []
    for name, parts in fields.items():
        lines = []
        for index, representation in enumerate(parts):
            if not (
                is_bit_set(representation)
                or is_sequence(representation)
                or isinstance(representation, Record | Crossing)
            ):
                continue
            value = f"(i32.wrap_i64 (i64.load offset={8 * index} (local.get $at)))"
            persistent_value = f"(i64.extend_i32_s {writer.write_persistent(to, value, representation)})"
            presence_test = f"(i64.ne (i64.load offset={8 * index} (local.get $at)) {i64_const(ABSENT64)})"
            lines.append(
                f"(if {presence_test} (then (i64.store offset={8 * index} (local.get $at) {persistent_value})))"
            )
        written.append(
            f"(func $persist:{name} (param $from i32) (result i32) (local $at i32)\n"
            "  (if (i32.lt_u (local.get $from) (global.get $base)) (then (return (local.get $from))))\n"
            f"  (local.set $at (call $persist_bytes (local.get $from) (i32.const {8 * len(parts)})))\n"
            f"  {' '.join(lines)}\n  (local.get $at))"
        )
        written.append(
            f"(func $persist_row:{name} (param $from i32) (result i32) (local $at i32) (local $i i32)\n"
            "  (if (i32.lt_u (local.get $from) (global.get $base)) (then (return (local.get $from))))\n"
            "  (local.set $at (call $persist_sequence (local.get $from)))\n"
            "  (block $none (loop $next (br_if $none (i32.ge_u (local.get $i) (i32.load (local.get $at))))\n"
            f"    (call $store_item (local.get $at) (local.get $i) (i64.extend_i32_s (call $persist:{name}"
            " (i32.wrap_i64 (call $item (local.get $at) (local.get $i))))))\n"
            "    (local.set $i (i32.add (local.get $i) (i32.const 1))) (br $next)))\n  (local.get $at))"
        )
    return written
