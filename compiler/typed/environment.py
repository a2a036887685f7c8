"""The vocabulary of one stack for elaboration: names, types, signatures.

In: the declarations of a layered stack. Out: an `Environment`, whose vocabulary becomes that of the graph. Afterwards
every declared name is unique in its table and every declared type is resolved.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from compiler.query.database import Database
from compiler.query.symbol_table import SymbolTable
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.names import UnknownMember, UnknownName
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

# The type of a name that was declared with an unknown type: that was reported, and suppresses further problems. It is
# distinguished from other empty types by identity.
UNKNOWN_TYPE = graph.Nothing()
HEX_NAMES = "hex_name"  # the open enumeration of printed hex numbers
BACK = "back"  # a column of a unit chart: the counter on the other side
FACES = (BACK, "front")  # the other sides that a piece may have
COUNTER_NAME = "counter"  # the counters of the unit charts, by their names
CLOSED_ENUMS = ("side", "phase")  # enumerations that no `extend enum` may name


@frozen_dataclass
class Signature:
    """The signature of a term: its form, its parameters, the type that its rules conclude, and its stages.

    `answer` is the type of its answers where that is narrower: a sum that is capped.
    """

    name: str
    form: graph.Form
    parameters: tuple[graph.Parameter, ...]
    type: graph.Type
    stages: tuple[str, ...]
    span: Span
    answer: graph.Type | None = None


@frozen_dataclass
class ChartSignature:
    """The signature of a chart: its keys and kinds of cells; cells of one unnamed kind are plain values.

    `kinds_at` are the kinds of cells in the rows where a key at a position is a certain member of its enumeration.
    """

    name: str
    keys: tuple[graph.Parameter, ...]
    cells: tuple[tuple[str, graph.Type | None], ...]
    kinds_at: Mapping[tuple[int, str], frozenset[str]] = field(hash=False)


@frozen_dataclass
class CallGraphNode:
    """The choices of a procedure, those nested in its steps included, and the procedures that it calls."""

    name: str
    choices: tuple[graph.Parameter, ...]
    calls: tuple[str, ...]


T = TypeVar("T")


@dataclass(slots=True)
class Environment:
    """The symbol tables of one stack: everything that names are bound to."""

    measures: SymbolTable[str] = field(default_factory=SymbolTable)
    domains: SymbolTable[graph.Number] = field(default_factory=SymbolTable)
    enums: SymbolTable[tuple[graph.Word, ...]] = field(default_factory=SymbolTable)
    scales: SymbolTable[graph.Line] = field(default_factory=SymbolTable)
    kinds: SymbolTable[graph.Kind] = field(default_factory=SymbolTable)
    flags: SymbolTable[graph.Flag] = field(default_factory=SymbolTable)
    tracks: SymbolTable[graph.Track] = field(default_factory=SymbolTable)
    initial: SymbolTable[bool] = field(default_factory=SymbolTable)  # tracks that have a first value
    relations: SymbolTable[graph.Relation] = field(default_factory=SymbolTable)
    records: SymbolTable[graph.Record] = field(default_factory=SymbolTable)
    counters_of: SymbolTable[str] = field(default_factory=SymbolTable)  # the counting field of each task
    wording: SymbolTable[str] = field(default_factory=SymbolTable)  # of printed factors, tracks and fields of records
    events: SymbolTable[graph.Event] = field(default_factory=SymbolTable)
    terms: SymbolTable[Signature] = field(default_factory=SymbolTable)
    signatures: SymbolTable[Signature] = field(
        default_factory=SymbolTable
    )  # of what rules may conclude on: terms, stages, overridden flags
    charts: SymbolTable[ChartSignature] = field(default_factory=SymbolTable)
    actions: SymbolTable[tuple[graph.Parameter, ...]] = field(default_factory=SymbolTable)
    choices: SymbolTable[tuple[graph.Parameter, ...]] = field(
        default_factory=SymbolTable
    )  # the choices of an action's player
    call_graph: SymbolTable[tuple[CallGraphNode, ...]] = field(
        default_factory=SymbolTable
    )  # by name: the choices and calls of procedures
    resolutions: SymbolTable[tuple[graph.Parameter, ...]] = field(default_factory=SymbolTable)
    # Of counters: their kind, their side if they have one, and their title, "" without one.
    counters: SymbolTable[tuple[str, tuple[str, ...], str]] = field(default_factory=SymbolTable)
    layer_of_file: SymbolTable[str] = field(default_factory=SymbolTable)  # the layer of each file that holds procedures
    labels: SymbolTable[bool] = field(default_factory=SymbolTable)  # of all rules
    withdrawn: SymbolTable[bool] = field(default_factory=SymbolTable)  # by key, as `phase:combat`: what rules withdrew
    # Indexes of the same names: flags by their names alone, the enumerations that have a member, the relations that
    # have an end of that name, and which end it is.
    flags_named: SymbolTable[tuple[graph.Flag, ...]] = field(default_factory=SymbolTable)
    owners: SymbolTable[tuple[str, ...]] = field(default_factory=SymbolTable)
    ends: SymbolTable[tuple[str, str]] = field(default_factory=SymbolTable)
    chosen: dict[Span, graph.Type] = field(default_factory=dict)  # the type that each `choose` binds
    # The names in scope at the end of the steps in which an account begins, by the span of the account.
    account_scopes: dict[Span, Mapping[str, graph.Type]] = field(default_factory=dict)
    # The choices in each procedure, nested steps included, by its origin.
    nested_choices: dict[graph.Origin, tuple[graph.Parameter, ...]] = field(default_factory=dict)
    incomplete: bool = False  # There were problems before examples are elaborated, so names may be missing.
    pending: dict[str, source.Define] = field(default_factory=dict)  # definitions whose type has not been inferred
    inferring: list[str] = field(default_factory=list)  # those whose type is being inferred, the innermost last
    spans: dict[tuple[str, str], Span] = field(default_factory=dict, hash=False)
    problems: list[Finding] = field(default_factory=list)
    database: Database = field(default_factory=Database)
    tables: dict[str, SymbolTable[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Collect the symbol tables, and attach them to the database, which records their lookups."""
        self.tables = {name: table for name in self.__slots__ if isinstance(table := getattr(self, name), SymbolTable)}
        for name, table in self.tables.items():
            table.attach(self.database, name)

    def copy(self) -> "Environment":
        """Return an environment with the same bindings, to be extended."""
        other = Environment(database=self.database)
        for name, table in self.tables.items():
            other.tables[name].inherit(table)
        other.pending.update(self.pending)
        other.spans.update(self.spans)
        return other

    def report_invalid(self, span: Span, message: str, advice: str, root: str = "") -> None:
        """Report a construct that is meaningless at its place; problems with one root are reported as one."""
        self.problems.append(InvalidConstruct(span, message, advice, root))

    def report_unknown(
        self, category: str, word: source.Word | source.Quoted | source.Scalar, known: Iterable[str]
    ) -> None:
        """Report a word that is none of the known ones."""
        self.problems.append(UnknownName(word.span, category, word.text, tuple(known)))

    def report(self, problem: Finding, result: T) -> T:
        """Report a problem, and return what stands for that which cannot be elaborated."""
        self.problems.append(problem)
        return result

    def track_names(self, *owners: str) -> list[str]:
        """Return the names of the tracks of some owners."""
        return [track.name for track in self.tracks.values() if track.owner in owners]

    def flag_names(self, *owners: str) -> list[str]:
        """Return the names of the traits, features, statuses, paths and places of some owners."""
        return [flag.name for flag in self.flags.values() if flag.owner in owners]

    def members(self, enum: str) -> tuple[str, ...]:
        """Return the members of an enumeration; sides, kinds and phases are enumerations too."""
        if enum == "kind":
            return tuple(self.kinds)
        if enum == COUNTER_NAME:
            return tuple(self.counters)
        return tuple([word.name for word in self.enums.get(enum) or ()])

    def unknown_member(self, span: Span, enum: str, name: str, others: Iterable[str] = ()) -> UnknownMember:
        """Return the problem of a name that is no member; a member that reads so, as in printed charts, is meant."""
        readings = {name.casefold(), *(f"{article} {name.casefold()}" for article in ("a", "an", "the"))}
        same_wording = tuple(word.name for word in self.enums.get(enum) or () if word.reads.casefold() in readings)
        members = self.members(enum)
        near = same_wording or nearest_names(name, [*members, *others])
        return UnknownMember(span, enum, name, members, near, is_open=enum in self.enums and enum not in CLOSED_ENUMS)

    def has_member(self, enum: str, member: str) -> bool:
        """Return whether an enumeration has a member, by a lookup of that member alone."""
        return member in self.counters if enum == COUNTER_NAME else enum in self.enums_with(member)

    def enums_with(self, member: str) -> tuple[str, ...]:
        """Return the enumerations that have this member."""
        return self.owners.get(member) or ()

    def find_measure(self, name: str) -> str:
        """Return the measure of this name if the stack declares it, else the empty measure."""
        return name if name in self.measures else ""

    def index_names(self) -> None:
        """Build the indexes of names, and intern all bindings."""
        self.intern()
        owners: dict[str, tuple[str, ...]] = {}
        flags: dict[str, tuple[graph.Flag, ...]] = {}
        for enum in (*self.enums, "kind"):
            singleton = self.database.intern((enum,))
            for member in self.members(enum):
                owners[member] = (*owners[member], enum) if member in owners else singleton
        for flag in self.flags.values():
            flags[flag.name] = (*flags.get(flag.name, ()), flag)
        self.owners.bind(owners)
        self.flags_named.bind({name: self.database.tuple_of(same) for name, same in flags.items()})
        for relation in self.relations.values():
            for end, other in (("left", relation.left), ("right", relation.right)):
                if other.name not in self.ends:
                    self.ends[other.name] = (relation.name, end)
        self.intern()

    def intern(self, *tables: SymbolTable[Any]) -> None:
        """Intern the bindings of tables, unless there are problems: UNKNOWN is compared by identity."""
        if not self.problems and all(term.type is not UNKNOWN_TYPE for term in self.terms.values()):
            for table in tables or self.tables.values():
                table.intern_values()


P = ParamSpec("P")
Query = Callable[Concatenate[Environment, P], T]


def memoize_query(name: str, input_count: int = 1) -> Callable[[Query[P, T]], Query[P, T]]:
    """Return a decorator that makes a function of an environment a query of its database.

    The first `input_count` arguments behind the environment are nodes, which the database tells apart by identity;
    further ones are hashable. Those passed by keyword are symbol tables: they are no part of the key, as the database
    records what is looked up in them.

    A query that reports a problem is recomputed each time, to report it again. Within another query nothing is
    memoized: the outer one is, as a whole, and records the lookups.
    """

    def decorate(compute: Query[P, T]) -> Query[P, T]:
        @wraps(compute)
        def memoized(env: Environment, /, *arguments: P.args, **tables: P.kwargs) -> T:
            if env.database.trace is not None:
                return compute(env, *arguments, **tables)
            before = len(env.problems)
            return env.database.query(
                name, arguments[:input_count], env.tables, partial(compute, env, *arguments, **tables),
                *arguments[input_count:], keep=lambda: len(env.problems) == before,
            )  # fmt: skip

        return memoized

    return decorate


def resolve_type(env: Environment, written: source.Type) -> graph.Type | None:
    """Resolve a written type; None after an unknown name, which is reported."""
    match written:
        case source.RangeType(low=low, high=high, measure=measure):
            if measure and measure.text not in env.measures:
                return env.report(UnknownName(measure.span, "measure", measure.text, tuple(env.measures)), None)
            if low > high:
                message = f"the range `{low}..{high}` begins with its upper end"
                return env.report(InvalidConstruct(written.span, message, f"write `{high}..{low}`"), None)
            return graph.Number(low, high, measure.text if measure else "")
        case source.ManyType(shape=shape, of=element_type):
            inner = resolve_type(env, element_type)
            return graph.Many(cast(graph.ManyShape, shape), inner) if inner else None
        case source.NameType(names=(word,)):
            return _named_type(env, word)
        case source.NameType(names=names):
            for word in names:
                if word.text not in env.kinds:
                    return env.report(UnknownName(word.span, "kind of piece", word.text, tuple(env.kinds)), None)
            return graph.Piece(tuple(word.text for word in names))


PREDEFINED_TYPES: dict[str, graph.Type] = {
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


def _named_type(env: Environment, word: source.Word) -> graph.Type | None:
    name = word.text
    if name in PREDEFINED_TYPES:
        return PREDEFINED_TYPES[name]
    if name in env.kinds:
        return graph.Piece((name,))
    if declared := declared_type(env, name):
        return declared
    if name in env.measures:
        return graph.Number(None, None, name)
    known = [*PREDEFINED_TYPES, *env.kinds, *env.enums, *env.scales, *env.domains, *env.records, *env.measures]
    return env.report(UnknownName(word.span, "type", name, tuple(known)), None)


def declared_type(env: Environment, name: str) -> graph.Type | None:
    """Return the enumeration, scale, domain or record of a name; None if there is none."""
    if name in env.enums:
        return graph.Enum(name)
    if name in env.scales:
        return graph.Scale(name)
    return graph.RecordOf(name) if name in env.records else env.domains.get(name)


def type_text(type_: graph.Type | None) -> str:
    """Return a type as its author would write it."""
    match type_:
        case None:
            return "something unknown"
        case graph.Number():
            return _number_text(type_)
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
        case graph.Many(shape=shape, of=element_type):
            return f"{shape} of {type_text(element_type)}"
        case graph.CellOf(table=table):
            return f"a cell of {table}"
        case graph.Nothing():
            return "nothing"


def _number_text(type_: graph.Number) -> str:
    unit = f" {type_.measure}" if type_.measure else ""
    if type_.low is None or type_.high is None:
        return f"a number{' of' + unit if unit else ''}"
    return f"{type_.low}{unit}" if type_.low == type_.high else f"{type_.low}..{type_.high}{unit}"


def is_assignable(found: graph.Type, expected: graph.Type) -> bool:
    """Return whether a value of one type may occur where the other is expected; ranges of numbers are not compared."""
    if found is expected:
        return True
    match found, expected:
        case graph.Nothing(), _:
            return True
        case graph.Number(), graph.Number():
            return found.measure == expected.measure
        case graph.Piece(), graph.Piece():
            return not expected.kinds or (bool(found.kinds) and set(found.kinds) <= set(expected.kinds))
        case graph.Many(), graph.Many():
            return is_assignable(found.of, expected.of)
        case _:
            return found == expected
