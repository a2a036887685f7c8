"""Format what an experiment found, and whether its players have tried what it is about.

The input is a summary; the output is an `EffectVerdict` for each difference, and one more where it depends on the
player. The sentences precede all numbers, as a number that looks like "no effect" is meaningless where the change was
never used.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runtime.experiment.change_use import USED
from runtime.experiment.change_use_text import change_use_texts, unused_option
from runtime.experiment.leads import LeadDifference
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.side_difference import NOBODY, SideDifference, p_of_any_change
from runtime.experiment.stopping import points_text
from runtime.experiment.summary import Arm, ArmDifference, Summary, shares_of_difference
from runtime.graph.words import list_text

# What was found about who wins: the counted side does more often, or less; only another side does; more or fewer games
# are drawn, whoever loses or gains by it; who wins changes, of which share is not known; levels change, and of who wins
# no change is established; nothing changes, but for the margin; neither of these is established; nothing of what is
# changed was used.
MORE, LESS, OTHER, DRAWS, SAME, OPEN, UNTRIED = "more", "less", "other side", "draws", "same", "open", "untried"
SOME, LEVELS = "some share", "levels"

LOOK_ELSEWHERE = "; look at levels and losses, or take another situation or other players"


@dataclass(frozen=True, slots=True)
class EffectVerdict:
    """The finding on one difference, with its sentences."""

    rules: str
    than: str
    players: str
    finding: str
    lines: tuple[str, ...]


def judge_differences(summary: Summary) -> tuple[EffectVerdict, ...]:
    """Return the verdicts on all differences."""
    return tuple(
        EffectVerdict(
            gap.rules, gap.than, gap.players, winner_finding(gap, summary), tuple(verdict_sentences(gap, summary))
        )
        for gap in summary.differences
    )


def is_established(share: SideDifference, summary: Summary) -> bool:
    """Return whether it is established that a share changes: interval and exact test agree on it.

    The test allows for all shares of all differences that are examined, and for the claims that they are the same. If
    results were observed before the last game, and could have stopped it, the evidence must allow for that, too, even
    if they never did.
    """
    if summary.is_watched:
        return share.is_decided
    return share.p_adjusted < ERROR and not share.interval.low <= 0 <= share.interval.high


def established_leads(gap: ArmDifference, summary: Summary) -> list[LeadDifference]:
    """Return the leads in levels of which it is established that they change: interval and test agree on it.

    The tests allow for all claims about who wins and about levels.
    """
    return [lead for lead in gap.leads if _is_lead_established(lead, summary)]


def _is_lead_established(lead: LeadDifference, summary: Summary) -> bool:
    test, interval = lead.test, lead.change.interval
    if test is None or interval.low <= 0 <= interval.high:
        return False
    return test.p_any_time_adjusted <= ERROR if summary.is_watched else test.p_adjusted < ERROR


def winner_finding(gap: ArmDifference, summary: Summary) -> str:
    """Return the finding on who wins, or on levels where none is established."""
    if is_established(gap, summary):
        return MORE if gap.estimate > 0 else LESS
    if any(is_established(share, summary) for share in gap.others):
        return OTHER
    if gap.draws and is_established(gap.draws, summary):
        return DRAWS
    if some_share_changes(gap, summary):
        return SOME
    if established_leads(gap, summary):
        return LEVELS
    if gap.equal_pairs == gap.pairs.n and is_untried(gap):
        return UNTRIED
    return SAME if _is_same(gap) else OPEN


def _is_same(gap: ArmDifference) -> bool:
    """Return whether it is established that all shares change by less than the margin."""
    return all(share.is_equivalent for share in shares_of_difference(gap))


def some_share_changes(gap: ArmDifference, summary: Summary) -> bool:
    """Return whether it is established that who wins changes, be it of no share by itself.

    That no share changes is one hypothesis of those that are tested together, and falls first.
    """
    shares = shares_of_difference(gap)  # Of two, the one tells the other.
    p = p_of_any_change(shares, gap.level_test, by_evidence=summary.is_watched)
    return len(shares) > 2 and p * len(summary.differences) < ERROR


def is_untried(gap: ArmDifference) -> bool:
    """Return whether no counted change was used, and no others exist."""
    return not gap.uncounted and all(change.use_state != USED for change in gap.tried)


def verdict_sentences(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Return the finding, the use of the changes, and what prevents these games from showing more."""
    found, unused = winner_finding(gap, summary), unused_option(gap)
    compared = f"{gap.rules} instead of {gap.than}{with_players(gap, summary)}: "
    yield compared + "; ".join(filter(None, (finding_sentence(gap, summary), unused if found != UNTRIED else "")))
    if left_out := summary.games - gap.pairs.n:
        yield (
            f"  {left_out} of {summary.games} pairs are left out, as the rules broke in one of their games: nothing is "
            "known of who wins these"
        )
    yield from (f"  {line}" for line in change_use_texts(gap, summary.counted_games_text))
    if gap.tried and is_untried(gap) and gap.equal_pairs < gap.pairs.n:
        yield f"  {unused_changes_explanation(summary)}"
    if established_leads(gap, summary) and found != LEVELS:
        yield f"  {level_sentence(gap, summary)}"
    yield from (f"  {line}" for line in length_sentences(gap, summary))
    if found != UNTRIED:
        yield from (f"  {line}" for line in extreme_win_rates(gap, summary))
    if found in (MORE, LESS):
        yield from (f"  {line}" for line in sides_without_loss(gap, summary))
    are_equal = gap.equal_pairs == gap.pairs.n
    if found == OPEN and are_equal and unused:
        yield (
            "  more games of these players would hardly tell: what is changed for players to do is not done; those of "
            "stronger players may (`--players search:8`)"
        )
    elif found in (OPEN, OTHER, DRAWS, SOME, LEVELS) and (still_open := open_shares(gap, summary)):
        yield f"  {pairs_text(still_open, summary)}"
    if are_equal:
        pairs = "the only pair" if gap.equal_pairs == 1 else f"all {gap.equal_pairs} pairs"
        yield f"  {pairs} of games came out the same: winner, levels, turns and losses"


def level_change_in_words(gap: ArmDifference, summary: Summary) -> str:
    """Return which leads in levels change significantly, with the direction."""
    return list_text(
        [
            f"the lead of {lead.side} in levels {'rises' if lead.change.mean > 0 else 'falls'}"
            for lead in established_leads(gap, summary)
        ]
    )


def level_sentence(gap: ArmDifference, summary: Summary) -> str:
    """Return the established changes of leads in levels as a sentence."""
    changes = list_text([_lead_text(lead) for lead in established_leads(gap, summary)])
    return f"{changes}, and it is no accident"


def _lead_text(lead: LeadDifference) -> str:
    (before, after), (low, high) = lead.means, lead.change.interval
    verb = "rises" if lead.change.mean > 0 else "falls"
    return (
        f"the lead of {lead.side} in levels {verb} from {before:+.2f} to {after:+.2f} a game "
        f"({lead.change.mean:+.2f}; {low:+.2f} to {high:+.2f})"
    )


def length_sentences(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Return that games become longer or shorter, if that is established for a fixed number of games."""
    turns = gap.turns
    if turns.p is not None and turns.p < ERROR and not summary.is_watched:
        low, high = turns.interval
        length = "longer" if turns.mean > 0 else "shorter"
        yield f"games become {length}, and it is no accident: {turns.mean:+.2f} turns ({low:+.2f} to {high:+.2f})"


def unused_changes_explanation(summary: Summary) -> str:
    """Explain how games can differ though no change was used."""
    later = ", or used it in later games" if summary.counted_games_text else ""
    return (
        "games came out otherwise all the same: players weighed by it what they might do, or drew from another list of "
        "actions, which is not counted" + later
    )


def sides_without_loss(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Return which sides do not lose what the counted one gains, or vice versa, because of draws.

    For this it is not sufficient that a side lost nothing in these games: that it loses less than the margin has to be
    shown, among all claims.
    """
    for share in gap.others:
        if share.estimate * gap.estimate >= 0:
            before, after = (count_drawn(gap, summary, rules) for rules in (gap.than, gap.rules))
            cost = "at the cost of" if gap.estimate > 0 else "a gain of"
            is_shown = share.loses_little if gap.estimate > 0 else share.gains_little
            phrase = f"not {cost} {share.side}" if is_shown else f"not shown to be {cost} {share.side}"
            yield (
                f"that is {phrase}, who wins {share.estimate:+.1%} "
                f"({share.interval.low:+.1%} to {share.interval.high:+.1%}): "
                f"{before} and {after} of {gap.pairs.n} games are drawn"
            )


def count_drawn(gap: ArmDifference, summary: Summary, rules: str) -> int:
    """Return how many games under some rules are drawn, among those of this difference."""
    return next(arm.draws for arm in summary.arms if (arm.rules, arm.players) == (rules, gap.players))


def other_shares_text(gap: ArmDifference, summary: Summary) -> str:
    """Return which other shares change significantly, with the direction."""
    clear = [share for share in shares_of_difference(gap)[1:] if is_established(share, summary)]
    return " and ".join(map(change_in_words, clear))


def change_in_words(share: SideDifference) -> str:
    """Return the direction in which a share changes."""
    if share.side == NOBODY:
        return f"{'more' if share.estimate > 0 else 'fewer'} games are drawn"
    return f"{share.side} wins {'more' if share.estimate > 0 else 'less'} often"


def short_finding(gap: ArmDifference, summary: Summary) -> str:
    """Return the finding in a few words, with the side of which it is."""
    found = winner_finding(gap, summary)
    if found == LEVELS:
        who_wins = "no difference that matters in who wins" if _is_same(gap) else "who wins stays open"
        return f"{level_change_in_words(gap, summary)}, {who_wins}"
    if found in (MORE, LESS):
        return _and_of_others(gap, summary)
    return other_shares_text(gap, summary) if found in (OTHER, DRAWS) else SHORT[found]


def equivalent_shares_text(gap: ArmDifference, summary: Summary) -> str:
    """Return which shares are established to be equivalent up to the margin; "" if none."""
    equal_sides = [share.side for share in (gap, *gap.others) if share.is_equivalent]
    wins = [f"the wins of {list_text(equal_sides)}"] if equal_sides else []
    equal_draws = ["draws"] if gap.draws and gap.draws.is_equivalent else []
    shares_text = " and in ".join((*wins, *equal_draws))
    return f"the two differ by less than {points_text(summary.margin)} in {shares_text}" if shares_text else ""


def with_players(gap: ArmDifference, summary: Summary) -> str:
    """Return the phrase for the players, where there are several."""
    return f" with {gap.players}" if len({difference.players for difference in summary.differences}) > 1 else ""


def finding_sentence(gap: ArmDifference, summary: Summary) -> str:
    """Return the finding as a sentence."""
    match winner_finding(gap, summary):
        case "more" | "less":
            return f"{_and_of_others(gap, summary)}, and it is no accident"
        case "other side":
            return f"{other_shares_text(gap, summary)}, and it is no accident; {_counted_side_text(gap, summary)}"
        case "draws":
            return f"{other_shares_text(gap, summary)}, and it is no accident; {_sides_text(gap, summary)}"
        case "same":
            return f"{equivalent_shares_text(gap, summary)}, as these players play"
        case "some share":
            equality_text = equivalent_shares_text(gap, summary)
            text = "who wins changes, and it is no accident; whose wins, or how many draws, stays open"
            return text + (f"; {equality_text}" if equality_text else "")
        case "levels":
            equality_text = equivalent_shares_text(gap, summary)
            if _is_same(gap):
                return f"{level_sentence(gap, summary)}; {equality_text}"
            but_equal = f", but {equality_text}" if equality_text else ""
            return f"{level_sentence(gap, summary)}; it stays open whether it changes who wins{but_equal}"
        case "untried" if not gap.tried:
            return "nothing on which games depend differs between the two, so no game can"
        case "untried":
            games_text = f" {summary.counted_games_text}" if summary.counted_games_text else ""
            return f"NOTHING THAT IS CHANGED WAS USED{games_text}, so these games say nothing about it"
        case _:
            equality_text = equivalent_shares_text(gap, summary)
            return "it stays open whether it changes who wins" + (f"; {equality_text}" if equality_text else "")


def _and_of_others(gap: ArmDifference, summary: Summary) -> str:
    """Return the change of the counted side, and the others that are established, unless they are complementary."""
    others = (share for share in shares_of_difference(gap)[1:] if not share.opposite and is_established(share, summary))
    return list_text([change_in_words(share) for share in (gap, *others)])


def _counted_side_text(gap: ArmDifference, summary: Summary) -> str:
    """Return what is known of the counted side where a change of another one is established."""
    if gap.is_equivalent:
        return f"the two differ by less than {points_text(summary.margin)} in the wins of {summary.side}"
    return f"whether {summary.side} wins more often, or less, stays open"


def _sides_text(gap: ArmDifference, summary: Summary) -> str:
    """Return what is known of the sides where only a change of draws is established."""
    more = gap.draws is not None and gap.draws.estimate > 0
    equality_text = equivalent_shares_text(gap, summary)
    stays_open = f"which side wins {'less' if more else 'more'} often by it stays open"
    return f"{stays_open}; {equality_text}" if equality_text else stays_open


def extreme_win_rates(gap: ArmDifference, summary: Summary) -> Iterator[str]:
    """Return where a side wins none or all of its games, so that wins cannot show the whole effect of a change."""
    arms = {arm.rules: arm for arm in summary.arms if arm.players == gap.players}
    ends = [arm for name in (gap.than, gap.rules) if (arm := arms.get(name)) and arm.n and arm.wins in (0, arm.n)]
    if len(ends) == 2 and ends[0].wins == ends[1].wins:
        elsewhere = ", but in levels" if established_leads(gap, summary) else LOOK_ELSEWHERE
        yield (
            f"{summary.side} wins {extreme_share_text(ends[0])} under both: what a change does to a side that "
            f"{'never' if not ends[0].wins else 'always'} wins does not show in wins{elsewhere}"
        )
    elif ends:
        yield from (f"{summary.side} wins {extreme_share_text(arm)} under {arm.rules}" for arm in ends)


def extreme_share_text(arm: Arm) -> str:
    """State that a side wins none or all of its games."""
    if arm.n == 1:
        return "the only game" if arm.wins else "no game"
    return f"all {arm.n} games" if arm.wins else f"none of {arm.n} games"


def open_shares(gap: ArmDifference, summary: Summary) -> list[SideDifference]:
    """Return the shares for which neither a difference nor equivalence up to the margin is established."""
    return [
        share for share in shares_of_difference(gap) if not share.is_equivalent and not is_established(share, summary)
    ]


def pairs_text(still_open: Sequence[SideDifference], summary: Summary) -> str:
    """Return how many pairs an effect needs, and whether there were as many; for the share that needs most of them."""
    share = max(still_open, key=required_pair_count)
    sentence = pairs_wanted("an effect", "differ", share.pairs.n, share.estimate, share.needed[:2], summary.margin)
    if share.needed.for_same:
        sentence += f"; if there is none, about {share.needed.for_same:,} show that it is less"
    if share.side == summary.side:
        return sentence
    return f"{sentence}, in the wins of {share.side}" if share.side != NOBODY else f"{sentence}, in draws"


def required_pair_count(share: SideDifference) -> int:
    """Return how many pairs an effect of the margin needs."""
    return share.needed.for_margin


def pairs_wanted(effect_name: str, verb: str, pairs: int, seen: float, needed: tuple[int, int], margin: float) -> str:
    """Return how many pairs are needed for the observed effect `seen`, a share of pairs, and for the margin."""
    for_seen, for_margin = needed
    needs = f"{effect_name} of {points_text(margin)} needs about {for_margin:,} pairs"
    if for_seen and for_seen != for_margin:
        needs += f", one of the {points_text(round(100 * abs(seen)) / 100 or 0.01)} seen here about {for_seen:,}"
    fewer = "too few to tell: " if pairs < max(needed) else ""
    return f"{fewer}{pairs} pairs were played; at the rate at which pairs {verb} here, {needs}"


def verdict_reversals(summary: Summary) -> Iterator[str]:
    """Return a sentence for each difference whose verdict, or whose sign, is not the same with all players."""
    between: dict[tuple[str, str], list[ArmDifference]] = defaultdict(list)
    for gap in summary.differences:
        between[gap.rules, gap.than].append(gap)
    for (rules, than), gaps in between.items():
        found = {winner_finding(gap, summary) for gap in gaps}
        directions = {gap.estimate > 0 for gap in gaps if gap.estimate}
        if len(found) > 1:
            said_by = "; ".join(f"with {gap.players} {short_finding(gap, summary)}" for gap in gaps)
            yield f"THE VERDICT TURNS WITH THE PLAYER, {rules} instead of {than}: {said_by}"
        elif len(directions) > 1:
            seen = ", ".join(f"{gap.estimate:+.1%} with {gap.players}" for gap in gaps)
            yield f"the direction turns with the player, {rules} instead of {than}: {seen}; neither is established"


SHORT = {
    SOME: "who wins changes",
    SAME: "no difference that matters", OPEN: "it stays open", UNTRIED: "nothing that is changed was used",
}  # fmt: skip


def multiple_comparisons(summary: Summary) -> str:
    """State that several differences were examined, and the consequence for the claims."""
    gaps = summary.differences
    if len(gaps) < 2:
        return ""
    nominal_differences = [
        gap for gap in gaps if gap.p_value < ERROR and not is_established(gap, summary) and not summary.is_watched
    ]
    words = f"{len(gaps)} differences are looked at together; what is called no accident allows for that"
    if nominal_differences:
        named = ", ".join(f"{gap.rules}{with_players(gap, summary)}" for gap in nominal_differences)
        words += f", and what looks like an effect by itself does not: {named}"
    return words
