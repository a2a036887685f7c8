"""Calls of module functions, and access to globals and memory, without a type lookup each time.

`wasmtime.Func` and `wasmtime.Global` read a type, and create values with finalizers, at every use: 10 to 40 us, where a
search player makes thousands of calls of a few microseconds. Here types and buffers are created once, and the C
interface is called. Where a release of wasmtime lacks these entries under the known names, its own methods are used,
with the same results.
"""

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

import wasmtime

try:
    from wasmtime import _bindings as bindings

    CALL: Any = bindings.wasmtime_func_call_unchecked
    RAW: Any = bindings.wasmtime_val_raw_t
    TRAP: Any = ctypes.POINTER(bindings.wasm_trap_t)
    GET_GLOBAL: Any = bindings.wasmtime_global_get
    SET_GLOBAL: Any = bindings.wasmtime_global_set
    VALUE: Any = bindings.wasmtime_val_t
except (ImportError, AttributeError):  # pragma: no cover -- of a release to come
    CALL = RAW = TRAP = GET_GLOBAL = SET_GLOBAL = VALUE = None

Call = Callable[..., Any]
WHOLE = frozenset({"i32", "i64"})


def direct_callable(store: wasmtime.Store, function: wasmtime.Func) -> Call:
    """Return a callable for a function of integers with at most one integer result.

    It raises as the function does, and `TypeError` for a wrong number of arguments.
    """
    kind = function.type(store)
    parameters, results = [str(each) for each in kind.params], [str(each) for each in kind.results]
    if CALL is None or len(results) > 1 or not set(parameters + results) <= WHOLE:
        return lambda *arguments: function(store, *arguments)
    size = max(1, len(parameters), len(results))
    values = (RAW * size)()
    reference = ctypes.byref(function._func)
    context, trap = store._context(), TRAP()
    trapped, parameter_count, result_type = ctypes.byref(trap), len(parameters), results[0] if results else ""

    def call(*arguments: int) -> int | None:
        if len(arguments) != parameter_count:
            raise TypeError(f"{parameter_count} arguments, not {len(arguments)}")
        for index, argument in enumerate(arguments):
            values[index].i64 = argument  # A function with a parameter of 32 bits reads the lower half.
        error = CALL(context, reference, values, size, trapped)
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            found = wasmtime.Trap._from_ptr(TRAP.from_buffer_copy(trap))
            ctypes.memset(trapped, 0, ctypes.sizeof(trap))
            raise found
        return None if not result_type else int(getattr(values[0], result_type))

    # The buffer has to live as long as the function.
    call.function = function  # type: ignore[attr-defined]
    return call


class Variable(NamedTuple):
    """Access to a global of a module: reads its value, or sets it."""

    get: Callable[[], int]
    set: Callable[[int], None]


def direct_variable(store: wasmtime.Store, variable: wasmtime.Global) -> Variable:
    """Return the getter and setter of a global of an integer type; setting a constant one raises an error."""
    type_name = str(variable.type(store).content)
    if CALL is None or type_name not in WHOLE:
        return Variable(lambda: int(variable.value(store)), lambda number: variable.set_value(store, number))
    context, value = store._context(), VALUE()
    address, output = ctypes.byref(variable._global), ctypes.byref(value)
    GET_GLOBAL(context, address, output)  # Sets the type of the value once and for all.

    def get() -> int:
        GET_GLOBAL(context, address, output)
        return int(getattr(value.of, type_name))

    def set_(number: int) -> None:
        setattr(value.of, type_name, number)
        if error := SET_GLOBAL(context, address, output):
            raise wasmtime.WasmtimeError._from_ptr(error)

    return Variable(get, set_)


def memory_view(store: wasmtime.Store, memory: wasmtime.Memory) -> memoryview:
    """Return a view of the bytes of a memory, valid until the memory grows."""
    pointer = ctypes.cast(memory.data_ptr(store), ctypes.POINTER(ctypes.c_ubyte * memory.data_len(store)))
    return memoryview(pointer.contents).cast("B")
