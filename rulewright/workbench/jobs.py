"""Long work beside the page: commands of rulewright, each in a process of its own, with their progress.

In: the words of a command. Out: how far it is, and in the end its data, the same as `--format json` prints. A process
that is not wanted any more is killed with those that it began; one that crashes leaves a message and nothing else.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from rulewright.errors import UsageError
from rulewright.progress import PROGRESS, progress_in

# Jobs whose results the page may still ask for; those before are forgotten.
MOST_KEPT = 20
# Jobs at a time: each takes a core.
MOST_RUNNING = 2


@dataclass(slots=True)
class Job:
    """A command at work. `progress` is what it last said of its progress, `error_lines` what it wrote besides.

    `lines` are those of its output so far; `incremental`: each of them is all that is known then, and the last one is
    the result. `then` is called once, by the first request after it has ended.
    """

    command: tuple[str, ...]
    process: subprocess.Popen[str]
    progress: dict[str, Any] = field(default_factory=dict)
    error_lines: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    incremental: bool = False
    stopped: bool = False
    then: Callable[[], None] | None = None
    readers: tuple[Thread, ...] = ()

    @property
    def is_running(self) -> bool:
        """Return whether it is still at work."""
        return any(each.is_alive() for each in self.readers) or self.process.poll() is None

    def state(self) -> dict[str, Any]:
        """Return how far it is: `running`, `progress` (what, done, of), `stopped`, `data` of the end, `error`.

        Of a job that answers line by line `data` is what it said last.
        """
        running = self.is_running
        shown: dict[str, Any] = {
            "running": running, "progress": self.progress, "stopped": self.stopped, "data": None, "error": "",
        }  # fmt: skip
        if running and self.incremental and self.lines:
            shown["data"] = json.loads(self.lines[-1])
        if not running and not self.stopped:
            try:
                shown["data"] = json.loads("".join(self.lines[-1:] if self.incremental else self.lines))
            except ValueError:
                shown["error"] = self.failure_text()
                return shown
            if isinstance(shown["data"], dict) and "refused" in shown["data"]:
                return {**shown, "data": None, "error": shown["data"]["refused"]}
            then, self.then = self.then, None
            if then is not None:
                then()
        return shown

    def failure_text(self) -> str:
        """Return what it said last, where it did not end well."""
        return "\n".join(self.error_lines[-5:]) or f"the work ended with {self.process.returncode}"

    def stop(self) -> None:
        """Kill it, and what it began."""
        self.stopped = self.stopped or self.process.poll() is None
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()
            self.process.wait()
        for each in self.readers:
            each.join(1)


@dataclass(slots=True)
class Jobs:
    """The jobs of one server."""

    all: dict[str, Job] = field(default_factory=dict)
    begun: int = 0

    def begin(self, command: Sequence[str], packages: Sequence[Path] = ()) -> str:
        """Start a command such as `diff A B`; give the name under which it is asked about."""
        if sum(each.is_running for each in self.all.values()) >= MOST_RUNNING:
            raise UsageError(f"{MOST_RUNNING} jobs are at work already; stop one, or wait for it")
        words = [*command, "--format", "json", *(f"--path={each}" for each in packages)]
        return self._started(command, ["rulewright", *words], "")

    def begin_module(self, module: str, request: object, then: Callable[[], None] | None = None) -> str:
        """Start a module that reads a request as a line of JSON, and prints its answers so; give its name."""
        name = self._started((module,), [module], json.dumps(request) + "\n")
        self.all[name].then, self.all[name].incremental = then, True
        return name

    def _started(self, command: Sequence[str], words: Sequence[str], given: str) -> str:
        # -P: no module comes from the folder that the page was started in.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", *words], text=True, encoding="utf-8", errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, PROGRESS: "1"}, start_new_session=True,
        )  # fmt: skip
        job = Job(tuple(command), process)
        job.readers = (
            Thread(target=_read_out, args=[job], daemon=True),
            Thread(target=_read_output, args=[job], daemon=True),
        )
        for each in job.readers:
            each.start()
        assert process.stdin
        with suppress(OSError):  # It may have ended already; what it said tells why.
            process.stdin.write(given)
        with suppress(OSError):
            process.stdin.close()
        self.begun += 1
        name = str(self.begun)
        self.all[name] = job
        for older in [key for key, each in self.all.items() if not each.is_running][:-MOST_KEPT]:
            del self.all[older]
        return name

    def find(self, name: str) -> Job:
        """Return a job."""
        if name not in self.all:
            raise UsageError("this work is not known any more; begin it again")
        return self.all[name]

    def close(self) -> None:
        """End all of them."""
        for each in self.all.values():
            each.stop()


def _read_out(job: Job) -> None:
    assert job.process.stdout
    for line in job.process.stdout:
        job.lines.append(line)


def _read_output(job: Job) -> None:
    assert job.process.stderr
    for line in job.process.stderr:
        found = progress_in(line)
        if found:
            job.progress = found
        else:
            job.error_lines.append(line.rstrip("\n"))
