"""What the rules of a term say and when, in one spelling, so that rules can be told alike."""

from typing import NamedTuple

from compiler.analysis.normal import normal, with_names
from compiler.analysis.proofs import Desk
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph


class Saying(NamedTuple):
    """Verb and value of a conclusion, the guard, and whom the rule defeats."""

    verb: str
    value: str | None
    guard: str | None
    defeats: frozenset[str]


def saying(rule: graph.Rule, writer: Writer) -> Saying:
    """Write down what a rule says."""
    names = with_names(rule, {})
    value, guard = (None if part is None else writer.text(normal(part, names)) for part in (rule.value, rule.guard))
    return Saying(rule.verb, value, guard, frozenset(rule.defeats))


def own_rules(desk: Desk) -> list[graph.Rule]:
    """List the rules written on this term, as they stand in the files."""
    own = (rule for rule in desk.rules if rule.terms[0] == desk.term.name)
    return sorted(own, key=lambda rule: (rule.origin.file, rule.origin.line, rule.origin.column))
