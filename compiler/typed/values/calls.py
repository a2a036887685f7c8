"""Elaboration of questions to terms, built-in functions, table cells and new records.

In: an expression with arguments, and its context. Out: the graph node with its type; `BROKEN` after a problem.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.typed.context import BROKEN, Context, TypedExpression
from compiler.typed.environment import UNKNOWN_TYPE, Environment, Signature, is_assignable, type_text
from compiler.typed.findings.failures import KeyOutside
from compiler.typed.findings.invalid_constructs import TermCycle
from compiler.typed.findings.mismatches import MissingField, TypeMismatch, WrongArity
from compiler.typed.findings.names import UnknownName
from compiler.typed.unknown_names import unknown_field, unknown_word
from compiler.typed.values import places
from compiler.typed.values.ranges import check_bounds, check_range
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from runtime.graph.operators.logic import YES_NO
from runtime.graph.scales import rounded_place

# The functions that are checked by the types of their arguments alone.
FUNCTIONS = {name: known.takes for name, known in OPERATORS.items() if known.takes is not None}
ElaborateFunction = Callable[[source.Call, Context, "graph.Type | None"], TypedExpression]


def elaborate_call(node: source.Call, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `name(arguments)`: a term, else a built-in function, a scale, or a relation."""
    name = node.name.text
    if name in context.env.terms:
        # A term with the name of a function is reported once, at its declaration.
        return BROKEN if is_function(name) else elaborate_ask(node, context)
    if name in FUNCTIONS:
        arguments = _arguments(node, FUNCTIONS[name], context, loose=True)
        return (graph.Op(name, arguments), _result_type(name, context.env)) if arguments is not None else BROKEN
    if name in SPECIAL:
        return SPECIAL[name][1](node, context, expected)
    if name in context.env.scales:
        return _place(node, name, context)
    if name in context.env.relations:
        return _related(node, context.env.relations[name], context)
    known = [*context.env.terms, *FUNCTIONS, *SPECIAL, *context.env.scales]
    applicable_names = _terms_accepting(node, context)
    return context.reject(UnknownName(node.name.span, "term", name, (*known, *context.env.relations), applicable_names))


def is_function(name: str) -> bool:
    """Return whether the language has a function of this name."""
    return name in FUNCTIONS or name in SPECIAL


def function_arguments(name: str) -> tuple[str, ...]:
    """Return what a built-in function takes, as text; () for another name."""
    return tuple(map(type_text, FUNCTIONS[name])) if name in FUNCTIONS else SPECIAL.get(name, ((),))[0]


def _result_type(name: str, env: Environment) -> graph.Type:
    """Return the result type of a function.

    A number of hexes is a bare one where the stack declares no such measure.
    """
    match OPERATORS[name].result:
        case graph.Number(low, high, measure):
            return graph.Number(low, high, env.find_measure(measure))
        case result:
            assert not callable(result), "a function with fixed arguments gives a fixed type"
            return result


def _terms_accepting(node: source.Call, context: Context) -> tuple[str, ...]:
    """Return the terms that accept these arguments."""
    quiet_context = context._replace(problems=[])
    argument_types = [context.elaborate(argument, quiet_context, None)[1] for argument in node.arguments]
    return tuple(
        term.name
        for term in context.env.terms.values()
        if any(argument_types) and len(argument_types) == len(term.parameters)
        if all(
            type_ is None or is_assignable(type_, part.type)
            for type_, part in zip(argument_types, term.parameters, strict=True)
        )
    )


def elaborate_ask(node: source.Call, context: Context, last: tuple[graph.Expr, ...] = ()) -> TypedExpression:
    """Elaborate a query of a term with the written arguments, followed by `last`."""
    term = context.env.terms[node.name.text]
    if term.name in context.env.inferring:
        _circle(term.name, context)
        return BROKEN
    if term.name in context.env.pending:
        term = infer_signature(context, term)
    parameters = term.parameters[: len(term.parameters) - len(last)]
    if len(node.arguments) != len(parameters):
        written = f"{term.name}({', '.join(f'{part.name}: {type_text(part.type)}' for part in parameters)})"
        return context.reject(WrongArity(node.span, term.name, len(parameters), len(node.arguments), written))
    arguments = _arguments(node, tuple(part.type for part in parameters), context, asks=term)
    if arguments is None or isinstance(term.type, graph.Nothing):
        return BROKEN
    return graph.Ask(term.name, (*arguments, *last)), term.answer or term.type


def infer_signature(context: Context, term: Signature) -> Signature:
    """Infer the type of a definition without a written type: that of its body."""
    env = context.env
    define = env.pending.pop(term.name)
    env.inferring.append(term.name)
    body_context = Context(env, [], context.elaborate, graph.parameter_types(term.parameters))
    _, found = context.elaborate(define.body, body_context, None)
    env.inferring.pop()
    signature = replace(term, type=_widened(found) if found else UNKNOWN_TYPE)
    env.terms[term.name] = signature
    return signature


def _circle(name: str, context: Context) -> None:
    """Report definitions that query each other, whose types cannot be inferred."""
    env = context.env
    names = tuple(env.inferring[env.inferring.index(name) :])
    env.problems.append(TermCycle(tuple(env.terms[each].span for each in names), names))


def _widened(type_: graph.Type) -> graph.Type:
    """Return the type without the range of a literal, as the definition may have other values."""
    if isinstance(type_, graph.Number) and type_.low == type_.high:
        return graph.Number(None, None, type_.measure)
    return type_


def _arguments(
    node: source.Call,
    parameter_types: tuple[graph.Type, ...],
    context: Context,
    *,
    loose: bool = False,
    asks: Signature | None = None,
) -> tuple[graph.Expr, ...] | None:
    """Check arguments against parameter types and their ranges. `loose`: any measure is valid."""
    if len(node.arguments) != len(parameter_types):
        return context.report(WrongArity(node.span, node.name.text, len(parameter_types), len(node.arguments)), None)
    found: list[graph.Expr] = []
    is_wrong = False
    for index, (written, type_) in enumerate(zip(node.arguments, parameter_types, strict=True)):
        expected = None if loose and isinstance(type_, graph.Number) else type_
        expression, found_type = context.elaborate(written, context, expected)
        target = node.name.text if asks is None else f"{asks.name}({asks.parameters[index].name})"
        check_range(written, (expression, found_type), context, type_, target)
        is_wrong |= found_type is None
        found.append(expression)
    return None if is_wrong else tuple(found)


def _numbers(node: source.Call, context: Context, expected: graph.Type | None) -> list[TypedExpression] | None:
    """Elaborate arguments that must all be numbers of one measure, or all places of one scale; None after a problem."""
    found: list[TypedExpression] = []
    kind: graph.Type | None = expected if isinstance(expected, graph.Scale) else None
    later = [part for part in node.arguments if isinstance(part, source.Quoted | source.Name)]
    for written in node.arguments:
        if not isinstance(written, source.Quoted):
            kind = kind or context.elaborate(written, context._replace(problems=[]), None)[1]
    if not node.arguments or (kind is None and len(later) == len(node.arguments)):
        kind = kind or context.elaborate(node.arguments[0], context, None)[1] if node.arguments else None
    for written in node.arguments:
        argument_type = kind if isinstance(kind, graph.Scale) else None
        expression, found_type = context.elaborate(written, context, argument_type)
        if found_type is None:
            return None
        if not isinstance(found_type, graph.Number | graph.Scale) or (
            found and not is_assignable(found_type, found[0][1] or found_type)
        ):
            return context.report(
                TypeMismatch(written.span, type_text(kind) if kind else "a number", type_text(found_type)), None
            )
        found.append((expression, found_type))
    return found


def _rounded(node: source.Call, context: Context, expected: graph.Type | None) -> TypedExpression:
    if len(node.arguments) != 1:
        return context.reject(WrongArity(node.span, node.name.text, 1, len(node.arguments)))
    operand_type = expected if isinstance(expected, graph.Number | graph.Scale) else None
    inner, type_ = context.elaborate(node.arguments[0], context, operand_type)
    if isinstance(type_, graph.Scale):
        return rounded_place(inner, type_, down=node.name.text == "round_down"), type_
    if not isinstance(type_, graph.Number):
        if type_ is not None:
            context.problems.append(TypeMismatch(node.arguments[0].span, "a number", type_text(type_)))
        return BROKEN
    return graph.Op(node.name.text, (inner,)), type_


def _extreme(node: source.Call, context: Context, expected: graph.Type | None) -> TypedExpression:
    found = _numbers(node, context, expected)
    if not found:
        return BROKEN
    type_ = found[0][1]
    if isinstance(type_, graph.Number):
        types = [number for _, number in found if isinstance(number, graph.Number)]
        pick = min if node.name.text == "min" else max
        lows = [number.low for number in types if number.low is not None]
        highs = [number.high for number in types if number.high is not None]
        low = pick(lows) if len(lows) == len(types) or (node.name.text == "max" and lows) else None
        high = pick(highs) if len(highs) == len(types) or (node.name.text == "min" and highs) else None
        type_ = graph.Number(low, high, type_.measure)
    return graph.Op(node.name.text, tuple(expression for expression, _ in found)), type_


def _clamp(node: source.Call, context: Context, expected: graph.Type | None) -> TypedExpression:
    """Elaborate `clamp(x, low, high)`: the only way back into the named range of a scale."""
    if len(node.arguments) != 3:
        return context.reject(WrongArity(node.span, "clamp", 3, len(node.arguments)))
    found = _numbers(node, context, expected)
    if not found:
        return BROKEN
    (inner, type_), (low, low_type), (high, high_type) = found
    check_bounds(node, low, high, context)
    if isinstance(type_, graph.Number) and isinstance(low_type, graph.Number) and isinstance(high_type, graph.Number):
        type_ = graph.Number(low_type.low, high_type.high, type_.measure)
    return graph.Op("clamp", (inner, low, high)), type_


def _number(node: source.Call, context: Context, _: graph.Type | None) -> TypedExpression:
    """Elaborate `number(place)`: the position of a place on its scale, in the scale's measure."""
    if len(node.arguments) != 1:
        return context.reject(WrongArity(node.span, "number", 1, len(node.arguments)))
    inner, type_ = context.elaborate(node.arguments[0], context, None)
    if isinstance(type_, graph.Scale):
        line = context.env.scales[type_.name]
        return graph.Op("number", (inner,)), graph.Number(None, None, line.measure)
    if isinstance(type_, graph.Number):
        return graph.Op("number", (inner,)), graph.Number(type_.low, type_.high, "")
    if type_ is not None:
        context.problems.append(TypeMismatch(node.arguments[0].span, "a place on a scale", type_text(type_)))
    return BROKEN


def _place(node: source.Call, scale: str, context: Context) -> TypedExpression:
    """Elaborate `odds(n)`: the place n steps along a scale, named or not."""
    if len(node.arguments) != 1:
        return context.reject(WrongArity(node.span, scale, 1, len(node.arguments)))
    inner, type_ = context.elaborate(node.arguments[0], context, None)
    measure = context.env.scales[scale].measure
    if isinstance(type_, graph.Number) and type_.measure in {"", measure}:
        return graph.Op("place", (inner,)), graph.Scale(scale)
    if type_ is not None:
        context.problems.append(
            TypeMismatch(node.arguments[0].span, f"a number of {measure or 'steps'}", type_text(type_))
        )
    return BROKEN


def _reserve(node: source.Call, context: Context, _: graph.Type | None) -> TypedExpression:
    """Elaborate `reserve(unit)`: the pieces of a kind that are not yet on the map."""
    match node.arguments:
        case (source.Name(id=kind),) if kind in context.env.kinds:
            return graph.Op("reserve", (graph.Member("kind", kind),)), graph.Many("set", graph.Piece((kind,)))
        case (source.Name(id=kind, span=span),):
            context.problems.append(UnknownName(span, "kind of piece", kind, tuple(context.env.kinds)))
        case _:
            context.problems.append(WrongArity(node.span, "reserve", 1, len(node.arguments)))
    return BROKEN


# The functions with rules of their own for measures and domains: what each takes, and how it is elaborated.
SPECIAL: dict[str, tuple[tuple[str, ...], ElaborateFunction]] = {
    "round_down": (("number",), _rounded),
    "round_up": (("number",), _rounded),
    "min": (("value", "value"), _extreme),
    "max": (("value", "value"), _extreme),
    "clamp": (("value", "least", "greatest"), _clamp),
    "number": (("place",), _number),
    "reserve": (("kind",), _reserve),
}


def _related(node: source.Call, relation: graph.Relation, context: Context) -> TypedExpression:
    """Elaborate `carries(a, b)`: whether two pieces are related."""
    arguments = _arguments(node, (relation.left.type, relation.right.type), context)
    if arguments is None:
        return BROKEN
    return graph.Op("related", (graph.Member("relation", relation.name), *arguments)), YES_NO


def type_new_record(node: source.Make, context: Context) -> TypedExpression:
    """Elaborate a new record with all its required fields."""
    record = context.env.records.get(node.type.text)
    if record is None:
        return context.reject(unknown_word("record", node.type, context.env.records))
    types = {part.name: part.type for part in record.fields}
    fields: list[tuple[str, graph.Expr]] = []
    for word, written in node.fields:
        if word.text not in types:
            context.problems.append(unknown_field(record.name, word, types))
            continue
        found = context.elaborate(written, context, types[word.text])
        check_range(written, found, context, types[word.text], f"{record.name}.{word.text}")
        fields.append((word.text, found[0]))
    counter = context.env.counters_of.get(record.name)
    if counter is not None and counter not in dict(fields):
        counted = types[counter]
        measure = counted.measure if isinstance(counted, graph.Number) else ""
        fields.append((counter, graph.Num(Fraction(0), measure)))
    missing = tuple(name for name in types if name not in dict(fields) and name not in record.optional)
    if missing and len(fields) == len(node.fields):
        context.problems.append(MissingField(node.span, record.name, missing))
    return graph.New(record.name, tuple(fields)), graph.RecordOf(record.name)


def elaborate_cell(node: source.Cell, context: Context) -> TypedExpression:
    """Elaborate `table[key, key]`: a value, or a cell to be tested where cells are of several kinds."""
    chart = context.env.charts.get(node.table.text)
    if chart is None:
        return context.reject(unknown_word("table", node.table, context.env.charts))
    if len(node.keys) != len(chart.keys):
        return context.reject(WrongArity(node.span, chart.name, len(chart.keys), len(node.keys)))
    keys: list[graph.Expr] = []
    is_wrong = False
    for written, key in zip(node.keys, chart.keys, strict=True):
        expression, found = context.elaborate(written, context, key.type)
        outside = found is not None and _outside(expression, found, key.type, context)
        if outside:
            key_text = expression_text(written)
            domain, ends = _domain(key.type, context.env), _ends(key.type, context.env)
            context.problems.append(KeyOutside(written.span, chart.name, key_text, domain, ends))
        is_wrong |= outside or found is None
        keys.append(expression)
    if is_wrong:
        return BROKEN
    cell = graph.Cell(chart.name, tuple(keys), "")
    if len(chart.cells) == 1 and chart.cells[0][0] == "":
        content = chart.cells[0][1]
        return (cell, content) if content else BROKEN
    return cell, graph.CellOf(chart.name)


def _outside(expression: graph.Expr, found: graph.Type, key_type: graph.Type, context: Context) -> bool:
    """Return whether a key may lie outside the declared keys of a table."""
    if isinstance(key_type, graph.Scale):
        return not places.is_on_scale(expression, context.places)
    if isinstance(found, graph.Number) and isinstance(key_type, graph.Number) and key_type.low is not None:
        if found.low is None or found.high is None or key_type.high is None:
            return True
        return found.low < key_type.low or found.high > key_type.high
    return False


def _ends(type_: graph.Type, env: Environment) -> tuple[str, str]:
    """Format the first and the last key of a chart, as arguments of `clamp`."""
    if isinstance(type_, graph.Scale) and (named := env.scales[type_.name].places):
        return f"'{named[0][0]}'", f"'{named[-1][0]}'"
    if isinstance(type_, graph.Number) and type_.low is not None and type_.high is not None:
        unit = f" {type_.measure}" if type_.measure else ""
        return f"{type_.low}{unit}", f"{type_.high}{unit}"
    return "lowest", "highest"


def _domain(type_: graph.Type, env: Environment) -> str:
    if isinstance(type_, graph.Scale):
        named = env.scales[type_.name].places
        return f"{named[0][0]} to {named[-1][0]}" if named else type_.name
    return type_text(type_)
