"""The Lab: an experiment runs in a job, its results grow, it can be stopped and resumed, and a new server lists it."""

from pathlib import Path
from time import monotonic, sleep
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
PATIENCE = 60


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Write a small variant of a small game."""
    folder = tmp_path / "sure_feet"
    folder.mkdir()
    (folder / "layer.yaml").write_text("layer: sure_feet\ntitle: Sure feet\nkind: variant\non: [low_tide]\n")
    (folder / "sure.rules").write_text(SURE_FEET)
    return tmp_path


def begin_experiment(client: Client, games: int, **more: Any) -> str:
    return str(client.write("lab_begin", **{**ASKED, "games": games, "until": "", **more})["run"])


def until(client: Client, run: str, *, running: bool, games: int = 0) -> Any:
    end = monotonic() + PATIENCE
    while (state := client.read("lab_run", run=run))["running"] != running or state["games"] < games:
        assert monotonic() < end, state
        sleep(0.1)
    return state


def followed(client: Client, job: str) -> Any:
    while (state := client.read("job", job=job))["running"]:
        sleep(0.05)
    assert not state["error"], state
    return state["data"]


@sampled(0)
def test_an_experiment_is_played_reported_and_stored(package: Path) -> None:
    client = Client((package,))
    assert {"first_snow", "hazel_ford"} <= {each["name"] for each in client.read("lab")["cards"]}
    games = {each["name"]: each for each in client.read("stacks")["games"]}
    assert "sure_feet" in {each["name"] for each in games["low_tide"]["options"]}
    assert "sure_feet" not in {each["name"] for each in games["two_clans"]["options"]}
    run = begin_experiment(client, 30)
    state = until(client, run, running=False)
    assert state["games"] == 30
    assert state["trouble"] == ""
    found = state["found"]
    assert [arm["n"] for arm in found["arms"]] == [30, 30]
    assert found["verdicts"][0]["says"]
    lost = {counter for of in found["difference"]["losses"].values() for counter in of} - {"all"}
    assert lost
    assert lost <= set(state["counters"])
    anew = Client((package,))
    second_state = anew.read("lab_run", run=run)
    assert {**second_state, "name": run} == state
    assert run in {each["name"] for each in anew.read("lab")["runs"]}
    parted = state["parted"][0]
    assert parted["won"][0] != parted["won"][1]
    game_reply = anew.write("lab_game", run=run, game=parted["game"], seating=parted["seating"])
    played = followed(anew, game_reply["job"])
    assert (played["winner"] or "") == parted["won"][0]
    assert anew.write("lab_game", run=run, game=parted["game"], seating=parted["seating"])["job"] == ""
    there = followed(anew, anew.write("lab_part", run=run, game=game_reply["game"])["job"])
    assert not there["same"]
    view = anew.read("view", position=f"game.{game_reply['game']}.{there['step']}")
    assert view["moment"] >= there["step"]


@sampled(0)
def test_a_stopped_experiment_is_resumed(package: Path) -> None:
    client = Client((package,))
    run = begin_experiment(client, 5000)
    until(client, run, running=True, games=2)
    client.write("lab_stop", run=run)
    state = until(client, run, running=False, games=2)
    assert 2 <= state["games"] < 5000
    client.write("lab_go_on", run=run)
    more = until(client, run, running=True, games=state["games"] + 1)
    client.write("lab_stop", run=run)
    assert more["games"] > state["games"]
    client.sessions.jobs.close()


@pytest.mark.parametrize(
    "wrong",
    [{"card": "nowhere"}, {"second": "low_tide+nothing"}, {"players": "nobody"}, {"until": "soon"}, {"games": 0},
     {"games": "many"}, {"card": "--help"}, {"second": "-x"}],
)  # fmt: skip
def test_an_invalid_experiment_is_refused(wrong: dict[str, Any]) -> None:
    answer = Client().post("lab_begin", **{**ASKED, "second": "low_tide", "games": 5, "until": "", **wrong})
    assert answer.status == 400
    assert answer.data["error"]


@pytest.mark.parametrize("name", ["", "..", "../x", "nothing", "a/b"])
def test_unknown_experiments_are_refused(name: str) -> None:
    client = Client()
    assert client.get("lab_run", run=name).status == 400
    assert client.post("lab_part", run=name, game="../../x").status == 400
