"""Claims about all shares together: whether any side's wins change, and for which side players disagree."""

from collections.abc import Iterable
from itertools import chain, repeat

import pytest

from rulewright.lab.experiment_sentences import agreement_sentences
from runtime.experiment.agreement import AGREE, DIRECTION, SIZE
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.summary import Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.verdict import DRAWS, MORE, OPEN, OTHER, SOME, is_established, judge_differences, winner_finding

# The winners of both games of a pair, "" for a draw, and the number of such pairs.
Pairs = dict[tuple[str, str], int]
ALIKE: Pairs = {("north", "north"): 60, ("south", "south"): 60, ("", ""): 30}


def game(winner: str) -> Outcome:
    """Return the outcome of a game with this winner."""
    return Outcome("1", winner, None, (("north", 0), ("south", 0)), 3, 9, (), (), "")


def summary_of(*seatings: Pairs) -> Summary:
    """Return the summary of an experiment of two stacks from the pairs of each player."""
    tally = Tally(("old", "new"), (StackPair(0, 1),), "north", len(seatings))
    columns = [list(listed(pairs)) for pairs in seatings]
    for row in zip(*columns, strict=True):
        tally.add(tuple((game(first), game(second)) for first, second in row))
    return summarize_results(
        tally, [f"player {number}" for number in range(len(seatings))], ("north", "south"), stopped="", until=None
    )


def listed(pairs: Pairs) -> Iterable[tuple[str, str]]:
    """Yield pairs one by one."""
    return chain.from_iterable(repeat(pair, times) for pair, times in pairs.items())


def test_a_change_of_the_winner_may_be_established_without_that_of_any_share() -> None:
    """South loses six games to draws and wins two of north: no share alone, draws included, changes significantly."""
    summary = summary_of({("south", ""): 6, ("north", "south"): 2, **ALIKE})
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
def test_the_verdict_states_the_share_that_changes(pairs: Pairs, kind: str) -> None:
    summary = summary_of({**ALIKE, **pairs})
    assert winner_finding(summary.differences[0], summary) == kind


MANY: Pairs = {("south", ""): 30, ("north", "north"): 60, ("south", "south"): 30, ("", ""): 30}
REVERSED: Pairs = {("", "south"): 30, ("north", "north"): 60, ("south", "south"): 30, ("", ""): 30}
NONE: Pairs = {("north", "north"): 60, ("south", "south"): 60, ("", ""): 30}


def test_players_who_disagree_on_another_side_are_reported() -> None:
    """Both see no change for north; only one of them sees south win less."""
    summary = summary_of(MANY, NONE)
    kinds = {one.side: one.verdict for one in summary.agreements}
    assert kinds == {"north": AGREE, "south": SIZE, "": SIZE}
    lines = list(agreement_sentences(summary))
    assert any(
        "PLAYERS DISAGREE on how much it does, new instead of old, the wins of south: -20.0%" in x for x in lines
    )
    assert any("PLAYERS DISAGREE on how much it does, new instead of old, draws: +20.0%" in x for x in lines)


def test_players_with_opposite_effects_on_draws_are_reported() -> None:
    kinds = {one.side: one.verdict for one in summary_of(MANY, REVERSED).agreements}
    assert kinds == {"north": AGREE, "south": DIRECTION, "": DIRECTION}
    message = "\n".join(agreement_sentences(summary_of(MANY, REVERSED)))
    assert "on whether it makes them more or fewer, new instead of old, draws: " in message


def test_of_two_complementary_shares_one_is_reported() -> None:
    won: Pairs = {("south", "north"): 30, ("north", "north"): 60, ("south", "south"): 60}
    none: Pairs = {("north", "north"): 90, ("south", "south"): 60}
    (one,) = summary_of(won, none).agreements
    assert (one.side, one.verdict) == ("north", SIZE)
    assert one.difference.mean == pytest.approx(-0.2)
    assert one.difference.interval.high < 0
