"""Two arguments of a question or a resolution in each other's place.

In: a stack. Out: suspects. Two parameters have the same type, so types do not tell the arguments apart; names do. It is
sufficient that one of these holds:

- each of the two is a name, or a field, that is called as the parameter of the other one;
- the goal of a move stands in the place of another parameter, and where the piece is in its own;
- all other calls, two at least, have such arguments the other way round: both by the names of their last words, or one
  that is a field of another argument, as `u.hex` beside `u`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from compiler.analysis.call_sites import CallSite, CallSites, calls_with_like_parameters
from compiler.analysis.checks import check_of_stack
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.parties import Party, party_label
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph


@finding("R0573", "arguments-exchanged", WARNING)
class ArgumentsExchanged(Finding):
    """`caller` exchanges two arguments that are called as each other's parameters, `names`.

    `written` is the question or the call of a resolution, `corrected` the same with these arguments in order.
    """

    caller: Party
    written: str
    corrected: str
    names: tuple[str, str]

    def sentence(self) -> Sentence:
        first, second = self.names
        message = f"`{self.caller.label}` seems to exchange `{first}` and `{second}` in `{self.written}`"
        labels = (party_label(self.caller, f"the parameters are `{first}` and then `{second}`"),)
        advice = f"write `{self.corrected}`, or rename what is passed if this is intended"
        return Sentence(message, labels, advice)


# The number of other calls that show where an argument stands.
_FEWEST_OTHER_CALLS = 2

# The last word of an argument, and, if it is a field of another argument, the place of that one.
ArgumentShape = tuple[str, int | None]


@check_of_stack
def arguments_exchanged(stack: graph.Graph) -> Iterator[ArgumentsExchanged]:
    """Find calls with two arguments that stand in each other's place."""
    writer = ExpressionWriter(stack.vocabulary)
    for calls in calls_with_like_parameters(stack):
        yield from _exchanged_in(calls, writer)


def _exchanged_in(calls: CallSites, writer: ExpressionWriter) -> Iterator[ArgumentsExchanged]:
    """Find such arguments among the calls of one question or resolution."""
    names = calls.names
    shapes_of_calls = [_shapes(call.called.arguments) for call in calls.sites]
    usual = Counter((index, shape) for shapes in shapes_of_calls for index, shape in enumerate(shapes) if shape)
    for call, shapes in zip(calls.sites, shapes_of_calls, strict=True):
        own_shapes = Counter((index, shape) for index, shape in enumerate(shapes) if shape)
        for first, second in calls.pairs:
            if (
                _are_named_crosswise(names, shapes, first, second)
                or _leads_back(call, names, first, second)
                or _leads_back(call, names, second, first)
                or _are_unusual(usual - own_shapes, shapes, first, second)
            ):
                arguments = list(call.called.arguments)
                arguments[first], arguments[second] = arguments[second], arguments[first]
                written, corrected = (
                    writer.text(graph.Ask(call.callee, tuple(each))) for each in (call.called.arguments, arguments)
                )
                yield ArgumentsExchanged(call.caller, written, corrected, (names[first], names[second]))
                break


def _shapes(arguments: Sequence[graph.Expr]) -> list[ArgumentShape | None]:
    shapes: list[ArgumentShape | None] = []
    for argument in arguments:
        match argument:
            case graph.Var(name):
                shapes.append((name, None))
            case graph.Get(base, name=name):
                shapes.append((name, arguments.index(base) if base in arguments else None))
            case _:
                shapes.append(None)
    return shapes


def _are_named_crosswise(names: Sequence[str], shapes: Sequence[ArgumentShape | None], first: int, second: int) -> bool:
    """Return whether two arguments are called as each other's parameters."""
    words = [shape[0] if shape else "" for shape in (shapes[first], shapes[second])]
    return words == [names[second], names[first]] and words[0] != words[1]


def _leads_back(call: CallSite, names: Sequence[str], goal: int, start: int) -> bool:
    """Return whether an argument called as the parameter `start` is the goal of a move, and that one its start."""
    arguments = call.called.arguments
    return isinstance(arguments[goal], graph.Var) and any(
        arguments[goal] == each.to == graph.Var(names[start])
        and arguments[start] == graph.Get(each.piece, "given", "piece", "hex")
        for each in call.moves
    )


def _are_unusual(
    usual: Counter[tuple[int, ArgumentShape]], shapes: Sequence[ArgumentShape | None], first: int, second: int
) -> bool:
    """Return whether all other calls have such arguments in each other's place."""
    exchanged_shapes = [
        shape is not None and usual[other, shape] >= _FEWEST_OTHER_CALLS and not usual[place, shape]
        for place, other in ((first, second), (second, first))
        for shape in (shapes[place],)
    ]
    is_field = [shape is not None and shape[1] is not None for shape in (shapes[first], shapes[second])]
    return all(exchanged_shapes) or any(a and b for a, b in zip(exchanged_shapes, is_field, strict=True))
