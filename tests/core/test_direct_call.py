"""Direct calls give and raise what the calls of wasmtime do."""

from collections.abc import Callable

import pytest

pytest.importorskip("wasmtime")

import wasmtime

from runtime.engine import direct_call
from runtime.engine.direct_call import direct_callable

Called = Callable[..., object]
TEXT = """(module
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


def test_values_come_back_as_they_are(call: Called) -> None:
    assert call("ratio", -3, 10) == -3
    assert call("ratio", 1, -(2**63)) == -(2**63)
    assert call("same", -5) == -5
    assert call("nothing") is None
    assert call("half", 3.0) == 1.5


def test_a_trap_is_raised_each_time_and_then_calls_go_on(call: Called) -> None:
    for _ in range(2):
        with pytest.raises(wasmtime.Trap) as raised:
            call("ratio", 0, 1)
        assert raised.value.trap_code is wasmtime.TrapCode.INTEGER_DIVISION_BY_ZERO
        assert call("ratio", 2, 10) == 5
    with pytest.raises(wasmtime.Trap) as raised:
        call("forever")
    assert raised.value.trap_code is wasmtime.TrapCode.OUT_OF_FUEL


def test_as_many_arguments_as_the_function_takes(call: Called) -> None:
    with pytest.raises((TypeError, wasmtime.WasmtimeError)):
        call("ratio", 1)
