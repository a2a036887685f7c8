"""Commands in processes that are forked from one with all modules loaded, which saves the time to load them.

Input: the arguments after `rulewright`. Output: a process with its streams, which can be waited for and killed. Loading
the modules takes longer than most tests of an editor. Nothing else is shared: the forked process has compiled nothing
and read no rules. Outside of Linux each command is a new Python process, as in the tests of the command line.
"""

import atexit
import gc
import json
import os
import runpy
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from select import select
from typing import IO, Any, Protocol

from rulewright.system.progress import PARENT

ROOT = Path(__file__).resolve().parents[1]
# The modules of the language server, and of its checks, comparisons and drafts.
MODULES = (
    "rulewright.serve.editor.server", "rulewright.checks.checking", "rulewright.lab.contrast.differences",
    "rulewright.lab.experiment", "rulewright.serve.workbench.drafting",
)  # fmt: skip
# The format of a process id, and of an exit code.
NUMBER = struct.Struct("q")
LONGEST = 1 << 20


class Started(Protocol):
    """A running process, with the interface of `subprocess.Popen`."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """Return the stream to its standard input."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """Return the stream of its standard output."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return the exit code."""

    def kill(self) -> None:
        """Kill it."""


def start(words: Sequence[str]) -> Started:
    """Start `rulewright` with arguments, in the folder and the environment of this process."""
    if sys.platform == "linux":
        return Forked("rulewright", words, os.environ)
    command = [sys.executable, "-m", "rulewright", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


class Forked:
    """A forked process that runs a module as `python -m` does."""

    stdin: IO[Any]
    stdout: IO[Any]
    stderr: IO[Any] | None = None

    def __init__(
        self, module: str, words: Sequence[str], environment: Mapping[str, str], *, in_session: bool = False
    ) -> None:
        """Request the process from the server; with `in_session` its streams are text, with a pipe for its errors."""
        (input_read, input_write), (output_read, output_write), (self._numbers_read, numbers_write) = (
            os.pipe() for _ in range(3)
        )
        beside, errors = os.pipe() if in_session else (-1, os.dup(2))
        request = {
            "module": module, "words": list(words), "folder": str(Path.cwd()), "environment": dict(environment),
            "in_session": in_session,
        }  # fmt: skip
        there = [input_read, output_write, errors, numbers_write]
        socket.send_fds(_server(), [json.dumps(request).encode()], there)
        for each in there:
            os.close(each)
        if in_session:
            self.stdin = os.fdopen(input_write, "w", encoding="utf-8")
            self.stdout, self.stderr = (
                os.fdopen(each, encoding="utf-8", errors="replace") for each in (output_read, beside)
            )
        else:
            self.stdin, self.stdout = os.fdopen(input_write, "wb"), os.fdopen(output_read, "rb")
        self.pid = self._number()
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return the exit code."""
        if self.returncode is None:
            if not select([self._numbers_read], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("rulewright", timeout or 0)
            self.returncode = self._number()
            os.close(self._numbers_read)
        return self.returncode

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)

    def _number(self) -> int:
        number: int = NUMBER.unpack(os.read(self._numbers_read, NUMBER.size))[0]
        return number


def start_job(command: Sequence[str], *, env: Mapping[str, str], **_: Any) -> Forked:
    """Start a job of the page; a replacement for `subprocess.Popen`."""
    assert command[:3] == [sys.executable, "-P", "-m"]
    # It is no child of this process, with which it could not end.
    environment = {name: value for name, value in env.items() if name != PARENT}
    return Forked(command[3], command[4:], environment, in_session=True)


@cache
def _server() -> socket.socket:
    """Start the process that forks the others; it ends with this one."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(there.fileno())], cwd=ROOT, pass_fds=[there.fileno()],
        # Pipes, because Python determines once, at its start, whether a stream is a pipe.
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    there.close()
    atexit.register(_end, here, process)
    return here


def _end(connection: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    connection.close()
    process.communicate()


def _forked(connection: socket.socket) -> tuple[str, list[str]]:
    """Fork a process for each request; return, in the forked process only, its module and arguments."""
    while True:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        request_bytes, there, _, _ = socket.recv_fds(connection, LONGEST, 4)
        if not request_bytes:
            os._exit(0)
        if os.fork() == 0:
            break
        for each in there:
            os.close(each)
    connection.close()
    *streams, numbers_write = there
    if process := os.fork():
        # This process between the two waits, because only a parent receives the exit code.
        for each in (0, 1, 2, *streams):
            os.close(each)
        os.write(numbers_write, NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))
        os._exit(0)
    request = json.loads(request_bytes)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # Tests that run under `nohup` hand on that it is ignored.
    if request["in_session"]:
        os.setsid()
    os.write(numbers_write, NUMBER.pack(os.getpid()))
    os.close(numbers_write)
    for place, each in enumerate(streams):
        os.dup2(each, place)
        os.close(each)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    return request["module"], request["words"]


if __name__ == "__main__":
    for name in MODULES:
        with suppress(ImportError):  # An extra may be missing.
            import_module(name)
    gc.freeze()
    started, sys.argv[1:] = _forked(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module(started, run_name="__main__", alter_sys=True)
