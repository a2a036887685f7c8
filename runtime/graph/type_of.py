"""Type derivation for graph expressions.

In: an expression, and the types of its free names. Out: its type. Numbers have their unit and no domain. Pieces and
hexes are both integers at run time, so that printing requires types. Expressions do not store them: graphs would be
27 % longer and take 30 % longer to read, which is more than the cost of derivation (tests/consumers/test_types.py).
"""

from collections.abc import Iterable, Mapping

from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS, Operands
from runtime.graph.operators.logic import YES_NO
from runtime.graph.operators.numbers import BARE, amount
from runtime.graph.predeclared_types import CLOCK, CROSSING, HEXES, PREDECLARED_TYPES, UNKNOWN, member_of

Names = Mapping[str, graph.Type]


def types_of_names(
    parameters: Iterable[graph.Parameter], bindings: Iterable[tuple[str, graph.Expr]], rules: graph.Graph
) -> dict[str, graph.Type]:
    """Return the types of parameters, and of names bound to values; a value may contain the names before it."""
    types = {part.name: part.type for part in parameters}
    for name, value in bindings:
        types[name] = type_of(value, types, rules)
    return types


def type_of(expr: graph.Expr, names: Names, rules: graph.Graph) -> graph.Type:  # noqa: C901 - one case a node
    """Return the type of an expression; `Nothing` where it is unknown."""
    match expr:
        case graph.Num(_, measure):
            return graph.Number(None, None, measure)
        case graph.Truth() | graph.Is() | graph.Has():
            return YES_NO
        case graph.Member(enum, _):
            return graph.Enum(enum)
        case graph.Place(scale, _, _):
            return graph.Scale(scale)
        case graph.Spot(spot_kind, _):
            return graph.Hex() if spot_kind == "hex" else HEXES if spot_kind == "region" else graph.Piece(())
        case graph.Var(name):
            return names.get(name, UNKNOWN)
        case graph.Get():
            return _field(expr, rules)
        case graph.GameTrack(owner, name):
            track = rules.vocabulary.tracks.get(f"{owner}.{name}")
            return track.type if track else CLOCK.get(name, UNKNOWN)
        case graph.Ask(term, _):
            return rules.terms[term].type
        case graph.Cell(table, _, kind):
            return dict(rules.tables[table].cells).get(kind) or graph.CellOf(table)
        case graph.Op(op, arguments):
            operands = Operands(arguments, lambda each: type_of(each, names, rules), rules.vocabulary)
            return OPERATORS[op].type(operands)
        case graph.Pieces(kinds, _):
            return graph.Many("set", graph.Piece(kinds))
        case graph.All(type_):
            return graph.Many("set", type_)
        case graph.Fold():
            return _fold(expr, names, rules)
        case graph.Search():
            return _search(expr, rules)
        case graph.SetOf(elements):
            return graph.Many("set", type_of(elements[0], names, rules) if elements else UNKNOWN)
        case graph.New(record, _):
            return graph.RecordOf(record)


def common_type(exprs: Iterable[graph.Expr | None], names: Names, rules: graph.Graph) -> graph.Type:
    """Return the common type of expressions: that of the first with a known member type."""
    found = [type_of(expr, names, rules) for expr in exprs if expr is not None]
    return next((each for each in found if each != UNKNOWN and getattr(each, "of", None) != UNKNOWN), found[0])


def bound_types(step: object) -> dict[str, graph.Type]:
    """Return the types of the names that a step binds."""
    match step:
        case graph.Write(name, record) if name:
            return {name: graph.RecordOf(record.record)}
        case graph.Create(kind, name) if name:
            return {name: graph.Piece((kind,))}
        case graph.Roll(name, _, low, high):
            return {name: graph.Number(low, high, "")}
        case graph.Draw(name=name):
            return {name: drawn_type(step)}
        case _:
            return {}


def drawn_type(step: graph.Draw) -> graph.Type:
    """Return the type of a draw."""
    return graph.Many("list" if step.how == "order" else "set", step.of) if step.how else step.of


def _field(expr: graph.Get, rules: graph.Graph) -> graph.Type:
    words = rules.vocabulary
    match expr.what:
        case "printed":
            printed = {p.name: p.type for kind in words.kinds.values() for p in kind.printed}
            return printed.get(expr.name, UNKNOWN)
        case "track":
            track = words.tracks.get(f"{expr.owner}.{expr.name}")
            return track.type if track else UNKNOWN
        case "record":
            record = words.records.get(expr.owner)
            fields = {p.name: p.type for p in record.fields} if record else CROSSING
            return fields.get(expr.name, UNKNOWN)
        case "partner" | "partners":
            relation = words.relations[expr.owner]
            end = relation.left.type if expr.name == "left" else relation.right.type
            return end if expr.what == "partner" else graph.Many("set", end)
        case "given":
            return PREDECLARED_TYPES.get(expr.name, UNKNOWN)


def _search(expr: graph.Search, rules: graph.Graph) -> graph.Type:
    if expr.op != "cheapest_cost":
        return graph.Many("list" if expr.op == "cheapest_way" else "set", graph.Hex())
    price = BARE if expr.price is None else rules.terms[expr.price.term].type
    return graph.Number(0, None, price.measure) if isinstance(price, graph.Number) else UNKNOWN


def _fold(expr: graph.Fold, names: Names, rules: graph.Graph) -> graph.Type:
    source = type_of(expr.source, names, rules)
    member = member_of(source)
    match expr.op:
        case "count":
            return BARE
        case "some" | "none" | "every":
            return YES_NO
        case "least" | "greatest":
            return member
        case "trailing" | "leading":
            return source
        case "sum" | "min" | "max" | "gather":
            value_type = type_of(expr.body, {**names, expr.var: member}, rules) if expr.body else member
            if expr.op == "gather":
                return graph.Many("set", value_type)
            # A sum may leave the domain of its members, and so may the default.
            return amount(value_type) if expr.op == "sum" or expr.otherwise is not None else value_type
