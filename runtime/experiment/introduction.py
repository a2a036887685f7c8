"""The sentences of an experiment before all numbers: on differences, on duels, and on both together."""

from collections.abc import Iterator

from runtime.experiment.duel_verdict import duel_sentences, duels_together
from runtime.experiment.summary import Summary
from runtime.experiment.verdict import judge_differences, multiple_comparisons, verdict_reversals


def first_words(summary: Summary) -> Iterator[tuple[str, ...]]:
    """Return the paragraphs that precede all numbers."""
    for each in judge_differences(summary):
        yield each.lines
    has_several_players = len({arm.players for arm in summary.arms}) > 1
    for rules, than, players in summary.unknown:
        players_phrase = f" with {players}" if has_several_players else ""
        yield (
            f"{rules} instead of {than}{players_phrase}: NOTHING IS KNOWN of who wins, as the rules broke in each of "
            f"{summary.games} pairs of games",
        )
    if turning := tuple(verdict_reversals(summary)):
        yield turning
    for duel in summary.duels:
        yield tuple(duel_sentences(duel, summary))
    together = tuple(filter(None, (multiple_comparisons(summary), duels_together(summary))))
    if together:
        yield together
