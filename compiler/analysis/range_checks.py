"""A number that leaves the range declared where a procedure puts it.

In: a stack. Out: sinks that no position reaches without leaving the range, which is certain, and sinks where
the guards on the way do not exclude it, which takes a position to show. Amounts without ends (products,
counts) are held against their range when they are set: nothing is said of them here.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.facts import counters_of, facts_of
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.normal import conjunction, normal, with_names
from compiler.analysis.problems import Escape, Problem
from compiler.analysis.proofs import BY_CASES, Method, conditions
from compiler.analysis.ranged_writes import RangedWrite, Readings
from compiler.analysis.solve import in_words
from compiler.analysis.suspects import Question, Suspect
from compiler.analysis.told import told_by
from compiler.analysis.translate import both, no
from compiler.analysis.usage import looks_of, step_at
from compiler.analysis.vain import TooMuchToProve
from compiler.analysis.words import Writer, type_name
from runtime.graph import nodes as graph
from runtime.graph.frozen import dataclass
from runtime.graph.interval import Interval, interval_of

TERM, RULE = "escape", "it-leaves-its-range"


@dataclass(frozen=True, slots=True)
class RangeCheck:
    """One sink held against its range; `loose` if cases could not tell and nobody could reckon."""

    found: Problem | Suspect | None
    sink: RangedWrite
    loose: bool


@dataclass(frozen=True, slots=True)
class Escapes:
    """Numbers of a procedure that leave their range, for certain or maybe; `open`: those only arithmetic can settle."""

    known: tuple[Problem, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    open: tuple[str, ...] = ()


NONE = Escapes()


def escapes(laws: Laws, reading: Readings, arithmetic: Method | None, intervals: Intervals) -> Iterator[Escapes]:
    """Find numbers that leave their range, procedure by procedure."""

    def in_procedure(key: str) -> Escapes:
        sinks = [sink for sink in reading.of(key) if isinstance(sink, RangedWrite)]
        make = partial(_looked_at, laws, arithmetic=arithmetic, intervals=intervals)
        tried = [laws.recording.query("held", sink, partial(make, sink), bool(arithmetic)) for sink in sinks]
        held = [each for each in tried if each is not None]
        suspects = tuple(each.found for each in held if isinstance(each.found, Suspect))
        known = tuple(each.found for each in held if each.found is not None and not isinstance(each.found, Suspect))
        left = tuple(each.sink.target for each in held if each.loose and not arithmetic)
        return Escapes(known, suspects, left)

    for key, procedure in laws.stack.procedures.items():
        yield laws.recording.prove("escapes", procedure, partial(in_procedure, key), (NONE,), key, bool(arithmetic))


def _looked_at(laws: Laws, sink: RangedWrite, *, arithmetic: Method | None, intervals: Intervals) -> RangeCheck | None:
    """Hold a sink against its range, by cases and, where these cannot tell, by reckoning; None if it always fits."""
    if _spanned(intervals, sink).inside(interval_of(sink.declared)):
        return None
    given = budget()
    try:
        with given:
            found, loose = _held(laws, sink, BY_CASES, intervals)
            if loose and arithmetic:
                found, loose = _held(laws, sink, arithmetic, intervals)
    except OutOfSteps:
        at = step_at(laws.stack.procedures[sink.key], sink.step)
        return RangeCheck(TooMuchToProve(*at, "step", len(sink.path.conditions), given.steps), sink, loose=False)
    return RangeCheck(found, sink, loose)


def _spanned(intervals: Intervals, sink: RangedWrite) -> Interval:
    """Bound what is put into a sink, whatever the position."""
    names = {part.name: interval_of(part.type) for part in sink.path.parameters}
    for name, value in sink.path.lets:
        names[name] = intervals.of(value, names)
    return intervals.of(sink.value, names)


def _held(laws: Laws, sink: RangedWrite, method: Method, intervals: Intervals) -> tuple[Problem | Suspect | None, bool]:
    """Prove what can be proved of a sink; also tell whether arithmetic could tell more."""
    question = question_of(laws.stack, sink)
    names = with_names(question.rule, {})
    translator = method.translator(laws, {part.name: part.type for part in sink.path.parameters}, intervals)
    known = told_by(tuple(normal(part, names) for part in sink.path.conditions))
    value = normal(sink.value, names)
    translator.unknowns.take_for(known)
    if not translator.bounded(value):
        return None, True
    reached = both(*(translator.formula(normal(part, names)) for part in sink.path.conditions))
    within = both(*(translator.compare(op, value, end) for op, end in _ends(sink.declared)))
    facts = facts_of(translator)
    counters = counters_of(translator)
    beyond = method.solve(translator.space, reached, no(within), *facts, *counters)
    loose = translator.loose or not isinstance(beyond, dict)
    if beyond is None:
        return None, False
    if isinstance(beyond, dict) and method.solve(translator.space, reached, within, *facts, *counters) is None:
        return escape_of(laws.stack, sink), False
    if sink.firm and method is not BY_CASES:
        beyond = method.solve(translator.space, reached, no(within), *translator.small(), *facts, *counters)
    if not sink.firm or beyond is None or (question.unshown and method is BY_CASES and loose):
        return (
            None,
            loose,
        )  # Cases that may not go together prove too little.
    exact = method is not BY_CASES and isinstance(beyond, dict)
    model = conditions(translator.unknowns, beyond) if exact and isinstance(beyond, dict) else ()
    return Suspect("escape", TERM, (), in_words(translator.space, beyond), question, model), loose


def question_of(stack: graph.Graph, sink: RangedWrite) -> Question:
    """Ask whether a sink is reached with a number outside its range, as a condition with one rule."""
    procedure = stack.procedures[sink.key]
    beyond = graph.Op("or", tuple(graph.Op(OPPOSITE[op], (sink.value, end)) for op, end in _ends(sink.declared)))
    outside = beyond if len(beyond.arguments) > 1 else beyond.arguments[0]
    guard = conjunction((*sink.path.conditions, outside))
    origin = procedure.origin
    rule = graph.Rule(RULE, (TERM,), "holds", None, sink.path.lets, guard, (), (), "", "", "", (), "", origin)
    term = graph.Term(
        name=TERM,
        form="condition",
        parameters=sink.path.parameters,
        type=graph.YesNo(),
        rules=(RULE,),
        default=False,
        otherwise=None,
        capped=None,
        reads="",
        denied="",
        cites=(),
        origin=origin,
    )
    looked = looks_of(sink.value, stack)
    unshown = any(thing.what == "track" and thing.name.startswith("side.") for thing in looked)
    return Question(term, rule, sink.key, sink.target, sink.path.rolled, sink.value, escape_of(stack, sink), unshown)


def escape_of(stack: graph.Graph, sink: RangedWrite) -> Escape:
    """Say what leaves which range."""
    procedure, value = stack.procedures[sink.key], Writer(stack.vocabulary).text(sink.value)
    return Escape(*step_at(procedure, sink.step), sink.target, type_name(sink.declared), value, (), None, always=True)


OPPOSITE = {">=": "<", "<=": ">"}


def _ends(declared: graph.Number) -> tuple[tuple[str, graph.Num], ...]:
    ends = ((">=", declared.low), ("<=", declared.high))
    return tuple((op, graph.Num(Fraction(end), declared.measure)) for op, end in ends if end is not None)
