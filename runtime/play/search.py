"""Search for legal completions of the head of an action.

In: the head of an action (choices, bindings, conditions) and the current bindings. Out: whether some completion
satisfies every condition; one suffices to open the action, or a candidate of a choice (docs/language.md, 10).

The steps are in search order (head_order.py), in which a question may be evaluated that an earlier choice would have
guarded. A search that meets such an undefined question is repeated in written order.
"""

from functools import cached_property

from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.play.choice_subsets import Values
from runtime.play.head_completion import HeadCompletion, complete_heads
from runtime.play.head_order import HeadAnalysis
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import UNKNOWN
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

# The key under which a search stores its last completion in a position.
LAST = "last"


class CompletionSearch:
    """The completion search of one head. Given bindings are extended in place."""

    def __init__(self, evaluator: OptionEvaluator, head: HeadAnalysis) -> None:
        """Defer all preparation: an example opens few actions."""
        self.evaluator = evaluator
        self.head = head

    @cached_property
    def completion_in_search_order(self) -> HeadCompletion:
        """Return the completion functions in search order."""
        return complete_heads(self.head.search_order, self.head, self.evaluator)

    @cached_property
    def completion_in_written_order(self) -> HeadCompletion:
        """Return the completion functions in written order."""
        return complete_heads(self.head.written, self.head, self.evaluator)

    def can_complete(self, state: State, choice_count: int, names: Names) -> bool:
        """Return whether the head can be completed after its first `choice_count` choices."""
        try:
            found = self.completion_in_search_order.finish[choice_count](state, names)
        except Unanswered:
            found = self.completion_in_written_order.finish[choice_count](state, names)
        if found:
            state.answers[self][LAST] = names
        return found

    def can_continue(self, state: State, choice_number: int, names: Names, chosen: Values) -> bool:
        """Return whether the head can be completed after the members `chosen` of its choice `choice_number`."""
        try:
            found = self.completion_in_search_order.grow[choice_number](state, names, chosen)
        except Unanswered:
            found = self.completion_in_written_order.grow[choice_number](state, names, chosen)
        if found:
            state.answers[self][LAST] = names
        return found

    def last_value(self, state: State, choice_number: int, step: graph.Choose, names: Names) -> Value:
        """Return the value of choice `choice_number` in the last completion from here; `UNKNOWN` without one."""
        found: Names | None = state.answers[self].get(LAST)
        if found is None:
            return UNKNOWN
        for name in self.head.names_by_count[choice_number]:
            if found[name] != names[name]:
                return UNKNOWN
        return found.get(step.name, UNKNOWN)
