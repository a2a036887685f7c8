"""Requests about jobs of all views: their state, and stopping."""

from typing import Any

from rulewright.lab.contrast.difference_blocks import difference_block
from rulewright.serve.workbench.block_encoding import blocks_data
from rulewright.serve.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.serve.workbench.sessions import Sessions


def _job_state(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the state of a job, with its result when it has ended; a difference also as blocks."""
    job = sessions.jobs.find(text_field(payload, "job"))
    state = job.state()
    if job.command[0] == "diff" and state["data"]:
        state["data"]["blocks"] = blocks_data([difference_block(state["data"], every=True)])
    return state


def stop(sessions: Sessions, payload: RequestFields) -> Any:
    """Stop a job."""
    found = sessions.jobs.find(text_field(payload, "job"))
    found.stop()
    return found.state()


READ: dict[str, RequestFunction] = {"job": _job_state}
WRITE: dict[str, RequestFunction] = {"stop": stop}
