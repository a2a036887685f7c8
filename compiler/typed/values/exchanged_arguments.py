"""Find two arguments of a question, or two keys of a chart, that each stand where the other belongs."""

from compiler.source import nodes as source
from compiler.typed.context import Context
from compiler.typed.problems import KeyOutside, MeasureMismatch, TypeMismatch, UnknownMember
from runtime.graph import nodes as graph

# How what stands in the wrong place is told of.
UNFITTING = (TypeMismatch, MeasureMismatch, UnknownMember, KeyOutside)


def exchanged_operands(
    written: tuple[source.Expression, ...],
    wanted: tuple[graph.Type, ...],
    wrong: list[int],
    context: Context,
    before: int,
) -> list[source.Expression]:
    """Exchange two that do not fit where they stand, if each fits where the other stands.

    Nothing else may be wrong with them: what is tried again at every depth would take for ever.
    """
    told = [each.span for each in context.problems[before:] if isinstance(each, UNFITTING)]
    if not len(told) == len(context.problems) - before == len(wrong) == 2:
        return []
    if not all(written[place].span.contains(span) for place, span in zip(wrong, told, strict=True)):
        return []
    one, other = wrong
    tried = context._replace(problems=[])
    for part, type_ in ((written[other], wanted[one]), (written[one], wanted[other])):
        if context.walk(part, tried, type_)[1] is None or tried.problems:
            return []
    turned = list(written)
    turned[one], turned[other] = turned[other], turned[one]
    return turned
