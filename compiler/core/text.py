"""The printer of the core: functions with their clauses, expressions as one line.

    may_move(u: piece) -> bool
      lets   move.basic         if not mark:unit.spent[u]
      bars   move.disrupted     if mark:unit.disrupted[u]

`x.3` is a name that lowering has made unique, `array[i]` an element of the layout, `trap(reason)` where there is no
value.
"""

from collections.abc import Iterator
from functools import singledispatch

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


def function_lines(function: ir.Function) -> Iterator[str]:
    """Print a function line by line."""
    parameters = ", ".join(f"{each.name}: {representation_name(each.representation)}" for each in function.parameters)
    yield f"{function.name}({parameters}) -> {representation_name(function.body.representation)}"
    body = function.body
    while isinstance(body, ir.BoundsCheck | LetLazy | Memo) or begins_with_checks(body):
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


def begins_with_checks(body: ir.Core) -> bool:
    """Return whether a function begins with range checks of its arguments."""
    return isinstance(body, ir.If) and isinstance(body.then, ir.Trap)


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
            return f"  {memo_text(body)}"
        case ir.BoundsCheck(_, low, high, clamps):
            ends = ("" if end is None else end for end in (low, high))
            return f"  {'brought within' if clamps else 'within'} {'..'.join(map(str, ends))}"
        case ir.If(condition, ir.Trap(reason)):
            return f"  {reason} if {expression_text(condition)}"
        case _:
            return ""


def memo_text(node: Memo) -> str:
    """Format the keys and the footprint of a memo."""
    text = f"kept by {', '.join(each.name for each in node.keys)}"
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


def representation_name(representation: Representation) -> str:
    """Format a representation."""
    match representation:
        case Set(inner) | List(inner):
            return (
                f"{type(representation).__name__.lower()} of "
                f"{'nothing' if inner is None else representation_name(inner)}"
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


@singledispatch
def expression_text(node: object) -> str:
    """Print an expression."""
    raise TypeError(type(node).__name__)


@expression_text.register
def _(node: ir.Const) -> str:
    return "/".join(map(str, node.value)) if isinstance(node.value, tuple) else str(node.value)


@expression_text.register
def _(node: ir.EnumConst) -> str:
    return node.word


@expression_text.register
def _(node: ir.Members) -> str:
    return "{" + ", ".join(expression_text(each) for each in node.elements) + "}"


@expression_text.register(ir.Local)
@expression_text.register(ir.Force)
def _(node: ir.Local | ir.Force) -> str:
    return node.name


@expression_text.register
def _(node: ir.Let) -> str:
    return f"(let {node.name} = {expression_text(node.value)} in {expression_text(node.body)})"


@expression_text.register
def _(node: LetLazy) -> str:
    return f"(with {node.name} = {expression_text(node.value)} in {expression_text(node.body)})"


@expression_text.register
def _(node: Memo) -> str:
    return f"({memo_text(node)}: {expression_text(node.body)})"


@expression_text.register
def _(node: ir.If) -> str:
    condition, then, orelse = expression_text(node.condition), expression_text(node.then), expression_text(node.orelse)
    if node.orelse == NO:
        return f"({condition} and {then})"
    if node.then == YES:
        return f"({condition} or {orelse})"
    return f"(if {condition} then {then} else {orelse})"


@expression_text.register
def _(node: ir.Apply) -> str:
    operand_texts = [expression_text(each) for each in node.operands]
    if node.primitive in INFIX and len(operand_texts) == 2:
        return f"({operand_texts[0]} {INFIX[node.primitive]} {operand_texts[1]})"
    return f"{node.primitive}({', '.join([*([node.name] if node.name else []), *operand_texts])})"


@expression_text.register
def _(node: ir.Call) -> str:
    return f"{node.function}({', '.join(expression_text(each) for each in node.arguments)})"


@expression_text.register(ir.Load)
@expression_text.register(ir.Bit)
@expression_text.register(ir.SideBit)
def _(node: ir.Load | ir.Bit | ir.SideBit) -> str:
    return node.array if node.index is None else f"{node.array}[{expression_text(node.index)}]"


@expression_text.register
def _(node: ir.Present) -> str:
    return f"present({node.array if node.index is None else f'{node.array}[{expression_text(node.index)}]'})"


@expression_text.register
def _(node: ir.Field) -> str:
    return f"{expression_text(node.base)}.{node.place}"


@expression_text.register
def _(node: ir.HasField) -> str:
    return f"present({expression_text(node.base)}.{node.place})"


@expression_text.register
def _(node: ir.NewRecord) -> str:
    fields = ", ".join("absent" if each is None else expression_text(each) for each in node.fields)
    return f"new {representation_name(node.representation)}({fields})"


@expression_text.register(ir.Partners)
@expression_text.register(ir.HasPartner)
def _(node: ir.Partners | ir.HasPartner) -> str:
    prefix = "present" if isinstance(node, ir.HasPartner) else "all" if isinstance(node.representation, Set) else "the"
    return f"{prefix}({node.end} of {node.relation} with {expression_text(node.piece)})"


@expression_text.register
def _(node: ir.Payload) -> str:
    prefix = "related" if node.is_test else "payload"
    return f"{prefix}({node.relation}, {expression_text(node.left)}, {expression_text(node.right)})"


@expression_text.register
def _(node: ir.TableLookup) -> str:
    return f"{node.table}[{', '.join(expression_text(each) for each in node.keys)}]"


@expression_text.register
def _(node: ir.FirstMatch) -> str:
    cases = "; ".join(f"if {expression_text(when)}: {expression_text(value)}" for when, value in node.cases)
    return f"(first of {cases}; else trap({node.reason}))"


@expression_text.register
def _(node: ir.Fold) -> str:
    condition_text = "" if node.condition is None else f" where {expression_text(node.condition)}"
    body = "" if node.body is None else f": {expression_text(node.body)}"
    default_text = "" if node.default is None else f" otherwise {expression_text(node.default)}"
    return f"{node.kind}({node.name} in {expression_text(node.source)}{condition_text}{body}{default_text})"


@expression_text.register
def _(node: ir.Cheapest) -> str:
    parts = {"to": node.goal, "gate": node.gate, "price": node.price, "most": node.most, "otherwise": node.default}
    more = "".join(f", {name} {expression_text(part)}" for name, part in parts.items() if part is not None)
    return f"{node.kind}(from {expression_text(node.start)} by {node.step[0]} to {node.step[1]}{more})"


@expression_text.register
def _(node: ir.Resolve) -> str:
    clauses = [_inline_clause(each, "excludes" if each.excludes else "says") for each in node.clauses]
    default_text = [] if node.default is None else [f"otherwise {expression_text(node.default)}"]
    return f"{node.form}({'; '.join((*clauses, *default_text))})"


@expression_text.register
def _(node: ir.Verdict) -> str:
    clauses = [_inline_clause(clause, GRANTS[grants]) for clause, grants in node.clauses]
    return f"verdict({'; '.join((*clauses, 'otherwise ' + ('yes' if node.default else 'no')))})"


@expression_text.register
def _(node: ir.BoundsCheck) -> str:
    return f"({expression_text(node.value)} in {node.low}..{node.high})"


@expression_text.register
def _(node: ir.Trap) -> str:
    return f"trap({node.reason})"


def print_module(module: ir.Module, names: Iterator[str] | None = None) -> str:
    """Print functions, all or those named."""
    chosen = module.functions if names is None else {name: module.functions[name] for name in names}
    return "\n\n".join("\n".join(function_lines(function)) for function in chosen.values())
