"""The Lab: a situation is compared under two sets of rules, in a job."""

from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.sample import sampled

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from tests.workbench.client import Client

pytestmark = pytest.mark.usefixtures("forked_jobs")

ASKED = {"card": "before_the_tide", "first": "low_tide", "second": "low_tide+sure_feet", "players": "greedy"}
SURE_FEET = """rule sure-feet [house] "Mud slows nobody down."
  exception to mud-clings, mud-and-a-basket
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Write a small variant of a small game."""
    folder = tmp_path / "sure_feet"
    folder.mkdir()
    (folder / "layer.yaml").write_text("layer: sure_feet\ntitle: Sure feet\nkind: variant\non: [low_tide]\n")
    (folder / "sure.rules").write_text(SURE_FEET)
    return tmp_path


def followed(client: Client, job: str) -> Any:
    while (state := client.read("job", job=job))["running"]:
        sleep(0.05)
    assert not state["error"], state
    return state["data"]


@sampled(0)
def test_two_sets_of_rules_are_compared(package: Path) -> None:
    client = Client((package,))
    assert {"first_snow", "hazel_ford"} <= {each["name"] for each in client.read("lab")["cards"]}
    games = {each["name"]: each for each in client.read("stacks")["games"]}
    assert "sure_feet" in {each["name"] for each in games["low_tide"]["options"]}
    assert "sure_feet" not in {each["name"] for each in games["two_clans"]["options"]}
    reply = client.write("lab_begin", **ASKED, games=30, until="")
    found = followed(client, reply["job"])
    assert [arm["n"] for arm in found["arms"]] == [30, 30]
    assert found["verdicts"][0]["says"]
    assert found["side"] in found["side_titles"]
    lost = {counter for of in found["difference"]["losses"].values() for counter in of} - {"all"}
    assert lost
    assert lost == found["counter_titles"].keys()


@pytest.mark.parametrize(
    "wrong",
    [{"card": "nowhere"}, {"second": "low_tide+nothing"}, {"players": "nobody"}, {"until": "soon"}, {"games": 0},
     {"games": "many"}, {"card": "--help"}, {"second": "-x"}],
)  # fmt: skip
def test_an_invalid_experiment_is_refused(wrong: dict[str, Any]) -> None:
    answer = Client().post("lab_begin", **{**ASKED, "second": "low_tide", "games": 5, "until": "", **wrong})
    assert answer.status == 400
    assert answer.data["error"]
