"""The nodes of the core; nodes that only passes create are in `sharing.py`. Names are unique in a function."""

from enum import StrEnum

from compiler.core.representation import BOOL, Representation
from compiler.core.sharing import LetLazy, Memo
from compiler.core.trap_reason import TrapReason
from runtime.graph.frozen_dataclass import frozen_dataclass


class Primitive(StrEnum):
    """Operations on values. Operands are evaluated from left to right."""

    NOT = "not"
    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    NEGATE = "negate"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    FLOOR = "floor"
    CEILING = "ceiling"
    FLOOR_DIVIDE = "floor_divide"
    CEILING_DIVIDE = "ceiling_divide"
    TO_RATIO = "to_ratio"
    EQUAL = "equal"
    LESS = "less"
    MEMBER = "member"
    UNION = "union"
    DIFFERENCE = "difference"
    INTERSECTION = "intersection"
    SPAN = "span"
    DISTANCE = "distance"
    ADJACENT = "adjacent"
    NEIGHBORS = "neighbors"
    BESIDE = "beside"
    WITHIN = "within"
    BETWEEN = "between"
    ACROSS = "across"
    BEYOND = "beyond"
    TOWARD = "toward"
    LINE = "line"
    TOUCHING = "touching"
    ENDS = "ends"
    EDGE = "edge"
    SET_OF = "set_of"
    PIECES_AT = "pieces_at"
    PIECES_ON_MAP = "pieces_on_map"
    PIECES_IN_RESERVE = "pieces_in_reserve"
    ALL_HEXES = "all_hexes"
    ALL_HEXSIDES = "all_hexsides"
    WRITTEN_RECORDS = "written_records"
    MASK = "mask"
    PIECES_IN = "pieces_in"
    COMPLETES = "completes"


@frozen_dataclass
class Const:
    """A constant: an integer, or numerator and denominator of a ratio."""

    value: int | tuple[int, int]
    representation: Representation


@frozen_dataclass
class EnumConst:
    """A member of an enumeration, by name until the layout numbers it."""

    word: str
    representation: Representation


@frozen_dataclass
class Members:
    """A constant set or list of constants, in canonical order."""

    elements: tuple["Const | EnumConst", ...]
    representation: Representation


@frozen_dataclass
class Local:
    """A parameter or a name that a `Let`, `Fold` or `Lazy` binds."""

    name: str
    representation: Representation


@frozen_dataclass
class Force:
    """The value of a `Lazy` name, evaluated at its first use in a call."""

    name: str
    representation: Representation


@frozen_dataclass
class Let:
    """A name for a value in `body`."""

    name: str
    value: "Core"
    body: "Core"
    representation: Representation


@frozen_dataclass
class If:
    """A conditional value; only one branch is evaluated. `and` and `or` are lowered to it."""

    condition: "Core"
    then: "Core"
    orelse: "Core"
    representation: Representation


@frozen_dataclass
class Apply:
    """A primitive operation. `name` is the kind, relation or type that some of them are about."""

    primitive: Primitive
    operands: tuple["Core", ...]
    representation: Representation
    name: str = ""


@frozen_dataclass
class Call:
    """Another term, asked of arguments."""

    function: str
    arguments: tuple["Core", ...]
    representation: Representation


@frozen_dataclass
class Load:
    """A value of the position: an element of an array of the layout, or its only one. An absent one is a trap."""

    array: str
    index: "Core | None"
    representation: Representation


@frozen_dataclass
class Present:
    """A test whether an element of an array is present."""

    array: str
    index: "Core | None"
    representation: Representation = BOOL


@frozen_dataclass
class Bit:
    """A test whether an index is in a bit set of the layout."""

    array: str
    index: "Core"
    representation: Representation = BOOL


@frozen_dataclass
class SideBit:
    """A test whether a feature is printed on a hexside."""

    array: str
    index: "Core"
    representation: Representation = BOOL


@frozen_dataclass
class Field:
    """A field of a record or of a crossing, by its place among its fields. An absent one is a trap."""

    base: "Core"
    place: int
    representation: Representation


@frozen_dataclass
class HasField:
    """A test whether a field of a record is present."""

    base: "Core"
    place: int
    representation: Representation = BOOL


@frozen_dataclass
class NewRecord:
    """A record with these values, one for each of its fields; None is absent."""

    fields: tuple["Core | None", ...]
    representation: Representation


@frozen_dataclass
class Partners:
    """The pieces on an end of a relation ("left" or "right") that have a piece on the other; all, or the first."""

    relation: str
    end: str
    piece: "Core"
    representation: Representation


@frozen_dataclass
class Payload:
    """The payload of a related pair; with `representation` BOOL and `is_test` whether there is such a pair."""

    relation: str
    left: "Core"
    right: "Core"
    representation: Representation
    is_test: bool = False


@frozen_dataclass
class TableLookup:
    """A cell of a chart with finite keys: an element of a constant array, in row-major order of `domains`."""

    table: str
    keys: tuple["Core", ...]
    domains: tuple[tuple[int | str, ...], ...]
    cells: tuple["Const | EnumConst | None", ...]
    representation: Representation


@frozen_dataclass
class FirstMatch:
    """The value of the first case whose condition holds; a trap where none does."""

    cases: tuple[tuple["Core", "Core"], ...]
    reason: TrapReason
    representation: Representation


class FoldKind(StrEnum):
    """The kinds of `Fold`: how it combines the members it passes."""

    COUNT = "count"
    SOME = "some"
    EVERY = "every"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    LEAST = "least"
    GREATEST = "greatest"
    GATHER = "gather"
    UNITE = "unite"
    LEADING = "leading"
    TRAILING = "trailing"


@frozen_dataclass
class Fold:
    """One pass over a collection in canonical order, `name` bound to each member for which `condition` holds."""

    kind: FoldKind
    name: str
    source: "Core"
    condition: "Core | None"
    body: "Core | None"
    default: "Core | None"
    representation: Representation


@frozen_dataclass
class Cheapest:
    """A search for the cheapest ways over the map (Dijkstra 1959). `step` names the two hexes gate and price ask of."""

    kind: str
    start: "Core"
    goal: "Core | None"
    step: tuple[str, str]
    gate: "Core | None"
    price: "Core | None"
    most: "Core | None"
    default: "Core | None"
    cost: Representation
    representation: Representation


@frozen_dataclass
class Reachable:
    """The hexes of `start` and all that are reached from them by steps from a hex `name` to the set `following`."""

    name: str
    start: "Core"
    following: "Core"
    representation: Representation


@frozen_dataclass
class Lazy:
    """A name for a value that is evaluated when it is first used."""

    name: str
    value: "Core"


class Form(StrEnum):
    """The forms of a term: how its clauses make one answer (docs/language.md, 4)."""

    VALUE = "value"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    SET = "set"


@frozen_dataclass
class Clause:
    """A rule: it is live if no live one of `defeated_by` defeats it and its guard holds. None concludes nothing."""

    label: str
    lazy: tuple[Lazy, ...]
    defeated_by: tuple[str, ...]
    guard: "Core | None"
    value: "Core | None"
    excludes: bool = False


@frozen_dataclass
class Resolve:
    """The answer that the live clauses agree on, their sum, extreme or union; `default` where none is live.

    `tally`: the first of the bits that record which clauses were live (compiler/wasm/counting.py), if any do.
    """

    form: Form
    clauses: tuple[Clause, ...]
    default: "Core | None"
    representation: Representation
    tally: int | None = None


@frozen_dataclass
class Verdict:
    """The verdict of clauses: one grants and is live (or `default`), and none bars. `grants` None: only defeats.

    `tally` as in `Resolve`; with it every clause is evaluated.
    """

    clauses: tuple[tuple[Clause, bool | None], ...]
    default: bool
    representation: Representation = BOOL
    tally: int | None = None


@frozen_dataclass
class BoundsCheck:
    """A value that has to lie within bounds; a trap where it does not. With `clamps` it is brought within them."""

    value: "Core"
    low: int | None
    high: int | None
    clamps: bool
    representation: Representation


@frozen_dataclass
class Trap:
    """No value, for a reason."""

    reason: TrapReason
    representation: Representation


Core = (
    Const | EnumConst | Members | Local | Force | Let | LetLazy | If | Apply | Call | Load | Present | Bit | SideBit
    | Field | HasField | NewRecord | Partners | Payload | TableLookup | FirstMatch | Fold | Cheapest
    | Reachable | Resolve | Verdict | BoundsCheck | Memo | Trap
)  # fmt: skip


@frozen_dataclass
class Function:
    """A term: what it is asked of, and its answer."""

    name: str
    parameters: tuple[Local, ...]
    body: Core


# The terms of a graph by name, in its order.
Module = dict[str, Function]
