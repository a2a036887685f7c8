"""Start the page: choose a port, show the link, serve until interrupted.

In: what to open, and the folders in reach. The port is the same each time where it is free, so that a tab that was open
goes on after a new start; the secret in its link is the same too (guard.py).
"""

import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread, Timer

import uvicorn

from rulewright.workbench.changeable_layers import layers_in
from rulewright.workbench.guard import Guard, user_secret
from rulewright.workbench.routes import make_application
from rulewright.workbench.sessions import Sessions

HOST = "127.0.0.1"
PORT = 8417
# Seconds until the browser is sent to a server that has just begun to listen.
SOON = 0.3
# Bytes of the standard input that are passed over at once.
CHUNK = 4096


def serve(
    where: str,
    packages: Sequence[Path],
    port: int,
    tell: Callable[[str], None],
    *,
    browser: bool,
    attached: bool = False,
) -> None:
    """Serve the page until an interrupt, or `attached` until the standard input ends; `tell` is given the link.

    The standard input of a process ends with the one that started it, however that ends.
    """
    listening = listen(port)
    port, word = listening.getsockname()[1], user_secret()
    sessions = Sessions(tuple(dict.fromkeys((*packages, *layers_in(Path.cwd())))))
    link = f"http://{HOST}:{port}/{word}/#{where}"
    tell(link)
    if browser:
        Timer(SOON, webbrowser.open, [link]).start()
    server = make_server(sessions, word, port)
    if attached:
        Thread(target=_end_with_input, args=(server,), daemon=True).start()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        sessions.close()


def _end_with_input(server: uvicorn.Server) -> None:
    """Wait until the standard input ends, and end the server, with any requests still open."""
    while sys.stdin.buffer.read(CHUNK):
        pass
    server.force_exit = server.should_exit = True


def make_server(sessions: Sessions, word: str, port: int) -> uvicorn.Server:
    """Make the server of the page, for a secret and the port that it will have."""
    guarded = Guard(make_application(sessions), word, port)
    return uvicorn.Server(
        uvicorn.Config(guarded, log_level="error", access_log=False, server_header=False, ws="none", lifespan="off")
    )


def listen(port: int) -> socket.socket:
    """Listen on a port of this machine alone: the one that is wished for, the usual one, or any that is free."""
    for wished in [port] if port else [PORT, 0]:
        # asyncio sends without delay (TCP_NODELAY) only where the protocol is named. Without it the second half of an
        # answer waits until the browser has acknowledged the first, which browsers put off by 40 ms.
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # There it would let two servers have one port.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((HOST, wished))
            made.listen()  # A request before the server runs waits, and is not refused.
        except OSError:
            made.close()
            if wished == port:
                raise
            continue
        return made
    raise AssertionError("port 0 is always free")
