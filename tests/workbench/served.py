"""The page, served on a local port for a real browser."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

from rulewright.serve.workbench.server import make_server, open_port
from rulewright.serve.workbench.sessions import Sessions
from tests.books.browser import PATIENCE, Tab

WORD = "feedfacefeedface"


class Served(NamedTuple):
    """The address of a page, and its sessions."""

    link: str
    sessions: Sessions


@contextmanager
def page(port: int = 0) -> Iterator[Served]:
    """Serve the page during a test."""
    listening = open_port(port)
    sessions, bound = Sessions(packages=()), listening.getsockname()[1]
    server = make_server(sessions, WORD, bound)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{bound}/{WORD}/", sessions)
    finally:
        server.should_exit = True
        thread.join(20)
        sessions.close()
        listening.close()


# The visible text of the page, for the message of a failed test.
SHOWN = (
    "[location.hash, ...document.querySelectorAll('#notice, #main')]"
    ".map(e => e.innerText ?? e).join(' ').slice(0, 2000)"
)


def until(tab: Tab, expression: str) -> Any:
    """Wait until an expression is true on the page; return its value."""
    end = monotonic() + PATIENCE
    while not (found := tab.ask(expression)):
        assert monotonic() < end, f"never so: {expression}; the page: {tab.ask(SHOWN)}"
        sleep(0.05)
    return found


def look_at(tab: Tab, link: str) -> None:
    """Open a link, and wait for its map."""
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=link)
    until(tab, "document.querySelector('.map svg [data-space]') !== null")
    until(tab, "document.querySelector('.prompt').textContent !== ''")


# A point of an element that no other element covers: its center, or a point that other counters leave visible.
SEEN = """(e => {
  if (!e) return null;
  const seen = e.getBoundingClientRect();
  if (seen.bottom > innerHeight || seen.top < 0) e.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = e.getBoundingClientRect();
  const parts = [0.5, 0.02, 0.06, 0.12, 0.25, 0.75, 0.88, 0.94, 0.98];
  const points = parts.flatMap((one) => parts.map((other) => [x + width * one, y + height * other]));
  const owner = "[data-piece]";
  return points.find(([px, py]) => {
    const top = document.elementFromPoint(px, py);
    return top && (e === top || e.contains(top) || (!e.matches(owner) && !top.closest(owner)));
  }) ?? points[0];
})(document.querySelector(%s))"""


def click(tab: Tab, chosen: str) -> None:
    """Click the visible part of the element that a selector finds, by mouse events."""
    box = until(tab, SEEN % json.dumps(chosen))
    for kind in ("mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)


def press(tab: Tab, key: str) -> None:
    """Press and release a key."""
    text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **({"text": text} if text else {}))
    tab.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)
