"""Options read from typed lines: by name, number, piece or hex; a line is read whole or refused."""

from functools import cache
from pathlib import Path

import pytest

from rulewright.games import load_card
from rulewright.table.option_reader import UnreadReason, read_choice
from runtime.answer.interpreter import Interpreter
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import END, STOP, TAKE, Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from tests.sample import sampled
from tests.situations.pier import CARD, FAR, package
from tests.toys.hares import hares


@cache
def game() -> Game:
    return Game(hares(), Interpreter(hares()))


def at(question: str, seed: str = "a") -> tuple[Playthrough, Decision]:
    """Play at random to the first decision on a question."""
    playthrough = game().start(seed)
    seats = seat_players(dict.fromkeys(("red", "blue"), PLAYERS["random"]), seed)
    while isinstance(now := game().advance(playthrough), Decision):
        if now.question == question:
            return playthrough, now
        game().apply(playthrough, now, choose_option(game(), playthrough, now, seats))
    raise AssertionError(f"nobody is asked {question}")


def after(playthrough: Playthrough, indices: tuple[int, ...]) -> Playthrough:
    """Apply options to a copy."""
    copied = playthrough.copy()
    for index in indices:
        now = game().advance(copied)
        assert isinstance(now, Decision)
        game().apply(copied, now, index)
    game().advance(copied)
    return copied


@sampled(0)
def test_every_option_has_its_label_and_its_number() -> None:
    playthrough = game().start("b")
    seats = seat_players(dict.fromkeys(("red", "blue"), PLAYERS["greedy"]), "b")
    named = 0
    while isinstance(now := game().advance(playthrough), Decision):
        before = playthrough.digest()
        for index, label in enumerate(option_labels(playthrough.state, game().programs.entries, now)):
            if now.options[index].kind in (END, STOP) or now.question.endswith((".line", ".chasers")):
                continue  # Sets include their end.
            assert read_choice(game(), playthrough, now, [label]).indices == (index,)
            assert read_choice(game(), playthrough, now, [str(index + 1)]).indices == (index,)
            named += 1
        assert playthrough.digest() == before
        game().apply(playthrough, now, choose_option(game(), playthrough, now, seats))
    assert named > 50


def test_a_piece_and_a_hex_select_an_action() -> None:
    playthrough, now = at("offer hop, pounce")
    line = read_choice(game(), playthrough, now, ["red_hare-1.1", "B3"])
    assert line.unread_word == ""
    hare = next(p for p, sheet in enumerate(playthrough.state.sheets) if sheet.name == "red_hare-1.1")
    then = after(playthrough, line.indices)
    assert then.state.board.names[then.state.hex[hare]] == "B3"
    assert read_choice(game(), playthrough, now, ["hop", "red_hare-1.1", "B3"]).indices == line.indices
    assert read_choice(game(), playthrough, now, ["HOP", "Red_Hare-1.1", "b3"]).indices == line.indices


def test_a_hex_selects_the_piece_on_it() -> None:
    playthrough, now = at("hop.mover")
    place = playthrough.state.board.names[playthrough.state.hex[now.options[0].value]]
    assert read_choice(game(), playthrough, now, [place]).indices[:1] == (0,)


def test_a_counter_selects_any_of_its_waiting_pieces() -> None:
    playthrough, now = at("deploy.u")
    assert read_choice(game(), playthrough, now, ["red_hare", "A1"]).indices == (0, 0)


def test_a_counter_of_different_pieces_is_ambiguous() -> None:
    playthrough, now = at("hop.mover")
    line = read_choice(game(), playthrough, now, ["red_hare"])
    assert (line.unread_word, line.reason) == ("red_hare", UnreadReason.AMBIGUOUS)
    assert line.meanings == ("red_hare-1.1", "red_hare-1.2", "red_hare-1.3")


@pytest.mark.parametrize("words", [["E4"], ["red_hare-1.1", "Z9"], ["999"], ["hop", "red_hare-1.1", "B3", "Z9"], ["0"]])
def test_a_line_is_read_whole_or_refused(words: list[str]) -> None:
    playthrough, now = at("offer hop, pounce")
    before = playthrough.digest()
    line = read_choice(game(), playthrough, now, words)
    assert line.unread_word in words
    assert line.indices == ()
    assert playthrough.digest() == before


@pytest.mark.parametrize("word", [".", "end", "done", "pass"])
def test_several_words_end_an_offer(word: str) -> None:
    playthrough, now = at("offer hop, pounce")
    (index,) = read_choice(game(), playthrough, now, [word]).indices
    assert now.options[index].kind == END


def test_a_line_stops_before_a_decision_of_another_side() -> None:
    playthrough, now = at("bluff.hides")
    line = read_choice(game(), playthrough, now, ["yes", "yes"])
    assert (line.unread_word, line.reason) == ("yes", "blue chooses before that")


HOPPING = """
track bead.hops: 0..3 = 0 until end of own_turn
action wander by player [house] "Hop on." {
  choose b from {b in all bead where b.side = player and b.hops = 0}
  offer hop(b) until yes
}
action hop(b: bead) by player [house] "Hop." {
  legal b.hops < 2
  choose to from neighbors(b.hex)
  set b.hops to b.hops + 1
  move b to to
}
"""


def shore(tmp_path: Path, rules: str, offers: str) -> Game:
    """Make a game of three red pieces and a blue one on a shore, with additional rules and these offers in a turn."""
    forces = "forces:\n  - {side: red, placed: [{unit: bob, at: N-A1}, {unit: bob, at: N-B1}, {unit: bob, at: N-C1}]}\n"
    text = CARD[: CARD.index("forces:")] + forces + "  - {side: blue, placed: [{unit: tom, at: N-C3}]}\n"
    package(tmp_path, card_yaml=text + CARD[CARD.index("victory:") :], far_yaml=FAR, pier__more_rules=rules)
    rules_file = tmp_path / "pier" / "pier.rules"
    rules_file.write_text(rules_file.read_text().replace('"Idle" {}', f'"Idle" {{ offer {offers} until yes }}'))
    loaded = load_card("outing", None, [tmp_path]).graph
    assert loaded is not None
    return Game(loaded, Interpreter(loaded))


@pytest.mark.parametrize(
    ("line", "stands"),
    [
        ("bob-1.1 N-A2 .", "offer wander"),
        ("bob-1.1 N-A2 N-A3 .", "offer wander"),  # No further hop was open, so the word ends nothing else.
        ("bob-1.1 N-A2 N-A3 . .", "offer wander, or the other side"),
        ("bob-1.1 N-A2 . .", "offer wander, or the other side"),
    ],
)
def test_an_end_word_after_an_automatic_end_is_consumed(tmp_path: Path, line: str, stands: str) -> None:
    shore_rules = shore(tmp_path, HOPPING, "wander")
    playthrough = shore_rules.start("x")
    now = shore_rules.advance(playthrough)
    assert isinstance(now, Decision)
    read_line = read_choice(shore_rules, playthrough, now, line.split())
    assert read_line.unread_word == ""
    for index in read_line.indices:
        now = shore_rules.advance(playthrough)
        assert isinstance(now, Decision)
        shore_rules.apply(playthrough, now, index)
    then = shore_rules.advance(playthrough)
    assert isinstance(then, Decision)
    assert (then.question, then.side) == ("offer wander", "blue" if "other" in stands else "red")


HAILING = """
relation hails(caller: bead, heard: bead) one caller
action amble by player [house] "Go on." {
  choose b from {b in all bead where b.side = player}
  choose to from neighbors(b.hex)
  move b to to
}
action hail by player [house] "Hail." {
  choose c from {c in all bead where c.side = player}
  choose b from {b in all bead where b.side = player and b != c and b has no caller}
  relate hails(c, b)
}
"""


@pytest.mark.parametrize(
    ("line", "stuck", "actions"),
    [
        ("bob-1.1 N-A2", "", ["amble"]),
        ("bob-1.1 bob-1.2", "", ["hail"]),
        ("bob-1.1 N-A2 N-A3", "", ["amble", "amble"]),
        ("bob-1.1", "bob-1.1", []),
    ],
)
def test_the_action_that_reads_the_whole_line_is_selected(
    tmp_path: Path, line: str, stuck: str, actions: list[str]
) -> None:
    shore_rules = shore(tmp_path, HAILING, "amble, hail")
    playthrough = shore_rules.start("x")
    now = shore_rules.advance(playthrough)
    assert isinstance(now, Decision)
    found = read_choice(shore_rules, playthrough, now, line.split())
    assert found.unread_word == stuck
    action_names = []
    for index in found.indices:
        now = shore_rules.advance(playthrough)
        assert isinstance(now, Decision)
        action_names += [now.options[index].name] if now.options[index].kind == TAKE else []
        shore_rules.apply(playthrough, now, index)
    assert action_names == actions
