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
from runtime.state.constants import ConstantScope, evaluate_constant
from runtime.state.record import Record, Value
from runtime.witness import arithmetic
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.card_facts import fact_type
from runtime.witness.domain_pool import literal_text
from runtime.witness.extension import AREA, add_member
from runtime.witness.target import MIRRORED, Target

if TYPE_CHECKING:
    from runtime.witness.repair import Repairer

WHEN = graph.Number(0, None, "")
CLOCK_TYPES: dict[str, graph.Type] = {
    "turn": graph.Number(1, None, ""),
    "player": graph.Enum("side"),
    "phase": graph.Enum("phase"),
}


def perturb_hexside(
    repairer: "Repairer", op: str, sides: tuple[graph.Expr, graph.Expr], values: tuple[Value, Value], names: Environment
) -> Candidate | None:
    """Perturb either side of a comparison to match the other."""
    order = (0, 1) if repairer.chance.one_in(2) else (1, 0)
    for index in order:
        other_index = 1 - index
        if values[other_index] is None:
            continue
        proposal = perturb_expression(
            repairer, sides[index], names, Target(op if index == 0 else MIRRORED[op], values[other_index])
        )
        if proposal is not None:
            return proposal
    return None


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
            return arithmetic.perturb_operation(repairer, expr, names, target)
        case graph.Fold("count"):
            return arithmetic.perturb_count(repairer, expr, names, target)
        case graph.Fold(_, var, source, _, body):
            members = repairer.instance.value(source, names)
            if body is None or not members or repairer.chance.one_in(3):
                return add_member(repairer, source, names)
            return perturb_expression(repairer, body, {**names, var: repairer.chance.pick(tuple(members))}, target)
        case graph.Ask(term, arguments):
            return arithmetic.perturb_answer(repairer, repairer.stack.terms[term], arguments, names, target)
        case graph.Cell(table, keys):
            return arithmetic.perturb_cell(repairer, repairer.stack.tables[table], keys, names, target)
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
        case "track" if get.owner == "hex":
            value = None if target.op == "absent" else choose_value(repairer, _track(repairer, get), target)
            return changes.with_hex_note(repairer.candidate, repairer.state.board.names[subject], get.name, value)
        case "track" if get.owner == "side":
            value = None if target.op == "absent" else choose_value(repairer, _track(repairer, get), target)
            return changes.with_fact(repairer.candidate, f"{subject}.{get.name}", value)
        case "track" if isinstance(subject, int):
            value = None if target.op == "absent" else choose_value(repairer, _track(repairer, get), target)
            name = repairer.state.sheets[subject].name
            return repairer.edit_candidate(name, lambda piece: changes.with_note(piece, get.name, value))
        case "given":
            return _perturb_given(repairer, get.name, subject, target)
        case "partner" | "partners":
            return add_member(repairer, get, names)
        case "record":
            return _perturb_record(repairer, get, subject, names, target)
        case _:
            return None


def _track(repairer: "Repairer", get: graph.Get) -> graph.Type:
    return repairer.stack.vocabulary.tracks[f"{get.owner}.{get.name}"].type


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
