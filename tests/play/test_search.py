"""The player that tries out whole actions: it finds what no preference speaks of, and the same in compiled code."""

from pathlib import Path
from typing import Any

from runtime.engine.game import OUTSIDE
from runtime.graph import nodes as graph
from runtime.play.choices import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.greedy import greedy_option
from runtime.players.macro_search import LEAST, MacroSearch, search_player
from runtime.players.native_planner import Planner
from runtime.players.orders import NO_PLAN, Plan
from runtime.players.player import Player, choose_option, play_out, seat_players
from runtime.players.simulation import DecisionPoint
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.analysis.planted import compiled
from tests.core.playing import Engines, engines

LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
# Nothing says that a load of the other side should be taken, and all that was won is lost with one's own.
RULES = """
side north, south
kind cart
track cart.load: 0..1 = 1
track game.won: 0..99 = 0
track game.steps: 0..4 = 0 until end of turn
value score(s: side): 0..99
  reads "what {s} has won"
rule what-was-won [house] "What the north has taken counts."
  score is if s = north then game.won else 0
outcome score
action stroll by player in moving [house] "Step." {
  choose c from {c in all cart where c.side = player and game.steps < 4} preferring 1
  set game.steps to game.steps + 1
}
action take by player in moving [house] "Take a load." {
  choose c from {c in all cart where c.side = player and game.steps < 4}
  choose d from {d in all cart where d.load > 0}
  set d.load to 0
  set game.steps to game.steps + 1
  if d.side != player { set game.won to game.won + 3 } else { set game.won to 0 }
}
sequence game { phase moving "Moving" { offer stroll, take until yes } }
example "carts" {
  row A
  piece N: cart of north at A
  piece O: cart of north at A
  piece P: cart of south at A
  piece Q: cart of south at A
  ask count(all cart) = 4
}
"""


def toy(folder: Path) -> tuple[graph.Graph, State]:
    rules = compiled({"layer.yaml": LAYER, "r.rules": RULES}, folder)
    opening = from_position(rules, rules.examples[0].position)
    opening.player = "north"
    return rules, opening


def played(engine_pair: Engines, opening: State, player: Player, seed: str) -> Playthrough:
    """Play a game in the machine, with a player for the north and a greedy one for the south."""
    playthrough = engine_pair.game.start(seed, opening.copy())
    play_out(engine_pair.game, playthrough, seat_players({"north": player, "south": greedy_option}, seed))
    return playthrough


def test_it_finds_what_no_preference_speaks_of(tmp_path: Path) -> None:
    rules, opening = toy(tmp_path)
    engine_pair = engines(rules, 8, 16)
    seeds = ("1", "2", "3")
    assert [played(engine_pair, opening, greedy_option, seed).state.facts.get("game.won", 0) for seed in seeds] == [
        0,
        0,
        0,
    ]
    # With more games to try things out in it plays better: 6 is the most there is.
    assert [played(engine_pair, opening, search_player(2), seed).state.facts.get("game.won", 0) for seed in seeds] == [
        0,
        0,
        0,
    ]
    assert [played(engine_pair, opening, search_player(32), seed).state.facts["game.won"] for seed in seeds] == [
        6,
        6,
        6,
    ]


def test_compiled_code_finds_the_same(tmp_path: Path) -> None:
    rules, opening = toy(tmp_path)
    engine_pair = engines(rules, 8, 16)
    for seed in ("1", "2", "3"):
        playthrough = played(engine_pair, opening, search_player(12), seed)
        native = engine_pair.native(opening, {"north": OUTSIDE, "south": OUTSIDE})
        planner = Planner(engine_pair.game, native, {}, {"north": 12})
        planner.start(seed)
        assert not planner.run()
        assert (native.choices, native.position().facts) == (playthrough.choices, playthrough.state.facts)


def test_trying_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    rules, opening = toy(tmp_path)
    engine_pair = engines(rules, 8, 16)
    playthrough = engine_pair.game.start("1", opening.copy())
    seats = seat_players({"north": search_player(8)}, "1")
    while isinstance(decision := engine_pair.game.advance(playthrough), Decision):
        before = playthrough.digest()
        pick = choose_option(engine_pair.game, playthrough, decision, seats)
        assert playthrough.digest() == before
        engine_pair.game.apply(playthrough, decision, pick)
    assert playthrough.choices > 1


class Scripted:
    """A simulation whose actions are one choice of some, each with values by the number of the dice."""

    def __init__(self, values: dict[int, list[float]]) -> None:
        self.values, self.games, self.played = values, 0, 0
        self.place, self.number = 0, 0
        self.asks = True

    def begin(self, _: object, seed: str) -> None:
        """Throw the dice of a number."""
        self.games += 1
        self.number, self.place, self.asks = int(seed.partition(".")[2]), 0, True

    def next_decision(self) -> DecisionPoint | None:
        """Ask for the one choice."""
        return DecisionPoint("1", len(self.values), is_offer=True) if self.asks else None

    def policy_choice(self) -> int:
        """Prefer the first."""
        return 0

    def choose(self, place: int) -> None:
        """Take it."""
        self.place, self.asks = place, False

    def follow(self, _: Plan) -> None:
        """Follow no plan."""

    def abandon(self) -> None:
        """Count no game."""
        self.games -= 1

    def finish(self) -> float:
        """Return the value with these dice."""
        row = self.values[self.place]
        return row[self.number % len(row)]


def best_of(values: dict[int, list[float]], games: int) -> tuple[int, int]:
    scripted = Scripted(values)
    simulation: Any = scripted
    [pick] = MacroSearch(simulation, NO_PLAN, frozenset(), "0").best_macro(games)
    return pick.place, scripted.games


def test_the_better_of_the_rivals_takes_the_place_of_what_the_plan_would_do() -> None:
    values = {0: [0.0], 1: [-1.0, -0.5], 2: [0.9, 1.1], 3: [2.0, 1.8], 4: [-2.0]}
    assert best_of(values, 60)[0] == 3
    assert best_of(values, 2)[0] == 0  # One game of each is none to go by.


def test_a_rival_that_is_ahead_by_luck_of_the_first_dice_does_not() -> None:
    assert best_of({0: [0.0], 1: [3.0, -1.0, -1.0, -1.0], 2: [-1.0]}, 60)[0] == 0
    assert best_of({0: [0.0], 1: [1.0, -1.0]}, 60)[0] == 0


def test_it_keeps_to_its_budget_and_stops_where_nothing_differs() -> None:
    assert best_of({0: [0.0], 1: [-1.0, 1.2], 2: [1.0, -0.9]}, 40)[1] <= 40
    assert best_of({0: [1.0], 1: [1.0], 2: [1.0]}, 1000) == (0, 3 + 2 * (LEAST - 1))
