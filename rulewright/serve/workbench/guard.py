"""Reject all requests except those of the browser that was opened with the link.

The server is bound to 127.0.0.1, and every path begins with a secret. In addition, a request is rejected if its host is
not this machine (which prevents DNS rebinding), or if it comes from a page of another origin; a request that changes
something must have the origin of this page, and be JSON, which no form can send. Websocket requests are rejected. All
responses have a content security policy under which a page runs no script except the files of this folder, and
converts no text to markup.
"""

import hashlib
import hmac
from collections.abc import Mapping

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.system.user_key import user_key

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
READING = frozenset({"GET", "HEAD"})
LINK = "this link is incomplete; `rulewright open` shows the whole link"


def user_secret() -> str:
    """Return the secret in the links of this user, which does not change with a restart, so that links remain valid."""
    return hmac.new(user_key(), b"workbench", hashlib.sha256).hexdigest()[:40]


class Guard:
    """ASGI middleware that passes requests of this page to an application, without the secret in their paths."""

    def __init__(self, app: ASGIApp, word: str, port: int) -> None:
        """Store the secret, and the port, which is part of the origin."""
        self.app, self.word = app, word
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        path = self.path_without_secret(scope["path"])
        if path is None or (reason := self.refusal_of(scope["method"], headers)):
            reason = LINK if path is None else reason
            await PlainTextResponse(reason, 403)(scope, receive, _with_headers(send))
            return
        await self.app({**scope, "path": path, "root_path": ""}, receive, _with_headers(send))

    def path_without_secret(self, path: str) -> str | None:
        """Return a path without the secret; None if it lacks the secret."""
        _, word, rest = [*path.split("/", 2), ""][:3] if path.count("/") > 1 else ("", "", "")
        return f"/{rest}" if hmac.compare_digest(word.encode(), self.word.encode()) else None

    def refusal_of(self, method: str, headers: Mapping[str, str]) -> str:
        """Return why a request is rejected; "" if it is accepted."""
        if headers.get("host", "") not in self.hosts:
            return "this server answers to this machine alone"
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            return "this server answers to its own page alone"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return "this server answers to its own page alone"
        if method not in READING:
            if origin is None:
                return "what changes anything says which page it comes from"
            if headers.get("content-type", "").partition(";")[0] != "application/json":
                return "what changes anything is sent as JSON"
        return ""


def _with_headers(send: Send) -> Send:
    """Wrap a sender to add the headers of every response."""
    added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            added_names = {name for name, _ in added}
            other_headers = [each for each in message.get("headers", ()) if each[0].lower() not in added_names]
            message = {**message, "headers": [*other_headers, *added]}
        await send(message)

    return send_with_headers
