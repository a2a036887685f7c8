"""The task of a player with a dispute: the page answers published questions with their citation.

In the browser twelve of them need at most three clicks on the Table each.
"""

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.books.browser import Tab, chromium
from tests.workbench.client import Client
from tests.workbench.disputes import DISPUTES, Dispute
from tests.workbench.position_disputes import BRIDGE, POSITION_DISPUTES, ROAD, TANK, PositionDispute
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
    assert dispute.item in "".join(found["why"])
    assert any(each["because"] for each in found["reasons"]), "no printed rule is shown"


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
        assert any(each["because"] for each in found["reasons"])
    assert (dispute.item in json.dumps(found)) == dispute.cited


def test_a_failing_overrun_has_its_consequence_in_the_odds(client: Client) -> None:
    dispute = next(each for each in POSITION_DISPUTES if each.item == "PLQ.OVERRUN.05")
    request = {"position": client.write("position_save", name=dispute.name, text=dispute.text)["address"]}
    (action,) = [each for each in client.read("ways", **request, piece="car")["ways"] if each["doing"] == "Overrun"]
    assert "goes back to A" in action["odds"]


def test_a_unit_that_is_done_has_this_as_its_first_reason(client: Client) -> None:
    text = PositionDispute(
        "PLQ.MOVE.01",
        "no",
        ("tank", "C"),
        "movement",
        "allied",
        "A, B, C, D",
        (f"{TANK}A, done: yes", "name: other, type: m4, at: A"),
    ).text
    request = {"position": client.write("position_save", name="has_moved", text=text)["address"]}
    for words in ("tank D", "tank"):
        reason = client.read("why", **request, words=words)["reasons"][0]
        assert (reason["said"], reason["because"][0]["values"]) == (
            "Move a vehicle: Tank may not move.",
            "Tank is done for this turn.",
        )


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
    assert "aboard" not in "".join(found["why"])


def test_a_refused_action_is_explained_beside_an_open_one(client: Client) -> None:
    """A click on a unit under a bridge also selects the bridge as a destination; the refused overrun is explained."""
    dispute = PositionDispute(
        "PLQ.BRIDGE.08", "no", ("tank", "squad"), "movement", "allied", f"A, {BRIDGE}, C",
        ("name: tank, type: m4, at: A", "name: squad, type: rifle, at: B, in: under"), ROAD,
    )  # fmt: skip
    request = {"position": client.write("position_save", name=dispute.name, text=dispute.text)["address"]}
    assert any(each["space"] == "B" for each in client.read("ways", **request, piece="tank")["ways"])
    found = client.read("why", **request, words="tank squad", closed="yes")
    assert found["reasons"][0]["said"] == "Overrun: Tank may not overrun B and end in C."


def test_a_clicked_passenger_is_explained_besides_its_carrier(client: Client) -> None:
    dispute = PositionDispute(
        "PLQ.TRANSPORT.10", "no", ("tank", "squad"), "combat", "allied", "A, B town",
        ("name: tank, type: m4, at: A", "name: carrier, type: panther, at: B", "name: squad, type: rifle, at: B"),
        carried="carrier: squad",
    )  # fmt: skip
    request = {"position": client.write("position_save", name=dispute.name, text=dispute.text)["address"]}
    assert "squad" not in {each["piece"] for each in client.read("ways", **request, piece="tank")["ways"]}
    found = client.read("why", **request, words="tank squad", closed="yes")
    assert found["reasons"]
    assert dispute.item in json.dumps(found)


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
    assert browser.ask("document.querySelector('.why blockquote').textContent.length > 10")


def test_places_and_pieces_of_a_reason_are_marked_on_the_map(client: Client) -> None:
    wagon, truck = DISPUTES[1], DISPUTES[6]
    found = client.read("why", position=wagon.address, words=" ".join(wagon.clicks))["lights"]
    assert found["sides"] == [["A", "B"]]
    found = client.read("why", position=truck.address, words=" ".join(truck.clicks))["lights"]
    assert found["counted"] == ["B"]
    assert "truck-1" in found["pieces"]


# A rifle of each side with woods between them.
BEHIND_TREES = ["phase,combat", "side,german", "move,rifle-1.1,0503", "move,armored_rifle-2.1,0906"]


def test_a_blocked_line_and_its_hexside_are_marked(client: Client) -> None:
    request = {"position": "card.bridge_at_millbrook", "change": BEHIND_TREES, "words": "rifle-1.1 armored_rifle-2.1"}
    found = client.read("why", **request)["lights"]
    assert found["lines"] == [["0503", "0906"]]
    assert found["sides"] == [["0704", "0705"]]


@pytest.mark.parametrize("place", ["0101", "1010", "0907"])
def test_an_empty_target_is_not_explained_by_another_target(place: str, client: Client) -> None:
    request = {"position": "card.bridge_at_millbrook", "change": BEHIND_TREES, "words": f"rifle-1.1 {place}"}
    found = client.read("why", **request)
    assert place in found["why"][0]
    assert "0906" not in "".join(found["why"])
    assert found["lights"]["lines"] == []


@sampled(1)
@pytest.mark.parametrize("other", ["0101", "rifle-1.1"])
def test_a_place_out_of_reach_is_explained_by_the_reach_of_the_counter(other: str, client: Client) -> None:
    """The action of going into a fort, which the rules also refuse to the vehicle, is not part of the explanation."""
    changes = ["phase,movement", "side,allied", "move,m4-2.1,1203", "move,rifle-1.1,0103"]
    request: dict[str, Any] = {"position": "card.bridge_at_millbrook", "change": changes}
    first = client.read("why", **request, words=f"m4-2.1 {other}")
    assert not [line for line in first["why"] if "fort" in line and not line.startswith(" ")]
    assert "FORT" not in "".join(first["why"])
    client.read("ways", **request, piece="m4-2.1")
    found = client.read("why", **request, words=f"m4-2.1 {other}")
    assert "M4 Sherman 1 gets as far as" in found["why"][0]
    assert "PLQ.MOVE.03" in json.dumps(found["reasons"])


def test_only_the_clicked_transport_is_explained(client: Client) -> None:
    anchor = "example-panzer_leader-refusals-riders-of-armor-that-is-no-vehicle-and-of-what-is-no-armor"
    request: dict[str, Any] = {"position": f"example.panzer_leader@{anchor}", "change": ["phase,movement"]}
    # The other side is on the move: its question is asked in its own turn.
    request["change"].append("side,allied")
    found = client.read("why", **request, words="us_mortar81-1 m4-1")
    assert "Panther" not in "".join(found["why"])
    assert "PLQ.TRANSPORT.06" in "".join(found["why"])
    assert "M4 Sherman" in found["why"][0]


@in_browser
@pytest.mark.long
def test_the_line_is_drawn_until_another_counter_is_selected(served_page: Served, browser: Tab) -> None:
    tail = "".join(f"&c={quote(each, safe='')}" for each in BEHIND_TREES)
    look_at(browser, f"{served_page.link}#/table/card.bridge_at_millbrook?{tail[1:]}")
    click(browser, '[data-piece="rifle-1.1"]')
    until(browser, "document.querySelector('.selection h2')?.textContent.startsWith('Rifle')")
    click(browser, '[data-piece="armored_rifle-2.1"]')
    until(browser, "document.querySelectorAll('.above .ray').length === 1")
    assert browser.ask("document.querySelectorAll('.above .barrier').length") == 1
    assert "0704/0705" in browser.ask("document.querySelector('.why').textContent")
    click(browser, '[data-piece="rifle-1.1"]')
    until(browser, "document.querySelectorAll('.above .ray').length === 0")


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


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("rifle-1.1 0907", "0907 is not among rifle 1's area."),
        ("0907 rifle-1.1", "0907 is not among rifle 1's area."),
        ("rifle-1.5 0807", "Rifle 5 may not be placed in 0807."),
    ],
)
def test_a_place_refused_in_the_set_up_has_its_reason(words: str, reason: str, client: Client) -> None:
    """The counter is the current choice, and its place a later one of the same action."""
    full = [f"move,rifle-1.{number},0807" for number in range(1, 5)] if "1.5" in words else []
    found = client.read("why", position="card.bridge_at_millbrook", change=full, words=words)
    assert found["reasons"][0]["said"] == f"Set up a unit: {reason}"


def test_a_counter_without_a_target_is_explained_by_the_nearest_enemy(client: Client) -> None:
    """The tank does not see it, and it is not spotted: these are the reasons, and not that it has no indirect fire."""
    changes = ["move,rifle-1.1,0907", "move,m4-2.1,1206", "phase,combat", "side,allied"]
    found = client.read("ways", position="card.bridge_at_millbrook", change=changes, piece="m4-2.1")
    assert found["ways"] == []
    assert "PLS.LOS.01" in found["why"][1]
    assert any("PLS.SPOT.01" in each for each in found["why"])
