"""Jobs of the page: they report progress, return data, can be stopped, and an error is a message."""

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep
from urllib.request import Request, urlopen

import pytest

from rulewright.system.errors import UsageError
from rulewright.system.file_locks import lock_file
from tests.sample import LONG, sampled
from tests.started import Forked

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.system.progress import progress_in, progress_line
from tests.workbench.client import Client

# The seconds after which a server that does not end fails the test instead of stopping the whole run.
PATIENCE = 300


def can_be_locked(file: Path) -> bool:
    """Return whether no process writes a file."""
    with file.open("rb") as opened, suppress(UsageError):
        lock_file(opened, file, "is writing")
        return True
    return False


def ended(client: Client, name: str) -> dict[str, object]:
    while (state := client.read("job", job=name))["running"]:
        sleep(0.05)
    return dict(state)


def test_a_job_returns_the_data_of_its_command() -> None:
    client = Client()
    assert "rulewright" in str(ended(client, client.sessions.jobs.begin(["version"]))["data"])


@sampled(0)
def test_a_failed_job_has_a_message() -> None:
    client = Client()
    state = ended(client, client.sessions.jobs.begin(["check", "no_such_stack"]))
    assert state["data"] is None
    assert "no_such_stack" in str(state["error"])


def test_a_stopped_job_has_ended() -> None:
    client = Client()
    name = client.sessions.jobs.begin(["compare", "first_snow", "-n", "100000", "--jobs", "1"])
    state = client.write("stop", job=name)
    assert (state["running"], state["stopped"], state["data"]) == (False, True, None)
    assert client.sessions.jobs.find(name).process.poll() is not None
    assert client.get("job", job="77").status == 400


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the children of a process")
@pytest.mark.parametrize("end", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=LONG)])
def test_a_job_ends_with_its_server(end: signal.Signals, tmp_path: Path) -> None:
    environment = {**os.environ, "RULEWRIGHT_CACHE": str(tmp_path)}
    server = Forked("rulewright", ["open", "--no-browser"], environment, in_session=True)
    assert server.stderr is not None
    link = server.stderr.readline().split()[-1].partition("#")[0]
    setup = {"card": "before_the_tide", "first": "low_tide", "second": "low_tide", "players": "greedy", "until": "",
             "games": 5000}  # fmt: skip
    origin = "/".join(link.split("/")[:3])
    headers = {"origin": origin, "content-type": "application/json"}
    with urlopen(Request(f"{link}api/lab_begin", json.dumps(setup).encode(), headers)) as answer:
        job = json.load(answer)["job"]
    progress: dict[str, int] = {}
    while not progress.get("done"):
        sleep(0.05)
        with urlopen(f"{link}api/job?job={job}") as answer:
            progress = json.load(answer)["progress"]
    lists = [file.read_text() for file in Path(f"/proc/{server.pid}/task").glob("*/children")]
    children = [int(pid) for pids in lists for pid in pids.split()]
    assert any(map(is_alive, children))
    os.kill(server.pid, end)
    server.wait(timeout=PATIENCE)
    while any(map(is_alive, children)):
        sleep(0.05)


def is_alive(process: int) -> bool:
    """Return whether a process runs: one that has ended may still be listed, until its parent has asked for it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def test_progress_lines_are_written_and_parsed() -> None:
    assert progress_in(progress_line("comparing a and b", 3, 7)) == {"what": "comparing a and b", "done": 3, "of": 7}
    assert progress_in("warning: something") == progress_in("progress {") == {}
