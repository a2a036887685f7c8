"""Conjuncts that are redundant, since other conjuncts or the surrounding conditions imply them.

In: a stack, and its question sites. Out: such conjuncts, each with those that imply it. Only tests of words are
compared: the properties of a subject (`x is a`), and membership in an enumeration (`x = a`, `x in {a, b}`), against the
other tests of the same subject. A numeric bound that another implies may help the reader, and a value that may be
absent has to be tested first.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.analysis.budgets import spend_steps
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.formula import Formula
from compiler.analysis.idle_code import HoldsAnyway
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.nested_conditions import (
    ConditionScope,
    NestedCondition,
    Part,
    conditions_inside,
    nested_conditions,
)
from compiler.analysis.normal_form import normalize
from compiler.analysis.question_sites import QuestionSite
from compiler.analysis.solve import minimal_conflict, solve
from compiler.analysis.space import Space
from compiler.analysis.translate import Translator, negation_of
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import walk

# Of 4,149 alterations of guards in six games, implied conjuncts are one, which no other redundant condition reports.
TOLD = {"trait", "feature", "status"}
REFLEXIVE = {"=", "<=", ">="}


def implied_conjuncts(laws: Laws, sites: Iterable[QuestionSite], intervals: Intervals) -> Iterator[HoldsAnyway]:
    """Find redundant conjuncts."""
    text = ExpressionWriter(laws.stack.vocabulary).text
    for site in sites:
        for written, scope in _joined(site, laws.stack):
            for part, premises in _idle(laws, written, scope, intervals):
                yield HoldsAnyway(site.party, site.step, text(part), tuple(map(text, premises)))


def self_comparisons(laws: Laws, sites: Iterable[QuestionSite]) -> Iterator[HoldsAnyway]:
    """Find comparisons of an expression with itself that always hold: `l.side = l.side`."""
    text = ExpressionWriter(laws.stack.vocabulary).text
    for site in sites:
        for node in walk(site.expr):
            if isinstance(node, graph.Op) and node.op in REFLEXIVE and node.arguments[0] == node.arguments[1]:
                yield HoldsAnyway(site.party, site.step, text(node), ())


def _joined(site: QuestionSite, stack: graph.Graph) -> Iterator[tuple[graph.Expr, ConditionScope]]:
    """List the conjunctions at a question site, with their scopes."""
    parts: Iterable[NestedCondition] = (conditions_inside if site.condition else nested_conditions)(
        site.expr, site.scope, stack
    )
    outermost = [(site.expr, site.scope)] if site.condition else []
    for written, scope in (*outermost, *((each.written, each.scope) for each in parts if each.form != "either")):
        if isinstance(written, graph.Op) and written.op == "and":
            yield written, scope


def _idle(
    laws: Laws, written: graph.Expr, scope: ConditionScope, intervals: Intervals
) -> Iterator[tuple[graph.Expr, tuple[graph.Expr, ...]]]:
    """List the redundant conjuncts, the last first; those that a reported one depends on are not reported."""
    own_parts = [(part, normalize(part, scope.names)) for part in conjuncts(written)]
    about_same: dict[graph.Expr, dict[graph.Expr, Part]] = {}  # Without duplicates.
    for each in (*scope.facts, *own_parts):
        if (about := _subject_of(each[1])) is not None:
            about_same.setdefault(about, {}).setdefault(each[1], each)
    translators = {about: Translator(laws, scope.types, intervals, deepest=0) for about in about_same}
    formulas = {
        about: {
            each: translators[about].translate_expression(normal_form) for normal_form, each in parts_by_form.items()
        }
        for about, parts_by_form in about_same.items()
    }
    for part in reversed(own_parts):
        about = _subject_of(part[1])
        left = {} if about is None else about_same[about]
        spend_steps(1 + len(left))
        others = tuple(other for normal_form, other in left.items() if normal_form != part[1])
        if about is None or not others or all(_is_one_word(each[1]) for each in (part, *others)):
            continue
        if premises := _implying_conditions(others, part, translators[about].space, formulas[about]):
            left.pop(part[1], None)
            yield part[0], premises


def _implying_conditions(
    others: tuple[Part, ...], part: Part, space: Space, formulas: Mapping[Part, Formula]
) -> tuple[graph.Expr, ...]:
    """Return the conditions that imply a conjunct; empty if it may fail, or if they exclude one another."""
    denied = negation_of(formulas[part])

    def is_unsatisfiable(*parts: Part) -> bool:
        return solve(space, denied, *(formulas[each] for each in parts)) is None

    if (
        not is_unsatisfiable(*others)
        or is_unsatisfiable()
        or solve(space, *(formulas[each] for each in (part, *others))) is None
    ):
        return ()
    return tuple(written for written, _ in minimal_conflict(others, is_unsatisfiable))


def _subject_of(condition: graph.Expr) -> graph.Expr | None:
    """Return the subject whose words a condition tests; None for any other condition."""
    match condition:
        case graph.Op("not", (inner_,)):
            return _subject_of(inner_)
        case graph.Op("=", (operand, graph.Member())) | graph.Op("in", (operand, graph.SetOf())):
            return operand
        case graph.Is(subject, (test,)) if test.what in TOLD:
            return subject
        case graph.Op("or" | "and", (first, *others)):
            about = _subject_of(first)
            return about if all(_subject_of(other) == about for other in others) else None
        case _:
            return None


def _is_one_word(condition: graph.Expr) -> bool:
    """Return whether a condition tests a single word: tests of different words are independent of each other."""
    return isinstance(condition, graph.Is) or (
        isinstance(condition, graph.Op) and condition.op == "not" and isinstance(condition.arguments[0], graph.Is)
    )
