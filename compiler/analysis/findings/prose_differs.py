"""Rules whose sentence has another number or the opposite of their law.

In: a stack. Out: findings. The sentence is what people read and the law what counts; a change of one of them may miss
the other. Only numbers and denials are compared, as all other words have too many ways to say the same: what else holds
a sentence to its law are the checksums of a package (rulewright/checks/revisions/checksums.py).
"""

from collections.abc import Iterator

from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.analysis.prose_denials import contrary_permission
from compiler.analysis.prose_numbers import differing_number
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence, backquoted
from runtime.graph import nodes as graph


@finding("R0541", "prose-differs", WARNING)
class ProseDiffers(Finding):
    """The sentence of a rule has `stated`, its law (or `counterpart`) `written`: another number, or the opposite."""

    rule: Party
    stated: str
    written: str
    counterpart: str = "law"

    def sentence(self) -> Sentence:
        message = (
            f"the sentence of `{self.rule.label}` says {backquoted(self.stated)}, but its {self.counterpart} says "
            f"{backquoted(self.written)}"
        )
        advice = "correct one of the two, or reword the sentence"
        return Sentence(message, (party_label(self.rule),), advice)


@check_of_stack
def prose_differs(stack: graph.Graph, file: str = "") -> Iterator[ProseDiffers]:
    """Find rules whose sentence contradicts their law: of the stack, or those that a file contains, such as a card."""
    writer = ExpressionWriter(stack.vocabulary)
    for rule in stack.rules.values():
        if file not in {"", rule.origin.file}:
            continue
        different = differing_number(rule, writer) or contrary_permission(rule, stack)
        if different is not None:
            yield ProseDiffers(writer.rule_party(rule), *different)
