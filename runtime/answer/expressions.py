"""Evaluation of expressions in a state (docs/language.md, 6).

In: an expression of the graph, a state, and an environment. Out: a plain value. Evaluation is strict, from left to
right, except that `and`, `or` and `if` are short-circuiting.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.flags import has_flag
from runtime.answer.tables import CellContent
from runtime.board.search import cheapest_cost, cheapest_way, linked_by, reachable, searched
from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import AbsentError, GapError
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


def evaluate_expression(answers: "Interpreter", state: State, expr: graph.Expr, names: Environment) -> Value:
    """Evaluate an expression by the function of its class."""
    return EVALUATE[expr.__class__](answers, state, expr, names)


def _bound_value(answers: "Interpreter", state: State, expr: graph.Var, names: Environment) -> Value:
    value = names[expr.name]
    return value.value(answers, state) if isinstance(value, LazyBinding) else value


def _answer(answers: "Interpreter", state: State, expr: graph.Ask, names: Environment) -> Value:
    values = [_charged_set(evaluate_expression(answers, state, argument, names)) for argument in expr.arguments]
    return answers.ask(state, expr.term, tuple(values)).value


def _field_value(answers: "Interpreter", state: State, expr: graph.Get, names: Environment) -> Value:
    owner = evaluate_expression(answers, state, expr.base, names)
    value = get(state, expr, owner)
    if value is None:
        has_name = expr.what == "printed" or expr.name == "hex"
        raise AbsentError(expr.name, (state.sheets[owner].name,) if has_name else ())
    return value


def _is_so(answers: "Interpreter", state: State, expr: graph.Is, names: Environment) -> bool:
    subject = evaluate_expression(answers, state, expr.subject, names)
    return any(_passes_test(answers, state, test, subject) for test in expr.tests) != expr.negated


def _is_there(answers: "Interpreter", state: State, expr: graph.Has, names: Environment) -> bool:
    if isinstance(expr.subject, graph.GameTrack):
        return (_fact(state, expr.subject) is not None) != expr.negated
    return has(state, expr, evaluate_expression(answers, state, expr.subject, names)) != expr.negated


def _fact(state: State, expr: graph.GameTrack) -> Value:
    return state.fact(f"{expr.owner}.{expr.name}")


def _known_fact(_: "Interpreter", state: State, expr: graph.GameTrack, __: Environment) -> Value:
    value = _fact(state, expr)
    if value is None:
        raise AbsentError(f"{expr.owner}.{expr.name}", ())
    return value


def _cell_content(answers: "Interpreter", state: State, expr: graph.Cell, names: Environment) -> Value:
    cell = answers.cell(
        state, expr.table, tuple([evaluate_expression(answers, state, key, names) for key in expr.keys])
    )
    return cell.of(expr.kind) if expr.kind else cell if cell.kind else cell.value


def _pieces(answers: "Interpreter", state: State, expr: graph.Pieces, names: Environment) -> Value:
    if expr.at is None:
        return state.in_play(expr.kinds)
    return state.pieces_at(evaluate_expression(answers, state, expr.at, names), expr.kinds)


def _set(answers: "Interpreter", state: State, expr: graph.SetOf, names: Environment) -> Value:
    return state.frame.ordered(evaluate_expression(answers, state, element, names) for element in expr.elements)


def _new_record(answers: "Interpreter", state: State, expr: graph.New, names: Environment) -> Value:
    values = {name: evaluate_expression(answers, state, value, names) for name, value in expr.fields}
    return state.held_record(expr.record, values)


def _charged_set(argument: Value) -> Value:
    """Charge the members of a set that is an argument to the work budget, and return it."""
    return passed_if_many(argument) if argument.__class__ is tuple else argument


def _operate(answers: "Interpreter", state: State, expr: graph.Op, names: Environment) -> Value:
    """Apply an operator; logical operators are short-circuiting."""
    arguments = expr.arguments
    match expr.op:
        case "and":
            return all(evaluate_expression(answers, state, argument, names) for argument in arguments)
        case "or":
            return any(evaluate_expression(answers, state, argument, names) for argument in arguments)
        case "if":
            condition, yes, no = arguments
            chosen = yes if evaluate_expression(answers, state, condition, names) else no
            return evaluate_expression(answers, state, chosen, names)
        case _:
            pass
    operator = OPERATORS[expr.op]
    values = [evaluate_expression(answers, state, argument, names) for argument in arguments]
    match operator.needs:
        case "board":
            return operator.compute(state.board, *values)
        case "state":
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
            return _predeclared_field(state, expr.name, base)


def _predeclared_field(state: State, name: str, base: Value) -> Value:
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


def _passes_test(answers: "Interpreter", state: State, test: graph.Test, subject: Value) -> bool:
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
    source = evaluate_expression(answers, state, expr.source, names)
    if expr.op == "count" and expr.where is None:
        return len(source)
    source, body = passed(source), expr.body

    def satisfies(member: Value) -> bool:
        return expr.where is None or bool(evaluate_expression(answers, state, expr.where, {**names, expr.var: member}))

    def value_of(member: Value) -> Value:
        return member if body is None else evaluate_expression(answers, state, body, {**names, expr.var: member})

    if expr.op == "trailing":
        return run(reversed(source), satisfies)[::-1]
    if expr.op == "leading":
        return run(source, satisfies)
    members = source if expr.where is None else filter(satisfies, source)  # Lazily: what decides ends the iteration.
    match expr.op:
        case "count":
            return sum(1 for _ in members)
        case "some" | "none":
            return any(True for _ in members) == (expr.op == "some")
        case "every":
            return all(map(value_of, members))
        case "sum":
            return add_up([*map(value_of, members)])
        case "gather":
            return state.frame.ordered(map(value_of, members))
        case "min" | "max" | "least" | "greatest":
            return _extreme_value(answers, state, expr, [(value_of(member), member) for member in members], names)


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


def _extreme_value(
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


# The function of each class of expressions.
EVALUATE: dict[type, Callable[..., Value]] = {
    graph.Var: _bound_value,
    graph.Op: _operate,
    graph.Ask: _answer,
    graph.Get: _field_value,
    graph.Is: _is_so,
    graph.Has: _is_there,
    graph.Num: lambda _, __, expr, ___: plain(expr.value),
    graph.Truth: lambda _, __, expr, ___: expr.value,
    graph.Member: lambda _, __, expr, ___: expr.name,
    graph.Place: lambda _, __, expr, ___: expr.at,
    graph.Spot: lambda _, state, expr, __: named_object(state, expr.what, expr.name),
    graph.GameTrack: _known_fact,
    graph.Cell: _cell_content,
    graph.Pieces: _pieces,
    graph.All: lambda _, state, expr, __: everything(state, expr.type),
    graph.Fold: fold,
    graph.Search: searching,
    graph.SetOf: _set,
    graph.New: _new_record,
}
