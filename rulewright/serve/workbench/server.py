"""Start the page: choose a port, show the link, serve until interrupted.

In: what to open, and the folders of packages. The port and the secret (guard.py) do not change between starts, if
the port is free, so that an open tab remains valid after a restart.
"""

import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Timer

import uvicorn

from rulewright.serve.workbench.guard import Guard, user_secret
from rulewright.serve.workbench.routes import make_application
from rulewright.serve.workbench.sessions import Sessions

HOST = "127.0.0.1"
PORT = 8417
# The delay in seconds before the browser is opened, so that the server is listening.
SOON = 0.3


def serve_page(
    fragment: str,
    packages: Sequence[Path],
    port: int,
    tell: Callable[[str], None],
    *,
    browser: bool,
) -> None:
    """Serve the page until an interrupt; `tell` is called with the link."""
    listening = open_port(port)
    port, word = listening.getsockname()[1], user_secret()
    sessions = Sessions(tuple(packages))
    link = f"http://{HOST}:{port}/{word}/#{fragment}"
    tell(link)
    if browser:
        Timer(SOON, webbrowser.open, [link]).start()
    server = make_server(sessions, word, port)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        sessions.close()


def make_server(sessions: Sessions, word: str, port: int) -> uvicorn.Server:
    """Build the server of the page, for a secret and a port."""
    guarded = Guard(make_application(sessions), word, port)
    return uvicorn.Server(
        uvicorn.Config(
            guarded,
            log_level="error",
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="off",
        )
    )


def open_port(port: int) -> socket.socket:
    """Listen on a local port: the specified one, otherwise the default one, otherwise any free one."""
    for candidate_port in [port] if port else [PORT, 0]:
        # asyncio sets TCP_NODELAY only if the protocol is specified. Without it, the second half of a
        # response is delayed until the browser has acknowledged the first, which it postpones by 40 ms.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # On Windows, it would allow two servers to share a port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, candidate_port))
            listener.listen()  # A request before the server runs waits instead of being refused.
        except OSError:
            listener.close()
            if candidate_port == port:
                raise
            continue
        return listener
    raise AssertionError("port 0 is always free")
