"""Check the boards in the folders of a stack's layers that no card lays: a stack reads a board only where it is laid.

The names of features are not checked: the words of a board are those of the stack that lays it.
"""

from collections.abc import Iterator

from compiler.layered.stack_request import parse_request
from compiler.question import type_question
from compiler.source.finding import Finding
from compiler.source.nodes import BoardPlacement, Position, Word
from compiler.source.package import Library
from compiler.typed.findings.names import UnknownFlag
from rulewright.library.stacks import Stack


def unlaid_board_problems(stack: Stack) -> Iterator[Finding]:
    """Yield the problems of the boards and outlines in the folders of a stack's layers that no card lays."""
    assert stack.env is not None
    library = stack.library
    cards = filter(None, map(library.scenarios.get, library.scenarios))
    laid_names = {placement.board.text for card in cards for placement in card.map}
    for name in sorted(_names_beside(stack, library) - laid_names):
        board = library.boards.get(name)
        table = library.boards if name in library.boards.places else library.outlines
        if board is None or table.problems_with(name):
            table.get(name)
            yield from table.problems_with(name)
            continue
        placed = (BoardPlacement(board.span, Word(board.span, name), row=0, column=0, turned=False),)
        position = Position(board.span, board.name, Word(board.span, stack.name), (), placed, (), (), (), ())
        found = type_question(stack.env, library.boards, position, "yes").problems
        yield from (each for each in found if not isinstance(each, UnknownFlag))


def _names_beside(stack: Stack, library: Library) -> set[str]:
    """Return the names of the boards and outlines whose innermost layer the stack names."""
    homes = {layer.name.span.file.rpartition("/")[0]: name for name, layer in library.layers.items()}
    places = {**library.outlines.places, **library.boards.places}
    named = parse_request(stack.name).layers
    return {
        name
        for name, (file, _) in places.items()
        if (found := [home for home in homes if file.name.startswith(f"{home}/")])
        and homes[max(found, key=len)] in named
    }
