"""An interruption by Ctrl-C during exit ends the process without a traceback."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from runtime.experiment.processes import WorkerContext, start_processes

ROOT = Path(__file__).parents[2]
# Registers an exit handler, like the one that stores results, that interrupts its own process.
AT_EXIT = """
import atexit, os, signal, sys
from rulewright.serve.cli import app

def interrupted():
    os.kill(os.getpid(), signal.SIGINT)
    print("went on")

app.run = lambda arguments: atexit.register(interrupted) and 0
signal.signal(signal.SIGINT, getattr(signal, sys.argv[1]))
app.main()
"""
# A command that is interrupted while it imports a module.
AT_IMPORT = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # A background process of a shell ignores the signal.
sys.meta_path.insert(0, Interrupting)
runpy.run_module("rulewright", run_name="__main__")
"""
SIGNALS = pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that a process sends to itself")


@SIGNALS
@pytest.mark.parametrize("module", ["rulewright.system.environment", "rulewright.serve.cli.app"])
def test_an_interruption_while_modules_are_imported_prints_no_traceback(module: str) -> None:
    command = [sys.executable, "-c", AT_IMPORT, module]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


@SIGNALS
@pytest.mark.parametrize(
    ("handler", "code", "printed"), [("default_int_handler", -signal.SIGINT, ""), ("SIG_IGN", 0, "went on\n")]
)
def test_an_interruption_at_exit_prints_no_traceback(handler: str, code: int, printed: str) -> None:
    command = [sys.executable, "-c", AT_EXIT, handler]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, printed, "")


@pytest.fixture
def _handled() -> Iterator[None]:
    """Let Ctrl-C raise: a background process of a shell ignores it, and so do the processes that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@SIGNALS
@pytest.mark.usefixtures("_handled")
def test_a_worker_is_deaf_to_an_interruption_from_its_start(capfd: pytest.CaptureFixture[str]) -> None:
    """It interrupts all processes of a terminal; the parent ends the others."""
    worker = WorkerContext().Process(target=sleep, args=(0.1,))
    worker.start()
    assert worker.pid
    os.kill(worker.pid, signal.SIGINT)
    worker.join()
    assert worker.exitcode == 0
    with start_processes(2) as pool:
        assert pool.executor is not None
        waiting = pool.executor.submit(sleep, 0.1)
        for process in multiprocessing.active_children():
            assert process.pid
            os.kill(process.pid, signal.SIGINT)
        waiting.result()
    assert capfd.readouterr().err == ""
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
