"""The collector of garbage rests while something is compiled, and goes on as it was before."""

import gc

import pytest

from compiler.source.uncollected import uncollected


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_is_left_as_it_was(*, collecting: bool) -> None:
    was = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        with uncollected():
            assert not gc.isenabled()
        assert gc.isenabled() is collecting
        with pytest.raises(ValueError, match="broken"), uncollected():
            raise ValueError("broken")
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if was else gc.disable)()
