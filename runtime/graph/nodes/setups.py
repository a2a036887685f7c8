"""Concrete setups: boards, positions, scenario cards and examples, with names resolved against a vocabulary."""

from dataclasses import field

from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.nodes.conduct import Step
from runtime.graph.nodes.expressions import Expr
from runtime.graph.nodes.kinds import Narration
from runtime.graph.nodes.vocabulary import Origin


@frozen_dataclass
class Board:
    """A map of hexes in rows; pointy-topped, odd rows (counted from 0) shifted half a hex right.

    `hexes`: name -> (column, row, features). `sides`: (hex, hex, features) of hexsides. `paths`: (path, hex, hex) for
    every hexside a path crosses. `regions`: name -> hexes.

    Spaces that are not hexes are among them, with their center (across, down) for column and row. `shapes` contains for
    each of these one corner for a point, those of an outline for an area, none where it is undefined. `links`: (hex,
    hex, one way) for every connection that is not the side of two hexes in their rows. Hexes of a region `sheet:N` lie
    on a map of their own.
    """

    name: str
    hexes: dict[str, tuple[int, int, tuple[str, ...]]]
    sides: tuple[tuple[str, str, tuple[str, ...]], ...]
    paths: tuple[tuple[str, str, str], ...]
    regions: dict[str, tuple[str, ...]]
    shapes: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    links: tuple[tuple[str, str, bool], ...] = ()


@frozen_dataclass
class PieceAt:
    """A piece in a position. `counter` is its row in the counters or "" (then `printed` contains all of it).

    `area` and `arrives` are set by a situation card: where it may be set up or enter, and when. `at` "" means not on
    the board. `tracks` and `printed` override; `marks` are statuses, and a track of records contains New expressions.
    """

    name: str
    kind: str
    counter: str
    owner: str
    at: str
    place: str
    printed: tuple[tuple[str, Expr], ...]
    traits: tuple[str, ...]
    marks: tuple[str, ...]
    tracks: tuple[tuple[str, Expr], ...]
    area: Expr | None = None
    arrives: Expr | None = None


@frozen_dataclass
class Position:
    """A board state.

    facts: by name: `game.x`, `scenario.x`, `SIDE.x` (a track of a side), `record.TYPE` (a record in play). pairs:
    (relation, left, right, payload).
    """

    name: str
    stack: str
    board: Board
    pieces: tuple[PieceAt, ...]
    facts: tuple[tuple[str, Expr], ...]
    hex_marks: tuple[tuple[str, str], ...]
    hex_tracks: tuple[tuple[str, str, Expr], ...]
    pairs: tuple[tuple[str, str, str, Expr | None], ...]
    turn: int
    player: str
    phase: str


@frozen_dataclass
class Given:
    """Fixes the answer of one question."""

    term: str
    arguments: tuple[Expr, ...]
    value: Expr


@frozen_dataclass
class Refusal:
    """An expected refusal: `by` are the deciding rules, words of a condition, choices or actions.

    `because` are rules that must have applied on the way. `choice` is the refused choice, "" for the action. It is
    refused in the cases in which `when` holds, None for all of them; in the others it has to be possible.
    """

    choice: str
    by: tuple[str, ...]
    because: tuple[str, ...]
    when: Expr | None


@frozen_dataclass
class Perform:
    """Performs an action with these choices; `refusals` are expected: of the action, or of choices on the way.

    A choice is identified by its name or, as `procedure.choice`, by where it is made; repeated entries are made one
    after the other. `by` None: the side that is on move.
    """

    action: str
    choices: tuple[tuple[str, Expr], ...]
    refusals: tuple[Refusal, ...]
    origin: Origin
    by: Expr | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the expected reasons of the refusals."""
        return tuple(label for each in self.refusals for label in (*each.by, *each.because))


@frozen_dataclass
class Check:
    """Evaluates a question and compares the answer. `verdict` "" for value questions, else allowed or forbidden.

    `expected` None with verdict "": the answer is only shown. `by` and `because` are labels that must be live
    prohibitions, or applied anywhere in the explanation.
    """

    question: Expr
    expected: Expr | None
    verdict: str
    by: tuple[str, ...]
    because: tuple[str, ...]
    origin: Origin

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the expected reasons of the answer."""
        return (*self.by, *self.because)


# The prefix of a station that a game does not reach.
ABSENT = "no "
# The last of the stations if the example continues from the position there.
STOP = "stop"


@frozen_dataclass
class Station:
    """A station that the game reaches: what is "phase", "offer", "do" or "turn"; `side` "" is any side.

    With the prefix "no ", the game does not reach it between the adjacent stations. `origin` is that of its words in an
    `order` line, None for a station of a game.
    """

    what: str
    name: str
    side: str
    origin: Origin | None = None


@frozen_dataclass
class Printed:
    """The printed values of a counter, all of them, as a chart in an example draws it; `owner` "" is any side."""

    counter: str
    kind: str
    owner: str
    printed: tuple[tuple[str, Expr], ...]
    traits: tuple[str, ...]
    back: str
    origin: Origin


@frozen_dataclass
class Order:
    """The order of these stations in the game, from the beginning of the sequence of play.

    With a last station `STOP` the lines that follow start from the position at the one before it.
    """

    stations: tuple[Station, ...]
    origin: Origin

    @property
    def stops(self) -> bool:
        """Return whether the example continues from the position that the game has reached."""
        return self.stations[-1].what == STOP


@frozen_dataclass
class LetOnly:
    """Binds the only member of a set for the lines that follow; with none or several the example fails."""

    name: str
    members: Expr
    origin: Origin


@frozen_dataclass
class Draws:
    """The members of the next draws, in this order."""

    members: tuple[Expr, ...]


@frozen_dataclass
class Narrated:
    """The report of accounts since the last line with an effect: `what` is "tells", "previews" or "chances"."""

    what: Narration
    text: str
    origin: Origin


ExampleLine = Given | Draws | Narrated | Perform | Check | Printed | Order | LetOnly | Step


@frozen_dataclass
class Example:
    """A small position with questions.

    `names` x `rows` are its cases (one empty row if there are none): every row binds the names and runs the lines from
    the start. `card` is the situation card whose beginning it starts from, "" if none: then the pieces of `position`
    are added. `dice` are fixed, in order of use; other draws are fixed by lines. `protects` is the rule, ruling or
    reading it follows in its file, "" if none; it only helps messages and the book.
    """

    title: str
    stack: str
    names: tuple[str, ...]
    rows: tuple[tuple[Expr, ...], ...]
    position: Position
    dice: tuple[int, ...]
    lines: tuple[ExampleLine, ...]
    protects: str
    origin: Origin
    card: str = ""


@frozen_dataclass
class Posted:
    """A piece of a force that starts in its hex; `name` "" if it has the name of its counter.

    `marks` and `tracks` are the statuses and notes of play with which it starts.
    """

    counter: str
    at: str
    place: str
    name: str
    marks: tuple[str, ...] = ()
    tracks: tuple[tuple[str, Expr], ...] = ()


@frozen_dataclass
class Force:
    """Units of a side: `units` counter -> count; where they start or enter.

    `placed` are set up exactly; else `area`: hexes they may be set up in, or, with `turn` > 0, where they may enter in
    that turn. `pairs`: (relation, left piece, right piece) that hold from the start.
    """

    side: str
    title: str
    units: tuple[tuple[str, int], ...]
    placed: tuple[Posted, ...]
    area: tuple[str, ...]
    turn: int
    cites: tuple[str, ...]
    pairs: tuple[tuple[str, str, str], ...] = ()


@frozen_dataclass
class Correction:
    """A number on a card that a layer changed: the number of a unit in a force, by its place on the card, before."""

    force: int
    unit: str
    was: int
    cites: tuple[str, ...]
    origin: Origin


@frozen_dataclass
class StartNotes:
    """The statuses and tracks with which hexes and sides start.

    `hex_marks` are pairs of hex and status, `hex_tracks` and `side_tracks` the hex or side, the track and its value.
    """

    hex_marks: tuple[tuple[str, str], ...] = ()
    hex_tracks: tuple[tuple[str, str, Expr], ...] = ()
    side_tracks: tuple[tuple[str, str, Expr], ...] = ()


@frozen_dataclass
class PartCorrection:
    """A part of a card that a layer changed, as `turns`, and the card with that part alone unchanged."""

    part: str
    turns: int
    set_up: tuple[str, ...]
    order: tuple[str, ...]
    facts: tuple[tuple[str, Expr], ...]
    forces: tuple[Force, ...]
    cites: tuple[str, ...]
    origin: Origin
    notes: StartNotes = StartNotes()


@frozen_dataclass
class Scenario:
    """A situation card. Its special rules and victory lines are in the graph of its own stack.

    `set_up` is the order in which sides set up, `order` that in which they move. `gaps` are questions that the sources
    leave open. `waits_for` are missing boards: then the map is a bare outline, and the card is not playable. `lines`
    maps parts to where they were written: `order`, `set_up`, facts and regions as `scenario.NAME`, `force N` from 0 and
    `force N COUNTER`.
    """

    name: str
    title: str
    stack: str
    board: Board
    turns: int
    set_up: tuple[str, ...]
    order: tuple[str, ...]
    facts: tuple[tuple[str, Expr], ...]
    forces: tuple[Force, ...]
    cites: tuple[str, ...]
    gaps: tuple[str, ...]
    waits_for: tuple[str, ...]
    origin: Origin
    corrections: tuple[Correction, ...] = ()
    other_corrections: tuple[PartCorrection, ...] = ()
    lines: tuple[tuple[str, Origin], ...] = ()
    notes: StartNotes = StartNotes()
