"""The task of a player with a dispute: the page answers published questions with their citation.

In the browser twelve of them need at most three clicks on the Table each.
"""

import json

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.workbench.client import Client
from tests.workbench.disputes import DISPUTES, Dispute
from tests.workbench.position_disputes import POSITION_DISPUTES, PositionDispute
from tests.workbench.served import Served, click, look_at, until

in_browser = pytest.mark.skipif(not chromium(), reason="NOT LOOKED AT IN A BROWSER: there is no Chromium here")
SAMPLE = 2
MOST_CLICKS = 3


@pytest.fixture(scope="module")
def client() -> Client:
    return Client()


@sampled(3)
@pytest.mark.parametrize("dispute", DISPUTES, ids=lambda each: each.item)
def test_the_reason_cites_the_published_question(dispute: Dispute, client: Client) -> None:
    view = client.read("view", position=dispute.address)
    phases = {each["title"]: each["name"] for each in view["phases"]}
    changes = [f"phase,{phases[dispute.phase]}"] if dispute.phase else []
    found = client.read("why", position=dispute.address, change=changes, words=" ".join(dispute.clicks))
    assert dispute.item in json.dumps(found["blocks"])
    assert found["explained"], "no rule is shown"


@sampled(2)
@pytest.mark.parametrize("dispute", POSITION_DISPUTES, ids=lambda each: each.item)
def test_a_dispute_in_a_position_file_is_answered(dispute: PositionDispute, client: Client) -> None:
    """The page answers yes or no, and cites the paragraph of the published answer where a rule is its subject."""
    request = {"position": client.write("position_save", name=dispute.name, text=dispute.text)["address"]}
    piece, other = dispute.clicks
    at = {each["name"]: each["at"] for each in client.read("view", **request)["pieces"]}
    actions = [
        each
        for each in client.read("ways", **request, piece=piece)["ways"]
        if other in (each["space"], each["piece"]) or at.get(other) in {each["space"], each["through"]}
    ]
    assert bool(actions) == (dispute.answer == "yes")
    if actions:
        options = json.dumps(actions[0]["options"])
        found = client.read("sheet", **request, options=options, why="yes", words=f"{piece} {other}")
    else:
        found = client.read("why", **request, words=f"{piece} {other}")
        assert found["explained"]
    assert (dispute.item in json.dumps(found)) == dispute.cited


@sampled(0)
def test_a_refusal_for_a_moving_counter_is_about_its_destination(client: Client) -> None:
    """The counter is already chosen, so the reason does not mention that it cannot load itself."""
    game = client.write("begin", card="bridge_at_millbrook", players="human", seed="5")["game"]
    moment = {"position": f"game.{game}"}
    while client.read("view", **moment)["phases"] and not any(
        each["now"] and each["name"] == "movement" for each in client.read("view", **moment)["phases"]
    ):
        client.write("finish", game=game, version=client.read("view", **moment)["version"])
    view = client.read("view", **moment)
    piece, action = next(
        (piece, action)
        for piece in view["lit"]["pieces"]
        for action in client.read("ways", **moment, piece=piece)["ways"]
        if action["doing"] == "Move a vehicle"
    )
    client.write("take", game=game, version=view["version"], options=action["options"])
    found = client.read("why", **moment, words=f"{piece} 0101")
    assert "aboard" not in "".join(each["title"] for each in found["blocks"])


@in_browser
@pytest.mark.parametrize("dispute", [
    each if at < SAMPLE else pytest.param(each, marks=pytest.mark.long) for at, each in enumerate(DISPUTES)
], ids=lambda each: each.item)  # fmt: skip
def test_three_clicks_show_the_answer(dispute: Dispute, served_page: Served, browser: Tab) -> None:
    look_at(browser, served_page.link + dispute.link)
    clicks = 0
    if dispute.phase and browser.ask("document.querySelector('.phases .now').textContent") != dispute.phase:
        at = browser.ask(f"[...document.querySelectorAll('.phases li')].findIndex(e => e.textContent === "
                         f"{dispute.phase!r})")  # fmt: skip
        click(browser, f".phases li:nth-child({at + 1}) button")
        until(browser, f"document.querySelector('.phases .now').textContent === {dispute.phase!r}")
        clicks += 1
    for name in dispute.clicks:
        kind = "piece" if browser.ask(f"document.querySelector('[data-piece=\"{name}\"]') !== null") else "space"
        click(browser, f'[data-{kind}="{name}"]')
        clicks += 1
        until(browser, "document.querySelector('.selection h2') !== null")
    until(browser, f"document.querySelector('.why')?.textContent.includes({dispute.item!r})")
    assert clicks <= MOST_CLICKS
    assert browser.ask("document.querySelector('.why .block p').textContent.length > 10")


def test_every_phase_of_every_side_can_be_set(client: Client) -> None:
    card = {"position": "card.bridge_at_millbrook"}
    view = client.read("view", **card)
    offered = [each["name"] for each in view["phases"] if each["offers"]]
    assert len(offered) > 3
    for side in [each["name"] for each in view["sides"]]:
        for phase in offered:
            after = client.read("view", **card, change=["turn,3", f"side,{side}", f"phase,{phase}"])
            assert (after["turn"], after["side"]) == (3, side)
            assert [each["name"] for each in after["phases"] if each["now"]] == [phase]
            assert not after["live"]
    for wrong in ("phase,nothing", "side,nobody", "turn,0", "turn,x", "phase,recovery,x"):
        assert client.get("view", **card, change=[wrong]).status == 400
