"""A ladder: each player plays the next, with exchanged sides, until the stronger one is decided."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.cli.ladder import _notes, rung_verdict
from rulewright.lab.results import stored_game_count
from rulewright.ladder_run import MARGIN, LadderStep
from runtime.experiment.duel import DuelResults
from runtime.experiment.game_outcome import Outcome

Capture = pytest.CaptureFixture[str]
TWO = ["ladder", "before_the_tide", "--players", "random,greedy", "--seed", "5", "--format", "json"]


def ladder_json(capsys: Capture, *words: str) -> dict[str, object]:
    assert run([*TWO, *words]) == 0
    [rung] = json.loads(capsys.readouterr().out)["rungs"]
    return dict(rung)


def test_a_ladder_stops_when_decided_with_either_engine(capsys: Capture) -> None:
    found = ladder_json(capsys, "-n", "40")
    assert (found["player"], found["before"], found["decided"]) == ("greedy", "random", True)
    assert isinstance(found["games"], int)
    assert found["games"] < 40
    assert ladder_json(capsys, "-n", "40", "--engine", "python") == found


def test_an_undecided_step_is_reported(capsys: Capture) -> None:
    found = ladder_json(capsys, "-n", "4")
    assert (found["games"], found["decided"]) == (4, False)
    assert run(["ladder", "before_the_tide", "--players", "greedy,greedy", "-n", "4"]) == 0
    assert "not settled in 4 games" in capsys.readouterr().out


def test_an_odd_limit_of_games_is_said_to_be_lowered(capsys: Capture) -> None:
    words = ["ladder", "before_the_tide", "--players", "greedy,greedy", "--format", "json", "-n"]
    assert run([*words, "4"]) == 0
    assert capsys.readouterr().err == ""
    assert run([*words, "5"]) == 0
    output, note = capsys.readouterr()
    assert [rung["games"] for rung in json.loads(output)["rungs"]] == [4]
    assert note == "-n 5: 4 games of each pair at most, since each seed is played from both sides\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["before_the_tide", "--players", "greedy"], "two players or more"),
        (["before_the_tide", "--players", "greedy,greadier"], "no player `greadier`"),
        (["before_the_tide", "--players", "random,greedy,"], "`random,greedy,` has no name before or behind a comma"),
        (["before_the_tide", "--players", "random,greedy", "--out", __file__], "; nothing was played"),
    ],
)
def test_an_invalid_ladder_is_refused(words: list[str], message: str, capsys: Capture) -> None:
    assert run(["ladder", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_file_without_games_is_not_said_to_keep_any(tmp_path: Path, capsys: Capture) -> None:
    words = ["ladder", "before_the_tide", "--players", "random,greedy,random", "-n", "2", "--out", str(tmp_path)]
    (tmp_path / "random-against-greedy.jsonl").mkdir()
    first = tmp_path / "greedy-against-random.jsonl"
    first.mkdir()
    assert run(words) == 2
    assert capsys.readouterr().err.endswith("; nothing was played\n")
    first.rmdir()
    assert run(words) == 2
    assert capsys.readouterr().err.endswith(f"; what was played is kept in {tmp_path}\n")
    heading, game = first.read_bytes().splitlines(keepends=True)
    for rest in (b"", game[:-1]):
        first.write_bytes(heading + rest)
        assert not stored_game_count(first)


def test_a_small_gain_ends_a_step_and_a_small_loss_is_needed_in_restricted_play() -> None:
    behind = DuelResults(better=200, worse=300, equal=1500)
    free = LadderStep("search:8", "search:4", blocks=behind, margin=MARGIN)
    blocks = DuelResults(better=123, worse=159, equal=918)
    barred = LadderStep("greedy without march", "greedy", blocks=blocks, is_restricted=True, margin=MARGIN)
    assert (free.is_gain_small, free.is_equivalent) == (True, False)
    assert rung_verdict(free) == "weaker"
    for rung, phrase in (
        (replace(free, blocks=DuelResults(better=123, worse=159, equal=918)), "gains less than 3 points"),
        (replace(free, blocks=DuelResults(better=3, worse=2, equal=900)), "differs by less than 3 points"),
        (replace(free, blocks=DuelResults(better=12, worse=10, equal=80), games=204), "not settled in 204 games"),
    ):
        assert rung_verdict(rung) == phrase
        assert rung.needs_games == phrase.startswith("not settled")
    assert barred.is_gain_small
    assert rung_verdict(replace(barred, games=400)) == "gains less than 3 points; its loss is not settled in 400 games"
    assert not barred.is_equivalent
    assert barred.needs_games


def test_an_action_without_which_no_game_is_played_is_not_measured() -> None:
    rung = LadderStep("greedy without play_card", "greedy", is_restricted=True, margin=MARGIN)
    for _ in range(2):
        rung.count_block([None, None], level=0)
    assert rung_verdict(rung) == "not measured: the rules broke in every game"
    rung.count_block([1.0, 0.0], level=0)
    assert rung_verdict(rung) == "not settled in 6 games"


def test_the_first_fault_is_told_and_why_no_more_are_played() -> None:
    game = Outcome("1-0", "", None, (), 3, 9, (), (), fault="R0555: too much")
    rung = LadderStep("greedy", "random", margin=MARGIN)
    rung.add([(game, "north"), (replace(game, seed="1-1", fault="R0555: other", exhausted=True), "south")])
    [note] = _notes([rung])
    assert note.startswith("in 2 games of greedy and random the rules broke")
    assert "no more were played, now or when this is continued" in note
    assert note.endswith("; the first: R0555: too much (seed 1-0)")


def test_a_block_is_won_by_the_player_with_the_higher_score() -> None:
    rung = LadderStep("a", "b", margin=MARGIN)
    for block in ([1.0, 1.0], [1.0, 0.5], [1.0, 0.0], [0.5, 0.5], [0.0, 0.5], [None, 1.0], [None, None]):
        rung.count_block(block, level=0)
    assert rung.blocks == DuelResults(better=2, worse=1, equal=2)
    assert (rung.games, rung.won, rung.lost, rung.drawn, rung.faults) == (14, 5, 2, 4, 3)


def test_no_jobs_is_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    @contextmanager
    def started(count: int, _: object) -> Iterator[None]:
        counts.append(count)
        yield None

    monkeypatch.setattr("runtime.experiment.processes.start_processes", started)
    monkeypatch.setattr("os.cpu_count", lambda: 7)
    monkeypatch.setattr("rulewright.ladder_run.LadderPlan.play_steps", lambda *_: iter(()))
    assert run(["ladder", "before_the_tide", "--jobs", "0"]) == 0
    assert counts == [7]
