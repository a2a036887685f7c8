"""Code generation for terms with a value: values, sums, minima and maxima, sets, flags.

In: the emitter of a term. Out: lines of Python that select, add, compare or unite the conclusions of the rules, and
return as soon as no remaining rule can change the answer (or, if it is computed, the decision id).
"""

from collections.abc import Iterator
from fractions import Fraction

from runtime.answer.bounds import ValueBounds, bounds_of, common_bounds, domain_test, is_whole, is_within_domain
from runtime.answer.brackets import without_brackets
from runtime.answer.emit_guard import STEP
from runtime.answer.emit_is import printed_text
from runtime.answer.emit_term import EmittedClause, TermEmitter, rule_comment
from runtime.answer.emit_verdict import emit_each, is_always
from runtime.answer.single_expressions import sole_expression
from runtime.graph import nodes as graph

BEGINNINGS = {
    "sum": ["total = 0"],
    "min": ["value = None"],
    "max": ["value = None"],
    "value": ["value = None"],
    "flag": ["value = None"],
    "set": ["included, excluded = [], []"],
}


def emit_collected(writer: TermEmitter, *, with_decision_id: bool) -> Iterator[str]:
    """Emit a term that selects, adds, compares or unites the conclusions of its rules."""
    if is_definition(writer):
        yield from _emit_definition(writer, writer.clauses[0].rule, with_decision_id=with_decision_id)
        return
    if not with_decision_id and (lines := _emit_ranked(writer)):
        yield from lines
        return
    # The bits of the rules that return where they are live: no later rule is evaluated there.
    returning = frozenset(
        clause.bit for clause in writer.clauses if _is_final(writer, clause, with_decision_id=with_decision_id)
    )
    needed = _bits_tested(writer, returning, with_decision_id=with_decision_id)
    if needed:
        yield "why = 0"
    if writer.term.form == "set" or _accumulating_clauses(writer, returning):
        yield from BEGINNINGS[writer.term.form]
    for clause in writer.clauses:
        yield rule_comment(clause.rule)
        if clause.bit in returning:
            yield from _emit_final_rule(writer, clause, returning, with_decision_id=with_decision_id)
        else:
            yield from _emit_accumulating_rule(writer, clause, returning, needed)
    yield from _emit_end(writer, returning, with_decision_id=with_decision_id)


def _bits_tested(writer: TermEmitter, returning: frozenset[int], *, with_decision_id: bool) -> frozenset[int]:
    """Return the bits that rules set where they are live: for the decision id, for other rules, for a clash."""
    if with_decision_id:
        return frozenset(clause.bit for clause in writer.clauses) - returning
    bits = {other.bit for clause in writer.clauses for other in clause.defeaters} - returning
    concluding = _accumulating_clauses(writer, returning)
    if _may_clash(writer, concluding, returning):
        bits.update(clause.bit for clause in concluding)
    return frozenset(bits)


def _accumulating_clauses(writer: TermEmitter, returning: frozenset[int]) -> list[EmittedClause]:
    """Return the rules with a conclusion that do not return where they are live."""
    return [clause for clause in writer.clauses if clause.rule.verb and clause.bit not in returning]


def _emit_accumulating_rule(
    writer: TermEmitter, clause: EmittedClause, returning: frozenset[int], needed: frozenset[int]
) -> list[str]:
    """Emit a rule after which others are evaluated: where it is live, its bit is set if it is needed."""
    consequence = [f"why |= {clause.bit}"] if clause.bit in needed else []
    if clause.rule.verb:
        # Emitted twice: only the first pass determines the names that are bound inside.
        writer.emit_rule_bits(clause, [], returning)
        consequence += _emit_conclusion(writer, clause, returning)
    return writer.emit_rule_bits(clause, consequence, returning) if consequence else []


def is_definition(writer: TermEmitter) -> bool:
    """Return whether a term has one rule, which is unconditional."""
    return len(writer.clauses) == 1 and writer.clauses[0].rule.guard is None and writer.term.form in ("value", "set")


def _emit_definition(writer: TermEmitter, rule: graph.Rule, *, with_decision_id: bool) -> list[str]:
    """Emit a definition."""
    writer.emit_guarded(rule, [], [])
    value = without_brackets(writer.emitter.write(rule.value or graph.Truth(value=False), writer.inner))
    if writer.term.form == "set" and sole_expression(writer.term, writer.emitter.rules) is None:
        value = f"s.frame.ordered({value})"
    return writer.emit_guarded(
        rule, _emit_return(writer, value, rule.value, "return {}, 1" if with_decision_id else "return {}"), []
    )


def _emit_ranked(writer: TermEmitter) -> list[str]:
    """Emit a minimum or maximum of literals: rules in order of value, the first live one returns; else []."""
    offers = [(clause, clause.rule.value) for clause in writer.clauses if clause.rule.verb]
    written = [(clause, value) for clause, value in offers if isinstance(value, graph.LiteralExpr)]
    if (
        writer.term.form not in ("min", "max")
        or written != offers
        or _emit_checks(writer, [value for _, value in offers])
    ):
        return []
    lines: list[str] = []
    for clause, value in sorted(
        written, key=lambda offer: (_rank_of_amount(writer, offer[1]), writer.guard_cost(offer[0].rule))
    ):
        lines += emit_each(writer, [clause], f"return {writer.emitter.write(value, writer.scope)}")
        if is_always(clause):
            return lines
    return [*lines, *_emit_default(writer, "return {}")]


def _rank_of_amount(writer: TermEmitter, value: graph.Expr) -> Fraction:
    """Return the sort key of a literal: best values first."""
    known = bounds_of(value, {}, writer.emitter.rules)
    assert known is not None
    return known[0] if writer.term.form == "min" else -known[0]


def _is_final(writer: TermEmitter, clause: EmittedClause, *, with_decision_id: bool) -> bool:
    """Return whether the answer (or the decision id) is final once this rule is live."""
    if writer.term.form not in ("value", "flag") or not clause.rule.verb:
        return False
    for other in writer.clauses:
        is_defeated = clause in other.defeaters
        if other.bit > clause.bit and with_decision_id and not is_defeated:
            return False
        if other.bit == clause.bit or not other.rule.verb:
            continue
        gives_way = other.bit < clause.bit and other in clause.defeaters
        if not (is_defeated or gives_way or _have_same_literal(clause, other)):
            return False
    return True


def _have_same_literal(clause: EmittedClause, other: EmittedClause) -> bool:
    """Return whether two rules conclude the same literal."""
    return isinstance(clause.rule.value, graph.LiteralExpr) and clause.rule.value == other.rule.value


def _may_clash(writer: TermEmitter, concluding: list[EmittedClause], returning: frozenset[int]) -> bool:
    """Return whether two of the rules that conclude a value may be live together."""
    if writer.term.form not in ("value", "flag"):
        return False
    return any(_earlier_rules(writer, clause, returning) for clause in concluding)


def _earlier_rules(writer: TermEmitter, clause: EmittedClause, returning: frozenset[int]) -> list[EmittedClause]:
    """Return the earlier rules that may be live together with this one."""
    return [
        other
        for other in writer.clauses
        if other.bit < clause.bit
        and other.rule.verb
        and other not in clause.defeaters
        and other.bit not in returning
        and not _have_same_literal(clause, other)
    ]


def _emit_final_rule(
    writer: TermEmitter, clause: EmittedClause, returning: frozenset[int], *, with_decision_id: bool
) -> list[str]:
    """Emit a rule that returns: where it is live, no later rule is evaluated."""
    writer.emit_rule_bits(clause, [], returning)
    conclusion = without_brackets(writer.emitter.write(clause.rule.value or graph.Truth(value=False), writer.inner))
    has_earlier_bits = any(other.bit < clause.bit and other.bit not in returning for other in writer.clauses)
    mask = f"why | {clause.bit}" if has_earlier_bits else str(clause.bit)
    end = f"return {{}}, {mask}" if with_decision_id else "return {}"
    return writer.emit_rule_bits(clause, _emit_return(writer, conclusion, clause.rule.value, end), returning)


def _emit_return(writer: TermEmitter, text: str, value: graph.Expr | None, end: str) -> list[str]:
    """Emit the return of a value, with a domain check unless its bounds lie within the domain."""
    checks = _emit_checks(writer, [value])
    return [f"value = {text}", *checks, end.format("value")] if checks else [end.format(text)]


def _emit_conclusion(writer: TermEmitter, clause: EmittedClause, returning: frozenset[int]) -> list[str]:
    """Emit the update of the accumulated answer by a live rule."""
    rule = clause.rule
    conclusion = without_brackets(writer.emitter.write(rule.value or graph.Truth(value=False), writer.inner))
    match writer.term.form:
        case "sum":
            return [f"total += {conclusion}"]
        case "min" | "max":
            worse = ">" if writer.term.form == "min" else "<"
            if isinstance(rule.value, graph.LiteralExpr):
                return [f"if value is None or value {worse} {conclusion}:", f"{STEP}value = {conclusion}"]
            return [f"said = {conclusion}", f"if value is None or value {worse} said:", f"{STEP}value = said"]
        case "set":
            return [f"{'included' if rule.verb == 'includes' else 'excluded'}.append({conclusion})"]
        case _ if not _earlier_rules(writer, clause, returning):
            return [f"value = {conclusion}"]
        case _ if isinstance(rule.value, graph.LiteralExpr):
            return [
                f"if value is not None and value != {conclusion}:",
                f"{STEP}clash({writer.term_constant()}, {writer.write_arguments()}, why)",
                f"value = {conclusion}",
            ]
        case _:
            return [
                f"said = {conclusion}",
                "if value is not None and value != said:",
                f"{STEP}clash({writer.term_constant()}, {writer.write_arguments()}, why)",
                "value = said",
            ]


def _emit_end(writer: TermEmitter, returning: frozenset[int], *, with_decision_id: bool) -> Iterator[str]:
    """Emit the end: the accumulated answer if any rule was live, else the default."""
    mask = "why" if len(returning) < len(writer.clauses) else "0"
    end = f"return {{}}, {mask}" if with_decision_id else "return {}"
    values = [clause.rule.value for clause in _accumulating_clauses(writer, returning)]
    match writer.term.form:
        case "sum":
            yield from _emit_return(writer, "total" if values else "0", None, end)
            return
        case "set":
            yield end.format("united(s, included, excluded)")
            return
        case _ if _always_returns(writer, returning):
            return
        case _ if not values:
            yield from _emit_default(writer, end)
            return
        case _ if _returns_without_conclusion(writer, returning):
            pass
        case _:
            yield "if value is None:"
            yield from (f"{STEP}{line}" for line in _emit_default(writer, end))
    yield from _emit_checks(writer, values)
    yield end.format("value")


def _always_returns(writer: TermEmitter, returning: frozenset[int]) -> bool:
    """Return whether some unconditional rule returns wherever no earlier rule has."""
    return any(
        clause.rule.guard is None and clause.bit in returning and {other.bit for other in clause.defeaters} <= returning
        for clause in writer.clauses
    )


def _returns_without_conclusion(writer: TermEmitter, returning: frozenset[int]) -> bool:
    """Return whether some unconditional rule returns unless a defeater that concludes something is live."""
    return any(
        clause.bit in returning and clause.rule.guard is None and all(other.rule.verb for other in clause.defeaters)
        for clause in writer.clauses
    )


def _emit_default(writer: TermEmitter, end: str) -> list[str]:
    """Emit the answer for the case that no rule is live."""
    if writer.term.form == "flag":
        flag = writer.emitter.vocabulary.flags[writer.term.name]
        return [end.format(without_brackets(printed_text(flag, writer.parameters[0])))]
    if writer.term.otherwise is None:
        return [f"gap({writer.term_constant()}, {writer.write_arguments()})"]
    return _emit_return(
        writer, without_brackets(writer.emitter.write(writer.term.otherwise, writer.scope)), writer.term.otherwise, end
    )


def _emit_checks(writer: TermEmitter, values: list[graph.Expr | None]) -> list[str]:
    """Emit the cap and domain checks of an answer, unless all its possible values lie within."""
    if writer.term.capped is not None:
        low, high = writer.term.capped
        clamped = (Fraction(low), Fraction(high))
        return [f"value = clamp(value, {low}, {high})", *_emit_domain_check(writer, clamped, whole=False)]
    known = [value and bounds_of(value, writer.scope.types, writer.emitter.rules) for value in values]
    whole = all(value is not None and is_whole(value) for value in values)
    return _emit_domain_check(writer, common_bounds([bounds or None for bounds in known]), whole=whole)


def _emit_domain_check(writer: TermEmitter, known: ValueBounds, *, whole: bool) -> list[str]:
    """Emit the check of a domain."""
    declared = writer.term.type
    if is_within_domain(declared, known, whole=whole) or not isinstance(declared, graph.Number):
        return []
    return [
        f"if not ({domain_test(declared, 'value')}):",
        f"{STEP}outside({writer.term_constant()}, {writer.write_arguments()})",
    ]
