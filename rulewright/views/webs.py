"""The web around the question or rule that is named."""

from compiler.format.web import LabeledGraph, rule_web, term_web, web_of_stack
from rulewright.errors import UsageError, advice
from runtime.graph import nodes as graph


def web_of(rules: graph.Graph, term: str | None, rule: str | None, depth: int) -> LabeledGraph:
    """Find the web around a term or a rule, or the whole one; refuse names that lead nowhere."""
    if term is not None and rule is not None:
        raise UsageError("one of --term and --rule is enough")
    if term is not None:
        if term not in rules.terms:
            raise UsageError(f"`{rules.stack}` has no term `{term}`; {advice(term, sorted(rules.terms))}")
        return term_web(rules, term, depth)
    if rule is not None:
        if rule not in rules.rules:
            raise UsageError(f"`{rules.stack}` has no rule `{rule}`; {advice(rule, sorted(rules.rules))}")
        return rule_web(rules, rule, depth)
    return web_of_stack(rules)
