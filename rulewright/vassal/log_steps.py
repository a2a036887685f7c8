"""The steps of a log: the commands that change one state of a game to the next.

VASSAL puts a moved piece on top of the piece that the command refers to, otherwise at the bottom of the stack in that
place. The order in stacks is therefore tracked from the save that the log begins with.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rulewright.vassal.pieces import BASIC, NOWHERE, STACK, Piece, read_piece
from rulewright.vassal.saved_game import ADD, CHANGE, CHAT, LOG, MOVE, REMOVE, SEPARATOR
from rulewright.vassal.sequences import join_list

DEPTH = "@@"
_Place = tuple[str, int, int]


@dataclass(slots=True)
class StackOrder:
    """The order of pieces in stacks: by place, the pieces from bottom to top."""

    stacks_by_place: dict[_Place, list[str]] = field(default_factory=dict)

    def piece_below(self, piece: Piece) -> str:
        """Return the piece below a piece, or the token for none."""
        pile = self.stacks_by_place.get(piece.place, [])
        number = pile.index(piece.id) if piece.id in pile else 0
        return pile[number - 1] if number else NOWHERE

    def place_on_top(self, piece: Piece) -> None:
        """Add a piece at the top of its place."""
        if piece.can_stack:
            self.stacks_by_place.setdefault(piece.place, []).append(piece.id)

    def remove_piece(self, piece: Piece) -> None:
        """Remove a piece from its place."""
        pile = self.stacks_by_place.get(piece.place, [])
        if piece.id in pile:
            pile.remove(piece.id)


def stack_order(commands: Iterable[str]) -> StackOrder:
    """Return the order in the stacks of a save; of several stacks in one place, pieces are added to the first."""
    order = StackOrder()
    added = [found for each in commands if each.startswith(ADD) and (found := read_piece(each)) is not None]
    stacked_ids: set[str] = set()
    for stack in added:
        if stack.kind == STACK:
            members = stacked_pieces(stack)
            stacked_ids |= {*members}
            if members:
                order.stacks_by_place.setdefault(stack.place, members)
    for piece in added:
        if piece.kind == BASIC and piece.id not in stacked_ids:
            order.place_on_top(piece)
    return order


def stacked_pieces(stack: Piece) -> list[str]:
    """Return the pieces of a stack, from bottom to top."""
    return [each for each in stack.traits[-1].states()[3:] if not each.startswith(DEPTH)]


def step_between(
    sentence: str, before: Mapping[str, Piece], after: Mapping[str, Piece], order: StackOrder
) -> str | None:
    """Format the step from one state to the next, with a sentence about it; None if it is empty.

    Each command of a step is marked as logged.
    """
    words = " ".join(sentence.split())
    commands = [*([f"{CHAT}{words}"] if words else []), *_differences(before, after, order)]
    return join_list([f"{LOG}{each}" for each in commands], SEPARATOR) if commands else None


def _differences(before: Mapping[str, Piece], after: Mapping[str, Piece], order: StackOrder) -> Iterator[str]:
    for name, piece in before.items():
        if name not in after:
            order.remove_piece(piece)
            yield f"{REMOVE}{piece.id}"
    for name, piece in after.items():
        old = before.get(name)
        if old is None:
            # A new piece is added on no map, and then moved onto the stack, if there is one.
            old = piece.with_place("", 0, 0)
            yield old.command()
        if old.place != piece.place:
            yield _move(old, piece, order)
        moved = old.with_place(*piece.place)
        if moved.state_text() != piece.state_text():
            yield CHANGE + join_list([piece.id, piece.state_text(), moved.state_text()], "/")


def _move(old: Piece, piece: Piece, order: StackOrder) -> str:
    """Format the command that moves a piece, and update the order."""
    left = order.piece_below(old)
    order.remove_piece(old)
    order.place_on_top(piece)
    map_name, x, y = piece.place
    old_map_name, old_x, old_y = old.place
    words = [piece.id, map_name or NOWHERE, str(x), str(y), order.piece_below(piece)]
    return MOVE + join_list([*words, old_map_name or NOWHERE, str(old_x), str(old_y), left, ""], "/")
