"""Facts of the scenario that an answer depends on: read by a question, or by rules and questions that it queries."""

from collections.abc import Callable, Iterable

from compiler.analysis.step_reads import expressions_of_rule
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.walk import walk

# The facts that every card sets: a card without them is rejected.
ALWAYS_GIVEN = frozenset({"scenario.turns", "scenario.order", "scenario.set_up"})
Reads = dict[str, graph.Rule | None]
RulePredicate = Callable[[graph.Rule], bool]


def never_inactive(_: graph.Rule) -> bool:
    """Return False: no rule is excluded."""
    return False


def facts_read(stack: graph.Graph, expressions: Iterable[graph.Expr], dead: RulePredicate = never_inactive) -> Reads:
    """Return the scenario's facts that expressions read, each with the rule that reads it.

    The value is None for the expression itself. Rules for which `dead` holds are excluded.
    """
    found: Reads = {}
    seen: set[str] = set()
    todo: list[tuple[graph.Expr, graph.Rule | None]] = [(expr, None) for expr in expressions]
    while todo:
        expr, reader = todo.pop(0)
        for part in walk(expr):
            match part:
                case graph.GameTrack("scenario", name) | graph.Has(_, "track", "scenario", name):
                    found.setdefault(f"scenario.{name}", reader)
                case graph.Ask(term) if term not in seen and term in stack.terms:
                    seen.add(term)
                    todo += _expressions_of(stack, stack.terms[term], dead)
    return {name: rule for name, rule in found.items() if name not in ALWAYS_GIVEN}


def _expressions_of(
    stack: graph.Graph, term: graph.Term, dead: RulePredicate
) -> list[tuple[graph.Expr, graph.Rule | None]]:
    """List the expressions that a term evaluates: of its rules, and its default, each with its rule."""
    found: list[tuple[graph.Expr, graph.Rule | None]] = []
    if term.otherwise is not None:
        found.append((term.otherwise, None))
    found += [
        (expr, rule) for rule in rules_of_term(stack, term) if not dead(rule) for expr in expressions_of_rule(rule)
    ]
    return found
