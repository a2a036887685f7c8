"""Requests about jobs of all views: their state, and stopping."""

from typing import Any

from rulewright.serve.workbench.requests import RequestFields, RequestFunction, text_field
from rulewright.serve.workbench.sessions import Sessions


def job_state(sessions: Sessions, payload: RequestFields) -> Any:
    """Return the state of a job, with its result when it has ended."""
    return sessions.jobs.find(text_field(payload, "job")).state()


def stop(sessions: Sessions, payload: RequestFields) -> Any:
    """Stop a job."""
    found = sessions.jobs.find(text_field(payload, "job"))
    found.stop()
    return found.state()


READ: dict[str, RequestFunction] = {"job": job_state}
WRITE: dict[str, RequestFunction] = {"stop": stop}
