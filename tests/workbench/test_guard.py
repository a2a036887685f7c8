"""Only requests with the secret of the link are answered, and the policy of the page forbids foreign scripts."""

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.serve.workbench.sessions import Sessions
from tests.workbench.client import HOST, ORIGIN, WORD, Answer, Client

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client() -> Client:
    return Client()


@pytest.mark.parametrize("path", ["/", "/api/cards", f"/{WORD[:-1]}/", f"/{WORD}", f"/x/{WORD}/", f"//{WORD}/"])
def test_requests_without_the_secret_are_refused(path: str, client: Client) -> None:
    answer = client.send("GET", path)
    assert answer.status == 403
    assert b"rulewright open" in answer.body


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:8417"},
        {"host": "127.0.0.1:80"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": f"https://{HOST}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_hosts_and_origins_are_refused(headers: dict[str, str], client: Client) -> None:
    assert client.send("GET", f"/{WORD}/", headers).status == 403
    assert client.send("POST", f"/{WORD}/api/begin", {"origin": ORIGIN, **JSON, **headers}, b"{}").status == 403


@pytest.mark.parametrize(
    "headers",
    [
        JSON,
        {"origin": ORIGIN},
        {"origin": ORIGIN, "content-type": "text/plain"},
        {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"},
        {"origin": ORIGIN, "content-type": "multipart/form-data; boundary=application/json"},
    ],
)
def test_writes_without_origin_or_json_are_refused(headers: dict[str, str], client: Client) -> None:
    assert client.send("POST", f"/{WORD}/api/begin", headers, b'{"card":"first_snow","players":"human"}').status == 403


def test_websockets_are_refused(client: Client) -> None:
    assert client.send("GET", f"/{WORD}/", {"origin": ORIGIN}, kind="websocket").status == 1008


def test_every_response_has_the_security_headers(client: Client) -> None:
    answers = [
        client.send("GET", f"/{WORD}/"), client.send("GET", "/"), client.get("nothing"),
        client.get("view", position="card.nowhere"), client.send("GET", f"/{WORD}/assets/app.js"),
    ]  # fmt: skip
    for answer in answers:
        policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert policy["style-src"] == "'self'"
        assert policy["require-trusted-types-for"] == "'script'"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def _file(client: Client, name: str) -> Answer:
    return client.send("GET", f"/{WORD}/assets/{name}")


def test_only_assets_of_the_page_are_served(client: Client) -> None:
    assert _file(client, "app.js").headers["content-type"].startswith("text/javascript")
    for name in ("../routes.py", "..%2froutes.py", "%2e%2e/guard.py", "nothing.js", "", "../../../../etc/passwd"):
        assert _file(client, name).status == 404, name


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 411), (b"{", 400), (b"[]", 400), (b'{"game": 1}', 400), (b'{"game": "../../x"}', 400)]
)
def test_bad_requests_have_a_message(body: bytes, status: int, client: Client) -> None:
    answer = client.send("POST", f"/{WORD}/api/take", {"origin": ORIGIN, **JSON}, body)
    assert answer.status == status
    assert answer.data["error"]


def test_a_large_body_is_refused(client: Client) -> None:
    headers = {"origin": ORIGIN, **JSON}
    assert client.send("POST", f"/{WORD}/api/take", headers, b" " * 200_000).status == 413


def test_an_internal_error_is_a_message_without_details(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Sessions, "find", broken)
    answer = client.get("version", game="x")
    assert answer.status == 500
    assert "Games are stored" in answer.data["error"]
    assert b"ZeroDivision" not in answer.body
