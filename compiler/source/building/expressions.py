"""Build expressions."""

from compiler.source import nodes as source
from compiler.source.building.parts import Parts, cover, names, word
from compiler.source.nodes.words import as_hexes
from compiler.source.scanner import Token


def choice(parts: Parts) -> source.Choice:
    """Build `if condition then a else b`."""
    _, condition, _, then, _, orelse = parts
    return source.Choice(cover(parts), condition, then, orelse)


def either(parts: Parts) -> source.Either:
    """Build `a or b or c`."""
    return source.Either(cover(parts), tuple(parts[::2]))


def both(parts: Parts) -> source.Both:
    """Build `a and b and c`."""
    return source.Both(cover(parts), tuple(parts[::2]))


def negation(parts: Parts) -> source.Not:
    """Build `not a`."""
    return source.Not(cover(parts), parts[1])


def compare(parts: Parts) -> source.Compare:
    """Build `a <= b`."""
    left, sign, right = parts
    return source.Compare(cover(parts), sign.text, left, right)


def is_test(parts: Parts) -> source.IsTest:
    """Build `x is not f|g`."""
    subject, _, negated, *words = parts
    return source.IsTest(cover(parts), subject, tuple(words[::2]), negated is not None)


def has_test(parts: Parts) -> source.HasTest:
    """Build `x has no y`."""
    subject, _, negated, name_ = parts
    return source.HasTest(cover(parts), subject, word(name_), negated is not None)


def in_test(parts: Parts) -> source.InTest:
    """Build `x not in S`."""
    element, negated, _, collection = parts
    return source.InTest(cover(parts), element, collection, negated is not None)


def interval(parts: Parts) -> source.Range:
    """Build `a..b`."""
    low, _, high = parts
    return source.Range(cover(parts), low, high)


def plus(parts: Parts) -> source.Arithmetic:
    """Build `a + b`."""
    left, sign, right = parts
    return source.Arithmetic(cover(parts), sign.text, left, right)


times = plus


def minus(parts: Parts) -> source.Minus:
    """Build `-a`."""
    return source.Minus(cover(parts), parts[1])


def grouped(parts: Parts) -> source.Expression:
    """Return the expression inside parentheses, which only group."""
    inner: source.Expression = parts[1]
    return inner


def amount(parts: Parts) -> source.Amount:
    """Build `3 MP`."""
    number, measure = parts
    return source.Amount(cover(parts), number.value, None if measure is None else word(measure))


def quoted(parts: Parts) -> source.Quoted:
    """Build `'2-1'`."""
    return source.Quoted(parts[0].span, parts[0].value)


def truth(parts: Parts) -> source.Truth:
    """Build `yes` or `no`."""
    return source.Truth(parts[0].span, parts[0].text == "yes")


def name(parts: Parts) -> source.Name:
    """Build a bare name."""
    return source.Name(parts[0].span, parts[0].text)


def field(parts: Parts) -> source.Field:
    """Build `base.name`."""
    base, _, name_ = parts
    return source.Field(cover(parts), base, word(name_))


def cell(parts: Parts) -> source.Cell:
    """Build `table[key, key]`."""
    table, _, *keys, _ = parts
    return source.Cell(cover(parts), word(table), tuple(keys[::2]))


def call(parts: Parts) -> source.Call:
    """Build `term(a, b)`."""
    return source.Call(cover(parts), word(parts[0]), arguments(parts[2:-1]))


aggregate_call = call  # `max(a, b)`: two amounts side by side are a built-in function, not a set.


def arguments(parts: Parts) -> tuple[source.Expression, ...]:
    """Return the arguments without the commas between them."""
    return tuple(part for part in parts if part is not None and type(part) is not Token)


def make(parts: Parts) -> source.Make:
    """Build `record(field: value)`."""
    type_, _, *fields, _ = parts
    return source.Make(cover(parts), word(type_), tuple(fields[::2]))


def field_value(parts: Parts) -> tuple[source.Word, source.Expression]:
    """Build `field: value`."""
    return word(parts[0]), parts[2]


def pieces_at(parts: Parts) -> source.Pieces:
    """Build `unit|stump at h`."""
    *kinds, _, space = parts
    return source.Pieces(cover(parts), names(kinds), space)


def pieces_all(parts: Parts) -> source.Pieces:
    """Build `all unit`."""
    return source.Pieces(cover(parts), tuple(map(as_hexes, names(parts[1:]))), None)


def aggregate_where(parts: Parts) -> source.Aggregate:
    """Build `count(x in S where P)`."""
    op, _, binder_, _ = parts
    return source.Aggregate(cover(parts), op.text, binder_, None, None)


def aggregate_of(parts: Parts) -> source.Aggregate:
    """Build `count(set)`."""
    op, _, body, _ = parts
    return source.Aggregate(cover(parts), op.text, None, body, None)


def aggregate_for(parts: Parts) -> source.Aggregate:
    """Build `sum(e for x in S otherwise d)`."""
    op, _, body, _, binder_, _, default, _ = parts
    return source.Aggregate(cover(parts), op.text, binder_, body, default)


def extreme(parts: Parts) -> source.Extreme:
    """Build `least(x in S by e otherwise d)`."""
    op, _, binder_, _, key, _, default, _ = parts
    return source.Extreme(cover(parts), op.text, binder_, key, default)


def search(parts: Parts) -> source.Search:
    """Build `reachable(S by g costing p within m)`."""
    op, _, start, _, goal, _, gate, _, price, _, most, _, default, _ = parts
    return source.Search(cover(parts), op.text, start, goal, _steps(gate), _steps(price), most, default)


def linked(parts: Parts) -> source.Search | source.Call:
    """Build `linked(A, S by g)`; without a gate it is a function like others."""
    op, _, start, _, ground, _, gate, _ = parts
    if gate is None:
        return source.Call(cover(parts), word(op), (start, ground))
    return source.Search(cover(parts), op.text, start, ground, _steps(gate), None, None, None)


def _steps(question: source.Name | source.Call | None) -> source.Call | None:
    """Convert a bare name to a call without arguments."""
    return (
        source.Call(question.span, source.Word(question.span, question.id), ())
        if isinstance(question, source.Name)
        else question
    )


def binder(parts: Parts) -> source.Binder:
    """Build `x in S where P for y in T`."""
    name_, _, members, _, condition, _, inner = parts
    return source.Binder(cover(parts), word(name_), members, condition, inner)


def gathered(parts: Parts) -> source.Gathered:
    """Build `{x in S where P}`."""
    return source.Gathered(cover(parts), parts[1], None)


def gathered_for(parts: Parts) -> source.Gathered:
    """Build `{e for x in S where P}`."""
    _, body, _, binder_, _ = parts
    return source.Gathered(cover(parts), binder_, body)


def set_literal(parts: Parts) -> source.SetLiteral:
    """Build `{a, b}`."""
    return source.SetLiteral(cover(parts), arguments(parts))
