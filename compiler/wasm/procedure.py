"""Write procedures as WebAssembly text: a function each, which goes on at the block where its frame stands.

A function gives 0 when another procedure is to run, and 1 when somebody is asked. What stands in the frame is read and
written through `FrameWriter`; what effects do to a position is in effect.py, what may be chosen in site.py.
"""

from collections.abc import Callable, Iterable

from compiler.core import control
from compiler.core.ir import Core, Local, TrapReason
from compiler.core.representation import ENUM, Piece, Record, Representation, Set, is_bit_set, is_sequence
from compiler.wasm.expression import write
from compiler.wasm.function import FunctionWriter, fail, narrowed, refers_on, type_of, whole32, whole64, widened
from compiler.wasm.memory import ConstantPool

FUNCTIONS = 5  # A site.
HEADER = 24  # Bytes of a frame before its first name.
STOP = -(1 << 63)  # Ends an offer, or stops adding to a set.
JUMPS = (control.Jump, control.JumpUnless, control.Next)
LEAVES = (control.Invoke, control.Tell, control.AskOffer, control.AskChoice)


def named(key: str) -> str:
    """Write the name of a function; those of hooks have blanks."""
    return key.replace(" ", "_")


class Numbers:
    """The places of functions in the table: procedures, the functions of sites, and what finishes heads."""

    def __init__(self, procedures: control.Procedures, sites: int) -> None:
        """Number them."""
        self.procedures = procedures
        self.of = {key: at for at, key in enumerate(procedures.of)}
        self.sites = len(self.of)
        self.finish: dict[str, int] = {}
        at = self.sites + FUNCTIONS * sites
        for key, procedure in procedures.of.items():
            for number in range(len(procedure.head.finish) if procedure.head else 0):
                self.finish[f"finish:{key.removeprefix('action:')}:{number}"] = at
                at += 1
        self.count = at


class FrameWriter(FunctionWriter):
    """Writes a function of a procedure: its names lie in the frame, whose address is `$frame`."""

    def __init__(self, pool: ConstantPool, name: str, procedure: control.Procedure, numbers: Numbers) -> None:
        """Lay out the frame."""
        super().__init__(pool, named(name), ())
        self.procedure = procedure
        self.numbers = numbers
        self.places = {local.name: HEADER + 8 * at for at, local in enumerate(procedure.names)}

    def get(self, local: Local) -> str:
        """Read a name of the frame, or any other."""
        if local.name not in self.places:
            return super().get(local)
        return f"({type_of(local.of)}.load offset={self.places[local.name]} (local.get $frame))"

    def set(self, name: str, value: str, of: Representation) -> str:
        """Bind a name of the frame, or any other."""
        if name not in self.places:
            return super().set(name, value, of)
        return f"({type_of(of)}.store offset={self.places[name]} (local.get $frame) {value})"

    def call(self, function: str, arguments: list[str]) -> str:
        """Call a term, or what finishes a head from this frame."""
        if function in self.numbers.finish:
            return f"(call ${named(function)} (local.get $frame))"
        return super().call(function, arguments)

    def completes(self, choice: str, given: list[str]) -> str:
        """Say whether a choice of several can be completed, from none."""
        assert self.procedure.head is not None
        number = int(choice.rpartition(":")[2])
        several = self.procedure.head.choices[number]
        line, found = self.kept(listed(self, given[0], several.source.of), "i32")
        return f"(block (result i32) {line} {completed(self, several, number, found, '(call $sequence)', given[1:])})"

    def size(self) -> int:
        """Say how many bytes the frame takes."""
        return HEADER + 8 * len(self.procedure.names)

    def text(self, lines: Iterable[str], parameters: str, result: str) -> str:
        """Write a function around lines."""
        body = "\n  ".join(lines)
        declared = " ".join(f"(local {name} {type_})" for name, type_ in self.locals.items())
        made = f"(func ${self.name} {parameters} {result} {declared}\n  {body})"
        return "\n".join([made, *self.extra])


def listed(to: FunctionWriter, text: str, of: Representation) -> str:
    """Write a collection as a sequence."""
    if is_bit_set(of):
        assert isinstance(of, Set)
        return f"(call $listed {text} {whole32(to.memory.bitset_words(of.of))})"
    return text


def completed(
    to: FrameWriter, several: control.HeadChoice, number: int, found: str, chosen: str, bounds: list[str]
) -> str:
    """Write whether a set that begins with those chosen can be completed to a legal one."""
    action = to.procedure.key.removeprefix("action:")
    then = to.numbers.finish[f"finish:{action}:{number + 1}"]
    of = several.name.of
    words = to.memory.bitset_words(of.of) if is_bit_set(of) and isinstance(of, Set) else 0
    slot = to.places[several.name.name]
    least, most = bounds or (whole64(-1), whole64(-1))
    if several.how == "order":
        where = f"(local.get $frame) {whole32(slot)} {whole32(then)}"
        return f"(call $completes_order {where} {found} {chosen} {least} {most})"
    return (
        f"(call $completes (local.get $frame) {whole32(slot)} {whole32(words)} {whole32(then)} {found} {chosen}"
        f" {least} {most})"
    )


def is_identified(of: Representation) -> bool:
    """Say whether values are records, or rows of them."""
    return isinstance(of, Record) or (is_sequence(of) and isinstance(of.of, Record))  # type: ignore[union-attr]


def identified(value: str, of: Representation) -> str:
    """Write a value that is known by its address: once a record has a name it is put where it stays."""
    if isinstance(of, Record):
        return f"(call $keep:{of.type} {value})"
    if is_identified(of):
        return f"(call $keep_row:{of.of.type} {value})"  # type: ignore[union-attr]
    return value


Effect = Callable[[FrameWriter, control.Instruction], str]


def write_procedure(pool: ConstantPool, procedure: control.Procedure, numbers: Numbers, effect: Effect) -> str:
    """Write a procedure as a function of its frame."""
    to = FrameWriter(pool, f"p:{procedure.key}", procedure, numbers)
    starts = blocks(procedure.code)
    number = {start: at for at, start in enumerate(starts)}
    body = []
    ends = [*starts[1:], len(procedure.code)]
    for start, end in zip(starts, ends, strict=True):
        lines = [instruction(to, each, at, number, effect) for at, each in enumerate(procedure.code[start:end], start)]
        body.append("\n  ".join(lines))
    opening = " ".join(f"(block $b{at}" for at in reversed(range(len(starts))))
    table = " ".join(f"$b{at}" for at in range(len(starts)))
    text = f"(loop $go {opening} (br_table {table} (i32.load offset=4 (local.get $frame))))"
    text += "".join(f"\n  {each})" if at + 1 < len(body) else f"\n  {each}" for at, each in enumerate(body))
    return to.text([text + ")", "unreachable"], "(param $frame i32)", "(result i32)")


def blocks(code: tuple[control.Instruction, ...]) -> list[int]:
    """List where blocks begin: where a jump leads, at whatever asks, behind whatever leaves the procedure."""
    starts = {0}
    for at, each in enumerate(code):
        if isinstance(each, JUMPS):
            starts.add(each.target)
        if isinstance(each, control.AskOffer | control.AskChoice):
            starts.add(at)
        if isinstance(each, LEAVES):
            starts.add(at + 1)
    return sorted(starts & set(range(len(code))))


def going(number: dict[int, int], target: int) -> str:
    """Write going on at another instruction."""
    return f"(i32.store offset=4 (local.get $frame) {whole32(number[target])}) (br $go)"


def instruction(  # noqa: C901 -- one case an instruction
    to: FrameWriter, node: control.Instruction, at: int, number: dict[int, int], effect: Effect
) -> str:
    """Write one instruction."""
    match node:
        case control.Bind(name, value):
            return bound(to, name, write(to, value))
        case control.Require(condition):
            return tested(to, condition, fail(TrapReason.BROKEN))
        case control.Jump(target):
            return going(number, target)
        case control.JumpUnless(condition, target):
            return tested(to, condition, going(number, target))
        case control.Gather():
            return gather(to, node)
        case control.Next():
            return following(to, node, number)
        case control.Lapse(moment, own):
            player = to.load("fact:game.player", None, ENUM) if own else "(i32.const -1)"
            return f"(call $lapse:{moment} {player})" if moment in to.numbers.procedures.lapsing else ""
        case control.Invoke(procedure, arguments):
            return called(to, (procedure,), arguments, number[at + 1])
        case control.Tell(hooks, arguments):
            return f"(call $end_pairs) {called(to, hooks, arguments, number[at + 1], tells=True)}"
        case control.ReturnIfGone(piece):
            return f"(if (call $has_left {to.get(piece)}) (then (call $return) (return (i32.const 0))))"
        case control.Halt(reason):
            return f"{fail(reason)} unreachable"
        case control.Return():
            return "(call $return) (return (i32.const 0))"
        case control.AskOffer(site) | control.AskChoice(site):
            return (
                f"(i32.store offset=4 (local.get $frame) {whole32(number[at])}) (global.set $site {whole32(site)})"
                " (return (i32.const 1))"
            )
        case _:
            return f"{cleaned(to, lambda: effect(to, node))} (call $changed)"


def tested(to: FrameWriter, condition: Core, otherwise: str) -> str:
    """Write what is done where a condition does not hold, with its memory given back before."""
    holds = to.new("i32")
    text = cleaned(to, lambda: f"(local.set {holds} {write(to, condition)})")
    return f"{text} (if (i32.eqz (local.get {holds})) (then {otherwise}))"


def cleaned(to: FrameWriter, text: Callable[[], str]) -> str:
    """Write something, and give back the memory that it took."""
    made = text()
    if "(call " not in made:
        return made
    mark = to.new("i32")
    return f"(local.set {mark} (global.get $sp)) {made} (global.set $sp (local.get {mark}))"


def bound(to: FrameWriter, name: Local, value: str) -> str:
    """Write binding a name; what it refers to is kept, other memory given back."""
    of = name.of
    if "(call " not in value:
        return to.set(name.name, value, of)
    value = identified(value, of)
    made = to.new(type_of(of))
    mark = to.new("i32")
    lines = [f"(local.set {mark} (global.get $sp))", f"(local.set {made} {value})"]
    if refers_on(of) and not is_identified(of):
        lines = [f"(local.set {made} {value})"]  # A row of sets: what it refers to stays where it is.
    elif (is_bit_set(of) or is_sequence(of)) and not is_identified(of):
        size = (
            whole32(to.memory.bitset_words(of.of) * 8)  # type: ignore[union-attr]
            if is_bit_set(of)
            else f"(i32.add (i32.const 8) (i32.shl (i32.load (local.get {made})) (i32.const 3)))"
        )
        bytes_ = to.new("i32")
        lines += [
            f"(if (i32.ge_u (local.get {made}) (local.get {mark})) (then (local.set {bytes_} {size})",
            f"  (memory.copy (local.get {mark}) (local.get {made}) (local.get {bytes_}))",
            f"  (local.set {made} (local.get {mark}))",
            f"  (global.set $sp (i32.add (local.get {mark}) (local.get {bytes_}))))",
            f"  (else (global.set $sp (local.get {mark}))))",
        ]
    else:
        lines.append(f"(global.set $sp (local.get {mark}))")
    lines.append(to.set(name.name, f"(local.get {made})", of))
    return " ".join(lines)


def called(
    to: FrameWriter, keys: tuple[str, ...], arguments: tuple[Core, ...], then: int, *, tells: bool = False
) -> str:
    """Write calling procedures, the first one on top; what they are called with lies below their frames."""
    if not keys:
        return ""
    base = to.new("i32")
    lines = [f"(i32.store offset=4 (local.get $frame) {whole32(then)}) (local.set {base} (global.get $sp))"]
    given = []
    for argument in arguments:
        line, value = to.kept(identified(write(to, argument), argument.of), type_of(argument.of))
        lines.append(line)
        given.append((value, argument.of))
    reacting = ""
    if tells and any(to.numbers.procedures.of[key].offers for key in keys):
        line, reacting = to.kept("(call $reacting)", "i32")
        lines.append(line)
    player = to.get(Local("@player", ENUM))
    for key in reversed(keys):
        procedure = to.numbers.procedures.of[key]
        made = to.new("i32")
        text = begun(to, procedure, made, f"(local.get {base})", player)
        text += " ".join(
            f" ({type_of(of)}.store offset={HEADER + 8 * at} (local.get {made}) {value})"
            for at, (value, of) in enumerate(given, 1)
        )
        text += f" (local.set {base} (global.get $sp))"
        if tells and procedure.offers:
            text = f"(if (i32.eqz {reacting}) (then {text}))"
        lines.append(text)
    return " ".join([*lines, "(return (i32.const 0))"])


def begun(to: FrameWriter, procedure: control.Procedure, made: str, base: str, player: str) -> str:
    """Write putting a frame on the stack."""
    size = HEADER + 8 * len(procedure.names)
    number = to.numbers.of[procedure.key]
    return f"(local.set {made} (call $begin {whole32(number)} {whole32(size)} {base} {player}))"


def gather(to: FrameWriter, node: control.Gather) -> str:
    """Write fixing the members of a loop."""
    text = bound(to, node.members, write(to, node.source))
    lines = [text, to.set(node.cursor.name, whole64(0), node.cursor.of)]
    if node.book is not None:
        book = f"(i32.load (i32.const {to.memory.base(f'written:{node.record}')}))"
        lines.append(to.set(node.book.name, book, node.book.of))
    return " ".join(lines)


def following(to: FrameWriter, node: control.Next, number: dict[int, int]) -> str:
    """Write binding the next member that is not gone."""
    of = node.members.of
    i, again = to.new("i32"), to.label()
    here = f"(local.get {i})"
    advance = to.set(node.cursor.name, f"(i64.extend_i32_s (i32.add {here} (i32.const 1)))", node.cursor.of)
    cursor = f"(i32.wrap_i64 {to.get(node.cursor)})"
    over = going(number, node.target)
    if is_bit_set(of):
        assert isinstance(of, Set)
        words = whole32(to.memory.bitset_words(of.of))
        first = f"(local.set {i} (call $next_bit {to.get(node.members)} {words} {cursor}))"
        first += f" (if (i32.lt_s {here} (i32.const 0)) (then {over}))"
        value = here
    else:
        first = f"(local.set {i} {cursor}) (if (i32.ge_u {here} (i32.load {to.get(node.members)})) (then {over}))"
        value = narrowed(f"(call $item {to.get(node.members)} {here})", node.name.of)
    line, member = to.kept(value, type_of(node.name.of))
    lines = [first, line, advance]
    if isinstance(node.name.of, Piece):
        lines.append(f"(br_if {again} (i32.eq (call $hex_of {member}) (i32.const -2)))")
    if node.book is not None:
        key = widened(member, node.name.of)
        now = f"(i32.load (i32.const {to.memory.base(f'written:{node.record}')}))"
        was = f"(call $has_item {to.get(node.book)} {key})"
        lines.append(f"(br_if {again} (i32.and {was} (i32.eqz (call $has_item {now} {key}))))")
    lines.append(to.set(node.name.name, member, node.name.of))
    return f"(loop {again} {' '.join(lines)})"
