"""The closed vocabulary of one stack, as the checker needs it: names, types, signatures.

In: the declarations of a layered stack. Out: a `World`, whose vocabulary goes into the graph as it
is. Afterwards every declared name is unique in its room and every declared type is resolved.
"""

from dataclasses import dataclass, field

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.source.suggest import nearest
from compiler.typed.problems import Misplaced, Problem, UnknownName
from runtime.graph import nodes as graph

# The type of what was declared with a type nobody knows: that was reported, and silences follow-ups. It is told
# from other empty types by being this very object.
UNKNOWN = graph.Nothing()
HEX_NAMES = "hex_name"  # the open enumeration of printed hex numbers


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
    """What a table is asked with and holds; cells of one unnamed kind are plain values."""

    name: str
    keys: tuple[graph.Parameter, ...]
    cells: tuple[tuple[str, graph.Type | None], ...]


@dataclass(slots=True)
class World:
    """Everything names can mean in one stack."""

    measures: dict[str, str] = field(default_factory=dict)
    domains: dict[str, graph.Number] = field(default_factory=dict)
    enums: dict[str, list[graph.Word]] = field(default_factory=dict)
    scales: dict[str, graph.Line] = field(default_factory=dict)
    kinds: dict[str, graph.Kind] = field(default_factory=dict)
    flags: dict[str, graph.Flag] = field(default_factory=dict)
    tracks: dict[str, graph.Track] = field(default_factory=dict)
    initial: set[str] = field(default_factory=set)  # tracks that have a first value
    named_places: set[str] = field(default_factory=set)  # binders that range over a scale's named places
    relations: dict[str, graph.Relation] = field(default_factory=dict)
    records: dict[str, graph.Record] = field(default_factory=dict)
    counters_of: dict[str, str] = field(default_factory=dict)  # the counting field of each task
    wording: dict[str, str] = field(default_factory=dict)  # of printed factors, tracks and fields of records
    events: dict[str, graph.Event] = field(default_factory=dict)
    terms: dict[str, Signature] = field(default_factory=dict)
    charts: dict[str, Chart] = field(default_factory=dict)
    actions: dict[str, tuple[graph.Parameter, ...]] = field(default_factory=dict)
    choices: dict[str, dict[str, graph.Type]] = field(default_factory=dict)  # what an action's player is asked
    chosen: dict[Span, graph.Type] = field(default_factory=dict)  # what each `choose` binds
    resolutions: dict[str, tuple[graph.Parameter, ...]] = field(default_factory=dict)
    counters: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    pending: dict[str, source.Define] = field(default_factory=dict)  # defines whose type is still to be inferred
    spans: dict[tuple[str, str], Span] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)  # the layer of each file that holds procedures
    problems: list[Problem] = field(default_factory=list)

    def members(self, enum: str) -> tuple[str, ...]:
        """The members of an enumeration; sides, kinds and phases are enumerations too."""
        if enum == "kind":
            return tuple(self.kinds)
        return tuple(word.name for word in self.enums.get(enum, ()))

    def enums_with(self, member: str) -> tuple[str, ...]:
        """The enumerations that have this member."""
        return tuple(name for name in (*self.enums, "kind") if member in self.members(name))

    def measure(self, name: str) -> str:
        """A measure of this name if the stack declares it, else the empty measure."""
        return name if name in self.measures else ""


def resolve_type(world: World, written: source.Type) -> graph.Type | None:
    """Find what a written type means; None after reporting an unknown name."""
    match written:
        case source.RangeType(low=low, high=high, measure=measure):
            if measure and measure.text not in world.measures:
                candidates = nearest(measure.text, world.measures)
                world.problems.append(UnknownName(measure.span, "measure", measure.text, candidates))
                return None
            if low > high:
                world.problems.append(Misplaced(written.span, f"`{low}..{high}`", "a range begins with its lower end"))
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
                    candidates = nearest(word.text, world.kinds)
                    world.problems.append(UnknownName(word.span, "kind of piece", word.text, candidates))
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
    world.problems.append(UnknownName(word.span, "type", name, nearest(name, known)))
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
