"""Explanations of searches over the map in one position: which way one finds, and what blocks it.

In: a search, and the hexes that it should reach. Out: "by A, B, C", or "the way is shut from C to D, as R may not enter
D". The question that decides a blocked step is recorded, so that it is explained as well.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from runtime.answer.refusing_rules import refusal_text
from runtime.answer.value_text import value_text
from runtime.board.search import Amount, PathNode, cheapest_way, least_blocked_route, nearest, searched
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.type_of import type_of
from runtime.state.record import Value

if TYPE_CHECKING:
    from runtime.answer.condition_explainer import ConditionExplainer


class RouteExplainer:
    """An explainer of one search, for a condition that it is part of."""

    def __init__(self, explainer: "ConditionExplainer", search: graph.Search) -> None:
        """Evaluate where the search starts; `allowed_hexes` holds the hexes that it has to stay in, None if any."""
        self.explainer, self.search = explainer, search
        self.board = explainer.state.board
        self.start = tuple(explainer.value(search.start))
        self.gate, self.price = self._step_function(search.gate), self._step_function(search.price)
        self.allowed_hexes: frozenset[int] | None = None
        if search.op == "linked" and search.goal is not None:
            self.allowed_hexes = frozenset(explainer.value(search.goal))
            self.start = tuple(self.allowed_hexes.intersection(self.start))

    def explain(self, goal: tuple[int, ...]) -> str:
        """Return the hexes of the cheapest route to some hex of a goal, or what blocks it, as text."""
        is_free = self.gate is None and self.allowed_hexes is None
        found = searched(self.board, self.start, None if is_free else self._may_step, self.price, None)
        end = nearest(found, goal)
        return self._blocked_text(goal) if end is None else self._route_text(found, goal, end)

    def _route_text(self, found: Mapping[int, PathNode], goal: tuple[int, ...], end: int) -> str:
        """Return the hexes of the cheapest route, with its cost where that is too high or compared."""
        search, hex_names = self.search, ", ".join(self.board.names[each] for each in cheapest_way(found, goal))
        cost = found[end].cost
        most = None if search.most is None else self.explainer.value(search.most)
        if most is not None and cost > most:
            return f"the cheapest way, {hex_names}, costs {self._cost_text(cost)}"
        if search.op == "cheapest_way" or found[end].before is None:
            return ""  # The route is the value that is stated, or ends where it begins.
        if self.explainer.with_costs and search.op == "cheapest_cost":
            return f"by {hex_names}, which costs {self._cost_text(cost)}"
        return f"by {hex_names}"

    def _cost_text(self, cost: Amount) -> str:
        """Return the cost of a route as text."""
        explainer = self.explainer
        type_ = type_of(replace(self.search, op="cheapest_cost"), explainer.wording.names, explainer.answers.graph)
        return value_text(explainer.state, cost, type_)

    def _blocked_text(self, goal: tuple[int, ...]) -> str:
        """Return the first blocked step of the route that has the fewest, as text; "" where none is known."""
        route = self._nearest_route(goal)
        if not route:
            blocked_counts = searched(self.board, self.start, None, self._count_blocked, None)
            route = cheapest_way(blocked_counts, goal)
        blocked_steps = [step for step in pairwise(route) if not self._may_step(*step)]
        if not blocked_steps or self.search.gate is None:
            return ""
        here, there = blocked_steps[0]
        names = self.board.names
        if self.allowed_hexes is not None and there not in self.allowed_hexes:
            return f"the way from {names[here]} leads over {names[there]}, which is none of them"
        arguments = self._step_arguments(self.search.gate, here, there)
        self.explainer.record_question(self.search.gate.term, arguments)
        answers = self.explainer.answers
        term = answers.graph.terms[self.search.gate.term]
        refusal = refusal_text(answers, self.explainer.state, term, arguments)
        return f"the way is shut from {names[here]} to {names[there]}, as {refusal}"

    def _nearest_route(self, goal: tuple[int, ...]) -> tuple[int, ...]:
        """Return the route with the fewest blocked steps within the budget of the search; () without one, or a budget.

        A step without a price, as it is never allowed, costs nothing here.
        """
        price_of_step = self.price
        if self.search.most is None or self.gate is None:
            return ()

        def price(here: int, there: int) -> Amount:
            if price_of_step is None:
                return 1
            try:
                cost: Amount = price_of_step(here, there)
            except Unanswered:
                return 0
            return cost

        most = self.explainer.value(self.search.most)
        return least_blocked_route(self.board, self.start, goal, self.gate, price, most)

    def _may_step(self, here: int, there: int) -> bool:
        """Return whether the search may take a step."""
        if self.allowed_hexes is not None and there not in self.allowed_hexes:
            return False
        return self.gate is None or bool(self.gate(here, there))

    def _count_blocked(self, here: int, there: int) -> int:
        """Return 1 for a blocked step, else 0."""
        return 0 if self._may_step(here, there) else 1

    def _step_function(self, ask: graph.Ask | None) -> Callable[[int, int], Value] | None:
        """Return the function of two hexes that a question about a step denotes."""
        if ask is None:
            return None
        answers, state = self.explainer.answers, self.explainer.state
        return lambda here, there: answers.ask(state, ask.term, self._step_arguments(ask, here, there)).value

    def _step_arguments(self, ask: graph.Ask, here: int, there: int) -> tuple[Value, ...]:
        """Return the arguments of a question about one step."""
        return tuple(
            here if each == graph.FROM else there if each == graph.TO else self.explainer.value(each)
            for each in ask.arguments
        )
