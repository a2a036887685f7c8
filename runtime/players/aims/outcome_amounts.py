"""The numbers on which an outcome or a declared aim hangs, found in the rules of its question.

In: a graph, the term of its outcome or of an aim, and its sides. Out: `OutcomeAmount`s. The rules of the question,
and of the questions that they ask, are read with the side in place of the parameter: a comparison yields the
difference of its sides, a quantifier over a set the number of members that satisfy it, a track itself. What depends
on a variable of a loop, or on a question that is asked about one, is part of the number around it. Nothing is known
here of what is counted; the probes (position_probe.py) find out what changes it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.conjuncts import conjunction, conjuncts
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import SetValue
from runtime.graph.free_names import free_names, substitute
from runtime.graph.operators import COMPARISONS
from runtime.graph.predeclared_types import SIDE
from runtime.graph.walk import children, walk

PLAIN = ""  # The comparison of an amount that counts as it is: the more, the better for one side.
PART = "part"  # That of a track which counts as part of a difference: only what accrues to it is wanted.


class OutcomeAmount(NamedTuple):
    """A number on which an outcome hangs; `comparison` is how it is compared with 0, `PLAIN` or `PART`."""

    value: graph.Expr
    comparison: str

    def holds(self, number: float) -> bool:
        """Return whether the comparison holds for a value of the amount."""
        return {
            ">=": number >= 0, ">": number > 0, "<=": number <= 0, "<": number < 0, "=": number == 0, "!=": number != 0,
        }[self.comparison]  # fmt: skip


def aim_terms(rules: graph.Graph) -> tuple[str, ...]:
    """Return the terms that say what sides want: declared aims, and the outcome unless one of them replaces it."""
    declared = tuple(aim.term for aim in rules.aims if aim.term)
    is_replaced = not rules.outcome or any(aim.replaces_outcome for aim in rules.aims)
    return declared if is_replaced else (*declared, rules.outcome)


def side_question(term: str, side: str) -> graph.Ask:
    """Return the question about the outcome, or about an aim, of a side."""
    return graph.Ask(term, (graph.Member(SIDE.name, side),))


def amounts_of_term(rules: graph.Graph, term: str, sides: tuple[str, ...]) -> tuple[OutcomeAmount, ...]:
    """Return the numbers on which the outcomes or aims of sides hang, each once, in the order of the rules."""
    reader = _OutcomeReader(rules)
    found: dict[OutcomeAmount, None] = {}
    for side in sides:
        found.update(dict.fromkeys(reader.amounts(side_question(term, side), is_compared=False)))
    return tuple(amount for amount in found if not free_names(amount.value))


def accruing_amounts(rules: graph.Graph, track: OutcomeAmount) -> Iterator[OutcomeAmount]:
    """Yield what is added to a track outside of actions, such as the income of a turn."""
    read = track.value
    if not isinstance(read, graph.Get) or read.what != "track":
        return
    for key, procedure in rules.procedures.items():
        if key.startswith("action:"):
            continue
        for effect in effects_in(procedure.body, SetValue):
            for summand in _summands_beside(effect.value, read):
                if not free_names(summand):
                    yield OutcomeAmount(summand, PLAIN)


def _summands_beside(assigned: graph.Expr, read: graph.Get) -> Iterator[graph.Expr]:
    """Yield what an assigned value adds to a track of a variable, with the owner of the track in place of that."""
    for node in walk(assigned):
        match node:
            case graph.Op("+", (graph.Get(graph.Var(variable), "track", owner, name), added)):
                if (owner, name) == (read.owner, read.name):
                    yield substitute(added, {variable: read.base})
            case _:
                pass


class _OutcomeReader:
    """A traversal of the rules behind a question."""

    def __init__(self, rules: graph.Graph) -> None:
        self.rules = rules
        self.read: set[tuple[graph.Expr, bool]] = set()

    def amounts(self, expr: graph.Expr, *, is_compared: bool) -> Iterator[OutcomeAmount]:
        """Yield the amounts in an expression; one that is compared counts only as part of the difference."""
        match expr:
            case graph.Op(comparison, (left, right)) if comparison in COMPARISONS:
                yield OutcomeAmount(graph.Op("-", (left, right)), comparison)
                yield from self.amounts(left, is_compared=True)
                yield from self.amounts(right, is_compared=True)
            case graph.Fold("every" | "some" | "none"):
                yield _counted(expr)
            case graph.Ask():
                if not free_names(expr) and (expr, is_compared) not in self.read:
                    self.read.add((expr, is_compared))
                    yield from self.amounts_of_term(expr, is_compared=is_compared)
            case graph.Get(_, "track") | graph.GameTrack():
                yield OutcomeAmount(expr, PART if is_compared else PLAIN)
            case graph.Fold("count" | "sum") if not is_compared:
                yield OutcomeAmount(expr, PLAIN)
            case graph.Fold():
                pass
            case _:
                for part in children(expr):
                    yield from self.amounts(part, is_compared=is_compared)

    def amounts_of_term(self, question: graph.Ask, *, is_compared: bool) -> Iterator[OutcomeAmount]:
        """Yield the amounts in the rules that answer a question, with its arguments in place of the parameters."""
        term = self.rules.terms[question.term]
        arguments = {
            parameter.name: value for parameter, value in zip(term.parameters, question.arguments, strict=True)
        }
        for rule in rules_of_term(self.rules, term):
            bindings = dict(arguments)
            for name, value in rule.names:
                bindings[name] = substitute(value, bindings)
            guard = substitute(rule.guard, bindings)
            if _is_excluded(guard):
                continue
            yield from self.amounts(guard, is_compared=False) if guard else ()
            yield from self.amounts(substitute(rule.value, bindings), is_compared=is_compared) if rule.value else ()
        if term.otherwise is not None:
            yield from self.amounts(substitute(term.otherwise, arguments), is_compared=is_compared)


def _is_excluded(guard: graph.Expr | None) -> bool:
    """Return whether a condition compares two different members, as that of a rule for another side does."""
    for condition in conjuncts(guard):
        match condition:
            case graph.Op("=", (graph.Member() as left, graph.Member() as right)) if left != right:
                return True
            case graph.Op("!=", (graph.Member() as left, graph.Member() as right)) if left == right:
                return True
            case _:
                pass
    return False


def _counted(fold: graph.Fold) -> OutcomeAmount:
    """Return the number of members behind a quantifier."""
    if fold.op == "every":
        among, tested = (fold.where, fold.body) if fold.body else (None, fold.where)
        all_members = graph.Fold("count", fold.var, fold.source, among, None, None)
        tested_members = graph.Fold("count", fold.var, fold.source, _both(among, tested), None, None)
        return OutcomeAmount(graph.Op("-", (tested_members, all_members)), ">=")
    members = graph.Fold("count", fold.var, fold.source, _both(fold.where, fold.body), None, None)
    return OutcomeAmount(members, ">" if fold.op == "some" else "<=")


def _both(first: graph.Expr | None, second: graph.Expr | None) -> graph.Expr | None:
    """Return the conjunction of two conditions that may be absent."""
    return conjunction((*conjuncts(first), *conjuncts(second)))
