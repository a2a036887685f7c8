"""One argument for two parameters of a question or a resolution, where every other call has two different ones.

In: a stack. Out: suspects. `may_enter(u, to, to)` asks about a step that is none: of `u.hex` and `to` one was
forgotten. Numbers, names of lists and other constants are not compared, and one other call at least has to differ.
"""

from collections.abc import Iterator

from compiler.analysis.call_sites import calls_with_like_parameters
from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0569", "repeated-argument", WARNING)
class RepeatedArgument(Finding):
    """`caller` gives one `argument` for two parameters, `names`, in the call `written`; all others give two."""

    caller: Party
    written: str
    argument: str
    names: tuple[str, str]

    def sentence(self) -> Sentence:
        first, second = self.names
        message = f"`{self.caller.label}` gives `{self.argument}` for both `{first}` and `{second}` in `{self.written}`"
        advice = "correct one of the two, or name the value first if this is intended, with `let same = ..`"
        return Sentence(message, (party_label(self.caller, "all other calls give two different values"),), advice)


@check_of_stack
def repeated_argument(stack: graph.Graph) -> Iterator[RepeatedArgument]:
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
