"""The twelve touchstones: examples pass and protect their rules, and no Python code mentions these."""

from functools import cache
from pathlib import Path

import pytest

from rulewright.checks.proofs import prove_stack
from rulewright.explain.position_questions import ask_about_position
from runtime.answer.generate import GeneratedEvaluator
from runtime.mutation.targets import Protection, measure_protection
from runtime.play.game import Game
from runtime.players.player import play_out, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import LONG, sampled
from tests.touchstones.page import page
from tests.touchstones.twelve import HERE, Home, compiled, counts_as, excerpt, package_set, twelve

ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "touchstones.md"
HOMES = [(one.number, home) for one in twelve() for home in one.homes]
# All their rules are mutated, with hundreds of examples; test_stacks.py runs these examples in every run.
LARGE = ("panzer_leader", "panzerblitz", "opportunity_fire", "panssari_salama")
OWN = ["fens", "fens_watch", "fens_frost", "old_weirs"]


@cache
def mutated(stack: str) -> Protection:
    """Run the examples of a stack, and mutate all rules that its touchstones show."""
    labels = {name for _, home in HOMES if home.stack == stack for name in home.show}
    return measure_protection(compiled(stack), lambda unit: any(counts_as(name, unit) for name in labels))


def test_there_are_twelve_touchstones_with_rules() -> None:
    assert [one.number for one in twelve()] == list(range(1, 13))
    assert all(any(home.show for home in one.homes) for one in twelve())


@pytest.mark.parametrize(
    ("number", "home"),
    [
        pytest.param(number, home, id=f"{number}-{home.stack}", marks=[LONG] if home.stack in LARGE else [])
        for number, home in HOMES
    ],
)
def test_examples_pass_and_protect_every_rule(number: int, home: Home) -> None:
    found = mutated(home.stack)
    for title in home.examples:
        runs = [run for run in found.runs if run.example.title == title]
        assert runs, f"touchstone {number}: no example {title}"
        assert all(run.has_passed for run in runs), [failure for run in runs for failure in run.failures]
    for label in home.show:
        assert excerpt(home, label)
        assert label not in {name for name in home.show for unit in found.unprotected if counts_as(name, unit)}
        if label.startswith("rule "):
            assert any(counts_as(label, unit) for unit in found.protected), label


@sampled(1)
@pytest.mark.parametrize("layer", OWN)
def test_layers_of_the_small_game_pass_and_are_protected(layer: str) -> None:
    stack = package_set().compiled(layer)
    assert stack.graph is not None
    assert not stack.diagnostics
    found = measure_protection(stack.graph, lambda unit: unit.origin.layer == layer)
    assert [run.example.title for run in found.runs if not run.has_passed] == []
    assert [unit.name for unit in found.unprotected] == []
    assert prove_stack(stack.graph).problems == ()


def test_the_page_shows_the_current_rules(reset: bool) -> None:
    if reset:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_no_python_code_names_rules_of_touchstones() -> None:
    words = {label.split()[1] for one in twelve() for home in one.homes for label in home.show}
    words -= {"level", "order", "dig", "throw"}  # These are common words, too.
    for package in ("compiler", "runtime", "rulewright"):
        for file in sorted(Path(ROOT / package).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            assert not [word for word in words if f'"{word}"' in text or f"'{word}'" in text], file


@pytest.mark.parametrize(("board", "bridged"), [("upper_fen", "yes"), ("lower_fen", "no")])
def test_rules_distinguish_printed_boards(board: str, bridged: str, tmp_path: Path) -> None:
    place = tmp_path / "weirs.yaml"
    place.write_text("position: weirs\nstack: old_weirs\nboard: [[upper_fen, lower_fen]]\n", encoding="utf-8")
    stack = ask_about_position(package_set().compiled("old_weirs"), place, f"'{board}.C3' is bridge", depth=0)
    assert stack.answer
    assert stack.answer.data["text"].lower().startswith(f"{bridged}. ")


@pytest.mark.parametrize("players", ["random", "greedy"])
def test_the_small_game_is_played_to_its_end(players: str) -> None:
    card = package_set().library.scenarios["between_two_weirs"]
    stack = package_set().compiled("old_weirs", card)
    assert stack.graph is not None, stack.diagnostics
    game = Game(stack.graph, GeneratedEvaluator(stack.graph))
    playthrough = game.start("touchstones")
    ended = play_out(
        game, playthrough, seat_players(dict.fromkeys(("crown", "barons"), PLAYERS[players]), "touchstones")
    )
    assert ended.turn == 4
