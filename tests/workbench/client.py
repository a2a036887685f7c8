"""A client of the page's server in this process, with the requests of a browser over HTTP."""

import asyncio
import json
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from rulewright.serve.workbench.guard import Guard
from rulewright.serve.workbench.routes import make_application
from rulewright.serve.workbench.sessions import Sessions

PORT = 8417
WORD = "0123456789abcdef"
HOST = f"127.0.0.1:{PORT}"
ORIGIN = f"http://{HOST}"


class Answer(NamedTuple):
    """A response of the server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """Parse the body as JSON."""
        return json.loads(self.body)


class Client:
    """One server, and a client that has its link."""

    def __init__(self, packages: tuple[Path, ...] = ()) -> None:
        """Start a server without an open game."""
        self.sessions = Sessions(packages)
        self.app = Guard(make_application(self.sessions), WORD, PORT)

    def send(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b"", kind: str = "http",
        *, cut: bool = False,
    ) -> Answer:  # fmt: skip
        """Send a request without additions, and return the response; `cut`: the connection ends before the body."""
        lines: list[dict[str, Any]] = []
        named = {"host": HOST, **(headers or {})}
        if body:
            named["content-length"] = str(len(body))
        where, _, query = path.partition("?")
        scope = {
            "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": where,
            "raw_path": where.encode(), "query_string": query.encode(), "scheme": "http", "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in named.items()], "server": (HOST, PORT),
            "client": ("127.0.0.1", 1),
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"} if cut else {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            lines.append(message)

        asyncio.run(self.app(scope, receive, send))
        if lines[0]["type"] == "websocket.close":
            return Answer(lines[0]["code"], {}, b"")
        sent = {name.decode().lower(): value.decode() for name, value in lines[0]["headers"]}
        return Answer(lines[0]["status"], sent, b"".join(each.get("body", b"") for each in lines[1:]))

    def get(self, name: str, /, **request: Any) -> Answer:
        """Send a read request."""
        return self.send("GET", f"/{WORD}/api/{name}?{urlencode(request, doseq=True)}")

    def post(self, name: str, /, **request: Any) -> Answer:
        """Send a write request, with the headers of the page."""
        headers = {"origin": ORIGIN, "content-type": "application/json", "sec-fetch-site": "same-origin"}
        return self.send("POST", f"/{WORD}/api/{name}", headers, json.dumps(request).encode())

    def read(self, name: str, /, **request: Any) -> Any:
        """Return the data of a read request, which must succeed."""
        answer = self.get(name, **request)
        assert answer.status == 200, answer.body
        return answer.data

    def write(self, name: str, /, **request: Any) -> Any:
        """Return the data of a write request, which must succeed."""
        answer = self.post(name, **request)
        assert answer.status == 200, answer.body
        return answer.data
