"""Greedy players with aims against greedy players that follow the preferences of the rules alone.

Each seed is played twice, with the aims on either side. Who wins a game is compared with the rules on the outcome of
the card; draws count for nobody.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from time import process_time

from bench.finding import AT_LEAST, Finding
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.engine.game import GREEDY, PLANS, NativeGame
from runtime.players.native_planner import Planner
from runtime.players.player import sides_of

SECTION = "players with aims"
CARDS = (
    "bridge_at_millbrook", "ridge_farm", "hazel_ford", "vaudrey", "koivula", "easthay", "first_snow", "winter_road",
    "before_winter",
)  # fmt: skip
SEEDS, QUICK_SEEDS = 60, 10
WANTED = 0.6  # Of the games that have a winner, on five of eight cards.
MOST_TIMES = 3.0  # A game takes at most so many times as long.


class AimedSeries:
    """Games of one card in a module, with aims for some of the sides."""

    def __init__(self, card: str) -> None:
        """Compile the card."""
        rules = load_scenario(card, None).graph
        assert rules is not None
        self.rules = rules
        game = game_of(rules)
        self.native = NativeGame(module_of(game), game.set_up(), {}, logs=False)
        self.sides = sides_of(game, self.native.state)
        self.planner = Planner(game, self.native, {}, None, None, self.sides)
        self.times = {False: 0.0, True: 0.0}

    def winner(self, seed: str, aimed: Sequence[str]) -> str:
        """Play a game and return the side that wins it, "" for none."""
        start_time = process_time()
        self.native.players = {side: PLANS if side in aimed else GREEDY for side in self.sides}
        self.native.seat(self.native.players)
        self.planner.start(seed)
        assert not self.planner.run()
        levels = {side: self.native.ask(self.rules.outcome, (side,)) for side in self.sides}
        self.times[bool(aimed)] += process_time() - start_time
        best = [side for side, level in levels.items() if level == max(levels.values())]
        return best[0] if len(best) == 1 else ""


def players(*, quick: bool) -> Iterator[Finding]:
    """Play the cards."""
    for card in CARDS:
        series = AimedSeries(card)
        series.winner("warm", series.sides)
        series.times = {False: 0.0, True: 0.0}
        won: Counter[str] = Counter()
        seeds = [str(number) for number in range(QUICK_SEEDS if quick else SEEDS)]
        for side in series.sides:
            won.update(_outcome(series.winner(seed, (side,)), side) for seed in seeds)
        with_aims = series.times[True]
        for _ in series.sides:
            for seed in seeds:
                series.winner(seed, ())
        share = won["aims"] / max(1, won["aims"] + won["preferences"])
        yield Finding(
            SECTION, f"{card}, games won with aims, against preferences alone", "games",
            won["aims"], won["preferences"], share, WANTED, AT_LEAST,
        )  # fmt: skip
        plain = series.times[False]
        yield Finding(
            SECTION, f"{card}, a game with aims on one side / without", "s", with_aims / len(seeds) / 2,
            plain / len(seeds) / 2, with_aims / plain, MOST_TIMES,
        )  # fmt: skip


def _outcome(winner: str, aimed: str) -> str:
    return "aims" if winner == aimed else "preferences" if winner else "nobody"
