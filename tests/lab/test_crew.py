"""Worker processes of an experiment end with their parent."""

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.lab.killing import ROOT

PATIENCE = 60
PARENT = """
import os, time
from runtime.experiment.processes import start_processes
if __name__ == "__main__":
    with start_processes(2) as pool:
        print(*{pool.executor.submit(os.getpid).result() for _ in range(20)}, flush=True)
        time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to probe a process with")
def test_no_worker_outlives_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen(
        [sys.executable, script], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout is not None
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert workers
    assert all(map(runs, workers))
    parent.kill()
    parent.communicate()
    deadline = monotonic() + PATIENCE
    while any(map(runs, workers)) and monotonic() < deadline:
        sleep(0.1)
    assert not [pid for pid in workers if runs(pid)]


def runs(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
