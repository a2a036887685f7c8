"""The page shows a player no secret of the other side: its cards, and what is open to it because of them."""

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.serve.workbench.sessions import GameSession
from runtime.play.options import Decision
from runtime.state.record import Record
from tests.books.browser import Tab, chromium
from tests.workbench.client import Client
from tests.workbench.served import Served, click, look_at, until

CARD = "before_winter"
# Requests about the choice of a side, and the arguments of each.
QUESTIONS = {
    "ways": {"piece": "guard-2.1"}, "why": {"words": "frost"}, "counterfactuals": {"words": "frost"},
    "sheet": {"options": "[0]"}, "example_text": {"options": "[]"},
}  # fmt: skip


def begin_game(client: Client, players: str) -> GameSession:
    return client.sessions.begin(CARD, None, players, "5")


def play(session: GameSession, choice_count: int) -> None:
    for _ in range(choice_count):
        decision = session.ask()
        assert isinstance(decision, Decision)
        session.interactive.choose(decision, len(decision.options) - 1)


def test_the_choices_of_another_side_are_not_shown() -> None:
    client = Client()
    session = begin_game(client, "ash=human,birch=greedy")
    play(session, 12)
    others = []
    for moment in range(session.playthrough.choice_count):
        address = f"game.{session.name}.{moment}"
        view = client.read("view", position=address)
        assert view["reader"] == "ash"
        hands = {each["owner"] for each in view["notes"] for note in each["notes"] if note["name"] == "card in hand"}
        assert hands <= {"the Ash clan"}
        if view["side"] == "ash":
            assert view["buttons"] or view["lit"]["pieces"] or view["lit"]["spaces"]
            continue
        others.append(moment)
        assert (view["buttons"], view["lit"]["pieces"], view["lit"]["spaces"]) == ([], [], [])
        assert view["prompt"].startswith("The Birch clan chooses here")
        for name, request in QUESTIONS.items():
            answer = client.get(name, position=address, **request)
            assert (answer.status, "may depend on its secrets" in answer.data["error"]) == (400, True), name
    assert others


def test_the_end_of_a_phase_after_which_a_card_is_drawn_is_not_asked_about() -> None:
    client = Client()
    session = begin_game(client, "human")
    play(session, 1)
    address = f"game.{session.name}"
    view = client.read("view", position=address)
    end = next(each for each in view["buttons"] if each["kind"] == "end")
    assert client.read("sheet", position=address, options=str(end["options"]))["sheet"] is None


@pytest.mark.long
@pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
def test_players_at_one_screen_hand_over_before_the_next_sees_its_cards(served_page: Served, browser: Tab) -> None:
    with served_page.sessions.lock:
        session = served_page.sessions.begin(CARD, None, "human", "5")
    look_at(browser, f"{served_page.link}#/play/game.{session.name}")
    for side in ("Ash", "Birch"):
        until(browser, f"document.querySelector('.prompt').textContent === 'Hand over to the {side} clan.'")
        assert browser.ask("document.querySelector('.notes')") is None
        click(browser, '[data-piece="guard-1.1"]')
        assert browser.ask("document.querySelectorAll('.actions button').length") == 1
        click(browser, ".actions button")
        until(browser, "document.querySelector('.notes')?.textContent.includes('card in hand')")
        click(browser, ".actions button")
        until(browser, "document.querySelector('.actions .end') !== null")
        click(browser, ".actions .end")


def hold_instead(session: GameSession, cards: tuple[str, ...]) -> None:
    """Give Birch other cards than it has drawn, and Ash the same in each call."""
    state = session.playthrough.state
    hands = {"ash": ("muster", "scouts"), "birch": cards}
    contents = [{"by": side, "card": card} for side, hand in hands.items() for card in hand]
    state.records["held"] = tuple(Record("held", number, fields) for number, fields in enumerate(contents, 900))
    state.forget_answers()


def test_no_request_of_a_player_is_answered_by_the_cards_of_the_other_side() -> None:
    requests = {
        **QUESTIONS,
        "view": {}, "picture": {}, "position_text": {}, "version": {}, "differences": {"on": "two_clans"},
        "asked": {"words": "what can guard-1.1 do"},
    }  # fmt: skip
    for choice_count in (0, 1, 2, 3, 4, 5):
        answers = []
        for cards in (("drive", "ford", "frost"), ("market", "feast")):
            client = Client()
            session = begin_game(client, "ash=human,birch=greedy")
            play(session, choice_count)
            session.ask()  # Cards are drawn before it.
            hold_instead(session, cards)
            address = f"game.{session.name}"
            found = {name: client.get(name, position=address, **request) for name, request in requests.items()}
            answers.append({name: each.body.decode().replace(session.name, "GAME") for name, each in found.items()})
        assert answers[0] == answers[1], choice_count
