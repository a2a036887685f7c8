"""Two arguments of a question or a resolution in each other's place.

In: a stack. Out: suspects. Two parameters have the same type, and each of the two arguments is a name that is called
as the parameter of the other one. Types do not tell them apart; the names do. In a procedure that moves a piece, it is
sufficient that the goal of the move stands in the place of another parameter, and where the piece is in its own.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.omissions import ArgumentsExchanged
from compiler.analysis.parties import Party, procedure_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def arguments_exchanged(stack: graph.Graph) -> Iterator[Problem]:
    """Find calls with two arguments that are called as each other's parameters."""
    resolutions = {each.name: each for each in stack.procedures.values() if each.what == "resolution"}
    writer = ExpressionWriter(stack.vocabulary)
    for party, node in _parts(stack):
        moves = [each for each in walk(node) if isinstance(each, graph.Move)] if isinstance(node, tuple) else []
        for call in dict.fromkeys(each for each in walk(node) if isinstance(each, graph.Ask | graph.Do)):
            if isinstance(call, graph.Ask):
                name, parameters = call.term, stack.terms[call.term].parameters
            else:
                name, parameters = call.resolution, resolutions[call.resolution].parameters
            if places := _exchanged_places(parameters, call.arguments, moves):
                first, second = places
                corrected_arguments = list(call.arguments)
                corrected_arguments[first], corrected_arguments[second] = call.arguments[second], call.arguments[first]
                written = writer.text(graph.Ask(name, call.arguments))
                corrected = writer.text(graph.Ask(name, tuple(corrected_arguments)))
                names = parameters[first].name, parameters[second].name
                yield ArgumentsExchanged(party, written, corrected, names)


def _parts(stack: graph.Graph) -> Iterator[tuple[Party, object]]:
    """Yield the rules, terms, procedures and preconditions of a stack with what may call."""
    for rule in stack.rules.values():
        yield Party(rule.label, "", rule.cites, rule.origin), (rule.names, rule.guard, rule.value)
    for term in stack.terms.values():
        yield Party(term.name, "", term.cites, term.origin), term.otherwise
    for procedure in stack.procedures.values():
        yield procedure_party(procedure), procedure.body
    for each in stack.preconditions:
        yield Party(each.label, "", each.cites, each.origin), (each.needs, each.condition)


def _exchanged_places(
    parameters: Sequence[graph.Parameter], arguments: Sequence[graph.Expr], moves: Sequence[graph.Move]
) -> tuple[int, int] | None:
    """Return the places of two arguments that are called as each other's parameters; None without them."""
    names = [each.name if isinstance(each, graph.Var) else "" for each in arguments]
    for first, second in combinations(range(min(len(parameters), len(names))), 2):
        wanted = parameters[first].name, parameters[second].name
        if wanted == (names[second], names[first]) and wanted[0] != wanted[1]:
            return first, second
        for goal, start in ((first, second), (second, first)):
            same_type = parameters[goal].type == parameters[start].type
            if same_type and names[goal] == parameters[start].name and _leads_back(arguments, goal, start, moves):
                return first, second
    return None


def _leads_back(arguments: Sequence[graph.Expr], goal: int, start: int, moves: Sequence[graph.Move]) -> bool:
    """Return whether the two arguments are the goal of a move, and where its piece is."""
    return any(
        arguments[goal] == each.to and arguments[start] == graph.Get(each.subject, "given", "piece", "hex")
        for each in moves
    )
