"""Two arguments of a question or a resolution in each other's place.

In: a stack. Out: suspects. Two parameters have the same type, so types do not tell the arguments apart; names do. It is
sufficient that one of these holds:

- each of the two is a name, or a field, that is called as the parameter of the other one;
- the goal of a move stands in the place of another parameter, and where the piece is in its own;
- all other calls, two at least, have such arguments the other way round: both by the names of their last words, or one
  that is a field of another argument, as `u.hex` beside `u`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import ArgumentsExchanged
from compiler.analysis.parties import Party, named_party, procedure_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# The number of other calls that show where an argument stands.
FEWEST = 2

# The last word of an argument, and, if it is a field of another argument, the place of that one.
Shape = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a question or a resolution, in a procedure with these moves."""

    caller: Party
    called: graph.Ask | graph.Do
    moves: Sequence[graph.Move]


def arguments_exchanged(stack: graph.Graph) -> Iterator[Problem]:
    """Find calls with two arguments that stand in each other's place."""
    calls_by_callee: dict[tuple[type, str], dict[_Call, None]] = defaultdict(dict)
    for party, node in _parts(stack):
        moves = tuple(each for each in walk(node) if isinstance(each, graph.Move)) if isinstance(node, tuple) else ()
        for called in (each for each in walk(node) if isinstance(each, graph.Ask | graph.Do)):
            calls_by_callee[type(called), _callee(called)][_Call(party, called, moves)] = None
    writer = ExpressionWriter(stack.vocabulary)
    resolutions = {each.name: each for each in stack.procedures.values() if each.what == "resolution"}
    for (kind, name), calls in calls_by_callee.items():
        parameters = (stack.terms if kind is graph.Ask else resolutions)[name].parameters
        pairs = [
            (first, second)
            for first, second in combinations(range(len(parameters)), 2)
            if parameters[first].type == parameters[second].type
        ]
        yield from _exchanged_in(parameters, pairs, tuple(calls), writer) if pairs else ()


def _callee(called: graph.Ask | graph.Do) -> str:
    return called.term if isinstance(called, graph.Ask) else called.resolution


def _parts(stack: graph.Graph) -> Iterator[tuple[Party, object]]:
    """Yield the rules, terms, procedures and preconditions of a stack with what may call."""
    for rule in stack.rules.values():
        yield Party(rule.label, "", rule.cites, rule.origin), (rule.names, rule.guard, rule.value)
    for term in stack.terms.values():
        yield named_party(term), term.otherwise
    for procedure in stack.procedures.values():
        yield procedure_party(procedure), procedure.body
    for each in stack.preconditions:
        yield Party(each.label, "", each.cites, each.origin), (each.needs, each.condition)


def _exchanged_in(
    parameters: Sequence[graph.Parameter],
    pairs: Sequence[tuple[int, int]],
    calls: Sequence[_Call],
    writer: ExpressionWriter,
) -> Iterator[ArgumentsExchanged]:
    """Find such arguments among the calls of one question or resolution."""
    names = [each.name for each in parameters]
    shapes_of_calls = [_shapes(call.called.arguments) for call in calls]
    usual = Counter((place, shape) for shapes in shapes_of_calls for place, shape in enumerate(shapes) if shape)
    for call, shapes in zip(calls, shapes_of_calls, strict=True):
        own_shapes = Counter((place, shape) for place, shape in enumerate(shapes) if shape)
        for first, second in pairs:
            if (
                _are_named_crosswise(names, shapes, first, second)
                or _leads_back(call, names, first, second)
                or _leads_back(call, names, second, first)
                or _are_unusual(usual - own_shapes, shapes, first, second)
            ):
                arguments = list(call.called.arguments)
                arguments[first], arguments[second] = arguments[second], arguments[first]
                written, corrected = (
                    writer.text(graph.Ask(_callee(call.called), tuple(each)))
                    for each in (call.called.arguments, arguments)
                )
                yield ArgumentsExchanged(call.caller, written, corrected, (names[first], names[second]))
                break


def _shapes(arguments: Sequence[graph.Expr]) -> list[Shape | None]:
    shapes: list[Shape | None] = []
    for argument in arguments:
        match argument:
            case graph.Var(name):
                shapes.append((name, None))
            case graph.Get(base, name=name):
                shapes.append((name, arguments.index(base) if base in arguments else None))
            case _:
                shapes.append(None)
    return shapes


def _are_named_crosswise(names: Sequence[str], shapes: Sequence[Shape | None], first: int, second: int) -> bool:
    """Return whether two arguments are called as each other's parameters."""
    words = [shape[0] if shape else "" for shape in (shapes[first], shapes[second])]
    return words == [names[second], names[first]] and words[0] != words[1]


def _leads_back(call: _Call, names: Sequence[str], goal: int, start: int) -> bool:
    """Return whether an argument called as the parameter `start` is the goal of a move, and that one its start."""
    arguments = call.called.arguments
    return isinstance(arguments[goal], graph.Var) and any(
        arguments[goal] == each.to == graph.Var(names[start])
        and arguments[start] == graph.Get(each.subject, "given", "piece", "hex")
        for each in call.moves
    )


def _are_unusual(usual: Counter[tuple[int, Shape]], shapes: Sequence[Shape | None], first: int, second: int) -> bool:
    """Return whether all other calls have such arguments in each other's place."""
    exchanged_shapes = [
        shape is not None and usual[other, shape] >= FEWEST and not usual[place, shape]
        for place, other in ((first, second), (second, first))
        for shape in (shapes[place],)
    ]
    is_field = [shape is not None and shape[1] is not None for shape in (shapes[first], shapes[second])]
    return all(exchanged_shapes) or any(a and b for a, b in zip(exchanged_shapes, is_field, strict=True))
