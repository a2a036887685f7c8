"""Search for legal completions of the head of an action: the choices, bindings and conditions before its first effect.

In: a program and the evaluator of its expressions. Out: a `CompletionSearch`, which returns whether some completion of
the head satisfies every condition; one suffices to open the action, or a candidate of a choice (docs/language.md, 10).

The head is compiled to continuations, one for each number of choices made: functions of a position and the current
bindings. Each step is a closure over its successor (continuation-passing style). Steps bind into the given dictionary,
so callers pass a copy.

The steps are in search order, in which `reorder_conditions` hoists each conjunct to the first step after which all its
names are bound, and preserves the order of conjuncts: a piece that may not act at all is rejected once, and not once
for each hex around it. There a question may be evaluated that an earlier choice would have guarded. A search that meets
such an undefined question is repeated in written order.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import charge
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import free_names
from runtime.graph.set_choices import restricted_choices
from runtime.graph.steps import HEAD_STEPS, HeadStep
from runtime.play.choice_subsets import TRIES, Values, allowed_sizes, candidate_subsets
from runtime.play.option_evaluator import OptionEvaluator, PreparedExpression
from runtime.play.playthrough import Names
from runtime.play.programs import Program
from runtime.state.position import LEFT, State
from runtime.state.record import Value
from runtime.state.visibility import visible_records

# To try a set or an order takes as long as to pass over so many members.
TRIAL_COST = 10

FinishFunction = Callable[[State, Names], bool]
GrowFunction = Callable[[State, Names, Values], bool]


class CompletionSearch:
    """The completion search of one head. Given bindings are extended in place."""

    def __init__(self, evaluator: OptionEvaluator, head: "ActionHead") -> None:
        """Defer all preparation: an example opens few actions."""
        self.evaluator = evaluator
        self.head = head
        parameters = head.program.procedure.parameters
        self.pieces = tuple(index for index, each in enumerate(parameters) if isinstance(each.type, graph.Piece))

    def is_open(self, state: State, values: tuple[Value, ...], side: str) -> bool:
        """Return whether the action can be completed; False if an argument is a removed piece or one off the map."""
        for index in self.pieces:
            if state.hex[values[index]] in LEFT:
                return False
        return self.can_complete(state, 0, self.head.program.bind_parameters(values, side))

    @cached_property
    def completion_in_search_order(self) -> "_HeadCompletion":
        """Return the completion functions in search order."""
        return compile_completion(self.head.search_order, self.head, self.evaluator)

    @cached_property
    def completion_in_written_order(self) -> "_HeadCompletion":
        """Return the completion functions in written order."""
        return compile_completion(self.head.written, self.head, self.evaluator)

    def can_complete(self, state: State, choice_count: int, names: Names) -> bool:
        """Return whether the head can be completed after its first `choice_count` choices."""
        try:
            return self.completion_in_search_order.finish[choice_count](state, names)
        except Unanswered:
            return self.completion_in_written_order.finish[choice_count](state, names)

    def can_continue(self, state: State, choice_number: int, names: Names, chosen: Values) -> bool:
        """Return whether the head can be completed after the members `chosen` of its choice `choice_number`."""
        try:
            return self.completion_in_search_order.grow[choice_number](state, names, chosen)
        except Unanswered:
            return self.completion_in_written_order.grow[choice_number](state, names, chosen)


class _HeadOrder:
    """The steps of a head in one order; `starts[n]` is the index after the first n choices."""

    __slots__ = ("starts", "steps")

    def __init__(self, steps: Sequence[HeadStep]) -> None:
        """Index the choices."""
        self.steps = tuple(steps)
        self.starts = (0, *(number + 1 for number, step in enumerate(steps) if isinstance(step, graph.Choose)))

    def is_complete(self, choice_count: int) -> bool:
        """Return whether no step is left after `choice_count` choices."""
        return self.starts[choice_count] == len(self.steps)


class ActionHead:
    """The head of an action, as written and in search order; both have the choices in written order."""

    __slots__ = (
        "_reordered",
        "is_as_written",
        "program",
        "rules",
        "secret",
        "steps",
        "written",
    )  # fmt: skip

    def __init__(
        self, program: Program, rules: graph.Graph, secret: Container[graph.Type | None], *, is_as_written: bool = False
    ) -> None:
        """Store the head; `secret` are the types of secret records.

        With `is_as_written` conditions are not hoisted, so that what is evaluated is what a module evaluates.
        """
        self.is_as_written = is_as_written
        kinds = zip(program.steps[: program.head_length], program.members, strict=False)
        chosen = [(step.name, kind) for step, kind in kinds if isinstance(step, graph.Choose)]
        self.secret = frozenset(name for name, kind in chosen if kind in secret)
        self.steps = tuple(step for step in program.steps[: program.head_length] if isinstance(step, HEAD_STEPS))
        self.program, self.rules = program, rules
        self.written = _HeadOrder(self.steps)
        self._reordered: _HeadOrder | None = None

    @property
    def search_order(self) -> _HeadOrder:
        """Return the head in search order, computed at the first use, as an example searches few actions."""
        if self._reordered is None:
            steps = restricted_choices(self.steps, self.rules)
            self._reordered = _HeadOrder(steps if self.is_as_written else reorder_conditions(steps))
        return self._reordered


def reorder_conditions(steps: Sequence[HeadStep]) -> tuple[HeadStep, ...]:
    """Hoist every conjunct as far as its names allow, in written order."""
    binders = [step.name for step in steps if not isinstance(step, graph.Legal)]
    if len(set(binders)) < len(binders):
        return tuple(steps)  # With a name bound twice a conjunct could be moved to the wrong binding.
    rounds: list[list[HeadStep]] = [[]]
    parts: list[graph.Expr] = []
    for step in steps:
        if isinstance(step, graph.Legal):
            parts += conjuncts(step.condition)
        else:
            rounds.append([step])
    place = 0
    for part in parts:
        place = max(place, _binder_count(part, binders))
        rounds[place].append(graph.Legal(part))
    return tuple(chain.from_iterable(rounds))


def _binder_count(condition: graph.Expr, binders: Sequence[str]) -> int:
    """Return the number of binders after which all names of a condition are bound."""
    return max([0, *(binders.index(name) + 1 for name in free_names(condition) if name in binders)])


class _HeadCompletion(NamedTuple):
    """The completion functions by number of choices made, and those of partial sets or orders by choice."""

    finish: tuple[FinishFunction, ...]
    grow: Mapping[int, GrowFunction]


def compile_completion(order: _HeadOrder, head: ActionHead, evaluator: OptionEvaluator) -> _HeadCompletion:
    """Build the completion functions of the steps in an order, the last one first."""
    finish: list[FinishFunction] = [_always_complete]
    grow: dict[int, GrowFunction] = {}
    for index, step in reversed(list(enumerate(order.steps))):
        continuation = finish[-1]
        match step:
            case graph.Legal(condition):
                finish.append(_condition_completion(evaluator.prepare_expression(condition), continuation))
            case graph.Let(name, value):
                finish.append(_bind_value(name, evaluator.prepare_expression(value), continuation))
            case graph.Choose() if step.how:
                number = order.starts.index(index + 1) - 1
                grow[number] = _growth_test(step, continuation, head, evaluator)
                finish.append(_completion_from_empty(grow[number]))
            case graph.Choose():
                finish.append(_choice_completion(step, continuation, head, evaluator))
    finish.reverse()
    return _HeadCompletion(tuple([finish[start] for start in order.starts]), grow)


def _completion_from_empty(grow: GrowFunction) -> FinishFunction:
    """Return the completion that starts with an empty set or order."""
    return lambda state, names: grow(state, names, ())


def _always_complete(_: State, __: Names) -> bool:
    """Return True: the head is complete."""
    return True


def _condition_completion(condition: PreparedExpression, continuation: FinishFunction) -> FinishFunction:
    """Return the completion of a condition."""

    def finish(state: State, names: Names) -> bool:
        return continuation(state, names) if condition.evaluate(state, names) else False

    return finish


def _bind_value(name: str, value: PreparedExpression, continuation: FinishFunction) -> FinishFunction:
    """Return the completion of a binding."""

    def finish(state: State, names: Names) -> bool:
        names[name] = value.evaluate(state, names)
        return continuation(state, names)

    return finish


def _choice_completion(
    step: graph.Choose, continuation: FinishFunction, head: ActionHead, evaluator: OptionEvaluator
) -> FinishFunction:
    """Return the completion of a choice: tries its members."""
    name, members = step.name, evaluator.prepare_expression(step.source)
    filtered = isinstance(step.source, graph.Fold) and step.source.op == "gather"
    secret = name in head.secret

    def finish(state: State, names: Names) -> bool:
        # The filter is evaluated lazily, only for members that the search tries.
        found: Iterable[Value] = members.iterate(state, names) if filtered else members.evaluate(state, names)
        if secret:
            found = visible_records(state, _chooser_name(step, state, names, evaluator), found)
        for member in found:
            charge(1)
            names[name] = member
            if continuation(state, names):
                return True
        return False

    return finish


def _growth_test(
    step: graph.Choose, continuation: FinishFunction, head: ActionHead, evaluator: OptionEvaluator
) -> GrowFunction:
    """Return the completion of a partial set or order: tries its extensions."""
    members = evaluator.prepare_expression(step.source)

    def can_grow(state: State, names: Names, chosen: Values) -> bool:
        found = tuple(members.evaluate(state, names))
        if step.name in head.secret:
            found = visible_records(state, _chooser_name(step, state, names, evaluator), found)
        if chosen and chosen[-1] not in found:
            return False  # The last member was added that no admitted set contains.
        allowed = allowed_sizes(step, lambda expr: evaluator.evaluate(state, expr, names))
        for trial in islice(candidate_subsets(step.how, found, chosen, allowed), TRIES):
            charge(TRIAL_COST)
            names[step.name] = trial
            if continuation(state, names):
                return True
        return False

    return can_grow


def _chooser_name(step: graph.Choose, state: State, names: Names, evaluator: OptionEvaluator) -> str:
    """Return the side that chooses."""
    return str(names.get("player", state.player) if step.by is None else evaluator.evaluate(state, step.by, names))
