"""Jobs of the page: they report progress, return data, can be stopped, and an error is a message."""

from time import sleep

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.progress import progress_in, progress_line
from tests.workbench.client import Client


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


def test_progress_lines_are_written_and_parsed() -> None:
    assert progress_in(progress_line("comparing a and b", 3, 7)) == {"what": "comparing a and b", "done": 3, "of": 7}
    assert progress_in("warning: something") == progress_in("progress {") == {}
