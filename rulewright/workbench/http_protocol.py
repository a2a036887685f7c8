"""The HTTP protocol of the page: uvicorn's, with a deadline for each request and one response to a malformed one.

uvicorn limits the time between two requests, not that of one: a peer that stops within a request holds its connection
for ever. It also answers a body with malformed chunks while the application still answers the request's head, so that
the second response is an error of the state machine of h11, with a traceback in the terminal.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# The number of seconds within which a request has to arrive completely. Bodies have 100 kB at most.
DEADLINE = 20.0
INCOMPLETE = (h11.IDLE, h11.SEND_BODY)


class HttpProtocol(H11Protocol):
    """One connection of the page, which is closed if a request on it is incomplete at the deadline."""

    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the deadline of the first request."""
        super().connection_made(transport)
        self.deadline = self.loop.call_later(DEADLINE, transport.close)

    def data_received(self, data: bytes) -> None:
        """Read bytes, and start or cancel the deadline by whether a request is incomplete after them."""
        super().data_received(data)
        if self.conn.their_state not in INCOMPLETE:
            self._cancel_deadline()
        elif self.deadline is None:
            self.deadline = self.loop.call_later(DEADLINE, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline."""
        self._cancel_deadline()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request; the application gets a disconnection, and its response is not sent."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        super().send_400_response(msg)

    def _cancel_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
