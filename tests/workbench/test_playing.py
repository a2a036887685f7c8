"""Games on the page: clicks become choices, and each choice is on disk before it takes effect."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.games.journal import read_trial
from rulewright.library.shipped_folders import rules_folder
from rulewright.serve.terminal.game_setup import games_folder
from tests.workbench.client import Client

CARD = "first_snow"


@pytest.fixture
def client() -> Client:
    return Client()


def begin_game(client: Client, seed: str, players: str = "human,greedy") -> tuple[str, Any]:
    game = client.write("begin", card=CARD, rules="", players=players, seed=seed)["game"]
    return game, client.read("view", position=f"game.{game}")


def moved(client: Client, view: Any, piece: str, space: str) -> Any:
    """Click a piece, and a space that it can move to; return the new view."""
    actions = client.read("ways", position=view["address"], piece=piece)["ways"]
    action = next(each for each in actions if each["space"] == space)
    client.write("take", game=view["game"], version=view["version"], options=action["options"])
    return client.read("view", position=view["address"])


def where(view: Any, piece: str) -> str:
    return str(next(each["at"] for each in view["pieces"] if each["name"] == piece))


def test_two_clicks_move_a_piece(client: Client) -> None:
    _, view = begin_game(client, "11")
    assert view["yours"]
    assert "Click a highlighted counter" in view["prompt"]
    assert {"foot-1.1", "panzers-1.1"} <= set(view["lit"]["pieces"])
    after = moved(client, view, "foot-1.1", "B5")
    assert where(after, "foot-1.1") == "B5"
    assert any("C6" in line and "B5" in line for line in after["log"][-1]["lines"])
    assert after["undo"] == ""


def test_a_place_is_refused_by_the_rules_about_the_pieces_there(client: Client) -> None:
    """A click beside a counter of the other side is about the place; no action of the phase chooses a place."""
    changes = ["move,finnish_ski-1.1,0504", "move,t26-2.1,0604", "phase,combat"]
    why = client.read("why", position="card.koivula", change=changes, words="finnish_ski-1.1 0604")
    against = client.read("why", position="card.koivula", change=changes, words="finnish_ski-1.1 t26-2.1")
    assert why["explained"]
    assert why["blocks"] == against["blocks"]


def test_undo_restores_the_view(client: Client) -> None:
    game, view = begin_game(client, "12")
    after = moved(client, view, "foot-1.1", "B5")
    client.write("undo", game=game, version=after["version"])
    second_view = client.read("view", position=f"game.{game}")
    assert {**second_view, "version": ""} == {**view, "version": ""}


def test_a_game_survives_a_killed_server(client: Client) -> None:
    game, view = begin_game(client, "13")
    after = moved(client, view, "foot-1.1", "B5")
    client.sessions.open[game].journal._handle.close()  # The system closes the files of a killed process.
    started_anew = Client()
    second_view = started_anew.read("view", position=f"game.{game}")
    assert second_view == after
    assert read_trial(games_folder() / f"{game}.trial").choices[0].label == "march"


def test_a_choice_for_an_outdated_version_is_refused(client: Client) -> None:
    game, view = begin_game(client, "14")
    moved(client, view, "foot-1.1", "B5")
    late = client.post("take", game=game, version=view["version"], options=[0])
    assert late.status == 409
    assert "another window" in late.data["error"]
    assert client.read("version", game=game)["version"] != view["version"]


def test_invalid_options_are_refused_without_a_change(client: Client) -> None:
    game, view = begin_game(client, "15")
    for options in ([99], [0, 99], [-1]):
        assert client.post("take", game=game, version=view["version"], options=options).status == 400
    assert client.read("view", position=f"game.{game}") == view


def test_the_phase_is_finished_and_the_others_play(client: Client) -> None:
    game, view = begin_game(client, "17")
    while not view["yours"] or view["turn"] == 1:
        if view["yours"]:
            client.write("finish", game=game, version=view["version"])
        else:
            client.write("others", game=game)
        view = client.read("view", position=f"game.{game}")
    assert view["yours"]
    assert view["turn"] == 2
    assert {each["side"] for each in view["log"]} == {"the Column", "the Guard"}


def pressed(client: Client, view: Any, kind: str) -> Any:
    """Press the button of a kind; return the new view."""
    options = next(each["options"] for each in view["buttons"] if each["kind"] == kind)
    client.write("take", game=view["game"], version=view["version"], options=options)
    return client.read("view", position=view["address"])


def test_the_sheet_of_an_action_is_shown_before_the_dice(client: Client) -> None:
    _, view = begin_game(client, "18")
    view = moved(client, view, "panzers-1.2", "E6")
    view = pressed(client, view, "end")
    assert [each["title"] for each in view["phases"] if each["now"]] == ["Combat"]
    action = client.read("ways", position=view["address"], piece="panzers-1.2")["ways"][0]
    assert action["space"] == "F6"
    options = json.dumps(action["options"])
    sheet = client.read("sheet", position=view["address"], options=options)["sheet"]
    assert sheet is not None
    chances = [span["text"] for block in sheet["blocks"] for line in block["lines"] for span in line["spans"]]
    assert any(" in 6: " in text or " in 36: " in text for text in chances), chances
    plain = client.read("sheet", position=view["address"], options=json.dumps(view["buttons"][-1]["options"]))["sheet"]
    assert plain is None
    assert client.read("version", game=view["game"])["version"] == view["version"]
    client.write("take", game=view["game"], version=view["version"], options=action["options"])
    thrown = client.read("view", position=view["address"])
    assert "a die has been thrown" in thrown["undo"]
    assert thrown["log"][-1]["lines"]


def test_a_reason_names_the_clicked_space(client: Client) -> None:
    _, view = begin_game(client, "19")
    why = client.read("why", position=view["address"], words="foot-1.1 K11")["blocks"][0]["title"]
    assert "K11" in why
    assert "_" not in why


def test_counterfactuals_state_the_extent_of_the_search(client: Client) -> None:
    _, view = begin_game(client, "21")
    found = client.read("counterfactuals", position=view["address"], words="foot-1.1 D8")
    assert found["looked_at"]
    assert all("allowed if" in each for each in found["allowed_if"])
    assert any("if foot army 1 is in D6" in each for each in found["allowed_if"])


def test_edits_of_a_position_do_not_change_the_game(client: Client) -> None:
    game, view = begin_game(client, "20")
    by_hand = client.read("view", position=f"game.{game}", change=["move,foot-1.1,J1", "paint,J2,forest"])
    assert where(by_hand, "foot-1.1") == "J1"
    assert not by_hand["live"]
    facts = {each["name"]: each["facts"][0] for each in by_hand["spaces"]}
    assert facts["J2"] == "J2: woods"
    actions = client.read("ways", position=f"game.{game}", change=["move,foot-1.1,J1"], piece="foot-1.1")["ways"]
    assert {"I1", "J2"} <= {each["space"] for each in actions}
    assert client.read("view", position=f"game.{game}") == view
    for bad in ("move,foot-1.1", "move,nobody,J1", "move,foot-1.1,Z9", "mark,foot-1.1,x", "paint,J2,x", "x"):
        assert client.get("view", position=f"game.{game}", change=bad).status == 400, bad


@pytest.mark.parametrize(
    "position", ["", "x", "card.", "card.nowhere", "game.", "game.nothing", "game.../../x", "card.first_snow@x"]
)
def test_unknown_addresses_have_a_message(position: str, client: Client) -> None:
    answer = client.get("view", position=position)
    assert answer.status == 400
    assert answer.data["error"]


def hostile(folder: Path, title: str) -> Client:
    """Write a card with this title, and return a client that can load it."""
    text = (rules_folder() / "games" / "long_frost" / "first_snow.yaml").read_text(encoding="utf-8")
    lines = text.replace("scenario: first_snow", "scenario: hostile_snow").splitlines()
    card = [f"title: {json.dumps(title)}" if line.startswith("title:") else line for line in lines]
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "hostile_snow.yaml").write_text("\n".join(card) + "\n", encoding="utf-8")
    return Client((folder,))


def test_a_title_with_markup_is_refused(tmp_path: Path) -> None:
    answer = hostile(tmp_path, '"><script>alert(1)</script>').get("view", position="card.hostile_snow")
    assert answer.status == 400
    assert "rulewright check" in answer.data["error"]
