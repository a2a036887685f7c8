"""Whole sessions at the terminal: every command, undo, resumption, and secrets of the other side."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.errors import UsageError
from rulewright.games import game_of, load_scenario
from rulewright.journal import create_journal, reopen_journal
from rulewright.library.stacks import open_packages
from rulewright.position_questions import UMPIRE, ask_about_position
from rulewright.table.game_display import GameDisplay, copy_to
from rulewright.table.option_lines import option_text
from rulewright.table.option_reader import read_choice
from rulewright.table.word_parser import parse_words
from runtime.play.game import FinishedGame, Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state.setup import from_position
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.replay import first_mismatch, repeat_choices
from runtime.trial.trial_lines import decode_trial as read_lines
from tests.table.scripted import Script, nowhere, typing, typing_from

HERE = Path(__file__).parent
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
    return GameDisplay(interactive, humans.split(), script, nowhere).play(seat_players(GREEDY, seed)), interactive


def greedy_labels(interactive_of: list[InteractiveGame]) -> Iterator[str]:
    """Yield the labels of the options that the greedy player chooses."""
    while True:
        interactive = interactive_of[0]
        now = interactive.ask()
        assert isinstance(now, Decision)
        index = choose_option(interactive.game, interactive.playthrough, now, seat_players(GREEDY, "1"))
        yield option_labels(interactive.playthrough.state, interactive.game.programs.entries, now)[index]


def test_typed_greedy_choices_give_the_greedy_game() -> None:
    game = tide()
    lines: list[str] = []
    interactive = InteractiveGame(game, game.start("1"), lines.append)
    interactive.write_heading({"north": "human", "south": "greedy"}, "1")
    end = GameDisplay(interactive, ["north"], typing_from(greedy_labels([interactive])), nowhere).play(
        seat_players(GREEDY, "1")
    )
    playthrough = game.start("1")
    while isinstance(now := game.advance(playthrough), Decision):
        game.apply(playthrough, now, choose_option(game, playthrough, now, seat_players(GREEDY, "1")))
    assert end == now
    trial, problems = read_lines(lines)
    assert trial is not None
    assert problems == []
    assert first_mismatch(game, trial) is None


def test_every_query_command_answers_without_a_change() -> None:
    looks = (
        "|?|help|why elder-1.1 K3|why|look A3|look elder-1.1|look|look Z9|units|units south|units west|map|map A3|notes"
        "|log|log all|list|hint|undo|nonsense|elder-1.1 Z9|draw|save|wlak"
    )
    script = typing(*looks.split("|"))
    lines: list[str] = []
    end, interactive = session(script, lines)
    assert end is None
    assert len(lines) == 1
    assert interactive.playthrough.choice_count == 0
    for phrase in (
        "undo your last", "elder-1.1 gets as far as", "A3: the north beach", "elder-1.1: elder, the Northers",
        "no side `west` plays here", "there is no hex or piece `Z9`", "the greedy player would take",
        "the Northers: landed 0",
        "nothing has been chosen yet", "`nonsense` is not open", "draw into which file", "did you mean walk?",
    ):  # fmt: skip
        assert phrase.lower() in script.text.lower(), phrase
    assert "Traceback" not in script.text


def test_undo_at_the_terminal_restores_the_position_and_is_recorded() -> None:
    lines: list[str] = []
    script = typing("walk elder-1.1", "undo", "elder-1.1", "undo", "undo", "undo", "quit")
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
    _, left = session(typing("auto", "auto", "quit"), lines)
    trial, _ = read_lines(lines)
    assert trial is not None
    second_game = InteractiveGame(tide(), tide().start("1"), lines.append)
    assert repeat_choices(second_game, trial) is None
    assert second_game.ask() == left.ask()
    assert second_game.playthrough.digest() == left.playthrough.digest()
    script = typing_from(iter(["auto"] * 50))
    end = GameDisplay(second_game, ["north"], script, nowhere).play(seat_players(GREEDY, "1"))
    assert end is not None
    whole, problems = read_lines(lines)
    assert whole is not None
    assert problems == []
    assert first_mismatch(tide(), whole) is None


def test_a_game_is_saved_and_drawn_to_named_files(tmp_path: Path) -> None:
    journal = create_journal(tmp_path / "a.trial")
    interactive = InteractiveGame(tide(), tide().start("1"), journal.write)
    interactive.write_heading({"north": "human", "south": "greedy"}, "1")
    commands = ("save b.trial", "save b.trial", "draw b.svg", "draw b.trial/b.svg", "draw b.gif")
    lines = [each.replace(" ", f" {tmp_path}/") for each in commands]
    script = typing("auto", *lines, "quit")
    GameDisplay(interactive, ["north"], script, lambda to: copy_to(journal.file, to)).play(seat_players(GREEDY, "1"))
    journal.close()
    saved, _, _ = reopen_journal(tmp_path / "b.trial")
    saved.close()
    assert (tmp_path / "b.trial").read_bytes() == journal.file.read_bytes()
    assert (tmp_path / "b.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "b.trial: File exists" in script.text.replace("\n", "")
    assert "b.trial/b.svg: Not a directory" in script.text.replace("\n", "")
    assert "pictures are .svg or .png" in script.text.replace("\n", "")


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
    GameDisplay(interactive, ["red", "blue"], script, nowhere).play({})
    return script, interactive


def test_nothing_is_shown_before_the_first_player_takes_over() -> None:
    """The other player may sit there when a game begins or is continued; without Enter it is left."""
    first, _ = plot("quit")
    assert first.output_lines[0] == "-- wiped --"
    assert first.prompts[0] == "hand over to red, and press Enter: "
    _, interactive = plot("make_plan B", ".", ".", "", "quit")
    for second_script in (typing(), typing("quit")):
        assert GameDisplay(interactive, ["red", "blue"], second_script, nowhere).play({}) is None
        assert (second_script.text, second_script.prompts) == ("-- wiped --", ["hand over to blue, and press Enter: "])
    alone = typing("quit")
    GameDisplay(interactive, ["blue"], alone, nowhere).play({})
    assert alone.prompts == ["turn 1, planning, blue> "]


def test_no_command_shows_a_secret_of_the_other_side() -> None:
    looks = ["log all", "list", "units", "look A", "look P", "map", "why carry_out", "hint", "?", ""]
    script, _ = plot("make_plan B", ".", ".", "", *looks)
    *_, after = script.text.split("-- wiped --")
    assert after.startswith("  -- turn 1\n"), "blue has not seen what happened before the screen was cleared"
    assert after.count("blue:") >= 1
    assert not re.search(r"plan \(|goal", after), after
    assert "hand over to blue" in " ".join(script.prompts)


def test_a_refusal_does_not_reveal_a_secret() -> None:
    """A rule depends on red's plan; blue learns only that the option is not open."""
    script, interactive = plot("make_plan B", ".", ".", "", "why roll Q B", "roll Q B", "", option="keeping")
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
    script, interactive = plot("make_plan B", ".", ".", "", "peek A", "undo", "peek B", "undo")
    text = script.text
    assert script.output_lines.count("undone\n") == 1
    assert "this cannot be undone: it has shown something that was secret" in text
    assert interactive.taken_choices[-1].side == "blue"


def test_words_are_read_among_the_options_of_the_side() -> None:
    game = plotters("peek")
    _, interactive = plot("make_plan B", ".", ".", "")
    now = interactive.ask()
    assert isinstance(now, Decision)
    assert now.side == "blue"
    assert read_choice(game, interactive.playthrough, now, ["carry_out"]).unread_word == "carry_out"


def test_the_only_open_action_may_be_named_by_a_word_or_its_phrase() -> None:
    """It begins without a decision, and so the first word names no option."""
    rules = load_scenario("before_winter", None).graph
    assert rules is not None
    game = game_of(rules)
    playthrough = game.start("1")
    now = game.advance(playthrough)
    assert isinstance(now, Decision)
    card = option_labels(playthrough.state, game.programs.entries, now)[1]
    expected = parse_words(game, playthrough, now, [card])
    assert expected.indices == (1,)
    phrase = option_text(game.programs.entries[playthrough.calls[-1].key].procedure)
    for action in ("play", "play_card", phrase, phrase.upper()):
        assert parse_words(game, playthrough, now, [*action.split(), card]) == expected
    assert parse_words(game, playthrough, now, ["feasting", card]).unread_word


def test_a_hint_can_be_typed() -> None:
    script = typing("hint", "quit")
    _, interactive = session(script, [])
    hint_text = script.text.split("the greedy player would take: ")[1].splitlines()[0].split()
    now = interactive.ask()
    assert isinstance(now, Decision)
    found = parse_words(tide(), interactive.playthrough, now, hint_text)
    assert not found.unread_word
    assert len(found.indices) > 1


def test_list_names_every_piece() -> None:
    script = typing("list", "quit")
    rules = load_scenario("ridge_farm", None).graph
    assert rules is not None
    game = game_of(rules)
    playthrough = game.start("1")
    seats = seat_players(dict.fromkeys(("german", "russian"), PLAYERS["greedy"]), "1")
    while isinstance(now := game.advance(playthrough), Decision) and playthrough.state.phase == "deployment":
        game.apply(playthrough, now, choose_option(game, playthrough, now, seats))
    assert isinstance(now, Decision)
    GameDisplay(InteractiveGame(game, playthrough), [now.side], script, nowhere).play(seats)
    short, whole = (each for each in script.output_lines if each.lstrip().startswith("1  destroy a unit"))
    own_pieces = [
        sheet.name for piece, sheet in enumerate(playthrough.state.sheets) if playthrough.state.side[piece] == now.side
    ]
    assert " more" in short
    assert " more" not in whole
    assert all(name in whole for name in own_pieces)
