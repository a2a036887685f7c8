"""Commands in processes of their own that need not load everything anew: forked off one that has only loaded modules.

In: the words after `rulewright`. Out: a process with its input and output, which can be waited for and killed. To load
the modules takes longer than most tests of an editor, and is done once; nothing else is shared, since the process that
is forked has compiled nothing and read no rules. Elsewhere than on Linux each is started as people start it, as the
tests of the command line start theirs everywhere.
"""

import atexit
import json
import os
import runpy
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from select import select
from typing import IO, Protocol

ROOT = Path(__file__).resolve().parents[1]
# What an editor is served with, and what a check takes.
MODULES = ("rulewright.cli.editor", "rulewright.editor.server", "rulewright.checking")
# The number of a process, then what it ended with.
NUMBER = struct.Struct("q")
LONGEST = 1 << 20


class Started(Protocol):
    """A process that was started, as the module `subprocess` has it."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The input."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """The output."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end."""

    def kill(self) -> None:
        """End it at once."""


def start(words: Sequence[str]) -> Started:
    """Start `rulewright` with some words, in the folder and the environment of this process."""
    if sys.platform == "linux":
        return _Forked(words)
    command = [sys.executable, "-m", "rulewright", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


class _Forked:
    """A process that was forked."""

    def __init__(self, words: Sequence[str]) -> None:
        taken, given = os.pipe()
        heard, said = os.pipe()
        self._told, telling = os.pipe()
        asked = {"words": list(words), "folder": str(Path.cwd()), "environment": dict(os.environ)}
        socket.send_fds(_server(), [json.dumps(asked).encode()], [taken, said, telling])
        for each in (taken, said, telling):
            os.close(each)
        self.stdin: IO[bytes] = os.fdopen(given, "wb")
        self.stdout: IO[bytes] = os.fdopen(heard, "rb")
        self._process = self._number()
        self._ended: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        if self._ended is None:
            if not select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("rulewright", timeout or 0)
            self._ended = self._number()
            os.close(self._told)
            self.stdout.close()
            with suppress(BrokenPipeError):
                self.stdin.close()
        return self._ended

    def kill(self) -> None:
        if self._ended is None:
            os.kill(self._process, signal.SIGKILL)

    def _number(self) -> int:
        number: int = NUMBER.unpack(os.read(self._told, NUMBER.size))[0]
        return number


@cache
def _server() -> socket.socket:
    """Start the process that is forked, and keep it while this one runs."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(there.fileno())], cwd=ROOT, pass_fds=[there.fileno()],
        # Pipes, since Python looks once whether a stream is one.
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    there.close()
    atexit.register(_end, here, process)
    return here


def _end(connection: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    connection.close()
    process.communicate()


def _forked(connection: socket.socket) -> list[str]:
    """Fork a process for each request; return, in that process only, the words that it is started with."""
    while True:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        asked, there, _, _ = socket.recv_fds(connection, LONGEST, 3)
        if not asked:
            os._exit(0)
        if os.fork() == 0:
            break
        for each in there:
            os.close(each)
    connection.close()
    *streams, telling = there
    if process := os.fork():
        # Between the two stands one that waits, since only a parent hears how a process ended.
        for each in (0, 1, *streams):
            os.close(each)
        os.write(telling, NUMBER.pack(process))
        os.write(telling, NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))
        os._exit(0)
    os.close(telling)
    for place, each in enumerate(streams):
        os.dup2(each, place)
        os.close(each)
    request = json.loads(asked)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    words: list[str] = request["words"]
    return words


if __name__ == "__main__":
    for name in MODULES:
        import_module(name)
    sys.argv[1:] = _forked(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("rulewright", run_name="__main__", alter_sys=True)
