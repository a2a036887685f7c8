"""Rules and charts that cite no source, and rules without a sentence.

`[house]` is a source: it marks technical rules of the layer's author; a layer may declare it once, for all it contains.
A definition needs no sentence, as its name and reading are one; the rules of a ruling have its question and answer.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Label, Sentence, backquoted, origin_label
from runtime.graph import nodes as graph
from runtime.graph.printed_cites import HOUSE


@finding("R0515", "uncited-rule", WARNING)
class UncitedRule(Finding):
    """A rule cites no source, not even `house`."""

    rule: Party

    def sentence(self) -> Sentence:
        labels: tuple[Label, ...] = (origin_label(self.rule.origin, backquoted(self.rule.label)),)
        advice = (
            "write `cites: DOC.CHART` below its name, or `cites: house` if it is your own"
            if self.rule.origin.file.endswith(".yaml")
            else "write `[DOC.SECTION.04]` after its label, or `[house]` if it is your own"
        )
        return Sentence(f"`{self.rule.label}` cites no source", labels, advice, root=f"uncited {self.rule.origin.file}")


@finding("R0516", "no-prose", WARNING)
class RuleWithoutProse(Finding):
    """A rule has no sentence."""

    rule: Party

    def sentence(self) -> Sentence:
        message = f"`{self.rule.label}` has no sentence that says what it means"
        labels = (origin_label(self.rule.origin, backquoted(self.rule.label)),)
        advice = "write one in quotes after its citation"
        return Sentence(message, labels, advice, root=f"no prose {self.rule.origin.file}")


@check_of_stack
def uncited_rule(stack: graph.Graph) -> Iterator[UncitedRule | RuleWithoutProse]:
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
