"""Draw core functions at random: all are typed, and many have no answer for some arguments.

They read positions of the toy with hares. Patterns that passes rewrite are drawn often: conjunctions, nested folds,
calls of earlier functions, values that may be absent, and divisions by values that may be zero.
"""

import random
from collections.abc import Callable
from itertools import count

from compiler.core import ir
from compiler.core.construct import NO, YES, all_hold
from compiler.core.ir import Apply, Const, Core, EnumConst, Fold, FoldKind, If, Local, Primitive
from compiler.core.representation import (
    BOOL,
    ENUM,
    HEX,
    INT,
    PIECE,
    Representation,
    Set,
    is_bit_set,
    member_representation,
)
from compiler.core.trap_reason import TrapReason

HEXES, PIECES = Set(HEX), Set(PIECE)
ANSWERS: tuple[Representation, ...] = (BOOL, BOOL, INT, HEX, HEXES, PIECES)
ASKED_OF: tuple[Representation, ...] = (PIECE, HEX, ENUM, INT)
SIDES = ("red", "blue")


class RandomCore:
    """Draws the functions of one module."""

    def __init__(self, seed: str) -> None:
        """Begin with no functions."""
        self.chance = random.Random(seed)
        self.names = count()
        self.functions: dict[str, ir.Function] = {}

    def module(self, number: int) -> ir.Module:
        """Draw a module of the given number of functions."""
        for at in range(number):
            questions = [Local(f"p{at}.{n}", self.chance.choice(ASKED_OF)) for n in range(self.chance.randrange(1, 4))]
            of = self.chance.choice(ANSWERS)
            body = self.answer(of, tuple(questions))
            self.functions[f"f{at}"] = ir.Function(f"f{at}", tuple(questions), body)
        return dict(self.functions)

    def name(self, like: str) -> str:
        """Return a new name with the given prefix."""
        return f"{like}.{next(self.names)}"

    def answer(self, of: Representation, known: tuple[Local, ...]) -> Core:
        """Draw the body of a function."""
        draw = self.chance.random()
        if of == BOOL and draw < 0.3:
            verdicts = tuple((self.clause(None, known, at), self.chance.choice((True, False, None))) for at in range(3))
            return ir.Verdict(verdicts, self.chance.random() < 0.5)
        if of in (INT, HEX) and draw < 0.3:
            clauses = tuple(self.clause(of, known, at) for at in range(self.chance.randrange(1, 4)))
            form = self.chance.choice((ir.Form.VALUE, ir.Form.MIN)) if of == INT else ir.Form.VALUE
            otherwise = self.draw(of, known, 2) if self.chance.random() < 0.6 else None
            return ir.Resolve(form, clauses, otherwise, of)
        if is_bit_set(of) and draw < 0.3:
            return ir.Resolve(ir.Form.SET, tuple(self.clause(of, known, at) for at in range(2)), None, of)
        return self.draw(of, known, 5)

    def clause(self, of: Representation | None, known: tuple[Local, ...], at: int) -> ir.Clause:
        """Draw a clause of a resolution."""
        lazy: tuple[ir.Lazy, ...] = ()
        if self.chance.random() < 0.4:
            lazy = (ir.Lazy(self.name("lazy"), self.draw(self.chance.choice((BOOL, INT, HEXES)), known, 3)),)
        inner: tuple[Core, ...] = (*known, *(ir.Force(each.name, each.value.representation) for each in lazy))
        guard = self.draw(BOOL, inner, 3) if self.chance.random() < 0.8 else None
        defeated = tuple(f"c{n}" for n in range(at) if self.chance.random() < 0.3)
        return ir.Clause(f"c{at}", lazy, defeated, guard, None if of is None else self.draw(of, inner, 3))

    def draw(self, of: Representation, known: tuple[Core, ...], depth: int) -> Core:
        """Draw an expression of a representation, from the known names and up to a depth."""
        leaves = [each for each in known if each.representation == of]
        if leaves and self.chance.random() < (0.9 if depth <= 0 else 0.25):
            return self.chance.choice(leaves)
        if depth > 0 and self.chance.random() < 0.15:
            return self.shared(of, known, depth)
        makers: dict[Representation, Callable[[tuple[Core, ...], int], Core]] = {
            BOOL: self.condition, INT: self.number, HEX: self.hex, PIECE: self.piece, HEXES: self.hexes,
            PIECES: self.pieces, ENUM: lambda _, __: EnumConst(self.chance.choice(SIDES), ENUM),
        }  # fmt: skip
        return makers[of](known, depth - 1)

    def shared(self, of: Representation, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a branch, a `let`, a trap or a call, which exist for every representation."""
        match self.chance.randrange(8):
            case 0 | 1 | 2:
                condition, then, orelse = (self.draw(each, known, depth - 1) for each in (BOOL, of, of))
                return If(condition, then, orelse, of)
            case 3:
                value = self.draw(self.chance.choice((INT, HEX, HEXES)), known, depth - 1)
                name = self.name("let")
                body = self.draw(of, (*known, Local(name, value.representation)), depth - 1)
                return ir.Let(name, value, body, of)
            case 4 if self.chance.random() < 0.3:
                return ir.Trap(self.chance.choice((TrapReason.ABSENT, TrapReason.GAP)), of)
            case _:
                candidates = [each for each in self.functions.values() if each.body.representation == of]
                if not candidates:
                    return self.draw(of, known, 0)
                callee = self.chance.choice(candidates)
                return ir.Call(
                    callee.name, tuple(self.draw(p.representation, known, depth - 1) for p in callee.parameters), of
                )

    def condition(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a condition."""
        if depth <= 0:
            return self.chance.choice((YES, NO, ir.Bit("mark:hare.tired", self.draw(PIECE, known, 0))))
        match self.chance.randrange(16):
            case 0 | 1 | 2:
                return If(self.draw(BOOL, known, depth), self.draw(BOOL, known, depth), NO, BOOL)
            case 3 | 4:
                return If(self.draw(BOOL, known, depth), YES, self.draw(BOOL, known, depth), BOOL)
            case 5:
                return Apply(Primitive.NOT, (self.draw(BOOL, known, depth),), BOOL)
            case 6:
                of: Representation = self.chance.choice((INT, HEX, ENUM, HEXES))
                return Apply(Primitive.EQUAL, (self.draw(of, known, depth), self.draw(of, known, depth)), BOOL)
            case 7:
                return Apply(Primitive.LESS, (self.draw(INT, known, depth), self.draw(INT, known, depth)), BOOL)
            case 8 | 9 | 10 | 11 | 12:
                return self.read(known, depth)
            case 13:
                counted = self.fold(FoldKind.COUNT, INT, known, depth)
                primitive = self.chance.choice((Primitive.EQUAL, Primitive.LESS))
                return Apply(primitive, (Const(0, INT), counted), BOOL)
            case _:
                return self.fold(self.chance.choice((FoldKind.SOME, FoldKind.EVERY)), BOOL, known, depth)

    def read(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a condition about pieces and hexes."""
        match self.chance.randrange(6):
            case 0:
                return ir.Bit("feature:bog", self.draw(HEX, known, depth))
            case 1:
                return ir.Bit("mark:hare.tired", self.draw(PIECE, known, 0))
            case 2:
                side = ir.Load("side", self.draw(PIECE, known, depth), ENUM)
                return Apply(Primitive.EQUAL, (side, self.draw(ENUM, known, depth)), BOOL)
            case 3:
                kind = self.chance.choice((HEX, PIECE))
                members = self.draw(kind, known, depth), self.draw(Set(kind), known, depth)
                return Apply(Primitive.MEMBER, members, BOOL)
            case _:
                place = ir.Load("hex", self.draw(PIECE, known, 0), HEX), self.draw(HEX, known, 0)
                return Apply(self.chance.choice((Primitive.EQUAL, Primitive.ADJACENT)), place, BOOL)

    def number(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a whole number."""
        if depth <= 0:
            return Const(self.chance.randrange(-2, 5), INT)
        match self.chance.randrange(8):
            case 0 | 1:
                primitive = self.chance.choice(
                    (Primitive.ADD, Primitive.SUBTRACT, Primitive.MINIMUM, Primitive.MAXIMUM)
                )
                return Apply(primitive, (self.draw(INT, known, depth), self.draw(INT, known, depth)), INT)
            case 2:
                primitive = self.chance.choice((Primitive.FLOOR_DIVIDE, Primitive.CEILING_DIVIDE, Primitive.MULTIPLY))
                return Apply(primitive, (self.draw(INT, known, depth), self.draw(INT, known, depth)), INT)
            case 3:
                return Apply(Primitive.DISTANCE, (self.draw(HEX, known, depth), self.draw(HEX, known, depth)), INT)
            case 4:
                return ir.BoundsCheck(self.draw(INT, known, depth), 0, 3, self.chance.random() < 0.5, INT)
            case 5:
                return ir.Load("track:hare.spent", self.draw(PIECE, known, depth), INT)
            case _:
                kind = self.chance.choice((FoldKind.COUNT, FoldKind.COUNT, FoldKind.SUM, FoldKind.MIN, FoldKind.MAX))
                return self.fold(kind, INT, known, depth)

    def hex(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a hex; that of a piece may be absent."""
        if depth <= 0 or self.chance.random() < 0.8:
            return ir.Load("hex", self.draw(PIECE, known, max(depth, 0)), HEX)
        return self.fold(self.chance.choice((FoldKind.LEAST, FoldKind.GREATEST)), HEX, known, depth)

    def piece(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a piece."""
        if depth <= 0:
            return Const(self.chance.randrange(4), PIECE)
        return self.fold(self.chance.choice((FoldKind.LEAST, FoldKind.GREATEST)), PIECE, known, depth)

    def hexes(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a set of hexes."""
        if depth <= 0:
            return Apply(Primitive.NEIGHBORS, (self.draw(HEX, known, 0),), HEXES)
        match self.chance.randrange(6):
            case 0:
                return Apply(Primitive.WITHIN, (self.draw(HEX, known, depth), Const(2, INT)), HEXES)
            case 1:
                return Apply(Primitive.ALL_HEXES, (), HEXES)
            case 2 | 3:
                return self.fold(FoldKind.GATHER, HEXES, known, depth)
            case 4:
                return self.fold(FoldKind.UNITE, HEXES, known, depth)
            case _:
                primitive = self.chance.choice((Primitive.UNION, Primitive.DIFFERENCE, Primitive.INTERSECTION))
                return Apply(primitive, (self.draw(HEXES, known, depth), self.draw(HEXES, known, depth)), HEXES)

    def pieces(self, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a set of pieces."""
        match self.chance.randrange(6):
            case 0 | 1:
                return Apply(Primitive.PIECES_ON_MAP, (), PIECES, self.chance.choice(("hare", "")))
            case 2:
                return Apply(Primitive.PIECES_IN_RESERVE, (), PIECES, "hare")
            case 3 if depth > 0:
                return self.fold(FoldKind.GATHER, PIECES, known, depth)
            case 4 if depth > 0:
                primitive = self.chance.choice((Primitive.UNION, Primitive.DIFFERENCE))
                return Apply(primitive, (self.draw(PIECES, known, depth), self.draw(PIECES, known, depth)), PIECES)
            case _:
                return Apply(Primitive.PIECES_AT, (self.draw(HEX, known, depth),), PIECES, "hare")

    def tests(self, member: Local, known: tuple[Core, ...]) -> Core:
        """Draw a conjunction about a member; one condition divides by a distance and traps if it is zero."""
        here = member if member.representation == HEX else ir.Load("hex", member, HEX)
        away = Apply(Primitive.DISTANCE, (here, self.draw(HEX, known, 0)), INT)
        share = Apply(Primitive.FLOOR_DIVIDE, (Const(4, INT), away), INT)
        place = Apply(self.chance.choice((Primitive.EQUAL, Primitive.ADJACENT)), (here, self.draw(HEX, known, 0)), BOOL)
        marked = ir.Bit("mark:hare.tired" if member.representation == PIECE else "feature:bog", member)
        drawn: list[Core] = [place, marked, Apply(Primitive.LESS, (share, Const(2, INT)), BOOL)]
        self.chance.shuffle(drawn)
        return all_hold(drawn[: self.chance.randrange(1, 4)])

    def fold(self, kind: FoldKind, of: Representation, known: tuple[Core, ...], depth: int) -> Core:
        """Draw a fold over hexes or pieces."""
        members = of if kind in (FoldKind.LEAST, FoldKind.GREATEST) else self.chance.choice((HEX, PIECE, PIECE))
        source = self.draw(Set(members), known, depth - 1)
        member = Local(self.name("each"), members)
        inner = (*known, member, member)
        where = self.draw(BOOL, inner, depth) if self.chance.random() < 0.8 else None
        if self.chance.random() < 0.3:
            where = self.tests(member, known)
        bodies: dict[FoldKind, Representation] = {FoldKind.EVERY: BOOL, FoldKind.UNITE: HEXES}
        wanted = member_representation(of) if kind is FoldKind.GATHER else bodies.get(kind, INT)
        body = member if kind in (FoldKind.COUNT, FoldKind.SOME) else self.draw(wanted, inner, depth - 1)
        gives = kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.LEAST, FoldKind.GREATEST) and self.chance.random() < 0.6
        return Fold(kind, member.name, source, where, body, self.draw(of, known, 0) if gives else None, of)
