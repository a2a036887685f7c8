"""The Table answers questions in plain words about the position, or about the selected counter."""

import json
from pathlib import Path

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.table.plain_questions import PlainAnswer, answer_plain_words
from rulewright.workbench import routes_board
from runtime.state.position import State
from tests.books.browser import Tab, chromium
from tests.commands.test_plain_questions import COLUMN
from tests.workbench.client import Client
from tests.workbench.served import Served, click, look_at, until

in_browser = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
CROWDED = (Path(__file__).parents[2] / "docs" / "positions" / "crowded-road.yaml").read_text(encoding="utf-8")


def saved(client: Client) -> str:
    """Save the position; its pieces with short names get those of their counters."""
    address: str = client.write("position_save", name="crowded_road", text=CROWDED)["address"]
    return address


@sampled(1)
@pytest.mark.parametrize(
    ("words", "piece", "line", "call"),
    [
        ("may m3-1 enter B?", "", "Go on: The M3 halftrack may not enter B from A.", "may_enter"),
        ("can it fire at panther", "m3-1", "Fire at one unit: The M3 halftrack may not take part in the attack.", ""),
        ("what does it cost to enter B", "m3-1", "", "entry_cost"),
        ("what can us rifle 2 do", "", "US rifle 2 can get to:", ""),
        ("what are the odds of it against panther", "m4-1", "fire at one unit (target the Panther) -- ", ""),
        ("can us rifle 1 board it", "m4-1", "Load: The M4 Sherman may not take US rifle 1 aboard.", ""),
    ],
)
def test_words_are_answered(words: str, piece: str, line: str, call: str) -> None:
    client = Client()
    found = client.read("asked", position=saved(client), words=words, piece=piece)
    assert not line or any(each.startswith(line) for each in found["lines"]), json.dumps(found, indent=1)
    assert not call or call in [each["call"].partition("(")[0] for each in found["questions"]]
    assert not found["note"]


def test_who_acts_is_not_the_selected_counter() -> None:
    client = Client()
    found = client.read("asked", position=saved(client), words="who can get to C", piece="m3-1")
    assert not any(line.startswith("halftrack") for line in found["lines"])
    assert found["lines"], found


def test_words_without_a_name_or_a_meaning_have_a_note() -> None:
    client = Client()
    position = saved(client)
    assert "Name a counter" in client.read("asked", position=position, words="stacking limit")["note"]
    assert "weather" in client.read("asked", position=position, words="weather of B")["note"]
    assert client.get("asked", position=position, words="x" * 401).status == 400


def test_a_question_in_a_game_is_answered_by_what_its_player_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    states: list[State] = []

    def answered(state: State, text: str) -> PlainAnswer | None:
        states.append(state)
        return answer_plain_words(state, text)

    monkeypatch.setattr(routes_board, "answer_plain_words", answered)
    session = client.sessions.begin("before_winter", None, "ash=greedy,birch=human", "5")
    session.ask()
    owners = {record.fields["by"] for record in session.playthrough.state.records["held"]}
    assert owners == {"ash"}  # They are drawn when a turn begins.
    for words, has_note in (("what can guard-1.1 do", True), ("what can guard-2.1 do", False)):
        found = client.read("asked", position=f"game.{session.name}", words=words)
        assert found["lines"]
        assert ("what is secret to you is left out" in found["note"]) == has_note
    assert [state.records["held"] for state in states] == [(), ()]


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


@in_browser
def test_a_rule_that_would_allow_it_is_named_on_the_page(served_page: Served, browser: Tab) -> None:
    client = Client()
    address = client.write("position_save", name="column", text=COLUMN)["address"]
    look_at(browser, f"{served_page.link}#/table/{address}")
    for words, expected in (
        (
            "may russian_rifle-1 clear M",
            "Not allowed by engineers-clear-mines [PBB.13, PBQ.MINE.09]: the Russian rifle is not an engineer.",
        ),
        ("may t34-1 see rifle-1", ""),
    ):
        browser.ask(f"document.querySelector('#question').value = {words!r}")
        click(browser, ".question button")
        until(browser, f"document.querySelector('.question code')?.textContent.includes({words.split()[1]!r})")
        answered = browser.ask("document.querySelector('.question ul').textContent")
        assert expected in answered
        assert ("Not allowed by" in answered) == bool(expected)
