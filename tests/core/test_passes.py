"""The result of each pass for small functions, printed; and answers of code before and after a pass."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest

from compiler.core import ir
from compiler.core.clause_order import ordered_clauses
from compiler.core.construct import NO, YES, all_hold
from compiler.core.ir import Apply, Const, Core, EnumConst, Fold, FoldKind, Function, If, Local, Primitive
from compiler.core.passes import map_bodies
from compiler.core.passes.footprint import compute_footprints
from compiler.core.passes.inline import inline_calls
from compiler.core.passes.memoization import memoize_functions
from compiler.core.passes.partial_inlining import PartialInlining, split_verdicts
from compiler.core.passes.promote import bind_hexes, promote_hexes
from compiler.core.passes.push_down import PushDown
from compiler.core.passes.repeated_subexpressions import RepeatedSubexpressions
from compiler.core.passes.rewriting import FreshNames, child_expressions, fields_with_parts, substitute
from compiler.core.passes.shared_conditions import share_conditions
from compiler.core.passes.simplify import simplify
from compiler.core.passes.totality import is_total
from compiler.core.representation import BOOL, ENUM, HEX, HEXSIDE, INT, PIECE, Record, Set
from compiler.core.sharing import LetLazy
from compiler.core.text import expression_text, print_module
from tests.core.test_module import asking

Functions = dict[str, Function]
P, Q, U, V, W = (Local(name, PIECE) for name in ("p", "q", "u", "v", "w"))
T = Local("t", Set(PIECE))
H, G = Local("h", HEX), Local("g", HEX)
N = Local("n", INT)
SHOT = Local("s", Record("shot"))
AIM = ir.Field(SHOT, 1, HEX)
TIRED, BOLD = ir.Bit("tired", P), ir.Bit("bold", P)
BOGS = Apply(Primitive.MASK, (), Set(HEX), "bog")
ON_MAP = Apply(Primitive.PIECES_ON_MAP, (), Set(PIECE), "hare")


def hex_of(piece: Core) -> Core:
    return ir.Load("hex", piece, HEX)


def negated(condition: Core) -> Core:
    return Apply(Primitive.NOT, (condition,), BOOL)


def less(left: Core, right: Core) -> Core:
    return Apply(Primitive.LESS, (left, right), BOOL)


def near(one: Core, other: Core) -> Core:
    return Apply(Primitive.ADJACENT, (one, other), BOOL)


def number(value: int) -> Core:
    return Const(value, INT)


def distance_between(one: Core, other: Core) -> Core:
    return Apply(Primitive.DISTANCE, (one, other), INT)


def added(left: Core, right: Core) -> Core:
    return Apply(Primitive.ADD, (left, right), INT)


def some(name: str, source: Core, where: Core) -> Core:
    return Fold(FoldKind.SOME, name, source, where, Local(name, PIECE), None, BOOL)


def counted(where: Core | None) -> Core:
    return Fold(FoldKind.COUNT, "p", ON_MAP, where, None, None, INT)


def bogs(where: Core) -> Core:
    return Fold(FoldKind.COUNT, "g", Apply(Primitive.ALL_HEXES, (), Set(HEX)), where, None, None, INT)


def one_of(one: Core, other: Core) -> Core:
    return If(one, YES, other, BOOL)


def across(place: Core) -> Core:
    return Apply(Primitive.ACROSS, (place,), Set(HEX), "path:road")


def reached(gate: Core | None) -> Core:
    return ir.Cheapest("reachable", BOGS, None, ("h", "g"), gate, None, None, None, INT, Set(HEX))


def function(name: str, body: Core, *parameters: Local) -> Functions:
    return {name: Function(name, parameters, body)}


def simplified(functions: Functions) -> Functions:
    return map_bodies(functions, simplify)


def memoized(functions: Functions) -> Functions:
    return memoize_functions(functions, compute_footprints(functions), ())


def pushed_down(functions: Functions) -> Functions:
    return map_bodies(functions, PushDown(functions, FreshNames()).push_down)


def shared(functions: Functions) -> Functions:
    return map_bodies(functions, RepeatedSubexpressions(functions, FreshNames()).with_names)


def equal(left: Core, right: Core) -> Core:
    return Apply(Primitive.EQUAL, (left, right), BOOL)


def clause(label: str, guard: Core | None, value: Core | None = None, *defeated_by: str) -> ir.Clause:
    return ir.Clause(label, (), defeated_by, guard, value)


def verdict(*clauses: tuple[ir.Clause, bool | None], default: bool) -> Core:
    return ir.Verdict(clauses, default)


SEES = function(
    "sees",
    If(
        near(hex_of(P), H),
        YES,
        some("c", Apply(Primitive.PIECES_AT, (hex_of(P),), Set(PIECE)), ir.Bit("tired", Local("c", PIECE))),
        BOOL,
    ),
    P,
    H,
)
COSTLY = Fold(FoldKind.COUNT, "x", Apply(Primitive.ALL_HEXES, (), Set(HEX)), near(Local("x", HEX), H), None, None, INT)
DIVIDED = Apply(Primitive.FLOOR_DIVIDE, (number(7), N), INT)
QUOTIENTS = added(DIVIDED, DIVIDED)

MET = function(
    "met", Fold(FoldKind.COUNT, "u", ON_MAP, some("w", ON_MAP, near(hex_of(W), H)), None, None, INT), H
) | function("f", some("u", ON_MAP, less(number(2), ir.Call("met", (hex_of(U),), INT))))
MET_TEXT = (
    "met(h: hex) -> int\n"
    "  count(u in pieces_on_map(hare) where some(w in pieces_on_map(hare) where adjacent(hex[w], h): w))"
)
ASKS_TEXT = "\n\nf() -> bool\n  some(u in pieces_on_map(hare) where (2 < met(hex[u])): u)"

NEAR_OTHERS = some("w", ON_MAP, near(hex_of(W), hex_of(U)))

VICTIMS = ir.Field(SHOT, 2, Set(PIECE))
TOO_NEAR = some("v", VICTIMS, near(hex_of(V), hex_of(P)))
MAY_SHOOT = function(
    "may_shoot",
    verdict(
        (clause("idle", TIRED), False),
        (clause("off-line", near(hex_of(P), AIM)), None),
        (clause("out-of-line", negated(BOLD), None, "off-line"), False),
        (clause("too-near", TOO_NEAR), False),
        default=True,
    ),
    P,
    SHOT,
)
ALONE = Apply(Primitive.SET_OF, (U,), Set(PIECE))
NEW_SHOT = ir.NewRecord((EnumConst("red", ENUM), H, T), SHOT.representation)
AIMED = function("aimed", NEW_SHOT, H, T)
SHOOTERS = (
    AIMED
    | MAY_SHOOT
    | function(
        "f", some("u", ON_MAP, ir.Call("may_shoot", (U, ir.Call("aimed", (H, ALONE), SHOT.representation)), BOOL)), H
    )
)


def in_order(functions: Functions) -> Functions:
    verdicts = {
        name: (function, function.body) for name, function in functions.items() if isinstance(function.body, ir.Verdict)
    }
    return {
        name: replace(function, body=replace(body, clauses=ordered_clauses(body.clauses, function.parameters)))
        for name, (function, body) in verdicts.items()
    }


def partially_inlined(functions: Functions) -> Functions:
    split = split_verdicts(functions)
    return map_bodies(split, PartialInlining(split, FreshNames()).inline_tests)


FIXTURES: dict[str, tuple[Callable[[Functions], Functions], Functions, str]] = {
    "a branch without a difference stays where its condition may trap": (
        simplified,
        function("f", If(less(DIVIDED, number(1)), N, N, INT), N) | function("g", If(TIRED, N, N, INT), P, N),
        "f(n: int) -> int\n  (if (floor_divide(7, n) < 1) then n else n)\n\ng(p: piece, n: int) -> int\n  n",
    ),
    "a count beside zero ends at the first member, unless a later one may trap": (
        simplified,
        function("f", less(number(0), counted(TIRED)))
        | function("g", equal(counted(TIRED), number(0)))
        | function("h", negated(less(counted(None), number(1))))
        | function("i", less(number(1), counted(TIRED)))
        | function("j", less(number(0), counted(less(DIVIDED, N))), N),
        "f() -> bool\n  some(p in pieces_on_map(hare) where tired[p])\n\n"
        "g() -> bool\n  not(some(p in pieces_on_map(hare) where tired[p]))\n\n"
        "h() -> bool\n  some(p in pieces_on_map(hare))\n\n"
        "i() -> bool\n  (1 < count(p in pieces_on_map(hare) where tired[p]))\n\n"
        "j(n: int) -> bool\n  (0 < count(p in pieces_on_map(hare) where (floor_divide(7, n) < n)))",
    ),
    "a verdict of clauses that bar is a chain": (
        simplified,
        function("f", verdict((clause("a", TIRED), False), (clause("b", BOLD), False), default=True), P),
        "f(p: piece) -> bool\n  (not(tired[p]) and not(bold[p]))",
    ),
    "a verdict keeps the order of clauses that grant and bar": (
        simplified,
        function("f", verdict((clause("a", TIRED), True), (clause("b", BOLD), False), default=False), P),
        "f(p: piece) -> bool\n  no by default\n    lets a\n      if tired[p]\n    bars b\n      if bold[p]",
    ),
    "a verdict keeps clauses that are defeated": (
        simplified,
        function("f", verdict((clause("a", TIRED), None), (clause("b", BOLD, None, "a"), False), default=True), P),
        "f(p: piece) -> bool\n  yes by default\n    silences a\n      if tired[p]\n"
        "    bars b, unless a\n      if bold[p]",
    ),
    "a test for any partner makes no set": (
        simplified,
        function("f", Fold(FoldKind.SOME, "u", ir.Partners("carries", "left", P, Set(PIECE)), None, U, None, BOOL), P),
        "f(p: piece) -> bool\n  partner:carries.left[p]",
    ),
    "a small function is written out, its argument evaluated first": (
        lambda functions: inline_calls(functions, FreshNames()),
        function("double", added(N, N), N) | function("f", ir.Call("double", (DIVIDED,), INT), N),
        "double(n: int) -> int\n  (n + n)\n\nf(n: int) -> int\n  (let n~0 = floor_divide(7, n) in (n~0 + n~0))",
    ),
    "a function that asks itself stays a call": (
        lambda functions: inline_calls(functions, FreshNames()),
        function("f", ir.Call("f", (N,), INT), N),
        "f(n: int) -> int\n  f(n)",
    ),
    "only the hex of a piece is asked for": (
        lambda functions: promote_hexes(functions, FreshNames()),
        SEES | function("f", all_hold([TIRED, ir.Call("sees", (P, H), BOOL)]), P, H),
        "sees@hex(p@hex: hex, h: hex) -> bool\n"
        "  (adjacent(p@hex, h) or some(c in pieces_at(p@hex) where tired[c]: c))\n\n"
        "sees(p: piece, h: hex) -> bool\n  sees@hex(hex[p], h)\n\n"
        "f(p: piece, h: hex) -> bool\n  (tired[p] and sees@hex(hex[p], h))",
    ),
    "a hex that is not read on every path is no argument": (
        lambda functions: promote_hexes(functions, FreshNames()),
        function("f", If(ir.Bit("bog", H), YES, near(hex_of(P), H), BOOL), P, H),
        "f(p: piece, h: hex) -> bool\n  (bog[h] or adjacent(hex[p], h))",
    ),
    "answers about few things are kept where loops ask": (
        memoized,
        function("crowd", COSTLY, H)
        | function("f", some("u", ON_MAP, less(number(2), ir.Call("crowd", (hex_of(U),), INT)))),
        "crowd(h: hex) -> int\n  kept by h\n  count(x in all_hexes() where adjacent(x, h))\n\n"
        "f() -> bool\n  some(u in pieces_on_map(hare) where (2 < crowd(hex[u])): u)",
    ),
    "an answer without arguments is kept, too": (
        memoized,
        function("crowds", Fold(FoldKind.COUNT, "h", Apply(Primitive.ALL_HEXES, (), Set(HEX)),
                                less(number(2), COSTLY), None, None, INT))
        | function("f", some("u", ON_MAP, less(ir.Call("crowds", (), INT), number(9)))),
        "crowds() -> int\n  kept\n"
        "  count(h in all_hexes() where (2 < count(x in all_hexes() where adjacent(x, h))))\n\n"
        "f() -> bool\n  some(u in pieces_on_map(hare) where (crowds() < 9): u)",
    ),
    "answers that rest on pieces are kept for a position": (
        memoized,
        MET,
        "met(h: hex) -> int\n  kept by h, resting on outside anywhere, placed anywhere\n"
        f"  {MET_TEXT.partition('  ')[2]}{ASKS_TEXT}",
    ),
    "answers about a record are kept by the fields that are read, through calls as well": (
        memoized,
        function("crowd", substitute(COSTLY, {"h": AIM}), SHOT)
        | function("asks", less(number(2), ir.Call("crowd", (SHOT,), INT)), SHOT)
        | function("f", some("u", ON_MAP, ir.Call("asks", (SHOT,), BOOL)), SHOT),
        "crowd(s: shot) -> int\n  kept by s.1, resting on fields:shot anywhere\n"
        "  count(x in all_hexes() where adjacent(x, s.1))\n\n"
        "asks(s: shot) -> bool\n  kept by s.1, resting on fields:shot anywhere\n  (2 < crowd(s))\n\n"
        "f(s: shot) -> bool\n  some(u in pieces_on_map(hare) where asks(s): u)",
    ),
    "answers about a record that cost hardly more than their lookup are not kept": (
        memoized,
        function("near", Fold(FoldKind.COUNT, "w", ON_MAP, near(hex_of(W), AIM), None, None, INT), SHOT)
        | function("f", some("u", ON_MAP, less(number(2), ir.Call("near", (SHOT,), INT))), SHOT),
        "near(s: shot) -> int\n  count(w in pieces_on_map(hare) where adjacent(hex[w], s.1))\n\n"
        "f(s: shot) -> bool\n  some(u in pieces_on_map(hare) where (2 < near(s)): u)",
    ),
    "answers that compare a record are not kept": (
        memoized,
        function("crowd", If(equal(SHOT, SHOT), substitute(COSTLY, {"h": AIM}), number(0), INT), SHOT)
        | function("f", some("u", ON_MAP, less(number(2), ir.Call("crowd", (SHOT,), INT))), SHOT),
        "crowd(s: shot) -> int\n  (if (s = s) then count(x in all_hexes() where adjacent(x, s.1)) else 0)\n\n"
        "f(s: shot) -> bool\n  some(u in pieces_on_map(hare) where (2 < crowd(s)): u)",
    ),
    "what a filter asks whatever set it is about becomes functions, of fewer arguments each": (
        lambda functions: share_conditions(functions, FreshNames()),
        function(
            "f",
            Fold(
                FoldKind.GATHER,
                "u",
                ON_MAP,
            all_hold([NEAR_OTHERS, near(hex_of(U), H), some("v", T, equal(V, U))]),
                U,
                None,
                Set(PIECE),
            ),
            H,
            T,
        ),
        "f(h: hex, t: set of piece) -> set of piece\n"
        "  gather(u~0 in f@members(h) where some(v in t where (v = u~0): v): u~0)\n\n"
        "f@members(h: hex) -> set of piece\n"
        "  gather(u~1 in f@members@members() where adjacent(hex[u~1], h): u~1)\n\n"
        "f@members@members() -> set of piece\n"
        "  gather(u in pieces_on_map(hare)"
        " where some(w in pieces_on_map(hare) where adjacent(hex[w], hex[u]): w): u)",
    ),
    "clauses that bar without a set come first, with what defeats them": (
        in_order,
        function(
            "f",
            verdict(
                (clause("bold", BOLD), True),
                (clause("near", near(hex_of(P), AIM)), None),
                (clause("too-near", TOO_NEAR), False),
                (clause("far", negated(near(hex_of(P), AIM)), None, "near"), False),
                (clause("tired", TIRED), False),
                default=False,
            ),
            P,
            SHOT,
        ),
        "f(p: piece, s: shot) -> bool\n"
        "  no by default\n"
        "    bars tired\n"
        "      if tired[p]\n"
        "    silences near\n"
        "      if adjacent(hex[p], s.1)\n"
        "    bars far, unless near\n"
        "      if not(adjacent(hex[p], s.1))\n"
        "    bars too-near\n"
        "      if some(v in s.2 where adjacent(hex[v], hex[p]): v)\n"
        "    lets bold\n"
        "      if bold[p]",
    ),
    "clauses that are never live, and what defeats them alone, are removed": (
        simplified,
        function(
            "f",
            verdict(
                (clause("tired", TIRED), None),
                (clause("never", NO, None, "tired"), False),
                (clause("costly", less(DIVIDED, N)), None),
                (clause("never-after-a-trap", NO, None, "costly"), False),
                (clause("bold", BOLD), False),
                default=True,
            ),
            P,
            N,
        ),
        "f(p: piece, n: int) -> bool\n"
        "  yes by default\n"
        "    silences costly\n"
        "      if (floor_divide(7, n) < n)\n"
        "    bars never-after-a-trap, unless costly\n"
        "      if 0\n"
        "    bars bold\n"
        "      if bold[p]",
    ),
    "a clause that decides nothing stays where what defeats it may trap, and else is removed": (
        simplified,
        function(
            "f",
            verdict(
                (clause("costly", less(DIVIDED, N)), None),
                (clause("bold", BOLD), False),
                (clause("tired", TIRED), None),
                (clause("none-after-a-trap", TIRED, None, "costly"), None),
                (clause("none", TIRED, None, "tired"), None),
                default=False,
            ),
            P,
            N,
        )
        | function(
            "g",
            verdict(
                (clause("costly", less(DIVIDED, N)), None),
                (clause("bold", BOLD), False),
                (clause("late-after-a-trap", TIRED, None, "costly"), True),
                (clause("late", TIRED), True),
                default=True,
            ),
            P,
            N,
        ),
        "f(p: piece, n: int) -> bool\n"
        "  no by default\n"
        "    silences costly\n"
        "      if (floor_divide(7, n) < n)\n"
        "    bars bold\n"
        "      if bold[p]\n"
        "    silences none-after-a-trap, unless costly\n"
        "      if tired[p]\n"
        "\n"
        "g(p: piece, n: int) -> bool\n"
        "  yes by default\n"
        "    silences costly\n"
        "      if (floor_divide(7, n) < n)\n"
        "    bars bold\n"
        "      if bold[p]\n"
        "    lets late-after-a-trap, unless costly\n"
        "      if tired[p]",
    ),
    "what bars last and is never live stays where a clause before it may trap": (
        simplified,
        function(
            "f",
            verdict(
                (clause("bold", BOLD), False),
                (clause("costly", less(DIVIDED, N)), True),
                (clause("never", NO), False),
                default=True,
            ),
            P,
            N,
        ),
        "f(p: piece, n: int) -> bool\n"
        "  yes by default\n"
        "    bars bold\n"
        "      if bold[p]\n"
        "    lets costly\n"
        "      if (floor_divide(7, n) < n)\n"
        "    bars never\n"
        "      if 0",
    ),
    "a clause that always bars first decides a verdict with defeats": (
        simplified,
        function(
            "f",
            verdict(
                (clause("always", None), False),
                (clause("tired", TIRED), True),
                (clause("bold", BOLD, None, "tired"), False),
                default=False,
            ),
            P,
        ),
        "f(p: piece) -> bool\n  0",
    ),
    "loops test the clauses of a verdict that read no set": (
        partially_inlined,
        SHOOTERS,
        "aimed(h: hex, t: set of piece) -> shot\n"
        "  new shot(red, h, t)\n"
        "\n"
        "may_shoot(p: piece, s: shot) -> bool\n"
        "  (verdict(idle bars if tired[p]; off-line silences if adjacent(hex[p], s.1); out-of-line unless "
        "off-line bars if not(bold[p]); otherwise yes) and may_shoot@rest(p, s))\n"
        "\n"
        "may_shoot@rest(p: piece, s: shot) -> bool\n"
        "  yes by default\n"
        "    bars too-near\n"
        "      if some(v in s.2 where adjacent(hex[v], hex[p]): v)\n"
        "\n"
        "f(h: hex) -> bool\n"
        "  some(u in pieces_on_map(hare) where (verdict(idle bars if tired[u]; off-line silences if "
        "adjacent(hex[u], h); out-of-line unless off-line bars if not(bold[u]); otherwise yes) and "
        "may_shoot@rest(u, aimed(h, set_of(u)))): u)",
    ),
    "bits narrow a bit set, but no condition passes one that may trap": (
        pushed_down,
        function("f", some("u", ON_MAP, all_hold([ir.Bit("tired", U), negated(ir.Bit("bold", U))])))
        | function("g", some("u", ON_MAP, all_hold([less(DIVIDED, N), ir.Bit("tired", U)])), N)
        | function("h", Fold(FoldKind.COUNT, "g", Apply(Primitive.ALL_HEXES, (), Set(HEX)), ir.Bit("bog", G),
                             None, None, INT)),
        "f() -> bool\n  some(u in ((pieces_on_map(hare) & mask(tired)) without mask(bold)): u)\n\n"
        "g(n: int) -> bool\n  some(u in pieces_on_map(hare) where ((floor_divide(7, n) < n) and tired[u]): u)\n\n"
        "h() -> int\n  count(g in mask(bog))",
    ),
    "conditions about members are operations on sets": (
        pushed_down,
        function("f", bogs(one_of(ir.Bit("bog", G), negated(ir.Bit("wood", G)))))
        | function("g", bogs(negated(one_of(ir.Bit("bog", G), ir.Bit("wood", G)))))
        | function("h", bogs(If(less(N, number(1)), ir.Bit("bog", G), ir.Bit("wood", G), BOOL)), N)
        | function("i", bogs(all_hold([less(N, number(1)), negated(ir.Bit("wood", G))])), N)
        | function("j", bogs(If(ir.Bit("bog", G), ir.Bit("wood", G), near(G, H), BOOL)), H)
        | function("k", bogs(Apply(Primitive.MEMBER, (H, across(G)), BOOL)), H),
        "f() -> int\n  count(g in (all_hexes() without (mask(wood) without mask(bog))))\n\n"
        "g() -> int\n  count(g in (all_hexes() without (mask(bog) | mask(wood))))\n\n"
        "h(n: int) -> int\n  count(g in (if (n < 1) then mask(bog) else mask(wood)))\n\n"
        "i(n: int) -> int\n  count(g in (all_hexes() without mask(wood)) where (n < 1))\n\n"
        "j(h: hex) -> int\n  count(g in all_hexes() where (if bog[g] then wood[g] else adjacent(g, h)))\n\n"
        "k(h: hex) -> int\n  count(g in across(path:road, h))",
    ),
    "a search for all that is reached has no costs, unless its gate may trap": (
        simplified,
        function("f", reached(all_hold([Apply(Primitive.MEMBER, (G, BOGS), BOOL),
                                        ir.SideBit("path:road", Apply(Primitive.BETWEEN, (H, G), HEXSIDE))])))
        | function("g", reached(less(DIVIDED, N)), N)
        | function("h", reached(None)),
        "f() -> set of hex\n  reached(from mask(bog) by h to (neighbors(h) & (mask(bog) & across(path:road, h))))\n\n"
        "g(n: int) -> set of hex\n  reachable(from mask(bog) by h to g, gate (floor_divide(7, n) < n))\n\n"
        "h() -> set of hex\n  reached(from mask(bog) by h to neighbors(h))",
    ),
    "pieces in and next to a hex are looked for there": (
        pushed_down,
        function("f", some("u", ON_MAP, all_hold([equal(hex_of(U), H), ir.Bit("tired", U)])), H)
        | function("g", some("u", ON_MAP, near(H, hex_of(U))), H)
        | function("h", some("u", ON_MAP, equal(hex_of(U), hex_of(P))), P)
        | function("i", some("u", ON_MAP, all_hold([near(H, hex_of(U)), less(DIVIDED, N)])), H, N)
        | function("j", some("u", ON_MAP, negated(less(number(1), distance_between(hex_of(U), H)))), H)
        | function("k", some("u", ON_MAP, negated(less(number(3), distance_between(hex_of(U), H)))), H),
        "f(h: hex) -> bool\n  some(u in pieces_at(hare, h) where tired[u]: u)\n\n"
        "g(h: hex) -> bool\n  some(u in pieces_in(hare, beside(h)): u)\n\n"
        "h(p: piece) -> bool\n  some(u in pieces_on_map(hare) where (hex[u] = hex[p]): u)\n\n"
        "i(h: hex, n: int) -> bool\n"
        "  some(u in gather(near~0 in pieces_in(hare, beside(h)): near~0) where (floor_divide(7, n) < n): u)\n\n"
        "j(h: hex) -> bool\n  some(u in pieces_in(hare, within(h, 1)): u)\n\n"
        "k(h: hex) -> bool\n  some(u in pieces_on_map(hare) where not((3 < distance(hex[u], h))): u)",
    ),
    "the hex of a piece is bound where every evaluation reads it": (
        bind_hexes,
        function("f", If(near(hex_of(P), H), YES, near(G, hex_of(P)), BOOL), P, H, G)
        | function("g", If(TIRED, YES, If(near(hex_of(P), H), near(hex_of(P), G), NO, BOOL), BOOL), P, H, G),
        "f(p: piece, h: hex, g: hex) -> bool\n"
        "  (let p@hex = hex[p] in (adjacent(p@hex, h) or adjacent(g, p@hex)))\n"
        "\n"
        "g(p: piece, h: hex, g: hex) -> bool\n"
        "  (tired[p] or (adjacent(hex[p], h) and adjacent(hex[p], g)))",
    ),
    "what stands twice is evaluated once": (
        shared,
        function("f", If(TIRED, added(QUOTIENTS, N), QUOTIENTS, INT), P, N)
        | function("g", added(DIVIDED, DIVIDED), N),
        "f(p: piece, n: int) -> int\n"
        "  with same~0 = (floor_divide(7, n) + floor_divide(7, n))\n"
        "  (if tired[p] then (same~0 + n) else same~0)\n\n"
        "g(n: int) -> int\n  (floor_divide(7, n) + floor_divide(7, n))",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FIXTURES)
def test_pass(name: str) -> None:
    change, functions, wanted = FIXTURES[name]
    assert print_module(change(functions), names=None) == wanted


def test_parts_of_every_node() -> None:
    """Every node that holds expressions lists them; names, constants and traps have none."""
    leaves = {ir.Const, ir.EnumConst, ir.Members, ir.Local, ir.Force, ir.Trap}
    assert {node for node in get_args(ir.Core) if not fields_with_parts(node)} == leaves
    clauses = (clause("a", TIRED, number(1)), clause("b", BOLD, number(2)))
    assert [expression_text(part) for part in child_expressions(ir.Resolve(ir.Form.SUM, clauses, N, INT))] == [
        "tired[p]", "1", "bold[p]", "2", "n"
    ]  # fmt: skip


def test_clauses_in_a_line() -> None:
    """The clauses of an inlined function are printed in one line."""
    clauses_value = ir.Resolve(
        ir.Form.VALUE, (clause("a", TIRED, number(1)), clause("b", None, N, "a")), number(2), INT
    )
    assert expression_text(clauses_value) == "value(a says 1 if tired[p]; b unless a says n; otherwise 2)"
    verdict_value = verdict((clause("a", TIRED), None), (clause("b", BOLD, None, "a"), False), default=True)
    assert (
        expression_text(verdict_value) == "verdict(a silences if tired[p]; b unless a bars if bold[p]; otherwise yes)"
    )


def test_totality() -> None:
    assert is_total(near(hex_of(P), hex_of(Q)), frozenset(("p", "q")))
    assert not is_total(near(hex_of(P), hex_of(Q)), frozenset(("p",)))
    assert not is_total(ir.Call("again", (), INT))
    assert is_total(If(TIRED, added(N, N), N, INT))
    assert not is_total(If(TIRED, DIVIDED, N, INT))
    assert is_total(Apply(Primitive.EQUAL, (ir.Load("side", P, ENUM), EnumConst("red", ENUM)), BOOL))


def test_a_lazy_value_of_each_round() -> None:
    """A lazy value in a loop is computed in each round that uses it; an unused one does not trap."""
    i, limit = Local("i", INT), Local("limit", INT)
    share = Apply(Primitive.MULTIPLY, (i, Apply(Primitive.FLOOR_DIVIDE, (number(8), N), INT)), INT)
    upward = Apply(Primitive.SPAN, (number(1), i), Set(INT))

    def summed(condition: Core, wrap: Callable[[Core], Core]) -> Core:
        counted = Fold(FoldKind.COUNT, "j", upward, condition, Local("j", INT), None, INT)
        return Fold(
            FoldKind.SUM, "i", Apply(Primitive.SPAN, (number(0), limit), Set(INT)), None, wrap(counted), None, INT
        )

    lazy = summed(ir.Force("once", BOOL), lambda counted: LetLazy("once", less(share, limit), counted, INT))
    for body in (summed(less(share, limit), lambda counted: counted), lazy):
        terms = asking(body, N, limit)
        assert [terms.ask("f", (4, most)) for most in (3, 9)] == [1, 10]
        assert terms.ask("f", (0, 0)) == 0
