"""Calls of module functions, and access to globals and memory, without a type lookup each time.

`wasmtime.Func` and `wasmtime.Global` read a type, and create values with finalizers, at every use: 10 to 40 us, where a
search player makes thousands of calls of a few microseconds. Here types and buffers are created once, and the C
interface is called with addresses, which need no conversion: half a microsecond a call, a third of one with typed
pointers. Where a release of wasmtime lacks these entries under the known names, its own methods are used, with the same
results.
"""

import ctypes
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import wasmtime

try:
    bindings: Any = import_module("wasmtime._bindings")

    def _function(name: str, parameters: int) -> Any:
        """Return a function of the C interface of addresses and sizes; those with types are left as they are."""
        found = bindings.dll[name]
        found.argtypes, found.restype = [ctypes.c_void_p] * parameters, ctypes.c_void_p
        return found

    CALL: Any = _function("wasmtime_func_call_unchecked", 5)
    RAW: Any = bindings.wasmtime_val_raw_t
    TRAP: Any = ctypes.POINTER(bindings.wasm_trap_t)
    ERROR: Any = ctypes.POINTER(bindings.wasmtime_error_t)
    GET_GLOBAL: Any = _function("wasmtime_global_get", 3)
    SET_GLOBAL: Any = _function("wasmtime_global_set", 3)
    VALUE: Any = bindings.wasmtime_val_t
except (ImportError, AttributeError):  # pragma: no cover -- of a release to come
    CALL = RAW = TRAP = ERROR = GET_GLOBAL = SET_GLOBAL = VALUE = None

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
    values, trap = (RAW * size)(), TRAP()
    words = ctypes.sizeof(RAW) // ctypes.sizeof(ctypes.c_int64)
    # A function with a parameter of 32 bits reads the lower half of the first word of its value.
    first_words = (ctypes.c_int64 * (size * words)).from_buffer(values)
    result = ((ctypes.c_int32 if "i32" in results else ctypes.c_int64) * 1).from_buffer(values)
    places, parameter_count = range(0, size * words, words), len(parameters)
    addresses = (
        _address_of_context(store),
        *map(ctypes.addressof, (function._func, values)),
        size,
        ctypes.addressof(trap),
    )

    def call(*arguments: int) -> int | None:
        if len(arguments) != parameter_count:
            raise TypeError(f"{parameter_count} arguments, not {len(arguments)}")
        for place, argument in zip(places, arguments, strict=False):
            first_words[place] = argument
        if error := CALL(*addresses):
            raise wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, ERROR))
        if trap:
            found = wasmtime.Trap._from_ptr(TRAP.from_buffer_copy(trap))
            ctypes.memset(ctypes.addressof(trap), 0, ctypes.sizeof(trap))
            raise found
        return result[0] if results else None

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
    value = VALUE()
    addresses = _address_of_context(store), ctypes.addressof(variable._global), ctypes.addressof(value)
    GET_GLOBAL(*addresses)  # Sets the type of the value once and for all.
    offset = VALUE.of.offset
    number_type: Any = ctypes.c_int32 if type_name == "i32" else ctypes.c_int64
    content = (number_type * 1).from_buffer(value, offset)

    def get() -> int:
        GET_GLOBAL(*addresses)
        return int(content[0])

    def set_(number: int) -> None:
        content[0] = number
        if error := SET_GLOBAL(*addresses):
            raise wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, ERROR))

    # The global has to live as long as its address is used.
    get.variable = variable  # type: ignore[attr-defined]
    return Variable(get, set_)


def _address_of_context(store: wasmtime.Store) -> int:
    """Return the address by which the C interface knows a store."""
    return ctypes.cast(store._context(), ctypes.c_void_p).value or 0


def memory_view(store: wasmtime.Store, memory: wasmtime.Memory) -> memoryview:
    """Return a view of the bytes of a memory, valid until the memory grows."""
    pointer = ctypes.cast(memory.data_ptr(store), ctypes.POINTER(ctypes.c_ubyte * memory.data_len(store)))
    return memoryview(pointer.contents).cast("B")
