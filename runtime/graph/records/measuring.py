"""The record of an experiment: `compare`.

Intervals hold at any time, and are corrected for the several tests of one experiment.
"""

from typing import NotRequired, TypedDict

from runtime.graph.records.playing import UnsettledOfferRecord


class VerdictRecord(TypedDict):
    """What was found of a difference.

    rules: the rules that are compared.
    than: the rules that they are compared with.
    players: who plays.
    finding: `more` or `less`: the counted side wins more or less often; `other side`: another side does; `draws`: more
      or fewer games are drawn; `levels`: the lead in levels changes; `same`: no change as large as the margin; `open`:
      none of these is significant; `untried`: nothing that is changed was used.
    says: the finding in three sentences: the effect, how sure it is, what would tell more.
    details: what explains it, in sentences.
    seed: that of a game with another winner to look at; absent where nothing is shown.
    replay: the command that tells where games with another winner diverge, and why.
    """

    rules: str
    than: str
    players: str
    finding: str
    says: list[str]
    details: list[str]
    seed: NotRequired[str]
    replay: NotRequired[list[str]]


class ArmRecord(TypedDict):
    """The games under some rules with some players.

    rules: the rules.
    players: who plays.
    wins: the number of games that the counted side won.
    draws: the number of draws.
    n: the number of games.
    interval: the interval of the share of wins of the counted side.
    won_by: the wins by side.
    levels: the mean level by side.
    level_counts: by side, how often it reached each place of the scale of levels; `level_names` has their names.
    turns: the mean number of turns.
    lengths: the numbers of games by their turns.
    decisions: the mean number of decisions.
    losses: the mean losses by side and counter; `all` are those of the side.
    """

    rules: str
    players: str
    wins: int
    draws: int
    n: int
    interval: list[float]
    won_by: dict[str, int]
    levels: dict[str, float]
    level_counts: dict[str, dict[str, int]]
    turns: float
    lengths: dict[int, int]
    decisions: float
    losses: dict[str, dict[str, float]]


class PairCountRecord(TypedDict):
    """The pairs of games with the same dice.

    both: those that the side won under both rules.
    first: those that it won only under the rules of `than`.
    second: those that it won only under the rules of `rules`.
    neither: those that it won under neither.
    """

    both: int
    first: int
    second: int
    neither: int


class ShareRecord(TypedDict):
    """The change of the share of games that a side wins, or that are drawn.

    side: the side; null for draws.
    estimate: the change.
    interval: its interval.
    pairs: the pairs of games.
    established: whether the change is significant.
    """

    side: str | None
    estimate: float
    interval: list[float]
    pairs: PairCountRecord
    established: bool


class LeadRecord(TypedDict):
    """The change of the lead of the counted side in levels.

    estimate: the change of its mean.
    interval: its interval; null where none is claimed.
    leads: the means under both rules.
    established: whether the change is significant.
    """

    estimate: float
    interval: list[float] | None
    leads: list[float]
    established: bool


class ChangeUseRecord(TypedDict):
    """How a change of the rules came into use.

    what: its kind.
    name: its name.
    only: `rules` or `than`, if only these have it; otherwise null.
    games: the number of games that were counted.
    reached: how often it was reached.
    offered: how often it was offered, or asked.
    used: how often it was used, or live.
    preferred: whether greedy players may choose it.
    no_preference: why the rules never prefer it; "" if they do not say so.
    used_by: how often each side used an action.
    state: the use in a word: `used`, `never taken` ..
    """

    what: str
    name: str
    only: str | None
    games: int
    reached: int
    offered: int
    used: int
    preferred: bool
    no_preference: str
    used_by: dict[str, int]
    state: str


class DifferenceRecord(ShareRecord):
    """What rules change, in pairs of games with the same dice.

    rules: the rules that are compared.
    than: the rules that they are compared with.
    players: who plays.
    same: whether all shares change by less than the margin.
    other_sides: the changes for the other sides.
    draws: the change of draws; null if no side is counted against another.
    equal_pairs: the number of pairs with the same winner, levels, turns and losses.
    turned: the first seeds whose games have another winner.
    changes: the changes of the rules, with their use.
    changes_not_counted: the changes whose use is not counted.
    level: the change of the lead in levels.
    turns: the change of the mean number of turns.
    decisions: the change of the mean number of decisions.
    losses: the changes of mean losses by side and counter.
    loss_intervals: by side and counter, the 95 % interval of each change alone, by the normal approximation: it shows
      how much games vary, and nothing is claimed of it.
    """

    rules: str
    than: str
    players: str
    same: bool
    other_sides: list[ShareRecord]
    draws: ShareRecord | None
    equal_pairs: int
    turned: list[str]
    changes: list[ChangeUseRecord]
    changes_not_counted: list[str]
    level: LeadRecord
    turns: float
    decisions: float
    losses: dict[str, dict[str, float]]
    loss_intervals: dict[str, dict[str, list[float]]]


class DuelRecord(TypedDict):
    """Two players who played both sides against each other.

    finding: `better` or `worse`: the first player is significantly so; `same`, `open` as in a verdict.
    says: the finding in three sentences, as in a verdict.
    rules: the rules.
    players: the two players.
    won: the number of games that the first player won.
    lost: the number of games that it lost.
    drawn: the number of draws.
    level: its mean lead in levels.
    pairs: the number of pairs of games.
    better: the pairs in which it came out ahead.
    worse: the pairs in which it came out behind.
    estimate: the share of better pairs less that of worse ones.
    interval: its interval.
    always_won_by: the side that won all games; null if none did.
    """

    finding: str
    says: list[str]
    rules: str
    players: list[str]
    won: int
    lost: int
    drawn: int
    level: float
    pairs: int
    better: int
    worse: int
    estimate: float
    interval: list[float]
    always_won_by: str | None


class FaultRecord(TypedDict):
    """A game whose rules broke.

    rules: the rules.
    seed: the seed of the game.
    message: what broke.
    """

    rules: str
    seed: str
    message: str


class UnsettledArmRecord(UnsettledOfferRecord):
    """An offer that the budget did not decide, in the games under some rules.

    rules: the rules.
    """

    rules: str


class PairDivergenceRecord(TypedDict):
    """Where the games of a pair diverge.

    rules: the rules that are compared.
    than: the rules that they are compared with.
    players: who plays.
    seed: the seed of both games.
    winners: the winners under `than` and under `rules`; null for a draw.
    step: the first step that differs; null if the games are the same.
    what: what differs: `options`, `state`, `preference` (a player chooses otherwise) ..; null if equal.
    changed: the changed rules that take part in it.
    says: the same in sentences.
    """

    rules: str
    than: str
    players: str
    seed: str
    winners: list[str | None]
    step: int | None
    what: str | None
    changed: list[str]
    says: list[str]


class DivergencesRecord(TypedDict):
    """Where games diverge.

    pairs: for each seed a row for each difference with each of the players.
    """

    pairs: list[PairDivergenceRecord]


class EffectGamesRecord(TypedDict):
    """How many pairs of games show an effect, in 80 percent of all experiments.

    effect: the change of a share of games.
    games: the pairs of games, for each of the assumed shares; 0 if more than ten millions.
    """

    effect: float
    games: list[int]


class PowerRecord(TypedDict):
    """What an experiment can show, before it is played.

    games: the number of pairs of games.
    tests: the number of intervals for which each is corrected.
    shares: assumed shares of pairs whose games have different winners; 0 stands for as few as the effect needs.
    least: the least effect that is shown in 80 percent of all experiments, for each of the assumed shares.
    effects: how many games show an effect.
    same: how many games show that nothing changes by the margin, if nothing changes.
    says: the same in sentences.
    """

    games: int
    tests: int
    shares: list[float]
    least: list[float]
    effects: list[EffectGamesRecord]
    same: EffectGamesRecord
    says: list[str]


class ComparisonRecord(TypedDict):
    """What rules do to a situation.

    side: the side whose wins are counted.
    games: the number of pairs of games.
    stopped: why the experiment ended before its last game; "" if it did not.
    margin: the change of a share that counts as a difference.
    verdicts: what was found of each difference.
    verdict_reversals: the differences of which the verdict depends on the players, in sentences.
    looked_at: what was looked at, and of what nothing is claimed; null without a difference.
    arms: the games under each of the rules, with each of the players.
    difference: the first of the differences; null without one.
    differences: the differences.
    duels: the duels of players who exchanged sides.
    faults: the first games whose rules broke.
    broken: the number of games whose rules broke.
    unsettled: offers that the budget did not decide.
    unknown: the differences of which nothing is known, as the rules broke in every pair, in sentences.
    sides: the sides in the order of the situation.
    side_titles: the noun phrase of each side, as sentences have it.
    player_limits: what the players do not do, in sentences.
    level_names: the names of the places that were reached on the scale of levels, in their order.
    counter_titles: the titles of the counters that were lost.
    player_aims: where greedy players want to be, in a sentence for each side.
    not_played: with --which: parts that cannot be taken out, in sentences.
    """

    side: str
    games: int
    stopped: str
    margin: float
    verdicts: list[VerdictRecord]
    verdict_reversals: list[str]
    looked_at: str | None
    arms: list[ArmRecord]
    difference: DifferenceRecord | None
    differences: list[DifferenceRecord]
    duels: list[DuelRecord]
    faults: list[FaultRecord]
    broken: int
    unsettled: list[UnsettledArmRecord]
    unknown: list[str]
    sides: list[str]
    side_titles: dict[str, str]
    player_limits: NotRequired[list[str]]
    level_names: NotRequired[dict[str, str]]
    counter_titles: NotRequired[dict[str, str]]
    player_aims: NotRequired[list[str]]
    not_played: NotRequired[list[str]]
