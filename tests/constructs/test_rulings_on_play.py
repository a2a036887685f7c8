"""Rulings on actions, resolutions, phases and hooks: named, checked, protected, and printed beside them."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from rulewright.explain.views.name_pages import named_pages
from runtime.graph import nodes as graph
from runtime.mutation.targets import measure_protection
from tests.analysis.planted import compiled, library_of
from tests.books.site import write_book

GAME = """
side north, south
kind cart has speed: 0..9
status cart: dizzy
event rolled(mover: cart)
action roll by player in movement "Roll on." {
  choose mover from {c in all cart where c.side = player}
  choose to from neighbors(mover.hex)
  move mover to to
  tell rolled(mover)
}
after rolled(mover) [T.1] "Rolling makes dizzy." { mark mover as dizzy }
sequence game {
  each player in {north, south} {
    phase movement "Movement" { offer roll until yes }
    phase rest "Rest" { for each c in all cart { unmark c as dizzy } }
  }
}
ruling rolling-is-hard [T.2] addition, minor
  asks "Does rolling hurt?"
  answers "It makes dizzy."
  carried out by after rolled
example "a cart rolls" {
  row A, B
  piece C: cart of north at A (speed 2)
  act roll(mover: C, to: B)
  ask C is dizzy
}
ruling rest-is-last [T.3] clarification, none
  asks "When does one rest?"
  answers "Behind everybody's movement."
  clarifies phase rest, action roll
example "in order" {
  row A
  order phase movement of north, phase rest of north
}
"""
SOURCES = "sources:\n  - {prefix: T, title: Test, edition: none, items: [T.1, T.2, T.3]}\n"


def files(rules: str) -> dict[str, str]:
    """Return the files of a game."""
    return {
        "layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
        "game.rules": rules,
        "sources.yaml": SOURCES,
    }


def test_a_ruling_has_the_procedures_that_it_concerns(tmp_path: Path) -> None:
    game = compiled(files(GAME), tmp_path)
    assert game.rulings["rolling-is-hard"].concerns == ("hook:rolled",)
    assert game.rulings["rest-is-last"].concerns == ("action:roll", "phase:rest")
    assert game.rules["rolling-is-hard"].relations == (("carried", "hook:rolled"),)
    [page] = named_pages(game, "after rolled")
    assert page["ruled on by"] == "rolling-is-hard (addition, minor)"


def unprotected(game: graph.Graph) -> set[str]:
    """List the names of unprotected units."""
    return {unit.name for unit in measure_protection(game).unprotected}


def test_a_ruling_is_unprotected_if_its_example_does_not_need_the_procedure(tmp_path: Path) -> None:
    game = compiled(files(GAME), tmp_path / "one")
    assert not unprotected(game) & {"rolling-is-hard", "rest-is-last"}
    idle = GAME.replace("ask C is dizzy", "ask C is cart").replace("order phase movement of north, ", "ask (1 < 2) #")
    assert unprotected(compiled(files(idle), tmp_path / "two")) >= {"rolling-is-hard", "rest-is-last"}


def test_the_book_prints_a_ruling_after_its_procedure(tmp_path: Path) -> None:
    pages = write_book(compiled(files(GAME), tmp_path))
    play = pages["play.html"].decode()
    assert play.index("It makes dizzy.") > play.index("Rolling makes dizzy")


@pytest.mark.parametrize(
    ("message", "instead", "actual_message"),
    [
        ("clarifies phase rest", "clarifies phase rset", "UnknownName"),
        ("action roll\n", "action rol\n", "UnknownName"),
        ("by after rolled", "by after roled", "UnknownName"),
        ('ruling rolling-is-hard [T.2] addition, minor\n  asks "Does rolling hurt?"\n  answers "It makes dizzy."',
         'rule rolling-is-hard [T.2] "It makes dizzy."', "InvalidConstruct"),
    ],
)  # fmt: skip
def test_a_ruling_on_an_unknown_name_is_an_error(
    message: str, instead: str, actual_message: str, tmp_path: Path
) -> None:
    assert message in GAME
    problems = compile_stack(library_of(files(GAME.replace(message, instead)), tmp_path), "planted").problems
    assert [type(each).__name__ for each in problems] == [actual_message]
