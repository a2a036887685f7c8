"""Fixtures: a served page for the tests of a file, and the browser that shows it."""

import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tests.books.browser import Tab
from tests.started import start_job

if TYPE_CHECKING:
    from tests.workbench.served import Served


@pytest.fixture
def forked_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the jobs of the page (tests/started.py); test_jobs.py starts them like the page itself."""
    if sys.platform == "linux":
        monkeypatch.setattr(
            "rulewright.serve.workbench.jobs.subprocess", SimpleNamespace(PIPE=subprocess.PIPE, Popen=start_job)
        )


@pytest.fixture(scope="module")
def served_page() -> "Iterator[Served]":
    """Serve the page."""
    # It needs an extra, without which the tests of the page are skipped.
    with pytest.importorskip("tests.workbench.served").page() as found:
        yield found


@pytest.fixture
def browser(opened: Tab) -> Tab:
    """Show a blank page in the light scheme, on a wide screen, in place of the page of another file."""
    opened.open("about:blank")
    opened.look()
    return opened
