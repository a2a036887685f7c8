"""Positions on the Table that are no moment of a game: position files, examples of the book, maps edited by hand."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from compiler.rulebook.contents import example_anchor
from rulewright.library.cache import own_folder
from rulewright.library.stacks import load_stack
from rulewright.serve.cli.workbench import view_address
from rulewright.serve.workbench.set_positions import save_position
from rulewright.system.errors import UsageError
from runtime.examples.run import run_examples
from tests.workbench.client import ORIGIN, WORD, Answer, Client

CARD = "hazel_ford"
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def client() -> Client:
    return Client()


def saved(client: Client, name: str, text: str) -> Answer:
    headers = {"origin": ORIGIN, "content-type": "application/json"}
    return client.send("POST", f"/{WORD}/api/position_save", headers, json.dumps({"name": name, "text": text}).encode())


def standing(view: Any) -> list[tuple[str, str]]:
    return sorted((each["title"], each["at"]) for each in view["pieces"] if each["at"])


def test_a_position_survives_saving_and_loading(client: Client) -> None:
    before = client.read("view", position=f"card.{CARD}")
    piece, there = before["lit"]["pieces"][0], before["spaces"][3]["name"]
    moved = {"position": f"card.{CARD}", "change": [f"move,{piece},{there}"]}
    written = client.read("position_text", **moved)
    address = saved(client, "mine", written["text"]).data["address"]
    after = client.read("view", position=address)
    assert standing(after) == standing(client.read("view", **moved)) != standing(before)
    ground = [[each["facts"][0] for each in view["spaces"]] for view in (after, before)]
    assert ground[0] == ground[1]
    assert client.read("ways", position=address, piece=after["lit"]["pieces"][0])["ways"]


def test_an_invalid_position_is_not_saved(client: Client) -> None:
    good = client.read("position_text", position=f"card.{CARD}")["text"]
    address = saved(client, "good", good).data["address"]
    for bad in ("", "position: x\nstack: nothing\n", good.replace("type:", "typo:"), "x" * 70_000):
        assert saved(client, "good", bad).status == 400
        assert saved(client, "bad", bad).status == 400
    assert client.get("view", position=address).status == 200
    assert client.get("view", position="position.bad").status == 400
    assert client.get("view", position="position.../../x.yaml").status == 400


def test_a_position_is_replaced_after_it_was_validated(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server may be killed before it knows whether the new one is valid."""
    good = client.read("position_text", position=f"card.{CARD}")["text"]
    save_position("kept", good, ())
    monkeypatch.setattr("rulewright.serve.workbench.set_positions.load_stack", lambda *_: sys.exit())
    with pytest.raises(SystemExit):
        save_position("kept", good.replace("turn: 1", "turn: 2"), ())
    assert (own_folder() / "positions" / "kept.yaml").read_text() == good


def test_examples_of_the_book_are_shown_on_the_table(client: Client) -> None:
    rules = load_stack("panzer_grenadier", []).graph
    assert rules
    shown_count = 0
    for example in [each for each in rules.examples if not each.card][::12]:
        anchor = example_anchor(example.title, example.origin)
        answer = client.get("view", position=f"example.panzer_grenadier@{anchor}")
        shown_count += answer.status == 200
        assert answer.status in (200, 400), answer.body
        if answer.status == 200:
            assert answer.data["title"] == example.title
    assert shown_count > 3
    assert client.get("view", position="example.panzer_grenadier@nothing").status == 400


def test_features_of_hexsides_are_toggled(client: Client) -> None:
    card = "bridge_at_millbrook"
    view = client.read("view", position=f"card.{card}")
    edge = view["edges"][0]["name"]
    one, other = view["spaces"][0]["name"], view["spaces"][1]["name"]
    drawn = [client.get("picture", position=f"card.{card}", change=[f"edge,{one},{other},{edge}"] * times).body
             for times in (1, 2)]  # fmt: skip
    plain = client.get("picture", position=f"card.{card}").body
    assert drawn[0] != plain == drawn[1]
    for bad in (f"edge,{one},{other},nothing", f"edge,{one},{view['spaces'][-1]['name']},{edge}", f"edge,{one}"):
        assert client.get("view", position=f"card.{card}", change=bad).status == 400


@pytest.mark.parametrize("refused", [False, True])
def test_an_example_written_from_clicks_passes(refused: bool, client: Client, tmp_path: Path) -> None:
    view = client.read("view", position=f"card.{CARD}")
    piece = view["lit"]["pieces"][0]
    actions = client.read("ways", position=f"card.{CARD}", piece=piece)["ways"]
    far = next(each["name"] for each in view["spaces"] if each["name"] not in {action["space"] for action in actions})
    request = {"words": f"{piece} {far}"} if refused else {"options": json.dumps(actions[0]["options"])}
    text = client.read("example_text", position=f"card.{CARD}", **request)["text"]
    assert (" refused" in text) == refused
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "layer.yaml").write_text("layer: mine\ntitle: Mine\nkind: variant\non: [panzer_grenadier]\n")
    (folder / "mine.rules").write_text(text.replace("under panzer_grenadier", "under panzer_grenadier+mine"))
    stack = load_stack("panzer_grenadier+mine", [tmp_path])
    assert stack.graph
    assert not stack.is_broken
    runs = [run for run in run_examples(stack.graph) if run.example.title.startswith("Hazel Ford")]
    assert runs
    assert not any(run.failures for run in runs)


CARDS = ["first_snow", "hazel_ford", *(pytest.param(each, marks=pytest.mark.long) for each in (
    "before_the_tide", "before_winter", "bridge_at_millbrook", "easthay", "koivula", "landing_at_mill_cove",
    "reed_water", "ridge_farm", "stony_pass", "two_valleys", "vaudrey", "winter_road",
))]  # fmt: skip


@pytest.mark.parametrize("card", CARDS)
def test_no_map_shows_an_identifier(card: str, client: Client) -> None:
    view = client.read("view", position=f"card.{card}")
    drawn = client.get("picture", position=f"card.{card}").body.decode()
    map_texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert map_texts
    clock = next(each for each in map_texts if each.startswith("turn "))
    assert view["side_title"] in clock
    assert not any("_" in each for each in map_texts)


def test_open_selects_the_view_of_a_card_a_position_file_or_a_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "1 crowded road.yaml"
    file.write_text((DOCS / "positions" / "crowded-road.yaml").read_text())
    assert view_address("first_snow", None, []) == "/table/card.first_snow"
    assert view_address("first_snow", "long_frost", []) == "/table/card.first_snow@long_frost"
    assert view_address("two_clans", None, []) == "/change/two_clans"
    assert view_address(str(file), None, []) == "/table/position.pcrowded_road"
    file.write_text("position: [")
    with pytest.raises(UsageError, match="this position file is invalid: line 1"):
        view_address(str(file), None, [])
    with pytest.raises(UsageError, match="there is no scenario `nowhere`"):
        view_address("nowhere", None, [])
