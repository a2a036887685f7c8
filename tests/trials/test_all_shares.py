"""Claims about all shares at once: whether any side's wins change, and for which of them players disagree."""

from collections.abc import Iterable
from itertools import chain, repeat

import pytest

from rulewright.lab.sentences import agreement_sentences
from runtime.experiment.agreement import AGREE, DIRECTION, SIZE
from runtime.experiment.outcome import Outcome
from runtime.experiment.summary import Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.verdict import DRAWS, MORE, OPEN, OTHER, SOME, is_established, judge_differences, winner_finding

# Who won either game of a pair, "" for a draw, and how many pairs came out so.
Pairs = dict[tuple[str, str], int]
ALIKE: Pairs = {("north", "north"): 60, ("south", "south"): 60, ("", ""): 30}


def game(winner: str) -> Outcome:
    """Make the outcome of a game."""
    return Outcome("1", winner, None, (("north", 0), ("south", 0)), 3, 9, (), (), "")


def summed_up(*seatings: Pairs) -> Summary:
    """Sum up an experiment of two stacks with some players, each of whom has played so many pairs."""
    tally = Tally(("old", "new"), (StackPair(0, 1),), "north", len(seatings))
    columns = [list(listed(pairs)) for pairs in seatings]
    for row in zip(*columns, strict=True):
        tally.add(tuple((game(first), game(second)) for first, second in row))
    return summarize_results(tally, [f"player {number}" for number in range(len(seatings))], ("north", "south"))


def listed(pairs: Pairs) -> Iterable[tuple[str, str]]:
    """List pairs one by one."""
    return chain.from_iterable(repeat(pair, times) for pair, times in pairs.items())


def test_that_who_wins_changes_may_be_known_though_of_no_share_how() -> None:
    """South loses six games to draws and wins two of north: neither side, nor draws, is it shown of by itself."""
    summary = summed_up({("south", ""): 6, ("north", "south"): 2, **ALIKE})
    (gap,) = summary.differences
    assert not any(is_established(one, summary) for one in (gap, *gap.others, gap.draws) if one is not None)
    assert winner_finding(gap, summary) == SOME
    (verdict,) = judge_differences(summary)
    assert verdict.lines[0].startswith(
        "new instead of old: who wins changes, and it is no accident; whose wins, or how many draws, stays open"
    )


@pytest.mark.parametrize(
    ("pairs", "kind"),
    [
        ({("south", ""): 5, ("north", "south"): 2}, OPEN),
        ({("south", ""): 12}, OTHER),
        ({("south", ""): 6, ("north", ""): 6}, DRAWS),
        ({("south", "north"): 12, ("", ""): 1}, MORE),
    ],
)
def test_what_is_known_of_a_share_is_told_of_it(pairs: Pairs, kind: str) -> None:
    summary = summed_up({**ALIKE, **pairs})
    assert winner_finding(summary.differences[0], summary) == kind


MANY: Pairs = {("south", ""): 30, ("north", "north"): 60, ("south", "south"): 30, ("", ""): 30}
REVERSED: Pairs = {("", "south"): 30, ("north", "north"): 60, ("south", "south"): 30, ("", ""): 30}
NONE: Pairs = {("north", "north"): 60, ("south", "south"): 60, ("", ""): 30}


def test_players_who_part_on_another_side_are_told_apart() -> None:
    """Both see north win as often; only one of them sees south win less."""
    summary = summed_up(MANY, NONE)
    kinds = {one.side: one.verdict for one in summary.agreements}
    assert kinds == {"north": AGREE, "south": SIZE, "": SIZE}
    lines = list(agreement_sentences(summary))
    assert any(
        "PLAYERS DISAGREE on how much it does, new instead of old, the wins of south: -20.0%" in x for x in lines
    )
    assert any("PLAYERS DISAGREE on how much it does, new instead of old, draws: +20.0%" in x for x in lines)


def test_players_who_see_opposite_effects_on_draws_are_told_apart() -> None:
    kinds = {one.side: one.verdict for one in summed_up(MANY, REVERSED).agreements}
    assert kinds == {"north": AGREE, "south": DIRECTION, "": DIRECTION}
    message = "\n".join(agreement_sentences(summed_up(MANY, REVERSED)))
    assert "on whether it makes them more or fewer, new instead of old, draws: " in message


def test_of_two_shares_the_one_tells_the_other() -> None:
    won: Pairs = {("south", "north"): 30, ("north", "north"): 60, ("south", "south"): 60}
    none: Pairs = {("north", "north"): 90, ("south", "south"): 60}
    (one,) = summed_up(won, none).agreements
    assert (one.side, one.verdict) == ("north", SIZE)
    assert one.difference.mean == pytest.approx(-0.2)
    assert one.difference.interval.high < 0
