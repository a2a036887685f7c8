"""A page that is served and a browser that looks at it: one of each for the tests of a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.books.browser import Tab, tab

if TYPE_CHECKING:
    from tests.workbench.served import Served


@pytest.fixture(scope="module")
def shown() -> "Iterator[Served]":
    """Serve the page."""
    # It needs an extra: without it the tests that ask for a page are skipped.
    with pytest.importorskip("tests.workbench.served").page() as found:
        yield found


@pytest.fixture(scope="module")
def opened() -> Iterator[Tab]:
    """Open a browser."""
    with tab() as found:
        yield found


@pytest.fixture
def browser(opened: Tab) -> Tab:
    """Look at the page by day, on a wide screen."""
    opened.look()
    return opened
