"""Format what an experiment found on two players who met on both sides.

The input is a summary and one of its duels; the output is the finding, and its sentences, which precede all numbers.
"""

from collections.abc import Iterator

from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import DuelSummary, Summary
from runtime.experiment.verdict import OPEN, SAME, pairs_wanted

# Which of the two plays better, if either.
BETTER, WORSE = "better", "worse"


def duel_finding(duel: DuelSummary, summary: Summary) -> str:
    """Return the finding: whether `who` plays better or worse, equally well up to the margin, or none of these."""
    p = duel.p_any_time_adjusted if summary.is_watched else duel.p_adjusted
    if p < ERROR:
        return BETTER if duel.better > duel.worse else WORSE
    return SAME if duel.p_same_adjusted <= ERROR else OPEN


def duel_sentences(duel: DuelSummary, summary: Summary) -> Iterator[str]:
    """Return who plays better, and what prevents these games from showing more."""
    stack_phrase = f" under {duel.rules}" if len(summary.stacks) > 1 else ""
    yield f"{duel.player} against {duel.opponent}{stack_phrase}: {_in_words(duel, summary)}"
    games = 2 * duel.pairs
    if duel.always:
        yield (
            f"  {duel.always} wins all {games} games, whoever plays it: "
            "the situation decides, and wins do not show who "
            "plays better; look at levels, or take another situation"
        )
    elif games in (duel.wins, duel.losses):
        winner = duel.player if duel.wins else duel.opponent
        yield f"  {winner} wins all {games} games: by how much it is better does not show in wins; look at levels"
    if duel_finding(duel, summary) == OPEN and not duel.always:
        seen = (duel.better - duel.worse) / duel.pairs
        sentence = pairs_wanted("an advantage", "come out one-sided", duel.pairs, seen, duel.needed, summary.margin)
        yield f"  {sentence}"


def duels_together(summary: Summary) -> str:
    """State that several duels were examined, and the consequence for the claims."""
    many = len(summary.duels)
    if many < 2:
        return ""
    return f"{many} duels are looked at together; what is called no accident allows for that"


def _in_words(duel: DuelSummary, summary: Summary) -> str:
    match duel_finding(duel, summary):
        case "better":
            return f"{duel.player} plays better, and it is no accident"
        case "worse":
            return f"{duel.opponent} plays better, and it is no accident"
        case "same":
            margin = points_text(summary.margin)
            return f"neither is better by {margin} or more in the share of pairs that come out one-sided"
        case _:
            return "it stays open who plays better"
