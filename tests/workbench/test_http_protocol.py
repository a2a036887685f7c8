"""Raw bytes over a socket: malformed and incomplete requests end, without a traceback in the terminal."""

import logging
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")
pytest.importorskip("uvicorn", reason="THE PAGE IS NOT TRIED: uvicorn is not installed")

from rulewright.workbench import http_protocol
from tests.workbench.served import WORD, page


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """A page with a short deadline for requests."""
    monkeypatch.setattr(http_protocol, "DEADLINE", 0.5)
    with page() as served:
        parts = urlsplit(served.link)
        assert parts.hostname is not None
        assert parts.port is not None
        yield parts.hostname, parts.port


def _exchange(address: tuple[str, int], request: bytes) -> bytes:
    """Send bytes, and return what the server sends until it closes the connection."""
    with socket.create_connection(address, timeout=15) as peer:
        peer.sendall(request)
        return b"".join(iter(lambda: peer.recv(4096), b""))


def _head(address: tuple[str, int], *lines: str) -> bytes:
    host = f"{address[0]}:{address[1]}"
    first = f"POST /{WORD}/api/begin HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
    return (first + "".join(f"{line}\r\n" for line in ("Content-Type: application/json", *lines)) + "\r\n").encode()


@pytest.mark.parametrize("chunks", [b"zz\r\nabc\r\n", b"-1\r\n\r\n", b"5\r\nabcdefgh\r\n"])
def test_malformed_chunks_have_one_response(
    chunks: bytes, address: tuple[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = _exchange(address, _head(address, "Transfer-Encoding: chunked") + chunks)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert not caplog.records


@pytest.mark.parametrize("lines", [None, (), ("Content-Length: 100",)])
def test_an_incomplete_request_is_closed_at_the_deadline(
    lines: tuple[str, ...] | None, address: tuple[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    """None is no byte at all; no line is a head that is cut in its last line."""
    request = b"" if lines is None else _head(address, *lines)
    with caplog.at_level(logging.ERROR):
        assert _exchange(address, request if lines else request[:-4]) == b""
    assert not caplog.records
