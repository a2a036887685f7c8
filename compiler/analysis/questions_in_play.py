"""The questions that play queries, and the enumeration members that it passes to them.

In: a stack. Out: the expressions that play evaluates directly, and for each parameter of a term with an enumeration
type the members that may be passed: those written as arguments wherever the term is queried, and those passed on from a
parameter of another term, by a fixpoint. A computed, recorded or chosen argument may be any member.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.analysis.step_reads import all_steps, expressions_of_term, expressions_read
from runtime.graph import nodes as graph
from runtime.graph.call_graph import terms_queried
from runtime.graph.closure import transitive_closure
from runtime.graph.walk import walk

# A parameter: its term, and its name.
Place = tuple[str, str]
# The members that are passed; None: any member.
PassedArguments = Mapping[Place, frozenset[str] | None]


def _expressions_in_play(stack: graph.Graph) -> tuple[graph.Expr, ...]:
    """List the expressions that play evaluates directly: of steps, preconditions, invariants, and ends of relations.

    What a choice prefers is not among them: it guides players, and refuses nothing.
    """
    exprs: list[graph.Expr] = [
        expr for step in all_steps(stack) for expr in expressions_read(_without_preference(step))
    ]
    exprs += [fact.condition for fact in stack.always]
    exprs += [each.ends for each in stack.vocabulary.relations.values() if each.ends is not None]
    for each in stack.preconditions:
        exprs += [each.needs] if each.condition is None else [each.needs, each.condition]
    return tuple(exprs)


def _without_preference(step: graph.Step) -> graph.Step:
    return replace(step, preferring=None) if isinstance(step, graph.Choose) and step.preferring is not None else step


def terms_in(node: object) -> frozenset[str]:
    """Return the terms in an expression; traits, features and statuses count, as they may have rules."""
    return frozenset(terms_queried(node))


def terms_by_term(stack: graph.Graph) -> dict[str, frozenset[str]]:
    """Return, by term, those that its rules query directly."""
    return {name: terms_in(expressions_of_term(term, stack)) for name, term in stack.terms.items()}


def terms_reached(start: Iterable[str], inner: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return some terms and all that they query, by those that each queries directly."""
    return frozenset(transitive_closure(start, lambda name: inner.get(name, ())))


def passed_in_play(stack: graph.Graph) -> tuple[frozenset[str], PassedArguments]:
    """Return the terms that play queries, directly or transitively, and the members that it passes."""
    flow = _MemberFlow(stack)
    todo: list[str] = []
    for expr in _expressions_in_play(stack):
        todo += flow.read(expr, "")
    for name in {stack.outcome, *(aim.term for aim in stack.aims)} & stack.terms.keys():
        todo.append(name)
        flow.open_places |= {(name, part.name) for part in stack.terms[name].parameters}
    reached: set[str] = set()
    while todo:
        name = todo.pop()
        term = stack.terms.get(name)
        if term is None or name in reached:
            continue
        reached.add(name)
        for expr in expressions_of_term(term, stack):
            todo += flow.read(expr, name)
    return frozenset(reached), flow.fixpoint()


class _MemberFlow:
    """A data-flow analysis of the members that are passed to parameters."""

    def __init__(self, stack: graph.Graph) -> None:
        self.stack = stack
        self.members: dict[Place, set[str]] = defaultdict(set)
        self.open_places: set[Place] = set()
        self.forwarded_places: dict[Place, set[Place]] = defaultdict(set)

    def read(self, expr: graph.Expr, owner: str) -> frozenset[str]:
        """Record the arguments in an expression, of a rule of the term `owner` or ("") of play.

        Return the terms it queries.
        """
        for node in walk(expr):
            term = self.stack.terms.get(node.term) if isinstance(node, graph.Ask) else None
            if term is not None:
                for part, argument in zip(term.parameters, node.arguments, strict=True):
                    if isinstance(part.type, graph.Enum):
                        self.record_argument(argument, (term.name, part.name), owner)
        return terms_in(expr)

    def record_argument(self, argument: graph.Expr, place: Place, owner: str) -> None:
        """Record one argument."""
        parameter_names = {part.name for part in self.stack.terms[owner].parameters} if owner else set()
        match argument:
            case graph.Member(_, name):
                self.members[place].add(name)
            case graph.Var(name) if name in parameter_names:
                self.forwarded_places[owner, name].add(place)
            case graph.Op("if", (_, then, orelse)):
                self.record_argument(then, place, owner)
                self.record_argument(orelse, place, owner)
            case _:
                self.open_places.add(place)

    def fixpoint(self) -> PassedArguments:
        """Propagate members along parameters that are passed on, until nothing changes."""
        todo = [*self.members, *self.open_places]
        while todo:
            place = todo.pop()
            for other in self.forwarded_places.get(place, ()):
                before = len(self.members[other]), other in self.open_places
                self.members[other] |= self.members[place]
                self.open_places |= {other} if place in self.open_places else set()
                if before != (len(self.members[other]), other in self.open_places):
                    todo.append(other)
        places = {*self.members, *self.open_places}
        return {place: None if place in self.open_places else frozenset(self.members[place]) for place in places}
