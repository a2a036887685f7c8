"""An interruption by Ctrl-C during exit ends the process without a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Registers an exit handler, like the one that stores results, that interrupts its own process.
AT_EXIT = """
import atexit, os, signal, sys
from rulewright.cli import app

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
@pytest.mark.parametrize("module", ["rulewright.bootstrap", "rulewright.cli.app"])
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
