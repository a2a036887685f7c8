"""Lowering of reads of the position: fields, tracks, flags, presence.

In: a read of the graph, and the core of each name in scope. Out: loads from the arrays of the position.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from compiler.core import ir
from compiler.core.construct import NO, all_hold, has_partner, negated_if, one_holds
from compiler.core.ir import Apply, Const, Core, EnumConst, Load, Primitive, Trap
from compiler.core.representation import (
    BOOL,
    ENUM,
    HEX,
    HEXSIDE,
    INT,
    PIECE,
    RATIO,
    CellRow,
    Crossing,
    Record,
    Representation,
    Set,
)
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import CLOCK

if TYPE_CHECKING:
    from compiler.core.expressions import ExpressionLowering, Names

CROSSING_FIELDS: tuple[tuple[str, Representation], ...] = (
    ("side", HEXSIDE),
    ("back", HEX),
    ("over", HEX),
    ("along", BOOL),
    ("at", RATIO),
)
GIVEN_GLOBALS: Mapping[str, tuple[str, Representation]] = {
    "hex": ("hex", HEX),
    "side": ("side", ENUM),
    "kind": ("kind", ENUM),
    "counter": ("counter", ENUM),
    "place": ("place", ENUM),
    "area": ("area", Set(HEX)),
    "arrives": ("arrives", INT),
    "name": ("hex_name", ENUM),
    "board": ("hex_board", ENUM),
    "boards": ("hex_boards", Set(ENUM)),
}


def lower_field(lowering: "ExpressionLowering", expr: graph.Get, names: "Names") -> Core:
    """Lower the read of a field."""
    base = lowering.lower(expr.base, names)
    if isinstance(base, Trap):
        return Trap(base.reason, INT)
    match expr.what:
        case "printed":
            return Load(f"printed:{expr.name}", base, printed_representation(lowering, expr.name))
        case "track":
            key = f"{expr.owner}.{expr.name}"
            return Load(f"track:{key}", base, _track_representation(lowering, key))
        case "record":
            place, representation = field_index(lowering, base.representation, expr.name)
            return ir.Field(base, place, representation)
        case "partner":
            return ir.Partners(expr.owner, expr.name, base, PIECE)
        case "partners":
            return ir.Partners(expr.owner, expr.name, base, Set(PIECE))
        case _:
            array, representation = GIVEN_GLOBALS[expr.name]
            return Load(array, base, representation)


def printed_representation(lowering: "ExpressionLowering", name: str) -> Representation:
    """Return the representation of a printed factor."""
    types = [part.type for kind in lowering.rules.vocabulary.kinds.values() for part in kind.printed]
    named = [part.name for kind in lowering.rules.vocabulary.kinds.values() for part in kind.printed]
    return lowering.denominators.representation(types[named.index(name)], f"printed:{name}")


def _track_representation(lowering: "ExpressionLowering", key: str) -> Representation:
    """Return the representation of a track."""
    return lowering.denominators.representation(lowering.rules.vocabulary.tracks[key].type, f"track:{key}")


def field_index(lowering: "ExpressionLowering", base: Representation, name: str) -> tuple[int, Representation]:
    """Return the index of a field of a record or a crossing, and its representation."""
    if isinstance(base, Crossing):
        place = [each for each, _ in CROSSING_FIELDS].index(name)
        return place, CROSSING_FIELDS[place][1]
    assert isinstance(base, Record)
    declared = lowering.rules.vocabulary.records[base.type].fields
    place = [part.name for part in declared].index(name)
    return place, lowering.field_of(base.type, declared[place])


def lower_fact(lowering: "ExpressionLowering", owner: str, name: str) -> Core:
    """Lower the read of a track of the game or scenario, or of a field of the clock."""
    key = f"{owner}.{name}"
    return Load(f"fact:{key}", None, _fact_representation(lowering, key))


def _fact_representation(lowering: "ExpressionLowering", key: str) -> Representation:
    """Return the representation of a track of the game or the scenario."""
    declared = lowering.rules.vocabulary.tracks.get(key)
    type_ = CLOCK[key.partition(".")[2]] if declared is None else declared.type
    return lowering.denominators.representation(type_, f"fact:{key}")


def word_test(lowering: "ExpressionLowering", expr: graph.Is, names: "Names") -> Core:
    """Lower the tests after `is`."""
    subject = lowering.lower(expr.subject, names)
    found = lowering.bound_to_name(
        subject, lambda it: one_holds([_single_word_test(lowering, test, it) for test in expr.tests])
    )
    return negated_if(found, expr.negated)


def _single_word_test(lowering: "ExpressionLowering", test: graph.Test, subject: Core) -> Core:
    """Lower one test."""
    match test.what:
        case "kind":
            return ir.Bit(f"kind:{test.name}", subject)
        case "place":
            return Apply(Primitive.EQUAL, (Load("place", subject, ENUM), EnumConst(test.name, ENUM)), BOOL)
        case "cell":
            return _lower_kind_test(lowering, subject, test.name)
        case "gone":
            return ir.Bit("gone", subject)
        case "off":
            return ir.Bit("off", subject)
        case _:
            return has_flag(lowering, lowering.rules.vocabulary.flags[f"{test.owner}.{test.name}"], subject)


def _lower_kind_test(lowering: "ExpressionLowering", subject: Core, kind: str) -> Core:
    """Lower the test whether a cell of a chart is of a kind."""
    if not isinstance(subject.representation, CellRow):
        return NO
    rows = lowering.rules.tables[subject.representation.table].rows
    numbers = tuple(Const(index, subject.representation) for index, row in enumerate(rows) if row.kind == kind)
    return Apply(Primitive.MEMBER, (subject, ir.Members(numbers, Set(subject.representation))), BOOL)


def has_flag(lowering: "ExpressionLowering", flag: graph.Flag, subject: Core) -> Core:
    """Lower the test of a flag; False for a piece of another kind."""
    key = f"{flag.owner}.{flag.name}"
    if key not in lowering.rules.terms:
        return printed_flag(flag, subject)
    flag_value = lowering.lower_call(key, [subject])
    if flag.owner in lowering.rules.vocabulary.kinds:
        return all_hold([ir.Bit(f"kind:{flag.owner}", subject), flag_value])
    return flag_value


def is_present(lowering: "ExpressionLowering", expr: graph.Has, names: "Names") -> Core:
    """Lower the test whether a value is present."""
    if isinstance(expr.subject, graph.GameTrack):
        owner, name = expr.subject.owner, expr.subject.name
        key = f"{owner}.{name}"
        # The fact has one representation for all its uses, so that they share an array.
        return ir.Present(f"fact:{key}", None)
    subject = lowering.lower(expr.subject, names)
    match expr.what:
        case "track":
            return ir.Present(f"track:{expr.owner}.{expr.name}", subject)
        case "partner":
            return has_partner(expr.owner, expr.name, subject)
        case "record":
            return ir.HasField(subject, field_index(lowering, subject.representation, expr.name)[0])
        case "printed":
            return ir.Bit(f"face:{expr.name}", subject)
        case _ if subject.representation == HEXSIDE:
            return ir.SideBit(f"path:{expr.name}", subject)
        case _:
            return ir.Bit(f"path_hexes:{expr.name}", subject)


def position_reference(spot_kind: str, name: str, names: "Names") -> Core:
    """Lower a reference to a hex, piece or region of the position, or to a hex of the step of a search."""
    match spot_kind:
        case "step":
            return names[f"step {name}"]
        case "hex":
            return Load(f"spot:hex:{name}", None, HEX)
        case "region":
            return Load(f"spot:region:{name}", None, Set(HEX))
        case _:
            return Load(f"spot:piece:{name}", None, PIECE)


def printed_flag(flag: graph.Flag, subject: Core) -> Core:
    """Lower the printed or marked value of a flag, without rules."""
    match flag.what:
        case "trait":
            return ir.Bit(f"trait:{flag.owner}.{flag.name}", subject)
        case "status":
            return ir.Bit(f"mark:{flag.owner}.{flag.name}", subject)
        case _ if flag.owner == "hexside":
            return ir.SideBit(f"side_feature:{flag.name}", subject)
        case _:
            return ir.Bit(f"feature:{flag.name}", subject)
