"""Results that people report, compared with those of an experiment: the test, the comparison, and the file."""

from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import pytest

from runtime.experiment.reported_results import OutcomeCount, compare_reported, fisher_p
from runtime.experiment.share_intervals import wilson_interval
from runtime.experiment.summary import Arm
from tests.commands.planting import say
from tests.sample import sampled


def exact(won: int, played: int, others: int, rest: int) -> Fraction:
    """Return the p-value of Fisher's test in exact arithmetic."""
    wins = won + others
    count_by_value = {
        k: comb(played, k) * comb(rest, wins - k) for k in range(max(0, wins - rest), min(played, wins) + 1)
    }
    return Fraction(
        sum(each for each in count_by_value.values() if each <= count_by_value[won]), comb(played + rest, wins)
    )


def test_fishers_test_is_exact() -> None:
    assert fisher_p((1, 10), (11, 14)) == pytest.approx(0.0027594561852200836)
    for played, rest in product((1, 2, 5, 9), (1, 3, 8, 30)):
        for won, others in product(range(played + 1), range(rest + 1)):
            assert fisher_p((won, played), (others, rest)) == pytest.approx(float(exact(won, played, others, rest)))


def test_fishers_test_handles_many_games() -> None:
    assert fisher_p((10, 20), (500_000, 1_000_000)) == pytest.approx(1.0)
    assert fisher_p((20, 20), (500_000, 1_000_000)) == pytest.approx(2 * 0.5**20, rel=1e-3)


def arm(rules: str, wins: int, n: int) -> Arm:
    won = (("north", wins), ("south", n - wins))
    return Arm(rules, "greedy", n, wins, 0, wilson_interval(wins, n), won, (), 0.0, 0.0, (), ())


def layers(stack: str) -> frozenset[str]:
    return frozenset(stack.split("+"))


def test_reported_games_are_compared_with_the_arms_of_their_rules() -> None:
    reported = [
        OutcomeCount("game+b+a", "north", "much", 6),
        OutcomeCount("game+b+a", "north", "", 2),
        OutcomeCount("game+a+b", "", "", 3),
        OutcomeCount("game+a+b", "south", "much", 1),
        OutcomeCount("game+c", "north", "", 50),
    ]
    arms = [arm("game", 5, 10), arm("game+a+b", 29, 90), arm("game+a+b", 60, 90)]
    first, souths, second, _ = compare_reported(arms, ["north", "south"], reported, layers)
    # The reported games of these rules, with options in any order, draws included.
    assert (first.won, first.n, dict(first.won_by)) == (8, 12, {"": 3, "north": 8, "south": 1})
    assert first.levels == (("much", 6),)
    assert first.estimate == pytest.approx(8 / 12 - 29 / 90)
    assert first.interval.low < first.estimate < first.interval.high
    assert second.estimate == 0.0
    # Games were drawn, so the wins of the other side are a comparison of their own.
    assert (souths.side, souths.won, souths.n, souths.wins) == ("south", 1, 12, 61)
    assert souths.levels == (("much", 1),)
    assert souths.is_difference_significant
    # All comparisons of two arms and two sides share the error of 5 percent.
    assert first.p == pytest.approx(float(exact(8, 12, 29, 90)))
    assert first.p_adjusted == pytest.approx(3 * first.p)  # In the order of Holm, after that of south.
    assert (first.p <= 0.05 < first.p_adjusted, first.is_difference_significant, second.is_difference_significant) == (
        True,
        False,
        False,
    )


def test_without_draws_one_of_two_sides_is_compared() -> None:
    reported = [OutcomeCount("game", "north", "", 6), OutcomeCount("game", "south", "", 2)]
    assert [one.side for one in compare_reported([arm("game", 5, 10)], ["north", "south"], reported, layers)] == [
        "north"
    ]
    three = compare_reported([arm("game", 5, 10)], ["east", "north", "south"], reported, layers)
    assert [one.side for one in three] == ["east", "north", "south"]


FILE = """\
reported: before_the_tide
games:
  - {rules: low_tide, won: north, level: a supper, games: 30, date: 2025-03, source: our club}
  - {rules: low_tide, won: south, source: our club}
  - {rules: low_tide+spring_tide, won: nobody, games: 2, source: a letter}
"""


def compare(tmp_path: Path, text: str, games: int = 4, *options: str) -> tuple[int, str]:
    (tmp_path / "results.yaml").write_text(text)
    reported = ["--reported", str(tmp_path / "results.yaml")]
    done = say(["compare", "before_the_tide", "-n", str(games), "-j", "1", *reported, *options])
    return done.code, done.out + done.err


def test_a_disagreement_with_reported_games_is_printed(tmp_path: Path) -> None:
    code, output = compare(tmp_path, FILE, 12)
    assert code == 0
    assert "30 of 31 reported games won by north, 96.8%" in output
    assert "THEY DISAGREE" in output
    assert "not compared: 2 reported under low_tide+spring_tide, which was not played" in output


VARIANT = "layer: spring_tide\ntitle: Spring Tide\nkind: variant\non: [low_tide]\n"
FLOOD = (
    'rule early-flood [house] "At a spring tide a 3 is enough."\n  rise is 1\n  exception to tide-rises\n  when d = 3\n'
)


@sampled(0)
def test_reported_rules_are_those_that_are_played_by_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "packages" / "spring_tide"
    folder.mkdir(parents=True)
    (folder / "layer.yaml").write_text(VARIANT)
    (folder / "tide.rules").write_text(FLOOD)
    text = FILE.replace("low_tide+spring_tide", "low_tide+spring_tied") + FILE.splitlines()[-1] + "\n"
    unknown = "; there is no layer `spring_tied` in reach: did you mean `spring_tide`?"
    for stack in ("spring_tide", f"{folder}", f"low_tide+{folder}"):
        words = ["--rules", stack, "--path", str(folder.parent), "--ablate", "early-flood"]
        code, output = compare(tmp_path, text, 2, *words)
        output = " ".join(output.split())
        assert code == 0
        assert f"{stack}: 0 of 2 reported games won by north" in output
        assert "without early-flood: 0 of 2" not in output
        assert "not compared: 31 reported under low_tide, which was not played not compared" in output
        assert f"not compared: 2 reported under low_tide+spring_tied, which was not played{unknown}" in output


def test_few_reported_games_show_no_disagreement(tmp_path: Path) -> None:
    code, output = compare(tmp_path, FILE.replace("games: 30", "games: 1"))
    assert code == 0
    assert "no disagreement as far as 2 reported games show" in output


def test_the_written_report_has_the_reported_games(tmp_path: Path) -> None:
    code, _ = compare(tmp_path, FILE, 4, "--report", str(tmp_path / "report"))
    assert code == 0
    for name in ("report.md", "report.html"):
        page = (tmp_path / "report" / name).read_text()
        assert "30 of 31 reported games won by north, 96.8%" in page
        assert "not compared: 2 reported under low_tide+spring_tide, which was not played" in page


def test_one_reported_game_has_singular_wording(tmp_path: Path) -> None:
    text = "reported: before_the_tide\ngames:\n  - {rules: low_tide, won: north, source: our club}\n"
    _, output = compare(tmp_path, text)
    assert "1 of 1 reported game won by north" in output
    assert "no disagreement as far as 1 reported game shows" in output


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (FILE[FILE.index("games:") :], "games: []\n", "but holds an empty list"),
        (FILE[FILE.index("games:") :], "", "this file of reported results lacks `games`"),
        ("before_the_tide", "hazel_ford", "has results of `hazel_ford`"),
        ("won: north", "won: nroth", "results.yaml:3: there is no side `nroth`; did you mean `north`?"),
        ("a supper", "a super", "results.yaml:3: there is no level `a super`; did you mean `a supper`?"),
        *(
            ("games: 30", f"games: {games}", f"this needs a number of games from 1 to 999999 but holds `{games}`")
            for games in ("0", "-3", "1.5", "1000000", "-1000000")
        ),
        *(("2025-03,", f"{date},", "a date such as") for date in ("spring", "2025-02-30", "2025-04-31", "2025-13")),
        ("won: south,", "won: nobody, level: a supper,", "results.yaml:4: a level is that of the winner, and `nobody`"),
        ("won: south, source: our club", "won: south", "lacks `source`"),
        ("won: south,", "won: south, winner: x,", "winner"),
        ("reported: before_the_tide", "title: x", "title"),
    ],
)
def test_an_invalid_file_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in FILE
    code, output = compare(tmp_path, FILE.replace(old, new, 1))
    assert code == 2
    assert message in " ".join(output.split())


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    done = say(["compare", "before_the_tide", "-n", "2", "--reported", str(tmp_path / "none.yaml")])
    assert (done.code, "there is no file" in done.err) == (2, True)


def ladder(tmp_path: Path, text: str) -> tuple[int, str]:
    (tmp_path / "results.yaml").write_text(text)
    words = ["ladder", "before_the_tide", "--players", "random,greedy", "-n", "20"]
    done = say([*words, "--reported", str(tmp_path / "results.yaml")])
    return done.code, done.out + done.err


def test_a_ladder_compares_its_games_with_reported_ones(tmp_path: Path) -> None:
    code, output = ladder(tmp_path, FILE)
    assert code == 0
    # Greedy wins on either side, so north wins one game of each pair.
    assert "30 of 31 reported games won by north, 96.8%" in output
    assert "random and greedy: 8 of 16, 50.0%" in output
    assert "the players of a pair are not of one strength" in " ".join(output.split())
    assert "THEY DISAGREE" in output
    assert "not compared: 2 reported under low_tide+spring_tide, which was not played" in output
    code, output = ladder(tmp_path, FILE.replace("games: 30", "games: 1"))
    assert (code, "THEY DISAGREE" in output) == (0, False)
    assert "no disagreement as far as 2 reported games show" in output


def test_a_ladder_refuses_an_invalid_file_before_it_plays(tmp_path: Path) -> None:
    code, output = ladder(tmp_path, FILE.replace("won: north", "won: nroth"))
    assert code == 2
    assert "there is no side `nroth`; did you mean `north`?" in " ".join(output.split())
    assert "stronger" not in output
