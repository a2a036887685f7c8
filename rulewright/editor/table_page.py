"""The page of an editor, which is started when an example is first opened, and ends with the editor.

In: the folders of packages, and the address to show. Out: the link to it. The page is `rulewright open` in a
separate process. It ends when its pipe to the editor's server is closed, also if the server crashes.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

# The timeout in seconds until a page reports its link; its extra may have to be installed first.
TIMEOUT = 180


class TablePage:
    """A page that is started at most once."""

    def __init__(self) -> None:
        """Start without a page."""
        self._process: Process | None = None
        self._link = ""

    async def link(self, packages: Sequence[Path], address: str) -> str:
        """Return the link that shows an address on the Table; "" if no page could be started."""
        if self._process is None or self._process.returncode is not None:
            self._link = await self._start(packages)
        return f"{self._link}#/table/{quote(address, safe='')}" if self._link else ""

    async def _start(self, packages: Sequence[Path]) -> str:
        """Start a page, and return its link."""
        options = [part for each in packages for part in ("--path", each.as_posix())]
        # -P: modules are not loaded from the folder that is open in the editor, which may be untrusted.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "rulewright", "open", "--no-browser", "--attached", *options,
            stdin=PIPE, stdout=PIPE, stderr=STDOUT,
        )  # fmt: skip
        try:
            return await asyncio.wait_for(self._told(), TIMEOUT)
        except TimeoutError:
            self.close()
            return ""

    async def _told(self) -> str:
        """Read the output until a line with the link; "" if the page ends before."""
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            _, found, rest = line.decode(errors="replace").partition("http://")
            if found:
                return f"http://{rest.split()[0].partition('#')[0]}"
        return ""

    def close(self) -> None:
        """End the page."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        self._process = None
