"""A number that leaves the range declared where a procedure puts it.

In: a stack. Out: sinks that no position reaches without leaving the range, which is certain, and sinks where
the guards on the way do not exclude it, which takes a position to show. Amounts without ends (products,
counts) are held against their range when they are set: nothing is said of them here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Literal

from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.expression_text import Writer, type_name
from compiler.analysis.facts import counters_of, facts_of
from compiler.analysis.fractions import Fractions
from compiler.analysis.idle_code import TooMuchToProve
from compiler.analysis.integrality import IntegralityAnalysis
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.normal_form import conjunction, normalize, with_names
from compiler.analysis.parties import Party, StepPlace
from compiler.analysis.problems import Escape, Problem
from compiler.analysis.proofs import BY_CASES, ProofStrategy, assignment_conditions
from compiler.analysis.ranged_writes import ProcedureSummaries, RangedWrite
from compiler.analysis.readers_and_setters import looks_of, step_at
from compiler.analysis.rule_arguments import arguments_besides, arguments_of_term
from compiler.analysis.search_costs import within_budget
from compiler.analysis.solve import in_words
from compiler.analysis.stated_sides import stated_sides
from compiler.analysis.suspects import EscapeQuestion, Suspect
from compiler.analysis.translate import all_of, negation_of
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.interval import Interval, interval_of

TERM, RULE = "escape", "it-leaves-its-range"


@dataclass(frozen=True, slots=True)
class RangeCheck:
    """One sink held against its range; `inconclusive` if cases could not settle it and no solver was at hand."""

    finding: Problem | Suspect | None
    sink: RangedWrite
    inconclusive: bool


@dataclass(frozen=True, slots=True)
class RangeViolations:
    """Numbers of a procedure that leave their range, for certain or maybe; `open`: those only arithmetic can settle."""

    known: tuple[Problem, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    open: tuple[str, ...] = ()


NONE = RangeViolations()


def range_violations(
    laws: Laws,
    summaries: ProcedureSummaries,
    arithmetic: ProofStrategy | None,
    intervals: Intervals,
    fractions: Fractions,
) -> Iterator[RangeViolations]:
    """Find numbers that leave their range, procedure by procedure."""

    # What may be a fraction is found in the whole stack, so a proof rests on all of it.
    fractional = " ".join(sorted(":".join(slot) for slot in fractions.slots))

    def in_procedure(key: str) -> RangeViolations:
        sinks = [sink for sink in summaries.summary_of(key) if isinstance(sink, RangedWrite)]
        make = partial(_range_check, laws, arithmetic=arithmetic, intervals=intervals, fractions=fractions)
        tried = [
            laws.recording.query("held", sink, partial(make, sink), bool(arithmetic), fractional) for sink in sinks
        ]
        return _gathered([each for each in tried if each is not None], arithmetic)

    for key, procedure in laws.stack.procedures.items():
        make = partial(in_procedure, key)
        yield laws.recording.prove("escapes", procedure, make, (NONE,), key, bool(arithmetic), fractional)
    yield _checked(laws, arguments_besides(laws.stack), arithmetic, intervals)


def _range_check(
    laws: Laws,
    sink: RangedWrite,
    *,
    arithmetic: ProofStrategy | None,
    intervals: Intervals,
    fractions: Fractions | None = None,
) -> RangeCheck | None:
    """Hold a sink against its range, by cases and, where these cannot tell, by arithmetic; None if it always fits."""
    names = _names(intervals, sink)
    spanned = intervals.interval_of(sink.value, names)
    if spanned.is_within(interval_of(_range_to_prove(sink.declared, spanned) if sink.given else sink.declared)):
        return None
    if sink.given:
        parameters = tuple(_narrowed(part, names) for part in sink.path.parameters)
        path = replace(sink.path, parameters=parameters)
        sink = replace(sink, declared=_range_to_prove(sink.declared, spanned), whole=sink.declared, path=path)
    given = budget()
    try:
        with given:
            found, inconclusive = _proved_in_range(laws, sink, BY_CASES, intervals, fractions)
            if inconclusive and arithmetic:
                found, inconclusive = _proved_in_range(laws, sink, arithmetic, intervals, fractions)
    except OutOfSteps:
        at = place_of(laws.stack, sink)
        what: Literal["conditions", "step"] = "conditions" if at[1] is None else "step"
        return RangeCheck(TooMuchToProve(*at, what, len(sink.path.conditions), given.steps), sink, inconclusive=False)
    return RangeCheck(found, sink, inconclusive)


def arguments_checked(
    laws: Laws, term: graph.Term, arithmetic: ProofStrategy | None, intervals: Intervals
) -> RangeViolations:
    """Find numbers that the rules of a term give to questions and records that are not declared for them."""
    return _checked(laws, arguments_of_term(laws, term), arithmetic, intervals)


def _checked(
    laws: Laws, sinks: Iterable[RangedWrite], arithmetic: ProofStrategy | None, intervals: Intervals
) -> RangeViolations:
    """Hold what is given against the ranges declared for it."""
    tried = (_range_check(laws, sink, arithmetic=arithmetic, intervals=intervals) for sink in sinks)
    return _gathered([each for each in tried if each is not None], arithmetic)


def _gathered(held: Iterable[RangeCheck], arithmetic: ProofStrategy | None) -> RangeViolations:
    """Return what is certain from what is suspected, each place once, and what only arithmetic could settle."""
    suspects: dict[str, Suspect] = {}
    known: list[Problem] = []
    left: list[str] = []
    for each in held:
        left += [each.sink.target] if each.inconclusive and not arithmetic else []
        if isinstance(each.finding, Suspect):
            told = repr(each.finding.escape.escape) if each.sink.given and each.finding.escape else str(len(suspects))
            suspects.setdefault(told, each.finding)
        elif each.finding is not None and each.finding not in known:
            known.append(each.finding)
    return RangeViolations(tuple(known), tuple(suspects.values()), tuple(left))


def _range_to_prove(declared: graph.Number, spanned: Interval) -> graph.Number:
    """Leave out the ends of a range that a number never passes, and an upper one where the number has none of its own.

    Sums and counts have no upper end; to pass a range takes more than any game has, and then the question stops.
    """
    low, high = declared.low, declared.high
    if low is not None and spanned.low is not None and spanned.low >= low:
        low = None
    return replace(declared, low=low, high=None if spanned.high is None or spanned.high <= (high or 0) else high)


def _names(intervals: Intervals, sink: RangedWrite) -> dict[str, Interval]:
    """Bound what the names on the way to a sink stand for, whatever the position."""
    names = {part.name: interval_of(part.type) for part in sink.path.parameters}
    for name, value in sink.path.bindings:
        found = intervals.interval_of(value, names)
        names[name] = found.intersection(names[name]) if name in names else found
    return names


def _narrowed(part: graph.Parameter, names: Mapping[str, Interval]) -> graph.Parameter:
    """Declare of a name what is known of its value."""
    if not isinstance(part.type, graph.Number):
        return part
    low, high = names[part.name].low, names[part.name].high
    ends = (None if low is None else floor(low), None if high is None else ceil(high))
    return replace(part, type=graph.Number(*ends, part.type.measure))


def _proved_in_range(
    laws: Laws, sink: RangedWrite, strategy: ProofStrategy, intervals: Intervals, fractions: Fractions | None
) -> tuple[Problem | Suspect | None, bool]:
    """Prove what can be proved of a sink; also tell whether arithmetic could tell more."""
    question = question_of(laws.stack, sink)
    names = with_names(question.rule, {})
    translator = strategy.translator(laws, {part.name: part.type for part in sink.path.parameters}, intervals)
    if fractions is not None:
        translator.unknowns.is_whole = partial(_is_whole, fractions, sink)
    given = tuple(normalize(part, names) for part in sink.path.conditions)
    value = normalize(sink.value, names)
    translator.unknowns.take_for(stated_sides(given))
    if not translator.has_bounds(value):
        return None, True
    # Conditions and value are about one position only where the sink is about the initial state.
    costs = tuple(within_budget(laws, given, value)) if sink.of_initial_state else ()
    reached = all_of(*(translator.translate_expression(part) for part in (*given, *costs)))
    within = all_of(*(translator.translate_comparison(op, value, end) for op, end in _ends(sink.declared)))
    whole = all_of(*(translator.translate_comparison(op, value, end) for op, end in _whole_ends(sink.declared)))
    facts = facts_of(translator)
    counters = counters_of(translator)
    beyond = strategy.solve(translator.space, reached, negation_of(within), *facts, *counters)
    inconclusive = translator.is_approximate or not isinstance(beyond, dict)
    if beyond is None:
        return None, False
    if isinstance(beyond, dict) and strategy.solve(translator.space, reached, within, *facts, *counters) is None:
        return escape_of(laws.stack, sink), False
    if sink.given and strategy.solve(translator.space, reached, negation_of(whole), *facts, *counters) is None:
        fraction = IntegralityAnalysis(laws.stack).may_be_fraction(sink.value, dict(sink.path.bindings))
        if not fraction:
            return None, False
    if sink.of_initial_state and strategy is not BY_CASES:
        beyond = strategy.solve(
            translator.space, reached, negation_of(within), *translator.small_position_formulas(), *facts, *counters
        )
    if beyond is None or not (sink.of_initial_state or sink.given):
        return None, inconclusive
    if (
        question.witness_optional and strategy is BY_CASES and inconclusive
    ):  # Cases that may not go together prove too little.
        if not sink.given:
            return None, inconclusive
        question = replace(question, witness_optional=False)
    model = assignment_conditions(translator.unknowns, beyond) if isinstance(beyond, dict) else ()
    if strategy is BY_CASES:  # Of cases only which member is chosen can be written down: the rest stands for others.
        model = tuple(each for each in model if _is_choice(each))
    return Suspect("escape", TERM, (), in_words(translator.space, beyond), question, model), inconclusive


def _is_choice(condition: graph.Expr) -> bool:
    """Return whether a condition says which member of an enumeration a name stands for."""
    match condition:
        case graph.Op("=", (graph.Var(), graph.Member())):
            return True
        case _:
            return False


def _is_whole(fractions: Fractions, sink: RangedWrite, expr: graph.Expr) -> bool:
    """Return whether no fraction flows into what is read here; of names, only the procedure's own are known."""
    match expr:
        case graph.GameTrack() | graph.Get() | graph.Ask():
            return not fractions.may_be(expr, sink.key)
        case graph.Var(name):
            own = any(part.name == name for part in sink.path.parameters)
            return own and not fractions.may_be(expr, sink.key)
        case _:
            return False


def question_of(stack: graph.Graph, sink: RangedWrite) -> EscapeQuestion:
    """Ask whether a sink is reached with a number outside its range, as a condition with one rule."""
    party, _ = place_of(stack, sink)
    beyond = graph.Op("or", tuple(graph.Op(OPPOSITE[op], (sink.value, end)) for op, end in _ends(sink.declared)))
    outside = beyond if len(beyond.arguments) > 1 else beyond.arguments[0]
    guard = conjunction((*sink.path.conditions, outside))
    origin = party.origin
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
    reads = looks_of(sink.value, stack)
    witness_optional = sink.given or any(thing.what == "track" and thing.name.startswith("side.") for thing in reads)
    return EscapeQuestion(
        term,
        rule,
        sink.key,
        sink.target,
        sink.path.rolled,
        sink.value,
        escape_of(stack, sink),
        witness_optional,
        sink.term,
    )


def escape_of(stack: graph.Graph, sink: RangedWrite) -> Escape:
    """Return what leaves which range."""
    value, declared = Writer(stack.vocabulary).text(sink.value), sink.whole or sink.declared
    return Escape(
        *place_of(stack, sink), sink.target, type_name(declared), value, (), None, always=True, given=sink.given
    )


def place_of(stack: graph.Graph, sink: RangedWrite) -> tuple[Party, StepPlace | None]:
    """Return what puts the number there: a step, a rule, or a term that answers otherwise."""
    if sink.party is not None:
        return sink.party, None
    if sink.step is not None:
        return step_at(stack.procedures[sink.key], sink.step)
    if sink.key:
        return Writer(stack.vocabulary).rule_party(stack.rules[sink.key]), None
    term = stack.terms[sink.term]
    return Party(term.name, "", term.cites, term.origin), None


OPPOSITE = {">=": "<", "<=": ">"}


def _ends(declared: graph.Number) -> tuple[tuple[str, graph.Num], ...]:
    ends = ((">=", declared.low), ("<=", declared.high))
    return tuple((op, graph.Num(Fraction(end), declared.measure)) for op, end in ends if end is not None)


def _whole_ends(declared: graph.Number) -> tuple[tuple[str, graph.Num], ...]:
    """List the ends of a range as whole numbers meet them: whatever is more than 0 is at least 1."""
    ends = ((">", None if declared.low is None else declared.low - 1), ("<", declared.high and declared.high + 1))
    return tuple((op, graph.Num(Fraction(end), declared.measure)) for op, end in ends if end is not None)
