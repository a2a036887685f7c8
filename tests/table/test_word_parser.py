"""Typed lines as players write them: actions by their titles, in any order, whole moves, and open options."""

import re

import pytest

from rulewright import what_would_allow
from rulewright.cli.wrapping import wrapped
from rulewright.errors import UsageError
from rulewright.table.chart import draw_chart
from rulewright.table.dialog import Dialog
from rulewright.table.player_requests import TakeOptions
from rulewright.table.refusal_lines import explain_refusals
from rulewright.table.word_parser import option_phrases, parse_words
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.trial.interactive_game import InteractiveGame
from tests.play.test_piece_options import at, decision, game, movers
from tests.sample import sampled
from tests.table.scripted import Script, nowhere, typing

MILLBROOK = "bridge_at_millbrook"


def dialog(played: Game, playthrough: Playthrough, *lines: str) -> tuple[Dialog, Script]:
    script = typing(*lines)
    return Dialog(InteractiveGame(played, playthrough.copy()), script, nowhere), script


def firing() -> tuple[Game, Playthrough, Decision, list[str]]:
    """Return a decision to fire, with the names of a target and of the only piece that may fire at it."""
    played, playthrough = game(MILLBROOK), at(MILLBROOK, "offer shoot_at_one")
    acts = [act for each in movers(played, playthrough) for act in each.acts if act.action == "shoot_at_one"]
    shots = [{choice.name: choice.value for choice in act.chosen} for act in acts]
    targets = [shot["target"] for shot in shots]
    names = next(shot for shot in shots if targets.count(shot["target"]) == 1)
    sheets = playthrough.state.sheets
    return (
        played,
        playthrough,
        decision(played, playthrough),
        [sheets[names["firers"][0]].name, sheets[names["target"]].name],
    )


@sampled(0)
def test_firer_and_target_are_read_in_any_order() -> None:
    played, playthrough, now, (firer, target) = firing()
    lines = [["fire", firer, target], ["fire", target, firer], ["fire", "at", "one", "unit", target, firer]]
    found = {parse_words(played, playthrough, now, line).indices for line in lines}
    assert len(found) == 1
    assert found != {()}


@sampled(0)
def test_options_against_a_piece_are_listed_separately() -> None:
    played, playthrough, now, (firer, target) = firing()
    table, script = dialog(played, playthrough)
    table.show_piece_options(now, [firer, target])
    assert f"open with {firer}:" in script.text
    assert f"open to German against {target}:" in script.text
    assert f"open with {target}:" not in script.text
    # A piece is not named among its own choices.
    assert f"fire at one unit (target {target}) --" in script.text
    assert f"fire at one unit (firers {firer}) --" in script.text


@sampled(0)
def test_a_refused_line_is_explained_without_identifiers() -> None:
    played, playthrough, now, (firer, _) = firing()
    state = playthrough.state
    far = next(
        sheet.name for piece, sheet in enumerate(state.sheets)
        if state.side[piece] not in ("", now.side) and state.hex[piece] >= 0
        and parse_words(played, playthrough, now, ["fire", firer, sheet.name]).unread_word
    )  # fmt: skip
    table, script = dialog(played, playthrough)
    assert table.parse_line(now, ["fire", firer, far]) is None
    assert f"`fire {firer} {far}` is not open; nothing is done" in script.text
    assert "_" not in script.text.replace(firer, "").replace(far, ""), script.text


@sampled(0)
def test_a_hex_out_of_reach_is_refused_and_not_asked_about() -> None:
    """No question about the target is asked if the firer can hit none of the pieces in the hex."""
    played, playthrough, now, (firer, _) = firing()
    state = playthrough.state
    crowded = next(
        state.board.names[h] for h, here in state.at.items() if len(here) > 1
        and all(state.side[piece] not in ("", now.side) for piece in here)
        and all(
            parse_words(played, playthrough, now, ["fire", firer, state.sheets[piece].name]).unread_word for piece in
            here
        )
    )  # fmt: skip
    table, script = dialog(played, playthrough)
    assert table.parse_line(now, ["fire", firer, crowded]) is None
    assert "several choices" not in script.text
    assert f"`fire {firer} {crowded}` is not open; nothing is done" in script.text


@sampled(0)
def test_a_reason_shared_by_several_actions_is_printed_once() -> None:
    played, playthrough, now, (firer, _) = firing()
    state = playthrough.state
    enemies = (h for h, here in state.at.items() if here and state.side[here[0]] not in ("", now.side))
    fired = ((h, parse_words(played, playthrough, now, ["fire", firer, state.board.names[h]])) for h in enemies)
    far = next(h for h, line in fired if not line.indices)
    found = explain_refusals(played, playthrough, [firer, state.board.names[far]], now.side)
    reports = [(each.sentence.partition(": ")[2], each.details) for each in found.reasons]
    assert len(found.refusals) > 1
    assert len(reports) == len(set(reports))


@sampled(0)
def test_an_auxiliary_rule_is_followed_to_the_printed_rule_behind_it() -> None:
    played, playthrough, now, _ = firing()
    state = playthrough.state
    pieces = [(sheet, state.side[piece]) for piece, sheet in enumerate(state.sheets)]
    rifle = next(sheet.name for sheet, side in pieces if side == now.side and sheet.counter.endswith("rifle"))
    tank = next(
        sheet.name for sheet, side in pieces if side != now.side and sheet.counter.startswith(("m4", "pz4", "stug"))
    )
    lines = explain_refusals(played, playthrough, ["fire", rifle, tank], now.side).lines
    place = next(place for place, line in enumerate(lines) if "by strength [house]" in line)
    assert any("by weapon-effect [" in line for line in lines[place:])


def test_actions_later_in_the_phase_are_announced() -> None:
    played = game(MILLBROOK)
    playthrough = at(MILLBROOK, "offer order_fire")
    now = decision(played, playthrough)
    gun = next(
        sheet.name
        for p, sheet in enumerate(playthrough.state.sheets)
        if sheet.counter == "pak75" and playthrough.state.hex[p] >= 0
    )
    for line in (["why", gun], ["why", "fire", "at", "one", "unit", gun], ["fire", gun, "1004"]):
        table, script = dialog(played, playthrough)
        table.parse_line(now, line)
        assert "Later in this phase:" in script.text, line
        assert "Fire at one unit" in script.text
        assert "order indirect fire is open" not in script.text
        assert "shoot_at" not in script.text


def test_an_action_with_one_choice_left_names_it() -> None:
    played, playthrough, now, _ = firing()
    table, script = dialog(played, playthrough)
    table.show(now)
    listed = [line for line in script.text.splitlines() if "fire at" in line]
    assert listed
    assert all(": " in line for line in listed), script.text


@sampled(0)
def test_actions_are_listed_by_title() -> None:
    played, playthrough, now, _ = firing()
    table, script = dialog(played, playthrough)
    table.show(now)
    assert not re.search(r"[a-z]+_(at|a|of)_", script.text)
    assert "fire at one unit" in script.text
    assert option_phrases(played, playthrough, now)[0] in script.text


def test_a_move_to_a_far_hex_takes_the_whole_path() -> None:
    played, playthrough = game("before_the_tide"), at("before_the_tide", "offer walk")
    now = decision(played, playthrough)
    each = next(each for each in movers(played, playthrough) if len(each.hexes[-1].route) > 1)
    name, there = playthrough.state.sheets[each.piece].name, playthrough.state.board.names[each.hexes[-1].hex]
    table, script = dialog(played, playthrough)
    wish = table.parse_line(now, ["move", name, there])
    assert isinstance(wish, TakeOptions)
    assert f"{name} goes" in script.text
    assert "left" in script.text
    copied = playthrough.copy()
    for index in wish.options:
        played.apply(copied, decision(played, copied), index)
    played.advance(copied)
    assert copied.state.board.names[copied.state.hex[each.piece]] == there


def test_open_and_what_would_allow_print_answers() -> None:
    played, playthrough = game("before_the_tide"), at("before_the_tide", "offer walk")
    now = decision(played, playthrough)
    each = next(each for each in movers(played, playthrough) if each.hexes)
    name, far = playthrough.state.sheets[each.piece].name, playthrough.state.board.names[-1]
    table, script = dialog(played, playthrough)
    table.parse_line(now, ["open", name])
    assert f"{name} can get to:" in script.text
    assert "1 step, " in script.text
    table.parse_line(now, ["what", "would", "allow", name, far])
    assert "looked at: " in script.text


def test_places_that_one_action_reaches_are_not_listed_as_steps() -> None:
    played, playthrough = game("first_snow"), at("first_snow", "offer march")
    table, script = dialog(played, playthrough)
    table.parse_line(decision(played, playthrough), ["open", "foot-1.1"])
    assert "foot-1.1 can get to:\n  A4, A5, A6," in script.text
    assert "step" not in script.text.partition("can get to:")[2].splitlines()[1]


def test_the_map_without_colors_shows_sides_and_paths() -> None:
    state = at(MILLBROOK, "offer shoot_at_one").state
    wide, narrow = draw_chart(state, 160).plain, draw_chart(state, 80).plain
    assert "=" in wide
    assert "ALLIED" in wide or "GERMAN" in wide
    assert all(len(line) <= 80 for line in narrow.splitlines()[:-4])
    assert not re.search(r"\d{8}", narrow)


def test_lines_are_broken_between_phrases() -> None:
    text = (
        "  open: fire at one unit (target m4-1.1, firers pak75-1.1), then fire at a whole hex, then nothing of the kind"
    )
    lines = wrapped(text, 60).splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert " ".join(line.strip() for line in lines) == text.strip()
    assert lines[0].endswith(",")
    assert wrapped("x" * 90, 60) == "x" * 90


def test_a_line_of_two_actions_lists_lines_that_can_be_typed() -> None:
    """An army reaches the next hex on foot and by train: each line that is listed is understood as it stands."""
    played = game("first_snow")
    playthrough = played.start("5")
    now = played.advance(playthrough)
    assert isinstance(now, Decision)
    table, script = dialog(played, playthrough)
    assert table.parse_line(now, ["foot-1.1", "D6"]) is None
    first, *lines = re.sub(r"\n(?!  )", "", script.text.strip()).splitlines()
    assert first == "nothing is done: `foot-1.1` can mean several choices; type one of these:"
    assert len(lines) == 2
    assert all(isinstance(table.parse_line(now, line.split()), TakeOptions) for line in lines)


@sampled(0)
def test_what_would_allow_an_unknown_word_is_refused() -> None:
    """Nothing is known to be refused, which is not the same as that nothing is."""
    played, playthrough, _, (firer, target) = firing()
    with pytest.raises(UsageError, match="no action that is offered now takes all of `xyzzy"):
        what_would_allow(played, playthrough, ["xyzzy", target])
    assert what_would_allow(played, playthrough, ["fire", firer, target])["refused"] == []
