"""An exception that never changes an answer: its targets are never live beside it, or say the same.

An exception that grants what is otherwise refused changes something by itself and is not looked at.
Dead rules have their own finding, and so has an exception to nothing but dead rules: theirs.
"""

from collections.abc import Iterator

from compiler.analysis.problems import IdleOverride, Problem
from compiler.analysis.proofs import Desk
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph


def idle_override(desk: Desk) -> Iterator[Problem]:
    """Find exceptions on a term without which all its answers would be the same."""
    stack = desk.laws.stack
    writer = Writer(stack.vocabulary)
    for rule in desk.rules:
        if rule.label not in desk.idle or rule.terms != (desk.term.name,) or _speaks_for_itself(rule, desk.term):
            continue
        targets = [desk.guards[label] for label in rule.defeats if label in desk.guards]
        if targets and all(desk.thinkable(guard) is None for guard in targets):
            continue
        if desk.thinkable(desk.live[rule.label]) is not None and desk.thinkable(desk.idle[rule.label]) is None:
            yield IdleOverride(writer.party(rule), tuple(writer.party(stack.rules[label]) for label in rule.defeats))


def _speaks_for_itself(rule: graph.Rule, term: graph.Term) -> bool:
    """Tell whether the conclusion counts even where there is nothing to defeat."""
    if term.form in {"verdict", "condition"}:
        return rule.verb in ({"forbids", "fails"} if term.default else {"allows", "holds", "forbids", "fails"})
    return term.form in {"sum", "min", "max", "set", "flag"} and bool(rule.verb)
