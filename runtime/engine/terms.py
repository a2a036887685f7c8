"""Ask the terms of a compiled module.

In: a module and its layout; then a state and questions. Out: values. A question that the module has no answer for is a
`TrapError` with the reason: whoever asks has to ask an evaluator, which says what is wrong or knows the answer.
"""

import ctypes
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import wasmtime

from runtime.engine.direct_call import Call, direct_callable
from runtime.engine.image import write_image
from runtime.engine.trap import TrapError, trap_of
from runtime.engine.values import MemoryReader, NotRepresentableError
from runtime.graph import nodes as graph
from runtime.graph.layout import Layout
from runtime.state.position import State
from runtime.state.record import Value

PAGE = 1 << 16
STACK = 4 << 20  # Bytes that one question may take.
FIRST = 1024  # Where arrays may begin; helpers have what lies before.
FUEL = 1_000_000_000  # Steps that one question, or one batch of them, may take: some seconds.


class MachineCode(NamedTuple):
    """What a module was compiled to, for this machine and this release of wasmtime, and the layout of its memory.

    Whoever makes a program of it runs it as it is: it may come from nowhere but a `Program` of the same user.
    """

    layout: Layout
    code: bytes


class MisfitError(Exception):
    """Machine code of another machine, or of another release of wasmtime."""


class NoRoomError(Exception):
    """The operating system gives compiled code no memory, or no file to map it from: whoever asks plays otherwise."""


@contextmanager
def needs_room() -> Iterator[None]:
    """Raise `NoRoomError` where the operating system refuses memory, and not where a module is wrong."""
    try:
        yield
    except wasmtime.WasmtimeError as error:
        raise NoRoomError(f"compiled code gets no memory here ({str(error).splitlines()[0]})") from None


def binary_of(text: str) -> bytes:
    """Write a module, given as text, in the binary format."""
    return bytes(wasmtime.wat2wasm(text))


class Program:
    """A compiled module, to be instantiated for any number of positions."""

    def __init__(self, rules: graph.Graph, code: bytes | str | MachineCode, layout: Layout) -> None:
        """Compile it to machine code, unless it is; `MisfitError` if that is of another machine."""
        self.rules = rules
        self.layout = layout
        self.engine = wasmtime.Engine()
        if isinstance(code, MachineCode):
            try:
                self.module = wasmtime.Module.deserialize(self.engine, code.code)
            except wasmtime.WasmtimeError as error:
                raise MisfitError(str(error).splitlines()[0]) from None
            return
        binary = binary_of(code) if isinstance(code, str) else code
        with needs_room():
            self.module = wasmtime.Module(self.engine, binary)

    def machine_code(self) -> MachineCode:
        """Return what the module was compiled to."""
        return MachineCode(self.layout, bytes(self.module.serialize()))


class Terms:
    """The terms of a program in one position."""

    # Twice the lines of sight that are kept, and the bytes that they may take.
    line_slots = 1 << 14
    line_bytes = 8 << 20

    def __init__(self, program: Program, state: State, fuel: int = FUEL) -> None:
        """Write the position into memory of its own. A question takes at most so many steps."""
        self.program = program
        self.state = state
        self.fuel = fuel
        self.store = wasmtime.Store(program.engine)
        with needs_room():
            self.instance = wasmtime.Instance(self.store, program.module, [])
        # What a module exports is known by name: its memory, variables, and functions.
        self.exports: dict[str, Any] = dict(self.instance.exports(self.store).items())
        self.memory: wasmtime.Memory = self.exports["memory"]
        self.calls: dict[str, Call] = {}
        self.allow = direct_callable(self.store, self.exports["allow"])
        self.load()

    def load(self) -> None:
        """Write the position as it is now."""
        # All has changed, so answers that were kept for the position before are no longer right.
        epoch = self.exports["epoch"].value(self.store) + 1
        self.exports["epoch"].set_value(self.store, epoch)
        image = write_image(self.program.layout, self.state, epoch)
        lines = image.append(bytes(8 * self.line_slots))
        self.image = image
        self.base = len(image.bytes)
        self.top = self.base + STACK
        wanted = (self.top + self.line_bytes + PAGE - 1) // PAGE
        self.grow_memory(max(0, wanted - self.memory.size(self.store)))
        constants = self.program.layout.constants, self.program.layout.heap
        data = image.bytes
        # The constants of the module lie between the arrays and what was put behind them.
        self.memory.write(self.store, bytes(data[FIRST : constants[0]]), FIRST)
        self.memory.write(self.store, bytes(data[constants[1] :]), constants[1])
        self.lines = lines
        self.assign(sp=self.base, end=self.top, lines=lines, line_mask=self.line_slots - 1, line_count=0)
        self.assign(line_begin=self.top, line_at=self.top, line_end=wanted * PAGE)

    def assign(self, **values: int) -> None:
        """Set variables of the module."""
        for name, value in values.items():
            self.exports[name].set_value(self.store, value)

    def grow_memory(self, pages: int) -> None:
        """Make the memory larger."""
        with needs_room():
            self.memory.grow(self.store, pages)

    def ask(self, name: str, arguments: Sequence[Value]) -> Value:
        """Ask a term."""
        with self.with_arguments(name, [arguments]) as ((raw,), _):
            answer = self.call_function(f"t:{name}", *raw)
            return self.reader().decode(answer, self.type_of(self.program.rules.terms[name]), name)

    def ask_many(self, name: str, rows: Sequence[Sequence[Value]]) -> list[Value]:
        """Ask a term of many rows of arguments in one call; without an answer to one of them there is none.

        For answers that are no sets, lists or records: memory is given back after each row.
        """
        type_ = self.type_of(self.program.rules.terms[name])
        if isinstance(type_, graph.Many | graph.RecordOf | graph.Crossing):
            return [self.ask(name, arguments) for arguments in rows]
        with self.with_arguments(name, rows) as (raw, free):
            numbers = [each for row in raw for each in row]
            packed = struct.pack(f"<{len(numbers)}q", *numbers)
            out = free + len(packed)
            if out + 8 * len(rows) > self.top:
                raise NotRepresentableError(f"{len(rows)} rows of arguments")
            self.memory.write(self.store, packed, free)
            self.exports["sp"].set_value(self.store, out + 8 * len(rows))
            self.call_function(f"batch:{name}", free, len(rows), out)
            reader = self.reader()
            return [reader.decode(reader.read_int64(out + 8 * at), type_, name) for at in range(len(rows))]

    @contextmanager
    def with_arguments(self, name: str, rows: Sequence[Sequence[Value]]) -> Iterator[tuple[list[list[int]], int]]:
        """Put down what arguments consist of while they are needed; also give where memory is free behind it."""
        mark = len(self.image.bytes)
        parameters = self.program.rules.terms[name].parameters
        try:
            raw = [
                [
                    self.image.encode(value, part.type, f"{name}({part.name})")
                    for part, value in zip(parameters, row, strict=True)
                ]
                for row in rows
            ]
            more = bytes(self.image.bytes[mark:])
            free = mark + len(more)
            if free > self.top:
                raise NotRepresentableError(f"{len(more)} bytes of arguments")
            self.memory.write(self.store, more, mark)
            self.exports["sp"].set_value(self.store, free)
            yield raw, free
        finally:
            self.image.truncate(mark)

    def call_function(self, function: str, *arguments: int) -> int:
        """Call a function of the module with a bounded number of steps; a trap is an error with its reason."""
        call = self.calls.get(function)
        if call is None:
            call = self.calls[function] = direct_callable(self.store, self.exports[function])
        self.allow(self.fuel)
        try:
            answer = call(*arguments)
        except wasmtime.Trap as trap:
            raise self.trap_error(trap) from None
        except wasmtime.WasmtimeError as error:
            raise TrapError(str(error).splitlines()[0]) from None
        return 0 if answer is None else int(answer)

    def type_of(self, term: graph.Term) -> graph.Type:
        """Return the type of a term's answers."""
        return graph.YesNo() if term.form in ("verdict", "condition", "flag") else term.type

    def trap_error(self, trap: wasmtime.Trap) -> TrapError:
        """Explain why the module stopped, and where."""
        number = self.exports["reason"].value(self.store)
        self.exports["reason"].set_value(self.store, 0)
        allowed = self.fuel if self.exports["steps"].value(self.store) < 0 else 0
        return trap_of(trap, number, allowed, self.program.rules, self.running_procedure())

    def running_procedure(self) -> int:
        """Return the number of the procedure that runs, -1 if none does."""
        return -1

    def reader(self) -> MemoryReader:
        """Read memory as it is now."""
        size = self.memory.data_len(self.store)
        pointer = ctypes.cast(self.memory.data_ptr(self.store), ctypes.POINTER(ctypes.c_ubyte * size))
        return MemoryReader(self.image, memoryview(pointer.contents).cast("B"))
