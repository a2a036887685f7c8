"""Workers that are killed during an experiment: the loss is reported, with how to resume."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

import pytest

from rulewright.lab.results import Results
from rulewright.serve.cli.app import run
from runtime.experiment.plan import Row
from tests.lab.killing import ROOT, Kills, written
from tests.lab.test_crew import runs
from tests.sample import LONG, sampled

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to kill a process with")

PATIENCE = 90
MANY = "100000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a toy game and a variant."""
    top = tmp_path_factory.mktemp("gone")
    Kills.plant(top)
    return top


def compare(folder: Path, name: str, *options: str) -> "subprocess.Popen[str]":
    """Start a long experiment."""
    command = [
        sys.executable, "-m", "rulewright", "compare", "first_toy", "--rules", "toy", "--rules", "mine",
        "--path", "packages", "-n", MANY, "--players", "random", "--out", f"{name}.jsonl", *options,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        preexec_fn=heed_signals,  # noqa: PLW1509 - no threads yet
    )  # fmt: skip


def heed_signals() -> None:
    """Undo that a shell in the background, or nohup, makes its commands ignore Ctrl-C or a closed terminal."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def when_it_plays(process: "subprocess.Popen[str]", file: Path) -> None:
    """Wait until some games are written."""
    deadline = monotonic() + PATIENCE
    while len(written(file)) < 5:
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        assert monotonic() < deadline
        sleep(0.05)


def workers_of(pid: int) -> list[int]:
    """Return the worker processes of a process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (entry / "stat").exists():
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == pid and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def worker_output_of(process: "subprocess.Popen[str]", file: Path) -> str:
    """Wait for the end with an error, without a traceback; return its text, which must report the stored games."""
    _, output = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, output
    assert "bug" not in output
    assert "Traceback" not in output
    stored_count = len(written(file)) - 1
    assert f"{stored_count} games are kept in {file.name}; to go on: python3 -m rulewright compare first_toy" in output
    return output


@sampled(0)
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="nothing says which processes there are")
def test_a_killed_worker_is_reported(folder: Path) -> None:
    file = folder / "pool.jsonl"
    process = compare(folder, "pool", "--jobs", "2")
    when_it_plays(process, file)
    workers = workers_of(process.pid)
    os.kill(workers[0], signal.SIGKILL)
    assert "a process that played has died" in worker_output_of(process, file)
    assert not [pid for pid in workers if runs(pid)]


@sampled(0)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, pytest.param(signal.SIGINT, marks=LONG)])
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="nothing says which processes there are")
def test_an_interrupted_experiment_leaves_no_worker(folder: Path, number: signal.Signals) -> None:
    name = f"broken-{number}"
    file = folder / f"{name}.jsonl"
    process = compare(folder, name, "--jobs", "2")
    when_it_plays(process, file)
    workers = workers_of(process.pid)
    process.send_signal(number)
    _, output = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, output
    assert f"broken off; {len(written(file)) - 1} games are kept in {name}.jsonl; to go on: " in output
    assert "Traceback" not in output
    assert not [pid for pid in workers if runs(pid)]


class InterruptedFile:
    """A file of results: its first flush is interrupted, before it writes or afterwards."""

    def __init__(self, file: IO[bytes], *, writes: bool) -> None:
        """Start uninterrupted."""
        self.file, self.writes, self.is_interrupted = file, writes, False

    def flush(self) -> None:
        """Flush, but for the interruption."""
        if self.writes or self.is_interrupted:
            self.file.flush()
        if not self.is_interrupted:
            self.is_interrupted = True
            raise KeyboardInterrupt

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@pytest.mark.parametrize("writes", [False, True])
def test_the_game_whose_writing_was_interrupted_is_counted(
    writes: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "games.jsonl"
    write = Results.write

    def write_interrupted(results: Results, number: int, row: Row) -> None:
        if number == 3:
            monkeypatch.setattr(results, "file", InterruptedFile(results.file, writes=writes))
        write(results, number, row)

    monkeypatch.setattr(Results, "write", write_interrupted)
    assert run(["compare", "before_the_tide", "-n", "9", "-j", "1", "--players", "random", "--out", str(file)]) == 130
    assert len(written(file)) == 1 + 4
    assert f"broken off; 4 games are kept in {file}; to go on: " in capsys.readouterr().err


LARGE = """
import os, signal, time
from runtime.experiment.processes import start_processes

if __name__ == "__main__":
    with start_processes(2) as pool:
        playing = [pool.executor.submit(time.sleep, 60) for _ in range(2)]
        waiting = [pool.executor.submit(len, bytes(1_000_000)) for _ in range(6)]
        time.sleep(1)
        os.kill(next(iter(pool.executor._processes)), signal.SIGKILL)
        playing[0].result()
"""


def test_a_full_pipe_to_a_dead_worker_does_not_block(tmp_path: Path) -> None:
    """The work fills the pipe, so a thread is still writing when the reading process dies."""
    script = tmp_path / "large.py"
    script.write_text(LARGE)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True,
                           timeout=PATIENCE, check=False)  # fmt: skip
    assert "BrokenProcessPool" in ended.stderr
