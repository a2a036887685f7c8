"""Format what an experiment found, in plain words that precede all numbers.

The input is a summary; the output is an `EffectVerdict` for each difference, and paragraphs: who wins more often and by
how much, whether the players used what is changed, who of two players is better, and what was looked at. A number that
looks like "no effect" is meaningless where the change was never used.
"""

from collections import defaultdict
from collections.abc import Iterator

from runtime.experiment.change_use import USED
from runtime.experiment.change_use_text import change_use_texts, unused_option
from runtime.experiment.differences import NOBODY, ArmDifference, SideDifference
from runtime.experiment.mean_interval import ConfidenceInterval, pairs_needed
from runtime.experiment.stopping import are_wins_same, points_text
from runtime.experiment.summary import Arm, DuelSummary, Summary
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import counted_noun, list_text

# What was found about who wins: the counted side does more often, or less; only another side does; more or fewer games
# are drawn, whoever loses or gains by it; only levels change; nothing changes, but for the margin; neither of these is
# established; nothing of what is changed was used.
MORE, LESS, OTHER, DRAWS, SAME, OPEN, UNTRIED = "more", "less", "other side", "draws", "same", "open", "untried"
LEVELS = "levels"
# Which of two players plays better, if either.
BETTER, WORSE = "better", "worse"

LOOK_ELSEWHERE = "; look at levels and losses, or take another situation or other players"


@frozen_dataclass
class EffectVerdict:
    """The finding on one difference, with its sentences."""

    rules: str
    than: str
    players: str
    finding: str
    lines: tuple[str, ...]


def unknown_sentences(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each difference of which nothing is known, as the rules broke in each pair of games."""
    for rules, than, players in summary.unknown:
        players_phrase = f" with {players}" if len(summary.seatings) > 1 else ""
        yield (
            f"{rules} instead of {than}{players_phrase}: nothing is known of who wins, as the rules broke in each of "
            f"{summary.games} pairs of games"
        )


def judge_differences(summary: Summary) -> tuple[EffectVerdict, ...]:
    """Return the verdicts on all differences."""
    return tuple(
        EffectVerdict(
            gap.rules, gap.than, gap.players, winner_finding(gap, summary), tuple(_verdict_sentences(gap, summary))
        )
        for gap in summary.differences
    )


def winner_finding(gap: ArmDifference, summary: Summary) -> str:
    """Return the finding on who wins, or on levels where none is established."""
    if gap.wins.is_established:
        return MORE if gap.wins.estimate > 0 else LESS
    if shares := gap.established_shares:
        return DRAWS if shares[0].side == NOBODY else OTHER
    if gap.lead.is_established:
        return LEVELS
    if gap.are_all_equal and _is_untried(gap):
        return UNTRIED
    return SAME if are_wins_same(gap, summary.margin) else OPEN


def _is_untried(gap: ArmDifference) -> bool:
    """Return whether no counted change was used, and no others exist."""
    return not gap.uncounted and all(change.use_state != USED for change in gap.tried)


def _verdict_sentences(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Return the finding, the use of the changes, and what prevents these games from showing more."""
    found, unused = winner_finding(gap, summary), unused_option(gap)
    clauses = [_finding_sentence(gap, summary), unused if found != UNTRIED else ""]
    yield f"{gap.rules} instead of {gap.than}{with_players(gap, summary)}: {'; '.join(filter(None, clauses))}"
    if left_out := summary.games - gap.pairs:
        yield (
            f"{left_out} of {summary.games} pairs are left out, as the rules broke in one of their games: nothing is "
            "known of who wins these"
        )
    yield from change_use_texts(gap, summary.counted_games_text)
    if gap.lead.is_established and found != LEVELS:
        yield _lead_sentence(gap, summary)
    if found != UNTRIED:
        yield from _extreme_win_rates(gap, summary)
    yield from _limits_of_games(gap, summary, found)


def _limits_of_games(gap: ArmDifference, summary: Summary, found: str) -> Iterator[str]:
    """Return why these games show no more, and how many would."""
    if gap.tried and _is_untried(gap) and not gap.are_all_equal:
        yield _unused_changes_explanation(summary)
    if found == OPEN and gap.are_all_equal and unused_option(gap):
        yield (
            "more games of these players would hardly show more, as they do not use what is changed; games of stronger "
            "players may (`--players search:8`)"
        )
    elif found in (OPEN, OTHER, DRAWS, LEVELS) and (sentence := _more_pairs_sentence(gap, summary.margin)):
        yield sentence
    if gap.are_all_equal:
        yield f"{_all_pairs_text(gap.equal_pairs)} of games are the same: winner, levels, turns and losses"


def _all_pairs_text(count: int) -> str:
    """Return the phrase for all pairs."""
    return "the only pair" if count == 1 else f"all {count} pairs"


def with_players(gap: ArmDifference, summary: Summary) -> str:
    """Return the phrase for the players, where there are several."""
    return f" with {gap.players}" if len(summary.seatings) > 1 else ""


def _finding_sentence(gap: ArmDifference, summary: Summary) -> str:
    """Return the finding as a sentence."""
    margin, games_text = points_text(summary.margin), summary.counted_games_text
    match winner_finding(gap, summary):
        case "more" | "less":
            return _established_text(gap)
        case "other side" | "draws":
            return f"{_established_text(gap)}; {_open_share_text(gap.wins)}"
        case "levels" if are_wins_same(gap, summary.margin):
            return f"{_lead_sentence(gap, summary)}; the wins of each side and draws change by less than {margin}"
        case "levels":
            return f"{_lead_sentence(gap, summary)}; {_open_share_text(gap.wins)}"
        case "same":
            return f"the wins of each side and draws change by less than {margin}, as these players play"
        case "untried" if not gap.tried:
            return "no game can differ, as nothing that games depend on is changed"
        case "untried":
            games_phrase = f" {games_text}" if games_text else ""
            return f"nothing that is changed was used{games_phrase}, so these games say nothing about it"
        case _:
            return f"it is open who wins more often; {_open_share_text(gap.wins)}"


def _established_text(gap: ArmDifference) -> str:
    """Return the established changes of shares; one that follows from that of the counted side is left out."""
    shares = gap.established_shares
    if gap.wins in shares:
        shares = [share for share in shares if not share.opposite]
    return list_text([f"{_share_change_text(share)}, by {_size_text(share)}" for share in shares])


def _share_change_text(share: SideDifference) -> str:
    """Return the direction in which a share changes."""
    if share.side == NOBODY:
        return f"{'more' if share.estimate > 0 else 'fewer'} games are drawn"
    return f"{share.side} wins {'more' if share.estimate > 0 else 'less'} often"


def _size_text(share: SideDifference) -> str:
    """Return the size of a significant change in points, with its interval."""
    least, most = sorted(abs(100 * end) for end in share.interval)
    return f"{abs(100 * share.estimate):.1f} points (significant; 95% interval {least:.1f} to {most:.1f})"


def _open_share_text(share: SideDifference) -> str:
    """Return the interval of a change of the share of wins that is not significant."""
    low, high = (100 * end for end in share.interval)
    return f"the change for {share.side} is not significant (95% interval {low:+.1f} to {high:+.1f} points)"


def _lead_sentence(gap: ArmDifference, summary: Summary) -> str:
    """Return the established change of the lead in levels."""
    before, after = gap.lead.means
    assert gap.lead.interval is not None
    least, most = sorted(map(abs, gap.lead.interval))
    return (
        f"the lead of {summary.side} in levels {'rises' if after > before else 'falls'} from {before:+.2f} to "
        f"{after:+.2f} a game, by {abs(gap.lead.change):.2f} (significant; 95% interval {least:.2f} to {most:.2f})"
    )


def _short_finding(gap: ArmDifference, summary: Summary) -> str:
    """Return the finding in a few words, with the side of which it is."""
    match winner_finding(gap, summary):
        case "more" | "less" | "other side" | "draws":
            return list_text(list(map(_share_change_text, gap.established_shares)))
        case "levels":
            return f"the lead of {summary.side} in levels {'rises' if gap.lead.change > 0 else 'falls'}"
        case "same":
            return "no difference that matters"
        case "untried":
            return "nothing that is changed was used"
        case _:
            return "open"


def _unused_changes_explanation(summary: Summary) -> str:
    """Explain how games can differ though no change was used."""
    later = ", or used it in later games" if summary.counted_games_text else ""
    return (
        "games differ all the same: players considered what is changed, or chose from another list of actions, which "
        "is not counted as use" + later
    )


def _extreme_win_rates(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Return where a side wins none or all of its games, so that wins cannot show the whole effect of a change."""
    compared = {(gap.than, gap.players), (gap.rules, gap.players)}
    ends = [arm for arm in summary.arms if (arm.rules, arm.players) in compared and arm.is_extreme]
    if len(ends) < 2 or ends[0].wins != ends[1].wins:
        yield from (f"{summary.side} wins {_extreme_share_text(arm)} under {arm.rules}" for arm in ends)
        return
    elsewhere = ", but in levels" if gap.lead.is_established else LOOK_ELSEWHERE
    yield (
        f"{summary.side} wins {_extreme_share_text(ends[0])} under both: what a change does to a side that "
        f"{'always' if ends[0].wins else 'never'} wins does not show in wins{elsewhere}"
    )


def _extreme_share_text(arm: Arm) -> str:
    """State that a side wins none or all of its games."""
    if arm.n == 1:
        return "the only game" if arm.wins else "no game"
    return f"all {arm.n} games" if arm.wins else f"none of {arm.n} games"


def _more_pairs_sentence(gap: ArmDifference, margin: float) -> str:
    """Return about how many pairs would settle the share that needs most of them; "" if all are settled."""
    open_shares = [share for share in gap.shares if not (share.is_established or share.interval.is_within(margin))]
    if not open_shares:
        return ""
    share = max(open_shares, key=lambda one: one.pairs.first + one.pairs.second)
    # Half a pair of each kind is added, as few pairs may show none.
    differing_share = (share.pairs.first + share.pairs.second + 1) / (share.pairs.n + 2)
    return f"{counted_noun(gap.pairs, 'pair')} were played; {_wanted_pairs_text(margin, differing_share, gap.error)}"


def _wanted_pairs_text(margin: float, differing_share: float, error: float) -> str:
    """Return about how many pairs show an effect of the margin, and that there is none."""
    for_effect = pairs_needed(-margin, differing_share, 0.0, error)
    for_none = pairs_needed(0.0, differing_share, margin, error)
    return (
        f"as often as pairs differ here, about {for_effect:,} would show a difference of {points_text(margin)}, and "
        f"about {for_none:,} that there is none"
    )


def verdict_reversals(summary: Summary) -> Iterator[str]:
    """Return a sentence for each difference of which the verdict is not the same with all players."""
    between: dict[tuple[str, str], list[ArmDifference]] = defaultdict(list)
    for gap in summary.differences:
        between[gap.rules, gap.than].append(gap)
    for (rules, than), gaps in between.items():
        if len({winner_finding(gap, summary) for gap in gaps}) > 1:
            said_by = "; ".join(f"with {gap.players} {_short_finding(gap, summary)}" for gap in gaps)
            yield f"the verdict on {rules} instead of {than} depends on the players: {said_by}"


def scope_sentence(summary: Summary) -> str:
    """Return what was looked at, how sure it is, and of what nothing is claimed."""
    parts = []
    if many := len(summary.differences):
        levels = ["the lead in levels"] if any(gap.lead.interval for gap in summary.differences) else []
        shares = ["the wins of each side", "draws"] if len(summary.sides) > 1 else ["wins"]
        pairs = counted_noun(max(gap.pairs for gap in summary.differences), "pair")
        differences = f" of each of {many} differences" if many > 1 else ""
        parts.append(f"{list_text([*shares, *levels])} in {pairs} of games{differences}")
    if summary.duels:
        parts.append(counted_noun(len(summary.duels), "duel"))
    return (
        f"looked at: {' and '.join(parts)}. The intervals hold at any time, and are corrected for several tests: at "
        "most one experiment of 20 has a wrong one. Losses and turns are means, of which nothing is claimed"
    )


# ---------------------------------------------------------------- players who exchange sides


def duel_finding(duel: DuelSummary, margin: float) -> str:
    """Return the finding: whether `player` plays better or worse, equally well up to the margin, or none of these."""
    if duel.interval.excludes_zero:
        return BETTER if duel.interval.low > 0 else WORSE
    return SAME if duel.interval.is_within(margin) else OPEN


def duel_sentences(duel: DuelSummary, summary: Summary) -> Iterator[str]:
    """Return who plays better, and what prevents these games from showing more."""
    stack_phrase = f" under {duel.rules}" if len(summary.stacks) > 1 else ""
    found = duel_finding(duel, summary.margin)
    yield f"{duel.player} against {duel.opponent}{stack_phrase}: {_duel_text(duel, found, summary.margin)}"
    games = 2 * duel.pairs.n
    if duel.always:
        yield (
            f"{duel.always} wins all {games} games, whoever plays it: the situation decides, and wins do not show who "
            "plays better; look at levels, or take another situation"
        )
    elif games in (duel.wins, duel.losses):
        winner = duel.player if duel.wins else duel.opponent
        yield f"{winner} wins all {games} games: by how much it is better does not show in wins; look at levels"
    if found == OPEN and not duel.always:
        differing_share = (duel.pairs.better + duel.pairs.worse + 1) / (duel.pairs.n + 2)
        pairs = counted_noun(duel.pairs.n, "pair")
        yield f"{pairs} were played; {_wanted_pairs_text(summary.margin, differing_share, duel.error)}"


def _duel_text(duel: DuelSummary, found: str, margin: float) -> str:
    if found in (BETTER, WORSE):
        name = duel.player if found == BETTER else duel.opponent
        ahead, behind = sorted((duel.pairs.better, duel.pairs.worse), reverse=True)
        return (
            f"{name} plays better (significant): it is ahead in {ahead} of {duel.pairs.n} pairs, and behind in {behind}"
        )
    if found == SAME:
        return f"neither is ahead in {points_text(margin)} more of the pairs than the other"
    return f"it is open who plays better (not significant; 95% interval {gain_text(duel.interval)} points)"


def gain_text(interval: ConfidenceInterval) -> str:
    """Format an interval of shares in points."""
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
