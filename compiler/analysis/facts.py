"""Facts that hold in all positions, as formulas over the unknowns of a term.

In: the unknowns that occur in guards. Out: formulas that hold in every position:
- the counters: traits and factors of one piece come from one row of the unit chart;
- the `always` facts, instantiated for each piece and hex that the guards mention;
- a count under more conditions is no greater, and each member that meets the conditions counts;
- a feature on the hexside between two hexes implies that they are adjacent, and the distance of a hex from itself is
  zero.
These restore some of what translate.py loses by treating unknowns as independent.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from compiler.analysis.card_invariants import CardInvariants
from compiler.analysis.charts import plain_value
from compiler.analysis.formula import Disjunction, Formula, Holds, OneOf, PlainValue, Sum, Unknown
from compiler.analysis.normal_form import normalize
from compiler.analysis.space import UnknownSubject
from compiler.analysis.translate import Translator, disjunction_of, negation_of
from runtime.graph import nodes as graph
from runtime.graph.always_facts import printed_kinds
from runtime.graph.conjuncts import conjuncts


def facts_of(translator: Translator) -> tuple[Formula, ...]:
    """Return the facts that declarations and logic imply; the guards must be translated first."""
    always = tuple(_always(translator))
    members = tuple(_count_implications(translator))
    return (*always, *members, *_fewer_under_more_conditions(translator), *_distances(translator))


def counters_of(translator: Translator) -> tuple[Formula, ...]:
    """Return the constraint that every piece is on the unit chart.

    To be built last, as it needs all cuts to distinguish factors.
    """
    return tuple(_counters(translator))


def _always(translator: Translator) -> Iterator[Formula]:
    subjects = list(translator.unknowns.subjects.values())
    counted = {counter.kind for counter in translator.stack.counters.values()}
    for fact in translator.stack.always:
        # The counters imply this fact themselves (`_counters`), in a smaller formula.
        if (kinds := printed_kinds(fact)) and counted.issuperset(kinds):
            continue
        match fact.condition:
            case graph.Fold("every" | "none" as op, var, source, filter_condition, body):
                for subject in subjects:
                    if _lists(source, translator.unknowns.expression_type(subject)):
                        yield _instantiated(translator, subject, var, op, filter_condition, body)
            case condition:
                yield translator.translate_expression(normalize(condition, {}))


def _lists(source: graph.Expr, found: graph.Type) -> bool:
    """Return whether a collection contains every piece or hex of this type."""
    match source, found:
        case graph.Pieces(listed, None) | graph.All(graph.Piece(listed)), graph.Piece(kinds):
            return not listed or (bool(kinds) and set(kinds) <= set(listed))
        case graph.All(graph.Hex()), graph.Hex():
            return True
        case _:
            return False


def _instantiated(
    translator: Translator,
    subject: graph.Expr,
    var: str,
    op: str,
    filter_condition: graph.Expr | None,
    body: graph.Expr | None,
) -> Formula:
    """Instantiate a universal fact for one subject."""
    names = {var: subject}
    excused = (
        []
        if filter_condition is None
        else [negation_of(translator.translate_expression(normalize(filter_condition, names)))]
    )
    if op == "none":
        return disjunction_of(*excused)
    return disjunction_of(
        *excused, *([] if body is None else [translator.translate_expression(normalize(body, names))])
    )


def _fewer_under_more_conditions(translator: Translator) -> Iterator[Formula]:
    space, intervals = translator.space, translator.unknowns.intervals
    crowd = intervals.card_invariants if intervals is not None else None
    for (few, narrow), (many, wide) in permutations(sorted(_counts(translator).items()), 2):
        if _lie_within(narrow.source, wide.source, crowd) and _implies_condition(narrow.where, wide.where, crowd):
            limits = sorted({*space.unknowns[few].cuts, *space.unknowns[many].cuts, Fraction(1)})
            for limit in limits:
                space.add_cut(few, limit)
                space.add_cut(many, limit)
                yield Disjunction((negation_of(_at_least(few, limit)), _at_least(many, limit)))


def _counts(translator: Translator) -> dict[int, graph.Fold]:
    """List the counts among the unknowns, also those that a definition abbreviates."""
    counts = dict(translator.unknowns.counts)
    for number, expr in translator.unknowns.exprs.items():
        match expr:
            case graph.Ask():
                body = translator.laws.expanded_term(expr)
                if isinstance(body, graph.Fold) and body.op == "count":
                    counts[number] = body
            case _:
                pass
    return counts


def _implies_condition(narrow: graph.Expr | None, wide: graph.Expr | None, crowd: CardInvariants | None) -> bool:
    """Return whether each conjunct of the wider condition is one of the narrower, or tests for a larger set."""
    return all(
        any(_implies_part(part, wide_part, crowd) for part in conjuncts(narrow)) for wide_part in conjuncts(wide)
    )


def _implies_part(part: graph.Expr, wide_part: graph.Expr, crowd: CardInvariants | None) -> bool:
    match part, wide_part:
        case graph.Op("in", (member, small)), graph.Op("in", (same, large)) if member == same:
            return _lie_within(small, large, crowd)
        case _:
            return part == wide_part


def _lie_within(small: graph.Expr, large: graph.Expr, crowd: CardInvariants | None) -> bool:
    """Return whether one set is a subset of the other, by the values that the card sets for both."""
    if small == large or crowd is None:
        return small == large
    match crowd.facts.get(small, small), crowd.facts.get(large, large):
        case graph.SetOf(few), graph.SetOf(many):
            return set(few) <= set(many)
        case _:
            return False


def _count_implications(translator: Translator) -> Iterator[Formula]:
    """Yield for each member of a counted collection: if it meets the condition, the count is at least one."""
    unknowns = translator.unknowns
    tests = [(number, e.arguments) for number, e in unknowns.exprs.items() if isinstance(e, graph.Op) and e.op == "in"]
    for many, counted in sorted(unknowns.counts.items()):
        for number, (member, collection) in tests:
            if collection == counted.source:
                unlike = (
                    negation_of(translator.translate_expression(normalize(part, {counted.var: member})))
                    for part in conjuncts(counted.where)
                )
                translator.space.add_cut(many, Fraction(1))
                yield disjunction_of(negation_of(Unknown(number)), *unlike, _at_least(many, Fraction(1)))


def _distances(translator: Translator) -> Iterator[Formula]:
    """Yield implications between crossings, distances and equality of the same two hexes."""
    unknowns = translator.unknowns
    pairs = [
        frozenset(map(unknowns.text, pair))
        for pair in (*unknowns.different_pairs.values(), *unknowns.equal_pairs.values())
    ]
    for known, far in ((unknowns.different_pairs, Fraction(1)), (unknowns.equal_pairs, Fraction(0))):
        for number, pair in known.items():
            distance = normalize(graph.Op("distance", pair), {})
            is_repeated = pairs.count(frozenset(map(unknowns.text, pair))) > 1 or pair[0] == pair[1]
            if not is_repeated and not unknowns.space.has_unknown(unknowns.text(distance)):
                continue
            exactly = translator.translate_comparison("=", distance, graph.Num(far, "hexes"))
            yield disjunction_of(negation_of(Unknown(number)), exactly)
            if known is unknowns.equal_pairs:
                yield disjunction_of(Unknown(number), negation_of(exactly))


def _at_least(number: int, limit: Fraction) -> Formula:
    return Holds(Sum(((Fraction(1), Unknown(number)),), -limit), ">=")


def _counters(translator: Translator) -> Iterator[Formula]:
    by_subject: dict[str, list[tuple[int, UnknownSubject]]] = {}
    for number, question in enumerate(translator.space.unknowns):
        if (about := question.subject) and about.field_kind in {"trait", "printed", "given"}:
            by_subject.setdefault(about.subject, []).append((number, about))
    for questions in by_subject.values():
        numbers = tuple(number for number, _ in questions)
        rows = frozenset(_rows(translator, questions))
        if len(numbers) > 1 and rows:
            yield OneOf(numbers, rows)


def _rows(
    translator: Translator, questions: list[tuple[int, UnknownSubject]]
) -> Iterator[tuple[PlainValue | None, ...]]:
    """List the values of counters for these questions; kinds without counters may have any."""
    stack = translator.stack
    charted = {counter.kind for counter in stack.counters.values()}
    kinds = {about.owner for _, about in questions if about.field_kind != "given"} or set(stack.vocabulary.kinds)
    for kind in sorted(kinds - charted):
        yield tuple(kind if about.field_kind == "given" else None for _, about in questions)
    for counter in stack.counters.values():
        yield tuple(_printed(translator, number, about, counter) for number, about in questions)


def _printed(translator: Translator, number: int, about: UnknownSubject, counter: graph.Counter) -> PlainValue | None:
    """Return the value of one question for a counter: a truth value, the kind, or the stand-in for its factor."""
    match about.field_kind:
        case "trait":
            return about.name in counter.traits
        case "given":
            return counter.kind
        case _:
            value = plain_value(dict(counter.printed).get(about.name))
            return None if value is None else translator.space.representative_of(number, value)
