"""The closed vocabulary of one stack, as the checker needs it: names, types, signatures.

In: the declarations of a layered stack. Out: a `World`, whose vocabulary goes into the graph as it
is. Afterwards every declared name is unique in its room and every declared type is resolved.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compiler.source import nodes as source
from compiler.source.kept import Kept, Key
from compiler.source.rooms import Room, made_once
from compiler.source.span import Span
from compiler.typed.problems import KeysTurned, Misplaced, Problem, UnknownName
from compiler.typed.standing import Standing
from runtime.graph import nodes as graph

# The type of what was declared with a type nobody knows: that was reported, and silences follow-ups. It is told
# from other empty types by being this very object.
UNKNOWN = graph.Nothing()
HEX_NAMES = "hex_name"  # the open enumeration of printed hex numbers
BACK = "back"  # a column of a unit chart: the counter on the other side
FACES = (BACK, "front")  # what a piece may have of other sides
COUNTER = "counter"  # the counters of the unit charts, by their names


@dataclass(frozen=True, slots=True)
class Signature:
    """What a term is asked with and answers."""

    name: str
    form: str
    parameters: tuple[graph.Parameter, ...]
    type: graph.Type
    stages: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Chart:
    """What a table is asked with and holds; cells of one unnamed kind are plain values.

    `against_rows` are pairs of keys that the rows write the other way round, with what is said of whoever asks so.
    """

    name: str
    keys: tuple[graph.Parameter, ...]
    cells: tuple[tuple[str, graph.Type | None], ...]
    against_rows: Mapping[tuple[int, int], KeysTurned] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class CallGraphNode:
    """The choices of a procedure, those inside of its steps included, and what it calls."""

    name: str
    choices: tuple[graph.Parameter, ...]
    calls: tuple[str, ...]


@dataclass(slots=True)
class World:
    """Everything names can mean in one stack."""

    measures: Room[str] = field(default_factory=Room)
    domains: Room[graph.Number] = field(default_factory=Room)
    enums: Room[tuple[graph.Word, ...]] = field(default_factory=Room)
    scales: Room[graph.Line] = field(default_factory=Room)
    kinds: Room[graph.Kind] = field(default_factory=Room)
    flags: Room[graph.Flag] = field(default_factory=Room)
    tracks: Room[graph.Track] = field(default_factory=Room)
    initial: Room[bool] = field(default_factory=Room)  # tracks that have a first value
    relations: Room[graph.Relation] = field(default_factory=Room)
    records: Room[graph.Record] = field(default_factory=Room)
    counters_of: Room[str] = field(default_factory=Room)  # the counting field of each task
    wording: Room[str] = field(default_factory=Room)  # of printed factors, tracks and fields of records
    events: Room[graph.Event] = field(default_factory=Room)
    terms: Room[Signature] = field(default_factory=Room)
    spoken: Room[Signature] = field(default_factory=Room)  # what rules may speak on: terms, stages, overruled flags
    charts: Room[Chart] = field(default_factory=Room)
    actions: Room[tuple[graph.Parameter, ...]] = field(default_factory=Room)
    choices: Room[tuple[graph.Parameter, ...]] = field(default_factory=Room)  # what an action's player is asked
    call_graph: Room[tuple[CallGraphNode, ...]] = field(default_factory=Room)  # by name: what procedures ask and call
    resolutions: Room[tuple[graph.Parameter, ...]] = field(default_factory=Room)
    counters: Room[tuple[str, tuple[str, ...]]] = field(default_factory=Room)
    homes: Room[str] = field(default_factory=Room)  # the layer of each file that holds procedures
    labels: Room[bool] = field(default_factory=Room)  # of all rules
    # The same once more, by what is looked for: flags by their names alone, the enumerations that have a member, the
    # relations that have an end of that name, and which end it is.
    flags_named: Room[tuple[graph.Flag, ...]] = field(default_factory=Room)
    owners: Room[tuple[str, ...]] = field(default_factory=Room)
    ends: Room[tuple[str, str]] = field(default_factory=Room)
    chosen: dict[Span, graph.Type] = field(default_factory=dict)  # what each `choose` binds
    asked: dict[graph.Origin, tuple[graph.Parameter, ...]] = field(default_factory=dict)  # by each procedure
    odd_owners: frozenset[str] = frozenset()  # counters whose side is most likely a slip
    unsure: bool = False  # Something is wrong before examples are looked at, so names may be missing.
    pending: dict[str, source.Define] = field(default_factory=dict)  # defines whose type is still to be inferred
    inferring: list[str] = field(default_factory=list)  # those whose type is being inferred, the innermost last
    spans: dict[tuple[str, str], Span] = field(default_factory=dict, hash=False)
    problems: list[Problem] = field(default_factory=list)
    kept: Kept = field(default_factory=Kept)
    standing: Standing = field(default_factory=Standing)
    rooms: tuple[Room[Any], ...] = ()

    def __post_init__(self) -> None:
        """Number the rooms, and let them all note in one place what is asked of them."""
        self.rooms = tuple(room for name in self.__slots__ if isinstance(room := getattr(self, name), Room))
        for number, room in enumerate(self.rooms):
            room.number, room.kept = number, self.kept

    def copy(self) -> "World":
        """Give a world in which everything means the same, to go on from."""
        other = World(kept=self.kept)
        for mine, theirs in zip(self.rooms, other.rooms, strict=True):
            theirs.take_over(mine)
        other.pending.update(self.pending)
        other.spans.update(self.spans)
        return other

    def members(self, enum: str) -> tuple[str, ...]:
        """The members of an enumeration; sides, kinds and phases are enumerations too."""
        if enum == "kind":
            return tuple(self.kinds)
        if enum == COUNTER:
            return tuple(self.counters)
        return tuple([word.name for word in self.enums.get(enum) or ()])

    def has(self, enum: str, member: str) -> bool:
        """Tell whether an enumeration has a member, without asking for all it has."""
        return member in self.counters if enum == COUNTER else enum in self.enums_with(member)

    def enums_with(self, member: str) -> tuple[str, ...]:
        """The enumerations that have this member."""
        return self.owners.get(member) or ()

    def measure(self, name: str) -> str:
        """A measure of this name if the stack declares it, else the empty measure."""
        return name if name in self.measures else ""

    def settle(self) -> None:
        """Enter all names once more by what is looked for, and make equal meanings one, also with other stacks'."""
        self.join()
        owners: dict[str, tuple[str, ...]] = {}
        flags: dict[str, tuple[graph.Flag, ...]] = {}
        for enum in (*self.enums, "kind"):
            alone = self.kept.one((enum,))
            for member in self.members(enum):
                owners[member] = (*owners[member], enum) if member in owners else alone
        for flag in self.flags.values():
            flags[flag.name] = (*flags.get(flag.name, ()), flag)
        self.owners.enter(owners)
        self.flags_named.enter({name: self.kept.all_of(same) for name, same in flags.items()})
        for relation in self.relations.values():
            for end, other in (("left", relation.left), ("right", relation.right)):
                if other.name not in self.ends:
                    self.ends[other.name] = (relation.name, end)
        self.join()

    def join(self, *rooms: Room[Any]) -> None:
        """Make equal meanings one. Where something is wrong they stay apart: the unknown is told by its identity."""
        if not self.problems and all(term.type is not UNKNOWN for term in self.terms.values()):
            for room in rooms or self.rooms:
                room.settle()

    def look_around(self, moment: str, *rooms: Room[Any]) -> None:
        """Find what stands as it stood in an earlier stack, now that these rooms, or all, have changed."""
        self.standing.look_around(moment, self.kept, rooms or self.rooms)


T = TypeVar("T")


def once(world: World, key: Key, source_: object, make: Callable[[], T]) -> T:
    """Make something, unless it was made before under this key and every name it read still means the same.

    `source_` is what the identities in the key belong to. What reported a problem is made again every time.
    """
    if world.kept.seen is not None:
        return make()  # What is made around it is kept as a whole, and notes what it reads.
    standing = world.standing
    found = standing.taken.get(key)
    if found is None:
        before = len(world.problems)
        made = made_once(world.kept, world.rooms, key, source_, make, lambda: len(world.problems) == before)
        found = (made, source_)
    standing.made[key] = found
    return found[0]


def resolve_type(world: World, written: source.Type) -> graph.Type | None:
    """Find what a written type means; None after reporting an unknown name."""
    match written:
        case source.RangeType(low=low, high=high, measure=measure):
            if measure and measure.text not in world.measures:
                world.problems.append(UnknownName(measure.span, "measure", measure.text, tuple(world.measures)))
                return None
            if low > high:
                said = f"the range `{low}..{high}` runs backwards"
                world.problems.append(Misplaced(written.span, said, f"write `{high}..{low}`"))
                return None
            return graph.Number(low, high, measure.text if measure else "")
        case source.ManyType(shape=shape, of=of):
            inner = resolve_type(world, of)
            return graph.Many(shape, inner) if inner else None
        case source.NameType(names=(word,)):
            return _named_type(world, word)
        case source.NameType(names=names):
            for word in names:
                if word.text not in world.kinds:
                    world.problems.append(UnknownName(word.span, "kind of piece", word.text, tuple(world.kinds)))
                    return None
            return graph.Piece(tuple(word.text for word in names))


PLAIN: dict[str, graph.Type] = {
    "yes_no": graph.YesNo(),
    "hex": graph.Hex(),
    "hexside": graph.Hexside(),
    "crossing": graph.Crossing(),
    "piece": graph.Piece(()),
    "side": graph.Enum("side"),
    "phase": graph.Enum("phase"),
    "kind": graph.Enum("kind"),
    "number": graph.Number(None, None, ""),
    "multiplier": graph.Number(None, None, ""),
    "turn": graph.Number(0, None, ""),
}


def _named_type(world: World, word: source.Word) -> graph.Type | None:
    name = word.text
    if name in PLAIN:
        return PLAIN[name]
    if name in world.kinds:
        return graph.Piece((name,))
    if name in world.enums:
        return graph.Enum(name)
    if name in world.scales:
        return graph.Scale(name)
    if name in world.domains:
        return world.domains[name]
    if name in world.records:
        return graph.RecordOf(name)
    if name in world.measures:
        return graph.Number(None, None, name)
    known = [*PLAIN, *world.kinds, *world.enums, *world.scales, *world.domains, *world.records, *world.measures]
    world.problems.append(UnknownName(word.span, "type", name, tuple(known)))
    return None


def say(type_: graph.Type | None) -> str:
    """A type as its author would write it."""
    match type_:
        case None:
            return "something unknown"
        case graph.Number(low=low, high=high, measure=measure):
            unit = f" {measure}" if measure else ""
            return (
                f"{low}..{high}{unit}"
                if low is not None and high is not None
                else f"a number{' of' + unit if unit else ''}"
            )
        case graph.YesNo():
            return "yes or no"
        case graph.Enum(name=name) | graph.Scale(name=name) | graph.RecordOf(name=name):
            return name
        case graph.Hex():
            return "hex"
        case graph.Hexside():
            return "hexside"
        case graph.Crossing():
            return "crossing"
        case graph.Piece(kinds=kinds):
            return "|".join(kinds) or "piece"
        case graph.Many(shape=shape, of=of):
            return f"{shape} of {say(of)}"
        case graph.CellOf(table=table):
            return f"a cell of {table}"
        case graph.Nothing():
            return "nothing"


def fits(found: graph.Type, wanted: graph.Type) -> bool:
    """Whether a value of one type may stand where the other is wanted. Domains are claims, not types."""
    if found is wanted:
        return True
    match found, wanted:
        case graph.Nothing(), _:
            return True
        case graph.Number(), graph.Number():
            return found.measure == wanted.measure
        case graph.Piece(), graph.Piece():
            return not wanted.kinds or (bool(found.kinds) and set(found.kinds) <= set(wanted.kinds))
        case graph.Many(), graph.Many():
            return fits(found.of, wanted.of)
        case _:
            return found == wanted
