"""Code generation for terms with a value: values, sums, minima and maxima, sets, flags.

In: the emitter of a term. Out: lines of Python that select, add, compare or unite the conclusions of the rules, and
return as soon as no remaining rule can change the answer (or, if it is computed, the decision id).
"""

from collections.abc import Iterator
from fractions import Fraction

from runtime.answer.bounds import Bounds, bounds_of, common_bounds, domain_test, is_whole, is_within_domain
from runtime.answer.brackets import without_brackets
from runtime.answer.emit_is import printed_text
from runtime.answer.emit_names import python_name
from runtime.answer.emit_term import STEP, EmittedClause, TermEmitter, rule_comment
from runtime.answer.emit_verdict import emit_each, is_always
from runtime.answer.single_expressions import sole_expression
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import walk

BEGINNINGS = {
    "sum": ["total = 0"],
    "min": ["value = None"],
    "max": ["value = None"],
    "value": ["value = None"],
    "flag": ["value = None"],
    "set": ["included, excluded = [], []"],
}


def emit_collected(w: TermEmitter, *, with_mask: bool) -> Iterator[str]:
    """Emit a term that selects, adds, compares or unites the conclusions of its rules."""
    if is_definition(w):
        yield from write_definition(w, w.clauses[0].rule, with_mask=with_mask)
        return
    if not with_mask and (lines := emit_ranked(w)):
        yield from lines
        return
    yield from emit_shared_cells(w)
    left = frozenset(clause.bit for clause in w.clauses if is_final(w, clause, with_mask=with_mask))
    needed = {other.bit for clause in w.clauses for other in clause.defeaters} - left
    clashing = may_clash(w, left)
    if needed or clashing or (with_mask and len(left) < len(w.clauses)):
        yield "why = 0"
    if w.term.form == "set" or any(clause.rule.verb and clause.bit not in left for clause in w.clauses):
        yield from BEGINNINGS[w.term.form]
    for clause in w.clauses:
        yield rule_comment(clause.rule)
        if clause.bit in left:
            yield from emit_returning(w, clause, left, with_mask=with_mask)
            continue
        sets_bit = with_mask or clause.bit in needed or (clause.rule.verb and clashing)
        consequence = [f"why |= {clause.bit}"] if sets_bit else []
        if clause.rule.verb:
            # Emitted twice: only the first pass determines the names that are bound inside.
            w.emit_rule_bits(clause, [], left)
            consequence += write_conclusion(w, clause, left)
        if consequence:
            yield from w.emit_rule_bits(clause, consequence, left)
    yield from emit_conclusion(w, left, with_mask=with_mask)


def is_definition(w: TermEmitter) -> bool:
    """Return whether a term has one rule, which is unconditional."""
    return len(w.clauses) == 1 and w.clauses[0].rule.guard is None and w.term.form in ("value", "set")


def write_definition(w: TermEmitter, rule: graph.Rule, *, with_mask: bool) -> list[str]:
    """Emit a definition."""
    w.emit_guarded(rule, [], [])
    value = without_brackets(w.emitter.write(rule.value or graph.Truth(value=False), w.inner))
    if w.term.form == "set" and sole_expression(w.term, w.emitter.rules) is None:
        value = f"s.frame.ordered({value})"
    return w.emit_guarded(rule, write_return(w, value, rule.value, "return {}, 1" if with_mask else "return {}"), [])


def emit_ranked(w: TermEmitter) -> list[str]:
    """Emit a minimum or maximum of literals: rules in order of value, the first live one returns; else []."""
    offers = [(clause, clause.rule.value) for clause in w.clauses if clause.rule.verb]
    written = [(clause, value) for clause, value in offers if isinstance(value, graph.LiteralExpr)]
    if w.term.form not in ("min", "max") or written != offers or write_checks(w, [value for _, value in offers]):
        return []
    lines: list[str] = []
    for clause, value in sorted(written, key=lambda offer: (rank_of_amount(w, offer[1]), w.guard_cost(offer[0].rule))):
        lines += emit_each(w, [clause], f"return {w.emitter.write(value, w.scope)}")
        if is_always(clause):
            return lines
    return [*lines, *write_default(w, "return {}")]


def rank_of_amount(w: TermEmitter, value: graph.Expr) -> Fraction:
    """Return the sort key of a literal: best values first."""
    known = bounds_of(value, {}, w.emitter.rules)
    assert known is not None
    return known[0] if w.term.form == "min" else -known[0]


def is_final(w: TermEmitter, clause: EmittedClause, *, with_mask: bool) -> bool:
    """Return whether the answer (or the decision id) is final once this rule is live."""
    if w.term.form not in ("value", "flag") or not clause.rule.verb:
        return False
    before = [other for other in w.clauses if other.bit < clause.bit and other.rule.verb]
    after = [other for other in w.clauses if other.bit > clause.bit and (with_mask or other.rule.verb)]
    if with_mask and not all(clause in other.defeaters for other in after):
        return False
    is_unopposed = all(
        other in clause.defeaters or clause in other.defeaters or have_same_literal(clause, other) for other in before
    )
    return is_unopposed and all(clause in other.defeaters or have_same_literal(clause, other) for other in after)


def have_same_literal(clause: EmittedClause, other: EmittedClause) -> bool:
    """Return whether two rules conclude the same literal."""
    return isinstance(clause.rule.value, graph.LiteralExpr) and clause.rule.value == other.rule.value


def may_clash(w: TermEmitter, left: frozenset[int]) -> bool:
    """Return whether two rules of a value may be live together."""
    concluding_clauses = [clause for clause in w.clauses if clause.rule.verb and clause.bit not in left]
    return w.term.form in ("value", "flag") and any(earlier_rules(w, clause, left) for clause in concluding_clauses)


def earlier_rules(w: TermEmitter, clause: EmittedClause, left: frozenset[int]) -> list[EmittedClause]:
    """Return the earlier rules that may be live together with this one."""
    return [
        other
        for other in w.clauses
        if other.bit < clause.bit
        and other.rule.verb
        and other not in clause.defeaters
        and other.bit not in left
        and not have_same_literal(clause, other)
    ]


def emit_returning(w: TermEmitter, clause: EmittedClause, left: frozenset[int], *, with_mask: bool) -> list[str]:
    """Emit a rule that returns: where it is live, no later rule is evaluated."""
    w.emit_rule_bits(clause, [], left)
    conclusion = without_brackets(w.emitter.write(clause.rule.value or graph.Truth(value=False), w.inner))
    has_earlier_bits = any(other.bit < clause.bit and other.bit not in left for other in w.clauses)
    mask = f"why | {clause.bit}" if has_earlier_bits else str(clause.bit)
    end = f"return {{}}, {mask}" if with_mask else "return {}"
    return w.emit_rule_bits(clause, write_return(w, conclusion, clause.rule.value, end), left)


def write_return(w: TermEmitter, text: str, value: graph.Expr | None, end: str) -> list[str]:
    """Emit the return of a value, with a domain check unless its bounds lie within the domain."""
    checks = write_checks(w, [value])
    return [f"value = {text}", *checks, end.format("value")] if checks else [end.format(text)]


def write_conclusion(w: TermEmitter, clause: EmittedClause, left: frozenset[int]) -> list[str]:
    """Emit the update of the accumulated answer by a live rule."""
    rule = clause.rule
    conclusion = without_brackets(w.emitter.write(rule.value or graph.Truth(value=False), w.inner))
    match w.term.form:
        case "sum":
            return [f"total += {conclusion}"]
        case "min" | "max":
            worse = ">" if w.term.form == "min" else "<"
            if isinstance(rule.value, graph.LiteralExpr):
                return [f"if value is None or value {worse} {conclusion}:", f"{STEP}value = {conclusion}"]
            return [f"said = {conclusion}", f"if value is None or value {worse} said:", f"{STEP}value = said"]
        case "set":
            return [f"{'included' if rule.verb == 'includes' else 'excluded'}.append({conclusion})"]
        case _ if not earlier_rules(w, clause, left):
            return [f"value = {conclusion}"]
        case _ if isinstance(rule.value, graph.LiteralExpr):
            return [
                f"if value is not None and value != {conclusion}:",
                f"{STEP}clash({w.term_constant()}, {w.write_arguments()}, why)",
                f"value = {conclusion}",
            ]
        case _:
            return [
                f"said = {conclusion}",
                "if value is not None and value != said:",
                f"{STEP}clash({w.term_constant()}, {w.write_arguments()}, why)",
                "value = said",
            ]


def emit_conclusion(w: TermEmitter, left: frozenset[int], *, with_mask: bool) -> Iterator[str]:
    """Emit the end: the accumulated answer if any rule was live, else the default."""
    mask = "why" if len(left) < len(w.clauses) else "0"
    end = f"return {{}}, {mask}" if with_mask else "return {}"
    values = [clause.rule.value for clause in w.clauses if clause.rule.verb and clause.bit not in left]
    match w.term.form:
        case "sum":
            yield from write_return(w, "total" if values else "0", None, end)
            return
        case "set":
            yield end.format("united(s, included, excluded)")
            return
        case _ if always_leaves(w, left):
            return
        case _ if not values:
            yield from write_default(w, end)
            return
        case _ if leaves_without_conclusion(w, left):
            pass
        case _:
            yield "if value is None:"
            yield from (f"{STEP}{line}" for line in write_default(w, end))
    yield from write_checks(w, values)
    yield end.format("value")


def always_leaves(w: TermEmitter, left: frozenset[int]) -> bool:
    """Return whether some unconditional rule returns wherever no earlier rule has."""
    return any(
        clause.rule.guard is None and clause.bit in left and {other.bit for other in clause.defeaters} <= left
        for clause in w.clauses
    )


def leaves_without_conclusion(w: TermEmitter, left: frozenset[int]) -> bool:
    """Return whether some unconditional rule returns unless a defeater that concludes something is live."""
    return any(
        clause.bit in left and clause.rule.guard is None and all(other.rule.verb for other in clause.defeaters)
        for clause in w.clauses
    )


def write_default(w: TermEmitter, end: str) -> list[str]:
    """Emit the answer for the case that no rule is live."""
    if w.term.form == "flag":
        flag = w.emitter.vocabulary.flags[w.term.name]
        return [end.format(without_brackets(printed_text(flag, w.parameters[0])))]
    if w.term.otherwise is None:
        return [f"gap({w.term_constant()}, {w.write_arguments()})"]
    return write_return(w, without_brackets(w.emitter.write(w.term.otherwise, w.scope)), w.term.otherwise, end)


def write_checks(w: TermEmitter, values: list[graph.Expr | None]) -> list[str]:
    """Emit the cap and domain checks of an answer, unless all its possible values lie within."""
    if w.term.capped is not None:
        low, high = w.term.capped
        clamped = (Fraction(low), Fraction(high))
        return [f"value = clamp(value, {low}, {high})", *write_domain_check(w, clamped, whole=False)]
    known = [value and bounds_of(value, w.scope.types, w.emitter.rules) for value in values]
    whole = all(value is not None and is_whole(value) for value in values)
    return write_domain_check(w, common_bounds([bounds or None for bounds in known]), whole=whole)


def write_domain_check(w: TermEmitter, known: Bounds, *, whole: bool) -> list[str]:
    """Emit the check of a domain."""
    declared = w.term.type
    if is_within_domain(declared, known, whole=whole) or not isinstance(declared, graph.Number):
        return []
    return [f"if not ({domain_test(declared, 'value')}):", f"{STEP}outside({w.term_constant()}, {w.write_arguments()})"]


# ---------------------------------------------------------------- chart cells that several rules read


LAZY = ("and", "or", "if")


def emit_shared_cells(w: TermEmitter) -> list[str]:
    """Emit the read of a cell that more than one condition or value uses; [] where there is none."""
    rules = [clause.rule for clause in w.clauses]
    cell = None if not rules or rules[0].names else read_first(next(iter(conjuncts(rules[0].guard)), None))
    if cell is None:
        return []
    readings = (node for rule in rules for node in walk((rule.names, rule.guard, rule.value)))
    cell_reads = [node for node in readings if isinstance(node, graph.Cell) and (node.table, node.keys) == cell]
    if len(cell_reads) < 2:
        return []
    text = w.emitter.write_cell(graph.Cell(*cell, ""), w.scope)
    name = w.emitter.local_name(f"{python_name(cell[0])}_cell")
    if name in w.scope.texts.values():
        return []
    w.emitter.cells[text] = name
    return [f"{name} = {text}"]


def read_first(condition: graph.Expr | None) -> tuple[str, tuple[graph.Expr, ...]] | None:
    """Return the cell that a condition reads in every position; None if there is none."""
    match condition:
        case graph.Cell(table, keys, _):
            return table, keys
        case graph.Is(subject, _, _):
            return read_first(subject)
        case graph.Op(op, parts) if op not in LAZY:
            return next((found for part in parts if (found := read_first(part)) is not None), None)
        case _:
            return None
