"""The state of a game as parallel arrays that are cheap to copy.

In: a graph and a position or its scenario card. Out: `State`. Pieces are indexes into parallel lists (a structure of
arrays); hexes are indexes into the board; no piece refers to another object. This is the hot structure of the
runtime, so it has slots and lists instead of frozen nodes: creating a frozen node costs 0.4 us, and play copies states
constantly.

In play only change.py writes to a state, and every change is an event; setup.py also sets the clock and the facts of
a card. `copy` copies lists and dictionaries and shares sets and tuples; a track is copied on its first write
(`own_tracks`).
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.counter_steps import step_count
from runtime.graph.identity_memo import memoized_by_identity
from runtime.state.answers import Answers
from runtime.state.frame import Frame, orders_of
from runtime.state.ranges import check_range
from runtime.state.record import Pairs, Record, Sheet, Value

OFF = -1  # Not on the board yet.
GONE = -2  # Removed from play.
AWAY = -3  # Taken off the board, and may come back.
LOST = -4  # As AWAY, but counted as lost until it comes back.
OUTSIDE = (OFF, AWAY, LOST)
LEFT = (GONE, AWAY, LOST)

NOBODY: tuple[int, ...] = ()
UNMARKED: frozenset[Value] = frozenset()


class _BlankValues(NamedTuple):
    """The statuses, tracks, facts, relations and records of a state in which nothing has changed."""

    marks: dict[str, frozenset[Value]]
    tracks: dict[str, dict[Value, Value]]
    facts: dict[str, Value]
    pairs: dict[str, Pairs]
    records: dict[str, tuple[Record, ...]]


@memoized_by_identity()
def _blank_values(vocabulary: graph.Vocabulary) -> _BlankValues:
    _, initial, _ = orders_of(vocabulary)
    facts: dict[str, Value] = {}
    tracks: dict[str, dict[Value, Value]] = {}
    for key, track in vocabulary.tracks.items():
        if track.owner in ("game", "scenario"):
            facts[key] = initial[key]
        else:
            tracks[key] = {}
    marks = {key: UNMARKED for key, flag in vocabulary.flags.items() if flag.what == "status"}
    pairs = {name: Pairs({}, {}, {}) for name in vocabulary.relations}
    return _BlankValues(marks, tracks, facts, pairs, dict.fromkeys(vocabulary.records, ()))


class State:
    """A position in play.

    sheets, kind, side, traits, printed: the properties of each piece, by index, which only a flip changes; `of_kind`:
    the pieces of a kind. hex (OFF, GONE, AWAY, LOST or an index) and place: the location of each piece; `at`: the
    pieces in a hex. marks: "owner.status" -> subjects. tracks: "owner.name" -> subject -> value, where it differs from
    the initial one. facts: "game.x" and "scenario.x". pairs: by relation. records: those written and not removed, by
    type; amended: fields set since.
    """

    __slots__ = (
        "amended",
        "answers",
        "at",
        "board",
        "facts",
        "field_of",
        "frame",
        "graph",
        "hex",
        "kind",
        "last_serial",
        "marks",
        "of_kind",
        "own_tracks",
        "pairs",
        "phase",
        "place",
        "player",
        "printed",
        "records",
        "sheets",
        "side",
        "tracks",
        "traits",
        "turn",
    )

    def __init__(self, rules: graph.Graph, board: Board) -> None:
        """Create a state with an empty board."""
        self.graph = rules
        self.board: Board = board
        self.frame = Frame(rules.vocabulary, board)
        # Replaced when a piece is created, never changed in place: copies share them.
        self.sheets: tuple[Sheet, ...] = ()
        self.kind: tuple[str, ...] = ()
        self.side: tuple[str, ...] = ()
        self.traits: tuple[frozenset[str], ...] = ()
        self.printed: tuple[dict[str, Value], ...] = ()
        self.of_kind: dict[str, tuple[int, ...]] = {}
        self.hex: list[int] = []
        self.place: list[str] = []
        self.at: dict[int, tuple[int, ...]] = {}
        blank = _blank_values(rules.vocabulary)
        self.marks = blank.marks.copy()
        self.tracks = blank.tracks.copy()
        self.facts = blank.facts.copy()
        self.pairs = blank.pairs.copy()
        self.records = blank.records.copy()
        self.amended: dict[Record, dict[str, Value]] = {}
        self.turn = 1
        self.player = ""
        self.phase = ""
        self.last_serial = 0  # Numbers records; not part of the position.
        self.own_tracks: set[str] = set()  # Tracks that no other copy shares.
        self.answers = Answers()  # The memo tables of evaluators, valid until the next event.
        # Memoized pieces on and off the map, by query and kinds; cleared when a piece enters or leaves.
        self.field_of: dict[tuple[str, ...], tuple[int, ...]] = {}

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        state_copy = object.__new__(type(self))
        state_copy.graph, state_copy.board, state_copy.frame = self.graph, self.board, self.frame
        state_copy.sheets, state_copy.kind, state_copy.side = self.sheets, self.kind, self.side
        state_copy.traits, state_copy.printed, state_copy.of_kind = self.traits, self.printed, self.of_kind
        state_copy.hex, state_copy.place, state_copy.at = self.hex.copy(), self.place.copy(), self.at.copy()
        state_copy.marks, state_copy.tracks, state_copy.facts = self.marks.copy(), self.tracks.copy(), self.facts.copy()
        state_copy.pairs, state_copy.records, state_copy.amended = (
            self.pairs.copy(),
            self.records.copy(),
            self.amended.copy(),
        )
        state_copy.turn, state_copy.player, state_copy.phase = self.turn, self.player, self.phase
        state_copy.last_serial = self.last_serial
        state_copy.answers = Answers()
        state_copy.field_of = self.field_of.copy()
        state_copy.own_tracks = set()
        self.own_tracks = set()
        return state_copy

    def branch(self) -> Self:
        """Return a copy that shares the memo tables until the next event in one of the two."""
        state_copy = self.copy()
        state_copy.answers = self.answers
        return state_copy

    def forget_answers(self) -> None:
        """Replace the memo tables by empty ones after a change; branches keep the old ones."""
        self.answers = Answers()

    # Queries. Evaluators use these or the arrays themselves.

    def in_play(self, kinds: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Return the pieces of these kinds (any, if none) that are on the board; memoized."""
        found = self.field_of.get(("", "", *kinds))
        if found is None:
            found = self.field_of["", "", *kinds] = tuple([p for p in self._among(kinds) if self.hex[p] >= 0])
        return found

    def fielded(self, kind: str) -> tuple[int, ...]:
        """Return the pieces of a kind that are on the board; equal to `in_play`, and faster."""
        found = self.field_of.get((kind,))
        if found is None:
            found = self.field_of[kind,] = tuple([p for p in self.of_kind.get(kind, NOBODY) if self.hex[p] >= 0])
        return found

    def fielded_by(self, kind: str, side: str) -> tuple[int, ...]:
        """Return the pieces of a kind and side that are on the board."""
        found = self.field_of.get((kind, side))
        if found is None:
            found = self.field_of[kind, side] = tuple([p for p in self.fielded(kind) if self.side[p] == side])
        return found

    def fielded_against(self, kind: str, side: str) -> tuple[int, ...]:
        """Return the pieces of a kind on the board that are not of a side."""
        found = self.field_of.get((kind, "", side))
        if found is None:
            found = self.field_of[kind, "", side] = tuple([p for p in self.fielded(kind) if self.side[p] != side])
        return found

    def reserve(self, kinds: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Return the pieces of these kinds that are off the board and may enter it; memoized."""
        found = self.field_of.get(("", *kinds))
        if found is None:
            found = self.field_of["", *kinds] = tuple([p for p in self._among(kinds) if self.hex[p] in OUTSIDE])
        return found

    def pieces_at(self, h: int, kinds: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Return the pieces of these kinds (any, if none) in a hex."""
        pieces = self.at.get(h, NOBODY)
        return tuple([p for p in pieces if self.kind[p] in kinds]) if kinds else pieces

    def pieces_in_hexes(self, hexes: Iterable[int]) -> list[int]:
        """Return the pieces in any of these hexes, by index."""
        pieces_by_hex = self.at
        return sorted([p for h in hexes if h in pieces_by_hex for p in pieces_by_hex[h]])

    def _among(self, kinds: tuple[str, ...]) -> tuple[int, ...]:
        if len(kinds) == 1:
            return self.of_kind.get(kinds[0], NOBODY)
        if not kinds:
            return tuple(range(len(self.kind)))
        return tuple(p for p, kind in enumerate(self.kind) if kind in kinds)

    def steps_left(self, piece: int) -> int:
        """Return how many steps a piece has; none if it is gone or counts as lost."""
        return 0 if self.hex[piece] in (GONE, LOST) else step_count(self.graph.counters, self.sheets[piece].counter)

    def face(self, piece: int, which: str) -> str:
        """Return the counter on the back of a piece, or the one it is the back of ("front"); "" if there is none."""
        counters, name = self.graph.counters, self.sheets[piece].counter
        if which == "back":
            return counters[name].back if name in counters else ""
        return next((counter.id for counter in counters.values() if counter.back == name != ""), "")

    def is_marked(self, key: str, subject: Value) -> bool:
        """Return whether `owner.status` is marked on a subject."""
        return subject in self.marks[key]

    def track(self, key: str, subject: Value) -> Value:
        """Read a track of a piece, hex or side; None where it is absent."""
        return self.tracks[key].get(subject, self.frame.initial[key])

    def fact(self, key: str) -> Value:
        """Read a track of the game or scenario, or a field of the clock; None where it is absent."""
        match key:
            case "game.turn":
                return self.turn
            case "game.player":
                return self.player
            case "game.phase":
                return self.phase
            case _:
                return self.facts.get(key)

    def field(self, record: Record, name: str) -> Value:
        """Read a field of a record; None where it is absent."""
        changed = self.amended.get(record)
        if changed is not None and name in changed:
            return changed[name]
        return record.fields.get(name)

    def partners(self, relation: str, end: str, piece: int) -> tuple[int, ...]:
        """Return the pieces at `end` ("left" or "right") of a relation whose other end is `piece`."""
        pairs = self.pairs[relation]
        return (pairs.lefts if end == "left" else pairs.rights).get(piece, NOBODY)

    def partner(self, relation: str, end: str, piece: int) -> int | None:
        """Return the first piece at `end` of a relation whose other end is `piece`; None if there is none."""
        partners = self.partners(relation, end, piece)
        return partners[0] if partners else None

    def payload(self, relation: str, left: int, right: int) -> Value:
        """Read the payload of a pair; None where the two are not related."""
        return self.pairs[relation].payload.get((left, right))

    def related(self, relation: str, left: int, right: int) -> bool:
        """Return whether two pieces are related."""
        return (left, right) in self.pairs[relation].payload

    def new_record(self, type_: str, fields: dict[str, Value]) -> Record:
        """Return a record with a new serial number, not written yet; its numbers are known to lie in their ranges."""
        self.last_serial += 1
        return Record(type_, self.last_serial, fields)

    def held_record(self, type_: str, fields: dict[str, Value]) -> Record:
        """Return a record with a new number, not written yet; `OutOfRangeError` for a number out of its range."""
        for part in self.graph.vocabulary.records[type_].fields:
            if part.name in fields:
                check_range(part, type_, fields[part.name], field=True)
        return self.new_record(type_, fields)
