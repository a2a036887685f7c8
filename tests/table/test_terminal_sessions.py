"""Whole sessions at the terminal: options by number, why not, undo, resumption, and secrets of the other side."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.explain.position_questions import UMPIRE, ask_about_position
from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.stacks import open_packages
from rulewright.serve.terminal.game_display import GameDisplay
from rulewright.system.errors import UsageError
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state.setup import from_position
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import first_mismatch, repeat_choices
from runtime.trial.trial_lines import decode_trial as read_lines
from tests.table.scripted import Script, typing, typing_from

HERE = Path(__file__).parent
# What red types to plan to go to B, and to end its two phases; then the other player takes over.
PLAN = ("1", "2", "4", "9", "")
GREEDY = dict.fromkeys(("north", "south"), PLAYERS["greedy"])


@cache
def tide() -> Game:
    rules = load_scenario("before_the_tide", None).graph
    assert rules is not None
    return game_of(rules)


def session(
    script: Script, lines: list[str], seed: str = "1", humans: str = "north"
) -> tuple[FinishedGame | None, InteractiveGame]:
    """Play with a script at the terminal; return the result and the game."""
    game = tide()
    interactive = InteractiveGame(game, game.start(seed), lines.append)
    interactive.write_heading({"north": "human", "south": "greedy"}, seed)
    return GameDisplay(interactive, humans.split(), script).play(seat_players(GREEDY, seed)), interactive


def greedy_numbers(interactive: InteractiveGame) -> Iterator[str]:
    """Yield the numbers of the options that the greedy player chooses."""
    while True:
        now = interactive.ask()
        assert isinstance(now, Decision)
        index = choose_option(interactive.game, interactive.playthrough, now, seat_players(GREEDY, "1"))
        yield str(index + 1)


def test_typed_greedy_choices_give_the_greedy_game() -> None:
    game = tide()
    lines: list[str] = []
    interactive = InteractiveGame(game, game.start("1"), lines.append)
    interactive.write_heading({"north": "human", "south": "greedy"}, "1")
    end = GameDisplay(interactive, ["north"], typing_from(greedy_numbers(interactive))).play(seat_players(GREEDY, "1"))
    playthrough = game.start("1")
    while isinstance(now := game.advance(playthrough), Decision):
        game.apply(playthrough, now, choose_option(game, playthrough, now, seat_players(GREEDY, "1")))
    assert end == now
    trial, problems = read_lines(lines)
    assert trial is not None
    assert problems == []
    assert first_mismatch(game, trial) is None


def test_lines_that_take_no_option_answer_without_a_change() -> None:
    script = typing("", "why elder-1.1 K3", "why", "why Z9", "undo", "nonsense", "99", "0", "1 2", "quit")
    lines: list[str] = []
    end, interactive = session(script, lines)
    assert end is None
    assert len(lines) == 1
    assert interactive.playthrough.choice_count == 0
    for phrase in (
        "elder-1.1 gets as far as", "nothing has been chosen yet", "why what?", "type the number of an option",
        "the options have the numbers 1 to ",
    ):  # fmt: skip
        assert phrase.lower() in script.text.lower(), phrase


def test_undo_at_the_terminal_restores_the_position_and_is_recorded() -> None:
    lines: list[str] = []
    script = typing("1", "1", "undo", "1", "undo", "undo", "undo", "quit")
    _, interactive = session(script, lines)
    assert script.output_lines.count("undone\n") >= 1
    assert interactive.playthrough.choice_count == 0
    fresh = InteractiveGame(tide(), tide().start("1"))
    assert interactive.ask() == fresh.ask()
    assert interactive.playthrough.digest() == fresh.playthrough.digest()
    undone, chosen = (sum(f'"what":"{kind}"' in line for line in lines) for kind in ("undo", "choice"))
    assert undone == chosen > 0
    trial, problems = read_lines(lines)
    assert trial is not None
    assert (trial.choices, problems) == ((), [])


def test_a_session_resumes_where_it_was_left() -> None:
    lines: list[str] = []
    _, left = session(typing("1", "1", "1", "1", "quit"), lines)
    trial, _ = read_lines(lines)
    assert trial is not None
    second_game = InteractiveGame(tide(), tide().start("1"), lines.append)
    assert repeat_choices(second_game, trial) is None
    assert second_game.ask() == left.ask()
    assert second_game.playthrough.digest() == left.playthrough.digest()
    end = GameDisplay(second_game, ["north"], typing_from(greedy_numbers(second_game))).play(seat_players(GREEDY, "1"))
    assert end is not None
    whole, problems = read_lines(lines)
    assert whole is not None
    assert problems == []
    assert first_mismatch(tide(), whole) is None


def test_prompts_have_turn_phase_and_side() -> None:
    script = typing("quit")
    session(script, [])
    assert script.prompts == ["turn 1, foraging, the Northers> "]


# ---------------------------------------------------------------- secrets


@cache
def plotters(option: str) -> Game:
    """Load a game in which each side makes plans that the other does not know, with a layer on it."""
    stack = open_packages((HERE.parent / "constructs" / "toy", HERE / option)).compiled(f"constructs+{option}")
    assert stack.graph is not None, stack.diagnostics
    return game_of(stack.graph)


def plot(*lines: str, option: str = "peek") -> tuple[Script, InteractiveGame]:
    """Play a game of secret plans with two people who type these lines after the first hand-over."""
    game = plotters(option)
    example = next(each for each in game.graph.examples if each.title in {"two plates", "keeping away"})
    interactive = InteractiveGame(game, game.start("1", state=from_position(game.graph, example.position)))
    script = typing("", *lines)
    GameDisplay(interactive, ["red", "blue"], script).play({})
    return script, interactive


def test_nothing_is_shown_before_the_first_player_takes_over() -> None:
    """The other player may sit there when a game begins or is continued; without Enter it is left."""
    first, _ = plot("quit")
    assert first.output_lines[0] == "-- wiped --"
    assert first.prompts[0] == "hand over to red, and press Enter: "
    _, interactive = plot(*PLAN, "quit")
    for second_script in (typing(), typing("quit")):
        assert GameDisplay(interactive, ["red", "blue"], second_script).play({}) is None
        assert (second_script.text, second_script.prompts) == ("-- wiped --", ["hand over to blue, and press Enter: "])
    alone = typing("quit")
    GameDisplay(interactive, ["blue"], alone).play({})
    assert alone.prompts == ["turn 1, planning, blue> "]


def test_no_command_shows_a_secret_of_the_other_side() -> None:
    looks = ["why carry_out", "why P B", "?", ""]
    script, _ = plot(*PLAN, *looks)
    *_, after = script.text.split("-- wiped --")
    assert after.startswith("  -- turn 1, "), "blue has not seen what happened before the screen was cleared"
    assert after.count("blue:") >= 1
    assert not re.search(r"plan \(|goal", after), after
    assert "hand over to blue" in " ".join(script.prompts)


def test_a_refusal_does_not_reveal_a_secret() -> None:
    """A rule depends on red's plan; blue learns only that the option is not open."""
    script, interactive = plot(*PLAN, "why roll Q B", "", option="keeping")
    *_, after = script.text.split("-- wiped --")
    assert after.count("It is not open, and why is not for blue to know.") >= 1
    assert not re.search(r"planned|goal|somebody else", after), after
    assert not any(choice.side == "blue" for choice in interactive.taken_choices)


def test_ask_for_a_side_uses_only_its_knowledge(tmp_path: Path) -> None:
    file = tmp_path / "planned.yaml"
    file.write_text(
        "position: planned\nstack: constructs+keeping\nboard: {rows: [[A, B]]}\n"
        "pieces: [{name: P, type: bead, side: red, at: A}, {name: Q, type: bead, side: blue, at: B}]\n"
        "records: {plan: [{by: red, bead: P, goal: A}]}\n"
    )
    stack = open_packages((HERE.parent / "constructs" / "toy", HERE / "keeping")).compiled("constructs+keeping")
    # For blue, too, it hangs on red's plan: neither answer would be true whatever red has planned.
    for side, refusal in (
        ("", r"hangs on the secret `plan` .*`--as red` or `--as umpire`"),
        ("blue", "for `blue`: it"),
    ):
        with pytest.raises(UsageError, match=refusal):
            ask_about_position(stack, file, "may_roll(Q, A)", depth=3, side=side)
    for side in (UMPIRE, "red"):
        question = ask_about_position(stack, file, "may_roll(Q, A)", depth=3, side=side)
        assert question.answer
        assert question.answer.data["value"] == "forbidden"
        assert "planned-for-others" in question.answer.text.split("Not so:")[0]


def test_a_choice_that_revealed_a_secret_cannot_be_undone() -> None:
    script, interactive = plot(*PLAN, "2", "1", "undo", "2", "undo")
    text = script.text
    assert script.output_lines.count("undone\n") == 1
    assert "this cannot be undone: it has shown something that was secret" in text
    assert interactive.taken_choices[-1].side == "blue"


def test_every_open_option_of_a_large_game_has_its_number() -> None:
    rules = load_scenario("ridge_farm", None).graph
    assert rules is not None
    game = game_of(rules)
    interactive = InteractiveGame(game, game.start("1"))
    decision = interactive.ask()
    assert isinstance(decision, Decision)
    script = typing("1", "quit")
    GameDisplay(interactive, [decision.side], script).play({})
    current_decision = interactive.ask()
    assert isinstance(current_decision, Decision)
    numbers = re.findall(r"(?:^|   )(\d+) ", script.output_lines[-1].replace("\n", "   "))
    assert [int(each) for each in numbers] == [*range(1, len(current_decision.options) + 1)]
