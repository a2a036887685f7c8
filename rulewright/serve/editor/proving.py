"""Proofs and runs of examples for an editor, in a separate process, so that they do not block the server.

In: one line of JSON per text to prove: a number, a file, the text in the editor, packages, steps; `buffers`, the
texts of other open files; `addresses`, what the editor calls files and folders; `examples` to run these instead. Out:
per completed text a line of JSON with the number and the findings of every file of its stack, preceded by a line with
`partly` after about half of the work, when rules are proved but play is not yet searched. The process runs as long as
the editor: it has compiled the previous text, so that the next compilation is incremental, and a fork of it runs the
`check`. If the text changes, the fork is killed together with its worker. Findings are cached on disk like those of
`check`. On platforms without fork, the process itself is killed.
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from select import select
from typing import IO, Any

from rulewright.checks import trace_store
from rulewright.serve.editor.workspace import EditorWorkspace, FileFindings
from rulewright.system.worker import end_with_parent, end_with_starter, environment_of_child
from runtime.play.garbage_collection import collect_seldom

# A function that shows the findings in the files of the stack of a file.
ShowFindings = Callable[[Path, dict[Path, list[dict[str, Any]]]], None]
# In seconds: the usual time between two keys.
PAUSE = 0.4
FORKS = hasattr(os, "fork")
CHUNK = 65_536
# The most bytes of the findings of one text: a longer line ends the process that reads it.
MOST_PROVED_BYTES = 64 * 2**20
STOP: dict[str, Any] = {"stop": True}


class Prover:
    """A client of the proving process, which proves the latest text only."""

    def __init__(self, tell: ShowFindings) -> None:
        """Start without a request; `tell` is called with findings."""
        self._publish = tell
        self._task: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._request_number = 0

    def begin(self, requests: Sequence[dict[str, Any]], pause: float = PAUSE) -> None:
        """Request proofs of texts after a pause, in order; earlier requests are canceled."""
        self.stop()
        if requests:
            self._task = asyncio.get_running_loop().create_task(self._prove(requests, pause))

    def stop(self) -> None:
        """Cancel the running proof; without forks the process is closed."""
        if self._task is None:
            return
        self._task.cancel()
        self._task = None
        if not FORKS:
            self.close()
        elif self._process is not None:
            self._say(self._process, STOP)

    def close(self) -> None:
        """End the proving process; the next request starts another one."""
        if self._process is not None and self._process.returncode is None:
            _kill_group(self._process.pid)
        self._process = None

    async def _prove(self, requests: Sequence[dict[str, Any]], pause: float) -> None:
        await asyncio.sleep(pause)
        for request in requests:
            await self._prove_one(request)

    async def _prove_one(self, request: dict[str, Any]) -> None:
        process = await self._running()
        self._request_number += 1
        self._say(process, request | {"number": self._request_number})
        assert process.stdout is not None
        found: dict[Path, list[dict[str, Any]]] = {}
        while line := await process.stdout.readline():
            reply = json.loads(line)
            if reply["number"] != self._request_number:
                continue
            new = {Path(name): each for name, each in reply["found"].items()}
            findings = {path: found.get(path, []) + new.get(path, []) for path in {**found, **new}}
            self._publish(Path(request["path"]), findings)
            if reply.get("partly"):
                continue
            found = findings
            if request.get("examples"):
                return
            # Findings of proofs are shown first: examples are run afterwards.
            request = request | {"examples": True}
            self._request_number += 1
            self._say(process, request | {"number": self._request_number})

    async def _running(self) -> Process:
        """Return the proving process, starting one if there is none."""
        if self._process is None or self._process.returncode is not None:
            # -P: modules are not loaded from the folder that is open in the editor, which may be untrusted.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                __name__,
                stdin=PIPE,
                stdout=PIPE,
                env=environment_of_child(),
                start_new_session=True,
                limit=MOST_PROVED_BYTES,
            )
        return self._process

    @staticmethod
    def _say(process: Process, message: dict[str, Any]) -> None:
        with suppress(OSError, RuntimeError):  # The process has ended; the next text starts another one.
            assert process.stdin is not None
            process.stdin.write(json.dumps(message).encode() + b"\n")


def _kill_group(leader: int) -> None:
    """Kill a process and its children."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)


class _LineReader:
    """A line reader of a stream, without blocking."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self._read = b""
        self.ended = False

    def take(self) -> bytes | None:
        """Return the next complete line that has been read; None if there is none."""
        line, end, rest = self._read.partition(b"\n")
        if not end:
            return None
        self._read = rest
        return line

    def wait(self) -> None:
        """Read from the stream, blocking until there is input."""
        content = os.read(self.stream, CHUNK)
        self._read += content
        self.ended = not content


def _read_requests(lines: _LineReader) -> Iterator[dict[str, Any]]:
    """Yield the latest pending request, repeatedly."""
    while True:
        latest = None
        while (line := lines.take()) is not None:
            latest = line
        if latest is not None:
            if (request := json.loads(latest)) != STOP:
                yield request
        elif lines.ended:
            return
        else:
            lines.wait()


def main() -> None:
    """Serve requests on standard input until it ends."""
    collect_seldom()
    end_with_starter()
    lines, workspaces = _LineReader(sys.stdin.fileno()), dict[str, EditorWorkspace]()
    for request in _read_requests(lines):
        workspace = workspaces.setdefault(
            json.dumps([request["packages"], request["steps"]]),
            EditorWorkspace(tuple(map(Path, request["packages"])), request["steps"]),
        )
        workspace.buffers = {Path(path): text for path, text in request.get("buffers", {}).items()}
        workspace.addresses = {Path(path): address for path, address in request.get("addresses", {}).items()}
        if FORKS:
            _prove_in_fork(workspace, request, lines)
        else:
            _prove(workspace, request, sys.stdout)


def _prove(workspace: EditorWorkspace, request: dict[str, Any], to: IO[str]) -> None:
    """Prove a text or run its examples, and write the findings in one line, preceded by early ones."""

    def write_reply(found: FileFindings, *, partly: bool = False) -> None:
        findings = {path.as_posix(): each for path, each in found.items()}
        to.write(json.dumps({"number": request["number"], "found": findings, "partly": partly}) + "\n")
        to.flush()

    path, text = Path(request["path"]), request["text"]
    if request.get("examples"):
        write_reply(workspace.failing_examples(path, text))
    else:
        write_reply(workspace.prove(path, text, partial(write_reply, partly=True)))


def _prove_in_fork(workspace: EditorWorkspace, request: dict[str, Any], lines: _LineReader) -> None:
    """Compile a text, prove it in a fork, and forward its output; a new request kills the fork."""
    workspace.compile(Path(request["path"]), request["text"])
    reading, writing = os.pipe()
    parent = os.getpid()
    process = os.fork()
    if not process:
        end_with_parent(parent)
        os.close(reading)
        _prove_and_end(workspace, request, writing)
    os.close(writing)
    is_done = _forward_lines(reading, lines)
    os.close(reading)
    if not is_done:
        _kill_group(process)
    os.waitpid(process, 0)
    if is_done:
        trace_store.store.reload()


def _forward_lines(reading: int, lines: _LineReader) -> bool:
    """Forward all lines of a pipe; return False if a request arrives before its end."""
    remainder = b""
    while True:
        ready, _, _ = select([reading] if lines.ended else [reading, lines.stream], [], [])
        if reading not in ready:
            lines.wait()
            if not lines.ended:
                return False
            continue  # The input has ended: no other request comes, and the answer is awaited.
        content = os.read(reading, CHUNK)
        if not content:
            return True
        *complete_lines, remainder = (remainder + content).split(b"\n")
        for line in complete_lines:
            sys.stdout.write(line.decode() + "\n")
            sys.stdout.flush()


def _prove_and_end(workspace: EditorWorkspace, request: dict[str, Any], writing: int) -> None:
    """Prove in a fork, store the traces on disk, and exit without the exit handlers of the process."""
    os.setsid()  # So that its children can be killed with it.
    try:
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            _prove(workspace, request, pipe)
        trace_store.store.write_traces()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
