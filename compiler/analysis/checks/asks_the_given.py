"""Lines of examples that ask a question whose answer a line `given` of the same example states: no rule answers it."""

from collections.abc import Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import AsksTheGiven
from compiler.analysis.parties import Party
from runtime.graph import nodes as graph


def asks_the_given(stack: graph.Graph) -> Iterator[AsksTheGiven]:
    """Find such lines; the rules of the question could answer anything, and the example would pass."""
    writer = ExpressionWriter(stack.vocabulary)
    for example in stack.examples:
        given = {(line.term, line.arguments) for line in example.lines if isinstance(line, graph.Given)}
        for line in example.lines if given else ():
            if isinstance(line, graph.Check):
                match line.question:
                    case graph.Ask(term, arguments) if (term, arguments) in given:
                        yield AsksTheGiven(Party(example.title, "", (), line.origin), writer.text(line.question))
