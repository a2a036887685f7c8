"""Calls of module functions without a type lookup per call.

`wasmtime.Func` reads the type of a function, and creates a value with a finalizer for each argument, at every call:
some 40 us, where a search player makes thousands of calls of a few microseconds. Here type and buffer are created once,
and the unchecked entry of the C interface is called. Where a release of wasmtime has no such entry under the known
name, its own call is used, with the same result.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import wasmtime

try:
    from wasmtime import _bindings as bindings

    CALL: Any = bindings.wasmtime_func_call_unchecked
    RAW: Any = bindings.wasmtime_val_raw_t
    TRAP: Any = ctypes.POINTER(bindings.wasm_trap_t)
except (ImportError, AttributeError):  # pragma: no cover -- of a release to come
    CALL = RAW = TRAP = None

Call = Callable[..., Any]
WHOLE = {"i32": "i32", "i64": "i64"}


def direct_callable(store: wasmtime.Store, function: wasmtime.Func) -> Call:
    """Return a callable for a function of integers with at most one integer result; raises as the function does."""
    kind = function.type(store)
    parameters, results = [str(each) for each in kind.params], [str(each) for each in kind.results]
    if CALL is None or len(results) > 1 or not set(parameters + results) <= set(WHOLE):
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
            values[index].i64 = argument  # The lower half of it where 32 bits are wanted.
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
