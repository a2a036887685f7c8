"""Why something is in a set or not, and by which way one comes to a hex or where the way to it is shut.

In: a member and the expression of a set, or a search over the map, with whoever answers. Out: a clause with the values
at hand: "the cart's weight is 3, needs at most 2"; "by A, B, C"; "the way is shut from C to D, as R may not enter D".
The question behind a shut step is asked once more, so that whoever notes questions explains it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from runtime.answer.conditions import conjuncts, failing, holding
from runtime.answer.expressions import Environment
from runtime.answer.flags import Answers
from runtime.answer.saying import call, say
from runtime.board.search import cheapest_way, nearest, searched
from runtime.graph import nodes as graph
from runtime.graph.type_of import member_of, type_of
from runtime.graph.wording import Wording
from runtime.state.position import State
from runtime.state.record import Value


class Noting(Answers, Protocol):
    """Whoever answers, evaluates and notes what it is asked."""

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression with names bound."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is needed to tell of sets in one state: who answers, and a speaker for the names that are bound."""

    answers: Noting
    state: State
    names: Environment
    speaker: Wording
    of_term: Callable[[graph.Term, Environment], Wording]

    def value(self, expr: graph.Expr) -> Value:
        """Evaluate an expression."""
        return self.answers.evaluate(self.state, expr, self.names)

    def tell(self, expr: graph.Expr) -> str:
        """Say what an expression is worth."""
        return say(self.state, self.value(expr), type_of(expr, self.speaker.names, self.answers.graph))

    # Sets.

    def why(self, member: Value, source: graph.Expr) -> str:
        """Say why something is in a set or not, "" where nothing is known but that."""
        match source:
            case graph.Ask():
                inside = self.opened(source)
                return inside[0].why(member, inside[1]) if inside else ""
            case graph.Fold("gather", var, among, where, None):
                if member not in self.value(among):
                    return self.why(member, among)
                return self.sifted(member, var, among, where)
            case graph.Op("union", parts):
                return "; ".join(filter(None, (self.why(member, part) for part in parts)))
            case graph.Op("without", (kept, taken)):
                return self.why(member, kept if member not in self.value(kept) else taken)
            case graph.Search("reachable"):
                return self.way(source, (member,))
            case _:
                return ""

    def sifted(self, member: Value, var: str, among: graph.Expr, where: graph.Expr | None) -> str:
        """Say which condition a member of what is sifted fails, "" if none."""
        type_ = member_of(type_of(among, self.speaker.names, self.answers.graph))
        names = {**self.names, var: member}
        speaker = self.speaker.calling(var, call(self.state, member, type_), type_)
        inside = Told(self.answers, self.state, names, speaker, self.of_term)
        failed = next((part for part in conjuncts(where) if not inside.value(part)), None)
        return "" if failed is None else inside.failing(failed)

    def failing(self, condition: graph.Expr) -> str:
        """Word a condition that fails; of a set also why, of a way also where."""
        return " — ".join(filter(None, (failing(condition, self.speaker, self.tell), self.behind(condition))))

    def holding(self, condition: graph.Expr) -> str:
        """Word a condition that holds; of a way also which."""
        return " — ".join(filter(None, (holding(condition, self.speaker, self.tell), self.behind(condition))))

    def behind(self, condition: graph.Expr) -> str:
        """Say what stands behind a condition about a set or a way, whether it holds or not."""
        match condition:
            case graph.Op("not", (inner,)):
                return self.behind(inner)
            case graph.Op("in", (member, source)):
                return self.why(self.value(member), source)
            case graph.Ask():
                inside = self.opened(condition)
                return inside[0].behind(inside[1]) if inside else ""
            case graph.Op("and" | "or", parts):
                return "; ".join(filter(None, map(self.behind, parts)))
            case graph.Op(_, (left, right)):
                return self.along(left) or self.along(right)
            case _:
                return self.along(condition)

    def opened(self, asked: graph.Ask) -> "tuple[Told, graph.Expr] | None":
        """Look through a question that is short for an expression."""
        rules = self.answers.graph
        term = rules.terms[asked.term]
        said = [rules.rules[label] for label in term.rules]
        if term.form != "value" or len(said) != 1 or said[0].value is None or said[0].guard is not None:
            return None
        if said[0].names:
            return None
        names = {p.name: self.value(each) for p, each in zip(term.parameters, asked.arguments, strict=True)}
        return Told(self.answers, self.state, names, self.of_term(term, names), self.of_term), said[0].value

    # Ways.

    def along(self, expr: graph.Expr) -> str:
        """Say by which way one comes to the goal of a search, or where it is shut; "" of any other expression."""
        match expr:
            case graph.Ask():
                return self.behind(expr)
            case graph.Search(goal=goal) if goal is not None:
                return self.way(expr, tuple(self.value(goal)))
            case _:
                return ""

    def way(self, search: graph.Search, goal: tuple[int, ...]) -> str:
        """Say by which hexes the cheapest way to some hex of a goal leads, or what is in the way of it."""
        state, board = self.state, self.state.board
        start = tuple(self.value(search.start))
        gate, price = (self.asked(each) for each in (search.gate, search.price))
        found = searched(board, start, gate, price, None)
        if (end := nearest(found, goal)) is not None:
            by = ", ".join(board.names[h] for h in cheapest_way(found, goal))
            most = None if search.most is None else self.value(search.most)
            if most is not None and found[end].cost > most:
                type_ = type_of(replace(search, op="cheapest_cost"), self.speaker.names, self.answers.graph)
                return f"the cheapest way, {by}, costs {say(state, found[end].cost, type_)}"
            known = search.op == "cheapest_way" or found[end].before is None
            return "" if known else f"by {by}"
        shut = searched(board, start, None, lambda a, b: 0 if gate is None or gate(a, b) else 1, None)
        way = cheapest_way(shut, goal)
        steps = [(a, b) for a, b in pairwise(way) if gate is not None and not gate(a, b)]
        return "" if not steps or search.gate is None else self.shut(search.gate, steps[0])

    def asked(self, ask: graph.Ask | None) -> Callable[[int, int], Value] | None:
        """Make a function of a question about a step; nobody notes what a search asks on its way."""
        if ask is None:
            return None
        return lambda here, there: self.answers.ask_step(self.state, ask.term, self.of_step(ask, here, there)).value

    def of_step(self, ask: graph.Ask, here: int, there: int) -> tuple[Value, ...]:
        """Give the arguments of a question about one step."""
        return tuple(
            here if each == graph.FROM else there if each == graph.TO else self.value(each) for each in ask.arguments
        )

    def shut(self, ask: graph.Ask, step: tuple[int, int]) -> str:
        """Say which step of a way is shut, and have it noted why."""
        arguments = self.of_step(ask, *step)
        self.answers.ask(self.state, ask.term, arguments)
        parameters = self.answers.graph.terms[ask.term].parameters
        called = tuple(call(self.state, value, p.type) for p, value in zip(parameters, arguments, strict=True))
        here, there = (self.state.board.names[h] for h in step)
        return f"the way is shut from {here} to {there}, as {Wording(self.answers.graph).denied(ask.term, called)}"
