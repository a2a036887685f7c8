"""Memoized answers of a module equal recomputed ones."""

import pytest

from compiler.core import ir
from compiler.core.construct import NO
from compiler.core.ir import Apply, FoldKind, Local, Primitive
from compiler.core.passes.footprint import compute_footprints
from compiler.core.representation import BOOL, ENUM, HEX, PIECE, Set
from compiler.core.text import reads_text
from compiler.wasm.function import FunctionWriter
from compiler.wasm.memory import ConstantPool
from compiler.wasm.sharing import packed_number
from compiler.wasm.validity import AnswerValidity
from runtime.engine.game import DRAWS, GREEDY, NativeGame
from runtime.graph.layout import BELOW, lay_out
from runtime.state.setup import from_card
from tests.core.checked import checked_program
from tests.core.test_play import CARDS, PACKAGES
from tests.sample import LONG, sampled
from tests.soak.stacks import compiled, wanted

STEPS = 1 << 60  # Computing every answer twice takes many steps.
SHORT = ("first_snow", "hazel_ford")


def count_checks(card: str, stack: str, games: int) -> int:
    """Play games in a module that recomputes memoized answers, with checkpoints; return the number of checks."""
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], stack)
    opening = from_card(rules)
    program = checked_program(rules, len(opening.sheets), opening.board.size)
    assert rules.scenario is not None
    count = 0
    for player in (DRAWS, GREEDY, 0):
        native = NativeGame(program, opening, dict.fromkeys(rules.scenario.order, player), STEPS, logs=False)
        at = native.reserve_checkpoint()
        for number in range(games):
            native.start(f"{card} {number}")
            check_count = 0
            # Restore the checkpoint now and then, and continue with other options.
            while native.run() and check_count < 400:
                check_count += 1
                if check_count % 20 == 1:
                    native.save(at)
                elif check_count % 20 in (9, 15):
                    native.restore(at)
                native.choose(check_count * check_count % native.option_count())
        assert native.variable("wrong") == 0
        count += native.variable("checked")
    return count


@sampled(1)
@pytest.mark.parametrize("card", SHORT)
def test_memoized_answers(card: str) -> None:
    assert count_checks(card, PACKAGES.library.scenarios[card].uses.text, 2) > 1000


@LONG
@pytest.mark.parametrize("card", CARDS)
def test_memoized_answers_of_every_situation(card: str) -> None:
    for stack in wanted(PACKAGES, PACKAGES.library.scenarios[card]):
        count_checks(card, stack, 1)


P, Q, H = Local("p", PIECE), Local("q", PIECE), Local("h", HEX)
U, HERE = Local("u", PIECE), ir.Load("hex", P, HEX)


def some(name: str, source: ir.Core, where: ir.Core) -> ir.Core:
    return ir.Fold(FoldKind.SOME, name, source, where, Local(name, PIECE), None, BOOL)


def at(there: ir.Core) -> ir.Core:
    return Apply(Primitive.PIECES_AT, (there,), Set(PIECE), "hare")


def test_footprints() -> None:
    """Reads of an argument, in its hex, of pieces there and of anything are distinguished."""
    bodies = {
        "tired": ((P,), ir.Bit("mark:hare.tired", P)),
        "wet": ((H,), ir.Bit("feature:bog", H)),
        "crowded": ((P,), some("u", at(HERE), ir.Call("tired", (U,), BOOL))),
        "watched": ((H,), some("u", Apply(Primitive.PIECES_ON_MAP, (), Set(PIECE), ""), ir.Call("tired", (U,), BOOL))),
        "both": ((P, Q), ir.If(ir.Call("tired", (P,), BOOL), ir.Call("crowded", (Q,), BOOL), NO, BOOL)),
        "in": ((H,), some("u", at(H), ir.Call("crowded", (U,), BOOL))),
        "again": ((P,), ir.Call("again", (P,), BOOL)),
    }
    found = compute_footprints({name: ir.Function(name, *each) for name, each in bodies.items()})
    assert {name: reads_text(each) for name, each in found.items()} == {
        "tired": "mark:hare.tired of p",
        "wet": "",
        "crowded": "mark:hare.tired in the hex of p, placed in the hex of p, placed of p",
        "watched": "mark:hare.tired anywhere, outside anywhere",
        "both": "mark:hare.tired in the hex of q, mark:hare.tired of p, placed in the hex of q, placed of q",
        "in": "mark:hare.tired in h, placed in h",
        "again": "* anywhere",
    }


def test_words_come_first_among_keys() -> None:
    """The answers for one word lie together, whatever the order of the parameters."""
    layout = lay_out({}, 64, 64, 64, (), frozenset())
    writer = FunctionWriter(ConstantPool(layout, AnswerValidity((), frozenset())), "holds", ())
    owner = Local("owner", ENUM)
    number, questions = packed_number(writer, (H, owner))
    assert (number, questions) == packed_number(writer, (owner, H))
    assert number.startswith(f"(i64.add (i64.mul (i64.extend_i32_s (local.get $owner)) (i64.const {64 + BELOW}))")
