"""The forms of expressions."""

from compiler.source import nodes as source
from compiler.source.building.forms import entry, form
from compiler.source.building.parts import Parts, arguments

choice = form(source.Choice, "if {condition:expression} then {then:expression} else {orelse:expression}")
either = form(source.Either, '{parts:conjunction "or"++}')
both = form(source.Both, '{parts:inversion "and"++}')
negation = form(source.Not, "not {operand:inversion}")
compare = form(source.Compare, '{left:sum} {op:"="|COMPARE} {right:sum}')
is_test = form(source.IsTest, '{subject:sum} is [{negated:"not"=yes}] {words:any_word "|"+}')
has_test = form(source.HasTest, '{subject:sum} has [{negated:"no"=yes}] {name:NAME}')
in_test = form(source.InTest, '{element:sum} [{negated:"not"=yes}] in {collection:collection}')
interval = form(source.Range, "{low:sum}..{high:sum}")
plus = form(source.Arithmetic, '{left:sum} {op:"+"|"-"} {right:product}')
times = form(source.Arithmetic, '{left:product} {op:"*"|"/"} {right:unary}')
minus = form(source.Minus, "-{operand:unary}")


def grouped(parts: Parts) -> source.Expression:
    """Return the expression inside parentheses, which only group."""
    inner: source.Expression = parts[1]
    return inner


amount = form(source.Amount, "{value:NUMBER} [{measure:NAME}]")
quoted = form(source.Quoted, "{text:QUOTED/text}")
truth = form(source.Truth, '{value:"yes"=yes|"no"=no}')
name = form(source.Name, "{id:NAME/written}")
field = form(source.Field, "{base:primary}.{name:NAME}")
cell = form(source.Cell, '{table:NAME}"["{keys:expression ","+}"]"')
call = form(source.Call, '{name:NAME}({arguments:expression ","*})')
# Two amounts side by side are a built-in function, not a set: `max(a, b)`.
aggregate_call = form(source.Call, '{name:AGGREGATE/NAME}({arguments:sum ","++})')
make = form(source.Make, '{type:NAME}({fields:field_value/tuples ","+})')

field_value = entry("{name:NAME}: {value:expression}")
pieces_at = form(source.Pieces, '{kinds:NAME "|"+} at {at:primary}')
pieces_all = form(source.Pieces, 'all {kinds:NAME/kinds "|"+}', at=None)
aggregate_where = form(source.Aggregate, "{op:AGGREGATE}({binder:binder})", body=None, otherwise=None)
aggregate_of = form(source.Aggregate, "{op:AGGREGATE}({body:sum})", binder=None, otherwise=None)
aggregate_for = form(
    source.Aggregate, "{op:AGGREGATE}({body:sum} for {binder:binder} [otherwise {otherwise:expression}])"
)
extreme = form(source.Extreme, "{op:EXTREME}({binder:binder} by {by:expression} [otherwise {otherwise:expression}])")
linked = form(
    source.Search,
    '{op:"linked"}({start:expression}, {goal:expression} by {gate:steps/question})',
    price=None,
    most=None,
    otherwise=None,
)
# Without a gate it is a function like others.
linked_pair = form(
    source.Call, '{name:"linked"/NAME}({:expression}, {:expression})', alternative_of="linked", arguments=arguments
)
search = form(
    source.Search,
    "{op:SEARCH}({start:sum} [to {goal:sum}] [by {gate:steps/question}] [costing {price:steps/question}] "
    "[within {most:sum}] [otherwise {otherwise:expression}])",
)
binder = form(source.Binder, "{name:NAME} in {source:collection} [where {where:expression}] [for {inner:binder}]")
gathered = form(source.SetComprehension, "{{binder:binder}}", body=None)
gathered_for = form(source.SetComprehension, "{{body:sum} for {binder:binder}}")
set_literal = form(source.SetLiteral, '{{elements:sum ","*}}')
