"""The view Change.

Its forms, the text (equal to that of the command), the effect of a change, and where it is saved.
"""

import json
import re
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.serve.cli.app import run
from rulewright.serve.workbench.drafting import draft_reply
from rulewright.system.errors import UsageError
from tests.workbench.client import Client

pytestmark = pytest.mark.usefixtures("forked_jobs")

CELL = {"kind": "cell", "given": {"chart": ["orders_of"], "keys": ["drive"], "now": ["5"], "why": ["More of it"]}}
FORBID = {
    "kind": "forbid",
    "given": {"what": ["may_march"], "when": ["to is crag", "b is not hardy"], "why": ["Crags are for the hardy"]},
}
ASKED: dict[str, Any] = {"stack": "two_clans", "layer": "muddy", "kind": "variant"}


@pytest.fixture
def client(tmp_path: Path) -> Client:
    new_client = Client()
    new_client.sessions.save_folder = tmp_path
    return new_client


def worked(client: Client, name: str, **request: Any) -> Any:
    """Start a job and return its data; an error fails the test."""
    job_reply = client.write(name, **request)
    while (state := client.read("job", job=job_reply["job"]))["running"]:
        sleep(0.02)
    assert not state["error"], state["error"]
    return state["data"] | {"job": job_reply["job"]}


@sampled(0)
def test_the_page_and_the_command_write_the_same_files(client: Client, tmp_path: Path) -> None:
    draft = worked(client, "draft", **ASKED, changes=[CELL])
    assert list(tmp_path.iterdir()) == []
    folder = tmp_path / "typed"
    assert run(["change", "two_clans", "muddy", "--cell", "orders_of", "drive", "5", "--why", "More of it",
                "--dir", str(folder)]) == 0  # fmt: skip
    files = {file.name: file.read_text() for file in (folder / "muddy").iterdir()}
    assert {each["name"]: each["text"] for each in draft["files"]} == files
    saved = worked(client, "save", **ASKED, changes=[CELL])
    assert {file.name: file.read_text() for file in (tmp_path / "muddy").iterdir()} == files
    assert saved["stack"] == "two_clans+muddy"
    assert {"name": "before_winter", "title": "Before Winter", "sides": ["ash", "birch"]} in saved["cards"]
    words = ["--forbid", "may_march", "--when", "to is crag", "--when", "b is not hardy"]
    assert run(["change", "two_clans", "muddy", *words, "--why", "Crags are for the hardy", "--dir", str(folder)]) == 0
    worked(client, "save", **ASKED, changes=[FORBID])
    assert (folder / "muddy" / "changes.rules").read_text() == (tmp_path / "muddy" / "changes.rules").read_text()
    # A saved layer can be played immediately.
    view = client.read("view", position="card.before_winter@two_clans+muddy")
    assert view["rules_name"].startswith("two_clans+muddy")


@sampled(0)
def test_the_effect_of_a_draft_is_computed_by_a_job(client: Client) -> None:
    draft = worked(client, "draft", **ASKED, changes=[CELL])["job"]
    found = worked(client, "difference", stack=ASKED["stack"], draft=draft)
    assert [each["chart"] for each in found["charts"]] == ["orders_of"]
    assert any(block["title"] == "orders_of" for block in found["blocks"][0]["blocks"])
    client.sessions.close()
    assert client.sessions.scratch == []


def test_forms_list_conditions_cells_and_columns_of_the_stack(client: Client) -> None:
    given = json.dumps({"what": ["may_march"]})
    fields = client.read("form", stack="two_clans", layer="", kind="forbid", given=given)["fields"]
    assert "to is crag" in [each["value"] for each in fields[1]["choices"]]
    chart = client.read("chart", stack="long_frost", layer="", chart="costs")
    assert {"keys": ["forest", "snow"], "value": "3 MP"} in chart["lines"] or len(chart["lines"]) == 12
    counters = client.read("counters", stack="two_clans", layer="")["kinds"][0]
    assert counters["columns"] == ["strength"]
    assert {each["name"] for each in client.read("changeable")["layers"]} >= {"two_clans", "panzer_leader"}


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ({**ASKED, "changes": []}, "list of one to"),
        ({**ASKED, "changes": [7]}, "a change is an object"),
        ({**ASKED, "changes": [{"kind": "cell", "given": {"chart": "tec"}}]}, "list of texts"),
        ({**ASKED, "changes": [{"kind": "spell", "given": {}}]}, "no change `spell`"),
        ({**ASKED, "layer": "../muddy", "changes": [CELL]}, "is no name"),
        ({**ASKED, "layer": "two_clans", "changes": [CELL]}, "comes with rulewright"),
        ({**ASKED, "stack": "no_such", "changes": [CELL]}, "no layer `no_such`"),
        ({**ASKED, "kind": "base", "changes": [CELL]}, "a layer is one of"),
    ],
)
def test_an_invalid_draft_is_refused_and_no_file_is_written(tmp_path: Path, payload: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        draft_reply(payload, tmp_path, (), save=True, shown_files=None)
    assert list(tmp_path.iterdir()) == []
