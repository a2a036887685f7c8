"""Build expressions."""

from compiler.source import nodes as source
from compiler.source.building.parts import Parts, arguments, cover, kind_names, names, node, tuples, word


def operands(parts: Parts) -> tuple[source.Expression, ...]:
    """Return the operands without the `or` or `and` between them."""
    return tuple(parts[::2])


choice = node(source.Choice, "if {condition} then {then} else {orelse}")
either = node(source.Either, "", parts=operands)
both = node(source.Both, "", parts=operands)
negation = node(source.Not, "not {operand}")
compare = node(source.Compare, "{left} {op:written} {right}")
is_test = node(source.IsTest, "{subject} is {negated:given}", words=lambda parts: tuple(parts[3::2]))
has_test = node(source.HasTest, "{subject} has {negated:given} {name:word}")
in_test = node(source.InTest, "{element} {negated:given} in {collection}")
interval = node(source.Range, "{low} .. {high}")
plus = node(source.Arithmetic, "{left} {op:written} {right}")
times = plus
minus = node(source.Minus, "- {operand}")


def grouped(parts: Parts) -> source.Expression:
    """Return the expression inside parentheses, which only group."""
    inner: source.Expression = parts[1]
    return inner


amount = node(source.Amount, "{value:value} {measure:word?}")
quoted = node(source.Quoted, "{text:value}")
truth = node(source.Truth, "", value=lambda parts: parts[0].text == "yes")
name = node(source.Name, "{id:written}")
field = node(source.Field, "{base} . {name:word}")
cell = node(source.Cell, "{table:word} [", keys=lambda parts: tuple(parts[2:-1:2]))
call = node(source.Call, "{name:word} (", arguments=arguments)
aggregate_call = call  # `max(a, b)`: two amounts side by side are a built-in function, not a set.
make = node(source.Make, "{type:word} (", fields=tuples)


def field_value(parts: Parts) -> tuple[source.Word, source.Expression]:
    """Build `field: value`."""
    return word(parts[0]), parts[2]


pieces_at = node(source.Pieces, "", kinds=names, at=lambda parts: parts[-1])
pieces_all = node(source.Pieces, "", kinds=kind_names, at=None)
aggregate_where = node(source.Aggregate, "{op:written} ( {binder} )", body=None, otherwise=None)
aggregate_of = node(source.Aggregate, "{op:written} ( {body} )", binder=None, otherwise=None)
aggregate_for = node(source.Aggregate, "{op:written} ( {body} for {binder} otherwise {otherwise} )")
extreme = node(source.Extreme, "{op:written} ( {binder} by {by} otherwise {otherwise} )")


search = node(
    source.Search,
    "{op:written} ( {start} to {goal} by _ costing _ within {most} otherwise {otherwise} )",
    gate=lambda parts: _steps(parts[6]),
    price=lambda parts: _steps(parts[8]),
)


def linked(parts: Parts) -> source.Search | source.Call:
    """Build `linked(A, S by g)`; without a gate it is a function like others."""
    op, _, start, _, ground, _, gate, _ = parts
    if gate is None:
        return source.Call(cover(parts), word(op), (start, ground))
    return source.Search(cover(parts), op.text, start, ground, _steps(gate), None, None, None)


def _steps(question: source.Name | source.Call | None) -> source.Call | None:
    """Convert a bare name to a call without arguments."""
    if isinstance(question, source.Name):
        return source.Call(question.span, source.Word(question.span, question.id), ())
    return question


binder = node(source.Binder, "{name:word} in {source} where {where} for {inner}")
gathered = node(source.SetComprehension, "{ {binder} }", body=None)
gathered_for = node(source.SetComprehension, "{ {body} for {binder} }")
set_literal = node(source.SetLiteral, "", elements=arguments)
