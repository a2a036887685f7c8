"""Footprint analysis: which fields of a position each function reads (effect systems: Lucassen and Gifford 1988).

In: all functions. Out: for each function the fields that it reads, and where: at a piece or hex that is an argument, at
the hex of such a piece, or anywhere. The pieces in a hex count as a field of the hex. Fields that change together share
a name.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from compiler.core import ir
from compiler.core.ir import Apply, Core, Primitive
from compiler.core.passes.inline import callees_first
from compiler.core.passes.rewriting import subexpressions
from compiler.core.representation import HEX, PIECE, Record
from compiler.core.sharing import Footprint, LetLazy, Read, ReadScope

OF_THE_MAP = {"feature", "side_feature", "path", "path_hexes", "hex_name", "hex_board", "hex_boards"}
PLACED, OUTSIDE, SHEET, ANYTHING = "placed", "outside", "sheet", "*"
READ_TOGETHER = {
    **dict.fromkeys(("hex", "place", "first_at", "next_at"), PLACED),
    **dict.fromkeys(("on_map", "gone", "off", "reserve"), OUTSIDE),
    **dict.fromkeys(("kind", "side", "counter", "printed", "trait", "face", "area", "arrives"), SHEET),
}
OF_PRIMITIVES = {
    Primitive.PIECES_AT: PLACED,
    Primitive.PIECES_IN: PLACED,
    Primitive.PIECES_ON_MAP: OUTSIDE,
    Primitive.PIECES_IN_RESERVE: OUTSIDE,
}


class _SubjectReference(NamedTuple):
    """The piece or hex that an expression denotes: an argument of the function, the hex of one, or one within it."""

    scope: ReadScope
    parameter: str
    is_within: bool = False


def field_of(array: str) -> str:
    """Return the field that an array belongs to, "" for arrays of the map, which never change."""
    sort = array.partition(":")[0]
    if sort == "partner":
        return f"pairs:{array.partition(':')[2].rpartition('.')[0]}"
    return "" if sort in OF_THE_MAP else READ_TOGETHER.get(sort, array)


def compute_footprints(functions: Mapping[str, ir.Function]) -> dict[str, Footprint]:
    """Compute the footprints of all functions, callees first; a recursive function may read everything."""
    found: dict[str, Footprint] = {}
    for name in callees_first(functions):
        found[name] = frozenset(FootprintAnalysis(functions, found, functions[name]).reads())
    return found


class FootprintAnalysis:
    """The footprint analysis of one function."""

    def __init__(
        self, functions: Mapping[str, ir.Function], found: Mapping[str, Footprint], function: ir.Function
    ) -> None:
        """Resolve the local names of a function to the pieces and hexes they denote."""
        self.functions = functions
        self.footprints = found
        self.body = list(subexpressions(function.body))
        self.subjects: dict[str, _SubjectReference | None] = {}
        for each in function.parameters:
            if each.representation in (PIECE, HEX):
                self.subjects[each.name] = _SubjectReference(
                    ReadScope.PIECE if each.representation == PIECE else ReadScope.HEX, each.name
                )
        self.values: dict[str, Core] = {}
        for node in self.body:
            match node:
                case ir.Let(name, value) | LetLazy(name, value):
                    self.values[name] = value
                case ir.Fold(_, name, Apply(Primitive.PIECES_AT) as source):
                    self.values[name] = source
                case ir.Resolve(_, clauses):
                    self.values |= {lazy.name: lazy.value for clause in clauses for lazy in clause.lazy}
                case ir.Verdict(clauses):
                    self.values |= {lazy.name: lazy.value for clause, _ in clauses for lazy in clause.lazy}
                case _:
                    pass

    def subject_reference(self, node: Core | None) -> _SubjectReference | None:
        """Return the piece or hex that an expression denotes; None if it may be any."""
        match node:
            case ir.Local(name) | ir.Force(name):
                if name not in self.subjects:
                    self.subjects[name] = self.subject_reference(self.values.get(name))
                return self.subjects[name]
            case Apply(Primitive.PIECES_AT, (space,)):
                found = self.subject_reference(space)
                return found and _SubjectReference(found.scope, found.parameter, is_within=True)
            case ir.Load("hex", piece):
                found = self.subject_reference(piece)
                if found and not found.is_within:
                    return _SubjectReference(ReadScope.HEX_OF, found.parameter)
                return found and _SubjectReference(found.scope, found.parameter)
            case _:
                return None

    def reads(self) -> Iterator[Read]:
        """Iterate over the reads of the function."""
        for node in self.body:
            match node:
                case ir.Load(array, index) | ir.Present(array, index) | ir.Bit(array, index) | ir.SideBit(array, index):
                    yield from self.reads_of_field(field_of(array), index)
                case ir.Partners(relation, _, piece):
                    yield from self.reads_of_field(f"pairs:{relation}", piece)
                case ir.Payload(relation, left):
                    yield from self.reads_of_field(f"pairs:{relation}", left)
                case ir.Field(base) | ir.HasField(base) if isinstance(base.representation, Record):
                    yield Read(f"fields:{base.representation.type}", ReadScope.ANY, "")
                case Apply(Primitive.PIECES_AT, (space,)):
                    yield from self.reads_of_field(PLACED, space)
                case Apply(Primitive.WRITTEN_RECORDS, _, _, name):
                    yield Read(f"written:{name}", ReadScope.ANY, "")
                case Apply(Primitive.MASK, _, _, name):
                    yield from self.reads_of_field(field_of(name), None)
                case Apply(primitive) if primitive in OF_PRIMITIVES:
                    yield from self.reads_of_field(OF_PRIMITIVES[primitive], None)
                case ir.Call(name, arguments):
                    yield from self.reads_of_call(name, arguments)
                case _:
                    pass

    def reads_of_field(self, field: str, index: Core | None) -> Iterator[Read]:
        """Iterate over the reads of a field of a piece or a hex; of an array of the map there are none."""
        if field:
            found = self.subject_reference(index) or _SubjectReference(ReadScope.ANY, "")
            yield Read(field, found.scope, found.parameter)

    def reads_of_call(self, name: str, arguments: tuple[Core, ...]) -> Iterator[Read]:
        """Iterate over the reads of a callee, with its parameters replaced by these arguments."""
        if name not in self.footprints:
            yield Read(ANYTHING, ReadScope.ANY, "")
            return
        places = {each.name: index for index, each in enumerate(self.functions[name].parameters)}
        for field, scope, parameter in self.footprints[name]:
            found = None if scope is ReadScope.ANY else self.subject_reference(arguments[places[parameter]])
            if found is None:
                yield Read(field, ReadScope.ANY, "")
            elif scope is ReadScope.HEX_OF and not found.is_within:
                yield Read(field, ReadScope.HEX_OF, found.parameter)
            else:
                yield Read(field, found.scope, found.parameter)
