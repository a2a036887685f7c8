"""Results on disk: after an interruption at any byte an experiment is resumed and ends with the same bytes."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.games.scenarios import load_card
from rulewright.lab.experiment import Experiment
from rulewright.lab.experiment_setup import parse_seatings, set_up, stacks_with_baseline
from rulewright.lab.results import Results
from rulewright.system.errors import UsageError
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.processes import WorkerPool, start_processes
from runtime.experiment.report import experiment_report
from runtime.experiment.result_lines import read_row, row_line
from runtime.experiment.stopping import WIDTH, StoppingRule
from runtime.experiment.summary import Summary
from tests.lab.bench import ALONE, race, silent
from tests.lab.killing import Kills, chain
from tests.sample import LONG, sampled

GAMES = 10


def play(
    experiment: Experiment, file: Path, games: int = GAMES, pool: WorkerPool = ALONE, until: StoppingRule | None = None
) -> Summary:
    with Results(file, experiment.heading()) as results:
        return experiment.run(games, pool, silent, until, results)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Summary]:
    """Return the results and the summary of an experiment without interruption."""
    file = tmp_path_factory.mktemp("whole") / "results"
    summary = play(race(both=True), file)
    return file.read_bytes(), summary


def test_reading_a_line_inverts_writing(whole: tuple[bytes, Summary]) -> None:
    _, *lines = whole[0].decode().splitlines()
    heading = race(both=True).heading()
    for number, line in enumerate(lines):
        row = read_row(line, number, heading)
        assert row is not None
        assert row_line(number, row, heading) == line
        assert read_row(line, number + 1, heading) is None
        assert read_row(line, number, race().heading()) is None
        assert read_row(line.replace('"turn":3', '"turn":4'), number, heading) is None
    assert len(lines) == GAMES


def test_a_game_that_broke_before_its_first_choice_is_read() -> None:
    """Numbers of zero are left out of a line."""
    heading, row = race().heading(), ((Outcome("x-0", fault="it broke"), Outcome("x-0", turn=3, choices=2)),)
    assert read_row(row_line(0, row, heading), 0, heading) == row


@sampled(1)
@pytest.mark.parametrize("card", ["before_the_tide", "before_winter", "first_snow", "winter_road"])
def test_results_of_shipped_games_are_read(card: str, tmp_path: Path) -> None:
    graph = load_card(card, None, packages=()).graph
    assert graph is not None
    stacks = stacks_with_baseline([(card, graph)])
    experiment = set_up(stacks, parse_seatings(stacks, ["greedy", "random"], swaps_sides=False), "1", None)
    play(experiment, tmp_path / "results", 4)
    _, *lines = (tmp_path / "results").read_text().splitlines()
    assert len(lines) == 4
    assert all(read_row(line, number, experiment.heading()) for number, line in enumerate(lines))


@LONG
def test_an_experiment_is_resumed_from_any_prefix(whole: tuple[bytes, Summary], tmp_path: Path) -> None:
    written, summary = whole
    ends = [number for number, byte in enumerate(written) if byte == ord("\n")]
    # An empty file, and cuts in the heading, around line ends and in lines; the kills of `tests.lab` test random bytes.
    cuts = {
        0,
        1,
        ends[0] // 2,
        *ends[::8],
        *(end + 1 for end in ends[::8]),
        *(end - 1 for end in ends[1::8]),
        len(written),
    }
    for cut in sorted(cuts):
        file = tmp_path / f"cut{cut}"
        file.write_bytes(written[:cut])
        assert play(race(both=True), file) == summary
        assert file.read_bytes() == written


@sampled(0)
def test_results_do_not_depend_on_workers_and_pauses(whole: tuple[bytes, Summary], tmp_path: Path) -> None:
    file = tmp_path / "results"
    play(race(both=True), file, 3)
    with start_processes(2) as two:
        assert play(race(both=True), file, GAMES, two) == whole[1]
    assert file.read_bytes() == whole[0]
    assert play(race(both=True), file, 4).games == 4
    assert file.read_bytes() == whole[0]


@sampled(0)
def test_no_game_is_played_after_a_stored_one_whose_budget_was_spent(
    whole: tuple[bytes, Summary], tmp_path: Path
) -> None:
    heading, *lines = whole[0].splitlines(keepends=True)
    last = read_row(lines[2], 2, race(both=True).heading())
    assert last is not None
    spent = replace(last[0][0], fault="too much", exhausted=True)
    file = tmp_path / "results"
    stored = b"".join(
        (
            heading,
            *lines[:2],
            f"{row_line(2, ((spent, *last[0][1:]), *last[1:]), race(both=True).heading())}\n".encode(),
        )
    )
    file.write_bytes(stored)
    summary = play(race(both=True), file)
    assert (summary.games, file.read_bytes()) == (3, stored)
    assert "no more games are played, now or when this is continued" in summary.faults[0].message


def test_the_stop_does_not_depend_on_pauses(tmp_path: Path) -> None:
    narrow = StoppingRule(WIDTH, 0.4)
    straight, paused = tmp_path / "straight", tmp_path / "paused"
    summary = play(race(), straight, 400, until=narrow)
    play(race(), paused, 30)
    assert play(race(), paused, 400, until=narrow) == summary
    assert paused.read_bytes() == straight.read_bytes()
    assert 20 <= summary.games < 400
    assert max(share.interval.high - share.interval.low for share in summary.differences[0].shares) <= 0.4


def test_results_of_another_experiment_are_refused_and_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "results"
    play(race(), file, 2)
    before = file.read_bytes()
    edited = race()
    stack = edited.stacks[1]
    older = replace(edited.heading(), engine="0.0.1 (abc)")
    with pytest.raises(UsageError, match=r"another engine \(.*, now \"0\.0\.1 \(abc\)\"\).*`--out` to begin anew"):
        Results(file, older)
    with pytest.raises(UsageError, match="other code of players"):
        Results(file, replace(edited.heading(), code=(("mine", "123"),)))
    with pytest.raises(UsageError, match=r"another `--heard` \(10, now 20\)"):
        Results(file, replace(edited.heading(), heard=20))
    with pytest.raises(UsageError, match=r"another `--steps` \(6000000, now 9\)"):
        Results(file, replace(edited.heading(), members=9))
    other_rules = replace(
        edited, stacks=(edited.stacks[0], replace(stack, graph=replace(stack.graph, aims=(), tables={}, rules={})))
    )
    renamed = replace(edited, stacks=(edited.stacks[0], replace(stack, name="racing")))
    for other, why in [
        (race(seed="y"), 'another seed ("x", now "y")'),
        (race(["random"]), "other players ("),
        (renamed, '"racing"'),
        (other_rules, "other rules, or the rules have been edited since"),
    ]:
        with pytest.raises(UsageError, match="holds other results") as refused:
            play(other, file)
        assert why in str(refused.value)
    shutil.copy(__file__, tmp_path / "other")
    with pytest.raises(UsageError, match="does not begin as results do"):
        play(race(), tmp_path / "other")
    assert (tmp_path / "other").read_bytes() == Path(__file__).read_bytes()
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "heading",
    ['{"experiment": 3}', '{"experiment": [{}]}', "[]", "null", "\udcff"],
)  # fmt: skip
def test_an_invalid_heading_is_refused(heading: str, tmp_path: Path) -> None:
    wanted = race().heading()
    file = tmp_path / "results"
    file.write_bytes(heading.replace("V", str(wanted.version)).encode(errors="surrogateescape") + b"\n")
    with pytest.raises(UsageError, match="holds other results: it does not begin as results do"):
        Results(file, wanted)


def test_a_damaged_line_is_reported_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "results"
    play(race(), file, 4)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b"{}\n", *lines[3:]]))
    with pytest.raises(UsageError, match=":3 is no result of game 1"):
        play(race(), file)


def test_an_invalid_byte_damages_its_line(tmp_path: Path) -> None:
    """A name with an invalid byte must not be read as another name."""
    file = tmp_path / "results"
    play(race(), file, 4)
    before = file.read_bytes()
    place = before.index(b'"used":[["') + len(b'"used":[["')
    file.write_bytes(before[:place] + b"\xff" + before[place + 1 :])
    with pytest.raises(UsageError, match="is no result of game"):
        play(race(), file)


def test_results_are_locked_by_one_process(tmp_path: Path) -> None:
    with Results(tmp_path / "results", race().heading()), pytest.raises(UsageError, match="somebody is writing"):
        Results(tmp_path / "results", race().heading())


@LONG
def test_a_killed_experiment_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Three kills of a real process; `python3 -m tests.lab kill` makes 200."""
    kills = Kills(tmp_path)
    chain(kills, "default", 3)
    assert kills.done == 3
    assert kills.differences == []


def test_the_report_is_the_same_after_a_pause(whole: tuple[bytes, Summary], tmp_path: Path) -> None:
    file = tmp_path / "results"
    file.write_bytes(whole[0][: len(whole[0]) // 2])
    assert experiment_report(play(race(both=True), file)) == experiment_report(whole[1])
