"""The options of an offer: actions with their arguments, each open if it can be completed legally.

In: an offer and the completion searches of all actions. Out: an `Offering`, which returns the candidates in any
position. Whatever does not depend on the position is precomputed.
"""

from collections.abc import Mapping
from functools import partial

from runtime.graph import nodes as graph
from runtime.play.option_evaluator import OptionEvaluator
from runtime.play.options import END, END_OFFER, TAKE, Candidates, Option, deciding_side
from runtime.play.playthrough import Names
from runtime.play.search import CompletionSearch
from runtime.state.position import LEFT, State
from runtime.state.record import Value


class ActionHead:
    """The head of an action: its parameters, which of them are pieces, and its completion test."""

    __slots__ = ("can_complete", "parameters", "pieces")

    def __init__(self, procedure: graph.Procedure, search: CompletionSearch) -> None:
        """Precompute what does not depend on the position."""
        self.parameters = tuple(parameter.name for parameter in procedure.parameters)
        self.pieces = tuple(index for index, p in enumerate(procedure.parameters) if isinstance(p.type, graph.Piece))
        self.can_complete = search.can_complete

    def is_open(self, state: State, values: tuple[Value, ...], side: str) -> bool:
        """Return whether the action can be completed; False if an argument is a removed piece or one off the map."""
        for index in self.pieces:
            if state.hex[values[index]] in LEFT:
                return False
        return self.can_complete(state, 0, self.bind_parameters(values, side))

    def bind_parameters(self, values: tuple[Value, ...], side: str) -> Names:
        """Bind the parameters."""
        names: Names = {"player": side}
        if values:
            names.update(zip(self.parameters, values, strict=True))
        return names


class Offering:
    """An offer with the heads of its actions."""

    __slots__ = ("_actions", "_end_condition", "_heads", "member", "question", "side", "step")

    def __init__(self, step: graph.Offer, heads: Mapping[str, ActionHead], evaluator: OptionEvaluator) -> None:
        """Prepare the actions; the option of one without arguments is the same in every position."""
        self.step = step
        self.question = f"offer {', '.join(name for name, _ in step.actions)}"
        self.member = None
        self.side = deciding_side(step.by, evaluator)
        self._heads = {name: heads[name] for name, _ in step.actions}
        self._actions = [
            (name, tuple(evaluator.prepare_expression(argument) for argument in arguments), Option(TAKE, name, ()))
            for name, arguments in step.actions
        ]
        condition = None if step.until == graph.Truth(True) else step.until  # noqa: FBT003
        self._end_condition = None if condition is None else evaluator.prepare_expression(condition)

    def candidates(self, state: State, names: Names, side: str) -> Candidates:
        """Return the candidates: the actions and the end of the offer."""
        options = [self.option_numbered(state, names, number) for number in range(len(self._actions))]
        options.append(END_OFFER)
        return Candidates(options, partial(self.is_open, state, names, side), same_option)

    def option_numbered(self, state: State, names: Names, number: int) -> Option:
        """Return the option of the action with this index."""
        name, arguments, plain = self._actions[number]
        if not arguments:
            return plain
        return Option(TAKE, name, tuple([argument.evaluate(state, names) for argument in arguments]))

    lazy_candidates = candidates  # An action is asked about when it is tried, and whoever lists them asks about all.

    def is_open(self, state: State, names: Names, side: str, option: Option) -> bool:
        """Return whether an action can be completed legally, or the offer may end."""
        kind, name, values = option
        if kind == END:
            return self._end_condition is None or bool(self._end_condition.evaluate(state, names))
        return self._heads[name].is_open(state, values, side)


def same_option(option: Option) -> Option:
    """Return the option itself: the candidates of an offer are options."""
    return option
