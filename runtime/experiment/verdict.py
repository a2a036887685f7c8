"""Format what an experiment found: a verdict of three sentences, and what explains it.

The input is a summary; the output is a `VerdictRecord` for each difference: the effect with its interval, how sure it
is, and what would tell more. A number that looks like "no effect" is meaningless where the change was never used, or
where nearly all games have one winner: then that is the first sentence.
"""

from collections import defaultdict
from collections.abc import Iterator

from runtime.experiment.change_use import USED
from runtime.experiment.change_use_text import change_use_texts, unused_option
from runtime.experiment.differences import NOBODY, ArmDifference, SideDifference
from runtime.experiment.mean_interval import ERROR, POWER, ConfidenceInterval, pairs_needed
from runtime.experiment.stopping import LOOK, are_wins_same, points_text
from runtime.experiment.summary import DuelSummary, Summary
from runtime.graph.english import agreeing_verb
from runtime.graph.records.measuring import VerdictRecord
from runtime.graph.words import counted_noun, list_text

# What was found about who wins: the counted side does more often, or less; only another side does; more or fewer games
# are drawn, whoever loses or gains by it; only levels change; nothing changes, but for the margin; neither of these is
# established; nothing of what is changed was used.
MORE, LESS, OTHER, DRAWS, SAME, OPEN, UNTRIED = "more", "less", "other side", "draws", "same", "open", "untried"
LEVELS = "levels"
# Which of two players plays better, if either.
BETTER, WORSE = "better", "worse"

# The findings that claim no effect, so that what prevents one precedes them.
_NO_EFFECT = frozenset({SAME, OPEN, UNTRIED})


def unknown_sentences(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each difference of which nothing is known, as the rules broke in each pair of games."""
    for rules, than, players in summary.unknown:
        players_phrase = f" with {players}" if len(summary.seatings) > 1 else ""
        yield (
            f"{rules} instead of {than}{players_phrase}: nothing is known of who wins, as the rules broke in each of "
            f"{summary.games} pairs of games"
        )


def judge_differences(summary: Summary) -> list[VerdictRecord]:
    """Return the verdicts on all differences."""
    return [_judge_difference(gap, summary) for gap in summary.differences]


def _judge_difference(gap: ArmDifference, summary: Summary) -> VerdictRecord:
    found = winner_finding(gap, summary)
    verdict: VerdictRecord = {
        "rules": gap.rules,
        "than": gap.than,
        "players": gap.players,
        "finding": found,
        "says": [
            f"{gap.rules} instead of {gap.than}{_with_players(gap, summary)}: {_effect_text(gap, found, summary)}",
            _certainty_sentence(gap, found, summary),
            f"next: {_next_step_text(gap, found, summary)}",
        ],
        "details": list(_details(gap, found, summary)),
    }
    if gap.turned_seeds and found != OPEN and not any(_obstacles(gap, found, summary)):
        verdict["seed"] = gap.turned_seeds[0]
    return verdict


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


def _with_players(gap: ArmDifference, summary: Summary) -> str:
    """Return the phrase for the players, where there are several."""
    return f" with {gap.players}" if len(summary.seatings) > 1 else ""


def _effect_text(gap: ArmDifference, found: str, summary: Summary) -> str:
    """Return the effect with its interval; where none is shown, first what prevents these games from showing one."""
    if any(obstacles := _obstacles(gap, found, summary)):
        return "; ".join(filter(None, obstacles))
    if found == LEVELS:
        effect = _lead_sentence(gap)
    elif found in _NO_EFFECT:
        effect = _no_effect_text(gap, found, summary.margin)
    else:
        first, *others = _stated_shares(gap, found)
        changes = list_text(list(map(_share_change_text, others)))
        effect = f"{_share_text(first)}; {changes}" if changes else _share_text(first)
    unused = unused_option(gap, summary.counted_games_text)
    return f"{effect}; {unused}" if unused else effect


def _no_effect_text(gap: ArmDifference, found: str, margin: float) -> str:
    """Return that no difference is shown, or none of the margin, with the share that changes most."""
    sentences = {SAME: f"no difference of {points_text(margin)} or more in wins or draws"}
    if gap.are_all_equal:
        interval = f"(95% interval {_gain_text(gap.wins.interval)} percentage points)"
        return f"{sentences.get(found, 'no difference was found')}; {_equal_pairs_text(gap)} {interval}"
    (share,) = _stated_shares(gap, found)
    return f"{sentences.get(found, 'it is open who wins more often')}; {_share_text(share)}"


def _equal_pairs_text(gap: ArmDifference) -> str:
    pairs = "the only pair of games has" if gap.pairs == 1 else f"all {gap.pairs} pairs of games have"
    return f"{pairs} the same winner, levels, turns and losses"


def _stated_shares(gap: ArmDifference, found: str) -> list[SideDifference]:
    """Return the shares of the first sentence: those that are established, or else the one that changes most.

    One that follows from that of the counted side is left out.
    """
    if found == LEVELS:
        return []
    shares = gap.established_shares or [max(gap.shares, key=lambda share: abs(share.estimate))]
    return [share for share in shares if not share.opposite] if gap.wins in shares else shares


def _obstacles(gap: ArmDifference, found: str, summary: Summary) -> tuple[str, str]:
    """Return why these games show no effect: players did not use what is changed, and nearly all games are alike.

    Both are "" where an effect is shown.
    """
    if found not in _NO_EFFECT:
        return "", ""
    if found == UNTRIED and not gap.tried:
        return "no game can differ, as nothing that games depend on is changed", ""
    unused = unused_option(gap, summary.counted_games_text)
    if found == UNTRIED and not unused:
        unused = f"nothing that is changed was used {summary.counted_games_text}".rstrip()
    # Of fewer games all may have one winner by chance.
    least = max(LOOK, (1 - summary.margin) * gap.pairs)
    one_sided = [f"no room to differ: {_games_text(share)}" for share in gap.shares if min(_counts(share)) >= least]
    return unused, next(iter(one_sided), "")


def _counts(share: SideDifference) -> tuple[int, int]:
    """Return the number of games of a share under the earlier rules, and under the later ones."""
    pairs = share.pairs
    return pairs.both + pairs.first, pairs.both + pairs.second


def _games_text(share: SideDifference) -> str:
    """Return which games a side wins under both rules, or are drawn, if nearly all of them do."""
    n, fewest = share.pairs.n, min(_counts(share))
    games = f"all {n} games" if fewest == n else f"at least {fewest} of {n} games"
    return f"{_wins_text(share)} {games} under both rules" if share.side else f"{games} are drawn under both rules"


def _share_text(share: SideDifference) -> str:
    """Return the change of a share of games with its interval, and its direction where that is established."""
    before, after = _counts(share)
    counted = f"{after or 'none'} of {counted_noun(share.pairs.n, 'game')}"
    games = f"{_wins_text(share)} {counted}" if share.side else f"{counted} {'is' if after == 1 else 'are'} drawn"
    if share.is_established:
        games = f"{_share_change_text(share)}, {counted}"
    baseline = "under both" if before == after else f"instead of {before or 'none'}"
    size = f"{100 * share.estimate:+.1f} percentage points, 95% interval {_gain_text(share.interval)}"
    return f"{games} {baseline} ({size})"


def _certainty_sentence(gap: ArmDifference, found: str, summary: Summary) -> str:
    """Return how sure the effect is, and which pairs are left out."""
    if found == UNTRIED and not gap.tried:
        return "certain: it follows from the rules"
    sentence = _sureness_text(found, summary.margin, gap.error, is_small=are_wins_same(gap, summary.margin))
    if any(_obstacles(gap, found, summary)):
        sentence = "not known: these games show neither that the change matters nor that it does not"
    left_out = summary.games - gap.pairs
    note = f"; {left_out} of {summary.games} pairs are left out, as the rules broke in one of their games"
    return sentence + (note if left_out else "")


def _sureness_text(found: str, margin: float, error: float, *, is_small: bool = False) -> str:
    """Return whether a finding is significant, when its interval holds, and for how many tests it is corrected."""
    tests = round(ERROR / error)
    significant = f"significant, but smaller than {points_text(margin)}" if is_small else "significant"
    sureness = {SAME: f"shown to be within {points_text(margin)}", OPEN: "not significant"}.get(found, significant)
    corrected = f" and is corrected for {tests} tests" if tests > 1 else ""
    return f"{sureness}; the 95% interval holds at any time{corrected}"


def _next_step_text(gap: ArmDifference, found: str, summary: Summary) -> str:
    """Return what would tell more: another situation, other players, more games, or a game that the rules turn."""
    searching = "`--players search:16`" if "search" in gap.players else "`--players search:8`"
    unused, no_room = _obstacles(gap, found, summary)
    if found == UNTRIED and not gap.tried:
        return "change a rule, an action or a number that play asks for"
    if no_room:
        return f"another situation or other players ({searching}) would tell"
    if unused:
        users = f"players that use it ({searching}), or " if unused_option(gap, "") else ""
        return f"{users}another situation, where it comes into use; more games like these hardly help"
    if found == OPEN:
        return _more_pairs_text(gap, summary.margin)
    if gap.turned_seeds:
        return f"look at a game that has another winner: seed {list_text(gap.turned_seeds, 'or')}"
    return f"other players ({searching}) tell whether it depends on them"


def _details(gap: ArmDifference, found: str, summary: Summary) -> Iterator[str]:
    """Yield the use of the changes, the other shares and levels, and what explains equal games."""
    yield from change_use_texts(gap, summary.counted_games_text)
    # Of the first sentence one share has its size.
    stated = [] if any(_obstacles(gap, found, summary)) else _stated_shares(gap, found)[:1]
    yield from (_share_text(share) for share in gap.shares if not (share in stated or share.opposite))
    if found != LEVELS and gap.lead.is_established:
        yield _lead_sentence(gap)
    if gap.are_all_equal:
        if any(_obstacles(gap, found, summary)):
            yield _equal_pairs_text(gap)
    elif gap.tried and _is_untried(gap):
        yield (
            "games differ all the same: players considered what is changed, or chose from another list of actions, "
            "which is not counted as use" + (", or used it later" if summary.counted_games_text else "")
        )


def _lead_sentence(gap: ArmDifference) -> str:
    """Return the established change of the lead in levels."""
    before, after = gap.lead.means
    assert gap.lead.interval is not None
    low, high = gap.lead.interval
    return (
        f"the lead of {gap.wins.title} in levels {'rises' if after > before else 'falls'} from {before:+.2f} to "
        f"{after:+.2f} a game (95% interval of the change {low:+.2f} to {high:+.2f})"
    )


def _share_change_text(share: SideDifference) -> str:
    """Return the direction in which a share changes."""
    if share.side == NOBODY:
        return f"{'more' if share.estimate > 0 else 'fewer'} games are drawn"
    return f"{_wins_text(share)} {'more' if share.estimate > 0 else 'less'} often"


def _wins_text(share: SideDifference) -> str:
    """Return a side as the subject of "wins"."""
    return f"{share.title} {agreeing_verb(share.title, 'wins')}"


def _more_pairs_text(gap: ArmDifference, margin: float) -> str:
    """Return about how many games would settle the share that needs most of them."""
    open_shares = [share for share in gap.shares if not share.interval.is_within(margin)]
    share = max(open_shares, key=lambda one: one.pairs.first + one.pairs.second)
    differing = share.pairs.first + share.pairs.second
    text = _wanted_games_text(margin, differing, gap.pairs, gap.error)
    largest = max(gap.shares, key=lambda one: abs(one.estimate))
    wanted = pairs_needed(-abs(largest.estimate), largest.differing_share, 0.0, gap.error)
    if abs(largest.estimate) > margin and wanted > gap.pairs:
        return f"about {wanted:,} games (`-n {wanted}`) show a difference as large as this one; {text}"
    return text


def _wanted_games_text(margin: float, differing: int, pairs: int, error: float) -> str:
    """Return about how many games show an effect of the margin or that there is none; more than were played."""
    # Half a pair of each kind is added, as few pairs may show none.
    differing_share = (differing + 1) / (pairs + 2)
    wanted = max(pairs_needed(-margin, differing_share, 0.0, error), pairs_needed(0.0, differing_share, margin, error))
    if wanted > pairs:
        return (
            f"about {wanted:,} games (`-n {wanted}`) show in {POWER:.0%} of all experiments a difference of "
            f"{points_text(margin)}, or that there is none"
        )
    return f"four times as many games (`-n {4 * pairs}`) halve the interval"


def verdict_reversals(summary: Summary) -> Iterator[str]:
    """Return a sentence for each difference of which the verdict is not the same with all players."""
    between: dict[tuple[str, str], list[ArmDifference]] = defaultdict(list)
    for gap in summary.differences:
        between[gap.rules, gap.than].append(gap)
    for (rules, than), gaps in between.items():
        if len({winner_finding(gap, summary) for gap in gaps}) > 1:
            said_by = "; ".join(f"with {gap.players} {_shown_text(gap)}" for gap in gaps)
            yield f"what is shown of {rules} instead of {than} depends on the players: {said_by}"


def _shown_text(gap: ArmDifference) -> str:
    """Return what is established of a difference, without sizes."""
    changes = list(map(_share_change_text, gap.established_shares))
    return list_text(changes) or ("the lead in levels changes" if gap.lead.is_established else "nothing")


def scope_sentence(summary: Summary) -> str:
    """Return what was looked at, and of what nothing is claimed."""
    subjects = []
    if summary.differences:
        subjects += ["the wins of each side", "draws"] if len(summary.sides) > 1 else ["wins"]
    if any(gap.lead.interval for gap in summary.differences):
        subjects.append("the lead in levels")
    if summary.duels:
        subjects.append("who is ahead")
    return (
        f"looked at: {list_text(subjects)} in {counted_noun(summary.games, 'pair')} of games. At most one experiment "
        "of 20 has a wrong interval. Losses and turns are means, of which nothing is claimed"
    )


# ---------------------------------------------------------------- players who exchange sides


def duel_finding(duel: DuelSummary, margin: float) -> str:
    """Return the finding: whether `player` plays better or worse, equally well up to the margin, or none of these."""
    if duel.interval.excludes_zero:
        return BETTER if duel.interval.low > 0 else WORSE
    return SAME if duel.interval.is_within(margin) else OPEN


def duel_sentences(duel: DuelSummary, summary: Summary) -> Iterator[str]:
    """Yield who plays better, how sure that is, and what would tell more."""
    stack_phrase = f" under {duel.rules}" if len(summary.stacks) > 1 else ""
    found = duel_finding(duel, summary.margin)
    yield f"{duel.player} against {duel.opponent}{stack_phrase}: {_duel_text(duel, found, summary)}"
    yield (
        "not known: wins do not show who plays better where the situation decides"
        if duel.always
        else _sureness_text(found, summary.margin, duel.error)
    )
    if found == OPEN and not duel.always:
        pairs = duel.pairs
        yield f"next: {_wanted_games_text(summary.margin, pairs.better + pairs.worse, pairs.n, duel.error)}"
    else:
        question = "which of them plays better" if duel.always else "whether it depends on this one"
        yield f"next: another situation tells {question}"


def _duel_text(duel: DuelSummary, found: str, summary: Summary) -> str:
    """Return who plays better, with the interval; first whether the situation leaves no room for it."""
    pairs = duel.pairs
    if duel.always:
        winner = summary.sides[duel.always]
        return f"no room to differ: {winner} {agreeing_verb(winner, 'wins')} all {2 * pairs.n} games, whoever plays it"
    better = duel.opponent if found == WORSE else duel.player
    text = {
        SAME: f"neither is ahead in {points_text(summary.margin)} more of the pairs than the other",
        OPEN: "it is open who plays better",
    }.get(found, f"{better} plays better")
    ahead, behind = (pairs.worse, pairs.better) if found == WORSE else (pairs.better, pairs.worse)
    return (
        f"{text}; {better} is ahead in {ahead or 'none'} of {counted_noun(pairs.n, 'pair')} and behind in "
        f"{behind or 'none'} ({100 * pairs.gain:+.1f} percentage points, 95% interval {_gain_text(duel.interval)})"
    )


def _gain_text(interval: ConfidenceInterval) -> str:
    """Format an interval of shares in points."""
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
