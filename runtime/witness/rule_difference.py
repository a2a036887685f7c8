"""Conditions under which two versions of a rule have different results: the one changed part must decide.

The input is a rule in two versions; the output is needs, as for a rule that should decide. The two are compared down to
the innermost part in which they differ; on the path all other parts must let its difference through.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from runtime.answer.expressions import Environment
from runtime.answer.interpreter import bindings_of
from runtime.graph import nodes as graph
from runtime.graph.operators import COMPARISONS
from runtime.state.record import Value
from runtime.witness.candidate import Candidate
from runtime.witness.decisive_condition import DecisiveCondition
from runtime.witness.instance import Instance
from runtime.witness.repair import Repairer
from runtime.witness.target import Target

# Folds that a single member of a collection does not distinguish.
OF_SEVERAL = frozenset({"min", "max", "least", "greatest", "leading", "trailing"})
# Nodes with a yes-or-no value, which can be compared with another version.
YES_NO_NODES = (graph.Op, graph.Is, graph.Has, graph.Ask)


class InnermostDifference(NamedTuple):
    """The innermost differing part, in both versions, with the conditions around it and their wanted values."""

    first: graph.Expr
    second: graph.Expr
    conditions: tuple[tuple[graph.Expr, bool], ...]


def distinguishing_conditions(
    term: graph.Term, first_rule: graph.Rule, second_rule: graph.Rule
) -> list[DecisiveCondition]:
    """Return the conditions under which the guards, or else the conclusions, of two versions differ."""
    found: list[DecisiveCondition] = []
    for first, second, yes_no in (
        (first_rule.guard, second_rule.guard, True),
        (first_rule.value, second_rule.value, False),
    ):
        if first is None or second is None or first == second:
            continue
        difference = narrowest_difference(first, second, ())
        found += [_holds(term, first_rule, part, want=want) for part, want in difference.conditions]
        found.append(_differing_condition(term, first_rule, difference, yes_no=yes_no))
    return found


def narrowest_difference(
    first: graph.Expr, second: graph.Expr, conditions: tuple[tuple[graph.Expr, bool], ...]
) -> InnermostDifference:
    """Return the one part in which two expressions differ."""
    difference = InnermostDifference(first, second, conditions)
    match first, second:
        case graph.Op(op, parts), graph.Op(other, others) if (
            op == other and op not in COMPARISONS and len(parts) == len(others)
        ):
            differ = [index for index, part in enumerate(parts) if part != others[index]]
            if len(differ) != 1:
                return difference
            index = differ[0]
            return narrowest_difference(
                parts[index], others[index], (*conditions, *_side_conditions(op, parts, index, others[index]))
            )
        case graph.Fold(_, var, source, condition), graph.Fold(_, _, _, other) if (
            isinstance(condition, YES_NO_NODES)
            and isinstance(other, YES_NO_NODES)
            and replace(second, where=condition) == first
        ):
            some = graph.Fold("some", var, source, difference_condition(condition, other), None, None)
            return InnermostDifference(some, graph.Truth(value=False), conditions)
        case graph.Fold(op, var, source, member_condition), graph.Fold(other) if {op, other} <= OF_SEVERAL and replace(
            second, op=op
        ) == first:
            count = graph.Fold("count", var, source, member_condition, None, None)
            return InnermostDifference(
                first, second, (*conditions, (graph.Op(">", (count, graph.Num(Fraction(1), ""))), True))
            )
        case _:
            return difference


def difference_condition(first: graph.Expr, second: graph.Expr) -> graph.Expr:
    """Return the condition that two versions of a condition have different values."""
    difference = narrowest_difference(first, second, ())
    conditions = (part if want else graph.Op("not", (part,)) for part, want in difference.conditions)
    return graph.Op("and", (*conditions, graph.Op("!=", (difference.first, difference.second))))


def _side_conditions(
    op: str, parts: tuple[graph.Expr, ...], operand: int, other_part: graph.Expr
) -> Iterator[tuple[graph.Expr, bool]]:
    """Return the conditions on the other operands under which this one, or that of the other graph, decides."""
    match op:
        case "min" | "max":
            # The operand that lies further out decides if all others lie beyond the nearer of the two.
            bound = graph.Op(op, (parts[operand], other_part))
            sign = ">" if op == "min" else "<"
            yield from ((graph.Op(sign, (part, bound)), True) for index, part in enumerate(parts) if index != operand)
        case "and" | "or":
            yield from ((part, op == "and") for index, part in enumerate(parts) if index != operand)
        case "if" if operand:
            yield parts[0], operand == 1


def _holds(term: graph.Term, rule: graph.Rule, part: graph.Expr, *, want: bool) -> DecisiveCondition:
    return DecisiveCondition(
        lambda instance: instance.holds(part, bindings_of(term, rule, instance.arguments), want=want),
        lambda repairer, instance: repairer.propose_repair(
            part, bindings_of(term, rule, instance.lazy_arguments()), want=want
        ),
    )


def _differing_condition(
    term: graph.Term, rule: graph.Rule, difference: InnermostDifference, *, yes_no: bool
) -> DecisiveCondition:
    """Build the need that two versions of a part have different values, as far as one of the graphs can evaluate it."""

    def is_met(instance: Instance) -> bool:
        names = bindings_of(term, rule, instance.arguments)
        first_value, second_value = (instance.value(part, names) for part in difference[:2])
        return first_value is not None and second_value is not None and first_value != second_value

    def propose(repairer: Repairer, instance: Instance) -> Candidate | None:
        names = bindings_of(term, rule, instance.lazy_arguments())
        want = repairer.chance.one_in(2)
        left, ends = _ends(instance, difference, names) or (None, [])
        if left is not None and ends and repairer.chance.one_in(2):
            return repairer.perturb(left, names, Target("=", repairer.chance.pick(ends)))
        part, part_want = (difference.first, want) if repairer.chance.one_in(2) else (difference.second, not want)
        value = instance.value(part, bindings_of(term, rule, instance.arguments))
        if isinstance(value, bool) or yes_no:
            return repairer.propose_repair(part, names, want=part_want)
        return repairer.perturb(part, names, Target("!=", value))

    return DecisiveCondition(is_met, propose)


def _ends(
    instance: Instance, difference: InnermostDifference, names: Environment
) -> tuple[graph.Expr, list[Value]] | None:
    """Return the expression and values with which an amount is at an end of a range that only one version includes."""
    match difference.first, difference.second:
        case graph.Op(op, (left, first_bound)), graph.Op(other, (same, second_bound)) if (
            left == same and {op, other} <= COMPARISONS
        ):
            known = [instance.value(each, names) for each in (first_bound, second_bound)]
            # Words have no neighbors.
            values = [end + step for end in known if type(end) in {int, Fraction} for step in (0, 1, -1)]
            return left, values or [each for each in known if each is not None]
        case _:
            return None
