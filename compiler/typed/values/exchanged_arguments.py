"""Exchanged arguments of a question, or keys of a chart: two that are each of the other's type."""

from compiler.source import nodes as source
from compiler.typed.context import Context
from compiler.typed.problems import KeyOutside, MeasureMismatch, TypeMismatch, UnknownMember
from runtime.graph import nodes as graph

# The problems that an exchanged operand causes.
UNFITTING = (TypeMismatch, MeasureMismatch, UnknownMember, KeyOutside)


def exchanged_operands(
    written: tuple[source.Expression, ...],
    operand_types: tuple[graph.Type, ...],
    wrong: list[int],
    context: Context,
    before: int,
) -> list[source.Expression]:
    """Return the operands with two invalid ones exchanged, if each is valid in the place of the other; else none.

    There must be no other problem: a retry at every depth would take exponential time.
    """
    problem_spans = [each.span for each in context.problems[before:] if isinstance(each, UNFITTING)]
    if not len(problem_spans) == len(context.problems) - before == len(wrong) == 2:
        return []
    if not all(written[place].span.contains(span) for place, span in zip(wrong, problem_spans, strict=True)):
        return []
    first, second = wrong
    tried = context._replace(problems=[])
    for part, type_ in ((written[second], operand_types[first]), (written[first], operand_types[second])):
        if context.elaborate(part, tried, type_)[1] is None or tried.problems:
            return []
    corrected_operands = list(written)
    corrected_operands[first], corrected_operands[second] = corrected_operands[second], corrected_operands[first]
    return corrected_operands
