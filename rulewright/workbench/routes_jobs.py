"""Requests about long work that any room began: how far it is, and to stop it."""

from typing import Any

from rulewright.workbench.requests import Answered, Asked, text_of
from rulewright.workbench.sessions import Sessions


def job(sessions: Sessions, asked: Asked) -> Any:
    """Return how far a job is; its data once it is done."""
    return sessions.jobs.find(text_of(asked, "job")).state()


def stop(sessions: Sessions, asked: Asked) -> Any:
    """Stop a job."""
    found = sessions.jobs.find(text_of(asked, "job"))
    found.stop()
    return found.state()


READ: dict[str, Answered] = {"job": job}
WRITE: dict[str, Answered] = {"stop": stop}
