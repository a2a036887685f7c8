"""Players from outside: a function somebody wrote, fetched by name because somebody asked for it.

    # my_players.py
    def cautious(position, choices):
        return choices[-1]

    rulewright play ridge_farm --player-code my_players:cautious --players cautious,greedy

A function is handed a `Position`, as far as its side may know it, and the legal choices as text; it returns one of
them, or its place in the list. Fetching it runs its module, so it is done only for what is named on
the command line or handed to the API: nothing in a package of rules can name a player.
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.errors import UsageError, advice
from runtime.answer.answer import Unanswered
from runtime.answer.saying import plain
from runtime.graph import nodes as graph
from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.labels import labels
from runtime.players.player import Player
from runtime.state.position import GONE, State


@dataclass(frozen=True, slots=True)
class PieceSeen:
    """A piece: `at` is its hex, "" if it is not on the map; `gone` if it is out of the game."""

    name: str
    counter: str
    kind: str
    side: str
    at: str
    gone: bool
    marks: tuple[str, ...]


class Position:
    """What a player may know: the clock, the question, the pieces, and whatever the rules answer about them."""

    def __init__(self, game: Game, course: Course, decision: Decision, chance: Stream) -> None:
        """Look at a course as its side sees it."""
        self._game, self._state, self._chance = game, course.state, chance
        self.side, self.question = decision.side, decision.question
        self.turn, self.phase, self.player = course.state.turn, course.state.phase, course.state.player

    @property
    def pieces(self) -> tuple[PieceSeen, ...]:
        """Every piece of the game."""
        return tuple(_seen(self._state, piece) for piece in range(len(self._state.sheets)))

    def distance(self, a: str, b: str) -> int:
        """Count hexes from one to another, by their names."""
        index = self._state.board.index
        return self._state.board.distance(index[a], index[b])

    def ask(self, term: str, *arguments: Any) -> Any:
        """Ask the rules: `position.ask("may_enter", "m4-2.1", "0803", ..)`; names for hexes and pieces."""
        declared = self._game.graph.terms.get(term)
        if declared is None:
            raise UsageError(f"there is no term `{term}`; {advice(term, list(self._game.graph.terms))}")
        values = tuple(
            self._value(argument, p.type) for argument, p in zip(arguments, declared.parameters, strict=True)
        )
        try:
            answer = self._game.evaluator.evaluate(self._state, _asked(term, values), _bound(values))
        except Unanswered as unanswered:
            raise UsageError(str(unanswered)) from None
        return plain(self._state, answer, declared.type)

    def draw(self, options: int) -> int:
        """Draw a number below `options`: the same in every game of the same seed."""
        return self._chance.draw(options)

    def _value(self, argument: Any, type_: graph.Type) -> Any:
        """Read an argument: the name of a hex or piece, or a plain value."""
        match type_:
            case graph.Hex():
                return self._state.board.index[argument]
            case graph.Piece():
                return next(p for p, sheet in enumerate(self._state.sheets) if sheet.name == argument)
            case _:
                return argument


def _asked(term: str, values: tuple[Any, ...]) -> graph.Ask:
    return graph.Ask(term, tuple(graph.Var(f"a{number}") for number in range(len(values))))


def _bound(values: tuple[Any, ...]) -> dict[str, Any]:
    return {f"a{number}": value for number, value in enumerate(values)}


def _seen(state: State, piece: int) -> PieceSeen:
    sheet, h = state.sheets[piece], state.hex[piece]
    owner = f"{sheet.kind}."
    marks = tuple(key.removeprefix(owner) for key, on in state.marks.items() if key.startswith(owner) and piece in on)
    return PieceSeen(
        sheet.name, sheet.counter, sheet.kind, sheet.side, state.board.names[h] if h >= 0 else "", h == GONE, marks
    )


Choose = Callable[[Position, list[str]], int | str]


def player(choose: Choose) -> Player:
    """Make a player of a function."""

    def ask(game: Game, course: Course, decision: Decision, chance: Stream) -> int:
        shown = labels(course.state, game.programs.of, decision)
        chosen = choose(Position(game, course, decision, chance), list(shown))
        if isinstance(chosen, str) and chosen in shown:
            return shown.index(chosen)
        if type(chosen) is int and 0 <= chosen < len(shown):
            return chosen
        name = getattr(choose, "__name__", "the player")
        raise UsageError(f"{name} chose {chosen!r} for {decision.question}: neither a choice nor the place of one")

    return ask


def bring(named: Sequence[str]) -> dict[str, Player]:
    """Fetch functions, each `module:function`, from the folder one stands in or what is installed."""
    return {each.rpartition(":")[2]: player(fetch(each)) for each in named}


def fetch(named: str) -> Choose:
    """Run a module and take a function from it."""
    module, colon, function = named.rpartition(":")
    if not colon or not module:
        raise UsageError(f"`{named}`: name a player as module:function")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), function, None)
    except ImportError as missing:
        raise UsageError(f"`{named}`: {missing}") from None
    if not callable(found):
        raise UsageError(f"`{named}`: {module} has no function `{function}`")
    return found  # type: ignore[no-any-return]  # What it takes and returns is checked when it is called.
