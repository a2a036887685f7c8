"""The log of a game: every move appears once, at its choice; cached entries equal new ones."""

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.workbench.game_log import GameLog, gather_lines
from rulewright.workbench.sessions import GameSession
from tests.workbench.client import Client

PHASES = 9


@pytest.fixture(scope="module")
def client() -> Client:
    return Client()


def begin_game(client: Client, card: str) -> GameSession:
    return client.sessions.begin(card, None, "human", "3")


def anew(session: GameSession) -> object:
    return GameLog().entries(session.playthrough, "", secret=False)


@pytest.mark.parametrize("card", ["hazel_ford", "before_the_tide", "first_snow"])
def test_cached_log_entries_equal_new_ones(card: str, client: Client) -> None:
    session = begin_game(client, card)
    for _ in range(PHASES):
        session.finish_phase(session.version)
        assert session.log("") == anew(session)
    for _ in range(3):
        if not session.undo_refusal(session.playthrough.state.player):
            session.undo(session.version)
            assert session.log("") == anew(session)
    session.finish_phase(session.version)
    assert session.log("") == anew(session)


def test_an_interrupted_move_is_logged_once_before_the_shots(client: Client) -> None:
    session = begin_game(client, "hazel_ford")
    for _ in range(PHASES):
        session.finish_phase(session.version)
    reports = [line for each in session.log("") for line in each.lines if each.turn == 1]
    interrupted = next(at for at, line in enumerate(reports) if "goes from" in line and " attacks " in reports[at + 1])
    start, end = reports[interrupted].partition(" from ")[2].partition(",")[0].split(" to ")
    assert f"a rifle in {end}" in reports[interrupted + 1]
    assert [line for line in reports if "rifle" in line and "goes" in line and f"{start} to {end}" in line] == [
        reports[interrupted]
    ]
    for each in session.log(""):
        moves = [line for line in each.lines if " goes " in line]
        assert len(moves) <= 1, each


def test_lines_about_several_pieces_are_merged() -> None:
    names = ["a-1", "a-2", "b-1"]
    assert gather_lines(["a-1 is dispersed", "a-2 is dispersed", "b-1 is tired"], names) == [
        "a-1 and a-2 are dispersed", "b-1 is tired",
    ]  # fmt: skip
    assert gather_lines(["a-1 has fired", "a-2 has fired", "b-1 has fired"], names) == ["a-1, a-2 and b-1 have fired"]
    plural_lines = gather_lines(["a-1 has fired", "a-1 rides b-1", "b-1 comes to A"], names, {"a-1"})
    assert plural_lines == ["a-1 have fired", "a-1 ride b-1", "b-1 comes to A"]
    assert gather_lines(["-- turn 2"], names) == ["-- turn 2"]
