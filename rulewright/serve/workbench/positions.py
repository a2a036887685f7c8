"""The position of a link: a moment of a game or the initial state of a card, with manual changes.

In: an address such as `game.first_snow-1-1.17` or `card.first_snow`, and changes such as `move,foot-1.1,B4`. Output:
a `ShownPosition`: a playthrough in which options may be tried and nothing is recorded. A link determines the position
completely; its changes are applied in order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rulewright.explain.decision_state import enter_phase, likeliest_decision, offered_phases
from rulewright.library.stacks import Stack
from rulewright.serve.workbench.checked_values import whole_number
from rulewright.serve.workbench.sessions import GameSession, Sessions
from rulewright.serve.workbench.set_positions import example_at, file_at
from rulewright.system.errors import UsageError, suggestion_text
from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.predeclared_types import SIDE
from runtime.graph.steps import phases_of_sequence
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import as_seen
from runtime.state import change
from runtime.state.answers import Answers
from runtime.state.frame import Frame
from runtime.state.position import GONE, State

GAME, CARD, EXAMPLE, FILE = "game", "card", "example", "position"
# The most manual changes of a position.
MOST_CHANGES = 400
# Changes of the clock, after which all offers of a phase are shown.
CLOCK_LINES = ("phase,", "side,", "turn,")
LAST_TURN = 999


@frozen_dataclass
class ShownPosition:
    """A playthrough with its decision, and its game (None for a card)."""

    address: str
    stack: Stack
    rules: graph.Graph
    game: Game
    playthrough: Playthrough
    current_decision: Decision | FinishedGame
    session: GameSession | None
    is_live: bool
    changes: tuple[str, ...]
    title: str

    @property
    def side(self) -> str:
        """Return the side of the decision; "" at the end."""
        return self.current_decision.side if isinstance(self.current_decision, Decision) else ""

    @property
    def viewing_side(self) -> str:
        """Return the side whose knowledge is shown: that of the player at the page, otherwise the one that is asked."""
        return self.session.viewing_side if self.session and self.session.humans else self.side

    @property
    def is_secret_choice(self) -> bool:
        """Return whether another side is asked, and its options may depend on what the reader may not know."""
        return bool(self.game.choices.secret) and self.side != self.viewing_side

    @property
    def visible(self) -> Playthrough:
        """Return the playthrough as the reader may know it; manual changes are public."""
        return as_seen(self.game, self.playthrough, self.viewing_side)

    def decision(self) -> Decision:
        """Return the decision; `UsageError` if the game is over, or if it may contain secrets of another side."""
        if isinstance(self.current_decision, FinishedGame):
            raise UsageError("the game is over: there are no more choices")
        if self.is_secret_choice:
            raise UsageError(secret_choice_text(self.side, self.rules))
        return self.current_decision


def secret_choice_text(side: str, rules: graph.Graph) -> str:
    """Return why the choice of a side is not shown to another."""
    return f"{words.side(side, rules.vocabulary)} chooses here; what is open to it may depend on its secrets"


def position_at(sessions: Sessions, address: str, changes: Sequence[str]) -> ShownPosition:
    """Return the position of a link."""
    sort, _, rest = address.partition(".")
    if len(changes) > MOST_CHANGES:
        raise UsageError(f"more than {MOST_CHANGES} changes of a position: save it as a file, and continue from that")
    if sort == GAME:
        name, _, tail = rest.rpartition(".")
        moment = whole_number(tail)
        session = sessions.find(rest if moment is None else name)
        playthrough = session.playthrough_at(moment)
        stack, rules, game, live = session.stack, session.rules, session.game, playthrough is session.playthrough
    elif sort == CARD:
        name, _, on = rest.partition("@")
        stack, rules = sessions.card(name, on or None)
        session, live = None, False
        game = sessions.game(name, on or None)
        playthrough = game.start("1")
    elif sort in (EXAMPLE, FILE):
        return _set_up(sessions, address, sort, rest, changes)
    else:
        raise UsageError("this is not the link of a position")
    if changes:
        live = False
        playthrough = playthrough.copy()
        game.advance(playthrough)
        _apply_manual_changes(playthrough.state, changes)
        playthrough.endings_checked_to = -1  # Changes by hand are not in the journal.
    decision: Decision | FinishedGame
    if any(each.startswith(CLOCK_LINES) for each in changes):
        state = playthrough.state
        phase = state.phase if state.phase in offered_phases(game) else offered_phases(game)[0]
        playthrough, decision = enter_phase(game, state, phase, state.player or first_side(state))
    else:
        decision = session.ask() if live and session else game.advance(playthrough)
    title = rules.scenario.title if rules.scenario else ""
    return ShownPosition(address, stack, rules, game, playthrough, decision, session, live, tuple(changes), title)


def _set_up(sessions: Sessions, address: str, sort: str, rest: str, changes: Sequence[str]) -> ShownPosition:
    """Return the position of an example or of a file."""
    setting = (example_at if sort == EXAMPLE else file_at)(rest, sessions.packages_in_reach)
    rules = setting.state.graph
    game = sessions.machine_of(rules)
    phase, side = likeliest_decision(game, setting.state, setting.about)
    enter_phase(game, setting.state, phase, side)
    _apply_manual_changes(setting.state, changes)
    playthrough, decision = enter_phase(game, setting.state, setting.state.phase, setting.state.player)
    return ShownPosition(
        address,
        setting.stack,
        rules,
        game,
        playthrough,
        decision,
        session=None,
        is_live=False,
        changes=tuple(changes),
        title=setting.title,
    )


def address_under(position: ShownPosition, rules: str) -> str:
    """Return the address of a position under other rules, of a card, an example, or a file; `UsageError` in a game."""
    sort, _, rest = position.address.partition(".")
    if sort == EXAMPLE:
        return f"{EXAMPLE}.{rules}@{rest.partition('@')[2]}"
    if sort not in (CARD, FILE):
        raise UsageError("other rules can be compared in a situation, an example or a file, not within a game")
    return f"{sort}.{rest.partition('@')[0]}@{rules}"


def _apply_manual_changes(state: State, changes: Sequence[str]) -> None:
    """Apply manual changes to a position."""
    for each in changes:
        kind, *arguments = each.split(",")
        known = CHANGES.get(kind)
        if known is None or len(arguments) != known[1]:
            raise UsageError(f"`{each}` is not a change of a position")
        known[0](state, *arguments)


def _move(state: State, piece: str, space: str) -> None:
    """Move a piece to a space, or off the map (space "")."""
    if not space:
        change.take_off_board(state, piece_number(state, piece))
        return
    change.move(state, piece_number(state, piece), space_number(state, space))


def _mark(state: State, piece: str, status: str) -> None:
    """Toggle a status of a piece."""
    number = piece_number(state, piece)
    key = f"{state.kind[number]}.{status}"
    if key not in state.marks:
        raise UsageError(f"there is no status `{status}`; {suggestion_text(status, statuses_of(state, number))}")
    (change.unmark if state.is_marked(key, number) else change.mark)(state, key, number)


def _remove(state: State, piece: str) -> None:
    """Remove a piece from the game."""
    change.remove(state, piece_number(state, piece))


def _paint(state: State, space: str, feature: str) -> None:
    """Toggle a feature of a space, in the map of this position only."""
    space_number(state, space)
    _check_feature(state, "hex", feature)
    source = state.board.source
    column, row, features = source.hexes[space]
    _redraw(state, replace(source, hexes={**source.hexes, space: (column, row, _toggled(features, feature))}))


def _edge(state: State, first: str, second: str, feature: str) -> None:
    """Toggle a feature of the side between two spaces."""
    first_space, second_space = space_number(state, first), space_number(state, second)
    _check_feature(state, "hexside", feature)
    if second_space not in state.board.neighbors[first_space]:
        raise UsageError(f"{first} and {second} are not adjacent: there is no hexside between them")
    source, pair = state.board.source, {first, second}
    before = next((features for a, b, features in source.sides if {a, b} == pair), ())
    others = tuple(side for side in source.sides if {side[0], side[1]} != pair)
    painted = _toggled(before, feature)
    new_sides = ((first, second, painted),) if painted else ()
    _redraw(state, replace(source, sides=(*others, *new_sides)))


def _check_feature(state: State, owner: str, feature: str) -> None:
    """Raise `UsageError` for a feature that the rules do not declare."""
    if f"{owner}.{feature}" not in state.graph.vocabulary.flags:
        what = "terrain" if owner == "hex" else "feature of hexsides"
        raise UsageError(f"there is no {what} `{feature}`; {suggestion_text(feature, features_of(state, owner))}")


def _toggled(features: Sequence[str], feature: str) -> tuple[str, ...]:
    """Return features with one added, or removed if present."""
    return tuple(sorted({*features} ^ {feature}))


def _redraw(state: State, source: graph.Board) -> None:
    """Replace the map of a position."""
    state.board = Board(source)
    state.frame = Frame(state.graph.vocabulary, state.board)
    state.answers = Answers()  # Memoized answers belong to the former map.


def _phase(state: State, phase: str) -> None:
    """Set the phase; `enter_phase` checks whether it has offers."""
    phases = list(phases_of_sequence(state.graph))
    if phase not in phases:
        raise UsageError(f"there is no phase `{phase}`; {suggestion_text(phase, phases)}")
    change.set_phase(state, phase)


def _side(state: State, side: str) -> None:
    """Set the active side."""
    sides = members_of(state.graph.vocabulary, SIDE.name)
    if side not in sides:
        raise UsageError(f"there is no side `{side}`; {suggestion_text(side, sides)}")
    change.set_player(state, side)


def _turn(state: State, turn: str) -> None:
    """Set the turn."""
    number = whole_number(turn)
    if number is None or not 0 < number <= LAST_TURN:
        raise UsageError(f"a turn is a number from 1 to {LAST_TURN}")
    change.set_turn(state, number)


Change = Callable[..., None]
CHANGES: Mapping[str, tuple[Change, int]] = {
    "move": (_move, 2), "mark": (_mark, 2), "remove": (_remove, 1), "paint": (_paint, 2), "edge": (_edge, 3),
    "phase": (_phase, 1), "side": (_side, 1), "turn": (_turn, 1),
}  # fmt: skip


def first_side(state: State) -> str:
    """Return the side of the first piece with a side, otherwise the first side."""
    return next((side for side in state.side if side), members_of(state.graph.vocabulary, SIDE.name)[0])


def statuses_of(state: State, piece: int) -> list[str]:
    """Return the statuses that a piece may have."""
    owner = f"{state.kind[piece]}."
    return sorted(key.removeprefix(owner) for key in state.marks if key.startswith(owner))


def features_of(state: State, owner: str) -> list[str]:
    """Return the declared features of an owner, "hex" or "hexside"."""
    flags = state.graph.vocabulary.flags.values()
    return sorted(flag.name for flag in flags if flag.owner == owner and flag.what == "feature")


def piece_number(state: State, name: str) -> int:
    """Return the index of a piece by name; `UsageError` if it is unknown or removed."""
    found = next((index for index, sheet in enumerate(state.sheets) if sheet.name == name), None)
    if found is None or state.hex[found] == GONE:
        raise UsageError(f"there is no piece `{name}`; {suggestion_text(name, [sheet.name for sheet in state.sheets])}")
    return found


def space_number(state: State, name: str) -> int:
    """Return the index of a space by name; `UsageError` if it is unknown."""
    if name not in state.board.index:
        raise UsageError(f"there is no place `{name}` on the map; {suggestion_text(name, state.board.names)}")
    return state.board.index[name]
