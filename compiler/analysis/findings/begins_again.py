"""Rules on a later stage of a value that read what an earlier stage read, instead of the value of the previous stage.

A rule may start from another factor, or from none; one that reads the same factor most likely lacks `previous`, and
loses the effects of the stages in between.
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.stages import stage_before
from runtime.graph.walk import nodes_of


@finding("R0539", "begins-again", WARNING)
class BeginsAgain(Finding):
    """A rule on a later stage reads `factor`, as one on an earlier stage does, and not the value computed there."""

    rule: Party
    first: Party
    factor: str

    def sentence(self) -> Sentence:
        message = f"`{self.rule.label}` starts again from `{self.factor}`, so the earlier stages have no effect"
        advice = "write `previous` for the value of the earlier stage"
        return Sentence(message, (party_label(self.rule), party_label(self.first)), advice)


@check_of_stack
def begins_again(stack: graph.Graph) -> Iterator[BeginsAgain]:
    """Find rules on later stages that ignore the earlier ones."""
    writer = ExpressionWriter(stack.vocabulary)
    for term in stack.terms.values():
        earlier = tuple(_earlier_stages(term, stack))
        for rule in rules_of_term(stack, term) if earlier else ():
            reads = _read(rule)
            if rule.value is None or term.name not in rule.terms or _continues_stage(rule):
                continue
            for other in (stack.rules[label] for stage in earlier for label in stage.rules):
                if other.value is not None and (shared_reads := [each for each in _read(other) if each in reads]):
                    yield BeginsAgain(writer.rule_party(rule), writer.rule_party(other), writer.text(shared_reads[0]))
                    break


def _earlier_stages(term: graph.Term, stack: graph.Graph) -> Iterator[graph.Term]:
    """List the stages before a stage, the nearest first."""
    while name := stage_before(stack, term.name):
        term = stack.terms[name]
        yield term


def _continues_stage(rule: graph.Rule) -> bool:
    """Return whether a rule queries a stage of its own value."""
    stem = rule.terms[0].partition(".")[0]
    return any(node.term.startswith(f"{stem}.") for node in nodes_of(graph.Ask, (rule.value, rule.names)))


def _read(rule: graph.Rule) -> tuple[graph.Expr, ...]:
    """List the factors and tracks that the conclusion of a rule reads."""
    return tuple(
        node
        for node in nodes_of(graph.Get, (rule.value, rule.names))
        if node.what in {"printed", "track"} and isinstance(node.base, graph.Var)
    )
