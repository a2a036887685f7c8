"""Slow players choose in a process of their own.

With the same choices, a message if it dies, and no loss of the game.
"""

import os
import signal
from time import monotonic, sleep
from typing import Any

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.workbench.client import Client

CARD = "first_snow"
PATIENCE = 120


@pytest.fixture
def client() -> Any:
    new_client = Client()
    yield new_client
    new_client.sessions.close()


def begin_game(client: Client, player: str, seed: str) -> dict[str, Any]:
    """Start a game and play the phases of the human side, until the other player has to choose."""
    view = client.read("cards")
    sides = next(each["sides"] for each in view["cards"] if each["name"] == CARD)
    players = ",".join(f"{side['name']}={'human' if at == 0 else player}" for at, side in enumerate(sides))
    game = client.write("begin", card=CARD, rules="", players=players, seed=seed)["game"]
    request = {"position": f"game.{game}"}
    while (view := client.read("view", **request))["yours"]:
        client.write("finish", game=game, version=view["version"])
    return {"game": game, **request}


def others(client: Client, game: str) -> int:
    """Let the other players choose until a human has a decision; return how often the page has to wait."""
    end, waits = monotonic() + PATIENCE, 0
    while (found := client.write("others", game=game))["more"]:
        assert monotonic() < end
        waits += found["thinks"]
        sleep(0.02)
    return waits


@sampled(0)
def test_the_process_makes_the_choices_of_the_server(client: Client) -> None:
    seen: dict[str, Any] = {}
    for player in ("lookahead:3", "lookahead:3"):
        here = begin_game(client, player, "7")
        if not seen:
            assert others(client, here["game"]) > 0
        else:
            session = client.sessions.find(here["game"])
            session.slow_sides = frozenset()
            while session.let_others_play():
                pass
        seen[here["game"]] = client.read("view", position=here["position"])["log"]
    one, other = seen.values()
    assert one == other


@sampled(0)
def test_a_killed_process_is_a_message_and_another_continues(client: Client) -> None:
    here = begin_game(client, "lookahead:40", "8")
    assert client.write("others", game=here["game"])["more"]
    session = client.sessions.find(here["game"])
    assert session.player_process is not None
    os.kill(session.player_process.job.process.pid, signal.SIGKILL)
    session.player_process.job.process.wait()
    end = monotonic() + PATIENCE
    while (answer := client.post("others", game=here["game"])).status == 200 and monotonic() < end:
        sleep(0.02)
    assert answer.status == 400
    assert "stored in its file" in answer.data["error"]
    others(client, here["game"])
    assert client.read("view", position=here["position"])["yours"]


def test_the_process_can_be_stopped(client: Client) -> None:
    here = begin_game(client, "lookahead:400", "9")
    client.write("others", game=here["game"])
    session = client.sessions.find(here["game"])
    assert session.player_process is not None
    process = session.player_process.job.process
    client.write("pause", game=here["game"])
    assert process.poll() is not None
    assert client.read("view", position=here["position"])["others"]
