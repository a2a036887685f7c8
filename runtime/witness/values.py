"""Propose one change to a candidate that may move an amount, a word or a place to a target.

The input is an expression, and a target for its value; the output is a changed candidate, or None. Arithmetic is
inverted on the way down, `a - b > 2` becomes `a > 2 + b`; the leaves are a factor, a track, the hex of a piece, an
argument of the question.
"""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from runtime.answer.expressions import Environment, LazyBinding
from runtime.answer.interpreter import bindings_of
from runtime.board.answer_errors import Unanswered
from runtime.graph import nodes as graph
from runtime.graph.literals import literal_value
from runtime.state.constants import ConstantScope, evaluate_constant
from runtime.state.record import Record, Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.extension import AREA, add_member, remove_member
from runtime.witness.pool import Target, literal_text
from runtime.witness.translated_position import fact_type

if TYPE_CHECKING:
    from runtime.witness.repair import Repairer

WHEN = graph.Number(0, None, "")
CLOCK_TYPES: dict[str, graph.Type] = {
    "turn": graph.Number(1, None, ""),
    "player": graph.Enum("side"),
    "phase": graph.Enum("phase"),
}


def perturb_expression(repairer: "Repairer", expr: graph.Expr, names: Environment, target: Target) -> Candidate | None:
    """Propose a change: one case for each node that a value may come from."""
    match expr:
        case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
            return perturb_expression(repairer, delayed.expr, delayed.names, target)
        case graph.Var(name) if name.startswith("@"):
            return _perturb_argument(repairer, int(name[1:]), target)
        case graph.Get(base):
            subject = repairer.instance.value(base, names)
            return None if subject is None else _perturb_field(repairer, expr, subject, names, target)
        case graph.GameTrack(owner, name):
            return _perturb_game_track(repairer, owner, name, target)
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
            return _perturb_answer(repairer, repairer.stack.terms[term], arguments, names, target)
        case graph.Cell(table, keys):
            return _perturb_cell(repairer, repairer.stack.tables[table], keys, names, target)
        case graph.Is() | graph.Has():
            return repairer.propose_repair(expr, names, want=bool(target.bound) == (target.op == "="))
        case _:
            return None


# ---------------------------------------------------------------------- where values stand


def choose_value(repairer: "Repairer", type_: graph.Type, target: Target) -> graph.Expr | None:
    """Choose a value of a type that meets the target."""
    if isinstance(type_, (graph.Number, graph.Scale)) and target.op not in {"present", "absent"}:
        steps = {"=": (0,), "!=": (-1, 1), "<": (-1, -1, -3), "<=": (0, -1), ">": (1, 1, 3), ">=": (0, 1)}
        bound = Fraction(target.bound) + repairer.chance.pick(steps[target.op])
        if isinstance(type_, graph.Number) and type_.high is not None and type_.low is not None:
            bound = max(Fraction(type_.low), min(Fraction(type_.high), bound))
        return literal_text(bound if bound.denominator > 1 else int(bound), type_, repairer.state)
    if target.op == "=":
        return literal_text(target.bound, type_, repairer.state)
    return repairer.materials.make_value(type_, repairer.candidate)


def _perturb_argument(repairer: "Repairer", index: int, target: Target) -> Candidate | None:
    value = choose_value(repairer, repairer.types[index], target)
    return None if value is None else changes.with_argument(repairer.candidate, index, value)


def _perturb_game_track(repairer: "Repairer", owner: str, name: str, target: Target) -> Candidate | None:
    if owner == "game" and name in CLOCK_TYPES:
        match choose_value(repairer, CLOCK_TYPES[name], target):
            case graph.Num(turn):
                return changes.with_clock(repairer.candidate, name, int(turn))
            case graph.Member(_, word):
                return changes.with_clock(repairer.candidate, name, word)
            case _:
                return None
    type_ = fact_type(f"{owner}.{name}", repairer.stack)
    if type_ is None:
        return None
    value = None if target.op == "absent" else choose_value(repairer, type_, target)
    return changes.with_fact(repairer.candidate, f"{owner}.{name}", value)


def _perturb_field(
    repairer: "Repairer", get: graph.Get, subject: Value, names: Environment, target: Target
) -> Candidate | None:
    """Change a field of a piece, hex or record."""
    match get.what:
        case "printed":
            return _perturb_printed(repairer, subject, get.name, target)
        case "track":
            return _perturb_track(repairer, get, subject, target)
        case "given":
            return _perturb_given(repairer, get.name, subject, target)
        case "partner" | "partners":
            return add_member(repairer, get, names)
        case "record":
            return _perturb_record(repairer, get, subject, names, target)
        case _:
            return None


def _perturb_track(repairer: "Repairer", get: graph.Get, subject: Value, target: Target) -> Candidate | None:
    """Set or clear a track of a hex, a side or a piece."""
    type_ = repairer.stack.vocabulary.tracks[f"{get.owner}.{get.name}"].type
    value = None if target.op == "absent" else choose_value(repairer, type_, target)
    if get.owner == "hex":
        return changes.with_hex_note(repairer.candidate, repairer.state.board.names[subject], get.name, value)
    if get.owner == "side":
        return changes.with_fact(repairer.candidate, f"{subject}.{get.name}", value)
    name = repairer.state.sheets[subject].name
    return repairer.edit_candidate(name, lambda piece: changes.with_note(piece, get.name, value))


def _perturb_printed(repairer: "Repairer", piece: int, name: str, target: Target) -> Candidate | None:
    """Choose a counter whose factor meets the target; a kind without counters has it printed as wanted."""
    sheet = repairer.state.sheets[piece]
    counters = repairer.materials.counters.get(sheet.kind)
    if counters is None:
        return _set_printed(repairer, sheet.name, sheet.kind, name, target)
    scope = ConstantScope({}, repairer.state.frame.rank)
    offered = [
        (counter, evaluate_constant(factor, scope))
        for counter in counters
        if (factor := dict(counter.printed).get(name)) is not None
    ]
    current_value = sheet.printed.get(name)
    matching_counters = [counter for counter, value in offered if target.admits(value)]
    matching_counters = matching_counters or [
        counter for counter, value in offered if target.is_improvement(value, current_value)
    ]
    # Another stack may not have what a layer added, so no piece has it otherwise than its counter if one counter does.
    added = name in dict(repairer.stack.vocabulary.kinds[sheet.kind].first)
    if not repairer.materials.varies_printed or (matching_counters and (added or repairer.chance.one_in(2))):
        return repairer.change_counter(sheet.name, matching_counters)
    return _set_printed(repairer, sheet.name, sheet.kind, name, target)


def _set_printed(repairer: "Repairer", piece: str, kind: str, name: str, target: Target) -> Candidate | None:
    """Set a printed factor of a piece."""
    factors = {factor.name: factor.type for factor in repairer.stack.vocabulary.kinds[kind].printed}
    value = choose_value(repairer, factors[name], target) if name in factors else None
    return None if value is None else repairer.edit_candidate(piece, lambda p: changes.with_factor(p, name, value))


def _perturb_given(repairer: "Repairer", name: str, subject: int, target: Target) -> Candidate | None:
    """Move a piece, or change its side or place."""
    piece = repairer.state.sheets[subject].name if name in {"hex", "side", "place", "kind", "area", "arrives"} else ""
    match name:
        case "hex":
            space = choose_value(repairer, graph.Hex(), target)
            if isinstance(space, graph.Spot):
                return repairer.edit_candidate(piece, lambda p: replace(p, at=space.name))
            return None
        case "side":
            sides = [side for side in repairer.materials.sides if target.admits(side)]
            return _with_owner(repairer, piece, sides)
        case "place":
            flags = repairer.stack.vocabulary.flags.values()
            places = [p for p in ("", *(f.name for f in flags if f.what == "place")) if target.admits(p or "open")]
            place = repairer.chance.pick_or_none(places)
            return None if place is None else repairer.edit_candidate(piece, lambda p: replace(p, place=place))
        case "arrives":
            turn = choose_value(repairer, WHEN, target)
            return None if turn is None else repairer.edit_candidate(piece, lambda p: replace(p, arrives=turn))
        case "area":
            area = choose_value(repairer, AREA, target)
            return None if area is None else repairer.edit_candidate(piece, lambda p: replace(p, area=area))
        case "kind":
            test = graph.Test("kind", "", target.bound)
            return repairer.with_word(subject, test, want=target.op == "=")
        case _:
            return None


def _with_owner(repairer: "Repairer", name: str, sides: list[str]) -> Candidate | None:
    """Assign a piece to one of these sides; if counters belong to a side, choose one of theirs."""
    piece = next(piece for piece in repairer.candidate.position.pieces if piece.name == name)
    counters = [c for c in repairer.materials.counters.get(piece.kind, ()) if c.owner in sides or not c.owner]
    if piece.counter and repairer.stack.counters[piece.counter].owner and counters:
        return repairer.change_counter(name, counters)
    if piece.counter and repairer.stack.counters[piece.counter].owner and not repairer.materials.varies_printed:
        return None
    side = repairer.chance.pick_or_none(sides)
    return None if side is None else repairer.edit_candidate(name, lambda p: replace(p, owner=side))


def _perturb_record(
    repairer: "Repairer", get: graph.Get, subject: Value, names: Environment, target: Target
) -> Candidate | None:
    """Change a field of a record that is an argument of the question."""
    if not isinstance(subject, Record) or get.owner not in repairer.stack.vocabulary.records:
        return None
    fields = {field.name: field.type for field in repairer.stack.vocabulary.records[get.owner].fields}
    value = None if target.op == "absent" else choose_value(repairer, fields[get.name], target)
    for index, argument in enumerate(repairer.candidate.arguments):
        same = repairer.instance.value(get.base, names) is subject and isinstance(argument, graph.New)
        if same and isinstance(argument, graph.New) and argument.record == get.owner:
            other_fields = tuple(field for field in argument.fields if field[0] != get.name)
            changed = other_fields if value is None else (*other_fields, (get.name, value))
            return changes.with_argument(repairer.candidate, index, graph.New(argument.record, changed))
    return None


# The most hexes by which a board is extended to put two hexes at a wanted distance.
LONGEST_ROW = 31


def _perturb_operation(repairer: "Repairer", op: graph.Op, names: Environment, target: Target) -> Candidate | None:
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


def _perturb_answer(
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


def _perturb_cell(
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
