"""Between which numbers an expression must lie.

In: an expression of a term. Out: (low, high), or None where it cannot be told. Interval arithmetic
over declared domains and written numbers: what it shows to lie within a term's domain need not be
checked each time the term is asked.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from runtime.graph import nodes as graph

Bounds = tuple[Fraction, Fraction] | None
Names = Mapping[str, graph.Type]


def bounds(expr: graph.Expr, names: Names, rules: graph.Graph) -> Bounds:
    """Bound an expression."""
    match expr:
        case graph.Num(value, _):
            return value, value
        case graph.Place(_, _, at):
            return Fraction(at), Fraction(at)
        case graph.Ask(term, _):
            return declared(rules.terms[term].type)
        case graph.Var(name) if name in names:
            return declared(names[name])
        case graph.Get(_, "printed", kind, name) if kind in rules.vocabulary.kinds:
            return next((declared(p.type) for p in rules.vocabulary.kinds[kind].printed if p.name == name), None)
        case graph.Cell(table, _, kind):
            rows = [row.value for row in rules.tables[table].rows if row.kind == kind and row.value is not None]
            return around([bounds(value, {}, rules) for value in rows])
        case graph.Op(op, arguments):
            return computed(op, [bounds(argument, names, rules) for argument in arguments])
        case _:
            return None


def certain(type_: graph.Type, known: Bounds) -> bool:
    """Say whether what lies within known bounds lies within a domain for sure."""
    match type_:
        case graph.Number(low, high) if low is not None or high is not None:
            return known is not None and (low is None or low <= known[0]) and (high is None or known[1] <= high)
        case _:
            return True


def declared(type_: graph.Type) -> Bounds:
    """Read the bounds of a declared domain."""
    match type_:
        case graph.Number(int(low), int(high)):
            return Fraction(low), Fraction(high)
        case _:
            return None


def around(many: list[Bounds]) -> Bounds:
    """Bound what is one of several."""
    known = [one for one in many if one is not None]
    if not known or len(known) < len(many):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def computed(op: str, parts: list[Bounds]) -> Bounds:
    """Bound what an operator makes of bounded numbers."""
    if op == "if":
        return around(parts[1:])
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    lows, highs = [low for low, _ in known], [high for _, high in known]
    match op:
        case "+":
            return sum(lows, Fraction()), sum(highs, Fraction())
        case "-":
            return lows[0] - highs[1], highs[0] - lows[1]
        case "*":
            corners = [a * b for a, b in product(*known)]
            return min(corners), max(corners)
        case "/" if lows[1] > 0 or highs[1] < 0:
            corners = [a / b for a, b in product(*known)]
            return min(corners), max(corners)
        case "min" | "max":
            pick = min if op == "min" else max
            return pick(lows), pick(highs)
        case "clamp":
            return lows[1], highs[2]
        case "round_down" | "round_up":
            return Fraction(lows[0].__floor__()), Fraction(highs[0].__ceil__())
        case "place" | "number":
            return known[0]
        case _:
            return None


def is_whole(expr: graph.Expr) -> bool:
    """Say whether a number is a whole one for sure."""
    match expr:
        case graph.Num(value, _):
            return value.denominator == 1
        case graph.Op("round_down" | "round_up", _) | graph.Fold("count"):
            return True
        case graph.Op("+" | "-" | "*" | "neg", parts):
            return all(map(is_whole, parts))
        case _:
            return False
