"""What is typed is what is taken: by name, by number, by piece and hex, whole lines or not at all."""

from functools import cache

import pytest

from rulewright.table.reading import read
from runtime.answer.interpreter import Interpreter
from runtime.play.choices import END, STOP, Decision
from runtime.play.course import Course
from runtime.play.game import Game
from runtime.play.labels import labels
from runtime.players.named import PLAYERS
from runtime.players.player import answer, seat
from tests.toys.hares import hares


@cache
def game() -> Game:
    return Game(hares(), Interpreter(hares()))


def at(question: str, seed: str = "a") -> tuple[Course, Decision]:
    """Play at random until something is asked."""
    course = game().start(seed)
    seats = seat(dict.fromkeys(("red", "blue"), PLAYERS["random"]), seed)
    while isinstance(now := game().advance(course), Decision):
        if now.question == question:
            return course, now
        game().apply(course, now, answer(game(), course, now, seats))
    raise AssertionError(f"nobody is asked {question}")


def after(course: Course, indices: tuple[int, ...]) -> Course:
    """Take options on a copy."""
    twin = course.copy()
    for index in indices:
        now = game().advance(twin)
        assert isinstance(now, Decision)
        game().apply(twin, now, index)
    game().advance(twin)
    return twin


def test_every_option_can_be_named_by_its_label_and_by_its_number() -> None:
    course = game().start("b")
    seats = seat(dict.fromkeys(("red", "blue"), PLAYERS["greedy"]), "b")
    named = 0
    while isinstance(now := game().advance(course), Decision):
        before = course.digest()
        for index, label in enumerate(labels(course.state, game().programs.of, now)):
            if now.options[index].what in (END, STOP) or now.question.endswith((".line", ".chasers")):
                continue  # Sets take their stop along.
            assert read(game(), course, now, [label]).indices == (index,)
            assert read(game(), course, now, [str(index + 1)]).indices == (index,)
            named += 1
        assert course.digest() == before
        game().apply(course, now, answer(game(), course, now, seats))
    assert named > 50


def test_a_piece_and_a_hex_are_enough() -> None:
    course, now = at("offer hop, pounce")
    line = read(game(), course, now, ["red_hare-1.1", "B3"])
    assert line.stuck == ""
    hare = next(p for p, sheet in enumerate(course.state.sheets) if sheet.name == "red_hare-1.1")
    then = after(course, line.indices)
    assert then.state.board.names[then.state.hex[hare]] == "B3"
    assert read(game(), course, now, ["hop", "red_hare-1.1", "B3"]).indices == line.indices
    assert read(game(), course, now, ["HOP", "Red_Hare-1.1", "b3"]).indices == line.indices


def test_a_hex_names_who_stands_there() -> None:
    course, now = at("hop.mover")
    place = course.state.board.names[course.state.hex[now.options[0].value]]
    assert read(game(), course, now, [place]).indices[:1] == (0,)


def test_waiting_pieces_of_a_kind_are_alike() -> None:
    course, now = at("deploy.u")
    assert read(game(), course, now, ["red_hare", "A1"]).indices == (0, 0)


def test_pieces_that_differ_are_asked_for() -> None:
    course, now = at("hop.mover")
    line = read(game(), course, now, ["red_hare"])
    assert (line.stuck, line.why) == ("red_hare", "which")
    assert line.near == ("red_hare-1.1", "red_hare-1.2", "red_hare-1.3")


@pytest.mark.parametrize("words", [["E4"], ["red_hare-1.1", "Z9"], ["999"], ["hop", "red_hare-1.1", "B3", "Z9"], ["0"]])
def test_a_line_is_taken_whole_or_not_at_all(words: list[str]) -> None:
    course, now = at("offer hop, pounce")
    before = course.digest()
    line = read(game(), course, now, words)
    assert line.stuck in words
    assert line.indices == ()
    assert course.digest() == before


@pytest.mark.parametrize("word", [".", "end", "done", "pass"])
def test_an_offer_ends_in_many_words(word: str) -> None:
    course, now = at("offer hop, pounce")
    (index,) = read(game(), course, now, [word]).indices
    assert now.options[index].what == END


def test_no_line_reads_past_what_another_chooses() -> None:
    course, now = at("bluff.hides")
    line = read(game(), course, now, ["yes", "yes"])
    assert (line.stuck, line.why) == ("yes", "blue chooses before that")
