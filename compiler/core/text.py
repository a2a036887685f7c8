"""The printer of the core: functions with their clauses, expressions as one line.

    may_move(u: piece) -> bool
      lets   move.basic         if not mark:unit.spent[u]
      bars   move.disrupted     if mark:unit.disrupted[u]

`x.3` is a name that lowering has made unique, `array[i]` an element of the layout, `trap(reason)` where there is no
value.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.core import ir
from compiler.core.construct import NO, YES
from compiler.core.representation import CellRow, List, Record, Representation, Set
from compiler.core.sharing import Footprint, LetLazy, Memo

INFIX = {
    ir.Primitive.ADD: "+",
    ir.Primitive.SUBTRACT: "-",
    ir.Primitive.MULTIPLY: "*",
    ir.Primitive.DIVIDE: "/",
    ir.Primitive.EQUAL: "=",
    ir.Primitive.LESS: "<",
    ir.Primitive.MEMBER: "in",
    ir.Primitive.UNION: "|",
    ir.Primitive.DIFFERENCE: "without",
    ir.Primitive.INTERSECTION: "&",
}


def _function_lines(function: ir.Function) -> Iterator[str]:
    """Print a function line by line."""
    parameters = ", ".join(f"{each.name}: {_representation_name(each.representation)}" for each in function.parameters)
    yield f"{function.name}({parameters}) -> {_representation_name(function.body.representation)}"
    body = function.body
    while isinstance(body, ir.BoundsCheck | LetLazy | Memo) or (
        isinstance(body, ir.If) and isinstance(body.then, ir.Trap)
    ):
        yield _wrapper_text(body)
        body = wrapped_expression(body)
    match body:
        case ir.Verdict(clauses, default):
            yield f"  {'yes' if default else 'no'} by default"
            for clause, grants in clauses:
                yield from _clause(GRANTS[grants], clause)
        case ir.Resolve(form, clauses, default_value):
            yield f"  {form}"
            for clause in clauses:
                yield from _clause("excludes" if clause.excludes else "says", clause)
            if default_value is not None:
                yield f"    otherwise {expression_text(default_value)}"
        case _:
            yield f"  {expression_text(body)}"


def wrapped_expression(body: ir.Core) -> ir.Core:
    """Return the inner expression of a wrapper that was printed."""
    match body:
        case ir.BoundsCheck(value):
            return value
        case ir.If(_, _, rest):
            return rest
        case LetLazy() | Memo():
            return body.body
        case _:
            return body


def _wrapper_text(body: ir.Core) -> str:
    """Format a wrapper around the clauses of a function."""
    match body:
        case LetLazy(name, value):
            return f"  with {name} = {expression_text(value)}"
        case Memo():
            return f"  {_memo_text(body)}"
        case ir.BoundsCheck(_, low, high, clamps):
            ends = ("" if end is None else end for end in (low, high))
            return f"  {'brought within' if clamps else 'within'} {'..'.join(map(str, ends))}"
        case ir.If(condition, ir.Trap(reason)):
            return f"  {reason} if {expression_text(condition)}"
        case _:
            return ""


def _memo_text(node: Memo) -> str:
    """Format the keys and the footprint of a memo."""
    fields = (f"{each.parameter}.{each.place}" for each in node.fields)
    keys = ", ".join((*(each.name for each in node.keys), *fields))
    text = f"kept by {keys}" if keys else "kept"
    return f"{text}, resting on {reads_text(node.footprint)}" if node.footprint else text


def reads_text(footprint: Footprint) -> str:
    """Format a footprint."""
    return ", ".join(f"{field} {scope} {parameter}".rstrip() for field, scope, parameter in sorted(footprint))


def _clause(verb: str, clause: ir.Clause) -> Iterator[str]:
    """Print a clause."""
    yield f"    {verb} {clause.label}" + (f", unless {' or '.join(clause.defeated_by)}" if clause.defeated_by else "")
    for lazy in clause.lazy:
        yield f"      with {lazy.name} = {expression_text(lazy.value)}"
    if clause.guard is not None:
        yield f"      if {expression_text(clause.guard)}"
    if clause.value is not None:
        yield f"      = {expression_text(clause.value)}"


def _representation_name(representation: Representation) -> str:
    """Format a representation."""
    match representation:
        case Set(inner) | List(inner):
            return (
                f"{type(representation).__name__.lower()} of "
                f"{'nothing' if inner is None else _representation_name(inner)}"
            )
        case Record(name):
            return name
        case CellRow(table):
            return f"row of {table}"
        case _:
            return type(representation).__name__.lower()


GRANTS = {None: "silences", True: "lets", False: "bars"}


def _inline_clause(clause: ir.Clause, verb: str) -> str:
    """Format a clause in one line."""
    unless = f" unless {' or '.join(clause.defeated_by)}" if clause.defeated_by else ""
    lazy = "".join(f" with {each.name} = {expression_text(each.value)}" for each in clause.lazy)
    guard = "" if clause.guard is None else f" if {expression_text(clause.guard)}"
    value = "" if clause.value is None else f" {expression_text(clause.value)}"
    return f"{clause.label}{unless}{lazy} {verb}{value}{guard}"


def expression_text(node: ir.Core) -> str:  # noqa: C901 -- one arm a node
    """Print an expression."""
    match node:
        case ir.Const(value):
            return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
        case ir.EnumConst(name) | ir.Local(name) | ir.Force(name):
            return name
        case ir.Members(elements):
            return f"{{{_list(elements)}}}"
        case ir.Let(name, value, body):
            return f"(let {name} = {expression_text(value)} in {expression_text(body)})"
        case LetLazy(name, value, body):
            return f"(with {name} = {expression_text(value)} in {expression_text(body)})"
        case Memo():
            return f"({_memo_text(node)}: {expression_text(node.body)})"
        case ir.If():
            return f"({_condition_text(node)})"
        case ir.Apply(primitive, (left, right)) if primitive in INFIX:
            return f"({expression_text(left)} {INFIX[primitive]} {expression_text(right)})"
        case ir.Apply(primitive, operands, _, name):
            return f"{primitive}({', '.join([*([name] if name else []), *map(expression_text, operands)])})"
        case ir.Call(function, arguments):
            return f"{function}({_list(arguments)})"
        case ir.Load(array, index) | ir.Bit(array, index) | ir.SideBit(array, index):
            return _element(array, index)
        case ir.Present(array, index):
            return f"present({_element(array, index)})"
        case ir.Field(base, place):
            return f"{expression_text(base)}.{place}"
        case ir.HasField(base, place):
            return f"present({expression_text(base)}.{place})"
        case ir.NewRecord(fields, representation):
            values = ("absent" if each is None else expression_text(each) for each in fields)
            return f"new {_representation_name(representation)}({', '.join(values)})"
        case ir.Partners(relation, end, piece, representation):
            which = "all" if isinstance(representation, Set) else "the"
            return f"{which}({end} of {relation} with {expression_text(piece)})"
        case ir.Payload(relation, left, right, is_test=is_test):
            return f"{'related' if is_test else 'payload'}({relation}, {_list((left, right))})"
        case ir.TableLookup(table, keys):
            return f"{table}[{_list(keys)}]"
        case ir.FirstMatch(cases, reason):
            texts = "; ".join(f"if {expression_text(when)}: {expression_text(value)}" for when, value in cases)
            return f"(first of {texts}; else trap({reason}))"
        case ir.Fold(kind, name, source):
            parts = {" where ": node.condition, ": ": node.body, " otherwise ": node.default}
            return f"{kind}({name} in {expression_text(source)}{_present(parts)})"
        case ir.Cheapest(kind, start, goal, (first, second)):
            parts = {", to ": goal, ", gate ": node.gate, ", price ": node.price, ", most ": node.most}
            rest = _present({**parts, ", otherwise ": node.default})
            return f"{kind}(from {expression_text(start)} by {first} to {second}{rest})"
        case ir.Reachable(name, start, following):
            return f"reached(from {expression_text(start)} by {name} to {expression_text(following)})"
        case ir.Resolve(form, clauses, default):
            lines = [_inline_clause(each, "excludes" if each.excludes else "says") for each in clauses]
            lines += [] if default is None else [f"otherwise {expression_text(default)}"]
            return f"{form}({'; '.join(lines)})"
        case ir.Verdict(verdicts, otherwise):
            lines = [_inline_clause(clause, GRANTS[grants]) for clause, grants in verdicts]
            return f"verdict({'; '.join((*lines, 'otherwise ' + ('yes' if otherwise else 'no')))})"
        case ir.BoundsCheck(value, low, high):
            return f"({expression_text(value)} in {low}..{high})"
        case ir.Trap(reason):
            return f"trap({reason})"


def _condition_text(node: ir.If) -> str:
    """Print a case distinction, of conditions as `and` and `or`."""
    condition, then, orelse = map(expression_text, (node.condition, node.then, node.orelse))
    if node.orelse == NO:
        return f"{condition} and {then}"
    if node.then == YES:
        return f"{condition} or {orelse}"
    return f"if {condition} then {then} else {orelse}"


def _list(nodes: Iterable[ir.Core]) -> str:
    return ", ".join(map(expression_text, nodes))


def _present(parts: Mapping[str, ir.Core | None]) -> str:
    """Print the parts that a node has, each behind its word."""
    return "".join(f"{word}{expression_text(part)}" for word, part in parts.items() if part is not None)


def _element(array: str, index: ir.Core | None) -> str:
    return array if index is None else f"{array}[{expression_text(index)}]"


def print_module(module: ir.Module, names: Iterator[str] | None) -> str:
    """Print functions, all or those named."""
    chosen = module if names is None else {name: module[name] for name in names}
    return "\n\n".join("\n".join(_function_lines(function)) for function in chosen.values())
