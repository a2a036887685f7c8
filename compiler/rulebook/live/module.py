"""Data of the interactive pages of a book: a compiled module, and positions as in its memory.

This module only declares them; the front end compiles the module and runs examples up to their first question.
"""

from compiler.core.questions import QuestionExpression
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.layout import Layout


@frozen_dataclass
class LivePattern:
    """A question with parameters, as a function of the module.

    The type of its answers, and whether these are ratios.
    """

    question: QuestionExpression
    answer: graph.Type
    has_ratios: bool


@frozen_dataclass
class LiveQuestion:
    """A question of a line of an example: its pattern, by number, and its encoded arguments."""

    line: int
    question: int
    arguments: tuple[int, ...]


@frozen_dataclass
class LiveCase:
    """A row of an example. `image` is the memory of its position, without the constants of the module.

    `more_names` are members of enumerations behind those of the layout; `hexes` and `pieces` are the names by index.
    `piece_hexes` are the hexes of pieces, negative for those off the map.
    """

    row: int
    image: bytes
    more_names: tuple[str, ...]
    hexes: tuple[str, ...]
    pieces: tuple[str, ...]
    kinds: tuple[str, ...]
    piece_hexes: tuple[int, ...]
    questions: tuple[LiveQuestion, ...]


@frozen_dataclass
class LiveBook:
    """The module of a book, as a binary, and the questions of it. Examples are identified by origin and title.

    `patterns` are the questions by number, which identifies their functions; `blank` is a position without pieces.
    """

    module: bytes
    layout: Layout
    patterns: tuple[LivePattern, ...]
    cases: dict[tuple[graph.Origin, str], tuple[LiveCase, ...]]
    blank: bytes
