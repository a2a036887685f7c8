"""The view Rules: files of a layer, findings during typing, meanings, examples, and which files can be saved."""

from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.workbench.client import Client

pytestmark = pytest.mark.usefixtures("forked_jobs")

MUDDY = """\
rule no-crags [house] "Nobody goes up onto a crag."
  may_march forbidden
  when to is crag

example "at the foot" {
  spaces Foot, Peak crag
  connections Foot-Peak
  piece D: drovers of ash at Foot
  set ash.orders to 2 orders
  ask may_march(D, Foot, Peak) = forbidden by no-crags
  ask price(D, Foot, Peak) = 2 orders
}
"""


@pytest.fixture
def client(tmp_path: Path) -> Client:
    folder = tmp_path / "muddy"
    folder.mkdir()
    (folder / "layer.yaml").write_text("layer: muddy\ntitle: Muddy\nkind: variant\non: [two_clans]\n")
    (folder / "muddy.rules").write_text(MUDDY)
    new_client = Client((folder,))
    new_client.sessions.save_folder = tmp_path
    return new_client


def rules_request(text: str = MUDDY) -> dict[str, Any]:
    return {"layer": "muddy", "file": "muddy.rules", "text": text}


def test_a_text_is_checked_as_it_is_in_the_editor(client: Client, tmp_path: Path) -> None:
    files = client.read("rules_files", layer="muddy")
    assert (files["own"], [each["name"] for each in files["files"]]) == (True, ["muddy.rules", "layer.yaml"])
    seen = client.write("rules_look", **rules_request())
    assert seen["findings"] == []
    ran = client.write("rules_examples", **rules_request())["examples"]
    assert [(each["title"], each["passed"]) for each in ran] == [("at the foot", True)]
    drawn = client.get("rules_drawing", key=ran[0]["drawing"])
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    broken = client.write("rules_look", **rules_request(MUDDY.replace("to is crag", "to is craag")))
    assert (broken["findings"][0]["line"], broken["findings"][0]["error"]) == (2, True)
    assert "crag" in broken["findings"][0]["message"]
    assert broken["findings"][0]["instead"] == ["crag"]
    assert (tmp_path / "muddy" / "muddy.rules").read_text() == MUDDY


def test_a_word_has_its_meaning_and_completions(client: Client) -> None:
    word = client.write("rules_word", **rules_request(), line=0, column=8)
    assert (word["word"], word["printed"]) == ("no-crags", "Nobody goes up onto a crag. [house]")
    assert "may_march" in client.write("rules_word", **rules_request(), line=1, column=4)["meaning"]
    offers = client.read("rules_offers", layer="muddy", file="muddy.rules", begun="may_m")["offers"]
    assert [each["word"] for each in offers][:1] == ["may_march"]


@sampled(0)
def test_a_new_text_stops_the_proofs_of_the_old_one(client: Client) -> None:
    job_reply = client.write("rules_prove", **rules_request())
    while (state := client.read("job", job=job_reply["job"]))["running"]:
        sleep(0.05)
    assert job_reply["path"] in state["data"]["found"]
    assert not state["data"]["partly"]
    first = client.write("rules_prove", **rules_request(MUDDY + "\n"))
    client.write("rules_prove", **rules_request(MUDDY + "\n\n"), job=first["job"])
    assert client.read("job", job=first["job"])["stopped"]
    client.sessions.close()


def test_only_unchanged_files_of_the_user_are_saved(client: Client, tmp_path: Path) -> None:
    new = MUDDY.replace("Nobody goes", "Nobody climbs")
    client.write("rules_save", **rules_request(new), was=MUDDY)
    file = tmp_path / "muddy" / "muddy.rules"
    assert file.read_text() == new
    late = client.post("rules_save", **rules_request("lost"), was=MUDDY)
    assert (late.status, file.read_text()) == (400, new)
    assert not client.read("rules_files", layer="two_clans")["own"]
    shipped = {"layer": "two_clans", "file": "steps.rules"}
    text = next(
        each["text"] for each in client.read("rules_files", layer="two_clans")["files"] if each["name"] == "steps.rules"
    )
    refused = client.post("rules_save", **shipped, text=text + "\n", was=text)
    assert "create a layer that changes them" in refused.data["error"]
    (tmp_path / "secret.yaml").write_text("x")
    for name in ("../secret.yaml", "/etc/hostname", "nothing.rules"):
        assert client.post("rules_save", layer="muddy", file=name, text="y", was="x").status == 400
    assert (tmp_path / "secret.yaml").read_text() == "x"
