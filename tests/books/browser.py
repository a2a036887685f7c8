"""Control of a headless Chromium through its debugging pipe, and checks of its pages with axe-core.

Both must be installed: Chromium on the path, axe-core in the Python package of that name. Nothing is downloaded.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from select import select
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe")
# Seconds to wait for an event of a page, on a busy machine.
PATIENCE = 240


def chromium() -> str:
    """Find a browser; return "" if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), "")


def axe() -> str:
    """Read the script of axe-core; return "" if it is not installed."""
    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        return ""
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


class Tab:
    """A page of a browser, with messages in both directions that end with a zero byte."""

    def __init__(self, write: int, read: int) -> None:
        """Open an empty page."""
        self.write, self.read = write, read
        self.rest = b""
        self.count = 0
        self.session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """Send a message, and return the result of its response."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": given}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer["error"]
                return answer["result"]  # type: ignore[no-any-return]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            assert select([self.read], [], [], PATIENCE)[0], "the browser says nothing"
            part = os.read(self.read, 1 << 16)
            assert part, "the browser has gone"
            self.rest += part
        line, _, self.rest = self.rest.partition(b"\0")
        return json.loads(line)  # type: ignore[no-any-return]

    def open(self, address: str) -> None:
        """Load a page and wait for its load event."""
        self.call("Page.navigate", url=address)
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def follow(self, address: str) -> None:
        """Load a page that redirects to another, and wait for the load event of that one."""
        self.call("Page.navigate", url=address)
        led_on = False
        while True:
            event = self._next()
            if event.get("method") == "Page.frameNavigated":
                led_on = event["params"]["frame"]["url"] != address
            elif led_on and event.get("method") == "Page.loadEventFired":
                return

    def look(self, *, wide: int = 1280, night: bool = False) -> None:
        """Set the width of the screen, and the light or dark color scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=wide, height=900, deviceScaleFactor=1, mobile=wide < 500)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if night else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def ask(self, expression: str) -> Any:
        """Evaluate an expression in the page, and wait for a promise."""
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def faults(self, script: str) -> list[str]:
        """Run axe-core on the page; return each violation with its elements."""
        self.ask(f"{script};0")
        where = "v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')"
        message = f"r => r.violations.map(v => v.id + ': ' + {where})"
        return list(self.ask(f"axe.run(document, {{resultTypes: ['violations']}}).then({message})"))


@contextmanager
def tab() -> Iterator[Tab]:
    """Start a browser with one page."""
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    command = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
    with subprocess.Popen(
        ["bash", "-c", command, chromium(), *OPTIONS], pass_fds=(to_read, from_write),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as browser:  # fmt: skip
        os.close(to_read)
        os.close(from_write)
        try:
            yield Tab(to_write, from_read)
        finally:
            os.close(to_write)
            os.close(from_read)
            browser.terminate()
            browser.wait(20)
