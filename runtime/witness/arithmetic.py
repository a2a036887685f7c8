"""Propose one change that may move an amount that is computed: by arithmetic, by counting, by a term, by a chart.

In: the expression, and what its value should be. Out: a changed setting, or None. Each function passes
the wish on to one of the parts the value is made from.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from runtime.answer.answer import Unanswered
from runtime.answer.expressions import Delayed, Environment
from runtime.graph import nodes as graph
from runtime.state.constants import Scope, constant
from runtime.state.record import Value
from runtime.witness import setting as changes
from runtime.witness.grow import add_member, remove_member
from runtime.witness.setting import Setting
from runtime.witness.wanted import Wanted

if TYPE_CHECKING:
    from runtime.witness.mend import Mender

# A board grows at most so far to put two hexes at a wanted distance.
LONGEST_ROW = 31

# What says the same in every position.
CONSTANTS = (graph.Num, graph.Truth, graph.Member, graph.Place)


def operation(mender: "Mender", op: graph.Op, names: Environment, wanted: Wanted) -> Setting | None:
    """Turn an operator round and push one of its operands."""
    if wanted.op in {"present", "absent"}:
        return None
    match op.op:
        case "if":
            return _branch(mender, op, names, wanted)
        case "distance":
            return _apart(mender, op, names, wanted)
        case "neg":
            return mender.push(op.arguments[0], names, wanted.mirrored())
        case "+" | "-" | "*" | "/":
            return _binary(mender, op, names, wanted)
        case "round_up" | "round_down" | "min" | "max" | "clamp" | "number" | "place":
            return mender.push(mender.chance.pick(op.arguments), names, wanted)
        case _:
            return None


def _branch(mender: "Mender", op: graph.Op, names: Environment, wanted: Wanted) -> Setting | None:
    """Take the branch that says what is wanted, leave the one that does not, or move what it says."""
    condition, then, orelse = op.arguments
    holds = bool(mender.aim.value(condition, names))
    taken, other = (then, orelse) if holds else (orelse, then)
    movable = not isinstance(taken, CONSTANTS)
    if not movable or (wanted.admits(mender.aim.value(other, names)) and not mender.chance.once_in(4)):
        return mender.mend(condition, names, want=not holds)
    return mender.push(taken, names, wanted)


def _binary(mender: "Mender", op: graph.Op, names: Environment, wanted: Wanted) -> Setting | None:
    """Solve for one operand, the others being what they are."""
    place = mender.chance.below(len(op.arguments))
    others = [mender.aim.value(other, names) for at, other in enumerate(op.arguments) if at != place]
    if any(not isinstance(other, (int, Fraction)) for other in others):
        return None
    turned: Wanted | None = None
    match op.op:
        case "+":
            turned = wanted.moved(-sum(others))
        case "-":
            turned = wanted.moved(others[0]) if place == 0 else wanted.moved(-others[0]).mirrored()
        case "*" if others[0]:
            turned = wanted.scaled(Fraction(others[0]))
        case "/" if others[0]:
            turned = wanted.scaled(1 / Fraction(others[0])) if place == 0 else wanted
        case _:
            pass
    return None if turned is None else mender.push(op.arguments[place], names, turned)


def _apart(mender: "Mender", op: graph.Op, names: Environment, wanted: Wanted) -> Setting | None:
    """Put one of two hexes at the wanted distance from the other; the row grows if it must."""
    left, right = op.arguments
    fixed, moved = (left, right) if mender.chance.once_in(2) else (right, left)
    here = mender.aim.value(fixed, names)
    match mender.chosen(graph.Number(0, LONGEST_ROW - 1, "hexes"), wanted):
        case graph.Num(value) if here is not None:
            far = int(value)
        case _:
            return None
    board = mender.state.board
    if fits := [other for other in range(board.size) if board.distance(here, other) == far]:
        return mender.push(moved, names, Wanted("=", mender.chance.pick(fits)))
    if any(board.row):
        return None
    there = here + far if here + far < LONGEST_ROW else here - far
    if there >= board.size:
        taken = {piece.name for piece in mender.setting.position.pieces}
        free = [name for name in mender.materials.hex_names(2 * LONGEST_ROW) if name not in taken]
        names_ = free[: there + 1]
        return changes.with_hexes(mender.setting, (*board.names, *(n for n in names_ if n not in board.names)))
    return None if there < 0 else mender.push(moved, names, Wanted("=", there))


def count(mender: "Mender", fold: graph.Fold, names: Environment, wanted: Wanted) -> Setting | None:
    """Count more or fewer: add or remove a member, or let one pass the condition."""
    members = mender.aim.value(fold.source, names)
    now = mender.aim.value(fold, names)
    if members is None or now is None or wanted.op in {"present", "absent"}:
        return None
    more = now < wanted.bound or (now == wanted.bound and wanted.op in {">", "!="})
    if fold.where is not None and len(members) and not mender.chance.once_in(3):
        member = mender.chance.pick(tuple(members))
        return mender.mend(fold.where, {**names, fold.var: member}, want=more)
    return (add_member if more else remove_member)(mender, fold.source, names)


def answer(
    mender: "Mender", term: graph.Term, arguments: tuple[graph.Expr, ...], names: Environment, wanted: Wanted
) -> Setting | None:
    """Get another answer out of a term: wake or silence a rule, or move what one concludes."""
    given = tuple(Delayed(argument, names) for argument in arguments)
    rules = [rule for label in term.rules if (rule := mender.stack.rules[label]).value is not None]
    if not rules:
        return None
    rule = mender.chance.pick(rules)
    names = mender.bound(term, rule, given)
    try:
        would_do = wanted.admits(mender.aim.value(rule.value, names)) if rule.value is not None else False
        speaks = mender.aim.live(term, rule, given, want=True) == 1.0
        movable = rule.value is not None and not isinstance(rule.value, CONSTANTS)
        if movable and rule.value is not None and not would_do and mender.chance.once_in(2):
            return mender.push(rule.value, names, wanted)
        return mender.live(term, rule, given, want=would_do if speaks != would_do else mender.chance.once_in(2))
    except Unanswered:
        return None


def cell(
    mender: "Mender", table: graph.Table, keys: tuple[graph.Expr, ...], names: Environment, wanted: Wanted
) -> Setting | None:
    """Enter a chart elsewhere: take a row that would do, and push one key that does not match it."""
    scope = Scope({}, mender.state.frame.rank)
    offered = [(row, _content(row, wanted, scope)) for row in table.rows]
    fits = [row for row, value in offered if wanted.admits(value)]
    values = [mender.aim.value(key, names) for key in keys]
    if not fits:
        now = next((value for row, value in offered if _reads(row, values)), None)
        fits = [row for row, value in offered if wanted.nearer(value, now)]
    if not fits:
        return None
    row = mender.chance.pick(fits)
    wrong = [
        (key, accepted)
        for key, accepted, value in zip(keys, row.keys, values, strict=True)
        if accepted is not None and not any(_lies(value, match) for match in accepted)
    ]
    if not wrong:
        return None
    key, accepted = mender.chance.pick(wrong)
    return mender.push(key, names, Wanted("=", mender.chance.pick(accepted).low))


def _content(row: graph.TableRow, wanted: Wanted, scope: Scope) -> Value:
    """Read what a row offers: its kind where a word is wanted, else its value."""
    if isinstance(wanted.bound, str) and row.kind:
        return row.kind
    try:
        return None if row.value is None else constant(row.value, scope)
    except (LookupError, ValueError):
        # The cell computes from its keys.
        return None


def _reads(row: graph.TableRow, values: list[Value]) -> bool:
    """Tell whether these keys lead to a row."""
    pairs = zip(row.keys, values, strict=True)
    return all(accepted is None or any(_lies(value, match) for match in accepted) for accepted, value in pairs)


def _lies(value: Value, match: graph.Match) -> bool:
    try:
        return value is not None and bool(match.low <= value <= match.high)
    except TypeError:
        return False
