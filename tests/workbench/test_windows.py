"""Two windows at once, reloads, and a server that is killed and restarted, in every view."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import quote

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import PATIENCE, chromium, tab
from tests.workbench.served import until

pytestmark = [
    pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here"),
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="THE SERVER IS NOT KILLED: this system has no SIGKILL"),
]
VARIANT = "layer: sure_feet\ntitle: Sure feet\nkind: variant\non: [low_tide]\n"
RULES = 'rule sure-feet [house] "Mud slows nobody down."\n  exception to mud-clings, mud-and-a-basket\n'
CELL = {"kind": "cell", "given": {"chart": ["orders_of"], "keys": ["drive"], "now": ["5"], "why": ["So"]}}
# Each view: its address, and an expression that must be true before and after the restart.
VIEWS = {
    "table": ("table/card.first_snow?c=move%2Cfoot-1.1%2CI2&s=piece%3Afoot-1.1",
              "document.querySelector('.selection .facts')?.textContent.startsWith('I2')"),
    "lab": ("lab?s=before_the_tide,low_tide,low_tide%2Bsure_feet",
            "document.querySelector('#lab-second')?.value === 'low_tide+sure_feet'"),
    "change": (f"change/two_clans?c={quote(json.dumps(CELL))}&s=own:variant",
               "document.querySelector('.code')?.textContent.includes('4 orders by 5 orders')"),
    "book": ("book", "document.querySelector('#book-stack') !== null"),
    "situations": ("situations", "document.querySelector('.cards article') !== null"),
}  # fmt: skip


def free() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def started(port: int, home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the command `open`; yield the process and the printed link, and kill the process at the end."""
    command = [sys.executable, "-u", "-m", "rulewright", "open", "--no-browser", "--port", str(port)]
    root = Path(__file__).resolve().parents[2]
    state = {
        "XDG_STATE_HOME": str(home / "state"),
        "HOME": str(home),
        "PYTHONPATH": str(root),
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(command, cwd=home, text=True, env={**os.environ, **state}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as server:  # fmt: skip
        assert server.stdout
        try:
            line = ""
            while "http://" not in line:
                line = server.stdout.readline()
                assert line, "it ended without a link"
            link = line[line.index("http://") :].split()[0].partition("#")[0]
            end = monotonic() + PATIENCE
            while not answers(port):
                assert monotonic() < end
                sleep(0.05)
            yield server, link
        finally:
            server.send_signal(signal.SIGKILL)
            server.wait(20)


def answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.long
def test_every_view_survives_a_restart_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "sure_feet").mkdir()
    (tmp_path / "sure_feet" / "layer.yaml").write_text(VARIANT)
    (tmp_path / "sure_feet" / "sure.rules").write_text(RULES)
    port = free()
    with tab() as one, tab() as other:
        one.look()
        other.look(wide=390)
        with started(port, tmp_path) as (_, link):
            for view, (address, expected) in VIEWS.items():
                for window in (one, other):  # Both windows show the same view.
                    window.call("Page.navigate", url="about:blank")
                    window.call("Page.navigate", url=f"{link}#/{address}")
                for window in (one, other):
                    assert until(window, expected), view
        with started(port, tmp_path) as (_, restarted):
            assert restarted == link
            for window in (one, other):  # Both windows are in the last view; one is reloaded.
                until(window, VIEWS["situations"][1])
            for view, (address, expected) in VIEWS.items():
                one.ask(f"location.hash = '#/{address}'; 0")
                until(one, expected)
                one.call("Page.reload")
                until(one, f"document.readyState === 'complete' && ({expected})")
                assert "does not answer" not in one.ask("document.body.textContent"), view
