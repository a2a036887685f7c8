"""Proofs for an editor: a process of its own, so that whoever goes on typing waits for none and none is in the way.

In: what is asked, as JSON on standard input: a file, the text that stands in the editor, packages, steps. Out: the
findings of every file of its stack, as JSON. What is found is kept on disk as `check` keeps it, so the next process
proves what rests on the next edit. A process whose text is no longer the one in the editor is killed, and with it the
worker that it has beside it.
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulewright.editor.desk import Desk

Told = Callable[[dict[Path, list[dict[str, Any]]]], None]
# Seconds after a key, within which most people strike the next.
PAUSE = 0.4


class Prover:
    """Has one text proved at a time: the latest."""

    def __init__(self, tell: Told) -> None:
        """Begin with nothing to prove; whatever is found is told."""
        self._tell = tell
        self._task: asyncio.Task[None] | None = None

    def begin(self, request: dict[str, Any], pause: float = PAUSE) -> None:
        """Have a text proved after a pause, in place of what was asked before."""
        self.stop()
        self._task = asyncio.get_running_loop().create_task(self._prove(request, pause))

    def stop(self) -> None:
        """Give up what is being proved."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _prove(self, request: dict[str, Any], pause: float) -> None:
        await asyncio.sleep(pause)
        # -P: no module comes from the folder that the editor has open, which may be a stranger's.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", __name__, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        try:
            said, _ = await process.communicate(json.dumps(request).encode())
        finally:
            _kill(process)
        if process.returncode == 0:
            found = json.loads(said)
            self._tell({Path(name): each for name, each in found.items()})


def _kill(process: Process) -> None:
    """End a process and those that it began, unless it has ended."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


def main() -> None:
    """Prove what is asked on standard input."""
    asked = json.load(sys.stdin)
    desk = Desk(tuple(map(Path, asked["packages"])), asked["steps"])
    found = desk.proved(Path(asked["path"]), asked["text"])
    json.dump({path.as_posix(): each for path, each in found.items()}, sys.stdout)


if __name__ == "__main__":
    main()
