"""One argument for two parameters of a question or a resolution, where every other call has two different ones.

In: a stack. Out: suspects. `may_enter(u, to, to)` asks about a step that is none: of `u.hex` and `to` one was
forgotten. Numbers, names of lists and other constants are not compared, and one other call at least has to differ.
"""

from collections.abc import Iterator

from compiler.analysis.call_sites import calls_with_like_parameters
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import RepeatedArgument
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph


def repeated_argument(stack: graph.Graph) -> Iterator[Problem]:
    """Find such calls."""
    writer = ExpressionWriter(stack.vocabulary)
    for calls in calls_with_like_parameters(stack):
        for first, second in calls.pairs:
            repeating = [site for site in calls.sites if site.called.arguments[first] == site.called.arguments[second]]
            if len(repeating) != 1 or len(calls.sites) == 1:
                continue
            [site] = repeating
            argument = site.called.arguments[first]
            if not isinstance(argument, graph.LiteralExpr):
                written = writer.text(graph.Ask(site.callee, site.called.arguments))
                names = calls.names[first], calls.names[second]
                yield RepeatedArgument(site.caller, written, writer.text(argument), names)
