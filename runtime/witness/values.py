"""Propose one change to a candidate that may move an amount, a word or a place to a target.

The input is an expression, and a target for its value; the output is a changed candidate, or None. Arithmetic is
inverted on the way down, `a - b > 2` becomes `a > 2 + b`; the leaves are a factor, a track, the hex of a piece, an
argument of the question.
"""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from runtime.answer.expressions import Environment, LazyBinding
from runtime.graph import nodes as graph
from runtime.graph.literals import literal_value
from runtime.graph.operators import OPERATORS
from runtime.state.change import OPEN
from runtime.state.constants import ConstantScope, evaluate_constant
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.extension import add_member, remove_member
from runtime.witness.pool import Target
from runtime.witness.stored_values import choose_value, stored_value

if TYPE_CHECKING:
    from runtime.witness.repair import Repairer

# Operators whose value moves with their operands.
NUMERIC = frozenset({"+", "-", "*", "/", "neg", "round_up", "round_down", "min", "max", "clamp", "number", "place"})


def perturb_expression(repairer: "Repairer", expr: graph.Expr, names: Environment, target: Target) -> Candidate | None:
    """Propose a change: one case for each node that a value may come from."""
    match expr:
        case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
            return perturb_expression(repairer, delayed.expr, delayed.names, target)
        case graph.Get(_, "partner" | "partners"):
            return add_member(repairer, expr, names)
        case graph.Get(base, "printed" | "given" as what, _, name) if what == "printed" or name in CHOSEN_BY_WORD:
            subject = repairer.instance.value(base, names)
            return None if subject is None else _perturb_piece(repairer, subject, name, target, what)
        case graph.Op():
            return _perturb_operation(repairer, expr, names, target)
        case graph.Fold("count"):
            return _perturb_count(repairer, expr, names, target)
        case graph.Fold(_, var, source, _, body):
            members = repairer.instance.value(source, names)
            if body is None or not members or repairer.chance.one_in(3):
                return add_member(repairer, source, names)
            return perturb_expression(repairer, body, {**names, var: repairer.chance.pick(tuple(members))}, target)
        case graph.Ask(term, arguments):
            return repairer.change_answer(repairer.stack.terms[term], arguments, names, target)
        case graph.Cell(table, keys):
            return _perturb_cell(repairer, repairer.stack.tables[table], keys, names, target)
        case graph.Is() | graph.Has():
            return repairer.propose_repair(expr, names, want=bool(target.bound) == (target.op == "="))
        case _:
            return _perturb_stored(repairer, expr, names, target)


def _perturb_stored(repairer: "Repairer", expr: graph.Expr, names: Environment, target: Target) -> Candidate | None:
    """Write a value that meets the target where the value of an expression stands."""
    stored = stored_value(repairer, expr, names)
    if stored is None:
        return None
    if target.op == "absent":
        return stored.write(None)
    value = choose_value(repairer, stored.type, target)
    return None if value is None else stored.write(value)


# ---------------------------------------------------------------------- pieces

# Fields of a piece that are chosen by name.
CHOSEN_BY_WORD = frozenset({"side", "place", "kind"})


def _perturb_piece(repairer: "Repairer", subject: Value, name: str, target: Target, what: str) -> Candidate | None:
    """Change a printed factor of a piece, or its side, place or kind."""
    if what == "printed":
        return _perturb_printed(repairer, subject, name, target)
    piece = repairer.piece(subject)
    match name:
        case "side":
            return _with_owner(repairer, piece, [side for side in repairer.materials.sides if target.admits(side)])
        case "place":
            declared_places = [flag.name for flag in repairer.stack.vocabulary.flags.values() if flag.what == "place"]
            places = [place for place in ("", *declared_places) if target.admits(place or OPEN)]
            place = repairer.chance.pick_or_none(places)
            return None if place is None else changes.with_piece_as(repairer.candidate, replace(piece, place=place))
        case _:
            return repairer.with_word(subject, graph.Test("kind", "", target.bound), want=target.op == "=")


def _perturb_printed(repairer: "Repairer", subject: int, name: str, target: Target) -> Candidate | None:
    """Choose a counter whose factor meets the target; a kind without counters has it printed as wanted."""
    sheet, piece = repairer.state.sheets[subject], repairer.piece(subject)
    counters = repairer.materials.counters.get(sheet.kind)
    if counters is None:
        return _set_printed(repairer, piece, name, target)
    scope = ConstantScope({}, repairer.state.frame.rank)
    current_value = sheet.printed.get(name)
    matching_counters, nearer_counters = [], []
    for counter in counters:
        factor = dict(counter.printed).get(name)
        value = None if factor is None else evaluate_constant(factor, scope)
        if factor is not None and target.admits(value):
            matching_counters.append(counter)
        elif factor is not None and target.is_improvement(value, current_value):
            nearer_counters.append(counter)
    offered = matching_counters or nearer_counters
    # Another stack may not have what a layer added, so no piece has it otherwise than its counter if one counter does.
    added = name in dict(repairer.stack.vocabulary.kinds[sheet.kind].first)
    if not repairer.materials.varies_printed or (offered and (added or repairer.chance.one_in(2))):
        return repairer.change_counter(piece, offered)
    return _set_printed(repairer, piece, name, target)


def _set_printed(repairer: "Repairer", piece: graph.PieceAt, name: str, target: Target) -> Candidate | None:
    """Set a printed factor of a piece."""
    factors = {factor.name: factor.type for factor in repairer.stack.vocabulary.kinds[piece.kind].printed}
    value = choose_value(repairer, factors[name], target) if name in factors else None
    if value is None:
        return None
    return changes.with_piece_as(repairer.candidate, changes.with_factor(piece, name, value))


def _with_owner(repairer: "Repairer", piece: graph.PieceAt, sides: list[str]) -> Candidate | None:
    """Assign a piece to one of these sides; if counters belong to a side, choose one of theirs."""
    of_kind = repairer.materials.counters.get(piece.kind, ())
    counters = [counter for counter in of_kind if counter.owner in {"", *sides}]
    is_owned = bool(piece.counter and repairer.stack.counters[piece.counter].owner)
    if is_owned and counters:
        return repairer.change_counter(piece, counters)
    if is_owned and not repairer.materials.varies_printed:
        return None
    side = repairer.chance.pick_or_none(sides)
    return None if side is None else changes.with_piece_as(repairer.candidate, replace(piece, owner=side))


# ---------------------------------------------------------------------- what is computed

# The most hexes by which a board is extended to put two hexes at a wanted distance.
LONGEST_ROW = 31


def _perturb_operation(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
    """Select a branch, move a hex, or invert an operator and perturb one of its operands."""
    if target.op in {"present", "absent"}:
        return None
    if op.op == "if":
        return _perturb_branch(repairer, op, names, target)
    if op.op == "distance":
        return _perturb_distance(repairer, op, names, target)
    return _perturb_operand(repairer, op, names, target) if op.op in NUMERIC else None


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
    """Solve for one operand, with the others fixed, by how much the value moves with it."""
    index = repairer.chance.number_below(len(op.arguments))
    values = [repairer.instance.value(argument, names) for argument in op.arguments]
    if all(isinstance(value, (int, Fraction)) for value in (*values, target.bound)):
        compute, moved = OPERATORS[op.op].compute, [*values]
        moved[index] += 1
        value = compute(*values)
        target = target.of_operand(values[index], value, compute(*moved) - value)
    return repairer.perturb(op.arguments[index], names, target)


def _perturb_distance(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
    """Move one of two hexes to the wanted distance from the other; the row is extended if necessary."""
    left, right = op.arguments
    fixed, moved = (left, right) if repairer.chance.one_in(2) else (right, left)
    fixed_space = repairer.instance.value(fixed, names)
    length = choose_value(repairer, graph.Number(0, LONGEST_ROW - 1, "hexes"), target)
    if not isinstance(length, graph.Num) or fixed_space is None:
        return None
    far = int(length.value)
    board = repairer.state.board
    if spaces := [other for other in range(board.size) if board.distance(fixed_space, other) == far]:
        return repairer.perturb(moved, names, Target("=", repairer.chance.pick(spaces)))
    if any(board.row):
        return None
    moved_space = fixed_space + far if fixed_space + far < LONGEST_ROW else fixed_space - far
    if moved_space >= board.size:
        return changes.with_hexes(repairer.candidate, _longer_row(repairer, moved_space + 1))
    return None if moved_space < 0 else repairer.perturb(moved, names, Target("=", moved_space))


def _longer_row(repairer: "Repairer", length: int) -> tuple[str, ...]:
    """Return the names of a board's hexes, and of more: the first of `length` names that are new."""
    hex_names = repairer.state.board.names
    piece_names = {piece.name for piece in repairer.candidate.position.pieces}
    free = [name for name in repairer.materials.hex_names(2 * LONGEST_ROW) if name not in piece_names]
    return (*hex_names, *(name for name in free[:length] if name not in hex_names))


def _perturb_count(repairer: "Repairer", fold: graph.Fold, names: Environment, target: Target) -> Candidate | None:
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


def _perturb_cell(
    repairer: "Repairer", table: graph.Table, keys: tuple[graph.Expr, ...], names: Environment, target: Target
) -> Candidate | None:
    """Change the cell that is read: select a row with the wanted value, and perturb one key that does not match it."""
    rows = [(row, _content(row, target)) for row in table.rows]
    matching_rows = [row for row, value in rows if target.admits(value)]
    values = [repairer.instance.value(key, names) for key in keys]
    if not matching_rows:
        current_value = next((value for row, value in rows if row_matches(row, values)), None)
        matching_rows = [row for row, value in rows if target.is_improvement(value, current_value)]
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
        if accepted is not None and not _is_accepted(value, accepted)
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
    return all(accepted is None or _is_accepted(value, accepted) for accepted, value in pairs)


def _is_accepted(value: Value, accepted: tuple[graph.Match, ...]) -> bool:
    """Return whether a row accepts a key; a word beside a number is not accepted."""
    try:
        return value is not None and any(match.low <= value <= match.high for match in accepted)
    except TypeError:
        return False
