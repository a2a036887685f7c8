"""Draw the picture of the page that the README shows: `python -m tests.workbench.picture`."""

import base64
import sys
from pathlib import Path

from tests.books.browser import tab
from tests.workbench.served import click, look_at, page, until

PICTURE = Path(__file__).resolve().parent.parent.parent / "docs" / "pictures" / "page.png"


def main() -> int:
    """Show a counter with its moves, and take the picture."""
    with page() as shown, tab() as browser:
        browser.look()
        look_at(browser, f"{shown.link}#/table/card.first_snow")
        click(browser, '[data-piece="panzers-1.1"]')
        until(browser, "document.querySelectorAll('.overlay .lit').length > 5")
        click(browser, '[data-space="K11"]')
        until(browser, "document.querySelector('.why') !== null")
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
