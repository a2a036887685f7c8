"""Lowering of expressions.

In: an expression, and the core values of its free names. Out: a core expression with the same value where the language
defines one, and a trap where it does not.
"""

from collections.abc import Callable, Hashable, Mapping
from itertools import count
from typing import Any, TypeVar

from compiler.core import construct, ir, reads
from compiler.core.charts import lower_cell, tallied_cell
from compiler.core.denominators import Denominators
from compiler.core.ir import Apply, Const, Core, EnumConst, Fold, FoldKind, Local, Primitive, Trap
from compiler.core.operations import lower_operation
from compiler.core.representation import (
    BOOL,
    ENUM,
    HEX,
    HEXSIDE,
    INT,
    PIECE,
    RATIO,
    List,
    Ratio,
    Record,
    Representation,
    Set,
    is_bit_set,
)
from compiler.core.trap_reason import TrapReason
from runtime.graph import nodes as graph
from runtime.graph.members import members_of

Names = Mapping[str, Core]
Lowered = TypeVar("Lowered")


class ExpressionLowering:
    """The lowering of expressions of one graph; `denominators` determines integer slots."""

    def __init__(self, rules: graph.Graph, denominators: Denominators) -> None:
        """Start without used names."""
        self.rules = rules
        # The first bits of tallies, by term or chart, in a module that counts the use of rules; else None.
        self.tallies: Mapping[str, int] | None = None
        self.denominators = denominators
        self._numbers = count()
        self._parts: dict[Hashable, tuple[Any, set[str]]] = {}

    def tally_of(self, name: str) -> int | None:
        """Return the first bit of the tally of a term or chart; None if it is not counted."""
        return self.tallies.get(name) if self.tallies else None

    def fresh_name(self, name: str) -> str:
        """Return a name that is unique in the module."""
        return f"{name}.{next(self._numbers)}"

    def lowered_part(self, key: Hashable, lower: Callable[[], Lowered]) -> Lowered:
        """Return what a function lowers, memoized until a slot that it took to be integer holds fractions."""
        lowered, assumed = self._parts.get(key, (None, set()))
        if lowered is not None and assumed.isdisjoint(self.denominators.fractional):
            memo: Lowered = lowered
            return memo
        self.denominators.assumed = assumed = set()
        part = lower()
        self._parts[key] = part, assumed
        return part

    # Representations

    def coerce(self, value: Core, target: Representation, slot: str) -> Core:
        """Convert a value to the representation of the slot it flows into; a fraction makes the slot fractional."""
        if value.representation == target or isinstance(value, Trap):
            return value
        match value.representation, target:
            case (_, Ratio()) if value.representation == INT:
                return construct.to_ratio(value)
            case (Ratio(), _) if target == INT:
                self.denominators.holds_fractions(slot)
                return Trap(TrapReason.UNREPRESENTABLE, target)
            case (Set(None) | List(None), _):
                return ir.Members((), target)
            case (Set(element) | List(element), Set(target_element) | List(target_element)) if (
                element == target_element
            ):
                return Apply(Primitive.UNION, (value,), target)
            case (Set(element) | List(element), Set(target_element) | List(target_element)) if {
                element,
                target_element,
            } == {INT, RATIO}:
                if target_element == INT:
                    self.denominators.holds_fractions(slot)
                name = self.fresh_name("number")
                body = construct.to_ratio(Local(name, INT))
                return Fold(FoldKind.GATHER, name, value, None, body, None, target)
            case _:
                return Trap(TrapReason.UNSUPPORTED, target)

    def in_one_representation(self, *values: Core) -> tuple[Core, ...]:
        """Return values, coerced to one representation, as for two branches."""
        widest = values[0].representation
        for value in values[1:]:
            widest = construct.wider_type(widest, value.representation)
        return tuple(self.coerce(value, widest, "") for value in values)

    # Expressions

    def lower(self, expr: graph.Expr, names: Names) -> Core:  # noqa: C901 -- one case a node
        """Lower an expression."""
        match expr:
            case graph.Var(name):
                return names.get(name) or Trap(TrapReason.UNSUPPORTED, INT)
            case graph.Op():
                return lower_operation(self, expr, names)
            case graph.Ask(term, arguments):
                return self.lower_call(term, [self.lower(argument, names) for argument in arguments])
            case graph.Get():
                return reads.lower_field(self, expr, names)
            case graph.Is():
                return reads.word_test(self, expr, names)
            case graph.Has():
                return construct.negated_if(reads.is_present(self, expr, names), expr.negated)
            case graph.Num(value, _) | graph.Place(_, _, value):
                return construct.number_constant(value)
            case graph.Truth(value):
                return construct.YES if value else construct.NO
            case graph.Member(_, name):
                return EnumConst(name, ENUM)
            case graph.Spot(spot_kind, name):
                return reads.position_reference(spot_kind, name, names)
            case graph.GameTrack(owner, name):
                return reads.lower_fact(self, owner, name)
            case graph.Cell():
                return self.lower_cell(expr, names)
            case graph.Pieces(kinds, place):
                listed = ",".join(kinds)
                if place is None:
                    return Apply(Primitive.PIECES_ON_MAP, (), Set(PIECE), listed)
                return Apply(Primitive.PIECES_AT, (self.lower(place, names),), Set(PIECE), listed)
            case graph.All(element_type):
                return self.all_values(element_type)
            case graph.Fold():
                return self.lower_fold(expr, names)
            case graph.Search():
                return self.lower_search(expr, names)
            case graph.SetOf(elements):
                return self.set_of([self.lower(element, names) for element in elements])
            case graph.New(record, fields):
                field_values = dict(fields)
                declared = self.rules.vocabulary.records[record].fields
                values = [
                    self.lower_field_value(field_values.get(part.name), part, f"{record}.{part.name}", names)
                    for part in declared
                ]
                return ir.NewRecord(tuple(values), Record(record))

    def lower_call(self, term: str, arguments: list[Core]) -> Core:
        """Lower a call of a term."""
        found = self.rules.terms[term]
        fitted = [
            self.coerce(argument, self.parameter_representation(term, part), f"{term}({part.name})")
            for argument, part in zip(arguments, found.parameters, strict=True)
        ]
        return ir.Call(term, tuple(fitted), self.answer_representation(found))

    def lower_field_value(self, expr: graph.Expr | None, part: graph.Parameter, slot: str, names: Names) -> Core | None:
        """Lower the value of a field of a new record, with a range check."""
        if expr is None:
            return None
        representation = self.denominators.representation(part.type, slot)
        return self.range_checked(part.type, self.coerce(self.lower(expr, names), representation, slot))

    def range_checked(self, declared: graph.Type | None, value: Core) -> Core:
        """Return an expression with the value if it, or each number of it, is in its declared range, else a trap."""
        match declared:
            case graph.Number(low, high, is_whole=is_whole) if (low, high) != (None, None):
                if not is_whole or value.representation != RATIO:
                    return ir.BoundsCheck(value, low, high, False, value.representation)  # noqa: FBT003 -- named there
        if self.is_out_of_range(declared, value) is None:
            return value

        def with_check(known: Core) -> Core:
            violation = self.is_out_of_range(declared, known)
            assert violation is not None
            return ir.If(violation, Trap(TrapReason.OUTSIDE, known.representation), known, known.representation)

        return self.bound_to_name(value, with_check)

    def is_out_of_range(self, declared: graph.Type | None, value: Core) -> Core | None:
        """Return the test whether a number, or one of a collection, is out of its declared range; None without one."""
        match declared:
            case graph.Number(low, high, is_whole=is_whole) if value.representation in (INT, RATIO):
                least, most = (
                    None if end is None else self.coerce(construct.number_constant(end), value.representation, "")
                    for end in (low, high)
                )
                pairs = [(value, least), (most, value)]
                found = [
                    Apply(Primitive.LESS, (smaller, larger), BOOL) for smaller, larger in pairs if smaller and larger
                ]
                if is_whole and value.representation == RATIO:
                    floor = construct.to_ratio(construct.rounded_to_whole(value, Primitive.FLOOR))
                    found.append(Apply(Primitive.LESS, (floor, value), BOOL))
                return construct.one_holds([*found]) if found else None
            case graph.Many(_, graph.Number() as element_type) if (
                isinstance(value.representation, Set | List) and value.representation.element is not None
            ):
                member = Local(self.fresh_name("number"), value.representation.element)
                outside = self.is_out_of_range(element_type, member)
                return None if outside is None else Fold(FoldKind.SOME, member.name, value, outside, member, None, BOOL)
            case _:
                return None

    def parameter_representation(self, owner: str, part: graph.Parameter) -> Representation:
        """Return the representation of a parameter of a term, a procedure or an event."""
        return self.denominators.representation(part.type, f"{owner}({part.name})")

    def answer_representation(self, term: graph.Term) -> Representation:
        """Return the representation of a term's answers."""
        if term.form in ("verdict", "condition", "flag"):
            return BOOL
        return self.denominators.representation(term.type, term.name)

    def field_of(self, record: str, part: graph.Parameter) -> Representation:
        """Return the representation of a field of a record."""
        return self.denominators.representation(part.type, f"{record}.{part.name}")

    def bound_to_name(self, value: Core, use: Callable[[Core], Core]) -> Core:
        """Bind a value that is used several times to a name, unless it is atomic."""
        if isinstance(value, Local | Const | EnumConst | ir.Force):
            return use(value)
        name = self.fresh_name("it")
        body = use(Local(name, value.representation))
        return ir.Let(name, value, body, body.representation)

    def lower_cell(self, expr: graph.Cell, names: Names) -> Core:
        """Lower the read of a chart's cell."""
        table = self.rules.tables[expr.table]
        keys = [self.lower(key, names) for key in expr.keys]
        tally = self.tally_of(table.name)
        if tally is None:
            return lower_cell(self, table, keys, expr.kind)
        return self._tallied_cell(table, keys, [], expr.kind)

    def _tallied_cell(self, table: graph.Table, keys: list[Core], bound: list[Core], kind: str) -> Core:
        """Lower the read of a cell of a counted chart: each key is evaluated once."""
        if not keys:
            return tallied_cell(table, bound, lower_cell(self, table, bound, kind), self.tally_of(table.name))
        return self.bound_to_name(keys[0], lambda key: self._tallied_cell(table, keys[1:], [*bound, key], kind))

    def all_values(self, type_: graph.Type) -> Core:
        """Return all values of a finite type."""
        vocabulary = self.rules.vocabulary
        match type_:
            case graph.Enum(name):
                return construct.word_set_constant(members_of(vocabulary, name))
            case graph.Scale(name):
                places = [construct.number_constant(index) for _, index in vocabulary.scales[name].places]
                return self.set_of(list(self.in_one_representation(*places)) if places else [])
            case graph.YesNo():
                return ir.Members((construct.NO, construct.YES), Set(BOOL))
            case graph.Number(int(low), int(high)):
                return Apply(Primitive.SPAN, (Const(low, INT), Const(high, INT)), Set(INT))
            case graph.Hex():
                return Apply(Primitive.ALL_HEXES, (), Set(HEX))
            case graph.Hexside():
                return Apply(Primitive.ALL_HEXSIDES, (), Set(HEXSIDE))
            case graph.Piece(kinds):
                return Apply(Primitive.PIECES_ON_MAP, (), Set(PIECE), ",".join(kinds))
            case graph.RecordOf(name):
                return Apply(Primitive.WRITTEN_RECORDS, (), Set(Record(name)), name)
            case _:
                return Trap(TrapReason.UNSUPPORTED, Set(None))

    def set_of(self, elements: list[Core]) -> Core:
        """Return a set of elements."""
        if not elements:
            return construct.EMPTY
        fitted = self.in_one_representation(*elements)
        representation = Set(fitted[0].representation)
        constants = tuple(each for each in fitted if isinstance(each, Const | EnumConst))
        if len(constants) == len(fitted) and is_bit_set(representation):
            return ir.Members(constants, representation)
        return Apply(Primitive.SET_OF, fitted, representation)

    def lower_fold(self, expr: graph.Fold, names: Names, kind: FoldKind | None = None) -> Core:
        """Lower an aggregate over a collection."""
        source = self.lower(expr.source, names)
        if not isinstance(source.representation, Set | List) or source.representation.element is None:
            source, member = ir.Members((), Set(PIECE)), Local(self.fresh_name(expr.var), PIECE)
        else:
            member = Local(self.fresh_name(expr.var), source.representation.element)
        inner = {**names, expr.var: member}
        condition = None if expr.where is None else self.lower(expr.where, inner)
        body: Core = member if expr.body is None else self.lower(expr.body, inner)
        default = None if expr.otherwise is None else self.lower(expr.otherwise, names)
        kind = kind or (FoldKind.SOME if expr.op == "none" else FoldKind(expr.op))
        representation: Representation
        match kind:
            case FoldKind.COUNT:
                representation = INT
            case FoldKind.SOME | FoldKind.EVERY:
                representation = BOOL
            case FoldKind.GATHER:
                representation = Set(body.representation)
            case FoldKind.LEADING | FoldKind.TRAILING:
                representation = List(member.representation)
            case FoldKind.MIN | FoldKind.MAX if default is not None:
                body, default = self.in_one_representation(body, default)
                representation = body.representation
            case FoldKind.LEAST | FoldKind.GREATEST:
                representation = member.representation
            case _:
                representation = body.representation
        fold = Fold(kind, member.name, source, condition, body, default, representation)
        return construct.negated_if(fold, expr.op == "none")

    def lower_search(self, expr: graph.Search, names: Names) -> Core:
        """Lower a search over the map."""
        step = self.fresh_name("from"), self.fresh_name("to")
        inner = {**names, "step from": Local(step[0], HEX), "step to": Local(step[1], HEX)}

        def lower_optional(found: graph.Expr | None, known: Names = names) -> Core | None:
            return None if found is None else self.lower(found, known)

        price = lower_optional(expr.price, inner)
        most = lower_optional(expr.most)
        default = lower_optional(expr.otherwise)
        # The cost of a path is a sum of prices, a ratio where one of them or the limit is.
        cost_representation = (
            RATIO if RATIO in [each.representation for each in (price, most, default) if each is not None] else INT
        )
        price, most, default = (
            None if each is None else self.coerce(each, cost_representation, "") for each in (price, most, default)
        )
        hexes: dict[str, Representation] = {"reachable": Set(HEX), "cheapest_way": List(HEX)}
        representation = hexes.get(expr.op, cost_representation)
        goal, start = lower_optional(expr.goal), self.lower(expr.start, names)
        if expr.op == "linked":
            assert goal is not None
            ground = Local(self.fresh_name("among"), goal.representation)
            start = Apply(Primitive.INTERSECTION, (start, ground), goal.representation)
            membership_test: Core = Apply(Primitive.MEMBER, (Local(step[1], HEX), ground), BOOL)
            gate = lower_optional(expr.gate, inner)
            gate = membership_test if gate is None else ir.If(membership_test, gate, construct.NO, BOOL)
            made_of = ir.Cheapest("reachable", start, None, step, gate, None, None, None, INT, Set(HEX))
            return ir.Let(ground.name, goal, made_of, made_of.representation)
        return ir.Cheapest(
            expr.op,
            start,
            goal,
            step,
            lower_optional(expr.gate, inner),
            price,
            most,
            default,
            cost_representation,
            representation,
        )
