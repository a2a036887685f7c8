"""The helper functions of generated modules, and the traps of questions without an answer."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from compiler.core import ir
from compiler.core.ir import Apply, Const, Core, Fold, FoldKind, Function, If, Local, Primitive
from compiler.core.representation import BOOL, HEX, INT, RATIO, Representation, Set
from compiler.core.trap_reason import TrapReason
from compiler.wasm.module import write_module
from runtime.engine.module import CompiledModule, ModuleInstance
from runtime.engine.trap import TrapError
from runtime.engine.values import MOST_WHOLE, NotRepresentableError
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.setup import from_card
from tests.toys.build import HEX as A_HEX
from tests.toys.build import YES_NO, term
from tests.toys.hares import hares

NUMBER = graph.Number(None, None, "")
TYPES: dict[Representation, graph.Type] = {
    INT: NUMBER, RATIO: NUMBER, BOOL: YES_NO, HEX: A_HEX, Set(HEX): graph.Many("set", A_HEX),
}  # fmt: skip
A, B = Local("a", INT), Local("b", INT)


@cache
def position() -> State:
    """Return the opening of the small game."""
    return from_card(hares())


def asking(body: Core, *parameters: Local, type_: graph.Type | None = None) -> ModuleInstance:
    """Compile a module of one function."""
    function = Function("f", parameters, body)
    fractional = frozenset(
        [f"f({each.name})" for each in parameters if each.representation == RATIO]
        + (["f"] if body.representation == RATIO else [])
    )
    node_parameters = tuple(graph.Parameter(each.name, TYPES[each.representation]) for each in parameters)
    rules = replace(hares(), terms={"f": term("value", "f", type_ or TYPES[body.representation], node_parameters)})
    text, layout = write_module({"f": function}, rules, fractional, 16, 200, has_one_map=True)
    return ModuleInstance(CompiledModule(rules, text, layout), position())


ARITHMETIC: dict[Primitive, Any] = {
    Primitive.ADD: lambda a, b: a + b,
    Primitive.SUBTRACT: lambda a, b: a - b,
    Primitive.MULTIPLY: lambda a, b: a * b,
    Primitive.MINIMUM: min,
    Primitive.MAXIMUM: max,
}


WANTED = ARITHMETIC | {
    Primitive.LESS: lambda a, b: a < b,
    Primitive.EQUAL: lambda a, b: a == b,
    Primitive.DIVIDE: lambda a, b: Fraction(a) / b,
}


@pytest.mark.parametrize(
    ("primitive", "of"),
    [(primitive, of) for primitive in WANTED for of in (INT, RATIO) if (primitive, of) != (Primitive.DIVIDE, INT)],
)
def test_arithmetic(primitive: Primitive, of: Representation) -> None:
    """Results are exact for integers and ratios of both signs."""
    result_type = BOOL if primitive in (Primitive.LESS, Primitive.EQUAL) else of
    module = asking(Apply(primitive, (Local("a", of), Local("b", of)), result_type), Local("a", of), Local("b", of))
    chance = random.Random(primitive)
    for _ in range(60):
        parts = [1, 1] if of == INT else [chance.randrange(1, 12) for _ in range(2)]
        a, b = (Fraction(chance.randrange(-40, 41), part) for part in parts)
        if not (primitive == Primitive.DIVIDE and not b):
            assert module.ask("f", (a, b)) == WANTED[primitive](a, b)


def test_a_number_that_does_not_fit() -> None:
    """A number that memory cannot represent is a trap, or an error as an argument."""
    module = asking(Apply(Primitive.MULTIPLY, (A, B), INT), A, B)
    assert module.ask("f", (1 << 22, 1 << 22)) == 1 << 44
    for a, b in ((1 << 24, 1 << 24), (1 << 40, 1 << 40), (-(1 << 40), 1 << 40)):
        with pytest.raises(TrapError, match="unrepresentable"):
            module.ask("f", (a, b))
    with pytest.raises(NotRepresentableError):
        module.ask("f", (MOST_WHOLE + 1, 0))
    with pytest.raises(NotRepresentableError):
        module.ask("f", (Fraction(1, 2), 0))


def test_division_by_zero() -> None:
    module = asking(Apply(Primitive.FLOOR_DIVIDE, (A, B), INT), A, B)
    with pytest.raises(TrapError, match="unrepresentable"):
        module.ask("f", (1, 0))


@pytest.mark.parametrize("elements", [(), (0, 3, 63), (0, 64), (-1, 5), (5,)])
def test_constant_sets_of_numbers(elements: tuple[int, ...]) -> None:
    """Membership is right for sets of small numbers, which are bits of a word, and for searched ones."""
    members = ir.Members(tuple(Const(each, INT) for each in elements), Set(INT))
    module = asking(Apply(Primitive.MEMBER, (A, members), BOOL), A)
    values = range(-2, 130)
    assert [each for each in values if module.ask("f", (each,))] == [each for each in values if each in elements]


def test_sets_of_hexes() -> None:
    """Difference and fold over bit sets of hexes, and a set of numbers made from them."""
    board = position().board
    h, n = Local("h", HEX), Local("n", INT)
    near = Apply(Primitive.WITHIN, (h, n), Set(HEX))
    ring = Apply(Primitive.DIFFERENCE, (near, Apply(Primitive.NEIGHBORS, (h,), Set(HEX))), Set(HEX))
    found = asking(ring, h, n, type_=graph.Many("set", A_HEX)).ask("f", (3, 2))
    assert found == tuple(x for x in range(board.size) if board.distance(3, x) <= 2 and x not in board.around[3])
    x = Local("x", HEX)
    far = Fold(FoldKind.GATHER, "x", ring, None, Apply(Primitive.DISTANCE, (h, x), INT), None, Set(INT))
    assert asking(far, h, n, type_=graph.Many("set", NUMBER)).ask("f", (3, 2)) == (0, 2)


@pytest.mark.parametrize("is_outside", [False, True])
def test_a_search_that_continues_the_last_one(is_outside: bool) -> None:
    """What is reached is right where start and ground grow, shrink, or are others than before."""
    start, ground, x = Local("start", Set(HEX)), Local("ground", Set(HEX)), Local("x", HEX)
    operation = Primitive.DIFFERENCE if is_outside else Primitive.INTERSECTION
    following = Apply(operation, (Apply(Primitive.NEIGHBORS, (x,), Set(HEX)), ground), Set(HEX))
    body = ir.Reachable("x", start, following, Set(HEX))
    module = asking(body, start, ground, type_=graph.Many("set", A_HEX))
    board, chance = position().board, random.Random(7)
    first: set[int] = set()
    blocked: set[int] = set()
    for number in range(400):
        if number % 40 == 0:
            first, blocked = {chance.randrange(board.size)}, set(chance.sample(range(board.size), board.size // 3))
        changed, by = chance.choice([first, blocked, blocked]), chance.randrange(board.size)
        (set.discard if chance.random() < 0.2 + 0.6 * is_outside else set.add)(changed, by)
        found, left = set(first), list(first)
        while left:
            fresh = {h for h in board.around[left.pop()] if (h in blocked) != is_outside} - found
            found |= fresh
            left += fresh
        assert module.ask("f", (tuple(sorted(first)), tuple(sorted(blocked)))) == tuple(sorted(found))


def test_memory_of_a_round_is_freed() -> None:
    """A fold that makes a set for each of ten thousand members does not exhaust memory."""
    i = Local("i", INT)
    inner = Apply(Primitive.SPAN, (Const(1, INT), Const(300, INT)), Set(INT))
    where = Apply(Primitive.MEMBER, (Const(7, INT), inner), BOOL)
    source = Apply(Primitive.SPAN, (Const(1, INT), A), Set(INT))
    module = asking(Fold(FoldKind.COUNT, "i", source, where, i, None, INT), A)
    assert module.ask("f", (10_000,)) == 10_000


def test_too_large_a_sequence() -> None:
    module = asking(
        Fold(FoldKind.SUM, "i", Apply(Primitive.SPAN, (Const(1, INT), A), Set(INT)), None, Local("i", INT), None, INT),
        A,
    )
    assert module.ask("f", (100,)) == 5050
    with pytest.raises(TrapError, match="exhausted"):
        module.ask("f", (1_000_000,))


def test_a_function_without_end() -> None:
    """Infinite recursion is a trap, and the module answers the next question."""
    call = ir.Call("f", (Apply(Primitive.ADD, (A, Const(1, INT)), INT),), INT)
    module = asking(If(Apply(Primitive.LESS, (A, Const(0, INT)), BOOL), A, call, INT), A)
    with pytest.raises(TrapError, match="exhausted"):
        module.ask("f", (1,))
    assert module.ask("f", (-3,)) == -3


def test_a_question_that_takes_too_many_steps() -> None:
    """Nested folds beyond the fuel of a question are a trap, and the module answers the next question."""
    body: Core = A
    for depth in range(4):
        source = Apply(Primitive.SPAN, (Const(1, INT), A), Set(INT))
        body = Fold(FoldKind.SUM, f"i{depth}", source, None, body, None, INT)
    module = asking(body, A)
    module.fuel = 10_000_000
    assert module.ask("f", (3,)) == 3**5
    with pytest.raises(TrapError, match="exhausted"):
        module.ask("f", (5_000,))
    assert module.ask("f", (2,)) == 2**5


def test_refused_arguments_allocate_no_memory() -> None:
    module = asking(Apply(Primitive.ADD, (A, B), INT), A, B)
    free = len(module.image.bytes)
    with pytest.raises(NotRepresentableError):
        module.ask("f", (1, Fraction(1, 2)))
    assert len(module.image.bytes) == free
    assert module.ask("f", (1, 2)) == 3


@pytest.mark.parametrize("reason", TrapReason)
def test_reasons_of_traps(reason: TrapReason) -> None:
    """A trap has its reason, and the module answers the next question."""
    module = asking(If(Apply(Primitive.LESS, (A, Const(0, INT)), BOOL), ir.Trap(reason, INT), A, INT), A)
    with pytest.raises(TrapError, match=reason):
        module.ask("f", (-1,))
    assert module.ask("f", (4,)) == 4


def test_a_position_with_too_many_pieces_is_refused() -> None:
    rules = hares()
    text, layout = write_module({}, rules, frozenset(), 1, 1)
    with pytest.raises(NotRepresentableError, match="pieces on"):
        ModuleInstance(CompiledModule(rules, text, replace(layout, pieces=0)), position())
