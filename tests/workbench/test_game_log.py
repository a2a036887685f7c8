"""The log of a game: every move appears once, at its choice; cached entries equal new ones."""

import pytest

pytest.importorskip("starlette", reason="THE PAGE IS NOT TRIED: starlette is not installed")

from rulewright.serve.workbench.game_log import GameLog
from rulewright.serve.workbench.sessions import GameSession
from runtime.play.options import Decision
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
        decision = session.ask()
        assert isinstance(decision, Decision)
        if not session.undo_refusal(decision.side):
            session.undo(session.version)
            assert session.log("") == anew(session)
    session.finish_phase(session.version)
    assert session.log("") == anew(session)
