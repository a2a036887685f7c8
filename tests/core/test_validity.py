"""Memoized answers of a module equal recomputed ones."""

import pytest

from compiler.core import ir
from compiler.core.ir import Apply, Local, Primitive
from compiler.core.representation import HEX, PIECE, Set
from runtime.engine.game import DRAWS, GREEDY, NativeGame
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


def at(there: ir.Core) -> ir.Core:
    return Apply(Primitive.PIECES_AT, (there,), Set(PIECE), "hare")
