"""Two rules that say the same, under the same condition, against the same targets.

In a sum they count twice. Elsewhere one of them is a ruling that should say `clarifies`.
"""

from collections.abc import Iterator

from compiler.analysis.normal import normal, with_names
from compiler.analysis.problems import DuplicateRule, Problem
from compiler.analysis.proofs import Desk
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph


def duplicate_rule(desk: Desk) -> Iterator[Problem]:
    """Find rules of a term that repeat an earlier one."""
    writer = Writer(desk.laws.stack.vocabulary)
    seen: dict[tuple[object, ...], graph.Rule] = {}
    for rule in sorted(desk.rules, key=lambda rule: (rule.origin.file, rule.origin.line, rule.origin.column)):
        if rule.terms[0] != desk.term.name:
            continue
        names = with_names(rule, {})
        said = [None if part is None else writer.text(normal(part, names)) for part in (rule.value, rule.guard)]
        first = seen.setdefault((rule.verb, *said, frozenset(rule.defeats)), rule)
        if first is not rule:
            yield DuplicateRule(writer.party(rule), writer.party(first))
