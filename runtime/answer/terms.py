"""Combination of the conclusions of live rules, for each form of term (docs/language.md, 4).

In: a term, and its live rules with the values that they conclude. Out: the answer. Nothing here reads a position.
"""

from collections.abc import Callable, Set
from typing import assert_never

from runtime.answer.answer import ClashError, OutsideError
from runtime.graph import nodes as graph
from runtime.graph.operators import clamp
from runtime.graph.verbs import rule_answer, rule_polarity
from runtime.state.record import Value

Conclusions = list[tuple[graph.Rule, Value]]
Otherwise = Callable[[], Value]


def conclude(
    term: graph.Term, arguments: tuple[Value, ...], conclusions: Conclusions, default_answer: Otherwise
) -> Value:
    """Combine the conclusions of live rules; `default_answer()` is the answer where there are none."""
    match term.form:
        case "value" | "flag":
            value = common_value(term, arguments, conclusions, default_answer)
        case "sum":
            value = sum(value for _, value in conclusions)
        case "min" | "max":
            offers = [value for _, value in conclusions]
            value = (min if term.form == "min" else max)(offers) if offers else default_answer()
        case "set":
            return unite_conclusions(conclusions)
        case "verdict" | "condition":
            return combine_verdicts(term, {rule_answer(rule) for rule, _ in conclusions})
        case _:
            assert_never(term.form)
    if term.capped is not None:
        value = clamp(value, *term.capped)
    return within_domain(term, arguments, value)


def common_value(
    term: graph.Term, arguments: tuple[Value, ...], conclusions: Conclusions, default_answer: Otherwise
) -> Value:
    """Return the common value of all conclusions; raises `ClashError` if they differ."""
    if not conclusions:
        return default_answer()
    first = conclusions[0][1]
    if any(value != first for _, value in conclusions):
        raise ClashError(term.name, arguments, tuple(rule.label for rule, _ in conclusions))
    return first


def unite_conclusions(conclusions: Conclusions) -> Value:
    """Return the union of the included sets without the excluded ones, in the order of the conclusions."""
    included = dict.fromkeys(v for rule, value in conclusions if rule_polarity(rule) for v in value)
    excluded = {v for rule, value in conclusions if rule_polarity(rule) is False for v in value}
    return tuple(v for v in included if v not in excluded)


def combine_verdicts(term: graph.Term, answers: Set[bool | None]) -> bool:
    """Return the answer of a verdict or condition: prohibitions override permissions, which override the default."""
    return False not in answers and (True in answers or bool(term.default))


def within_domain(term: graph.Term, arguments: tuple[Value, ...], value: Value) -> Value:
    """Return a value after a check against the domain of its term; raises `OutsideError`."""
    match term.type:
        case graph.Number() as declared if not declared.contains(value):
            raise OutsideError(term.name, arguments)
        case _:
            return value
