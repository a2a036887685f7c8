"""Hostile values in requests, and a hostile package: the server responds with data or a message, never with a crash."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.serve.workbench.routes import VIEWS
from tests.sample import LONG, sampled
from tests.workbench.client import ORIGIN, WORD, Answer, Client

pytestmark = pytest.mark.usefixtures("forked_jobs")

MARKUP, TURNED, CUT = '<img src=x onerror="alert(1)">', "\u202eabc\u2066", "a\x00b"
CHEAP: tuple[Any, ...] = (MARKUP, "\ud800", None, [[]])
OTHERS: tuple[Any, ...] = (
    "", TURNED, CUT, "../../../etc/passwd", "/", "x" * 40_000, 7, -1, [], {}, {"kind": []}, ["x"], "[1, 2]", "{}",
    '[{"kind": "cell"}]',
)  # fmt: skip
KEYS = (
    "position", "piece", "space", "words", "options", "rules", "game", "version", "card", "players", "seed", "stack",
    "layer", "given", "kind", "chart", "job", "run", "until", "games", "seating", "text", "was", "file",
    "key", "begun", "name", "changes", "line", "column", "at", "example", "stacks", "margin", "dispute",
)  # fmt: skip
GOOD = {
    "position": "card.before_the_tide", "card": "before_the_tide", "stack": "two_clans+rude", "layer": "rude",
    "file": "rude.rules", "text": "", "kind": "cell",
}  # fmt: skip
LAYER = f"""\
layer: rude
title: {MARKUP!r}
kind: variant
on: [two_clans]
"""
RULES = f"""\
rule no-{"x" * 200} [house] "{MARKUP.replace('"', "'")} {TURNED}"
  may_march forbidden
  when to is crag

rule round-and-round [house] "Asks itself."
  price is price(band, from, to) + 1 order
"""


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    folder = tmp_path / "rude"
    folder.mkdir()
    (folder / "layer.yaml").write_text(LAYER)
    (folder / "rude.rules").write_text(RULES)
    (folder / "huge.rules").write_text("# nothing\n" * 300_000)
    new_client = Client((folder,))
    new_client.sessions.save_folder = tmp_path
    # Jobs are replaced: a request that would start one is refused before, or returns; other tests run their work.
    monkeypatch.setattr(type(new_client.sessions.jobs), "begin", lambda *_, **__: "1")
    yield new_client
    new_client.sessions.close()


def sent(client: Client, name: str, request: dict[str, Any], *, reads: bool) -> Answer:
    """Send a request like the page."""
    if reads:
        return client.send("GET", f"/{WORD}/api/{name}?{urlencode(request, doseq=True)}")
    headers = {"origin": ORIGIN, "content-type": "application/json", "sec-fetch-site": "same-origin"}
    return client.send("POST", f"/{WORD}/api/{name}", headers, json.dumps(request).encode())


@sampled(1)
@pytest.mark.parametrize("value", [*CHEAP, *(pytest.param(each, marks=LONG) for each in OTHERS)], ids=ascii)
def test_no_hostile_value_crashes_a_route(client: Client, value: object) -> None:
    bugs = []
    for view in VIEWS:
        for name in (*view.READ, *view.WRITE):
            if value == "\ud800" and name in view.READ:
                continue  # No address can contain it.
            for request in (dict.fromkeys(KEYS, value), {**dict.fromkeys(KEYS, value), **GOOD}):
                answer = sent(client, name, request, reads=name in view.READ)
                if answer.status not in {200, 400, 404, 409, 413}:
                    bugs.append((name, answer.status))
    assert not bugs


@pytest.mark.parametrize("body", [b"[" * 50_000, b'{"a":' * 15_000, b'{"a":' + b"[" * 400 + b"]" * 400 + b"}"], ids=len)
def test_what_is_nested_too_deeply_is_refused(client: Client, body: bytes) -> None:
    headers = {"origin": ORIGIN, "content-type": "application/json", "sec-fetch-site": "same-origin"}
    assert client.send("POST", f"/{WORD}/api/begin", headers, body).status == 400
    text = body[:5_000].decode()
    assert client.get("view", position="card.before_the_tide", options=text).status == 400
    assert client.get("form", stack="two_clans", kind="cell", given=text).status == 400


@pytest.mark.parametrize("name", ["changeable", "book_stacks"])
def test_views_list_a_hostile_package(client: Client, name: str) -> None:
    assert client.get(name, layer="rude", stack="two_clans+rude").status == 200


HUGE = "9" * 5_000


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("view", {"change": [f"turn,{HUGE}"]}),
        ("view", {"position": f"game.none.{HUGE}"}),
        ("sheet", {"options": "[999999]"}),
        ("sheet", {"options": "[-1]"}),
        ("example_text", {"options": '[["take", "no_such_action", null]]'}),
        ("example_text", {"options": '[["take", "deploy", null], ["pick", "u", 99999]]'}),
        ("example_text", {"options": '[["take", "deploy", null], ["pick", "u", "x"]]'}),
    ],
)
def test_a_number_or_option_out_of_range_is_refused(client: Client, name: str, more: dict[str, Any]) -> None:
    assert client.get(name, **{"position": "card.bridge_at_millbrook", **more}).status == 400
