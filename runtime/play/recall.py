"""Remember answers until something happens that they rest on.

In: an evaluator. Out: the same answers, worked out once until an event changes what they read. A player
who weighs an offer, then a first choice, then a second, looks at one position three times, the
search for legal completions asks much of it again for every candidate, and most events change little.
Expressions have no effects, so an answer depends on the position and on the names that it uses: the
names are the key, and the memory is the state's own (`State.answers`).

A record made by `let` is remembered too, so two looks at one candidate meet the same record.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple, Protocol

from runtime.answer.grounds import grounds_of
from runtime.answer.reads import Reads
from runtime.answer.special import special_of
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk
from runtime.play.course import Names
from runtime.state.memory import MANY, MANY_SETS, Memory, Question
from runtime.state.position import OUTSIDE, State
from runtime.state.record import Value

UNKNOWN = object()

# Members asked about one by one; of more, the whole set is made anew.
MOST_DOUBTS = 12


class Evaluator(Protocol):
    """What play needs to know of answers: the interpreter and generated code both have it."""

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression with names bound."""

    def stream(self, state: State, expr: graph.Expr, names: Names) -> Iterator[Value]:
        """Pass over a set in its order, working out no more of it than is taken."""


class Known(NamedTuple):
    """An expression, what its answers are remembered under, how to read the names that it uses, and what it sifts.

    What is `plain` is worked out as soon as it is remembered.
    """

    expr: graph.Expr
    question: Question
    used: Callable[[Names], Value]
    sifts: graph.Fold | None
    plain: bool


class Recall:
    """An evaluator with a memory. Expressions are known by identity; keeping them keeps that unique."""

    __slots__ = ("evaluator", "grounds", "known", "reads", "rules", "special")

    def __init__(self, evaluator: Evaluator, rules: graph.Graph) -> None:
        """Begin knowing nothing."""
        self.evaluator = evaluator
        self.rules = rules
        self.reads = grounds_of(rules).reads
        self.special = special_of(rules)
        self.grounds = grounds_of(self.special.rules)
        self.known: dict[int, Known] = {}

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression, or remember what it was."""
        known = self.known.get(id(expr)) or self.learn(expr)
        if known.plain:
            return self.evaluator.evaluate(state, expr, names)
        memory = state.answers[known.question]
        key = known.used(names)
        value = memory.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = memory.keep(state, key, self.work_out(state, known, memory, key, names))
        return value

    def work_out(self, state: State, known: Known, memory: Memory, key: Value, names: Names) -> Value:
        """Evaluate an expression; of a set that is known but for some members, only those are asked about."""
        doubts = memory.doubts(key) if memory.doubtful and known.sifts is not None else None
        if doubts is not None and known.sifts is not None and len(doubts[1]) <= MOST_DOUBTS:
            return self.sifted(state, known.sifts, doubts[0], doubts[1], dict(names))
        return self.evaluator.evaluate(state, known.expr, names)

    def sifted(self, state: State, made: graph.Fold, value: Value, doubted: Iterable[int], names: Names) -> Value:
        """Ask of the members that are doubted whether they belong to a set, and leave the others as they are."""
        members = set(value)
        for member in doubted:
            names[made.var] = member
            if self.among(state, made.source, member, names) and (
                made.where is None or self.evaluator.evaluate(state, made.where, names)
            ):
                members.add(member)
            else:
                members.discard(member)
        return tuple(sorted(members))

    def among(self, state: State, source: graph.Expr, member: int, names: Names) -> bool:
        """Say whether somebody belongs to what is sifted."""
        match source:
            case graph.Pieces(kinds, None):
                return state.hex[member] >= 0 and (not kinds or state.kind[member] in kinds)
            case graph.Op("reserve", kinds):
                named = [kind.name for kind in kinds if isinstance(kind, graph.Member)]
                return state.hex[member] in OUTSIDE and (not named or state.kind[member] in named)
            case _:
                return member in self.evaluate(state, source, names)

    def knows(self, state: State, expr: graph.Expr, names: Names) -> bool:
        """Say whether an expression is remembered, or a set but for some members."""
        known = self.known.get(id(expr)) or self.learn(expr)
        memory = state.answers[known.question]
        key = known.used(names)
        return key in memory or key in memory.doubtful

    def remember(self, state: State, expr: graph.Expr, names: Names, value: Value) -> None:
        """Take in what was worked out otherwise."""
        known = self.known.get(id(expr)) or self.learn(expr)
        state.answers[known.question].keep(state, known.used(names), value)

    def learn(self, expr: graph.Expr) -> Known:
        """Find out what an expression rests on and which names it uses."""
        used = tuple(sorted(free(expr)))
        sifts = sifting(expr, self.rules)
        match sifts and self.special.of(sifts):
            case graph.Fold() as less:
                rests = self.grounds.of_members(less, used)
            case _:
                rests = self.grounds.of(self.special.of(expr), used)
        reading = itemgetter(*used) if used else no_names
        known = self.known[id(expr)] = Known(
            expr, Question(rests, MANY if sifts is None else MANY_SETS), reading, sifts, is_plain(expr, self.reads)
        )
        return known


def is_plain(expr: graph.Expr, reads: Reads) -> bool:
    """Say whether an expression asks nothing, passes over nothing and makes nothing."""
    nodes = tuple(walk(expr))
    makes = any(isinstance(node, graph.Fold | graph.New | graph.Cell | graph.Pieces) for node in nodes)
    return not makes and not any(True for node in nodes for _ in reads.asked(node))


def sifting(expr: graph.Expr, rules: graph.Graph) -> graph.Fold | None:
    """Find the pass by which an expression sifts pieces or hexes out of a set, itself or as what it is short for."""
    match expr:
        case graph.Fold("gather", _, source, _, None):
            type_ = type_of(source, {}, rules)
            if expr.var in free(source) or not isinstance(type_, graph.Many) or type_.shape != "set":
                return None
            return expr if isinstance(type_.of, graph.Piece | graph.Hex) else None
        case graph.Ask(name, arguments):
            term = rules.terms[name]
            said = [rules.rules[label] for label in term.rules]
            if term.form != "value" or len(said) != 1 or said[0].guard is not None or said[0].names:
                return None
            given = dict(zip((parameter.name for parameter in term.parameters), arguments, strict=True))
            if binds(said[0].value) & (free(arguments) | given.keys()):
                return None
            made = filled(said[0].value, given)
            return sifting(made, rules) if isinstance(made, graph.Fold) else None
        case _:
            return None


def no_names(_: Names) -> Value:
    """Give the values of no names at all."""
    return ()
