"""Texts of the page have titles: no piece, action or status has its identifier."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.library.package_index import list_packages
from rulewright.serve.workbench.titles import SENT_BACK
from runtime.answer.interpreter import Interpreter
from tests.sample import LONG, sampled
from tests.workbench.client import Client

# One card has armies with two faces; one has places with names of two words.
CHEAP = ("first_snow", "before_winter", "before_the_tide")
CARDS = [row["name"] for row in list_packages(()).card_rows() if not row["waits_for"]]
MOMENTS = 7
SPELLED = re.compile(r"[A-Za-z]\w*_\w+")


def sentences(answer: Any) -> Iterator[str]:
    """Yield the texts of a response that people see."""
    match answer:
        case str():
            yield answer
        case dict():
            for key, value in answer.items():
                if key not in SENT_BACK:
                    yield from sentences(value)
        case list():
            for each in answer:
                yield from sentences(each)
        case _:
            return


def seen(client: Client, game: str) -> Iterator[Any]:
    """Click counters in a game for some moments, and yield all responses."""
    for moment in range(MOMENTS):
        view = client.read("view", position=f"game.{game}")
        yield view
        if view["over"]:
            return
        here, actions_seen = {"position": view["address"]}, []
        for piece in view["lit"]["pieces"][:2]:
            reply = client.read("ways", **here, piece=piece)
            yield reply
            actions_seen += reply["ways"]
            for action in [each for each in reply["ways"] if each["odds"]][:1]:
                yield client.read("sheet", **here, options=json.dumps(action["options"]))
            others = [each for each in view["pieces"] if each["name"] not in view["lit"]["pieces"]][:2]
            for word in (word for each in others for word in (each["name"], each["at"]) if word):
                yield client.read("why", **here, words=f"{piece} {word}")
        request = {"game": game, "version": view["version"]}
        if (
            moment % 3 == 2
            or not actions_seen
            or client.post("take", **request, options=actions_seen[-1]["options"]).status != 200
        ):
            client.write("finish", **request)


@sampled(1)
@pytest.mark.parametrize("card", [card if card in CHEAP else pytest.param(card, marks=LONG) for card in CARDS])
def test_responses_show_no_identifiers(card: str, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreted: list[str] = []
    monkeypatch.setattr(Interpreter, "live_rules", lambda *given: interpreted.append(given[2].name))
    client = Client()
    game = client.write("begin", card=card, rules="", players="human,human", seed="3")["game"]
    state = client.sessions.open[game].playthrough.state
    pieces = [sheet.name for sheet in state.sheets if re.search(r"[^A-Za-z ]", sheet.name)]
    reports = list(dict.fromkeys(text for answer in seen(client, game) for text in sentences(answer)))
    assert len(reports) > 50
    # A question that the interpreter answers may take seconds, during which a click waits.
    assert not interpreted
    assert not [text for text in reports if SPELLED.search(text)]
    assert not [
        (text, name) for text in reports for name in pieces if re.search(rf"(?<![\w.-]){re.escape(name)}\b", text)
    ]


@sampled(0)
def test_a_picture_has_tooltips_with_titles() -> None:
    drawn = Client().get("picture", position="card.before_winter").body.decode()
    assert 'data-piece="guard-1.1"' in drawn
    assert "<title>guard 1.1</title>" in drawn
