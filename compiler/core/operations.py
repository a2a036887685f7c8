"""Lower operators: what the language writes between and around expressions."""

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING

from compiler.core import ir
from compiler.core.construct import EMPTY, NO, conjunction, disjunction, negated, to_ratio, whole
from compiler.core.ir import Apply, Core, Fold, If, Local, Pass, Prim, Reason, Trap
from compiler.core.representation import BOOL, CROSSING, HEX, HEXSIDE, INT, PIECE, RATIO, List, Representation, Set
from runtime.graph import nodes as graph

if TYPE_CHECKING:
    from compiler.core.expressions import Expressions, Names

BOARD: Mapping[str, tuple[Prim, Representation]] = {
    "distance": (Prim.DISTANCE, INT),
    "adjacent": (Prim.ADJACENT, BOOL),
    "neighbors": (Prim.NEIGHBORS, Set(HEX)),
    "within": (Prim.WITHIN, Set(HEX)),
    "between": (Prim.BETWEEN, HEXSIDE),
    "beyond": (Prim.BEYOND, Set(HEX)),
    "toward": (Prim.TOWARD, List(HEX)),
    "line": (Prim.LINE, List(CROSSING)),
    "touching": (Prim.TOUCHING, Set(HEXSIDE)),
    "ends": (Prim.ENDS, Set(HEX)),
    "linked": (Prim.LINKED, Set(HEX)),
    "edge": (Prim.EDGE, BOOL),
}
ARITHMETIC = {
    "+": Prim.ADD,
    "-": Prim.SUBTRACT,
    "*": Prim.MULTIPLY,
    "min": Prim.MINIMUM,
    "max": Prim.MAXIMUM,
}


def operation(lowering: "Expressions", expr: graph.Op, names: "Names") -> Core:  # noqa: C901 -- one case an operator
    """Lower an operator."""
    op = expr.op
    if op in ("related", "payload"):
        return pair(lowering, expr, names)
    if op == "reserve":
        kinds = [kind.name for kind in expr.arguments if isinstance(kind, graph.Member)]
        return Apply(Prim.PIECES_IN_RESERVE, (), Set(PIECE), ",".join(kinds))
    if op in ("round_down", "round_up"):
        return rounded(lowering, expr.arguments[0], names, up=op == "round_up")
    if op == "flat":
        return flat(lowering, expr.arguments[0], names)
    if op == "in":
        return member(lowering, expr.arguments[0], expr.arguments[1], names)
    operands = [lowering.lower(argument, names) for argument in expr.arguments]
    match op:
        case "and":
            return conjunction(operands)
        case "or":
            return disjunction(operands)
        case "not":
            return Apply(Prim.NOT, (operands[0],), BOOL)
        case "if":
            then, orelse = lowering.alike(operands[1], operands[2])
            return If(operands[0], then, orelse, then.of)
        case "place" | "number":
            return operands[0]
        case "+" | "-" | "*" | "min" | "max":
            prim = ARITHMETIC[op]
            fitted = lowering.alike(*operands)
            return reduce(lambda a, b: Apply(prim, (a, b), a.of), fitted)
        case "/":
            return Apply(Prim.DIVIDE, (to_ratio(operands[0]), to_ratio(operands[1])), RATIO)
        case "neg":
            return Apply(Prim.NEGATE, (operands[0],), operands[0].of)
        case "clamp":
            value, low, high = lowering.alike(*operands)
            least = Apply(Prim.MINIMUM, (value, high), value.of)
            return Apply(Prim.MAXIMUM, (low, least), value.of)
        case "=" | "!=":
            return negated(Apply(Prim.EQUAL, lowering.alike(*operands), BOOL), op == "!=")
        case "<" | ">=":
            return negated(Apply(Prim.LESS, lowering.alike(*operands), BOOL), op == ">=")
        case ">" | "<=":
            left, right = lowering.alike(*operands)
            return negated(Apply(Prim.LESS, (right, left), BOOL), op == "<=")
        case "union" | "without":
            fitted = lowering.alike(*operands)
            return Apply(Prim.UNION if op == "union" else Prim.DIFFERENCE, fitted, fitted[0].of)
        case "span":
            low, high = operands
            ends = (whole(low, Prim.CEILING), whole(high, Prim.FLOOR))
            return Apply(Prim.SPAN, ends, List(INT))
        case _:
            prim, of = BOARD[op]
            return Apply(prim, tuple(whole(operand, Prim.FLOOR) for operand in operands), of)


def rounded(lowering: "Expressions", inner: graph.Expr, names: "Names", *, up: bool) -> Core:
    """Round; a quotient of whole numbers is never made a fraction."""
    if isinstance(inner, graph.Op) and inner.op == "/":
        left, right = (lowering.lower(argument, names) for argument in inner.arguments)
        if left.of == INT and right.of == INT:
            return Apply(Prim.CEILING_DIVIDE if up else Prim.FLOOR_DIVIDE, (left, right), INT)
    value = lowering.lower(inner, names)
    return value if value.of == INT else Apply(Prim.CEILING if up else Prim.FLOOR, (value,), INT)


def flat(lowering: "Expressions", inner: graph.Expr, names: "Names") -> Core:
    """Unite the sets of a set of sets, which is never made."""
    if isinstance(inner, graph.Fold) and inner.op == "gather" and inner.body is not None:
        return lowering.fold(inner, names, Pass.UNITE)
    if isinstance(inner, graph.SetOf):
        fitted = lowering.alike(*[lowering.lower(element, names) for element in inner.elements])
        return reduce(lambda a, b: Apply(Prim.UNION, (a, b), a.of), fitted) if fitted else EMPTY
    sets = lowering.lower(inner, names)
    if isinstance(sets.of, Set) and isinstance(sets.of.of, Set):
        each = Local(lowering.fresh("set"), sets.of.of)
        return Fold(Pass.UNITE, each.name, sets, None, each, None, each.of)
    return Trap(Reason.UNSUPPORTED, Set(None))


def member(lowering: "Expressions", left: graph.Expr, right: graph.Expr, names: "Names") -> Core:
    """Test membership. Between the ends of a span lies anything, whole or not."""
    value = lowering.lower(left, names)
    if isinstance(right, graph.Op) and right.op == "span":
        low, high = (lowering.lower(argument, names) for argument in right.arguments)

        def between(it: Core) -> Core:
            one, lowest = lowering.alike(it, low)
            other, highest = lowering.alike(it, high)
            above = negated(Apply(Prim.LESS, (one, lowest), BOOL), negate=True)
            return conjunction([above, negated(Apply(Prim.LESS, (highest, other), BOOL), negate=True)])

        return lowering.named(value, between)
    collection = lowering.lower(right, names)
    if isinstance(collection.of, Set | List) and collection.of.of is not None:
        of = collection.of.of
        if value.of == RATIO and of == INT:
            return Trap(Reason.UNSUPPORTED, BOOL)
        return Apply(Prim.MEMBER, (lowering.fit(value, of, ""), collection), BOOL)
    return NO


def pair(lowering: "Expressions", expr: graph.Op, names: "Names") -> Core:
    """Ask about a related pair."""
    relation, left, right = expr.arguments
    assert isinstance(relation, graph.Member)
    declared = lowering.rules.vocabulary.relations[relation.name]
    ends = lowering.lower(left, names), lowering.lower(right, names)
    if expr.op == "related":
        return ir.Payload(relation.name, *ends, BOOL, tests=True)
    assert declared.payload is not None
    of = lowering.denominators.representation(declared.payload.type, f"pairs:{relation.name}")
    return ir.Payload(relation.name, *ends, of)
