"""A broken package in reach is left out and listed with its reason; all others work without it."""

from pathlib import Path
from time import sleep

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.workbench.client import Client

BROKEN = {
    "yaml": "layer: broken\ntitle: [\n",
    "markup": 'layer: broken\ntitle: "<img src=x onerror=alert(1)>"\nkind: variant\non: [two_clans]\n',
    "escape": 'layer: broken\ntitle: "\\e[31mred\\e[0m"\nkind: variant\non: [two_clans]\n',
}
SOUND = "layer: muddy\ntitle: Muddy\nkind: variant\non: [two_clans]\n"
RULE = 'rule no-crags [house] "None."\n  may_march forbidden\n  when to is crag\n'


def package(at: Path, name: str, manifest: str, rules: str = RULE) -> Path:
    folder = at / name
    folder.mkdir()
    (folder / "layer.yaml").write_text(manifest)
    (folder / "own.rules").write_text(rules)
    return folder


@pytest.mark.parametrize("sort", list(BROKEN))
def test_a_broken_package_is_listed_and_the_others_work(sort: str, tmp_path: Path) -> None:
    folders = package(tmp_path, "broken", BROKEN[sort]), package(tmp_path, "muddy", SOUND)
    client = Client(folders)
    listed = client.read("cards")
    assert [Path(each["folder"]).name for each in listed["left_out"]] == ["broken"]
    assert "layer.yaml" in listed["left_out"][0]["why"]
    assert client.read("view", position="card.before_winter")["pieces"]
    assert client.read("view", position="card.before_winter@two_clans+muddy")["pieces"]
    assert client.read("form", stack="two_clans", layer="", kind="cell", given="{}")["fields"]
    assert client.read("changeable")["left_out"] == listed["left_out"]


@pytest.mark.parametrize("text", ["scenario: mine\nturns: [3\n", "scenario: mine\nstack: two_clans\n"])
def test_a_card_that_cannot_be_read_is_reported(text: str, tmp_path: Path) -> None:
    folder = package(tmp_path, "muddy", SOUND)
    (folder / "mine.yaml").write_text(text)
    client = Client((folder,))
    for view in ("cards", "lab"):
        listed = client.read(view)
        assert "mine" not in {each["name"] for each in listed["cards"]}
        assert ["mine.yaml" in each["folder"] for each in listed["broken_cards"]] == [True]
        assert listed["broken_cards"][0]["why"]


def test_a_corrected_package_is_loaded_again(tmp_path: Path) -> None:
    folder = package(tmp_path, "muddy", BROKEN["yaml"])
    client = Client((folder,))
    assert client.get("view", position="card.before_winter@two_clans+muddy").status == 400
    sleep(0.01)
    (folder / "layer.yaml").write_text(SOUND)
    assert client.read("cards")["left_out"] == []
    assert client.read("view", position="card.before_winter@two_clans+muddy")["pieces"]
