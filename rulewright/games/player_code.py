"""External players: functions of users, loaded by names that the caller specifies.

    # my_players.py
    def cautious(position, choices):
        return choices[-1]

    rulewright play ridge_farm --player-code my_players:cautious --players cautious,greedy

The arguments of a function are a `_PlayerView`, as far as its side may know it, and the legal choices as text; it
returns one of them, or its index. Loading a function executes its module, so only functions from the command line or
the API are loaded: a package of rules cannot specify a player.
"""

import hashlib
import importlib
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

from rulewright.games.scenarios import require_new_names
from rulewright.system.errors import UsageError, suggestion_text
from runtime.answer.value_text import value_data
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import Player
from runtime.players.player_names import player_named
from runtime.state.position import GONE, State


@frozen_dataclass
class _VisiblePiece:
    """A piece: `at` is its hex, "" if it is not on the map; `gone` if it is removed from the game."""

    name: str
    counter: str
    kind: str
    side: str
    at: str
    gone: bool
    marks: tuple[str, ...]


class _PlayerView:
    """The view of a player: the clock, the question, the pieces, and the answers of the rules."""

    def __init__(self, game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> None:
        """Build the view of a playthrough that its side may know."""
        self._game, self._state, self._chance = game, playthrough.state, chance
        self.side, self.question = decision.side, decision.question
        self.turn, self.phase, self.player = playthrough.state.turn, playthrough.state.phase, playthrough.state.player

    @property
    def pieces(self) -> tuple[_VisiblePiece, ...]:
        """Return all pieces of the game."""
        return tuple(_visible(self._state, piece) for piece in range(len(self._state.sheets)))

    def distance(self, a: str, b: str) -> int:
        """Return the distance of two hexes, by name."""
        index = self._state.board.index
        return self._state.board.distance(index[a], index[b])

    def ask(self, term: str, *arguments: Any) -> Any:
        """Evaluate a question: `position.ask("may_enter", "m4-2.1", "0803", ..)`; hexes and pieces by name."""
        declared = self._game.graph.terms.get(term)
        if declared is None:
            raise UsageError(f"there is no term `{term}`; {suggestion_text(term, list(self._game.graph.terms))}")
        values = tuple(
            self._value(argument, p.type) for argument, p in zip(arguments, declared.parameters, strict=True)
        )
        try:
            answer = self._game.evaluator.evaluate(self._state, _asked(term, values), _bound(values))
        except Unanswered as unanswered:
            raise UsageError(str(unanswered)) from None
        return value_data(self._state, answer, declared.type)

    def draw(self, options: int) -> int:
        """Return a random number below `options`, determined by the seed of the game."""
        return self._chance.draw(options)

    def _value(self, argument: Any, type_: graph.Type) -> Any:
        """Convert an argument: the name of a hex or piece, or a plain value."""
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


def _visible(state: State, piece: int) -> _VisiblePiece:
    sheet, h = state.sheets[piece], state.hex[piece]
    owner = f"{sheet.kind}."
    marks = tuple(key.removeprefix(owner) for key, on in state.marks.items() if key.startswith(owner) and piece in on)
    return _VisiblePiece(
        sheet.name, sheet.counter, sheet.kind, sheet.side, state.board.names[h] if h >= 0 else "", h == GONE, marks
    )


ChooseFunction = Callable[[_PlayerView, list[str]], int | str]


def player(choose: ChooseFunction) -> Player:
    """Build a player from a function."""
    name = getattr(choose, "__name__", "the player")

    def ask(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
        labels = option_labels(playthrough.state, game.programs.entries, decision)
        try:
            chosen = choose(_PlayerView(game, playthrough, decision, chance), list(labels))
        except UsageError:
            raise
        except (Exception, SystemExit) as failure:  # noqa: BLE001 -- foreign code, for its author to mend
            raise UsageError(f"{name} failed when asked for {decision.question}: {_exception_text(failure)}") from None
        if isinstance(chosen, str) and chosen in labels:
            return labels.index(chosen)
        if type(chosen) is int and 0 <= chosen < len(labels):
            return chosen
        raise UsageError(f"{name} chose {chosen!r} for {decision.question}: neither a choice nor the place of one")

    return ask


@frozen_dataclass
class PlayerCode:
    """The code of a player, for other processes: a module and the name of a function.

    `version` is a hash of the module and of those that it imports from its folder.
    """

    module: str
    name: str
    version: str

    def player(self) -> Player:
        """Import the module, and return the player."""
        return player(getattr(_imported_module(self.module), self.name))


@frozen_dataclass
class Roster:
    """A registry of players: those of user code first, then those of the runtime."""

    player_code: tuple[PlayerCode, ...]

    def __call__(self, name: str) -> Player:
        """Return a player by name; `KeyError` if it is unknown."""
        player = next((each.player() for each in self.player_code if each.name == name), None)
        return player or player_named(name, monotonic)

    def players(self) -> dict[str, Player]:
        """Return the players of user code, by name."""
        return {each.name: each.player() for each in self.player_code}


def import_players(named: Sequence[str]) -> dict[str, Player]:
    """Load functions, each `module:function`, from the working directory or installed packages."""
    return Roster(fetch_players(named)).players()


def fetch_players(named: Sequence[str]) -> tuple[PlayerCode, ...]:
    """Import functions, each `module:function`, and return their code; `UsageError` if two have one name."""
    code = tuple(map(fetch_player_code, named))
    require_new_names([each.name for each in code])
    return code


def fetch_player_code(named: str) -> PlayerCode:
    """Import a module, check that it has a function, and return its code."""
    module, _, function = named.rpartition(":")
    if not module:
        raise UsageError(f"`{named}`: name a player as module:function")
    imported = _imported_module(module)
    if not callable(getattr(imported, function, None)):
        raise UsageError(f"`{named}`: {module} has no function `{function}`")
    return PlayerCode(module, function, _version(imported))


def _imported_module(name: str) -> ModuleType:
    """Import a module from the working directory or installed packages."""
    working_folder = str(Path.cwd())
    if working_folder not in sys.path:
        sys.path.insert(0, working_folder)
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as failure:  # noqa: BLE001 -- foreign code
        raise UsageError(f"player code `{name}` cannot be imported: {_exception_text(failure)}") from None


def _version(module: ModuleType) -> str:
    """Hash the file of a module, with those of the loaded modules in its folder, as it may depend on them."""
    digest = hashlib.sha256()
    folder = Path(module.__file__ or "").resolve().parent
    files = {Path(path).resolve() for each in list(sys.modules.values()) if (path := getattr(each, "__file__", None))}
    for file in sorted(file for file in files if file.parent == folder):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _exception_text(failure: BaseException) -> str:
    """Format an exception with its line in the external code, or in a library if it has none there."""
    steps = traceback.extract_tb(failure.__traceback__)
    external_steps = [step for step in steps if not _FOREIGN_TO_PLAYERS.intersection(Path(step.filename).parents)]
    place = next((f" ({Path(step.filename).name}:{step.lineno})" for step in reversed(external_steps or steps)), "")
    return f"{type(failure).__name__}: {failure}{place}"


_PACKAGES = Path(__file__).parents[2]
# The folders of this program, of Python and of installed libraries: a line there is not one of the author of a player.
_FOREIGN_TO_PLAYERS = frozenset(
    [
        *(_PACKAGES / name for name in ("compiler", "runtime", "rulewright")),
        *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    ]
)
