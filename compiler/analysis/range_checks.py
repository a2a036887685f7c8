"""Numbers that leave the range declared for the place that a procedure writes them to.

In: a stack. Out: writes that no position reaches without leaving the range, which is certain, and writes where the
guards on the path do not exclude it, which takes a position to show. Amounts without bounds (products, counts) are
compared with their range when they are written in play: they are not examined here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Literal

from compiler.analysis.access_paths import RangedWrite
from compiler.analysis.budgets import OutOfSteps, budget
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.facts import counters_of, facts_of
from compiler.analysis.findings.out_of_range_write import OutOfRangeWrite
from compiler.analysis.findings.too_much_to_prove import TooMuchToProve
from compiler.analysis.fractions import Fractions
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.normal_form import normalize, with_names
from compiler.analysis.parties import Party, StepPlace, named_party
from compiler.analysis.proof_context import BY_CASES, ProofStrategy
from compiler.analysis.ranged_writes import ProcedureSummaries
from compiler.analysis.readers_and_setters import read_sets_of_stack, step_at
from compiler.analysis.rule_arguments import arguments_of_term, other_ranged_writes
from compiler.analysis.search_costs import within_budget
from compiler.analysis.solve import assignment_texts
from compiler.analysis.stated_sides import stated_sides
from compiler.analysis.suspects import NO_PROOFS, OutOfRangeSuspect, ProofSummary, Suspect
from compiler.analysis.translate import conjunction_of, negation_of
from compiler.source.finding import Finding
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjunction
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.interval import Interval, interval_of
from runtime.graph.out_of_range_query import OutOfRangeQuery
from runtime.graph.type_names import type_name
from runtime.graph.walk import walk

# The names seed the search for a position (runtime/witness/walk.py): others lead to other witnesses.
OUT_OF_RANGE_TERM, OUT_OF_RANGE_RULE = "escape", "it-leaves-its-range"


@frozen_dataclass
class _RangeCheck:
    """The comparison of one write with its range.

    `inconclusive` if cases could not decide it and no solver was available.
    """

    finding: Finding | Suspect | None
    write: RangedWrite
    inconclusive: bool


def range_violations(
    laws: Laws,
    summaries: ProcedureSummaries,
    arithmetic: ProofStrategy | None,
    intervals: Intervals,
    fractions: Fractions,
) -> Iterator[ProofSummary]:
    """Find numbers that leave their range, procedure by procedure."""

    # Slots with fractions are computed from the whole stack, so a proof depends on all of it.
    fractional = " ".join(sorted(":".join(slot) for slot in fractions.slots))

    def violations_in(key: str) -> ProofSummary:
        writes = [write for write in summaries.summary_of(key) if isinstance(write, RangedWrite)]
        make = partial(_range_check, laws, arithmetic=arithmetic, intervals=intervals, fractions=fractions)
        tried = [
            laws.recording.query("range", write, partial(make, write), bool(arithmetic), fractional) for write in writes
        ]
        return _gathered([each for each in tried if each is not None], arithmetic)

    for key, procedure in laws.stack.procedures.items():
        make = partial(violations_in, key)
        yield laws.recording.prove("out of range", procedure, make, (NO_PROOFS,), key, bool(arithmetic), fractional)
    yield _checked(laws, other_ranged_writes(laws.stack), arithmetic, intervals)


def _range_check(
    laws: Laws,
    write: RangedWrite,
    *,
    arithmetic: ProofStrategy | None,
    intervals: Intervals,
    fractions: Fractions | None = None,
) -> _RangeCheck | None:
    """Compare a write with its range, by cases and, where these cannot decide, by arithmetic.

    None if it is always within.
    """
    names = _names(intervals, write)
    spanned = intervals.interval_of(write.value, names)
    if spanned.is_within(
        interval_of(_range_to_prove(write.declared, spanned) if write.is_argument else write.declared)
    ):
        return None
    if write.is_argument:
        parameters = tuple(_narrowed(part, names) for part in write.path.parameters)
        path = replace(write.path, parameters=parameters)
        write = replace(write, declared=_range_to_prove(write.declared, spanned), full_range=write.declared, path=path)
    proof_budget = budget()
    try:
        with proof_budget:
            found, inconclusive = _proved_in_range(laws, write, BY_CASES, intervals, fractions)
            if inconclusive and arithmetic:
                found, inconclusive = _proved_in_range(laws, write, arithmetic, intervals, fractions)
    except OutOfSteps:
        write_place = _writing_party(laws.stack, write)
        subject: Literal["conditions", "step"] = "conditions" if write_place[1] is None else "step"
        return _RangeCheck(
            TooMuchToProve(*write_place, subject, len(write.path.conditions), proof_budget.steps),
            write,
            inconclusive=False,
        )
    return _RangeCheck(found, write, inconclusive)


def term_argument_violations(
    laws: Laws, term: graph.Term, arithmetic: ProofStrategy | None, intervals: Intervals
) -> ProofSummary:
    """Find numbers outside their declared range that the rules of a term pass to questions and records."""
    return _checked(laws, arguments_of_term(laws, term), arithmetic, intervals)


def _checked(
    laws: Laws, writes: Iterable[RangedWrite], arithmetic: ProofStrategy | None, intervals: Intervals
) -> ProofSummary:
    """Compare arguments with the ranges declared for them."""
    tried = (_range_check(laws, write, arithmetic=arithmetic, intervals=intervals) for write in writes)
    return _gathered([each for each in tried if each is not None], arithmetic)


def _gathered(checks: Iterable[_RangeCheck], arithmetic: ProofStrategy | None) -> ProofSummary:
    """Separate the certain findings from the suspects, each place once, and from what only arithmetic could decide."""
    suspects: dict[str, Suspect] = {}
    problems: list[Finding] = []
    undecided: list[str] = []
    for each in checks:
        undecided += [each.write.target] if each.inconclusive and not arithmetic else []
        if isinstance(each.finding, Suspect):
            key = (
                repr(each.finding.out_of_range.finding)
                if each.write.is_argument and each.finding.out_of_range
                else str(len(suspects))
            )
            suspects.setdefault(key, each.finding)
        elif each.finding is not None and each.finding not in problems:
            problems.append(each.finding)
    return ProofSummary(tuple(problems), tuple(suspects.values()), tuple(undecided))


def _range_to_prove(declared: graph.Number, spanned: Interval) -> graph.Number:
    """Return a range without the ends that a number never passes, and without an upper end where the number has none.

    Sums and counts have no upper end; to pass a range they need more than any game has, and then play stops at the
    question.
    """
    low, high = declared.low, declared.high
    if low is not None and spanned.low is not None and spanned.low >= low:
        low = None
    return replace(declared, low=low, high=None if spanned.high is None or spanned.high <= (high or 0) else high)


def _names(intervals: Intervals, write: RangedWrite) -> dict[str, Interval]:
    """Return the intervals of the names on the path to a write, for any position."""
    names = {part.name: interval_of(part.type) for part in write.path.parameters}
    for name, value in write.path.bindings:
        found = intervals.interval_of(value, names)
        names[name] = found.intersection(names[name]) if name in names else found
    for guard in write.path.guards:
        match guard:
            case graph.Op("in", (graph.Var(name), graph.Op("span", (low, high)))) if name in names:
                ends = (intervals.interval_of(low, names).low, intervals.interval_of(high, names).high)
                names[name] = names[name].intersection(Interval(*ends))
    return names


def _narrowed(part: graph.Parameter, names: Mapping[str, Interval]) -> graph.Parameter:
    """Restrict the declared type of a name to the interval of its value."""
    if not isinstance(part.type, graph.Number):
        return part
    low, high = names[part.name].low, names[part.name].high
    ends = (None if low is None else floor(low), None if high is None else ceil(high))
    return replace(part, type=graph.Number(*ends, part.type.measure))


def _proved_in_range(
    laws: Laws, write: RangedWrite, strategy: ProofStrategy, intervals: Intervals, fractions: Fractions | None
) -> tuple[Finding | Suspect | None, bool]:
    """Return the finding about a write that can be proved, and whether arithmetic could prove more."""
    out_of_range = _out_of_range_suspect(laws.stack, write)
    names = with_names(out_of_range.query.rule, {})
    translator = strategy.translator(laws, graph.parameter_types(write.path.parameters), intervals)
    if fractions is not None:
        translator.unknowns.is_whole = partial(_is_whole, fractions, write)
    conditions = tuple(normalize(part, names) for part in write.path.conditions)
    value = normalize(write.value, names)
    translator.unknowns.identify(stated_sides(conditions))
    if not translator.has_bounds(value):
        return None, True
    # Conditions and value refer to one position only where the write is about the initial state.
    costs = tuple(within_budget(laws, conditions, value)) if write.of_initial_state else ()
    reached = conjunction_of(*(translator.translate_expression(part) for part in (*conditions, *costs)))
    within = conjunction_of(*(translator.translate_comparison(op, value, end) for op, end in _ends(write.declared)))
    within_declared = conjunction_of(
        *(translator.translate_comparison(op, value, end) for op, end in _whole_ends(write.declared))
    )
    facts = facts_of(translator)
    counters = counters_of(translator)
    violation = strategy.solve(translator.space, reached, negation_of(within), *facts, *counters)
    inconclusive = translator.is_approximate or not isinstance(violation, dict)
    if violation is None:
        return None, False
    if isinstance(violation, dict) and strategy.solve(translator.space, reached, within, *facts, *counters) is None:
        return out_of_range_write(laws.stack, write), False
    # Elsewhere than in procedures, this is rare: only then the proof depends on the whole stack.
    if (
        write.is_argument
        and strategy.solve(translator.space, reached, negation_of(within_declared), *facts, *counters) is None
        and not (fractions or laws.fractions()).may_be_fraction(write.value, write.key or write.term)
    ):
        return None, False
    if write.of_initial_state and strategy is not BY_CASES:
        violation = strategy.solve(
            translator.space, reached, negation_of(within), *translator.small_position_formulas(), *facts, *counters
        )
    if violation is None or not (write.of_initial_state or write.is_argument):
        return None, inconclusive
    if (
        out_of_range.witness_optional and strategy is BY_CASES and inconclusive
    ):  # Cases that may be inconsistent prove too little.
        if not write.is_argument:
            return None, inconclusive
        out_of_range = replace(out_of_range, witness_optional=False)
    return Suspect(
        "out of range", OUT_OF_RANGE_TERM, (), assignment_texts(translator.space, violation), out_of_range
    ), inconclusive


def _is_whole(fractions: Fractions, write: RangedWrite, expr: graph.Expr) -> bool:
    """Return whether no fraction flows into what is read here; of names, only the procedure's own are known."""
    match expr:
        case graph.GameTrack() | graph.Get() | graph.Ask():
            return not fractions.may_be_fraction(expr, write.key)
        case graph.Var(name):
            is_parameter = any(part.name == name for part in write.path.parameters)
            return is_parameter and not fractions.may_be_fraction(expr, write.key)
        case _:
            return False


def _out_of_range_suspect(stack: graph.Graph, write: RangedWrite) -> OutOfRangeSuspect:
    """Return the suspicion that a write is reached with a number outside its range, as a condition with one rule."""
    party, _ = _writing_party(stack, write)
    violation = graph.Op("or", tuple(graph.Op(OPPOSITE[op], (write.value, end)) for op, end in _ends(write.declared)))
    outside = violation if len(violation.arguments) > 1 else violation.arguments[0]
    guard = conjunction((*write.path.conditions, outside))
    origin = party.origin
    rule = graph.Rule(
        OUT_OF_RANGE_RULE,
        (OUT_OF_RANGE_TERM,),
        "holds",
        None,
        write.path.lets,
        guard,
        (),
        (),
        "",
        "",
        "",
        (),
        "",
        origin,
    )
    term = graph.Term(
        name=OUT_OF_RANGE_TERM,
        form="condition",
        parameters=write.path.parameters,
        type=graph.YesNo(),
        rules=(OUT_OF_RANGE_RULE,),
        default=False,
        otherwise=None,
        capped=None,
        reads="",
        denied="",
        cites=(),
        origin=origin,
    )
    reads = read_sets_of_stack(stack).reads_of_nodes(tuple(walk(write.value)))
    reads_of_sides = any(slot.sort == "track" and slot.name.startswith("side.") for slot in reads)
    witness_optional = write.is_argument or reads_of_sides
    query = OutOfRangeQuery(term, rule, write.key, write.target, write.path.rolled, write.term)
    return OutOfRangeSuspect(query, write.value, out_of_range_write(stack, write), witness_optional)


def out_of_range_write(stack: graph.Graph, write: RangedWrite) -> OutOfRangeWrite:
    """Return the finding for a write: which value leaves which range."""
    value, declared = ExpressionWriter(stack.vocabulary).text(write.value), write.full_range or write.declared
    return OutOfRangeWrite(
        *_writing_party(stack, write),
        write.target,
        type_name(declared),
        value,
        (),
        None,
        always=True,
        is_argument=write.is_argument,
    )


def _writing_party(stack: graph.Graph, write: RangedWrite) -> tuple[Party, StepPlace | None]:
    """Return what writes the number: a step, a rule, or a term by its default."""
    if write.party is not None:
        return write.party, None
    if write.step is not None:
        return step_at(stack.procedures[write.key], write.step)
    if write.key:
        return ExpressionWriter(stack.vocabulary).rule_party(stack.rules[write.key]), None
    term = stack.terms[write.term]
    return named_party(term), None


OPPOSITE = {">=": "<", "<=": ">"}


def _ends(declared: graph.Number) -> tuple[tuple[str, graph.Num], ...]:
    ends = ((">=", declared.low), ("<=", declared.high))
    return tuple((op, graph.Num(Fraction(end), declared.measure)) for op, end in ends if end is not None)


def _whole_ends(declared: graph.Number) -> tuple[tuple[str, graph.Num], ...]:
    """Return the ends of a range as strict bounds for whole numbers: a number above 0 is at least 1."""
    ends = ((">", None if declared.low is None else declared.low - 1), ("<", declared.high and declared.high + 1))
    return tuple((op, graph.Num(Fraction(end), declared.measure)) for op, end in ends if end is not None)
