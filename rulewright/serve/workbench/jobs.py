"""Background jobs of the page: commands of rulewright, each in a separate process, with their progress.

In: the arguments of a command. Out: its progress, and its result, as printed by `--format json`. A canceled
process is killed with its children; a crashed one leaves a message only. A job ends with its server, also if that was
killed.
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

from rulewright.system.errors import UsageError
from rulewright.system.progress import PROGRESS, progress_in
from rulewright.system.worker import environment_of_child

# The most jobs whose results are stored; older ones are discarded.
MOST_KEPT = 20
# The most concurrent jobs, each of which uses a core.
MOST_RUNNING = 2


@dataclass(slots=True)
class Job:
    """A running command. `progress` is its last reported progress, `error_lines` its other output on stderr.

    `lines` is its output so far; `is_incremental`: each line is a complete intermediate result, the last one the
    result. `on_end` is called once, by the first request after the end.
    """

    command: tuple[str, ...]
    process: subprocess.Popen[str]
    progress: dict[str, Any] = field(default_factory=dict)
    error_lines: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    is_incremental: bool = False
    is_stopped: bool = False
    on_end: Callable[[], None] | None = None
    readers: tuple[Thread, ...] = ()

    @property
    def is_running(self) -> bool:
        """Return whether the command is running."""
        return any(reader.is_alive() for reader in self.readers) or self.process.poll() is None

    def state(self) -> dict[str, Any]:
        """Return the state: `running`, `progress` (what, done, of), `stopped`, `data` of the result, `error`.

        For an incremental job, `data` is the last line.
        """
        running = self.is_running
        state_data: dict[str, Any] = {
            "running": running, "progress": self.progress, "stopped": self.is_stopped, "data": None, "error": "",
        }  # fmt: skip
        if running and self.is_incremental and self.lines:
            state_data["data"] = json.loads(self.lines[-1])
        if not running and not self.is_stopped:
            try:
                state_data["data"] = json.loads("".join(self.lines[-1:] if self.is_incremental else self.lines))
            except ValueError:
                state_data["error"] = self.failure_text()
                return state_data
            if isinstance(state_data["data"], dict) and "refused" in state_data["data"]:
                return {**state_data, "data": None, "error": state_data["data"]["refused"]}
            on_end, self.on_end = self.on_end, None
            if on_end is not None:
                on_end()
        return state_data

    def failure_text(self) -> str:
        """Return the last lines on stderr, or the exit code if there are none."""
        return "\n".join(self.error_lines[-5:]) or f"the process ended with exit code {self.process.returncode}"

    def stop(self) -> None:
        """Kill the process and its children."""
        self.is_stopped = self.is_stopped or self.process.poll() is None
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()
            self.process.wait()
        for reader in self.readers:
            reader.join(1)


@dataclass(slots=True)
class Jobs:
    """The jobs of one server."""

    all: dict[str, Job] = field(default_factory=dict)
    job_count: int = 0

    def begin(self, command: Sequence[str], packages: Sequence[Path] = ()) -> str:
        """Start a command such as `diff A B`; return the name of the job."""
        if sum(each.is_running for each in self.all.values()) >= MOST_RUNNING:
            raise UsageError(f"{MOST_RUNNING} jobs are already running; stop one, or wait until it ends")
        words = [*command, "--format", "json", *(f"--path={package}" for package in packages)]
        return self._start_process(command, ["rulewright", *words], "")

    def begin_module(self, module: str, request: object, on_end: Callable[[], None] | None = None) -> str:
        """Start a module that reads a line of JSON and prints lines of JSON; return the name of the job."""
        name = self._start_process((module,), [module], json.dumps(request) + "\n")
        self.all[name].on_end, self.all[name].is_incremental = on_end, True
        return name

    def _start_process(self, command: Sequence[str], words: Sequence[str], input_text: str) -> str:
        # -P: modules are not loaded from the folder that the page was started in.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", *words], text=True, encoding="utf-8", errors="replace",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**environment_of_child(), PROGRESS: "1"}, start_new_session=True,
        )  # fmt: skip
        job = Job(tuple(command), process)
        job.readers = (
            Thread(target=_read_out, args=[job], daemon=True),
            Thread(target=_read_output, args=[job], daemon=True),
        )
        for reader in job.readers:
            reader.start()
        assert process.stdin
        with suppress(OSError):  # The process may have ended already; its output states why.
            process.stdin.write(input_text)
        with suppress(OSError):
            process.stdin.close()
        self.job_count += 1
        name = str(self.job_count)
        self.all[name] = job
        for older in [key for key, each in self.all.items() if not each.is_running][:-MOST_KEPT]:
            del self.all[older]
        return name

    def find(self, name: str) -> Job:
        """Return a job; `UsageError` if it is unknown."""
        if name not in self.all:
            raise UsageError("this job no longer exists; start it again")
        return self.all[name]

    def close(self) -> None:
        """Stop all jobs."""
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
