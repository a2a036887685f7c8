"""Requests about long work that any room began: how far it is, and to stop it."""

from typing import Any

from rulewright.workbench.requests import Answered, Payload, text_of
from rulewright.workbench.sessions import Sessions


def job(sessions: Sessions, payload: Payload) -> Any:
    """Return how far a job is; its data once it is done."""
    return sessions.jobs.find(text_of(payload, "job")).state()


def stop(sessions: Sessions, payload: Payload) -> Any:
    """Stop a job."""
    found = sessions.jobs.find(text_of(payload, "job"))
    found.stop()
    return found.state()


READ: dict[str, Answered] = {"job": job}
WRITE: dict[str, Answered] = {"stop": stop}
