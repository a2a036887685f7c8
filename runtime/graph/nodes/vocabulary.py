"""The declarations of a stack: measures, sides, kinds, flags, tracks, relations, records, events."""

from collections.abc import Iterable
from dataclasses import field
from fractions import Fraction

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.expressions import Expr
from runtime.graph.nodes.kinds import FlagKind, RelationEnd
from runtime.graph.nodes.types import Number, Type


@frozen_dataclass
class Origin:
    """Where a node was written: layer, file, first line and column, last line and column."""

    layer: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int


# The origin of nodes that no file contains.
NO_ORIGIN = Origin("", "", 0, 0, 0, 0)


@frozen_dataclass
class Parameter:
    """A typed name."""

    name: str
    type: Type


def parameter_types(parameters: Iterable[Parameter]) -> dict[str, Type]:
    """Return the types of parameters by their names."""
    return {parameter.name: parameter.type for parameter in parameters}


@frozen_dataclass
class Word:
    """A declared word and its wording."""

    name: str
    reads: str


@frozen_dataclass
class Enumeration:
    """Members in their declared order."""

    name: str
    members: tuple[Word, ...]


@frozen_dataclass
class Line:
    """A scale: named places on a line of numbers, lowest first."""

    name: str
    measure: str
    places: tuple[tuple[str, int | Fraction], ...]


@frozen_dataclass
class Kind:
    """A kind of piece and the factors printed on it; `first` are values of those that layers added to it."""

    name: str
    reads: str
    printed: tuple[Parameter, ...]
    first: tuple[tuple[str, Expr], ...] = ()


@frozen_dataclass
class Flag:
    """A trait (of a kind), a feature (of hex or hexside), a path, a place (of a kind) or a status."""

    what: FlagKind
    owner: str
    name: str
    reads: str
    marker: str  # printed on the counter; for a feature: the marker on the ground, which is drawn
    until: str  # statuses: the moment at whose end it is reset, "" for never


@frozen_dataclass
class Requirement:
    """Why a card must set a fact; it applies to cards whose other facts satisfy `needed` and that mention `asked`.

    A condition of None always holds, and without names all cards are included.
    """

    why: str
    needed: Expr | None
    asked: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class Track:
    """A track of a kind, "hex", "side", "game" or "scenario"; `initial` None: absent until set.

    `required`: which situation cards must set it, for a fact of the scenario.
    """

    owner: str
    name: str
    type: Type
    initial: Expr | None
    until: str
    required: tuple[Requirement, ...] = ()

    @property
    def lasts(self) -> bool:
        """Return whether no moment of the clock resets the track before the end of the game."""
        return self.until in ("", "game")


@frozen_dataclass
class Relation:
    """Pairs of pieces. `one`: "left", "right" or "" is the end with at most one partner.

    A pair for which `ends` holds is removed; the condition uses both pieces and the payload as they are declared.
    """

    name: str
    left: Parameter
    right: Parameter
    one: RelationEnd
    payload: Parameter | None
    ends: Expr | None = None

    def end(self, name: str) -> Parameter:
        """Return one end, "left" or "right"."""
        return self.left if name == "left" else self.right


@frozen_dataclass
class Record:
    """A record type. Only the `optional` fields may be absent; a `secret` one is known to its side `by` alone."""

    name: str
    fields: tuple[Parameter, ...]
    optional: tuple[str, ...] = ()
    secret: bool = False


@frozen_dataclass
class Event:
    """An event, which procedures raise and which runs hooks."""

    name: str
    parameters: tuple[Parameter, ...]


@frozen_dataclass
class Vocabulary:
    """Everything declared, by name. Flags and tracks are keyed "owner.name", paths "path.name"."""

    measures: dict[str, str]
    domains: dict[str, Number]
    enums: dict[str, Enumeration]
    scales: dict[str, Line]
    kinds: dict[str, Kind]
    flags: dict[str, Flag]
    tracks: dict[str, Track]
    relations: dict[str, Relation]
    records: dict[str, Record]
    events: dict[str, Event]
    wording: dict[str, str] = field(default_factory=dict)  # how printed factors, tracks and fields read, if not spelled
    origins: dict[str, Origin] = field(default_factory=dict)  # "status unit.x", "track ..", "factor ..", "record .."
