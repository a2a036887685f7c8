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
from typing import Protocol

from runtime.answer.answer import Answer
from runtime.answer.dependency_analysis import grounds_of
from runtime.answer.specialization import special_of
from runtime.graph import nodes as graph
from runtime.graph.free import binds, filled, free
from runtime.graph.type_of import type_of
from runtime.play.course import Names
from runtime.state.memory import MANY, MANY_SETS, Question, anything
from runtime.state.position import OUTSIDE, State
from runtime.state.record import Value

UNKNOWN = object()

# Members asked about one by one; of more, the whole set is made anew.
MOST_DOUBTS = 12

# What an expression must cost to be worth remembering until something happens.
WORTH = 1_200

# Questions after which it is settled whether memory served at least one in so many, and questions until that is tried
# again: other players ask other things.
TRIAL, SELDOM, PAUSE = 200, 16, 2_000

Asking = Callable[[State, Names], Value]
Streaming = Callable[[State, Names], Iterator[Value]]


class Evaluator(Protocol):
    """What play needs to know of answers: the interpreter and generated code both have it."""

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression with names bound."""

    def asking(self, expr: graph.Expr) -> Asking:
        """Give the function that evaluates an expression, for who evaluates it again and again."""

    def streaming(self, expr: graph.Expr) -> Streaming:
        """Give the function that passes over a set in its order, working out no more of it than is taken."""

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term, and say which rules spoke."""

    def price(self, expr: graph.Expr) -> int:
        """Count roughly how many steps it takes to work an expression out; few of them are taken in most positions."""


class MemoEntry:
    """An expression, what its answers are remembered under, how to read the names that it uses, and what it sifts.

    `ask` answers it, in the way that is found out when somebody first does. Whether remembering pays is tried out: what
    is hardly ever asked twice between the events that change it is not remembered for a while.
    """

    __slots__ = (
        "_left", "_pausing", "_recall", "_remembered", "_served", "_stream", "_work_out", "ask", "expr", "learned",
        "question", "used",
    )  # fmt: skip

    def __init__(self, recall: "Recall", expr: graph.Expr) -> None:
        """Know nothing of the expression yet."""
        self._recall = recall
        self.expr = expr
        self.learned = False
        self.ask: Asking = self._first
        self.question = Question()
        self.used: Callable[[Names], Value] = no_names
        self._work_out: Asking = self._first
        self._remembered: Asking = self._first
        self._stream: Streaming = self._first_stream
        # Questions until the trial ends, or until the next begins; 0: remembered for good; below: never.
        self._left = 0
        self._served = 0  # Those that memory has served.
        self._pausing = False

    def _first(self, state: State, names: Names) -> Value:
        self.learn()
        return self.ask(state, names)

    def _first_stream(self, state: State, names: Names) -> Iterator[Value]:
        self._stream = self._recall.evaluator.streaming(self.expr)
        return self._stream(state, names)

    def learn(self) -> None:
        """Find out what the expression rests on and which names it uses."""
        self.learned = True
        recall, expr = self._recall, self.expr
        used = tuple(sorted(free(expr)))
        self.used = itemgetter(*used) if used else no_names
        self.ask = self._work_out = recall.evaluator.asking(expr)
        if recall.is_cheap(expr):
            self._left, self._pausing = -1, True
            return  # Worked out as soon as it would be remembered.
        sifts = sifting(expr, recall.rules)
        if sifts is not None:
            self._work_out = recall.evaluator.asking(sifts)
        match sifts and recall.special.of(sifts):
            case graph.Fold() as less:
                rests = recall.grounds.of_members(less, used)
            case _:
                rests = recall.grounds.of(recall.special.of(expr), used)
        self.question = Question(rests, MANY if sifts is None else MANY_SETS)
        if sifts is None:
            self._remembered = remembering(self.question, self.used, self._work_out)
        else:
            self._remembered = mending(self.question, self.used, self._work_out, MemberFilter(recall, sifts))
        self.ask = self._remembered
        if rests is not anything:  # Records that are made have to be the same until something happens.
            self._begin_trial()

    def _begin_trial(self) -> None:
        self._left, self._served, self._pausing = TRIAL, 0, False
        self.ask = self._on_trial

    def _on_trial(self, state: State, names: Names) -> Value:
        self._try_out(state, names)
        return self._remembered(state, names)

    def _try_out(self, state: State, names: Names) -> None:
        """Note whether memory serves, and settle after some time whether it does so often enough."""
        memory, key = state.answers[self.question], self.used(names)
        self._served += key in memory or key in memory.doubtful
        self._left -= 1
        if not self._left and self._served * SELDOM < TRIAL:
            self._left, self._pausing = PAUSE, True
            self.ask = self._in_pause
        elif not self._left:
            self.ask = self._remembered

    def _in_pause(self, state: State, names: Names) -> Value:
        self._left -= 1
        if not self._left:
            self._begin_trial()
        return self._work_out(state, names)

    def at_hand(self, state: State, names: Names) -> Value:
        """Answer if that is remembered, or a set but for some members; else it is `UNKNOWN`."""
        if not self.learned:
            self.learn()
        if self._left:
            if self._pausing:
                self._left -= 1
                if not self._left:
                    self._begin_trial()
                return UNKNOWN
            self._try_out(state, names)
        memory = state.answers[self.question]
        key = self.used(names)
        value = memory.get(key, UNKNOWN)
        return self._remembered(state, names) if value is UNKNOWN and key in memory.doubtful else value

    def passing(self, state: State, names: Names) -> Iterator[Value]:
        """Give the members of a set no further than they are taken; whoever takes them all need not ask again."""
        stream = self._stream(state, names)
        return stream if self._pausing else self._taken(state, self.used(names), stream)

    def _taken(self, state: State, key: Value, stream: Iterator[Value]) -> Iterator[Value]:
        found: list[Value] = []
        for member in stream:
            found.append(member)
            yield member
        state.answers[self.question].keep(state, key, tuple(found))


def remembering(question: Question, used: Callable[[Names], Value], work_out: Asking) -> Asking:
    """Answer from memory, or work out what is not there."""

    def ask(state: State, names: Names) -> Value:
        memory = state.answers[question]
        key = used(names)
        value = memory.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = work_out(state, names)
            if memory.leads:
                memory.keep(state, key, value)
            else:
                memory[key] = value
        return value

    return ask


def mending(question: Question, used: Callable[[Names], Value], work_out: Asking, sieve: "MemberFilter") -> Asking:
    """Answer from memory; of a set that is known but for some members, ask about those alone."""

    def ask(state: State, names: Names) -> Value:
        memory = state.answers[question]
        key = used(names)
        value = memory.get(key, UNKNOWN)
        if value is not UNKNOWN:
            return value
        doubts = memory.doubts(key) if memory.doubtful else None
        if doubts is not None and len(doubts[1]) <= MOST_DOUBTS:
            value = sieve.mended(state, doubts[0], doubts[1], names)
        else:
            value = work_out(state, names)
        return memory.keep(state, key, value)

    return ask


class MemberFilter:
    """Says of single members whether they pass."""

    __slots__ = ("is_there", "passes", "var")

    def __init__(self, recall: "Recall", made: graph.Fold) -> None:
        """Prepare to ask who belongs to what is sifted, and who of those passes."""
        self.var = made.var
        self.is_there = belonging(recall, made.source)
        self.passes = None if made.where is None else recall.evaluator.asking(made.where)

    def mended(self, state: State, value: tuple[int, ...], doubted: Iterable[int], names: Names) -> tuple[int, ...]:
        """Ask of the members that are doubted whether they belong to a set, and leave the others as they are."""
        bound = dict(names)
        come: list[int] = []
        gone: list[int] = []
        for member in doubted:
            bound[self.var] = member
            passes = self.is_there(state, member, names) and (self.passes is None or self.passes(state, bound))
            if passes != (member in value):
                (come if passes else gone).append(member)
        if not come and not gone:
            return value
        return tuple(sorted([*(member for member in value if member not in gone), *come]))


def belonging(recall: "Recall", source: graph.Expr) -> Callable[[State, int, Names], bool]:
    """Say how to tell whether somebody belongs to what is sifted."""
    match source:
        case graph.Pieces(kinds, None):
            return lambda state, member, _: state.hex[member] >= 0 and (not kinds or state.kind[member] in kinds)
        case graph.Op("reserve", kinds):
            named = [kind.name for kind in kinds if isinstance(kind, graph.Member)]
            return lambda state, member, _: state.hex[member] in OUTSIDE and (not named or state.kind[member] in named)
        case _:
            known = recall.of(source)
            return lambda state, member, names: member in known.ask(state, names)


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
        self.known: dict[int, MemoEntry] = {}

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression, or remember what it was."""
        return (self.known.get(id(expr)) or self.of(expr)).ask(state, names)

    def is_cheap(self, expr: graph.Expr) -> bool:
        """Say whether an expression is worked out sooner than remembered: held against events, and let go again.

        What a term answers is asked for in many places, and records have to be the same until something happens.
        """
        if isinstance(expr, graph.Ask) or self.reads.makes_newly(expr):
            return False
        return self.evaluator.price(expr) < WORTH

    def of(self, expr: graph.Expr) -> MemoEntry:
        """Say what is known of an expression."""
        known = self.known.get(id(expr))
        if known is None:
            known = self.known[id(expr)] = MemoEntry(self, expr)
        return known


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
