"""Summarize an experiment: shares of wins with intervals, what each stack changes, and whether players agree on it.

The input is a tally, the names of the seatings, and why the experiment ended; the output is a `Summary`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from runtime.experiment.agreement import Agreement, compare_seatings, pooled_differences
from runtime.experiment.change_use import ChangeUse, change_uses
from runtime.experiment.duel import Duel, DuelTally
from runtime.experiment.equivalence import p_same
from runtime.experiment.leads import LeadDifference, adjust_leads, least_clear_test
from runtime.experiment.level_difference import LevelDifference
from runtime.experiment.multiple_tests import adjust_p_values
from runtime.experiment.plan import HEARD
from runtime.experiment.sequential_evidence import p_any_time
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate, wilson_interval
from runtime.experiment.side_difference import NOBODY, SideDifference, adjust_differences, wins_of_shares
from runtime.experiment.statistical_power import pairs_needed, share_apart
from runtime.experiment.stopping import EQUALITY_MARGIN, NEVER, WIDTH, StoppingRule
from runtime.experiment.tally import ArmTally, GameFault, PairedTally, Point, Tally
from runtime.graph.unsettled_offer import UnsettledOffer


@dataclass(frozen=True, slots=True)
class Arm:
    """One stack with one seating: of n games, how many the side won and drew; means of the rest."""

    rules: str
    players: str
    n: int
    wins: int
    draws: int
    interval: ConfidenceInterval
    won_by: tuple[tuple[str, int], ...]
    levels: tuple[tuple[str, float], ...]
    turns: float
    choices: float
    lengths: tuple[tuple[int, int], ...]
    losses: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmDifference(SideDifference):
    """A difference `rules` minus `than` from pairs: wins of the counted side, level, length, losses (all: counter "").

    `equal_pairs`: pairs with the same winner, levels, turns and losses. `saved`: the share of games saved because pairs
    have the same dice, for the same width of the interval of levels; None where levels did not vary. `tried` is the use
    of each change, `uncounted` what is changed besides. `others`: the wins of the other sides; `draws`: the drawn
    games, None where none is drawn. `leads`: those in levels, of the counted side first; `own_levels`: the change of
    the level of each side.
    """

    rules: str
    than: str
    players: str
    leads: tuple[LeadDifference, ...]
    turns: Estimate
    choices: Estimate
    losses: tuple[tuple[str, str, Estimate], ...]
    running_estimates: tuple[Point, ...] = ()
    equal_pairs: int = 0
    saved: float | None = None
    tried: tuple[ChangeUse, ...] = ()
    uncounted: tuple[str, ...] = ()
    others: tuple[SideDifference, ...] = ()
    draws: SideDifference | None = None
    own_levels: tuple[tuple[str, Estimate], ...] = ()

    @property
    def lead_change(self) -> Estimate:
        """Return the change of the lead of the counted side."""
        return self.leads[0].change

    @property
    def level_test(self) -> LevelDifference | None:
        """Return the test of levels beside which claims about who wins stand; None if there is none."""
        return least_clear_test(self.leads)


@dataclass(frozen=True, slots=True)
class DuelSummary:
    """Two players who met on both sides under one stack: what `player` won, lost and drew; the level of a game.

    Of `pairs` of games with one seed, these numbers had a better and a worse result for `player`; `p` is the sign
    test's, exact. `p_any_time` and `p_same` are anytime-valid: that neither plays better, and that one does by the
    margin or more. `adjusted` fields allow for all duels of the experiment. `needed`: pairs to establish an advantage
    of the observed size (0 if none was) and of the margin. `always`: the side that won all games, whoever played it, or
    "".
    """

    rules: str
    player: str
    opponent: str
    wins: int
    losses: int
    draws: int
    level: Estimate
    pairs: int
    better: int
    worse: int
    p: float
    p_any_time: float
    p_same: float
    needed: tuple[int, int]
    always: str
    p_adjusted: float = 1.0
    p_any_time_adjusted: float = 1.0
    p_same_adjusted: float = 1.0


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of an experiment, from the point of view of one side.

    `together`: (rules, than, difference) over all seatings. `fired`: mean number of answers per game in which a rule
    was live, per stack. `stopped`: why it ended before its last game, or "", and `rule` by what rule; `watched`:
    whether it would have as soon as a difference was established. `reasons`: why games of this run were left to the
    machine, and how many. `unknown`: (rules, than, players) where the rules failed in each pair. `unsettled`: by stack,
    offers for which the budget did not decide whether their `must` can still be met.
    """

    side: str
    sides: tuple[str, ...]
    stacks: tuple[str, ...]
    games: int
    stopped: str
    arms: tuple[Arm, ...]
    differences: tuple[ArmDifference, ...]
    together: tuple[tuple[str, str, Estimate], ...]
    agreements: tuple[Agreement, ...]
    duels: tuple[DuelSummary, ...]
    fired: tuple[tuple[str, tuple[float, ...]], ...]
    faults: tuple[GameFault, ...]
    broken: int
    margin: float = EQUALITY_MARGIN
    reasons: tuple[tuple[str, int], ...] = ()
    unsettled: tuple[tuple[str, UnsettledOffer], ...] = ()
    counted_games: int = HEARD
    watched: bool = False
    rule: str = NEVER
    unknown: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_watched(self) -> bool:
        """Return whether results were observed before the last game, so that only anytime-valid evidence counts."""
        return self.watched or (bool(self.stopped) and not self.is_stopped_by_width)

    @property
    def is_stopped_by_width(self) -> bool:
        """Return whether the width of an interval stopped the experiment."""
        return bool(self.stopped) and self.rule == WIDTH

    @property
    def counted_games_text(self) -> str:
        """Return in which games live rules and uses were counted; "" if in all."""
        return f"in the first {self.counted_games} games" if self.games > self.counted_games else ""


def summarize_results(
    tally: Tally,
    players: Sequence[str],
    sides: Sequence[str],
    stopped: str,
    until: StoppingRule | None,
    *,
    watched: bool = False,
) -> Summary:
    """Summarize from the side's point of view; `watched`: results are observed while it is played."""
    names, until = tally.stacks, until or StoppingRule()
    margin = until.margin
    differences = adjusted_differences(
        [
            replace(
                summarize_difference(
                    gap, (names[pairing.second], names[pairing.first], who), sides, tally.side, margin
                ),
                **_change_use_fields(tally, number, seat),
            )
            for number, (pairing, gaps) in enumerate(zip(tally.pairings, tally.gaps, strict=True))
            for seat, (who, gap) in enumerate(zip(players, gaps, strict=True))
            if gap.n
        ]
    )
    return Summary(
        side=tally.side,
        sides=tuple(sides),
        stacks=names,
        games=tally.games,
        stopped=stopped,
        arms=tuple(
            summarize_arm(count, stack, who, tally.side)
            for who, counts in zip(players, tally.counts, strict=True)
            for stack, count in zip(names, counts, strict=True)
        ),
        differences=differences,
        together=tuple(pooled_differences(tally)) if tally.seatings > 1 else (),
        agreements=tuple(compare_seatings(tally, players, sides)),
        duels=adjusted_duels(
            [
                duel_summary(duel, bout, stack, margin)
                for duel, bouts in zip(tally.duels, tally.bouts, strict=True)
                for stack, bout in zip(names, bouts, strict=True)
                if bout.level.n
            ]
        ),
        fired=live_rule_counts(tally),
        faults=tuple(tally.faults),
        broken=tally.broken,
        margin=margin,
        reasons=tuple(tally.reasons.most_common()),
        unsettled=tally.unsettled_offers(),
        counted_games=tally.counted_game_limit,
        watched=watched or until.stops_at_difference,
        rule=until.rule,
        unknown=tuple(
            (names[pairing.second], names[pairing.first], who)
            for pairing, gaps in zip(tally.pairings, tally.gaps, strict=True)
            for who, gap in zip(players, gaps, strict=True)
            if tally.games and not gap.n
        ),
    )


def _change_use_fields(tally: Tally, number: int, seat: int) -> dict[str, Any]:
    """Return the use of the changes of a pairing by the players of a seating."""
    if not tally.changes:
        return {}
    changes = tally.changes[number]
    first, second = (tally.counts[seat][stack] for stack in tally.pairings[number])
    return {
        "tried": change_uses(changes, first.used, second.used, (first.counted_games, second.counted_games)),
        "uncounted": changes.uncounted,
    }


def shares_of_difference(gap: ArmDifference) -> tuple[SideDifference, ...]:
    """Return the result for each share: of the counted side first, and of draws last, if there are any."""
    return (gap, *gap.others, *((gap.draws,) if gap.draws else ()))


def adjusted_differences(gaps: list[ArmDifference]) -> tuple[ArmDifference, ...]:
    """Adjust each difference for all differences, each counter for all counters, and each length for all lengths."""
    lengths = iter(adjust_p_values([gap.turns.p or 0.0 for gap in gaps]))
    lost = iter(adjust_p_values([found.p or 0.0 for gap in gaps for _, name, found in gap.losses if name]))
    shares = adjust_differences([shares_of_difference(gap) for gap in gaps], [gap.level_test for gap in gaps])
    return tuple(
        replace(
            gap,
            others=tuple(share for share in others if share.side != NOBODY),
            draws=next((share for share in others if share.side == NOBODY), None),
            turns=gap.turns._replace(p=next(lengths)),
            leads=adjust_leads(gap.leads, len(gaps)),
            losses=tuple(
                (side, name, found._replace(p=next(lost)) if name else found) for side, name, found in gap.losses
            ),
        )
        for gap, *others in shares
        if isinstance(gap, ArmDifference)
    )


def summarize_arm(count: ArmTally, stack: str, who: str, side: str) -> Arm:
    """Summarize one stack with one seating."""
    n = count.n
    return Arm(
        rules=stack,
        players=who,
        n=n,
        wins=count.won[side],
        draws=count.draws,
        interval=wilson_interval(count.won[side], n),
        won_by=tuple(sorted((winner, times) for winner, times in count.won.items() if winner)),
        levels=tuple((owner, mean(total, n)) for owner, total in sorted(count.levels.items())),
        turns=mean(sum(turns * times for turns, times in count.lengths.items()), n),
        choices=mean(count.choices, n),
        lengths=tuple(sorted(count.lengths.items())),
        losses=tuple((owner, counter, mean(lost, n)) for (owner, counter), lost in sorted(count.lost.items())),
    )


def adjusted_duels(found: Sequence[DuelSummary]) -> tuple[DuelSummary, ...]:
    """Adjust each duel for their number: each has an equal part of the 5 percent.

    That one player is better and that neither is by the margin are claims of which one may be false at most.
    """
    parts = len(found)
    return tuple(
        replace(
            duel,
            p_adjusted=min(1.0, duel.p * parts),
            p_any_time_adjusted=min(1.0, duel.p_any_time * parts),
            p_same_adjusted=min(1.0, duel.p_same * parts),
        )
        for duel in found
    )


def duel_summary(duel: Duel, bout: DuelTally, stack: str, margin: float) -> DuelSummary:
    """Summarize a duel; a pair is two games."""
    low, high = bout.level.student_interval()
    pairs = bout.pairs()
    seen, differing_share = (bout.better - bout.worse) / pairs.n, share_apart(pairs)
    return DuelSummary(
        rules=stack,
        player=duel.player,
        opponent=duel.opponent,
        wins=bout.wins,
        losses=bout.losses,
        draws=bout.draws,
        level=Estimate(bout.level.mean() / 2, ConfidenceInterval(low / 2, high / 2), bout.level.nonzero_count),
        pairs=bout.level.n,
        better=bout.better,
        worse=bout.worse,
        p=bout.p_value(),
        p_any_time=p_any_time(pairs),
        p_same=p_same(pairs, margin),
        needed=(pairs_needed(seen, differing_share) if seen else 0, pairs_needed(margin, differing_share)),
        always=next(
            (
                side
                for side, count in zip((duel.side, duel.exchanged_side), bout.sided, strict=True)
                if count == pairs.n
            ),
            "",
        ),
    )


def mean(total: int | Fraction, n: int) -> float:
    """Compute a mean; 0 for no values."""
    return float(total / n) if n else 0.0


def summarize_difference(
    gap: PairedTally, named: tuple[str, str, str], sides: Sequence[str], counted: str, margin: float
) -> ArmDifference:
    """Summarize pairs of games with the same seed, as if they were all; `named`: rules, than, players."""
    rules, than, players = named
    wins, *others = wins_of_shares(gap.winners, sides, counted, margin)
    lost = {loss_key: replace(spread, n=wins.pairs.n) for loss_key, spread in gap.lost.items()}
    return ArmDifference(
        **{each.name: getattr(wins, each.name) for each in fields(SideDifference)},
        rules=rules,
        than=than,
        players=players,
        leads=tuple(lead.difference(side) for side, lead in gap.leads.items()),
        turns=gap.turns.estimate(),
        choices=gap.choices.estimate(),
        losses=tuple((owner, counter, spread.estimate()) for (owner, counter), spread in sorted(lost.items())),
        running_estimates=tuple(gap.running_estimates),
        equal_pairs=gap.equal_pairs,
        saved=gap.leads[counted].variance_saved(),
        others=tuple(share for share in others if share.side != NOBODY),
        draws=next((share for share in others if share.side == NOBODY), None),
        own_levels=tuple((side, gap.own_levels[side].estimate()) for side in sides if side in gap.own_levels),
    )


def live_rule_counts(tally: Tally) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return the mean number of answers per stack and game in which each rule was live.

    Most different rules come first.
    """
    columns = list(zip(*tally.counts, strict=True))
    games = [sum(count.counted_games for count in counts) for counts in columns]
    totals = [sum((count.fired for count in counts), start=type(counts[0].fired)()) for counts in columns]
    labels = sorted(set().union(*totals))
    means = {label: tuple(mean(total[label], n) for total, n in zip(totals, games, strict=True)) for label in labels}
    return tuple(sorted(means.items(), key=lambda item: (min(item[1]) - max(item[1]), item[0])))
