"""Positions are written to a file and read again without loss; errors in position files have their places."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from compiler.question import type_question
from compiler.report.diagnose import diagnose
from compiler.report.render.line import diagnostic_line
from compiler.source import nodes as source
from compiler.source.package import read_document
from runtime.graph import nodes as graph
from runtime.state.setup import from_position
from runtime.witness import candidate as changes
from runtime.witness.candidate import MOST_HEXES
from runtime.witness.position_file import ask_text, position_file
from runtime.witness.snapshot import position_of
from runtime.witness.translated_position import readable_position
from tests.analysis.planted import Planted, planted

WORDS = """
measure MP "point"
side north, south
enum mood: calm, 'all right'
scale odds: '1-2' = -1, '1-1' = 0, 'even' = 1
kind cart has speed: 0..12 MP, mood: mood
kind hut
trait cart: wheeled
feature hex: bog, knoll
feature hexside: hedge
path lane
place indoors of hut
status cart: dizzy
status hex: smoky
record step {from: hex, to: hex, paid: 0..12 MP}
record plan {carts: set of cart, aim: hex}
track cart.path: list of step
track cart.odds: odds
track cart.home: hex
track hex.owner: side
track side.stores: 0..9 = 0
track side.allies: set of side
track scenario.frost: yes_no = no
track game.crowd: set of side
relation hauls(hauler: cart, load: cart) one hauler keeps since: 1..9
value price(mover: cart, plan: plan, odds: odds, homes: set of hex): 0..99
rule any-price "One." price is 1
"""


def compile_words(folder: Path) -> Planted:
    """Compile the words."""
    manifest = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    return planted({"layer.yaml": manifest, "words.rules": WORDS}, folder)


def position_with_all_parts() -> graph.Position:
    """Return a position with every kind of part: marks, paths, notes, pairs, facts, records, tracks."""
    here, there = graph.Spot("hex", "A"), graph.Spot("hex", "B")
    step = graph.New("step", (("from", here), ("to", there), ("paid", graph.Num(graph_half(), "MP"))))
    setting = changes.empty_candidate("planted", "north", "", ["A", "B", "C"], width=MOST_HEXES)
    setting = changes.with_feature(setting, "B", "bog", present=True)
    setting = changes.with_feature(setting, "B", "knoll", present=True)
    setting = changes.with_side(setting, ("A", "B"), "hedge", present=True)
    setting = changes.with_path(setting, "lane", ("A", "B"), present=True)
    setting = changes.with_path(setting, "lane", ("B", "C"), present=True)
    printed = (("speed", graph.Num(graph_half(), "MP")), ("mood", graph.Member("mood", "all right")))
    notes = (("path", graph.SetOf((step, step))), ("odds", graph.Place("odds", "1-2", -1)), ("home", there))
    cart = graph.PieceAt("Mover", "cart", "", "north", "A", "", printed, ("wheeled",), ("dizzy",), notes)
    setting = changes.with_piece(setting, cart)
    setting = changes.with_piece(setting, replace(cart, name="Load", at="", marks=(), traits=(), tracks=()))
    setting = changes.with_pair(setting, "hauls", "Mover", "Load", graph.Num(graph_half() * 4, ""))
    setting = changes.with_hex_mark(setting, "C", "smoky", present=True)
    setting = changes.with_hex_note(setting, "C", "owner", graph.Member("side", "south"))
    setting = changes.with_fact(setting, "scenario.frost", graph.Truth(value=True))
    setting = changes.with_fact(setting, "game.crowd", graph.SetOf((graph.Member("side", "south"),)))
    setting = changes.with_fact(setting, "north.stores", graph.Num(Fraction(3), ""))
    setting = changes.with_fact(setting, "south.allies", graph.SetOf((graph.Member("side", "north"),)))
    plan = graph.New("plan", (("carts", graph.SetOf((graph.Spot("piece", "Mover"),))), ("aim", there)))
    return changes.with_clock(changes.with_record(setting, plan), "turn", 3).position


def graph_half() -> Fraction:
    """Return one half."""
    return Fraction(1, 2)


@pytest.mark.parametrize(("odds", "place"), [("1-2", -1), ("even", 1)])
def test_a_position_with_all_parts_is_read_back(odds: str, place: int, tmp_path: Path) -> None:
    stack = compile_words(tmp_path)
    position = position_with_all_parts()
    plan = graph.New("plan", (("carts", graph.SetOf((graph.Spot("piece", "Mover"),))), ("aim", graph.Spot("hex", "A"))))
    arguments = (
        graph.Spot("piece", "Mover"),
        plan,
        graph.Place("odds", odds, place),
        graph.SetOf((graph.Spot("hex", "B"),)),
    )
    file = tmp_path / "position.yaml"
    file.write_text(position_file(position, stack.graph.vocabulary))
    read, problems = read_document(file, source.Position)
    assert read is not None, problems
    question = type_question(
        stack.typed.env, stack.library.boards, read, ask_text(stack.graph.terms["price"], arguments)
    )
    assert question.problems == ()
    assert question.expression == graph.Ask("price", arguments)
    found = question.position
    assert found.board.hexes == position.board.hexes
    assert found.board.sides == position.board.sides
    assert sorted(found.board.paths) == sorted(position.board.paths)
    assert found.pieces == position.pieces
    assert sorted(map(repr, found.facts)) == sorted(map(repr, position.facts))
    left = replace(found, board=position.board, facts=position.facts, name=position.name)
    assert left == position
    state = from_position(stack.graph, found)
    assert state.records["plan"]
    assert state.tracks["side.stores"]["north"] == 3
    read_back_position = position_of(state, found)
    assert read_back_position is not None
    assert {each for each in read_back_position.facts if each[0].startswith(("north", "south"))} == {
        each for each in position.facts if each[0].startswith(("north", "south"))
    }


PLAIN = """position: plain
stack: planted
game: {turn: 2}
board: {rows: [[A, B]]}
pieces:
  - {name: C, type: cart, side: north, at: A, dizzy: yes, wheeled: no}
hexes: {B: {smoky: yes}}
sides: {south: {stores: 2}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("dizzy: yes", "dizzy: 3", "6:54: error R0601: expected yes or no for `dizzy`, found `3`"),
        ("wheeled: no", "wheeled: nope", "6:68: error R0601: expected yes or no for `wheeled`, found `nope`"),
        ("smoky: yes", "smoky: very", "7:20: error R0601: expected yes or no for `smoky`, found `very`"),
        ("stores: 2", "stores: 12", "8:25: error R0601: expected a number in 0..9 for `stores`, found `12`"),
        ("south: {", "sout: {", "8:9: error R0201: there is no side `sout` (did you mean `south`?)"),
        ("stores: 2", "store: 2", "8:17: error R0201: a side has no track `store` (did you mean `stores`?)"),
        ("turn: 2", "turn: two", "3:14: error R0601: expected a number in 0..1000 for `turn`, found `two`"),
        ("turn: 2", "turn: 1.5", "3:14: error R0601: expected a whole number of 0..1000 for `turn`, found `1.5`"),
    ],
)
def test_errors_in_position_files_have_places(old: str, new: str, message: str, tmp_path: Path) -> None:
    stack = compile_words(tmp_path)
    lines: list[list[str]] = []
    for text in (PLAIN, PLAIN.replace(old, new)):
        file = tmp_path / "position.yaml"
        file.write_text(text)
        read, problems = read_document(file, source.Position)
        assert read is not None, problems
        question = type_question(stack.typed.env, stack.library.boards, read, "C is dizzy")
        lines.append([diagnostic_line(each) for each in diagnose(question.problems, {})])
    assert lines[0] == []
    assert len(lines[1]) == 1
    assert message in lines[1][0]


def test_pieces_beyond_the_limit_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "position.yaml"
    more = "".join(f"  - {{name: C{number}, type: cart}}\n" for number in range(1_500))
    file.write_text(PLAIN.replace("hexes:", f"{more}hexes:"))
    read, problems = read_document(file, source.Position)
    assert read is not None
    assert len(read.pieces) == 1_000
    assert [diagnostic_line(each) for each in diagnose(problems, {})] == [
        f"{file.as_posix()}:1006:5: error R0121: there are more than 1,000 pieces (reduce them to at most 1,000)"
    ]


def test_pieces_get_names_that_the_language_can_read() -> None:
    board = graph.Board("plain", {"A": (0, 0, ()), "B1": (1, 0, ())}, (), (), {})
    pieces = [
        graph.PieceAt(name, "mine", "", "red", "A", "", (), (), (), ()) for name in ("mine-2", "mine2", "B1", "3")
    ]
    pair = ("guards", "mine-2", "B1", None)
    position = graph.Position("p", "mines", board, tuple(pieces), (), (), (), (pair,), 1, "red", "")
    position_text, names = readable_position(position)
    assert names == {"mine-2": "mine2_1", "B1": "B1_1", "3": "Piece3"}
    assert [piece.name for piece in position_text.pieces] == ["mine2_1", "mine2", "B1_1", "Piece3"]
    assert position_text.pairs == (("guards", "mine2_1", "B1_1", None),)
