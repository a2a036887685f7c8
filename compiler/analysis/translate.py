"""Translation of guards into formulas over the unknowns of a term.

In: expressions of one stack. Out: formulas (formula.py) and the space of their unknowns. Afterwards every constant that
a guard compares with is a cut of its unknown.

An expression that cannot be decomposed (geometry, histories, computed amounts) becomes a single unknown, as if its
values were independent of all others. This over-approximates the positions: no conflict is missed, and some suspects
cannot occur, which the position search decides.
"""

from collections.abc import Callable
from fractions import Fraction

from compiler.analysis import charts
from compiler.analysis.budgets import spend_steps
from compiler.analysis.domain import Types, is_compared_by_size
from compiler.analysis.formula import (
    FALSE,
    TESTS,
    TRUE,
    Amount,
    Choice,
    Conjunction,
    Constant,
    Disjunction,
    Equality,
    Formula,
    Holds,
    Lookup,
    Negation,
    Sum,
    Unknown,
)
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws, arguments_of
from compiler.analysis.linear import Linear, linear_form
from compiler.analysis.normal_form import Names, normalize, with_names
from compiler.analysis.space import YES_NO_OPTIONS, NumberInterval
from compiler.analysis.unknowns import Unknowns
from runtime.graph import nodes as graph
from runtime.graph.operators import MIRRORED, OPERATORS
from runtime.graph.verbs import concludes_yes

# Conditions queried in guards are expanded to this depth, and while a term has fewer unknowns than this; beyond, each
# is one unknown.
MOST_CALL_LEVELS, MOST_UNKNOWNS = 3, 80


class Translator:
    """A translator of the rules of one term: equal questions become one unknown, each rule one formula."""

    def __init__(self, laws: Laws, types: Types, intervals: Intervals | None, deepest: int = MOST_CALL_LEVELS) -> None:
        self.laws = laws
        self.max_depth = deepest
        self.stack = laws.stack
        self.unknowns = Unknowns(laws.stack, types, intervals)
        self.space = self.unknowns.space
        self._has_unbounded_amounts = False
        self._sums_by_text: dict[str, set[str]] = {}
        self._depth = 0
        self._formulas_by_rule: dict[tuple[str, ...], Formula] = {}

    @property
    def is_approximate(self) -> bool:
        """Return whether dependent amounts may be represented as independent: then cases report too many suspects."""
        return self._has_unbounded_amounts or any(len(sums) > 1 for sums in self._sums_by_text.values())

    def small_position_formulas(self) -> tuple[Formula, ...]:
        """Return formulas that restrict unknowns to small positions.

        None for case analysis, which leaves this to the search.
        """
        return ()

    def translate_guard(self, rule: graph.Rule, names: Names) -> Formula:
        """Return the formula of a rule's guard."""
        return TRUE if rule.guard is None else self.translate_expression(normalize(rule.guard, with_names(rule, names)))

    def translate_live_rule(self, rule: graph.Rule, names: Names, without: str = "") -> Formula:
        """Return the formula under which a rule is live: its guard holds and no live rule defeats it.

        `without` never does.
        """
        if without and without not in self.laws.defeaters_of(rule.label):
            without = ""  # It has no influence on this rule.
        name_texts = (f"{name}={self.unknowns.text(expr)}" for name, expr in names.items())
        key = (rule.label, without, *rule.terms, *name_texts)
        if key not in self._formulas_by_rule:
            defeaters = [other for other in self.laws.defeaters_in_term(rule) if other.label != without]
            silenced = [self.translate_live_rule(other, names, without) for other in defeaters]
            self._formulas_by_rule[key] = conjunction_of(
                self.translate_guard(rule, names), *(negation_of(each) for each in silenced)
            )
        return self._formulas_by_rule[key]

    def translate_live_beside(self, rule: graph.Rule, without: str, is_excluded: Callable[[str], bool]) -> Formula:
        """Return the formula under which a rule is live where `without` applies and does not defeat it.

        Rules `is_excluded` from it are not live.
        """
        defeaters = [o for o in self.laws.defeaters_in_term(rule) if o.label != without and not is_excluded(o.label)]
        return conjunction_of(
            self.translate_guard(rule, {}),
            *(negation_of(self.translate_live_rule(other, {}, without)) for other in defeaters),
        )

    def translate_expression(self, expr: graph.Expr) -> Formula:
        """Translate a normalized truth value."""
        spend_steps(1)
        match expr:
            case graph.Truth(value):
                return Constant(value)
            case graph.Op("and", arguments):
                return conjunction_of(*(self.translate_expression(argument) for argument in arguments))
            case graph.Op("or", arguments):
                return disjunction_of(*(self.translate_expression(argument) for argument in arguments))
            case graph.Op("not", (inner,)):
                return negation_of(self.translate_expression(inner))
            case graph.Op("if", (condition, then, orelse)):
                return self._if(condition, self.translate_expression(then), self.translate_expression(orelse))
            case graph.Op("=" | "<" | "<=" | ">" | ">=" as op, (left, right)):
                return self.translate_comparison(op, left, right)
            case graph.Op("in", (member, collection)):
                return self._member(member, collection, expr)
            case graph.Is(subject, (test,)):
                return self._test(subject, test, expr)
            case graph.Ask():
                return self._ask(expr)
            case graph.Cell():
                return Holds(self.translate_amount(expr) or self.unknowns.opaque_condition(expr), "yes")
            case _:
                return self.unknowns.opaque_condition(expr)

    def translate_comparison(self, op: str, left: graph.Expr, right: graph.Expr) -> Formula:
        """Translate a comparison; an `if` on either side is split into two."""
        left, right = self._unfolded(left), self._unfolded(right)
        if self.unknowns.text(left) == self.unknowns.text(right):
            return Constant(op in {"=", "<=", ">="})
        for operand, other, sign in ((left, right, op), (right, left, MIRRORED[op])):
            match operand:
                case graph.Op("if", (condition, then, orelse)):
                    return self._if(
                        condition,
                        self.translate_comparison(sign, then, other),
                        self.translate_comparison(sign, orelse, other),
                    )
                case graph.Truth(value) if op == "=":
                    return self.translate_expression(other) if value else negation_of(self.translate_expression(other))
        types = [self.unknowns.expression_type(side) for side in (left, right)]
        if any(is_compared_by_size(each) for each in types):
            text = self.unknowns.text
            return self._numbers(op, linear_form(left, text).sum_with(linear_form(right, text).scaled_by(Fraction(-1))))
        return self._words(op, left, right, both_yes_no=all(isinstance(each, graph.YesNo) for each in types))

    def has_bounds(self, expr: graph.Expr) -> bool:
        """Return whether an amount is a sum of parts that all have a lower and an upper bound."""
        match self._unfolded(expr):
            case graph.Op("if", (_, then, orelse)):
                return self.has_bounds(then) and self.has_bounds(orelse)
            case graph.Cell():
                return True
            case opened:
                domains = (
                    self.unknowns.answer_domain(part) for _, _, part in linear_form(opened, self.unknowns.text).parts
                )
                ends = all(isinstance(each, NumberInterval) and None not in (each.low, each.high) for each in domains)
                self._has_unbounded_amounts = self._has_unbounded_amounts or not ends
                return ends

    def translate_amount(self, expr: graph.Expr) -> Amount | None:
        """Translate an expression whose values can be listed or cut; None for all others."""
        expr = self._unfolded(expr)
        if (value := charts.plain_value(expr)) is not None:
            return Constant(value)
        match expr:
            case graph.Op("if", (condition, then, orelse)):
                first, second = self.translate_amount(then), self.translate_amount(orelse)
                return Choice(self.translate_expression(condition), first, second) if first and second else None
            case graph.Cell(table, keys) if lookup := self._lookup(self.stack.tables[table], keys, "value"):
                return lookup
            case _:
                domain = self.unknowns.answer_domain(expr)
                return None if domain is None else self.unknowns.value_unknown(expr, domain)

    def _if(self, condition: graph.Expr, then: Formula, orelse: Formula) -> Formula:
        decided = self.translate_expression(condition)
        return disjunction_of(conjunction_of(decided, then), conjunction_of(negation_of(decided), orelse))

    def _words(self, op: str, left: graph.Expr, right: graph.Expr, *, both_yes_no: bool) -> Formula:
        """Translate a comparison of operands that are no numbers."""
        if op == "=" and both_yes_no:
            left_truth, right_truth = self.translate_expression(left), self.translate_expression(right)
            return disjunction_of(
                conjunction_of(left_truth, right_truth),
                conjunction_of(negation_of(left_truth), negation_of(right_truth)),
            )
        first, second = self.translate_amount(left), self.translate_amount(right)
        if op == "=" and first is not None and second is not None:
            return Equality(first, second)
        if op == "=" and self.unknowns.text(right) < self.unknowns.text(left):
            left, right = right, left
        return self.unknowns.opaque_condition(graph.Op(op, (left, right)))

    def _numbers(self, op: str, sides: Linear) -> Formula:
        """Translate `sides op 0`: exactly if only chart cells occur, else with one unknown for the combination."""
        if not sides.parts:
            return Constant(TESTS[op](sides.constant))
        cells = [self.translate_amount(expr) if isinstance(expr, graph.Cell) else None for _, _, expr in sides.parts]
        if all(isinstance(cell, Lookup) for cell in cells):
            factors = [factor for _, factor, _ in sides.parts]
            summands = [cell for cell in cells if cell is not None]
            return Holds(Sum(tuple(zip(factors, summands, strict=True)), sides.constant), op)
        lead = sides.parts[0][1]
        scaled = sides.scaled_by(1 / lead)
        unknown = self.unknowns.unknown_sum(scaled)
        self._has_unbounded_amounts = self._has_unbounded_amounts or any(map(is_computed, sides.parts))
        for text, _, _ in sides.parts:
            self._sums_by_text.setdefault(text, set()).add(scaled.text())
        self.space.add_cut(unknown.number, -scaled.constant)
        summed = Sum(((Fraction(1), unknown),), scaled.constant)
        return Holds(summed, op if lead > 0 else MIRRORED[op])

    def _member(self, member: graph.Expr, collection: graph.Expr, expr: graph.Expr) -> Formula:
        match collection:
            case graph.SetOf(elements):
                return disjunction_of(*(self.translate_comparison("=", member, element) for element in elements))
            case graph.Op("span", (low, high)):
                return conjunction_of(
                    self.translate_comparison(">=", member, low), self.translate_comparison("<=", member, high)
                )
            case graph.All():
                return TRUE
            case graph.Pieces():
                # A piece that is removed, or not yet on the map, is in no such collection.
                absent = (
                    graph.Is(member, (graph.Test(state, "piece", state),), negated=False) for state in ("gone", "off")
                )
                return conjunction_of(
                    self.unknowns.opaque_condition(expr),
                    *(negation_of(self.translate_expression(each)) for each in absent),
                )
            case graph.Fold("gather", var, source, filter_condition, None):
                membership = self._member(member, source, graph.Op("in", (member, source)))
                return (
                    membership
                    if filter_condition is None
                    else conjunction_of(
                        membership, self.translate_expression(normalize(filter_condition, {var: member}))
                    )
                )
            case _:
                return self.unknowns.opaque_condition(expr)

    def _test(self, subject: graph.Expr, test: graph.Test, expr: graph.Expr) -> Formula:
        """Translate `subject is word`; kinds and places are mutually exclusive, flags may be overridden by rules."""
        match test.what:
            case "kind" | "place":
                amount = self.translate_amount(graph.Get(subject, "given", "", test.what))
                return self.unknowns.opaque_condition(expr) if amount is None else Equality(amount, Constant(test.name))
            case "cell" if isinstance(subject, graph.Cell):
                cell = self._lookup(self.stack.tables[subject.table], subject.keys, "kind")
                return self.unknowns.opaque_condition(expr) if cell is None else Equality(cell, Constant(test.name))
            case "trait" | "feature" | "status":
                return self._flag(subject, test, expr)
            case _:
                return self.unknowns.opaque_condition(expr)

    def _flag(self, subject: graph.Expr, test: graph.Test, expr: graph.Expr) -> Formula:
        """Translate a trait, feature or status: its printed or marked value, unless a rule overrides it."""
        printed = self.unknowns.flag_unknown(subject, test, expr)
        term = self.stack.terms.get(f"{test.owner}.{test.name}")
        if term is None or not self.laws.rules(term):
            return printed
        if self._is_deep():
            return Unknown(self.space.add_unknown(f"{term.name}({self.unknowns.text(subject)})", YES_NO_OPTIONS))
        grants, denials = self._sides(term, (subject,))
        return disjunction_of(*grants, conjunction_of(printed, *(negation_of(each) for each in denials)))

    def _ask(self, ask: graph.Ask) -> Formula:
        """Expand a condition or verdict into the formulas of its rules."""
        opened = self._unfolded(ask)
        if opened is not ask:
            return self.translate_expression(opened)
        term = self.stack.terms.get(ask.term)
        if term is None or term.form not in {"verdict", "condition"} or self._is_deep():
            return self.unknowns.opaque_condition(ask)
        if not self.laws.rules(term):
            # It is declared for layers that are not loaded: its value is open, so rules that query it are not dead.
            return self.unknowns.opaque_condition(ask)
        grants, denials = self._sides(term, ask.arguments)
        excused = [negation_of(each) for each in denials]
        return conjunction_of(*excused) if term.default else conjunction_of(disjunction_of(*grants), *excused)

    def _sides(self, term: graph.Term, arguments: tuple[graph.Expr, ...]) -> tuple[list[Formula], list[Formula]]:
        """Return the formulas under which the granting and the denying rules of a truth-valued term are live."""
        self._depth += 1
        names = arguments_of(term, arguments)
        grants: list[Formula] = []
        denials: list[Formula] = []
        for rule in self.laws.rules(term):
            says_yes = concludes_yes(rule)
            (grants if says_yes else denials).append(self.translate_live_rule(rule, names))
        self._depth -= 1
        return grants, denials

    def _is_deep(self) -> bool:
        return self._depth >= self.max_depth or len(self.space.unknowns) >= MOST_UNKNOWNS

    def _lookup(self, table: graph.Table, keys: tuple[graph.Expr, ...], component: str) -> Lookup | None:
        """Translate a chart cell if its keys have finite domains and a single row answers; else None."""
        if table.hit == "collect":
            return None
        amounts: list[Amount] = []
        for index, key in enumerate(keys):
            amount = self.translate_amount(key)
            if amount is None:
                return None
            self.unknowns.add_chart_cuts(table, index, amount)
            amounts.append(amount)
        return Lookup(charts.chart_function(table), tuple(amounts), component, table)

    def _unfolded(self, expr: graph.Expr) -> graph.Expr:
        """Replace a term by its definition, unless that counts or collects."""
        while isinstance(expr, graph.Ask):
            body = self.laws.expanded_term(expr)
            if body is None or isinstance(body, (graph.Fold, graph.Pieces)):
                break
            expr = body
        return expr


def is_computed(part: tuple[str, Fraction, graph.Expr]) -> bool:
    """Return whether an amount is an operation that case analysis does not decompose."""
    return isinstance(part[2], graph.Op) and OPERATORS[part[2].op].algebra == "computed"


def conjunction_of(*parts: Formula) -> Formula:
    """Return the simplified conjunction of formulas."""
    return _junction(Conjunction, parts, neutral=TRUE, absorbing=FALSE)


def disjunction_of(*parts: Formula) -> Formula:
    """Return the simplified disjunction of formulas."""
    return _junction(Disjunction, parts, neutral=FALSE, absorbing=TRUE)


def _junction(
    kind: type[Conjunction | Disjunction], parts: tuple[Formula, ...], neutral: Constant, absorbing: Constant
) -> Formula:
    if absorbing in parts:
        return absorbing
    others = tuple(part for part in parts if part != neutral)
    return kind(others) if len(others) > 1 else others[0] if others else neutral


def negation_of(part: Formula) -> Formula:
    """Return the simplified negation of a formula."""
    match part:
        case Constant(value):
            return Constant(not value)
        case Negation(inner):
            return inner
        case _:
            return Negation(part)
