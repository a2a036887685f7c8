"""Garbage collection is disabled during a compilation, and restored afterwards."""

import gc

import pytest

from compiler.source import garbage_collection
from compiler.source.garbage_collection import without_garbage_collection


@pytest.mark.parametrize("collecting", [True, False])
def test_the_state_of_the_collector_is_restored(*, collecting: bool) -> None:
    was = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        with without_garbage_collection():
            assert not gc.isenabled()
        assert gc.isenabled() is collecting
        with pytest.raises(ValueError, match="broken"), without_garbage_collection():
            raise ValueError("broken")
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if was else gc.disable)()


def test_frozen_objects_stay_frozen_and_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting traverses all frozen objects, which may take longer than the compilation."""
    counted: list[int] = []
    thawed: list[str] = []
    monkeypatch.setattr(garbage_collection, "_SEEN", [])
    monkeypatch.setattr(gc, "isenabled", lambda: True)
    monkeypatch.setattr(gc, "enable", lambda: None)
    monkeypatch.setattr(gc, "disable", lambda: None)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(gc, "unfreeze", lambda: thawed.append("all"))
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counted.append(1) or 7)  # type: ignore[func-returns-value]
    for _ in range(3):
        with without_garbage_collection():
            pass
    assert counted == [1]
    assert not thawed
    monkeypatch.setattr(garbage_collection, "_SEEN", [])
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 0)
    with without_garbage_collection():
        pass
    assert thawed == ["all"]
