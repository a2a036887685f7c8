"""The search player, which simulates whole actions, finds gains without preferences, in the machine and in modules."""

from pathlib import Path
from typing import Any

from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.engine.game import EXTERNAL
from runtime.experiment.native_series import NativeSeries
from runtime.graph import nodes as graph
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.greedy import greedy_option
from runtime.players.macro_search import FEWEST_GAMES, MacroSearch, search_player
from runtime.players.native_planner import Planner
from runtime.players.orders import NO_PLAN, Plan
from runtime.players.player import Player, choose_option, play_out, seat_players
from runtime.players.simulation import DecisionPoint
from runtime.players.thinking_budget import ThinkingBudget
from runtime.state.moment import Phase
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.analysis.planted import compiled
from tests.core.playing import Engines, engines
from tests.sample import sampled

WORKLOAD = Path(__file__).parents[2] / "bench" / "workload"
LAYER = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
# No preference favors a load of the other side, and the score is lost with one's own load.
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
    """Play a game in the machine, with the given player for north and a greedy one for south."""
    playthrough = engine_pair.game.start(seed, opening.copy())
    play_out(engine_pair.game, playthrough, seat_players({"north": player, "south": greedy_option}, seed))
    return playthrough


@sampled(0)
def test_search_gains_what_no_preference_favors(tmp_path: Path) -> None:
    rules, opening = toy(tmp_path)
    engine_pair = engines(rules, 8, 16)
    seeds = ("1", "2", "3")
    assert [played(engine_pair, opening, greedy_option, seed).state.facts.get("game.won", 0) for seed in seeds] == [
        0,
        0,
        0,
    ]
    # More simulated games make it play better: 6 is the maximum.
    assert [
        played(engine_pair, opening, search_player(ThinkingBudget(2)), seed).state.facts.get("game.won", 0)
        for seed in seeds
    ] == [
        0,
        0,
        0,
    ]
    assert [
        played(engine_pair, opening, search_player(ThinkingBudget(32)), seed).state.facts["game.won"] for seed in seeds
    ] == [
        6,
        6,
        6,
    ]


@sampled(0)
def test_a_module_plays_the_same_game_as_the_machine(tmp_path: Path) -> None:
    rules, opening = toy(tmp_path)
    engine_pair = engines(rules, 8, 16)
    for seed in ("1", "2", "3"):
        playthrough = played(engine_pair, opening, search_player(ThinkingBudget(12)), seed)
        native = engine_pair.native(opening, {"north": EXTERNAL, "south": EXTERNAL})
        planner = Planner(engine_pair.game, native, {}, {"north": ThinkingBudget(12)}, clock=None)
        planner.start(seed)
        assert not planner.run()
        assert (native.choice_count, native.position().facts) == (playthrough.choice_count, playthrough.state.facts)


def test_simulated_actions_do_not_change_the_game(tmp_path: Path) -> None:
    rules, opening = toy(tmp_path)
    engine_pair = engines(rules, 8, 16)
    playthrough = engine_pair.game.start("1", opening.copy())
    seats = seat_players({"north": search_player(ThinkingBudget(8))}, "1")
    while isinstance(decision := engine_pair.game.advance(playthrough), Decision):
        before = playthrough.digest()
        pick = choose_option(engine_pair.game, playthrough, decision, seats)
        assert playthrough.digest() == before
        engine_pair.game.apply(playthrough, decision, pick)
    assert playthrough.choice_count > 1


class Scripted:
    """A simulation with one decision; each option has values by the number of the seed."""

    def __init__(self, values: dict[int, list[float]]) -> None:
        self.values, self.games, self.played = values, 0, 0
        self.place, self.number = 0, 0
        self.asks = True

    def begin(self, _: object, seed: str) -> None:
        """Start the game with the number in the seed."""
        self.games += 1
        self.number, self.place, self.asks = int(seed.partition(".")[2]), 0, True

    def clock(self) -> float:
        """Return seconds: each game takes a tenth of one."""
        return 5 + self.games / 10

    def next_decision(self) -> DecisionPoint | None:
        """Return the one decision, or None once it is made."""
        return DecisionPoint(Phase(1, "", ""), len(self.values), is_offer=True) if self.asks else None

    def policy_choice(self) -> int:
        """Return the first option."""
        return 0

    def choose(self, place: int) -> None:
        """Record the choice."""
        self.place, self.asks = place, False

    def follow(self, _: Plan) -> None:
        """Ignore the plan."""

    def abandon(self) -> None:
        """Subtract the game from the count."""
        self.games -= 1

    def play_out(self) -> float:
        """Return the value of the chosen option for the seed."""
        row = self.values[self.place]
        return row[self.number % len(row)]


def best_of(values: dict[int, list[float]], games: int) -> tuple[int, int]:
    scripted = Scripted(values)
    simulation: Any = scripted
    [pick] = MacroSearch(simulation, NO_PLAN, frozenset(), "0").best_macro_action(ThinkingBudget(games), clock=None)
    return pick.place, scripted.games


def test_a_rival_that_leads_only_in_its_first_game_is_not_chosen() -> None:
    assert best_of({0: [0.0], 1: [3.0, -1.0, -1.0, -1.0], 2: [-1.0]}, 60)[0] == 0
    assert best_of({0: [0.0], 1: [1.0, -1.0]}, 60)[0] == 0


def test_search_respects_its_budget_and_stops_if_no_option_differs() -> None:
    assert best_of({0: [0.0], 1: [-1.0, 1.2], 2: [1.0, -0.9]}, 40)[1] <= 40
    assert best_of({0: [1.0], 1: [1.0], 2: [1.0]}, 1000) == (0, 3 + 2 * (FEWEST_GAMES - 1))


def test_a_budget_in_seconds_ends_the_search_in_time_and_finds_the_best_option() -> None:
    """Options differ in every game, so that only the clock, which each game advances, ends the search."""
    values = {number: [float(number), number + 0.5] for number in range(60)}
    picks = []
    for seconds, limit in ((1.0, 12), (4.0, 42), (20.0, 202)):
        scripted = Scripted(values)
        simulation: Any = scripted
        search = MacroSearch(simulation, NO_PLAN, frozenset(), "0")
        budget = ThinkingBudget(seconds, in_seconds=True)
        [pick] = search.best_macro_action(budget, scripted.clock)
        picks.append(pick.place)
        if seconds < 20:  # Before twenty seconds are over, nothing is left to be decided.
            assert limit - 4 <= scripted.games
        assert scripted.games <= limit
    assert picks[-1] > 45


@sampled(0)
def test_choices_outside_of_an_offer_are_searched() -> None:
    """A move of Breakthrough is two choices of a resolution, without preferences."""
    rules = load_scenario("breakthrough_8", None, [WORKLOAD]).rules
    game = game_of(rules)
    series = NativeSeries(game, module_of(game), logs=False)
    won = []
    for side, other in (("white", "black"), ("black", "white")):
        series.seat({side: "search:64", other: "random"})
        outcomes = [series.play(str(seed)) for seed in range(5)]
        won += [outcome is not None and outcome.winner == side for outcome in outcomes]
    assert won.count(True) >= 9


def test_so_few_games_that_no_action_can_be_told_from_another_are_not_played() -> None:
    assert best_of({0: [0.0], 1: [9.0], 2: [9.0]}, 4 * FEWEST_GAMES - 1) == (0, 1)
    assert best_of({0: [0.0], 1: [9.0], 2: [9.0]}, 8 * FEWEST_GAMES)[0] != 0
