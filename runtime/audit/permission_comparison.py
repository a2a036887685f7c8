"""Compare questions of the rules with what play refuses: a question says yes, and the action that asks it is closed.

In: positions of games and examples, and the actions to compare there. Out: `Disagreement`s: values for which all
verdicts that an action asks are allowed, while a condition of play alone refuses them. Whoever asks these questions
gets a yes to what play does not offer.

Values are taken at random from those of the type of a choice, and from the sets that the action chooses from; the
sequence depends on the action and the number of positions alone. Not compared are questions about values that the
action computes, such as records and sets, questions that another verdict asks, which are about a part of it, and
conditions on whose turn it is, on distances and on a choice of several members. A question is not reported for values
with which another action that asks it, too, is open as far as known.

Conditions are evaluated in order up to the first that refuses the values. What follows may rely on it: it is only
evaluated if all that it reads exists, and neither looks into a chart nor divides.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from runtime.answer.expressions import everything
from runtime.answer.interpreter import Interpreter
from runtime.answer.reads import reads_of
from runtime.audit.action_requirements import ActionRequirements, RequirementAnalysis
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.graph.free_names import free_names
from runtime.graph.walk import walk
from runtime.play.dice import draw_below
from runtime.play.instructions import Program
from runtime.play.option_evaluator import Evaluator, ValueFunction
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

# How many values are tried in one position, and how often the questions are evaluated for one set of conditions.
MOST_VALUES, MOST_TRIES = 40, 150
# In how many positions an action is compared.
MOST_POSITIONS = 300
# How many of ten values are taken from the set that the action chooses from.
OWN_OF_TEN = 6


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Questions that are answered yes for `names`, and the condition that refuses these in the action `action`.

    `types` are those of the names; `state` is the position, in the game or example `source`, on the map `board`.
    """

    action: str
    questions: tuple[graph.Ask, ...]
    condition: graph.Expr
    names: Names
    types: Mapping[str, graph.Type]
    state: State
    source: str
    board: graph.Board | None


# The divisor of the budget of an action in one position: the interpreter evaluates some of the conditions.
SHARE = 20 * SLOW


class PermissionComparison:
    """The comparison of the actions of one graph, over many positions."""

    def __init__(self, rules: graph.Graph, evaluator: Evaluator, programs: Mapping[str, Program]) -> None:
        """Start without findings; `programs` are those of the procedures by key."""
        self.rules, self.evaluator, self.programs = rules, evaluator, programs
        self.positions: Counter[str] = Counter()
        self.unfinished: Counter[str] = Counter()  # positions whose comparison exhausted its budget
        self.reference = Interpreter(rules)
        self.tries: Counter[tuple[str, graph.Expr]] = Counter()
        self.first: dict[tuple[str, graph.Expr], Disagreement] = {}
        self._functions: dict[int, tuple[graph.Expr, ValueFunction]] = {}

    @cached_property
    def requirements_by_action(self) -> dict[str, ActionRequirements]:
        """Return the requirements of each action that asks a verdict about its choices."""
        analysis = RequirementAnalysis(self.rules)
        actions = (each for each in self.programs.values() if each.procedure.what == "action")
        found = (analysis.requirements_of(each) for each in actions)
        return {each.action: each for each in found if any(each.verdict_questions)}

    @cached_property
    def partial_verdicts(self) -> frozenset[str]:
        """Return the verdicts that another verdict asks."""
        reads = reads_of(self.rules)
        verdicts = (name for name, term in self.rules.terms.items() if term.form == "verdict")
        return frozenset(term for name in verdicts for term in reads.own_reads(name)[1] if term != name)

    @cached_property
    def asking_actions(self) -> dict[str, list[tuple[ActionRequirements, graph.Ask]]]:
        """Return for each verdict the actions that ask it, with the question."""
        found: dict[str, list[tuple[ActionRequirements, graph.Ask]]] = {}
        for action in self.requirements_by_action.values():
            for question, _ in action.verdict_questions:
                found.setdefault(question.term, []).append((action, question))
        return found

    @property
    def disagreements(self) -> list[Disagreement]:
        """Return the findings, the first for each condition of an action."""
        return list(self.first.values())

    def compare_asking(self, state: State, term: str, source: str, board: graph.Board | None) -> None:
        """Compare the actions that ask a verdict."""
        for action in dict.fromkeys(action.action for action, _ in self.asking_actions.get(term, ())):
            self.compare_permission(state, action, source, board)

    def compare_permission(self, state: State, action: str, source: str, board: graph.Board | None) -> None:
        """Compare an action in a position, with a budget of its own: that of the decision is for play."""
        wanted = self.requirements_by_action.get(action)
        if wanted is None or self.positions[action] >= MOST_POSITIONS:
            return
        try:
            domains = {name: everything(state, type_) for name, type_ in wanted.choices.items()}
        except ValueError:  # A choice without a list of all values, such as a set.
            return
        if not all(domains.values()):
            return
        self.positions[action] += 1
        try:
            with open_budget(SHARE):
                self._compare_values_drawn(state, wanted, domains, source, board)
        except TooMuchWork:
            self.unfinished[action] += 1

    def _compare_values_drawn(
        self,
        state: State,
        wanted: ActionRequirements,
        domains: Mapping[str, Sequence[Value]],
        source: str,
        board: graph.Board | None,
    ) -> None:
        """Compare an action for some values of its choices."""
        place, draws = f"{wanted.action} {self.positions[wanted.action]}", count()
        sides = (state.player,) if state.player else everything(state, graph.Enum("side"))
        seen: set[tuple[Value, ...]] = set()
        for number in range(MOST_VALUES):
            names: Names = {"player": sides[number % len(sides)]}
            try:
                self._draw(state, wanted, domains, names, lambda many: draw_below(many, f"{place} {next(draws)}"))
                values = tuple(names.values())
                if values not in seen:
                    seen.add(values)
                    self._compare_values(state, wanted, names, source, board)
            except Unanswered:
                continue  # These values leave a condition without an answer.

    def _draw(
        self,
        state: State,
        wanted: ActionRequirements,
        domains: Mapping[str, Sequence[Value]],
        names: Names,
        draw: Callable[[int], int],
    ) -> None:
        """Bind each choice to a value at random; a choice that no question is about, to one that may be chosen."""
        in_questions = wanted.choices_in_questions
        for name in wanted.choices:
            pool: Sequence[Value] = ()
            source = wanted.sources.get(name)
            is_own = source is not None and (name not in in_questions or draw(10) < OWN_OF_TEN)
            if source is not None and is_own and self._is_defined(state, source, names):
                pool = tuple(self.evaluate(state, source, names))
            pool = pool or domains[name]
            names[name] = pool[draw(len(pool))]

    def _compare_values(
        self, state: State, wanted: ActionRequirements, names: Names, source: str, board: graph.Board | None
    ) -> None:
        """Compare the questions with the conditions for some values."""
        place, failed = self._first_refusal(state, wanted, names)
        if failed is None:
            return
        key = wanted.action, failed
        if key in self.first or self.tries[key] >= MOST_TRIES:
            return
        self.tries[key] += 1
        about = wanted.requirements[place].names
        concerned = [
            question
            for question, names_asked in wanted.verdict_questions
            if about <= names_asked and question.term not in self.partial_verdicts and _is_plain(question)
        ]
        left = [each.condition for each in wanted.requirements[place + 1 :] if each.kind != "play"]
        if not concerned or not all(self._holds(state, each, names) for each in left):
            return
        alone = tuple(each for each in concerned if not self._is_open(state, wanted, each, about, names))
        if alone:
            types = {**wanted.choices, "player": graph.Enum("side")}
            self.first[key] = Disagreement(
                wanted.action, alone, failed, dict(names), types, state.copy(), source, board
            )

    def _first_refusal(self, state: State, wanted: ActionRequirements, names: Names) -> tuple[int, graph.Expr | None]:
        """Return the first condition of play that refuses values, with its index; None if another one is before it."""
        for index, each in enumerate(wanted.requirements):
            if not self.evaluate(state, each.condition, names):
                return index, each.condition if each.kind == "play" else None
        return 0, None

    def _holds(self, state: State, condition: graph.Expr, names: Names) -> bool:
        """Return whether a condition holds, and can be evaluated whatever holds before it."""
        return self._is_defined(state, condition, names) and bool(self.evaluate(state, condition, names))

    def _is_defined(self, state: State, expr: graph.Expr, names: Names) -> bool:
        """Return whether all exists that an expression reads of bound names, and it cannot fail otherwise."""
        nodes = tuple(walk(expr))
        if any(isinstance(each, graph.Cell) or (isinstance(each, graph.Op) and each.op == "/") for each in nodes):
            return False
        return all(
            self.reference.evaluate(state, each, names) is not None
            for each in reversed(nodes)  # A nested read before that of what it yields.
            if isinstance(each, graph.Get) and free_names(each) <= names.keys()
        )

    def _is_open(
        self, state: State, wanted: ActionRequirements, question: graph.Ask, about: frozenset[str], names: Names
    ) -> bool:
        """Return whether some action that asks a question may be open for the same arguments."""
        values = tuple(self.evaluate(state, each, names) for each in question.arguments)
        for action, other in self.asking_actions[question.term]:
            if action is not wanted:
                if self._may_take(state, action, other, values, {"player": names["player"]}):
                    return True
            elif other == question and (
                left := about - frozenset(each.name for each in question.arguments if isinstance(each, graph.Var))
            ):
                (name, *more) = sorted(left)
                others = ({**names, name: value} for value in everything(state, wanted.choices[name]))
                if more or any(self._may_take(state, action, other, values, each) for each in others):
                    return True
        return False

    def _may_take(
        self, state: State, action: ActionRequirements, question: graph.Ask, values: tuple[Value, ...], names: Names
    ) -> bool:
        """Return whether the conditions of an action allow the arguments of a question, as far as known."""
        names = dict(names)
        for argument, value in zip(question.arguments, values, strict=True):
            if isinstance(argument, graph.Var) and argument.name in action.choices:
                names[argument.name] = value
        for argument, value in zip(question.arguments, values, strict=True):
            if free_names(argument) <= names.keys() and not self._is_defined(state, argument, names):
                return False
            if free_names(argument) <= names.keys() and self.evaluate(state, argument, names) != value:
                return False
        conditions = (each for each in action.requirements if each.kind == "play" and each.names <= names.keys())
        return all(
            self.evaluate(state, each.condition, names)
            for each in conditions
            if self._is_defined(state, each.condition, names)
        )

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression by a function that is built once."""
        found = self._functions.get(id(expr))
        if found is None:
            found = self._functions[id(expr)] = expr, self.evaluator.value_function(expr)
        return found[1](state, names)


def _is_plain(question: graph.Ask) -> bool:
    """Return whether a question is asked about chosen values and what they read, not about computed ones."""
    return not any(
        isinstance(each, graph.New | graph.SetOf | graph.Fold | graph.Ask) for each in walk(question.arguments)
    )
