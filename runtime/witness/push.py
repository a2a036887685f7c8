"""Propose one change to a setting that may move an amount, a word or a place where it is wanted.

In: an expression, and what its value should be in relation to. Out: a changed setting, or None.
Arithmetic is turned round on the way down, `a - b > 2` asks for `a > 2 + b`; at the bottom stands a
factor, a track, a piece's hex, an argument of the question.
"""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from runtime.answer.expressions import Delayed, Environment
from runtime.graph import nodes as graph
from runtime.state.constants import Scope, constant
from runtime.state.record import Record, Value
from runtime.witness import arithmetic
from runtime.witness import setting as changes
from runtime.witness.facts import fact_type
from runtime.witness.grow import AREA, add_member
from runtime.witness.materials import written
from runtime.witness.setting import Setting
from runtime.witness.wanted import MIRRORED, Wanted

if TYPE_CHECKING:
    from runtime.witness.mend import Mender

WHEN = graph.Number(0, None, "")
CLOCK: dict[str, graph.Type] = {
    "turn": graph.Number(1, None, ""),
    "player": graph.Enum("side"),
    "phase": graph.Enum("phase"),
}


def push_side(
    mender: "Mender", op: str, sides: tuple[graph.Expr, graph.Expr], values: tuple[Value, Value], names: Environment
) -> Setting | None:
    """Push either side of a comparison to fit the other."""
    order = (0, 1) if mender.chance.once_in(2) else (1, 0)
    for here in order:
        there = 1 - here
        if values[there] is None:
            continue
        proposal = push(mender, sides[here], names, Wanted(op if here == 0 else MIRRORED[op], values[there]))
        if proposal is not None:
            return proposal
    return None


def push(mender: "Mender", expr: graph.Expr, names: Environment, wanted: Wanted) -> Setting | None:
    """Propose a change: one arm for each node a value may come from."""
    match expr:
        case graph.Var(name) if isinstance(delayed := names.get(name), Delayed):
            return push(mender, delayed.expr, delayed.names, wanted)
        case graph.Var(name) if name.startswith("@"):
            return _argument(mender, int(name[1:]), wanted)
        case graph.Get(base):
            subject = mender.aim.value(base, names)
            return None if subject is None else _field(mender, expr, subject, names, wanted)
        case graph.GameTrack(owner, name):
            return _game(mender, owner, name, wanted)
        case graph.Op():
            return arithmetic.operation(mender, expr, names, wanted)
        case graph.Fold("count"):
            return arithmetic.count(mender, expr, names, wanted)
        case graph.Fold(_, var, source, _, body):
            members = mender.aim.value(source, names)
            if body is None or not members or mender.chance.once_in(3):
                return add_member(mender, source, names)
            return push(mender, body, {**names, var: mender.chance.pick(tuple(members))}, wanted)
        case graph.Ask(term, arguments):
            return arithmetic.answer(mender, mender.stack.terms[term], arguments, names, wanted)
        case graph.Cell(table, keys):
            return arithmetic.cell(mender, mender.stack.tables[table], keys, names, wanted)
        case graph.Is() | graph.Has():
            return mender.mend(expr, names, want=bool(wanted.bound) == (wanted.op == "="))
        case _:
            return None


# ---------------------------------------------------------------------- where values stand


def chosen(mender: "Mender", of: graph.Type, wanted: Wanted) -> graph.Expr | None:
    """Choose a value of a type that would do."""
    if isinstance(of, (graph.Number, graph.Scale)) and wanted.op not in {"present", "absent"}:
        steps = {"=": (0,), "!=": (-1, 1), "<": (-1, -1, -3), "<=": (0, -1), ">": (1, 1, 3), ">=": (0, 1)}
        bound = Fraction(wanted.bound) + mender.chance.pick(steps[wanted.op])
        if isinstance(of, graph.Number) and of.high is not None and of.low is not None:
            bound = max(Fraction(of.low), min(Fraction(of.high), bound))
        return written(bound if bound.denominator > 1 else int(bound), of, mender.state)
    if wanted.op == "=":
        return written(wanted.bound, of, mender.state)
    return mender.materials.value(of, mender.setting)


def _argument(mender: "Mender", place: int, wanted: Wanted) -> Setting | None:
    value = chosen(mender, mender.types[place], wanted)
    return None if value is None else changes.with_argument(mender.setting, place, value)


def _game(mender: "Mender", owner: str, name: str, wanted: Wanted) -> Setting | None:
    if owner == "game" and name in CLOCK:
        match chosen(mender, CLOCK[name], wanted):
            case graph.Num(turn):
                return changes.with_clock(mender.setting, name, int(turn))
            case graph.Member(_, word):
                return changes.with_clock(mender.setting, name, word)
            case _:
                return None
    of = fact_type(f"{owner}.{name}", mender.stack)
    if of is None:
        return None
    value = None if wanted.op == "absent" else chosen(mender, of, wanted)
    return changes.with_fact(mender.setting, f"{owner}.{name}", value)


def _field(mender: "Mender", get: graph.Get, subject: Value, names: Environment, wanted: Wanted) -> Setting | None:
    """Change a field of a piece, hex or record."""
    match get.what:
        case "printed":
            return _printed(mender, subject, get.name, wanted)
        case "track" if get.owner == "hex":
            value = None if wanted.op == "absent" else chosen(mender, _track(mender, get), wanted)
            return changes.with_hex_note(mender.setting, mender.state.board.names[subject], get.name, value)
        case "track" if isinstance(subject, int):
            value = None if wanted.op == "absent" else chosen(mender, _track(mender, get), wanted)
            name = mender.state.sheets[subject].name
            return mender.edit(name, lambda piece: changes.with_note(piece, get.name, value))
        case "given":
            return _given(mender, get.name, subject, wanted)
        case "partner" | "partners":
            return add_member(mender, get, names)
        case "record":
            return _record(mender, get, subject, names, wanted)
        case _:
            return None


def _track(mender: "Mender", get: graph.Get) -> graph.Type:
    return mender.stack.vocabulary.tracks[f"{get.owner}.{get.name}"].type


def _printed(mender: "Mender", piece: int, name: str, wanted: Wanted) -> Setting | None:
    """Take a counter whose factor would do; a kind without counters has it printed as wished."""
    sheet = mender.state.sheets[piece]
    counters = mender.materials.counters.get(sheet.kind)
    if counters is None:
        return _overprinted(mender, sheet.name, sheet.kind, name, wanted)
    scope = Scope({}, mender.state.frame.rank)
    offered = [
        (counter, constant(factor, scope))
        for counter in counters
        if (factor := dict(counter.printed).get(name)) is not None
    ]
    now = sheet.printed.get(name)
    fits = [counter for counter, value in offered if wanted.admits(value)]
    fits = fits or [counter for counter, value in offered if wanted.nearer(value, now)]
    if not mender.materials.loose or (fits and mender.chance.once_in(2)):
        return mender.recounter(sheet.name, fits)
    return _overprinted(mender, sheet.name, sheet.kind, name, wanted)


def _overprinted(mender: "Mender", piece: str, kind: str, name: str, wanted: Wanted) -> Setting | None:
    """Print another factor on a piece."""
    factors = {factor.name: factor.type for factor in mender.stack.vocabulary.kinds[kind].printed}
    value = chosen(mender, factors[name], wanted) if name in factors else None
    return None if value is None else mender.edit(piece, lambda p: changes.with_factor(p, name, value))


def _given(mender: "Mender", name: str, subject: int, wanted: Wanted) -> Setting | None:
    """Move a piece, or change its side or place."""
    piece = mender.state.sheets[subject].name if name in {"hex", "side", "place", "kind", "area", "arrives"} else ""
    match name:
        case "hex":
            there = chosen(mender, graph.Hex(), wanted)
            return mender.edit(piece, lambda p: replace(p, at=there.name)) if isinstance(there, graph.Spot) else None
        case "side":
            sides = [side for side in mender.materials.sides if wanted.admits(side)]
            return _owned(mender, piece, sides)
        case "place":
            flags = mender.stack.vocabulary.flags.values()
            places = [p for p in ("", *(f.name for f in flags if f.what == "place")) if wanted.admits(p or "open")]
            place = mender.chance.pick_or_none(places)
            return None if place is None else mender.edit(piece, lambda p: replace(p, place=place))
        case "arrives":
            turn = chosen(mender, WHEN, wanted)
            return None if turn is None else mender.edit(piece, lambda p: replace(p, arrives=turn))
        case "area":
            area = chosen(mender, AREA, wanted)
            return None if area is None else mender.edit(piece, lambda p: replace(p, area=area))
        case "kind":
            test = graph.Test("kind", "", wanted.bound)
            return mender.with_word(subject, test, want=wanted.op == "=")
        case _:
            return None


def _owned(mender: "Mender", name: str, sides: list[str]) -> Setting | None:
    """Give a piece to one of these sides; where counters belong to a side, take one of theirs."""
    piece = next(piece for piece in mender.setting.position.pieces if piece.name == name)
    counters = [c for c in mender.materials.counters.get(piece.kind, ()) if c.owner in sides or not c.owner]
    if piece.counter and mender.stack.counters[piece.counter].owner and counters:
        return mender.recounter(name, counters)
    if piece.counter and mender.stack.counters[piece.counter].owner and not mender.materials.loose:
        return None
    side = mender.chance.pick_or_none(sides)
    return None if side is None else mender.edit(name, lambda p: replace(p, owner=side))


def _record(mender: "Mender", get: graph.Get, subject: Value, names: Environment, wanted: Wanted) -> Setting | None:
    """Change a field of a record that is an argument of the question."""
    if not isinstance(subject, Record) or get.owner not in mender.stack.vocabulary.records:
        return None
    fields = {field.name: field.type for field in mender.stack.vocabulary.records[get.owner].fields}
    value = None if wanted.op == "absent" else chosen(mender, fields[get.name], wanted)
    for place, argument in enumerate(mender.setting.arguments):
        same = mender.aim.value(get.base, names) is subject and isinstance(argument, graph.New)
        if same and isinstance(argument, graph.New) and argument.record == get.owner:
            kept = tuple(field for field in argument.fields if field[0] != get.name)
            changed = kept if value is None else (*kept, (get.name, value))
            return changes.with_argument(mender.setting, place, graph.New(argument.record, changed))
    return None
