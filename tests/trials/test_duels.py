"""Duels of players who exchange sides: which seatings make a duel, and their results for a player on both sides."""

import pickle
from dataclasses import replace

from runtime.experiment.duel import Duel, DuelResults, DuelTally, list_duels
from runtime.experiment.leads import signed_level
from runtime.experiment.plan import ExperimentPlan
from runtime.experiment.processes import WorkerPool, play_range
from runtime.experiment.summary import DuelSummary, Summary, summarize_results
from runtime.experiment.tally import Tally
from runtime.experiment.verdict import duel_finding
from tests.lab.verdict_lines import verdict_paragraphs
from tests.toys.hares import BOG_BARS, hares

SIDES = {"red": "red", "blue": "blue"}
ONE = (("red", "greedy"), ("blue", "random"))
TURNED = (("red", "random"), ("blue", "greedy"))
ALIKE = (("red", "greedy"), ("blue", "greedy"))


def test_only_exchanged_seatings_make_a_duel() -> None:
    assert list_duels((ONE, ALIKE, TURNED)) == (Duel("greedy", "random", 0, "red", 2, "blue"),)
    assert not list_duels((ONE, ALIKE))
    assert not list_duels((ALIKE, ALIKE))


def test_both_games_of_a_seed_are_counted_for_the_same_player() -> None:
    stacks = (hares(), hares(BOG_BARS))
    played = list(
        play_range(
            WorkerPool(None, 1),
            ExperimentPlan(tuple(map(pickle.dumps, stacks)), (ONE, TURNED), "x", counted_games=0),
            0,
            8,
        )
    )
    tally = Tally(("old", "new"), (), "red", 2, list_duels((ONE, TURNED)))
    for row in played:
        tally.add(row)
    old, new = summarize_results(tally, ["a", "b"], SIDES, stopped="", until=None).duels
    assert (old.rules, new.rules, old.player, old.opponent) == ("old", "new", "greedy", "random")
    levels = [(signed_level(red[0], "red"), signed_level(blue[0], "blue")) for red, blue in played]
    assert old.wins == sum(level > 0 for pair in levels for level in pair)
    assert old.level == sum(map(sum, levels)) / 16
    assert old.pairs.n == 8
    assert old.wins + old.losses + old.draws == 16
    assert any(here != there for here, there in levels)


def test_the_report_of_duels_has_verdicts_with_reasons() -> None:
    better, decided, unknown, scope = sentences_of([(1, 1)] * 12, [(1, -1)] * 12, [(1, 0), (1, 0), (0, -1)])
    assert better == (
        "a against b under old: a plays better; a is ahead in 12 of 12 pairs and behind in none (+100.0 percentage "
        "points, 95% interval +18.6 to +100.0)",
        "significant; the 95% interval holds at any time and is corrected for 3 tests",
        "next: another situation tells whether it depends on this one",
    )
    assert decided[0] == "a against b under new: no room to differ: red wins all 24 games, whoever plays it"
    assert decided[1].startswith("not known: ")
    assert unknown[0].startswith("a against b under newer: it is open who plays better; a is ahead in ")
    assert unknown[1].startswith("not significant; ")
    assert unknown[2].startswith("next: about ")
    assert scope[0].startswith("looked at: who is ahead in ")


def test_duels_share_the_error_of_an_experiment() -> None:
    (alone,) = duels_of([(1, 1)] * 9 + [(-1, -1)])
    one, other = duels_of([(1, 1)] * 9 + [(-1, -1)], [(1, -1)] * 10)
    assert one.error == other.error == alone.error / 2
    assert one.interval.low < alone.interval.low < alone.interval.high < one.interval.high
    assert alone.interval == alone.pairs.gain_interval()


def test_equal_players_are_reported_equal_after_enough_pairs() -> None:
    summary = summed([(1, 1), (-1, -1)] * 5 + [(1, -1)] * 900)
    assert duel_finding(summary.duels[0], summary.margin) == "same"
    assert not summary.duels[0].always


def summed(*games: list[tuple[int, int]]) -> Summary:
    """Return the summary of duels with these levels, one under each stack."""
    names = ("old", "new", "newer")[: len(games)]
    tally = Tally(names, (), "red", 2, list_duels((ONE, TURNED)))
    for bout, pairs in zip(tally.bouts[0], games, strict=True):
        for pair in pairs:
            bout.add(*pair)
    found = summarize_results(tally, ["x", "y"], SIDES, stopped="", until=None)
    return replace(found, duels=tuple(replace(one, player="a", opponent="b") for one in found.duels))


def duels_of(*games: list[tuple[int, int]]) -> tuple[DuelSummary, ...]:
    return summed(*games).duels


def sentences_of(*games: list[tuple[int, int]]) -> list[tuple[str, ...]]:
    return list(verdict_paragraphs(summed(*games)))


def test_a_pair_with_a_win_of_each_player_counts_as_equal() -> None:
    bout = DuelTally()
    for here, there in ((1, -1), (2, -1), (0, 0), (-1, 0), (1, 1)):
        bout.add(here, there)
    assert (bout.wins, bout.losses, bout.draws) == (4, 3, 3)
    assert bout.pairs == DuelResults(better=2, worse=1, equal=2)
