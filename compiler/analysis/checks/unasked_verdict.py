"""A verdict that nothing in play asks: its rules allow or forbid something, and whatever is done is done without them.

Asked is what a step of a procedure asks, a precondition, a fact that always holds, the end of a relation or who has
won, and what the rules of all these ask. A precondition `at the table` says that players see to it themselves. Rules
without a sequence of play are for others to ask.
"""

from collections.abc import Iterator

from compiler.analysis.duties import UnaskedVerdict
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.steps import all_steps, asked_by, asked_by_rule
from compiler.analysis.usage import is_whole_game
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def unasked_verdict(stack: graph.Graph) -> Iterator[Problem]:
    """Find them; of those that only another such verdict asks, it is told of that one."""
    if not is_whole_game(stack):
        return
    asked = _reached(_roots(stack), stack)
    idle = [each for each in stack.terms.values() if each.form == "verdict" and each.rules and each.name not in asked]
    inner = frozenset(name for each in idle for name in _asked_by_term(each, stack) if name != each.name)
    for term in idle:
        if term.name not in inner:
            yield UnaskedVerdict(Party(term.name, "", term.cites, term.origin), len(term.rules))


def _roots(stack: graph.Graph) -> frozenset[str]:
    """Name the terms that play asks by itself."""
    exprs: list[graph.Expr] = [expr for step in all_steps(stack) for expr in asked_by(step)]
    exprs += [fact.condition for fact in stack.always]
    exprs += [each.ends for each in stack.vocabulary.relations.values() if each.ends is not None]
    for each in stack.preconditions:
        exprs += [each.needs] if each.condition is None else [each.needs, each.condition]
    return frozenset(name for expr in exprs for name in _asked(expr)) | {stack.outcome}


def _reached(roots: frozenset[str], stack: graph.Graph) -> frozenset[str]:
    """Name what is asked, directly or by way of rules."""
    found, todo = set(roots), list(roots)
    while todo:
        term = stack.terms.get(todo.pop())
        new = _asked_by_term(term, stack) - found if term is not None else frozenset()
        found |= new
        todo += new
    return frozenset(found)


def _asked_by_term(term: graph.Term, stack: graph.Graph) -> frozenset[str]:
    """Name the terms that the rules of a term ask."""
    exprs = [expr for label in term.rules for expr in asked_by_rule(stack.rules[label])]
    exprs += [term.otherwise] if term.otherwise is not None else []
    return frozenset(name for expr in exprs for name in _asked(expr))


def _asked(node: object) -> frozenset[str]:
    """Name the terms in an expression; traits, features and statuses may have rules of their own."""
    asked = {each.term for each in walk(node) if isinstance(each, graph.Ask)}
    return frozenset(asked | {f"{each.owner}.{each.name}" for each in walk(node) if isinstance(each, graph.Test)})
