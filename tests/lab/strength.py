"""How strong players are: pairs of players who meet on both sides of a situation.

In: a situation and two players. Out: a row of the table `strength`: games won, lost and drawn by the first, and the
interval of the difference between the shares of pairs in which either came out ahead.
"""

from dataclasses import dataclass, replace

from rulewright.games.engines import NATIVE
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from tests.lab.data_table import DataTable
from tests.lab.schedule import GREEDY, SEED, Schedule, played, rules_hash

# Small situations, of which a player that searches plays many.
SITUATIONS = (
    "before_the_tide", "before_winter", "first_snow", "hazel_ford", "koivula", "reed_water", "ridge_farm",
    "two_valleys", "vaudrey", "winter_road",
)  # fmt: skip
MATCHES = (
    (GREEDY, "random"),
    ("lookahead:1000", GREEDY),
    ("search:2", GREEDY),
    ("search:4", "search:2"),
    ("search:8", "search:4"),
    ("search:16", "search:8"),
    ("search:32", "search:16"),
    ("search:64", "search:32"),
)
LOOK = 10  # pairs of games between two looks
HEAD = """\
| player, against | situation | games | won-lost-drawn | levels a game | points, from and to | stronger |
| --- | --- | ---: | ---: | ---: | --- | --- |
"""


@dataclass(frozen=True, slots=True)
class Match:
    """Games of `player` against `opponent` on both sides: won, lost and drawn by `player`, and its mean lead in levels.

    `better` and `worse` count the pairs of games with one seed in which `player` came out ahead and behind; `low` and
    `high` bound the difference of their shares. `stronger` is the name of the stronger player, or "open".
    """

    situation: str
    player: str
    opponent: str
    games: int
    won: int
    lost: int
    drawn: int
    level: float
    better: int
    worse: int
    low: float
    high: float
    stronger: str
    date: str
    rules: str

    @property
    def key(self) -> tuple[str, ...]:
        """Return what the row measures, in the order of `MATCHES`."""
        return (f"{MATCHES.index((self.player, self.opponent))}", self.situation)

    @property
    def stack(self) -> str:
        """Return "": the rules are those of the situation."""
        return ""

    @property
    def cells(self) -> tuple[object, ...]:
        """Return the cells on the page."""
        points = f"{100 * self.low:+.0f} to {100 * self.high:+.0f}"
        score = f"{self.won}-{self.lost}-{self.drawn}"
        who = f"`{self.player}`, `{self.opponent}`"
        return who, self.situation, self.games, score, f"{self.level:+.2f}", points, self.stronger


STRENGTH = DataTable("strength", Match, HEAD)


def match(situation: str, player: str, opponent: str, schedule: Schedule) -> Match:
    """Play pairs of games, ten at a time, until it is known who is stronger or all are played; return the row."""
    stacks = load_stacks(situation, [], [], schedule.packages)
    seatings = parse_seatings(stacks, [f"{player},{opponent}"], swaps_sides=True)
    experiment = replace(set_up(stacks, seatings, SEED, None), engine=NATIVE)
    file = schedule.file(f"{situation}.{player}.{opponent}".replace(":", "_"))
    number = min(LOOK, schedule.pairs)
    [duel] = played(experiment, number, schedule, file).duels
    while not duel.interval.excludes_zero and number < schedule.pairs:
        number = min(number + LOOK, schedule.pairs)
        [duel] = played(experiment, number, schedule, file).duels
    low, high = duel.interval
    stronger = player if low > 0 else opponent if high < 0 else "open"
    return Match(
        situation, player, opponent, 2 * duel.pairs.n, duel.wins, duel.losses, duel.draws, round(duel.level, 2),
        duel.pairs.better, duel.pairs.worse, round(low, 4), round(high, 4), stronger, schedule.date,
        rules_hash(stacks),
    )  # fmt: skip
