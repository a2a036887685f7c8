"""Totality analysis: which expressions have a value wherever they are evaluated.

In: expressions, and the names of pieces that are known to be on the map. Out: the assumptions under which an expression
is total: the names of pieces that have to be on the map; None if it may trap under any. A bottom-up effect analysis
(Lucassen and Gifford 1988, Polymorphic Effect Systems) with one effect, the trap; summaries of functions are computed
on first use, and a recursive function may trap (the call stack is bounded).

The success of a presence test (`present(a[i]) and a[i] = 3`) is a fact within the scope that the test guards.
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.construct import NO
from compiler.core.ir import Apply, Core, FoldKind, Primitive
from compiler.core.passes.rewriting import child_expressions
from compiler.core.representation import BOOL, CROSSING, ENUM, INT, PIECE, RATIO, Representation, Set, is_bit_set
from compiler.core.sharing import LetLazy, Memo

Needs = frozenset[str]  # Names of pieces that have to stand on the map.
Facts = frozenset[Core]  # Expressions that have a value, as a test around them says.
NOTHING: Needs = frozenset()
KNOWN: Facts = frozenset()
NEVER_ABSENT = {"side", "kind", "counter", "place", "area", "arrives", "hex_name", "hex_board", "hex_boards"}
ON_MAP = (Primitive.PIECES_ON_MAP, Primitive.PIECES_AT, Primitive.PIECES_IN)
TOTAL = {
    Primitive.NOT, Primitive.EQUAL, Primitive.LESS, Primitive.MEMBER, Primitive.DIFFERENCE, Primitive.INTERSECTION,
    Primitive.MINIMUM, Primitive.MAXIMUM, Primitive.FLOOR, Primitive.CEILING, Primitive.DISTANCE, Primitive.ADJACENT,
    Primitive.NEIGHBORS, Primitive.BESIDE, Primitive.WITHIN, Primitive.PIECES_AT, Primitive.PIECES_ON_MAP,
    Primitive.PIECES_IN_RESERVE, Primitive.PIECES_IN, Primitive.ALL_HEXES, Primitive.ALL_HEXSIDES, Primitive.MASK,
    Primitive.WRITTEN_RECORDS, Primitive.LINKED,
}  # fmt: skip
FINITE = (ENUM, BOOL)
LOADED: tuple[Representation, ...] = (INT, RATIO, ENUM, PIECE, BOOL)


def joint_needs(*needs: Needs | None) -> Needs | None:
    """Return the union of several sets of assumptions; None if one of them is None."""
    found = NOTHING
    for each in needs:
        if each is None:
            return None
        found |= each
    return found


class Totality:
    """The assumptions under which expressions and functions of a module are total."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        """Start with no function summarized."""
        self.functions = functions
        self.known: dict[str, Needs | None] = {}
        self.lazy: dict[str, Core] = {}

    def is_total(self, node: Core, on_map: Needs = NOTHING) -> bool:
        """Return whether an expression is total, given the pieces that are known to be on the map."""
        needs = self.expression_needs(node)
        return needs is not None and needs <= on_map

    def function_needs(self, name: str) -> Needs | None:
        """Return the assumptions of a function, in names of its parameters; None if it may trap."""
        if name not in self.known:
            self.known[name] = None
            self.known[name] = self.expression_needs(self.functions[name].body)
        return self.known[name]

    def expression_needs(self, node: Core, facts: Facts = KNOWN) -> Needs | None:  # noqa: C901 -- one case a node
        """Return the assumptions of an expression, given facts of the enclosing scopes; None if it may trap."""
        match node:
            case ir.Trap():
                return None
            case ir.Local():
                return NOTHING
            case ir.Force(name):
                return self.expression_needs(self.lazy[name], facts) if name in self.lazy else None
            case LetLazy(name, value, body):
                self.lazy[name] = value
                return self.expression_needs(body, facts)
            case ir.Let(name, value, body):
                return joint_needs(
                    self.expression_needs(value, facts),
                    self.without_name(name, value, self.expression_needs(body, facts)),
                )
            case ir.If(condition, then, orelse):
                inner = facts | total_where(condition)
                return joint_needs(
                    self.expression_needs(condition, facts),
                    self.expression_needs(then, inner),
                    self.expression_needs(orelse, facts),
                )
            case ir.Load(array, index):
                return self.load_needs(array, index, node, facts)
            case ir.Field(base):
                is_there = base.representation == CROSSING or node in facts
                return self.expression_needs(base, facts) if is_there else None
            case ir.Partners(_, _, piece, representation):
                return self.expression_needs(piece, facts) if isinstance(representation, Set) or node in facts else None
            case ir.Payload(_, left, right):
                return (
                    joint_needs(self.expression_needs(left, facts), self.expression_needs(right, facts))
                    if node.is_test
                    else None
                )
            case Memo(_, body):
                return self.expression_needs(body, facts)
            case ir.Call(name, arguments):
                return self.call_needs(name, arguments, facts)
            case ir.Fold():
                return self.fold_needs(node, facts)
            case ir.Verdict(clauses):
                return self.clauses_needs([clause for clause, _ in clauses], facts)
            case ir.Resolve(form, clauses, default):
                certain = any(each.guard is None and not each.defeated_by for each in clauses) or default is not None
                if form is ir.Form.VALUE and len(clauses) > 1:
                    return None
                if not certain and form not in (ir.Form.SUM, ir.Form.SET):
                    return None
                if node.representation == RATIO and form is ir.Form.SUM:
                    return None
                rest = NOTHING if default is None else self.expression_needs(default, facts)
                return joint_needs(self.clauses_needs(clauses, facts), rest)
            case _:
                return self.all_parts(node, facts) if cannot_trap(node) else None

    def all_parts(self, node: Core, facts: Facts) -> Needs | None:
        """Return the assumptions of all children of a node."""
        return joint_needs(*(self.expression_needs(part, facts) for part in child_expressions(node)))

    def without_name(self, name: str, value: Core, needs: Needs | None) -> Needs | None:
        """Remove a bound name from the assumptions of its scope, or rename it if its value is a name, else None."""
        if needs is None or name not in needs:
            return needs
        return needs - {name} | {value.name} if isinstance(value, ir.Local) else None

    def load_needs(self, array: str, index: Core | None, node: Core, facts: Facts) -> Needs | None:
        """Return the assumptions of a load: the hex of a piece is present if the piece is on the map."""
        needs = NOTHING if index is None else self.expression_needs(index, facts)
        if array in NEVER_ABSENT or node in facts:
            return needs
        return frozenset((index.name,)) if array == "hex" and isinstance(index, ir.Local) else None

    def call_needs(self, name: str, arguments: tuple[Core, ...], facts: Facts) -> Needs | None:
        """Return the assumptions of a call, in names of the caller."""
        inner = self.function_needs(name)
        if inner is None:
            return None
        arguments_by_name = dict(zip((each.name for each in self.functions[name].parameters), arguments, strict=True))
        needed = [arguments_by_name[each] for each in inner]
        local_names = frozenset(each.name for each in needed if isinstance(each, ir.Local))
        if len([each for each in needed if isinstance(each, ir.Local)]) < len(needed):
            return None
        return joint_needs(local_names, *(self.expression_needs(argument, facts) for argument in arguments))

    def fold_needs(self, node: ir.Fold, facts: Facts) -> Needs | None:
        """Return the assumptions of a fold."""
        if node.default is None and node.kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.LEAST, FoldKind.GREATEST):
            return None
        if node.kind is FoldKind.SUM:
            return None
        counts = node.kind in (FoldKind.COUNT, FoldKind.SOME)
        inner = facts if node.condition is None else facts | total_where(node.condition)
        passed = joint_needs(
            NOTHING if node.condition is None else self.expression_needs(node.condition, facts),
            NOTHING if node.body is None or counts else self.expression_needs(node.body, inner),
        )
        if passed is not None and node.name in passed:
            passed = passed - {node.name} if stands_on_map(node.source) else None
        rest = NOTHING if node.default is None else self.expression_needs(node.default, facts)
        return joint_needs(self.expression_needs(node.source, facts), passed, rest)

    def clauses_needs(self, clauses: list[ir.Clause] | tuple[ir.Clause, ...], facts: Facts) -> Needs | None:
        """Return the assumptions of clauses, whichever of them are live."""
        for clause in clauses:
            self.lazy |= {each.name: each.value for each in clause.lazy}
        found: list[Needs | None] = []
        for clause in clauses:
            inner = facts if clause.guard is None else facts | total_where(clause.guard)
            found.append(NOTHING if clause.guard is None else self.expression_needs(clause.guard, facts))
            found.append(NOTHING if clause.value is None else self.expression_needs(clause.value, inner))
        return joint_needs(*found)


def cannot_trap(node: Core) -> bool:
    """Return whether a node is total if its children are; for nodes without a case in `expression_needs`."""
    match node:
        case Apply(primitive, operands, representation):
            return is_total_operation(primitive, operands, representation)
        case ir.TableLookup(_, keys, domains, cells):
            finite = all(
                key.representation in FINITE or (isinstance(key, ir.Const) and key.value in domain)
                for key, domain in zip(keys, domains, strict=True)
            )
            return finite and None not in cells
        case ir.BoundsCheck(value, low, high, clamps):
            counts = isinstance(value, ir.Fold) and value.kind is FoldKind.COUNT
            return clamps or (counts and high is None and (low or 0) <= 0)
        case ir.FirstMatch() | ir.Cheapest():
            return False
        case _:
            return True


def is_total_operation(primitive: Primitive, operands: tuple[Core, ...], representation: Representation) -> bool:
    """Return whether a primitive is defined for all operands of their representations."""
    match primitive:
        case Primitive.UNION:
            return len(operands) > 1 or not is_bit_set(representation)
        case Primitive.SPAN:
            return all(isinstance(each, ir.Const) for each in operands)
        case Primitive.SET_OF:
            # A hex off the map is not a member of a bit set.
            return representation == Set(PIECE) or representation == Set(ENUM) or not is_bit_set(representation)
        case Primitive.FLOOR_DIVIDE | Primitive.CEILING_DIVIDE:
            return isinstance(operands[1], ir.Const) and operands[1].value != 0
        case Primitive.ADD | Primitive.SUBTRACT | Primitive.NEGATE:
            return representation == INT
        case _:
            return primitive in TOTAL


def stands_on_map(source: Core) -> bool:
    """Return whether all pieces of a set are on the map."""
    match source:
        case Apply(primitive, operands):
            if primitive is Primitive.UNION:
                return all(map(stands_on_map, operands))
            if primitive is Primitive.INTERSECTION:
                return any(map(stands_on_map, operands))
            return primitive in ON_MAP or (primitive is Primitive.DIFFERENCE and stands_on_map(operands[0]))
        case ir.Fold(FoldKind.GATHER, name, inner, _, body):
            return body == ir.Local(name, PIECE) and stands_on_map(inner)
        case _:
            return False


def conjuncts(node: Core) -> list[Core]:
    """Split a conjunction into its operands."""
    if isinstance(node, ir.If) and node.orelse == NO:
        return [*conjuncts(node.condition), *conjuncts(node.then)]
    return [node]


def total_where(condition: Core) -> Facts:
    """Return the expressions that have a value wherever a condition holds; so do their evaluated subexpressions.

    A load includes its representation, so a fact is recorded for each representation of numbers.
    """
    found: set[Core] = set()
    for each in conjuncts(condition):
        match each:
            case ir.Present(array, index):
                found.update(ir.Load(array, index, representation) for representation in LOADED)
            case ir.HasPartner(relation, end, piece):
                found.add(ir.Partners(relation, end, piece, PIECE))
            case _:
                pass
    return frozenset(found)
