"""Code generation for expressions: Python source.

In: an expression and the Python text bound to each of its names. Out: Python text whose value equals the interpreter's
answer in every state. `s` is the state, `b` its board; questions call the generated functions by their Python names;
everything else is in support.NAMESPACE.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, assert_never

from runtime.answer.bounds import bounds_of, is_whole, is_within_domain
from runtime.answer.brackets import (
    as_conjunct,
    closing_index,
    negated_test,
    without_brackets,
    without_brackets_unless_choice,
    without_brackets_unless_joined,
)
from runtime.answer.emit_fold import write_fold
from runtime.answer.emit_is import write_has, write_is
from runtime.answer.emit_names import MemoTables, NameScope, python_name
from runtime.answer.emit_search import write_search
from runtime.graph import nodes as graph
from runtime.graph.effects import targets_in
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS, plain
from runtime.graph.type_of import type_of
from runtime.state.constants import canonical_set
from runtime.state.frame import orders_of
from runtime.state.ranges import is_ranged


class Emitter:
    """An emitter of the expressions of one graph. `constants` collects values that have no short literal."""

    def __init__(self, rules: graph.Graph) -> None:
        """Precompute what depends on the graph alone."""
        self.rules = rules
        self.vocabulary = rules.vocabulary
        self.rank = orders_of(rules.vocabulary)[0]
        self.constants: dict[str, Any] = {}
        # Whether every question is traced: an answer then computes its decision id.
        self.is_traced = False
        self.functions = {python_name(name) for name in rules.terms}
        self.iterating = 0
        # Subexpressions of the current term with a function of their own: its name and parameters, by identity.
        self.static_parts: dict[int, tuple[str, tuple[str, ...]]] = {}
        self.memo_tables = MemoTables(self.add_constant)
        self.optional = {(record.name, name) for record in self.vocabulary.records.values() for name in record.optional}

    @cached_property
    def amended_fields(self) -> set[tuple[str, str]]:
        """Return the fields of records that some step changes: they are read from the state, others from the record.

        Computed when first needed: an evaluator with known code emits nothing.
        """
        targets = targets_in((self.rules.procedures, self.rules.examples))
        return {(effect.owner, effect.name) for effect in targets if effect.in_record}

    def local_name(self, name: str) -> str:
        """Return the Python name of a parameter or bound variable, distinct from the functions of terms."""
        text = python_name(name)
        while text in self.functions:
            text += "_"
        return text

    def type_of(self, expr: graph.Expr) -> graph.Type:
        """Return the type of an expression as far as it is known without the types of its free names."""
        return type_of(expr, {}, self.rules)

    def write(self, expr: graph.Expr, scope: NameScope) -> str:  # noqa: C901 - one case a node.
        """Emit an expression."""
        name, parameters = self.static_parts.get(id(expr), ("", ()))
        if name:
            return f"{name}({', '.join(['s', *(scope.texts[each] for each in parameters)])})"
        match expr:
            case graph.Num(value, _):
                return self.write_literal(plain(value))
            case graph.Truth(value):
                return repr(value)
            case graph.Member(_, name):
                return repr(name)
            case graph.Place(_, _, place):
                return self.write_literal(place)
            case graph.Spot(spot_kind, name):
                return f"spot(s, {spot_kind!r}, {name!r})"
            case graph.Var(name):
                return scope.texts[name]
            case graph.Get():
                return self.write_field(expr, self.write(expr.base, scope))
            case graph.GameTrack(owner, name):
                return self.write_fact(f"{owner}.{name}")
            case graph.Is():
                return write_is(self, expr, scope)
            case graph.Has():
                return write_has(self, expr, scope)
            case graph.Ask(term, arguments):
                texts = [self.write_argument(argument, scope) for argument in arguments]
                return f"{python_name(term)}({', '.join(['s', *texts])})"
            case graph.Cell():
                return self.write_cell(expr, scope)
            case graph.Op():
                return self.write_operation(expr, scope)
            case graph.Pieces((kind,), None):
                return f"s.fielded({kind!r})"
            case graph.Pieces(kinds, place):
                return (
                    f"s.in_play({kinds!r})" if place is None else f"s.pieces_at({self.write(place, scope)}, {kinds!r})"
                )
            case graph.All(member_type):
                return self.all_values(member_type)
            case graph.Fold():
                return write_fold(self, expr, scope)
            case graph.Search():
                return write_search(self, expr, scope)
            case graph.SetOf(elements):
                return self.set_of(elements, scope)
            case graph.New(record, fields):
                entries = ", ".join(f"{name!r}: {self.write(value, scope)}" for name, value in fields)
                make = "new_record" if self.record_fits(record, fields, scope) else "held_record"
                return f"s.{make}({record!r}, {{{entries}}})"
            case _:
                assert_never(expr)

    def write_fact(self, key: str) -> str:
        """Emit a read of a fact of the game or scenario.

        Checked rules test a track with `has` first; what every card gives they read at once, though a position may
        leave it out.
        """
        if key in CLOCK:
            return CLOCK[key]
        return f"s.facts[{key!r}]" if key in self.vocabulary.tracks else f"card_fact(s, {key!r})"

    def record_fits(self, record: str, fields: tuple[tuple[str, graph.Expr], ...], scope: NameScope) -> bool:
        """Return whether all numbers of a new record are known to lie in their ranges."""
        types = {part.name: part.type for part in self.vocabulary.records[record].fields}
        return all(
            not is_ranged(types[name])
            or (
                isinstance(types[name], graph.Number)
                and is_within_domain(types[name], bounds_of(value, scope.types, self.rules), whole=is_whole(value))
            )
            for name, value in fields
        )

    # Values.

    def write_literal(self, value: Any) -> str:
        """Emit a value; a fraction is a named constant."""
        if not isinstance(value, Fraction):
            return repr(value)
        sign = "MINUS_" if value < 0 else ""
        name = HALVES.get(abs(value)) or f"{abs(value).numerator}_{value.denominator}"
        return self.add_constant(f"{sign}{name}" if name.isidentifier() else f"F_{sign}{name}", value)

    def add_constant(self, name: str, value: Any) -> str:
        """Add a constant and return its unique name."""
        while name in self.constants and self.constants[name] is not value and self.constants[name] != value:
            name += "_"
        self.constants[name] = value
        return name

    def set_of(self, elements: tuple[graph.Expr, ...], scope: NameScope) -> str:
        """Emit a set; a set of members alone is ordered at generation time."""
        if len(elements) > 1 and all(isinstance(element, graph.Member) for element in elements):
            return repr(
                canonical_set([element.name for element in elements if isinstance(element, graph.Member)], self.rank)
            )
        texts = [self.write(element, scope) for element in elements]
        if len(texts) < 2:
            return f"({texts[0]},)" if texts else "()"
        return f"s.frame.ordered(({', '.join(texts)}))"

    def all_values(self, type_: graph.Type) -> str:
        """Emit the list of all values of a type."""
        match type_:
            case graph.Piece(kinds):
                return self.write(graph.Pieces(kinds, None), NameScope())
            case graph.RecordOf(name):
                return f"s.records[{name!r}]"
            case graph.Hex():
                return "b.all"
            case graph.Enum(name) if members_of(self.vocabulary, name):
                return repr(members_of(self.vocabulary, name))
            case graph.Scale(name):
                return (
                    f"({''.join(f'{self.write_literal(value)}, ' for _, value in self.vocabulary.scales[name].places)})"
                )
            case graph.Number(int(low), int(high)):
                return f"range({low}, {high + 1})"
            case _:
                return f"everything(s, {self.add_constant(f'ALL_{type(type_).__name__.upper()}', type_)})"

    def write_field(self, expr: graph.Get, base: str) -> str:
        """Emit the read of a field."""
        key, name = f"{expr.owner}.{expr.name}", expr.name
        match expr.what:
            case "printed":
                return f"s.printed[{base}][{name!r}]"
            case "track":
                return self.write_track(key, base)
            case "record" if (expr.owner, name) in self.amended_fields:
                return f"s.field({base}, {name!r})"
            case "record" if (expr.owner, name) in self.optional:
                return f"{base}.fields.get({name!r})"
            case "record" if expr.owner in self.vocabulary.records:
                return f"{base}.fields[{name!r}]"
            case "record":
                return f"{base}.{name}"
            case "partner":
                return f"s.pairs[{expr.owner!r}].{name}s[{base}][0]"
            case "partners":
                return f"s.pairs[{expr.owner!r}].{name}s.get({base}, NOBODY)"
            case "given":
                return GIVEN[name].format(base)

    def write_track(self, key: str, base: str) -> str:
        """Emit the read of a track: its current value, else its initial value."""
        beginning = self.rules.vocabulary.tracks[key]
        match beginning.initial:
            case None if isinstance(beginning.type, graph.Many):
                first = "()"
            case None:
                return f"s.tracks[{key!r}].get({base})"
            case graph.Num() | graph.Truth() | graph.Member() | graph.Place() | graph.SetOf(()):
                first = self.write(beginning.initial, NameScope())
            case _:
                first = f"s.frame.initial[{key!r}]"
        return f"s.tracks[{key!r}].get({base}, {first})"

    def write_cell(self, expr: graph.Cell, scope: NameScope) -> str:
        """Emit the read of a cell: one dictionary lookup."""
        keys = [self.write(key, scope) for key in expr.keys]
        read = f"{self.chart_name(expr.table)}[{', '.join(keys)}{',' if len(keys) == 1 else ''}]"
        if not expr.kind:
            return read
        return f"{read}.of({expr.kind!r})" if self.may_be_other_kind(expr) else f"{read}.value"

    def may_be_other_kind(self, expr: graph.Cell) -> bool:
        """Return whether a cell may be of another kind than the one that is read, as in mutated graphs."""
        named = [(index, key.name) for index, key in enumerate(expr.keys) if isinstance(key, graph.Member)]
        return bool(named) and any(
            row.kind not in ("", expr.kind)
            for row in self.rules.tables[expr.table].rows
            if all(
                row.keys[index] is None or any(each.low == name for each in row.keys[index] or ())
                for index, name in named
            )
        )

    def chart_name(self, table: str) -> str:
        """Return the constant of a chart."""
        return self.add_constant(python_name(table).upper(), self.rules.tables[table])

    def write_operation(self, expr: graph.Op, scope: NameScope) -> str:
        """Emit an operator by its template in runtime/graph/operators, or by a shorter form."""
        if (shorter := self.short_form(expr, scope)) is not None:
            return shorter
        match expr.op, expr.arguments:
            case "clamp", (inner, graph.Num() | graph.Place() as low, graph.Num() | graph.Place() as high):
                return self.write_clamp(self.write(inner, scope), self.write(low, scope), self.write(high, scope))
            case "in", (member, graph.Op("span", (low, high))):
                return f"({self.write(low, scope)} <= {self.write(member, scope)} <= {self.write(high, scope)})"
            case "in", (member, graph.SetOf(elements)) if elements:
                texts = [self.write(element, scope) for element in elements]
                member_text = self.write(member, scope)
                return (
                    f"({member_text} == {texts[0]})" if len(texts) == 1 else f"({member_text} in ({', '.join(texts)}))"
                )
            case "in", (member, collection) if not isinstance(collection, graph.Var):
                source = without_brackets(self.write(collection, scope))
                return f"({self.write(member, scope)} in compared({source}))"
            case (("=" | "!="), (left, _)) if isinstance(
                type_of(left, scope.types, self.rules), graph.Many | graph.Nothing
            ):
                texts = [self.write(each, scope) for each in expr.arguments]
                return f"{'' if expr.op == '=' else 'not '}same({', '.join(map(without_brackets, texts))})"
            case "and", parts:
                return f"({' and '.join(self.write_operands(parts, scope))})"
            case "or", parts:
                return f"({' or '.join(self.write_operand(part, scope) for part in parts)})"
            case "if", (condition, yes, no):
                test = without_brackets_unless_choice(self.write(condition, scope))
                consequent, alternative = self.write(yes, scope), self.write(no, scope)
                return f"({without_brackets_unless_choice(consequent)} if {test} else {without_brackets(alternative)})"
            case _:
                return self.fill_template(OPERATORS[expr.op].python, [self.write(a, scope) for a in expr.arguments])

    def write_argument(self, expr: graph.Expr, scope: NameScope) -> str:
        """Emit an argument of a question; a set is interned, as a memo lookup hashes its members."""
        text = self.write(expr, scope)
        many = not isinstance(expr, graph.SetOf) and isinstance(type_of(expr, scope.types, self.rules), graph.Many)
        return f"passed_if_many({without_brackets(text)})" if many else text

    def short_form(self, expr: graph.Op, scope: NameScope) -> str | None:
        """Emit a shorter Python form for negations, emptiness tests and integer divisions; None where there is none."""
        match expr.op, expr.arguments:
            case "not", (inner,):
                return negated_test(self.write(inner, scope))
            case ((">" | "="), (graph.Fold("count") as counted, graph.Num(Fraction(numerator=0)))):
                kind: graph.FoldKind = "some" if expr.op == ">" else "none"
                return self.write(graph.Fold(kind, counted.var, counted.source, counted.where, None, None), scope)
            case "round_down", (graph.Op("/", (part, divisor)),):
                return f"({self.write(part, scope)} // {self.write(divisor, scope)})"
            case "round_up", (graph.Op("/", (part, divisor)),):
                return f"(-(-{self.write(part, scope)} // {self.write(divisor, scope)}))"
            case "place", (inner,):
                text = self.write(inner, scope)
                return text if is_whole(inner) else f"plain({without_brackets(text)})"
            case "union", parts:
                return self.fill_template(
                    OPERATORS["union"].python, [_as_iterable(self.write(part, scope)) for part in parts]
                )
            case _:
                return None

    def write_clamp(self, text: str, low: str, high: str) -> str:
        """Emit a clamp to literal limits without a call."""
        if self.iterating:
            return f"clamp({text}, {low}, {high})"  # Python has no := where a comprehension gets its members.
        name = text if text.isidentifier() else "to_clamp"
        first = text if name == text else f"({name} := {without_brackets(text)})"
        return f"({low} if {first} < {low} else {high} if {name} > {high} else {name})"

    def fill_template(self, template: str, texts: list[str]) -> str:
        """Substitute operand texts in a template."""
        return template.replace("{*}", ", ".join(texts)).format(*texts, b="b")

    # Booleans.

    def write_operands(self, parts: Iterable[graph.Expr], scope: NameScope) -> Iterator[str]:
        """Emit conjuncts, each in a scope that knows the ones before it."""
        for part in parts:
            yield as_conjunct(self.write(part, scope))
            scope = scope.with_condition(part)

    def write_operand(self, expr: graph.Expr, scope: NameScope) -> str:
        """Emit a condition as an operand of `and` or `or`, with brackets where precedence requires them."""
        return without_brackets_unless_joined(self.write(expr, scope))


def _as_iterable(text: str) -> str:
    """Return the text of an iterable whose type does not matter: drops a conversion of a list to a tuple."""
    return text[len("tuple(") : -1] if text.startswith("tuple([") and closing_index(text[5:]) == len(text) - 6 else text


HALVES = {Fraction(1, 2): "HALF", Fraction(1, 4): "QUARTER", Fraction(3, 4): "THREE_QUARTERS"}

CLOCK = {"game.turn": "s.turn", "game.player": "s.player", "game.phase": "s.phase"}

GIVEN = {
    "hex": "s.hex[{0}]", "side": "s.side[{0}]", "kind": "s.kind[{0}]", "place": "s.place[{0}]",
    "area": "s.sheets[{0}].area", "arrives": "s.sheets[{0}].arrives", "name": "b.names[{0}]", "board": "b.part[{0}]",
    "boards": "b.boards[{0}]", "counter": "s.sheets[{0}].counter",
}  # fmt: skip
