"""The page beside an editor: started when an example is first to be looked at, and ended with the editor.

In: the folders of packages, and what is to be shown. Out: the link to it. The page is `rulewright open`, in a process
of its own, so nothing of it runs in the editor's server. It ends with the pipe to that, also where the server crashes.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

# Seconds until a page has said where it is; the first time its extra is installed.
PATIENCE = 180


class TablePage:
    """A page that is started once."""

    def __init__(self) -> None:
        """Begin without one."""
        self._process: Process | None = None
        self._link = ""

    async def link(self, packages: Sequence[Path], address: str) -> str:
        """Return the link that shows an address on the Table; "" where no page could be started."""
        if self._process is None or self._process.returncode is not None:
            self._link = await self._start(packages)
        return f"{self._link}#/table/{quote(address, safe='')}" if self._link else ""

    async def _start(self, packages: Sequence[Path]) -> str:
        """Start a page, and read what it says of its link."""
        options = [part for each in packages for part in ("--path", each.as_posix())]
        # -P: no module comes from the folder that the editor has open, which may be a stranger's.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "rulewright", "open", "--no-browser", "--attached", *options,
            stdin=PIPE, stdout=PIPE, stderr=STDOUT,
        )  # fmt: skip
        try:
            return await asyncio.wait_for(self._told(), PATIENCE)
        except TimeoutError:
            self.close()
            return ""

    async def _told(self) -> str:
        """Read lines until one has the link; "" where the page ends before."""
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
