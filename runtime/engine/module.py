"""Compiled modules, and their instances: one position in memory, and the evaluation of terms.

In: a module and its layout; then a state and questions. Out: values. A question that the module cannot answer raises
`TrapError` with the reason; the caller then asks another evaluator, which reports the error or has the answer.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import wasmtime

from runtime.engine.direct_call import Call, Variable, direct_callable, direct_variable, memory_view
from runtime.engine.image import write_image
from runtime.engine.trap import TrapError, trap_of
from runtime.engine.values import MemoryReader, NotRepresentableError
from runtime.graph import nodes as graph
from runtime.graph.layout import FIRST_ADDRESS, Layout
from runtime.state.position import State
from runtime.state.record import Value

PAGE = 1 << 16
STACK_BYTES = 4 << 20  # Bytes that one question may take.
FUEL = 1_000_000_000  # Steps that one question, or one batch of them, may take: some seconds.


# The process that loaded this module.
_PROCESS = os.getpid()


class MachineCode(NamedTuple):
    """The machine code of a module for this machine and release of wasmtime, with the layout of its memory.

    It is executed without verification, so it may only come from a `CompiledModule` of the same user.
    """

    layout: Layout
    code: bytes


class MisfitError(Exception):
    """Raised for machine code of another machine or release of wasmtime."""


class MemoryLimitError(Exception):
    """Raised where the operating system refuses memory for compiled code; the caller falls back to Python."""


@contextmanager
def convert_memory_errors() -> Iterator[None]:
    """Convert wasmtime errors of memory allocation to `MemoryLimitError`."""
    try:
        yield
    except wasmtime.WasmtimeError as error:
        raise MemoryLimitError(f"compiled code gets no memory here ({str(error).splitlines()[0]})") from None


def assemble(text: str) -> bytes:
    """Return the binary format of a module in text format; the error of wasmtime if the text is invalid."""
    return bytes(wasmtime.wat2wasm(text))


def _new_engine() -> wasmtime.Engine:
    """Return an engine. In a forked process it compiles in one thread: those of the parent do not exist there."""
    config = wasmtime.Config()
    config.parallel_compilation = os.getpid() == _PROCESS
    return wasmtime.Engine(config)


class CompiledModule:
    """A compiled module, to be instantiated for any number of positions."""

    def __init__(self, rules: graph.Graph, code: bytes | str | MachineCode, layout: Layout) -> None:
        """Compile a module, or load its machine code; raises `MisfitError` if that is of another machine."""
        self.rules = rules
        self.layout = layout
        self.engine = _new_engine()
        if isinstance(code, MachineCode):
            try:
                self.wasmtime_module = wasmtime.Module.deserialize(self.engine, code.code)
            except wasmtime.WasmtimeError as error:
                raise MisfitError(str(error).splitlines()[0]) from None
            return
        binary = assemble(code) if isinstance(code, str) else code
        with convert_memory_errors():
            self.wasmtime_module = wasmtime.Module(self.engine, binary)

    def machine_code(self) -> MachineCode:
        """Return the machine code of the module."""
        return MachineCode(self.layout, bytes(self.wasmtime_module.serialize()))


class ModuleInstance:
    """An instance of a module for one position."""

    # Twice the number of memoized lines of sight, and the bytes that they may take.
    line_slots = 1 << 14
    line_bytes = 8 << 20

    def __init__(self, module: CompiledModule, state: State, fuel: int = FUEL) -> None:
        """Instantiate the module and encode the position. `fuel` limits the steps of a question."""
        self.module = module
        self.state = state
        self.fuel = fuel
        self.store = wasmtime.Store(module.engine)
        with convert_memory_errors():
            self.instance = wasmtime.Instance(self.store, module.wasmtime_module, [])
        # The exports of the module by name: its memory, globals and functions.
        self.exports: dict[str, Any] = dict(self.instance.exports(self.store).items())
        self.memory: wasmtime.Memory = self.exports["memory"]
        self.calls: dict[str, Call] = {}
        self.variables: dict[str, Variable] = {}
        self.set_fuel = direct_callable(self.store, self.exports["allow"])
        self.load()

    def load(self) -> None:
        """Encode the current position."""
        # Every array has changed, so memos of the earlier position are invalid.
        epoch = self.variable("epoch") + 1
        self.assign(epoch=epoch)
        image = write_image(self.module.layout, self.state, epoch)
        lines = image.append(bytes(8 * self.line_slots))
        self.image = image
        self.base = len(image.bytes)
        self.top = self.base + STACK_BYTES
        pages = (self.top + self.line_bytes + PAGE - 1) // PAGE
        self.grow_memory(max(0, pages - self.memory.size(self.store)))
        constants = self.module.layout.constants, self.module.layout.heap
        data = image.bytes
        # The constants of the module lie between the arrays and appended data.
        self.write_bytes(FIRST_ADDRESS, data[FIRST_ADDRESS : constants[0]])
        self.write_bytes(constants[1], data[constants[1] :])
        self.lines = lines
        self.assign(sp=self.base, end=self.top, lines=lines, line_mask=self.line_slots - 1, line_count=0)
        self.assign(line_begin=self.top, line_at=self.top, line_end=pages * PAGE)

    def assign(self, **values: int) -> None:
        """Set globals of the module."""
        for name, value in values.items():
            self.access(name).set(value)

    def variable(self, name: str) -> int:
        """Return the value of a global of the module."""
        return self.access(name).get()

    def access(self, name: str) -> Variable:
        """Return the access to a global of the module."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = direct_variable(self.store, self.exports[name])
        return found

    def grow_memory(self, pages: int) -> None:
        """Extend the memory by pages, and renew the view of it: nothing but this method makes it grow."""
        with convert_memory_errors():
            self.memory.grow(self.store, pages)
        self.view = memory_view(self.store, self.memory)

    def write_bytes(self, address: int, data: bytes | bytearray) -> None:
        """Write bytes to the memory."""
        self.view[address : address + len(data)] = data

    def read_int32(self, address: int) -> int:
        """Return the signed 32-bit integer at an address of the memory."""
        return int.from_bytes(self.view[address : address + 4], "little", signed=True)

    def ask(self, name: str, arguments: Sequence[Value]) -> Value:
        """Return the answer to a term."""
        with self.with_arguments(name, [arguments]) as ((raw,), _):
            answer = self.call_function(f"t:{name}", *raw)
            return self.memory_reader().decode(answer, self.type_of(self.module.rules.terms[name]), name)

    @contextmanager
    def with_arguments(self, name: str, rows: Sequence[Sequence[Value]]) -> Iterator[tuple[list[list[int]], int]]:
        """Yield encoded arguments and the address of free memory after them; release their memory at the end.

        Raises `NotRepresentableError` where the arguments do not fit into the memory for them.
        """
        mark = len(self.image.bytes)
        parameters = self.module.rules.terms[name].parameters
        try:
            raw = [
                [
                    self.image.encode(value, part.type, f"{name}({part.name})")
                    for part, value in zip(parameters, row, strict=True)
                ]
                for row in rows
            ]
            more = self.image.bytes[mark:]
            free = mark + len(more)
            if free > self.top:
                raise NotRepresentableError(f"{len(more)} bytes of arguments")
            self.write_bytes(mark, more)
            self.assign(sp=free)
            yield raw, free
        finally:
            self.image.truncate(mark)

    def call_function(self, function: str, *arguments: int) -> int:
        """Call a function of the module with a bounded number of steps; return its result, or 0 if it has none.

        Raises `TrapError` for a trap.
        """
        self.set_fuel(self.fuel)
        return self.call_unlimited(function, *arguments)

    def call_unlimited(self, function: str, *arguments: int) -> int:
        """Call a function that has its limit of steps as an argument, or needs none."""
        call = self.calls.get(function)
        if call is None:
            call = self.calls[function] = direct_callable(self.store, self.exports[function])
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
        """Return the error of a trap, with reason and place."""
        number = self.variable("reason")
        self.assign(reason=0)
        allowed = self.fuel if self.variable("steps") < 0 else 0
        return trap_of(trap, number, allowed, self.module.rules, self.running_procedure())

    def running_procedure(self) -> int:
        """Return the number of the running procedure, -1 if there is none."""
        return -1

    def memory_reader(self) -> MemoryReader:
        """Return a reader of the current memory."""
        return MemoryReader(self.image, self.view)
