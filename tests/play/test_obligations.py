"""An offer with an obligation offers only options that can lead to it, or executes its `otherwise` branch."""

from pathlib import Path

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.examples.run import run_examples
from runtime.graph import nodes as graph
from runtime.graph.budget import TRIALS_OF_DECISION
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state.setup import from_position
from tests.analysis.planted import compiled
from tests.sample import sampled

RULES = """
side north, south
domain die = 1..6
kind cart
track cart.steps: 0..9 = 0 until end of moving
track cart.limit: 0..9 = 2
status cart: fought until end of fighting, fought_at until end of fighting

define crowded(by: side): yes_no =
  some(c in all cart where c.side = by and count(o in cart at c.hex where o.side = by) > 2)
define near(a: cart): set of cart = {b in all cart where b.side != a.side and adjacent(a.hex, b.hex)}
define foes(by: side): set of cart = {f in all cart where f.side != by and some(c in near(f))}
define unfought(by: side): set of cart = {f in foes(by) where f is not fought_at}
define unengaged(by: side): set of cart =
  {c in all cart where c.side = by and c is not fought and some(f in near(c))}

action move_on by player in moving "Move a cart a hex." {
  choose c from {c in all cart where c.side = player and c.steps < c.limit}
  choose to from {h in neighbors(c.hex) where none(f in cart at h where f.side != player)}
  set c.steps to c.steps + 1
  move c to to
}
action fight by player in fighting "Some carts fight one." {
  choose foe from unfought(player)
  choose any ours of 1..9 from {c in all cart where c.side = player and c is not fought and adjacent(c.hex, foe.hex)}
  mark foe as fought_at
  for each c in ours { mark c as fought }
  roll d: die
  if d = 6 { remove foe }
}
resolution thin_out(by: side) {
  for each h in {h in all hex where count(c in cart at h where c.side = by) > 2} {
    choose lost from {c in cart at h where c.side = by}
    remove lost
  }
}
resolution fall_back(by: side) { for each c in unengaged(by) { remove c } }
sequence game { each turn in 1..2 { each player in {north, south} {
  phase moving "Moving" { offer move_on must not crowded(player) otherwise { do thin_out(player) } }
  phase fighting "Fighting" { offer fight by player ENDS }
} } }
example "passing through" {
  row A, B, C
  piece N, O: cart of north at B
  piece P: cart of north at A
  act move_on(c: P, to: B)
  ask crowded(north)
}
example "stays too many" {
  row A, B, C
  piece N, O: cart of north at B (limit 0)
  piece P: cart of north at A (limit 1)
  act move_on(c: P, to: B) refused by crowded
}
example "nothing helps" {
  row A, B, C
  piece N, O, Q: cart of north at B (limit 0)
  piece P: cart of north at A (limit 1)
  act move_on(c: P, to: B)
}
example "passing them by" {
  row A, B, C
  piece N, O, Q: cart of north at B (limit 0)
  order phase moving of north, do thin_out of north
}
example "one each" {
  row A, B, C, D, E
  piece N: cart of north at B
  piece O: cart of north at D
  piece S: cart of south at A
  piece T: cart of south at C
  dice 1, 1
  act fight(foe: T, ours: {N, O}) by north refused by unengaged
  act fight(foe: T, ours: {O}) by north
  act fight(foe: S, ours: {N}) by north
}
example "one each, and two apart" {
  row A, B, C, D, E, F, G, H, I, J
  piece N: cart of north at B
  piece O: cart of north at D
  piece S: cart of south at A
  piece T: cart of south at C
  piece P: cart of north at F
  piece U: cart of south at G
  piece Q: cart of north at I
  piece V: cart of south at J
  ask not crowded(north)
}
example "many, and too many that stay" {
  row A, B, C, D, E, F, G, H, I, J
  piece N, O, P: cart of north at J (limit 0)
  piece Q, R, S, T: cart of north at A
  ask crowded(north)
}
example "many" {
  row A, B, C, D, E, F
  row G, H, I, J, K, L from A se
  piece N: cart of north at B
  piece O: cart of north at D
  piece P: cart of north at H
  piece S, U: cart of south at C
  piece T: cart of south at I
  piece V: cart of south at F
  ask not crowded(north)
}
"""
SEARCHED = "must none(f in unfought(player)) and none(c in unengaged(player)) otherwise { do fall_back(player) }"
KEPT = (
    "must none(f in unfought(player)) and none(c in unengaged(player)) keeping "
    "every(f in unfought(player) where some(c in unengaged(player) where adjacent(c.hex, f.hex))) and "
    "every(c in unengaged(player) where some(f in unfought(player) where adjacent(c.hex, f.hex))) "
    "otherwise { do fall_back(player) }"
)


def rules(folder: Path, ends: str) -> graph.Graph:
    """Compile the rules with `ends` as the end of the fighting."""
    return planted(folder, RULES.replace("ENDS", ends))


def planted(folder: Path, text: str) -> graph.Graph:
    """Compile a text of rules as one layer."""
    return compiled(
        {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "r.rules": text}, folder
    )


def game_at_example(game: Game, title: str, seed: int) -> Playthrough:
    """Start a game at the position of an example."""
    (example,) = (each for each in game.graph.examples if each.title == title)
    return game.start(seed, from_position(game.graph, example.position))


def test_examples_hold(tmp_path: Path) -> None:
    runs = list(run_examples(rules(tmp_path, SEARCHED)))
    assert [(f.example, f.expected, f.actual) for run in runs for f in run.failures] == []


@pytest.mark.parametrize("ends", [SEARCHED, KEPT])
def test_random_games_do_not_get_stuck(ends: str, tmp_path: Path) -> None:
    game = Game(found := rules(tmp_path, ends), GeneratedEvaluator(found))
    for name in ("random", "greedy"):
        for seed in range(3):
            playthrough = game_at_example(game, "many", seed)
            play_out(game, playthrough, seat_players(dict.fromkeys(("north", "south"), PLAYERS[name]), f"{seed}"))
            assert not playthrough.unsettled


def test_an_option_that_breaks_the_kept_condition_is_not_open(tmp_path: Path) -> None:
    """A fight of N against T leaves no piece for S, although P may still fight U."""
    game = Game(found := rules(tmp_path, KEPT), GeneratedEvaluator(found))
    playthrough = game_at_example(game, "one each, and two apart", 1)
    names = [sheet.name for sheet in playthrough.state.sheets]
    while isinstance(now := game.advance(playthrough), Decision) and playthrough.state.phase == "moving":
        game.apply(playthrough, now, -1)
    assert isinstance(now, Decision)
    assert [names[option.value] for option in now.options] == ["S", "T", "U", "V"]
    game.apply(playthrough, now, 1)
    now = game.advance(playthrough)
    assert isinstance(now, Decision)
    assert now.question == "fight.foe"
    assert [names[piece] for piece in playthrough.state.marks["cart.fought"]] == ["O"]
    assert not playthrough.unsettled


def test_games_without_an_obligation_get_stuck(tmp_path: Path) -> None:
    ends = "until none(f in unfought(player)) and none(c in unengaged(player))"
    game = Game(found := rules(tmp_path, ends), GeneratedEvaluator(found))
    with pytest.raises(BrokenRules, match="no action is open and the offer may not end"):
        _play_many(game)


def _play_many(game: Game) -> None:
    """Play ten games of random players."""
    seats = seat_players(dict.fromkeys(("north", "south"), PLAYERS["random"]), "1")
    for seed in range(10):
        play_out(game, game_at_example(game, "many", seed), seats)


def test_an_option_that_cannot_meet_the_obligation_is_not_open(tmp_path: Path) -> None:
    """A fight of both against T leaves no piece for S."""
    game = Game(found := rules(tmp_path, SEARCHED), GeneratedEvaluator(found))
    playthrough = game_at_example(game, "one each", 1)
    questions = []
    while isinstance(now := game.advance(playthrough), Decision) and playthrough.state.player == "north":
        questions.append((now.question, [option.value for option in now.options]))
        game.apply(playthrough, now, -1 if now.question == "offer move_on" else 0)
    assert questions[0][0] == "offer move_on"
    assert questions[1:] == [("fight.foe", [2, 3])]


@sampled(0)
def test_a_search_without_result_is_bounded_and_reported(tmp_path: Path) -> None:
    """The fixed carts of a hex exceed its limit for good; the other carts have more options than the search may try."""
    text = RULES.replace("cart.limit: 0..9 = 2", "cart.limit: 0..9 = 9")
    found = planted(tmp_path, text.replace("ENDS", KEPT))
    game = Game(found, GeneratedEvaluator(found))
    playthrough = game_at_example(game, "many, and too many that stay", 1)
    tried_options: list[int] = []
    while len(tried_options) < 2 and isinstance(now := game.advance(playthrough), Decision):
        tried_options.append(TRIALS_OF_DECISION - game.obligations.steps.remaining_steps)
        game.apply(playthrough, now, 0)
    assert len(tried_options) == 2
    assert max(tried_options) == TRIALS_OF_DECISION
    (offer,) = game.obligations.unsettled_offers(playthrough)
    assert offer.actions == ("move_on",)
    assert 2 <= offer.decisions <= offer.options
    assert offer.file.endswith("r.rules")
    assert text.splitlines()[offer.line - 1].startswith("sequence game")
