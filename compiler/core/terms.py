"""Lowering of terms: rules become the clauses of one body, every defeater before the rules that it defeats.

In: a graph. Out: a function for each term. Lowering is repeated up to the fixpoint of integer slots (`denominators`).
"""

from collections.abc import Callable
from functools import partial
from itertools import chain

from compiler.core import ir
from compiler.core.clause_order import ordered_clauses
from compiler.core.denominators import Denominators
from compiler.core.expressions import ExpressionLowering, Lowered
from compiler.core.ir import Clause, Core, Form, Local
from compiler.core.procedures import SiteNumbering, lower_procedures
from compiler.core.reads import printed_flag
from compiler.core.representation import BOOL, INT, RATIO, Representation
from compiler.core.trap_reason import TrapReason
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term, rules_of_term
from runtime.graph.verbs import rule_answer


def note_values_of_play(lowering: ExpressionLowering) -> None:
    """Record the slots into which procedures store fractions, as terms are asked about positions of play."""
    lower_procedures(lowering, SiteNumbering())


def lower_to_fixpoint(
    rules: graph.Graph, lower: Callable[[ExpressionLowering], Lowered]
) -> tuple[Lowered, Denominators]:
    """Lower repeatedly up to the fixpoint of integer slots; return the last lowering, and the fixpoint."""
    denominators = printed_denominators(rules)
    lowering = ExpressionLowering(rules, denominators)
    while True:
        lowered = lower(lowering)
        if denominators.is_fixpoint():
            return lowered, denominators


def lower_functions(lowering: ExpressionLowering) -> dict[str, ir.Function]:
    """Lower all terms with the current integer slots."""
    return {
        name: lowering.lowered_part(name, partial(_function, lowering, term))
        for name, term in lowering.rules.terms.items()
    }


def printed_denominators(rules: graph.Graph) -> Denominators:
    """Return the slots with the fractions that are printed on counters."""
    denominators = Denominators(rules.vocabulary)
    printed_values = [counter.printed for counter in rules.counters.values()]
    for name, value in chain(*printed_values, *(kind.first for kind in rules.vocabulary.kinds.values())):
        if isinstance(value, graph.Num) and value.value.denominator != 1:
            denominators.holds_fractions(f"printed:{name}")
    return denominators


def _function(lowering: ExpressionLowering, term: graph.Term) -> ir.Function:
    """Lower a term."""
    parameters = tuple(Local(part.name, lowering.parameter_representation(term.name, part)) for part in term.parameters)
    names = {each.name: each for each in parameters}
    representation = lowering.answer_representation(term)
    body: Core
    if term.form in ("verdict", "condition"):
        clauses = [lower_rule(lowering, term, label, names, representation) for label in term.rules]
        granting = [rule_answer(rule) for rule in rules_of_term(lowering.rules, term)]
        pairs, tally = tuple(zip(clauses, granting, strict=True)), lowering.tally_of(term.name)
        # All clauses are evaluated where they are counted, by their places among the rules of the term.
        clauses_in_order = ordered_clauses(pairs, parameters) if tally is None else pairs
        body = ir.Verdict(clauses_in_order, bool(term.default), tally=tally)
    else:
        body = ir.Resolve(
            Form.VALUE if term.form == "flag" else Form(term.form),
            tuple(lower_rule(lowering, term, label, names, representation) for label in term.rules),
            _default_answer(lowering, term, names, representation),
            representation,
            lowering.tally_of(term.name),
        )
    return ir.Function(term.name, parameters, _checked_body(lowering, term, parameters, _bounded(lowering, term, body)))


def _checked_body(lowering: ExpressionLowering, term: graph.Term, parameters: tuple[Local, ...], body: Core) -> Core:
    """Return a body that traps unless each argument lies in the range of its parameter."""
    for part, local in zip(reversed(term.parameters), reversed(parameters), strict=True):
        violation = lowering.is_out_of_range(part.type, local)
        body = (
            body
            if violation is None
            else ir.If(violation, ir.Trap(TrapReason.OUTSIDE, body.representation), body, body.representation)
        )
    return body


def _bounded(lowering: ExpressionLowering, term: graph.Term, body: Core) -> Core:
    """Return a body with the cap and the range check of its term."""
    if term.capped is not None:
        body = ir.BoundsCheck(body, *term.capped, True, body.representation)  # noqa: FBT003 -- the field is named in its class
    is_number = isinstance(term.type, graph.Number) and body.representation in (INT, RATIO)
    return lowering.range_checked(term.type, body) if is_number else body


def _default_answer(
    lowering: ExpressionLowering, term: graph.Term, names: dict[str, Local], representation: Representation
) -> Core | None:
    """Lower the default answer."""
    if term.form == "flag":
        return printed_flag(lowering.rules.vocabulary.flags[term.name], next(iter(names.values())))
    if term.otherwise is None:
        return None
    return lowering.coerce(lowering.lower(term.otherwise, names), representation, term.name)


def lower_rule(
    lowering: ExpressionLowering,
    term: graph.Term,
    label: str,
    parameters: dict[str, Local],
    representation: Representation,
) -> Clause:
    """Lower a rule."""
    rule = rule_of_term(lowering.rules, term, label)
    names: dict[str, Core] = dict(parameters)
    lazy: list[ir.Lazy] = []
    for name, expr in rule.names:
        bound = lowering.lower(expr, names)
        unique = lowering.fresh_name(name)
        lazy.append(ir.Lazy(unique, bound))
        names[name] = ir.Force(unique, bound.representation)
    before = term.rules[: term.rules.index(label)]
    value: Core | None = None
    if rule.value is not None and rule.verb:
        value = lowering.coerce(lowering.lower(rule.value, names), representation, term.name)
    elif rule.verb and representation == BOOL and term.form == "flag":
        raise AssertionError(f"{label} concludes nothing")
    return Clause(
        label,
        tuple(lazy),
        tuple(other for other in before if label in lowering.rules.rules[other].defeats),
        None if rule.guard is None else lowering.lower(rule.guard, names),
        value,
        rule.verb == "excludes",
    )
