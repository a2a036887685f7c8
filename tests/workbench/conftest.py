"""A page that is served, one for the tests of a file, and the browser that looks at it."""

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
    """Fork what the page has worked at beside itself (tests/started.py); test_jobs.py starts it as the page does."""
    if sys.platform == "linux":
        monkeypatch.setattr(
            "rulewright.workbench.jobs.subprocess", SimpleNamespace(PIPE=subprocess.PIPE, Popen=start_job)
        )


@pytest.fixture(scope="module")
def served_page() -> "Iterator[Served]":
    """Serve the page."""
    # It needs an extra: without it the tests that ask for a page are skipped.
    with pytest.importorskip("tests.workbench.served").page() as found:
        yield found


@pytest.fixture
def browser(opened: Tab) -> Tab:
    """Look at the page by day, on a wide screen; that of another file is left."""
    opened.open("about:blank")
    opened.look()
    return opened
