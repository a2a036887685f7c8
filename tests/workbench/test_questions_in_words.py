"""The Table finds questions of the rules by words about the position, or about the selected counter."""

import json
from pathlib import Path

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.workbench.client import Client
from tests.workbench.served import Served, click, look_at, until

in_browser = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
CROWDED = (Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml").read_text(encoding="utf-8")


def saved(client: Client) -> str:
    """Save the position; its pieces with short names get those of their counters."""
    address: str = client.write("position_save", name="crowded_road", text=CROWDED)["address"]
    return address


@pytest.mark.parametrize(
    ("words", "piece", "heading", "answer"),
    [
        ("may m3-1 enter B?", "", "May the M3 halftrack enter B from A?", "The M3 halftrack may not enter B from A"),
        ("what does it cost to enter B", "m3-1", "What the M3 halftrack pays", "costs the M3 halftrack"),
        ("what can us rifle 2 do", "", "What is open to US rifle 2?", "US rifle 2 can get to:"),
        ("can us rifle 1 board it", "m4-1", "Load: the M4 Sherman, cargo US rifle 1?", "may not take"),
    ],
)
def test_words_find_questions_with_their_answers(words: str, piece: str, heading: str, answer: str) -> None:
    client = Client()
    found = client.read("asked", position=saved(client), words=words, piece=piece)
    row = next((row for row in found["rows"] if row["heading"].startswith(heading)), None)
    assert row, json.dumps(found, indent=1)
    assert any(answer in line for line in row["answer"]), row
    assert found["places"]


def test_words_without_a_name_or_a_meaning_have_a_note() -> None:
    client = Client()
    position = saved(client)
    assert "No question of the rules" in client.read("asked", position=position, words="stacking limit")["note"]
    assert client.get("asked", position=position, words="x" * 401).status == 400


def test_a_question_in_a_game_is_answered_by_what_its_player_may_know() -> None:
    client = Client()
    session = client.sessions.begin("before_winter", None, "ash=greedy,birch=human", "5")
    session.ask()
    owners = {record.fields["by"] for record in session.playthrough.state.records["held"]}
    assert owners == {"ash"}  # They are drawn when a turn begins.
    words = "which cards are in the hand of ash"
    found = client.read("asked", position=f"game.{session.name}", words=words)
    rows = [row for row in found["rows"] if row["name"] == "hand"]
    assert rows
    assert all("is not answered for `birch`" in row["answer"][0] for row in rows), rows
    assert "what is secret to you is left out" in found["note"]


@sampled(0)
@in_browser
def test_a_question_is_answered_on_the_page(served_page: Served, browser: Tab) -> None:
    client = Client()
    address = saved(client)
    look_at(browser, f"{served_page.link}#/table/{address}")
    click(browser, '[data-piece="m3-1"]')
    until(browser, "document.querySelector('.selection .facts') !== null")
    browser.ask("document.querySelector('#question').value = 'what does it cost to enter B'")
    click(browser, ".question button")
    until(browser, "document.querySelector('.question code')?.textContent.startsWith('entry_cost(')")
    assert "movement point" in browser.ask("document.querySelector('.question li').textContent")
