"""The calls of questions and resolutions in a stack, by what they call.

In: a stack. Out: for each question or resolution with two parameters of one type the parameters, those pairs of them,
and the calls, each call of a caller once.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from compiler.analysis.parties import Party, labeled_party, named_party, procedure_party
from runtime.graph import nodes as graph
from runtime.graph.effects import effects_in
from runtime.graph.effects.primitives import MovePiece
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import walk


@frozen_dataclass
class CallSite:
    """A call of a question or a resolution, in a procedure with these moves."""

    caller: Party
    called: graph.Ask | graph.Do
    moves: Sequence[MovePiece[graph.Expr]]

    @property
    def callee(self) -> str:
        """Return the name of the question or the resolution."""
        return self.called.term if isinstance(self.called, graph.Ask) else self.called.resolution


@frozen_dataclass
class CallSites:
    """The calls of one question or resolution; `pairs` are the places of two parameters of one type."""

    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    sites: tuple[CallSite, ...]


def calls_with_like_parameters(stack: graph.Graph) -> Iterator[CallSites]:
    """Yield the calls of each question and resolution that has two parameters of one type."""
    sites: dict[tuple[type, str], dict[CallSite, None]] = defaultdict(dict)
    for party, node in _calling_parts(stack):
        moves = tuple(effects_in(node, MovePiece)) if isinstance(node, tuple) else ()
        for called in (each for each in walk(node) if isinstance(each, graph.Ask | graph.Do)):
            site = CallSite(party, called, moves)
            sites[type(called), site.callee][site] = None
    resolutions = {each.name: each for each in stack.procedures.values() if each.what == "resolution"}
    for (kind, name), found in sites.items():
        parameters = (stack.terms if kind is graph.Ask else resolutions)[name].parameters
        pairs = tuple(
            (first, second)
            for first, second in combinations(range(len(parameters)), 2)
            if parameters[first].type == parameters[second].type
        )
        if pairs:
            yield CallSites(tuple(each.name for each in parameters), pairs, tuple(found))


def _calling_parts(stack: graph.Graph) -> Iterator[tuple[Party, object]]:
    """Yield the rules, terms, procedures and preconditions of a stack with what may call."""
    for rule in stack.rules.values():
        yield labeled_party(rule), (rule.names, rule.guard, rule.value)
    for term in stack.terms.values():
        yield named_party(term), term.otherwise
    for procedure in stack.procedures.values():
        yield procedure_party(procedure), procedure.body
    for each in stack.preconditions:
        yield labeled_party(each), (each.needs, each.condition)
