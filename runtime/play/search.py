"""Search for legal ways to finish the choices at the head of an action.

In: the prefix of an action (choices, names, conditions) and the names bound so far. Out: whether
some completion makes every condition hold. The first one found is enough to offer the action, or
one candidate of a choice (docs/language.md, 10).

The steps are in searching order (head_order.py): what an earlier choice would have ruled out may be asked too soon
there. A search that meets such an unanswerable question starts again in the written order.
"""

from functools import cached_property

from runtime.answer.answer import Unanswered
from runtime.graph import nodes as graph
from runtime.play.choice_subsets import Values
from runtime.play.head_completion import HeadCompletion, complete_heads
from runtime.play.head_order import Prefix
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import UNKNOWN
from runtime.play.playthrough import Names
from runtime.state.position import State
from runtime.state.record import Value

# Under which key a search keeps the completion that it found last in a position.
LAST = "last"


class Search:
    """Searches in any position for completions of one prefix. Names that are handed in are bound further."""

    def __init__(self, evaluator: OptionEvaluator, prefix: Prefix) -> None:
        """Make nothing before somebody searches: an example opens few of all actions."""
        self.evaluator = evaluator
        self.prefix = prefix

    @cached_property
    def in_searching_order(self) -> HeadCompletion:
        """Go on from each choice in searching order."""
        return complete_heads(self.prefix.search_order, self.prefix, self.evaluator)

    @cached_property
    def in_written_order(self) -> HeadCompletion:
        """Go on from each choice as written."""
        return complete_heads(self.prefix.written, self.prefix, self.evaluator)

    def can_complete(self, state: State, done: int, names: Names) -> bool:
        """Return whether the prefix can be finished once its first `done` choices are made."""
        try:
            found = self.in_searching_order.finish[done](state, names)
        except Unanswered:
            found = self.in_written_order.finish[done](state, names)
        if found:
            state.answers[self][LAST] = names
        return found

    def can_continue(self, state: State, done: int, names: Names, chosen: Values) -> bool:
        """Return whether the prefix can be finished once choice `done` of several has got as far as `chosen`."""
        try:
            found = self.in_searching_order.grow[done](state, names, chosen)
        except Unanswered:
            found = self.in_written_order.grow[done](state, names, chosen)
        if found:
            state.answers[self][LAST] = names
        return found

    def chosen_last(self, state: State, done: int, step: graph.Choose, names: Names) -> Value:
        """Return what choice `done` was in the completion found last, if nothing has changed; else it is `UNKNOWN`."""
        found: Names | None = state.answers[self].get(LAST)
        if found is None:
            return UNKNOWN
        for name in self.prefix.given[done]:
            if found[name] != names[name]:
                return UNKNOWN
        return found.get(step.name, UNKNOWN)
