"""Direct calls, globals and memory have the results and errors of the public interface of wasmtime."""

from collections.abc import Callable

import pytest

pytest.importorskip("wasmtime")

import wasmtime

from runtime.engine import direct_call
from runtime.engine.direct_call import direct_callable

Called = Callable[..., object]
TEXT = """(module
  (memory (export "memory") 1)
  (global (export "narrow") (mut i32) (i32.const -7))
  (global (export "wide") (mut i64) (i64.const -9000000000))
  (global (export "constant") i32 (i32.const 4))
  (func (export "ratio") (param i32 i64) (result i64) (i64.div_s (local.get 1) (i64.extend_i32_s (local.get 0))))
  (func (export "same") (param i32) (result i32) (local.get 0))
  (func (export "nothing"))
  (func (export "forever") (loop $again (br $again)))
  (func (export "half") (param f64) (result f64) (f64.div (local.get 0) (f64.const 2))))"""


@pytest.fixture(params=["direct", "public"])
def call(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Called:
    if request.param == "public":
        monkeypatch.setattr(direct_call, "CALL", None)
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    exports = wasmtime.Instance(store, wasmtime.Module(engine, TEXT), []).exports(store)

    def called(name: str, *arguments: float) -> object:
        store.set_fuel(10_000)
        function = exports[name]
        assert isinstance(function, wasmtime.Func)
        return direct_callable(store, function)(*arguments)

    return called


def test_results_of_all_types_are_exact(call: Called) -> None:
    assert call("ratio", -3, 10) == -3
    assert call("ratio", 1, -(2**63)) == -(2**63)
    assert call("same", -5) == -5
    assert call("nothing") is None
    assert call("half", 3.0) == 1.5


def test_calls_work_after_a_trap(call: Called) -> None:
    for _ in range(2):
        with pytest.raises(wasmtime.Trap) as raised:
            call("ratio", 0, 1)
        assert raised.value.trap_code is wasmtime.TrapCode.INTEGER_DIVISION_BY_ZERO
        assert call("ratio", 2, 10) == 5
    with pytest.raises(wasmtime.Trap) as raised:
        call("forever")
    assert raised.value.trap_code is wasmtime.TrapCode.OUT_OF_FUEL


def test_a_wrong_number_of_arguments_is_an_error(call: Called) -> None:
    with pytest.raises((TypeError, wasmtime.WasmtimeError)):
        call("ratio", 1)
