"""Rules and charts that cite no source, and rules without a sentence.

`[house]` is a source: it marks technical rules of the layer's author; a layer may declare it once, for all it contains.
A definition needs no sentence, as its name and reading are one; the rules of a ruling have its question and answer.
"""

from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import RuleWithoutProse, UncitedRule
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.layered.citations import HOUSE
from runtime.graph import nodes as graph


def uncited_rule(stack: graph.Graph) -> Iterator[Problem]:
    """Find rules and charts without citation, and rules without a sentence."""
    writer = ExpressionWriter(stack.vocabulary)
    house_layers = {layer.name for layer in stack.layers if layer.cites == (HOUSE,)}
    for table in stack.tables.values():
        if not all(row.cites for row in table.rows) and table.origin.layer not in house_layers:
            yield UncitedRule(Party(table.name, "", (), table.origin))
    for rule in stack.rules.values():
        if not rule.cites and rule.origin.layer not in house_layers:
            yield UncitedRule(writer.rule_party(rule))
        is_definition = rule.guard is None and rule.terms == (rule.label.replace("-", "_"),)
        if not rule.prose and not rule.ruling and not is_definition:
            yield RuleWithoutProse(writer.rule_party(rule))
