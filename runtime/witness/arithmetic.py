"""Propose one change that may move a computed amount: by arithmetic, counting, a term or a chart.

The input is the expression, and a target for its value; the output is a changed candidate, or None. Each function
propagates the target to one of the operands.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from runtime.answer.expressions import Environment, LazyBinding
from runtime.answer.interpreter import bindings_of
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.literals import literal_value
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.extension import add_member, remove_member
from runtime.witness.target import Target

if TYPE_CHECKING:
    from runtime.witness.repair import Repairer

# The most hexes by which a board is extended to put two hexes at a wanted distance.
LONGEST_ROW = 31


def perturb_operation(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
    """Invert an operator and perturb one of its operands."""
    if target.op in {"present", "absent"}:
        return None
    match op.op:
        case "if":
            return _perturb_branch(repairer, op, names, target)
        case "distance":
            return _perturb_distance(repairer, op, names, target)
        case "neg":
            return repairer.perturb(op.arguments[0], names, target.negated())
        case "+" | "-" | "*" | "/":
            return _perturb_operand(repairer, op, names, target)
        case "round_up" | "round_down" | "min" | "max" | "clamp" | "number" | "place":
            return repairer.perturb(repairer.chance.pick(op.arguments), names, target)
        case _:
            return None


def _perturb_branch(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
    """Select the branch with the wanted value, leave the other one, or perturb the value of a branch."""
    condition, consequent, alternative = op.arguments
    holds = bool(repairer.instance.value(condition, names))
    branch, other = (consequent, alternative) if holds else (alternative, consequent)
    movable = not isinstance(branch, graph.LiteralExpr)
    if not movable or (target.admits(repairer.instance.value(other, names)) and not repairer.chance.one_in(4)):
        return repairer.propose_repair(condition, names, want=not holds)
    return repairer.perturb(branch, names, target)


def _perturb_operand(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
    """Solve for one operand, with the others fixed."""
    place = repairer.chance.number_below(len(op.arguments))
    others = [repairer.instance.value(other, names) for index, other in enumerate(op.arguments) if index != place]
    if any(not isinstance(other, (int, Fraction)) for other in others):
        return None
    operand_target: Target | None = None
    match op.op:
        case "+":
            operand_target = target.offset_by(-sum(others))
        case "-":
            operand_target = target.offset_by(others[0]) if place == 0 else target.offset_by(-others[0]).negated()
        case "*" if others[0]:
            operand_target = target.divided_by(Fraction(others[0]))
        case "/" if others[0]:
            operand_target = target.divided_by(1 / Fraction(others[0])) if place == 0 else target
    return None if operand_target is None else repairer.perturb(op.arguments[place], names, operand_target)


def _perturb_distance(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
    """Move one of two hexes to the wanted distance from the other; the row is extended if necessary."""
    left, right = op.arguments
    fixed, moved = (left, right) if repairer.chance.one_in(2) else (right, left)
    fixed_space = repairer.instance.value(fixed, names)
    match repairer.choose_value(graph.Number(0, LONGEST_ROW - 1, "hexes"), target):
        case graph.Num(value) if fixed_space is not None:
            far = int(value)
        case _:
            return None
    board = repairer.state.board
    if spaces := [other for other in range(board.size) if board.distance(fixed_space, other) == far]:
        return repairer.perturb(moved, names, Target("=", repairer.chance.pick(spaces)))
    if any(board.row):
        return None
    moved_space = fixed_space + far if fixed_space + far < LONGEST_ROW else fixed_space - far
    if moved_space >= board.size:
        piece_names = {piece.name for piece in repairer.candidate.position.pieces}
        free = [name for name in repairer.materials.hex_names(2 * LONGEST_ROW) if name not in piece_names]
        names_ = free[: moved_space + 1]
        return changes.with_hexes(repairer.candidate, (*board.names, *(n for n in names_ if n not in board.names)))
    return None if moved_space < 0 else repairer.perturb(moved, names, Target("=", moved_space))


def perturb_count(repairer: "Repairer", fold: graph.Fold, names: Environment, target: Target) -> Candidate | None:
    """Increase or decrease a count: add or remove a member, or let one pass the condition."""
    members = repairer.instance.value(fold.source, names)
    count = repairer.instance.value(fold, names)
    if members is None or count is None or target.op in {"present", "absent"}:
        return None
    more = count < target.bound or (count == target.bound and target.op in {">", "!="})
    if fold.where is not None and len(members) and not repairer.chance.one_in(3):
        member = repairer.chance.pick(tuple(members))
        return repairer.propose_repair(fold.where, {**names, fold.var: member}, want=more)
    return (add_member if more else remove_member)(repairer, fold.source, names)


def perturb_answer(
    repairer: "Repairer", term: graph.Term, arguments: tuple[graph.Expr, ...], names: Environment, target: Target
) -> Candidate | None:
    """Change the answer of a term: make a rule live or silent, or perturb what one concludes."""
    bindings = tuple(LazyBinding(argument, names) for argument in arguments)
    rules = [rule for label in term.rules if (rule := repairer.stack.rules[label]).value is not None]
    if not rules:
        return None
    rule = repairer.chance.pick(rules)
    names = bindings_of(term, rule, bindings)
    try:
        would_do = target.admits(repairer.instance.value(rule.value, names)) if rule.value is not None else False
        speaks = repairer.instance.is_live(term, rule, bindings)
        movable = rule.value is not None and not isinstance(rule.value, graph.LiteralExpr)
        if movable and rule.value is not None and not would_do and repairer.chance.one_in(2):
            return repairer.perturb(rule.value, names, target)
        return repairer.make_live(
            term, rule, bindings, want=would_do if speaks != would_do else repairer.chance.one_in(2)
        )
    except Unanswered:
        return None


def perturb_cell(
    repairer: "Repairer", table: graph.Table, keys: tuple[graph.Expr, ...], names: Environment, target: Target
) -> Candidate | None:
    """Change the cell that is read: select a row with the wanted value, and perturb one key that does not match it."""
    offered = [(row, _content(row, target)) for row in table.rows]
    matching_rows = [row for row, value in offered if target.admits(value)]
    values = [repairer.instance.value(key, names) for key in keys]
    if not matching_rows:
        current_value = next((value for row, value in offered if row_matches(row, values)), None)
        matching_rows = [row for row, value in offered if target.is_improvement(value, current_value)]
    if not matching_rows:
        return None
    return match_row(repairer, repairer.chance.pick(matching_rows), keys, values, names)


def match_row(
    repairer: "Repairer", row: graph.TableRow, keys: tuple[graph.Expr, ...], values: list[Value], names: Environment
) -> Candidate | None:
    """Perturb one key that does not match a row; None if all do."""
    wrong = [
        (key, accepted)
        for key, accepted, value in zip(keys, row.keys, values, strict=True)
        if accepted is not None and not is_accepted(value, accepted)
    ]
    if not wrong:
        return None
    key, accepted = repairer.chance.pick(wrong)
    return repairer.perturb(key, names, Target("=", repairer.chance.pick(accepted).low))


def _content(row: graph.TableRow, target: Target) -> Value:
    """Return the content of a row: its kind where a word is wanted, else its value."""
    if isinstance(target.bound, str) and row.kind:
        return row.kind
    return None if row.value is None else literal_value(row.value)


def row_matches(row: graph.TableRow, values: list[Value]) -> bool:
    """Return whether these keys match a row."""
    pairs = zip(row.keys, values, strict=True)
    return all(accepted is None or is_accepted(value, accepted) for accepted, value in pairs)


def is_accepted(value: Value, accepted: tuple[graph.Match, ...]) -> bool:
    """Return whether a row accepts a key; a word beside a number is not accepted."""
    try:
        return value is not None and any(match.low <= value <= match.high for match in accepted)
    except TypeError:
        return False
