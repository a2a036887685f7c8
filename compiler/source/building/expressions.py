"""Build expressions."""

from compiler.source.building.parts import Parts, cover, names, word
from compiler.source.nodes import (
    Aggregate,
    Amount,
    Arithmetic,
    Binder,
    Both,
    Call,
    Cell,
    Choice,
    Compare,
    Either,
    Expression,
    Extreme,
    Field,
    Gathered,
    HasTest,
    InTest,
    IsTest,
    Make,
    Minus,
    Name,
    Not,
    Pieces,
    Quoted,
    Range,
    Search,
    SetLiteral,
    Truth,
    Word,
)
from compiler.source.nodes.words import as_hexes
from compiler.source.scanner import Token


def question(parts: Parts) -> Expression:
    """Build a text that consists of one expression."""
    only: Expression = parts[0]
    return only


def choice(parts: Parts) -> Choice:
    """Build `if condition then a else b`."""
    _, condition, _, then, _, orelse = parts
    return Choice(cover(parts), condition, then, orelse)


def either(parts: Parts) -> Either:
    """Build `a or b or c`."""
    return Either(cover(parts), tuple(parts[::2]))


def both(parts: Parts) -> Both:
    """Build `a and b and c`."""
    return Both(cover(parts), tuple(parts[::2]))


def negation(parts: Parts) -> Not:
    """Build `not a`."""
    return Not(cover(parts), parts[1])


def compare(parts: Parts) -> Compare:
    """Build `a <= b`."""
    left, sign, right = parts
    return Compare(cover(parts), sign.text, left, right)


def is_test(parts: Parts) -> IsTest:
    """Build `x is not f|g`."""
    subject, _, negated, *words = parts
    return IsTest(cover(parts), subject, tuple(words[::2]), negated is not None)


def has_test(parts: Parts) -> HasTest:
    """Build `x has no y`."""
    subject, _, negated, name_ = parts
    return HasTest(cover(parts), subject, word(name_), negated is not None)


def in_test(parts: Parts) -> InTest:
    """Build `x not in S`."""
    element, negated, _, collection = parts
    return InTest(cover(parts), element, collection, negated is not None)


def interval(parts: Parts) -> Range:
    """Build `a..b`."""
    low, _, high = parts
    return Range(cover(parts), low, high)


def plus(parts: Parts) -> Arithmetic:
    """Build `a + b`."""
    left, sign, right = parts
    return Arithmetic(cover(parts), sign.text, left, right)


times = plus


def minus(parts: Parts) -> Minus:
    """Build `-a`."""
    return Minus(cover(parts), parts[1])


def grouped(parts: Parts) -> Expression:
    """Return the expression inside parentheses, which only group."""
    inner: Expression = parts[1]
    return inner


def amount(parts: Parts) -> Amount:
    """Build `3 MP`."""
    number, measure = parts
    return Amount(cover(parts), number.value, None if measure is None else word(measure))


def quoted(parts: Parts) -> Quoted:
    """Build `'2-1'`."""
    return Quoted(parts[0].span, parts[0].value)


def truth(parts: Parts) -> Truth:
    """Build `yes` or `no`."""
    return Truth(parts[0].span, parts[0].text == "yes")


def name(parts: Parts) -> Name:
    """Build a bare name."""
    return Name(parts[0].span, parts[0].text)


def field(parts: Parts) -> Field:
    """Build `base.name`."""
    base, _, name_ = parts
    return Field(cover(parts), base, word(name_))


def cell(parts: Parts) -> Cell:
    """Build `table[key, key]`."""
    table, _, *keys, _ = parts
    return Cell(cover(parts), word(table), tuple(keys[::2]))


def call(parts: Parts) -> Call:
    """Build `term(a, b)`."""
    return Call(cover(parts), word(parts[0]), arguments(parts[2:-1]))


def arguments(parts: Parts) -> tuple[Expression, ...]:
    """Return the arguments without the commas between them."""
    return tuple(part for part in parts if part is not None and type(part) is not Token)


def make(parts: Parts) -> Make:
    """Build `record(field: value)`."""
    type_, _, *fields, _ = parts
    return Make(cover(parts), word(type_), tuple(fields[::2]))


def field_value(parts: Parts) -> tuple[Word, Expression]:
    """Build `field: value`."""
    return word(parts[0]), parts[2]


def pieces_at(parts: Parts) -> Pieces:
    """Build `unit|stump at h`."""
    *kinds, _, space = parts
    return Pieces(cover(parts), names(kinds), space)


def pieces_all(parts: Parts) -> Pieces:
    """Build `all unit`."""
    return Pieces(cover(parts), tuple(map(as_hexes, names(parts[1:]))), None)


def aggregate_where(parts: Parts) -> Aggregate:
    """Build `count(x in S where P)`."""
    op, _, binder_, _ = parts
    return Aggregate(cover(parts), op.text, binder_, None, None)


def aggregate_of(parts: Parts) -> Aggregate:
    """Build `count(set)`."""
    op, _, body, _ = parts
    return Aggregate(cover(parts), op.text, None, body, None)


def aggregate_for(parts: Parts) -> Aggregate:
    """Build `sum(e for x in S otherwise d)`."""
    op, _, body, _, binder_, _, default, _ = parts
    return Aggregate(cover(parts), op.text, binder_, body, default)


def aggregate_call(parts: Parts) -> Call:
    """Build `max(a, b)`: two amounts side by side are a built-in function, not a set."""
    return call(parts)


def extreme(parts: Parts) -> Extreme:
    """Build `least(x in S by e otherwise d)`."""
    op, _, binder_, _, key, _, default, _ = parts
    return Extreme(cover(parts), op.text, binder_, key, default)


def search(parts: Parts) -> Search:
    """Build `reachable(S by g costing p within m)`."""
    op, _, start, _, goal, _, gate, _, price, _, most, _, default, _ = parts
    return Search(cover(parts), op.text, start, goal, _steps(gate), _steps(price), most, default)


def linked(parts: Parts) -> Search | Call:
    """Build `linked(A, S by g)`; without a gate it is a function like others."""
    op, _, start, _, ground, _, gate, _ = parts
    if gate is None:
        return Call(cover(parts), word(op), (start, ground))
    return Search(cover(parts), op.text, start, ground, _steps(gate), None, None, None)


def _steps(question: Name | Call | None) -> Call | None:
    """Convert a bare name to a call without arguments."""
    return Call(question.span, Word(question.span, question.id), ()) if isinstance(question, Name) else question


def binder(parts: Parts) -> Binder:
    """Build `x in S where P for y in T`."""
    name_, _, source, _, condition, _, inner = parts
    return Binder(cover(parts), word(name_), source, condition, inner)


def gathered(parts: Parts) -> Gathered:
    """Build `{x in S where P}`."""
    return Gathered(cover(parts), parts[1], None)


def gathered_for(parts: Parts) -> Gathered:
    """Build `{e for x in S where P}`."""
    _, body, _, binder_, _ = parts
    return Gathered(cover(parts), binder_, body)


def set_literal(parts: Parts) -> SetLiteral:
    """Build `{a, b}`."""
    return SetLiteral(cover(parts), arguments(parts))
