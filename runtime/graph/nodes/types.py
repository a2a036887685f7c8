"""Types of the language, and how plain values of each are written.

Values are represented as: `YesNo` -> bool; number -> int, or Fraction where halves occur; enum and side -> the member's
name; scale -> its place on the line (int); hex -> its name in files and an index in play; piece -> its name in files
and an index in play.
"""

from fractions import Fraction

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.kinds import ManyShape


@frozen_dataclass
class Number:
    """An amount with its measure ("" counts things) and its declared, closed domain.

    `is_whole`: the type is a declared `domain`, which has no fractions.
    """

    low: int | None
    high: int | None
    measure: str
    is_whole: bool = False

    def contains(self, number: Fraction | int) -> bool:
        """Return whether a number lies in the domain."""
        is_within = (self.low is None or number >= self.low) and (self.high is None or number <= self.high)
        return is_within and (not self.is_whole or number.denominator == 1)


@frozen_dataclass
class YesNo:
    """Yes or no."""


@frozen_dataclass
class Enum:
    """A member of a declared enumeration. Sides are the enumeration "side"; kinds of piece "kind"."""

    name: str


@frozen_dataclass
class Scale:
    """A place on a declared line, named or not."""

    name: str


@frozen_dataclass
class Hex:
    """A hex."""


@frozen_dataclass
class Hexside:
    """The side between two neighboring hexes."""


@frozen_dataclass
class Crossing:
    """Where a straight line between two hex centers meets a hexside: fields side, back, over, along, at."""


@frozen_dataclass
class Piece:
    """A piece of one of these kinds; no kinds means any."""

    kinds: tuple[str, ...]

    def admits(self, kind: str) -> bool:
        """Return whether a piece of this kind is of the type."""
        return not self.kinds or kind in self.kinds


@frozen_dataclass
class RecordOf:
    """A record of this declared type."""

    name: str


@frozen_dataclass
class Many:
    """A set or a list."""

    shape: ManyShape
    of: "Type"


@frozen_dataclass
class CellOf:
    """The content of a cell of a table whose cells have several kinds."""

    table: str


@frozen_dataclass
class Nothing:
    """The element type of `{}`, a subtype of all others."""


Type = Number | YesNo | Enum | Scale | Hex | Hexside | Crossing | Piece | RecordOf | Many | CellOf | Nothing
