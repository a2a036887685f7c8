"""Evaluation of expressions in a state (docs/language.md, 6).

In: an expression of the graph, a state, and an environment. Out: a plain value. Evaluation is strict, from left to
right, except that `and`, `or` and `if` are short-circuiting.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, assert_never

from runtime.answer.flags import has_flag
from runtime.answer.tables import CellContent
from runtime.board.answer_errors import AbsentError, GapError
from runtime.board.search import cheapest_cost, cheapest_way, linked_by, reachable, searched
from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph.budget import passed, passed_if_many
from runtime.graph.members import members_of
from runtime.graph.operators import OPERATORS, add_up, plain
from runtime.state.position import GONE, OUTSIDE, State
from runtime.state.record import Value

if TYPE_CHECKING:  # It evaluates by this module.
    from runtime.answer.interpreter import Interpreter

Environment = dict[str, Value]


class LazyBinding(NamedTuple):
    """A `with` name that is evaluated on use (call by name)."""

    expr: graph.Expr
    names: Environment

    def value(self, answers: "Interpreter", state: State) -> Value:
        """Evaluate the binding in this state."""
        return evaluate_expression(answers, state, self.expr, self.names)


class MemoizedBinding(LazyBinding):
    """A `with` name within one answer, during which the state is constant: evaluated at most once (call by need)."""

    known: Value = None

    def value(self, answers: "Interpreter", state: State) -> Value:
        """Return the value, evaluated at the first use."""
        if self.known is None:
            self.known = super().value(answers, state)
        return self.known


def evaluate_expression(answers: "Interpreter", state: State, expr: graph.Expr, names: Environment) -> Value:  # noqa: C901
    """Evaluate an expression: one case for each node, frequent ones first."""
    match expr:
        case graph.Var(name):
            value = names[name]
            return value.value(answers, state) if isinstance(value, LazyBinding) else value
        case graph.Op():
            return operate(answers, state, expr, names)
        case graph.Ask(term, arguments):
            return answers.ask(
                state, term, tuple(charged_set(evaluate_expression(answers, state, a, names)) for a in arguments)
            ).value
        case graph.Get(base, node_kind, _, name):
            owner = evaluate_expression(answers, state, base, names)
            value = get(state, expr, owner)
            if value is None:
                raise AbsentError(name, (state.sheets[owner].name,) if node_kind == "printed" or name == "hex" else ())
            return value
        case graph.Is(subject, tests, negated):
            value = evaluate_expression(answers, state, subject, names)
            return any(passes_test(answers, state, test, value) for test in tests) != negated
        case graph.Has(graph.GameTrack(owner, name), _, _, _, negated):
            return (state.fact(f"{owner}.{name}") is not None) != negated
        case graph.Has(subject, _, _, _, negated):
            return has(state, expr, evaluate_expression(answers, state, subject, names)) != negated
        case graph.Num(number, _):
            return plain(number)
        case graph.Truth(value):
            return value
        case graph.Member(_, name):
            return name
        case graph.Place(_, _, place):
            return place
        case graph.Spot(node_kind, name):
            return named_object(state, node_kind, name)
        case graph.GameTrack(owner, name):
            value = state.fact(f"{owner}.{name}")
            if value is None:
                raise AbsentError(f"{owner}.{name}", ())
            return value
        case graph.Cell(table, keys, kind):
            cell = answers.cell(state, table, tuple(evaluate_expression(answers, state, key, names) for key in keys))
            return cell.of(kind) if kind else cell if cell.kind else cell.value
        case graph.Pieces(kinds, place):
            return (
                state.in_play(kinds)
                if place is None
                else state.pieces_at(evaluate_expression(answers, state, place, names), kinds)
            )
        case graph.All(member_type):
            return everything(state, member_type)
        case graph.Fold("count", _, source, None):
            return len(evaluate_expression(answers, state, source, names))
        case graph.Fold():
            return fold(answers, state, expr, names)
        case graph.Search():
            return searching(answers, state, expr, names)
        case graph.SetOf(elements):
            return state.frame.ordered(evaluate_expression(answers, state, element, names) for element in elements)
        case graph.New(record, fields):
            values = {name: evaluate_expression(answers, state, value, names) for name, value in fields}
            return state.held_record(record, values)
        case _:
            assert_never(expr)


def charged_set(argument: Value) -> Value:
    """Charge the members of a set that is an argument to the work budget, and return it."""
    return passed_if_many(argument) if argument.__class__ is tuple else argument


def operate(answers: "Interpreter", state: State, expr: graph.Op, names: Environment) -> Value:
    """Apply an operator; logical operators are short-circuiting."""
    operator = OPERATORS[expr.op]
    values = (evaluate_expression(answers, state, argument, names) for argument in expr.arguments)
    match expr.op:
        case "and":
            return all(values)
        case "or":
            return any(values)
        case "if":
            _, yes, no = expr.arguments
            return evaluate_expression(answers, state, yes if next(values) else no, names)
        case _ if operator.needs == "board":
            return operator.compute(state.board, *values)
        case _ if operator.needs == "state":
            return operator.compute(state, *values)
        case _:
            return operator.compute(*values)


def get(state: State, expr: graph.Get, base: Value) -> Value:
    """Read a field; None where it is absent."""
    match expr.what:
        case "printed":
            return state.printed[base].get(expr.name)
        case "track":
            return state.track(f"{expr.owner}.{expr.name}", base)
        case "record":
            return getattr(base, expr.name) if isinstance(base, Crossing) else state.field(base, expr.name)
        case "partner":
            return state.partner(expr.owner, expr.name, base)
        case "partners":
            return state.partners(expr.owner, expr.name, base)
        case "given":
            return predeclared_field(state, expr.name, base)


def predeclared_field(state: State, name: str, base: Value) -> Value:
    """Return a predeclared field of a piece (hex, side, kind, counter, place, area, arrives) or a hex (name, board)."""
    match name:
        case "hex":
            return None if state.hex[base] < 0 else state.hex[base]
        case "side":
            return state.side[base]
        case "kind":
            return state.kind[base]
        case "counter":
            return state.sheets[base].counter
        case "place":
            return state.place[base]
        case "area":
            return state.sheets[base].area
        case "arrives":
            return state.sheets[base].arrives
        case "name":
            return state.board.names[base]
        case "boards":
            return state.board.boards[base]
        case _:
            return state.board.part[base]


def passes_test(answers: "Interpreter", state: State, test: graph.Test, subject: Value) -> bool:
    """Evaluate one test after `is`."""
    match test.what:
        case "kind":
            return state.kind[subject] == test.name
        case "place":
            return state.place[subject] == test.name
        case "cell":
            return isinstance(subject, CellContent) and subject.kind == test.name
        case "gone":
            return state.hex[subject] == GONE
        case "off":
            return state.hex[subject] in OUTSIDE
        case "trait" | "feature" | "path" | "status":
            return has_flag(answers, state, answers.graph.vocabulary.flags[f"{test.owner}.{test.name}"], subject)


def has(state: State, expr: graph.Has, subject: Value) -> bool:
    """Return whether a value is present."""
    match expr.what:
        case "track":
            return state.track(f"{expr.owner}.{expr.name}", subject) is not None
        case "partner":
            return bool(state.partners(expr.owner, expr.name, subject))
        case "record":
            return state.field(subject, expr.name) is not None
        case "printed":
            return state.face(subject, expr.name) != ""
        case "path" if isinstance(subject, tuple):
            return state.board.is_side_on_path(expr.name, subject)
        case "path":
            return state.board.has_path(expr.name, subject)


def named_object(state: State, kind: graph.SpotKind, name: str) -> Value:
    """Return a hex, piece or region by name.

    Raises KeyError if there is none of that name, or if it denotes a hex of a step outside its search.
    """
    match kind:
        case "hex":
            return state.board.index[name]
        case "region":
            return state.board.regions[name]
        case "piece":
            for index, sheet in enumerate(state.sheets):
                if sheet.name == name:
                    return index
            raise KeyError(name)
        case "step":
            raise KeyError(name)


def everything(state: State, type_: graph.Type) -> Value:
    """Return all values of a finite type in canonical order."""
    vocabulary = state.graph.vocabulary
    match type_:
        case graph.Enum(name):
            return members_of(vocabulary, name)
        case graph.Scale(name):
            return tuple(value for _, value in vocabulary.scales[name].places)
        case graph.YesNo():
            return (False, True)
        case graph.Number(int(low), int(high)):
            return range(low, high + 1)
        case graph.Hex():
            return state.board.all
        case graph.Hexside():
            return tuple((a, b) for a in range(state.board.size) for b in state.board.beside[a] if a < b)
        case graph.Piece(kinds):
            return state.in_play(kinds)
        case graph.RecordOf(name):
            return state.records[name]
        case _:
            raise ValueError(f"there is no list of all {type_}")


def fold(answers: "Interpreter", state: State, expr: graph.Fold, names: Environment) -> Value:
    """Evaluate an aggregate in one pass over its collection."""
    source, body = passed(evaluate_expression(answers, state, expr.source, names)), expr.body

    def satisfies(member: Value) -> bool:
        return expr.where is None or bool(evaluate_expression(answers, state, expr.where, {**names, expr.var: member}))

    def value_of(member: Value) -> Value:
        return member if body is None else evaluate_expression(answers, state, body, {**names, expr.var: member})

    if expr.op == "trailing":
        return run(reversed(source), satisfies)[::-1]
    if expr.op == "leading":
        return run(source, satisfies)
    members = filter(satisfies, source)  # Lazily: what decides ends the iteration.
    match expr.op:
        case "count":
            return sum(1 for _ in members)
        case "some":
            return any(True for _ in members)
        case "none":
            return not any(True for _ in members)
        case "every":
            return all(map(value_of, members))
        case "sum":
            return add_up([*map(value_of, members)])
        case "gather":
            return state.frame.ordered(map(value_of, members))
        case "min" | "max" | "least" | "greatest":
            return extreme_value(answers, state, expr, [(value_of(member), member) for member in members], names)


def searching(answers: "Interpreter", state: State, expr: graph.Search, names: Environment) -> Value:
    """Evaluate a search over the map; gate and price of a step are evaluated when the search reaches it."""

    def evaluate_part(part: graph.Expr | None, absent: Value = None) -> Value:
        return absent if part is None else evaluate_expression(answers, state, part, names)

    def question_function(ask: graph.Ask | None) -> Callable[[int, int], Value] | None:
        if ask is None:
            return None
        arguments = tuple(evaluate_expression(answers, state, argument, names) for argument in ask.arguments[:-2])
        is_reversed = ask.arguments[-2] == graph.TO

        def ask_step(here: int, there: int) -> Value:
            ends = (there, here) if is_reversed else (here, there)
            return answers.ask(state, ask.term, (*arguments, *ends), in_search=True).value

        return ask_step

    goal = evaluate_part(expr.goal, ())
    start, gate = evaluate_part(expr.start), question_function(expr.gate)
    if expr.op == "linked":
        return reachable(passed(linked_by(state.board, start, passed_if_many(goal), gate)))
    routes = passed(searched(state.board, start, gate, question_function(expr.price), evaluate_part(expr.most), goal))
    match expr.op:
        case "reachable":
            return reachable(routes)
        case "cheapest_way":
            return cheapest_way(routes, goal)
        case "cheapest_cost":
            return cheapest_cost(routes, goal, lambda: evaluate_part(expr.otherwise))


def extreme_value(
    answers: "Interpreter", state: State, expr: graph.Fold, found: list[tuple[Value, Value]], names: Environment
) -> Value:
    """Return the smallest or largest number of an aggregate, or the member it belongs to; the default for no member."""
    if not found:
        if expr.otherwise is None:
            raise GapError(expr.op, ())
        return evaluate_expression(answers, state, expr.otherwise, names)
    # min and max keep the first of equals, and collections are in canonical order.
    pick = min if expr.op in ("min", "least") else max
    value, member = pick(found, key=lambda pair: pair[0])
    return member if expr.op in ("least", "greatest") else value


def run(members: Iterable[Value], holds: Callable[[Value], bool]) -> tuple[Value, ...]:
    """Return the longest prefix whose members satisfy the condition."""
    found_members: list[Value] = []
    for member in members:
        if not holds(member):
            break
        found_members.append(member)
    return tuple(found_members)
