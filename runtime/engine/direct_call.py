"""Call a function of a module without looking its type up again.

`wasmtime.Func` reads the type of a function, and makes a value with a finalizer of each argument, at every call: some
40 us, where a player that searches makes thousands of calls of a few microseconds. Here type and buffer are made once,
and the same entry of the C interface is called that takes values as they are. Where a release of wasmtime has no such
entry under the name known here, its own call is used: slower, and the same.
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
    """Make a callable of a function that takes and gives at most integers; it raises what the function's call does."""
    kind = function.type(store)
    given, got = [str(each) for each in kind.params], [str(each) for each in kind.results]
    if CALL is None or len(got) > 1 or not set(given + got) <= set(WHOLE):
        return lambda *arguments: function(store, *arguments)
    size = max(1, len(given), len(got))
    values = (RAW * size)()
    reference = ctypes.byref(function._func)
    context, trap = store._context(), TRAP()
    trapped, takes, answers = ctypes.byref(trap), len(given), got[0] if got else ""

    def call(*arguments: int) -> int | None:
        if len(arguments) != takes:
            raise TypeError(f"{takes} arguments, not {len(arguments)}")
        for at, argument in enumerate(arguments):
            values[at].i64 = argument  # The lower half of it where 32 bits are wanted.
        error = CALL(context, reference, values, size, trapped)
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            found = wasmtime.Trap._from_ptr(TRAP.from_buffer_copy(trap))
            ctypes.memset(trapped, 0, ctypes.sizeof(trap))
            raise found
        return None if not answers else int(getattr(values[0], answers))

    # The buffer of the function lives as long as the function: keep it.
    call.function = function  # type: ignore[attr-defined]
    return call
