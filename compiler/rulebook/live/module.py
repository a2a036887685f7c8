"""Data of the live pages of a book: a compiled module, and positions as they lie in its memory.

In: nothing; the front end compiles the module and plays examples up to their first question, and fills these in.
"""

from dataclasses import dataclass

from compiler.core.questions import Question
from runtime.graph import nodes as graph
from runtime.graph.layout import Layout


@dataclass(frozen=True, slots=True)
class LivePattern:
    """A question with parameters, a function of the module; the type of its answers, and whether these are ratios."""

    question: Question
    answer: graph.Type
    has_ratios: bool


@dataclass(frozen=True, slots=True)
class LiveQuestion:
    """A question of a line of an example: its pattern, by number, and its arguments as the module takes them."""

    line: int
    question: int
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiveCase:
    """A row of an example. `image` is the memory that its position takes, without the constants of the module.

    `more_names` are members of enumerations behind those of the layout; `hexes` and `pieces` are called so, by index.
    `at` are the hexes of pieces, below 0 for those off the map.
    """

    row: int
    image: bytes
    more_names: tuple[str, ...]
    hexes: tuple[str, ...]
    pieces: tuple[str, ...]
    kinds: tuple[str, ...]
    at: tuple[int, ...]
    questions: tuple[LiveQuestion, ...]


@dataclass(frozen=True, slots=True)
class LiveBook:
    """The module of a book, as a binary, and what is asked of it. Examples are known by origin and title.

    `patterns` are the questions by number, whose functions are called so; `blank` is a position without pieces.
    """

    module: bytes
    layout: Layout
    patterns: tuple[LivePattern, ...]
    cases: dict[tuple[graph.Origin, str], tuple[LiveCase, ...]]
    blank: bytes
