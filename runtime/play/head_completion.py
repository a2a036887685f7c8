"""Completion of the head of an action, compiled to continuations.

In: the steps of a head in some order (head_order.py). Out: for each number of choices made, a function of a position
and the current bindings that returns whether some completion satisfies every condition. Each step is a closure over its
successor (continuation-passing style). Steps bind into the given dictionary, so callers pass a copy.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.budget import charge
from runtime.play.choice_subsets import TRIES, Values, allowed_sizes, candidate_subsets
from runtime.play.head_order import HeadAnalysis, HeadOrder
from runtime.play.option_evaluator import OptionEvaluator, PreparedExpression
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.visibility import visible_records

# To try a set or an order takes as long as to pass over so many members.
TRIAL_COST = 10

Finish = Callable[[State, Names], bool]
Grow = Callable[[State, Names, Values], bool]


class HeadCompletion(NamedTuple):
    """The completion functions by number of choices made, and those of partial sets or orders by choice."""

    finish: tuple[Finish, ...]
    grow: Mapping[int, Grow]


def complete_heads(order: HeadOrder, head: HeadAnalysis, evaluator: OptionEvaluator) -> HeadCompletion:
    """Build the functions of all steps, the last one first."""
    finish: list[Finish] = [always_complete]
    grow: dict[int, Grow] = {}
    for index, step in reversed(list(enumerate(order.steps))):
        continuation = finish[-1]
        match step:
            case graph.Legal(condition):
                finish.append(condition_completion(evaluator.prepare_expression(condition), continuation))
            case graph.Let(name, value):
                finish.append(bind_value(name, evaluator.prepare_expression(value), continuation))
            case graph.Choose() if step.how:
                number = order.starts.index(index + 1) - 1
                grow[number] = growth_test(step, continuation, head, evaluator)
                finish.append(completion_from_empty(grow[number]))
            case graph.Choose():
                finish.append(choice_completion(step, continuation, head, evaluator))
    finish.reverse()
    return HeadCompletion(tuple([finish[start] for start in order.starts]), grow)


def completion_from_empty(grow: Grow) -> Finish:
    """Return the completion that starts with an empty set or order."""
    return lambda state, names: grow(state, names, ())


def always_complete(_: State, __: Names) -> bool:
    """Return True: the head is complete."""
    return True


def condition_completion(condition: PreparedExpression, continuation: Finish) -> Finish:
    """Return the completion of a condition."""

    def finish(state: State, names: Names) -> bool:
        return continuation(state, names) if condition.evaluate(state, names) else False

    return finish


def bind_value(name: str, value: PreparedExpression, continuation: Finish) -> Finish:
    """Return the completion of a binding."""

    def finish(state: State, names: Names) -> bool:
        names[name] = value.evaluate(state, names)
        return continuation(state, names)

    return finish


def choice_completion(
    step: graph.Choose, continuation: Finish, head: HeadAnalysis, evaluator: OptionEvaluator
) -> Finish:
    """Return the completion of a choice: tries its members."""
    name, members = step.name, evaluator.prepare_expression(step.source)
    filtered = isinstance(step.source, graph.Fold) and step.source.op == "gather"
    secret = name in head.secret
    retry = None if secret else last_member_completion(step, continuation, head, evaluator)

    def finish(state: State, names: Names) -> bool:
        if retry is not None and name in head.last:
            if retry(state, names):
                return True
            del head.last[name]  # A member that fails now will mostly fail again.
        # The filter is evaluated lazily, only for members that the search tries.
        found: Iterable[Value] = members.iterate(state, names) if filtered else members.evaluate(state, names)
        if secret:
            found = visible_records(state, chooser_name(step, state, names, evaluator), found)
        for member in found:
            charge(1)
            names[name] = member
            if continuation(state, names):
                head.last[name] = member
                return True
        return False

    return finish


def last_member_completion(
    step: graph.Choose, continuation: Finish, head: HeadAnalysis, evaluator: OptionEvaluator
) -> Finish | None:
    """Return the completion that tries the last successful member first, which mostly succeeds again."""
    match step.source:
        case graph.Fold("gather", var, source, condition, None):
            members = evaluator.prepare_expression(source)
            passes = None if condition is None else evaluator.prepare_expression(condition)
        case _:
            return None

    def finish(state: State, names: Names) -> bool:
        last = names[step.name] = head.last[step.name]
        try:
            return (
                last in members.evaluate(state, names)
                and (passes is None or bool(passes.evaluate(state, {**names, var: last})))
                and continuation(state, names)
            )
        except Unanswered:
            return False  # Whoever comes before it may have to be asked first.

    return finish


def growth_test(step: graph.Choose, continuation: Finish, head: HeadAnalysis, evaluator: OptionEvaluator) -> Grow:
    """Return the completion of a partial set or order: tries its extensions."""
    members = evaluator.prepare_expression(step.source)

    def can_grow(state: State, names: Names, chosen: Values) -> bool:
        found = tuple(members.evaluate(state, names))
        if step.name in head.secret:
            found = visible_records(state, chooser_name(step, state, names, evaluator), found)
        allowed = allowed_sizes(step, lambda expr: evaluator.evaluate(state, expr, names))
        for trial in islice(candidate_subsets(step.how, found, chosen, allowed), TRIES):
            charge(TRIAL_COST)
            names[step.name] = trial
            if continuation(state, names):
                return True
        return False

    return can_grow


def chooser_name(step: graph.Choose, state: State, names: Names, evaluator: OptionEvaluator) -> str:
    """Return the side that chooses."""
    return str(names.get("player", state.player) if step.by is None else evaluator.evaluate(state, step.by, names))
