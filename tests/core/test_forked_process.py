"""Modules are compiled in a forked process whose parent has compiled some, as environments of learners may be."""

import os
from multiprocessing import get_context

import pytest

from compiler.wasm.module import write_game
from runtime.engine.module import CompiledModule
from tests.toys.hares import hares

# Seconds until a process that waits without end is told from a slow one.
WAIT = 120


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked on this system")
def test_a_module_is_compiled_in_a_forked_process() -> None:
    rules = hares()
    module = write_game(rules, 16, 200)
    CompiledModule(rules, *module)
    process = get_context("fork").Process(target=CompiledModule, args=(rules, *module))
    process.start()
    process.join(WAIT)
    exit_code = process.exitcode
    process.kill()
    assert exit_code == 0, "the process waits without end" if exit_code is None else "it failed"
