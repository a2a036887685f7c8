"""Algebraic simplification; single clauses and verdicts without defeats become branches.

In: an expression. Out: one with the same value or the same trap, and no larger (Muchnick 1997, chapter 12).
"""

from dataclasses import replace

from compiler.core import ir
from compiler.core.construct import NO, YES, has_partner
from compiler.core.control import FRAME_MARK
from compiler.core.ir import Apply, Const, Core, EnumConst, If, Primitive
from compiler.core.passes.member_conditions import MemberConditions
from compiler.core.passes.rewriting import FreeNames, subexpressions, substitute, with_parts
from compiler.core.passes.totality import is_total
from compiler.core.representation import BOOL, HEX, Set
from compiler.core.sharing import LetLazy
from compiler.core.trap_reason import TrapReason

OF_SIDES = ("side_feature", "path")  # Arrays of hexsides that never change.
NODES_WITHOUT_WORK = (ir.Local, Const, EnumConst)


def simplify(node: Core) -> Core:
    """Simplify an expression bottom-up."""
    node = with_parts(node, simplify)
    match node:
        case If():
            return _simplify_branch(node)
        case Apply(_, operands, _) if operands:
            return _simplified_operation(node)
        case ir.Fold(ir.FoldKind.SOME, _, ir.Partners(relation, end, piece), None):
            return has_partner(relation, end, piece)
        case ir.Let():
            return _simplify_name(node)
        case LetLazy(name, value, body):
            uses = sum(1 for each in subexpressions(body) if isinstance(each, ir.Force) and each.name == name)
            # A binding of a name, a constant, or a value without uses.
            if not uses or isinstance(value, NODES_WITHOUT_WORK):
                return simplify(substitute(body, {name: value})) if uses else body
            return node
        case ir.Cheapest("reachable", goal=None, price=None, most=None):
            return _reachable_hexes(node) or node
        case ir.SideBit(array, Apply(Primitive.BETWEEN, (one, other))) if array.partition(":")[0] in OF_SIDES:
            return Apply(Primitive.MEMBER, (other, Apply(Primitive.ACROSS, (one,), Set(HEX), array)), BOOL)
        case ir.Resolve(tally=None):
            replacement = _resolve_single_clause(node)
        case ir.Verdict(tally=None):
            replacement = _verdict_as_branches(node)
        case _:
            return node
    return replacement if isinstance(replacement, ir.Resolve | ir.Verdict) else simplify(replacement)


def _reachable_hexes(node: ir.Cheapest) -> Core | None:
    """Return a search for all reachable hexes without costs; None where its gate is no set of hexes for each hex."""
    source, target = node.step
    following: Core = Apply(Primitive.NEIGHBORS, (ir.Local(source, HEX),), Set(HEX))
    if node.gate is not None:
        gate = MemberConditions(target, Set(HEX), FreeNames()).satisfying(node.gate) if is_total(node.gate) else None
        if gate is None:
            return None
        following = gate.restriction_of(following)
    return ir.Reachable(source, node.start, following, node.representation)


def _simplify_branch(node: If) -> Core:
    """Simplify a conditional."""
    condition, then, orelse = node.condition, node.then, node.orelse
    if isinstance(condition, Const):
        return then if condition.value else orelse
    if then == YES and orelse == NO:
        return condition
    if then == NO and orelse == YES:
        return _simplified_operation(Apply(Primitive.NOT, (condition,), BOOL))
    if then == orelse and is_total(condition):
        return then
    if then == NO and orelse != NO:
        return _simplify_branch(If(_simplified_operation(Apply(Primitive.NOT, (condition,), BOOL)), orelse, NO, BOOL))
    if isinstance(condition, If) and orelse == NO and condition.orelse == NO:
        return replace(node, condition=condition.condition, then=_simplify_branch(If(condition.then, then, NO, BOOL)))
    if isinstance(condition, If) and then == YES and condition.then == YES:
        rest = _simplify_branch(If(condition.orelse, YES, orelse, BOOL))
        return replace(node, condition=condition.condition, orelse=rest)
    return node


def _simplify_name(node: ir.Let) -> Core:
    """Propagate copies and constants; a name of a frame is also read by the functions that complete its head."""
    if node.name.startswith(FRAME_MARK) or not isinstance(node.value, NODES_WITHOUT_WORK):
        return node
    return simplify(substitute(node.body, {node.name: node.value}))


def _simplified_operation(node: Apply) -> Core:
    """Simplify the application of a primitive."""
    match node.primitive, node.operands:
        case Primitive.NOT, (Const(value),):
            return NO if value else YES
        case Primitive.NOT, (Apply(Primitive.NOT, (inner,)),):
            return inner
        case Primitive.EQUAL, (EnumConst(first), EnumConst(second)):
            return YES if first == second else NO
        case Primitive.MEMBER, (EnumConst() | Const() as value, ir.Members(elements)):
            return YES if value in elements else NO
        case (Primitive.LESS, (Const(0), ir.Fold(ir.FoldKind.COUNT) as count)) if _counts_without_trap(count):
            return replace(count, kind=ir.FoldKind.SOME, representation=BOOL)
        case (
            (Primitive.LESS, (ir.Fold(ir.FoldKind.COUNT) as count, Const(1)))
            | (Primitive.EQUAL, (ir.Fold(ir.FoldKind.COUNT) as count, Const(0)))
            | (Primitive.EQUAL, (Const(0), ir.Fold(ir.FoldKind.COUNT) as count))
        ) if _counts_without_trap(count):
            some = replace(count, kind=ir.FoldKind.SOME, representation=BOOL)
            return _simplified_operation(Apply(Primitive.NOT, (some,), BOOL))
        case _:
            return node


def _counts_without_trap(node: ir.Fold) -> bool:
    """Return whether no member of a count traps, so that a test for any member may end at the first one."""
    return all(part is None or is_total(part) for part in (node.condition, node.body))


def _resolve_single_clause(node: ir.Resolve) -> Core:
    """Replace a resolution with one clause that is always live by the value of the clause."""
    if node.form is not ir.Form.VALUE or len(node.clauses) != 1:
        return node
    (clause,) = node.clauses
    if clause.value is None or clause.excludes:
        return node
    rest = ir.Trap(TrapReason.GAP, node.representation) if node.default is None else node.default
    value = clause.value if clause.guard is None else If(clause.guard, clause.value, rest, node.representation)
    return _with_lazies(clause, value)


def _verdict_as_branches(node: ir.Verdict) -> Core:
    """Replace a verdict whose clauses defeat nothing by a chain of conditionals.

    The first live clause that bars decides; then the first that grants. Clauses that only defeat have no target. A
    clause that grants is evaluated before later ones that bar, and may trap: so only verdicts in which all that bar
    come first are replaced.
    """
    node = _without_dead_clauses(node)
    clauses = node.clauses
    last = _barring(node)[-1]
    if any(clause.defeated_by for clause, _ in clauses):
        first, grants = clauses[0]
        defeats = any(first.label in clause.defeated_by for clause, _ in clauses)
        if grants is not False or first.defeated_by or defeats:
            return node
        rest = replace(node, clauses=clauses[1:])
        return _with_lazies(first, NO if first.guard is None else If(first.guard, NO, rest, BOOL))
    if any(grants is not False for _, grants in clauses[: last + 1]):
        return node
    body: Core = YES if node.default else NO
    for clause, grants in reversed(clauses):
        if grants is not None:
            answer = YES if grants else NO
            body = _with_lazies(clause, answer if clause.guard is None else If(clause.guard, answer, body, BOOL))
    return body


def _barring(node: ir.Verdict) -> list[int]:
    """Return the indexes of the clauses that bar, behind -1."""
    return [-1, *(index for index, (_, grants) in enumerate(node.clauses) if grants is False)]


def _without_dead_clauses(node: ir.Verdict) -> ir.Verdict:
    """Return a verdict without clauses that decide nothing, where what is evaluated because of these is total.

    What decides nothing: a clause that is never live, that only defeats but defeats none, or that follows the last one
    that bars where the default grants. Because of a clause its defeaters are evaluated; because of the last one that
    bars also all after the one before.
    """
    may_trap = {clause.label for clause, _ in node.clauses if not is_total(clause.guard or YES)}
    defeaters = {label for clause, _ in node.clauses for label in clause.defeated_by}
    *earlier, last = _barring(node)
    needed_clauses = []
    for index, (clause, grants) in enumerate(node.clauses):
        defeats_none = grants is None and clause.label not in defeaters
        decides = clause.guard != NO and not defeats_none and not (node.default and index > last)
        evaluated = {*clause.defeated_by}
        if index == last:
            evaluated |= {other.label for other, _ in node.clauses[earlier[-1] + 1 :]}
        if decides or evaluated & may_trap:
            needed_clauses.append((clause, grants))
    if len(needed_clauses) == len(node.clauses):
        return node
    return _without_dead_clauses(replace(node, clauses=tuple(needed_clauses)))


def _with_lazies(clause: ir.Clause, body: Core) -> Core:
    """Wrap a body in the lazy bindings of a clause."""
    for lazy in reversed(clause.lazy):
        body = LetLazy(lazy.name, lazy.value, body, body.representation)
    return body
