"""Conditions that are redundant because they occur twice.

In: a stack, and its question sites. Out: conditions that an `and` or `or`, or the surrounding conditions, contain
already; an `or` that is always true because its sides negate each other, or because one of them is known. Conditions
are compared in normal form, not proved from one another: a numeric bound that implies another may help the reader. A
condition that is known to be false is a finding of never_holds.py.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from compiler.analysis.budgets import spend_steps
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import SaidTwice
from compiler.analysis.nested_conditions import has_conditions
from compiler.analysis.normal_form import Names, normalize
from compiler.analysis.question_sites import QuestionSite
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import inner_expressions

# The known truth value of a condition, and its source: an `and` (or the access path), or the negation of the other
# sides of an `or`.
KnownConditions = Mapping[graph.Expr, tuple[bool, str]]
Parts = tuple[graph.Expr, ...]


# The number of conditions that are reported for one rule or step.
MOST_FINDINGS = 20


@dataclass(frozen=True, slots=True)
class RedundantCondition:
    """A condition, and the `or` that is always true because of it (None: the condition alone is redundant)."""

    condition: graph.Expr
    disjunction: graph.Expr | None


def repeated_conditions(stack: graph.Graph, sites: Iterable[QuestionSite]) -> Iterator[SaidTwice]:
    """Find conditions that occur twice."""
    text = ExpressionWriter(stack.vocabulary).text
    for site in sites:
        scope = site.scope
        look = redundancies_in_condition if site.condition else redundancies_in_expression
        reported_conditions: set[graph.Expr] = set()
        for each in look(site.expr, scope.names, {normal_form: (True, "and") for _, normal_form in scope.facts}):
            if (
                each.condition not in reported_conditions and len(reported_conditions) < MOST_FINDINGS
            ):  # Repetitions of one condition are reported once.
                reported_conditions.add(each.condition)
                disjunction = "" if each.disjunction is None else text(each.disjunction)
                yield SaidTwice(site.party, site.step, text(each.condition), disjunction)


def redundancies_in_condition(
    condition: graph.Expr | None, names: Names, known: KnownConditions, depth: int = 0
) -> Iterator[RedundantCondition]:
    """List the repeated conditions in a condition."""
    yield from _joined("and", conjuncts(condition), names, known, depth)


def redundancies_in_expression(
    expr: graph.Expr, names: Names, known: KnownConditions, depth: int = 0
) -> Iterator[RedundantCondition]:
    """List the repeated conditions in an expression."""
    match expr:
        case graph.Op("and" | "or" as op, _):
            yield from _joined(op, _sides(op, expr), names, known, depth)
        case graph.Op("if", (condition, then, orelse)):
            yield from redundancies_in_expression(condition, names, known, depth)
            yield from redundancies_in_expression(
                then, names, {**known, **known_conditions("and", conjuncts(condition), names)}, depth
            )
            yield from redundancies_in_expression(orelse, names, {**known, **_refused(condition, names)}, depth)
        case graph.Fold():
            yield from _fold(expr, names, known, depth)
        case _:
            yield from chain.from_iterable(
                redundancies_in_expression(part, names, known, depth) for part in inner_expressions(expr)
            )


def known_conditions(op: str, parts: Parts, names: Names) -> dict[graph.Expr, tuple[bool, str]]:
    """Return the truth values that are known where all of these hold (`and`), or where none of them does (`or`)."""
    literals = (_literal(part, names) for part in parts)
    return {normal_form: (truth == (op == "and"), op) for normal_form, truth in literals}


def _joined(op: str, parts: Parts, names: Names, known: KnownConditions, depth: int) -> Iterator[RedundantCondition]:
    """Compare the sides of an `and` or `or`; inside of one side, the others are known."""
    literals = [_literal(part, names) for part in parts]
    seen = dict(known)
    for part, (normal_form, truth) in zip(parts, literals, strict=True):
        if normal_form in seen:
            known_truth, known_op = seen[normal_form]
            if op == "and" and (known_truth == truth) == (known_op == "and"):
                yield RedundantCondition(part, None)
            elif op == "or" and known_truth == truth:
                yield RedundantCondition(part, graph.Op("or", parts))
            elif op == "or" and known_op == "or":
                yield RedundantCondition(part, None)
        seen.setdefault(normal_form, (truth == (op == "and"), op))
    times = Counter(normal_form for normal_form, _ in literals)
    all_known = {**known, **{normal_form: (truth == (op == "and"), op) for normal_form, truth in literals}}
    for part, (normal_form, _) in zip(parts, literals, strict=True):
        if has_conditions(part):
            spend_steps(len(all_known))
            others = dict(all_known)
            if times[normal_form] == 1:
                others.pop(normal_form)
                others |= {normal_form: known[normal_form]} if normal_form in known else {}
            yield from redundancies_in_expression(part, names, others, depth)


def _fold(fold: graph.Fold, names: Names, known: KnownConditions, depth: int) -> Iterator[RedundantCondition]:
    yield from redundancies_in_expression(fold.source, names, known, depth)
    inner_names = {**names, fold.var: graph.Var(f"{fold.var} {depth}")}
    yield from redundancies_in_condition(fold.where, inner_names, known, depth + 1)
    passed = {**known, **known_conditions("and", conjuncts(fold.where), inner_names)}
    if fold.op == "every":
        yield from redundancies_in_condition(fold.body, inner_names, passed, depth + 1)
    elif fold.body is not None:
        yield from redundancies_in_expression(fold.body, inner_names, passed, depth + 1)
    if fold.otherwise is not None:
        yield from redundancies_in_expression(fold.otherwise, names, known, depth)


def _refused(condition: graph.Expr, names: Names) -> dict[graph.Expr, tuple[bool, str]]:
    """Return the truth values that are known where a condition does not hold."""
    return {
        normal_form: (truth, "and")
        for normal_form, (truth, _) in known_conditions("or", _sides("or", condition), names).items()
    }


def _literal(part: graph.Expr, names: Names) -> tuple[graph.Expr, bool]:
    """Return a condition without its negation, and the truth value that it requires."""
    normal_form = normalize(part, names)
    if isinstance(normal_form, graph.Op) and normal_form.op == "not":
        return (normal_form.arguments[0], False)
    return (normal_form, True)


def _sides(op: str, expr: graph.Expr) -> Parts:
    """Return the operands of an `and` or `or`, with nested ones of the same operator flattened."""
    if isinstance(expr, graph.Op) and expr.op == op:
        return tuple(side for part in expr.arguments for side in _sides(op, part))
    return (expr,)
