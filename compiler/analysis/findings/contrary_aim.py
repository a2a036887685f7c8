"""Victory lines of a situation card that work against their own side: a side in them or a comparison is a slip.

In: a card of two sides, and its victory lines. Out: a line, and another one that contradicts it. A comparison is
reached by more of its quantity or by less: `losses(north) >= 10` by more. Of one quantity one side wants more and the
other less, on all levels. A quantity about a side, as `held(north, ..)`, speaks for that side or against it, in all
lines alike. Of contradictory lines the rarer kind is reported, or else the last one. A quantity between two bounds of
one line, and levels below the answer without any line, are skipped.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.normal_form import normalize
from compiler.analysis.parties import Party, party_label
from compiler.analysis.victory_lines import LineConditions
from compiler.source.finding import WARNING, Finding, finding
from compiler.source.sentence import Sentence
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.walk import fields_of, nodes_of


@frozen_dataclass
class _VictoryAim:
    """A victory line: `level` of `side` is reached by more of a `quantity`, or less of it.

    If it `is_yes_no`, by a yes or a no.
    """

    rule: Party
    side: str
    level: str
    quantity: str
    is_yes_no: bool
    is_more: bool


@finding("R0560", "contrary-aim", WARNING)
class ContraryAim(Finding):
    """A victory line, `rule`, is reached by what works against its own side, as the line `other` shows."""

    rule: Party
    aim: _VictoryAim
    other: _VictoryAim

    def sentence(self) -> Sentence:
        return Sentence(
            f"{_aim_text(self.aim)}, but {_aim_text(self.other)}: one of the two favors the wrong side",
            (party_label(self.rule, "here"),)
            if self.other.rule == self.rule
            else (party_label(self.rule, "here"), party_label(self.other.rule, "and here")),
            "correct the side or the comparison in one of them",
        )


TWO = 2
_INCREASE, _DECREASE = 1, -1
_DIRECTION_OF_COMPARISON = {">=": _INCREASE, ">": _INCREASE, "<=": _DECREASE, "<": _DECREASE}
BETWEEN = {(_INCREASE, True), (_DECREASE, True)}
_YES_NO_FORMS = frozenset({"condition", "verdict"})

# A quantity, whether an _INCREASE or a _DECREASE is wanted, and whether it is compared with a number.
_Wanted = tuple[graph.Expr, int, bool]


@frozen_dataclass
class _Aim:
    """What a line wants of a quantity, or of a condition: MORE or LESS.

    Aims of one `kind` are compared: all of them have to serve the side that the quantity names (or the first side, if
    it names none), or all of them its enemy.
    """

    line: LineConditions
    quantity: graph.Expr
    direction: int
    kind: Hashable
    is_serving: bool


def contrary_aim(stack: graph.Graph, lines: Sequence[LineConditions]) -> Iterator[ContraryAim]:
    """Find such lines, each once."""
    if stack.scenario is None or len(sides := sorted({*stack.scenario.order, *(line.side for line in lines)})) != TWO:
        return
    aims_by_kind: dict[Hashable, list[_Aim]] = defaultdict(list)
    for line in sorted(lines, key=lambda each: (each.rule.origin.file, each.rule.origin.line)):
        for aim in _aims_of_line(line, sides[0]) if _is_offered_upward(line, stack) else ():
            aims_by_kind[aim.kind].append(aim)
    reported: set[str] = set()
    for aims in aims_by_kind.values():
        last = aims[-1].is_serving
        rarer, usual = sorted(
            ([each for each in aims if each.is_serving is serving] for serving in (last, not last)), key=len
        )
        for aim in rarer:
            if aim.line.rule.label not in reported:
                reported.add(aim.line.rule.label)
                found = _described(aim, stack)
                yield ContraryAim(found.rule, found, _described(usual[0], stack))


def _is_offered_upward(line: LineConditions, stack: graph.Graph) -> bool:
    """Return whether a level is above the answer without any line, so that its side wants it."""
    default = stack.terms[line.rule.terms[0]].otherwise
    return not isinstance(default, graph.Place) or line.level.at > default.at


def _aims_of_line(line: LineConditions, first_side: str) -> Iterator[_Aim]:
    """Yield what a line wants; nothing of a quantity between two numbers."""
    wanted: dict[graph.Expr, set[tuple[int, bool]]] = defaultdict(set)
    for condition in line.conditions:
        for quantity, direction, is_bound in _wanted_by_condition(condition, _INCREASE):
            wanted[quantity].add((direction, is_bound))
    for quantity, found in wanted.items():
        for direction in () if found == BETWEEN else sorted({direction for direction, _ in found}):
            named = {node.name for node in nodes_of(graph.Member, quantity) if node.enum == "side"}
            subject = named.pop() if len(named) == 1 else ""
            form = quantity.term if isinstance(quantity, graph.Ask) else _form(_counted(quantity))
            kind = ("about a side", form) if subject else ("itself", _counted(quantity))
            is_own = line.side == (subject or first_side)
            yield _Aim(line, quantity, direction, kind, is_own is (direction == _INCREASE))


def _wanted_by_condition(condition: graph.Expr, direction: int) -> Iterator[_Wanted]:
    """Yield the quantities that a condition compares, each with what helps it (MORE) to hold, or (LESS) not to."""
    match condition:
        case graph.Op("and" | "or", parts):
            for part in parts:
                yield from _wanted_by_condition(part, direction)
        case graph.Op("not", (part,)):
            yield from _wanted_by_condition(part, -direction)
        case graph.Op(">=" | ">" | "<=" | "<" as op, (left, right)):
            yield from _wanted(left, direction * _DIRECTION_OF_COMPARISON[op], is_bound=isinstance(right, graph.Num))
            yield from _wanted(right, -direction * _DIRECTION_OF_COMPARISON[op], is_bound=isinstance(left, graph.Num))
        case graph.Op("=", (left, graph.Num(value))) if value == 0:
            yield from _wanted(left, -direction)
        case graph.Fold("every", body=body):
            yield condition, direction, False
            if body is not None:
                yield from _wanted_by_condition(body, direction)
        case graph.Fold("none", var, source, where, body):
            yield from _wanted(graph.Fold("some", var, source, where, body, None), -direction)
        case graph.Ask() | graph.Fold("some"):
            yield from _wanted(condition, direction)
        case _:
            pass


def _wanted(quantity: graph.Expr, direction: int, *, is_bound: bool = False) -> Iterator[_Wanted]:
    """Yield the parts of a sum or multiple, and the questions that decide what is counted."""
    match quantity:
        case graph.Op("+" | "-" as op, (left, right)):
            yield from _wanted(left, direction)
            yield from _wanted(right, direction if op == "+" else -direction)
        case graph.Op("*" | "/", (left, graph.Num(value))) | graph.Op("*", (graph.Num(value), left)) if value > 0:
            yield from _wanted(left, direction)
        case graph.Fold("some" | "count", where=where):
            yield quantity, direction, is_bound
            if where is not None:
                yield from _wanted_by_condition(where, direction)
        case graph.Ask() | graph.Get() | graph.GameTrack("game") | graph.Fold():
            yield quantity, direction, is_bound
        case _:
            pass


def _counted(quantity: graph.Expr) -> graph.Expr:
    """Return a quantity in normal form, `some` as the count of the same members."""
    match quantity:
        case graph.Fold("some", var, source, where, None):
            return normalize(graph.Fold("count", var, source, where, None, None), {})
        case _:
            return normalize(quantity, {})


def _form(node: Any) -> Hashable:
    """Return the form of an expression, in which all sides are equal, and all facts of the card."""
    match node:
        case tuple():
            return tuple(map(_form, node))
        case graph.Member("side"):
            return "side"
        case graph.GameTrack("scenario"):
            return "fact"
        case _:
            names = fields_of(node.__class__)
            return (node.__class__, *(_form(getattr(node, name)) for name in names)) if names else node


def _described(aim: _Aim, stack: graph.Graph) -> _VictoryAim:
    """Describe a aim in words of the card."""
    writer, line = ExpressionWriter(stack.vocabulary), aim.line
    quantity = aim.quantity
    is_yes_no = (
        quantity.op in {"some", "every"}
        if isinstance(quantity, graph.Fold)
        else isinstance(quantity, graph.Ask) and stack.terms[quantity.term].form in _YES_NO_FORMS
    )
    text, more = writer.text(quantity), aim.direction == _INCREASE
    return _VictoryAim(writer.rule_party(line.rule), line.side, line.level.name, text, is_yes_no, more)


def _aim_text(aim: _VictoryAim) -> str:
    if aim.is_yes_no:
        request_text = f"requires `{aim.quantity}` to be {'true' if aim.is_more else 'false'}"
    else:
        request_text = f"requires {'more' if aim.is_more else 'less'} of `{aim.quantity}`"
    return f"`{aim.level}` of {aim.side} {request_text}"
