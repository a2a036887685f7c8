"""Compiled terms answer as the interpreter does: for every construct, in examples and in positions of play."""

import random
from collections.abc import Callable

import pytest

from runtime.answer.generate import GeneratedEvaluator
from runtime.graph import nodes as graph
from runtime.play.game import FinishedGame, Game
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from tests.constructs.test_constructs import rules as constructs
from tests.core.agreement import Question, compare, module_of, questions, top_questions
from tests.sample import LONG, sampled
from tests.soak.stacks import compiled, package_set, wanted
from tests.toys.hares import hares

Asking = Callable[[graph.Graph, State, str], dict[Question, Value]]
PACKAGES = package_set()
CARDS = [name for name in sorted(PACKAGES.library.scenarios) if "_situation_" not in name]
SHORT = ("before_the_tide", "before_winter")


def positions(rules: graph.Graph, moments: tuple[int, ...], seed: int) -> list[State]:
    """Play at random; return the positions after the given numbers of decisions, or at the end."""
    game, chance, found = Game(rules, GeneratedEvaluator(rules)), random.Random(seed), []
    playthrough = game.start(seed)
    for number in range(max(moments) + 1):
        now = game.advance(playthrough)
        if number in moments or isinstance(now, FinishedGame):
            found.append(playthrough.state.copy())
        if isinstance(now, FinishedGame):
            break
        game.apply(playthrough, now, chance.randrange(len(now.options)))
    return found


def agree(rules: graph.Graph, states: list[State], asking: Asking = questions) -> set[str]:
    """Compare a module with the interpreter in each state; return the compared terms."""
    program = module_of(rules)
    terms: set[str] = set()
    for number, state in enumerate(states):
        found = compare(program, state, asking(rules, state, str(number)))
        assert found.different == []
        assert found.refused == []
        terms |= found.terms
    return terms


@sampled(0)
def test_every_construct() -> None:
    rules = constructs()
    states = [from_position(rules, example.position) for example in rules.examples]
    terms = agree(rules, states)
    assert {name for name in rules.terms if name not in terms} == set()


def test_a_toy_in_play() -> None:
    rules = hares()
    assert agree(rules, positions(rules, (0, 10, 40), 1)) == set(rules.terms)


@pytest.mark.parametrize("card", SHORT)
def test_situations(card: str) -> None:
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], PACKAGES.library.scenarios[card].uses.text)
    terms = agree(rules, positions(rules, (0, 30), 2))
    assert len(terms) * 4 > len(rules.terms) * 3


@sampled(0)
def test_other_games() -> None:
    """A game asked by the interpreter, and a large one by generated code, at other moments of play."""
    for card, asking in (("hazel_ford", questions), ("easthay", top_questions)):
        rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], PACKAGES.library.scenarios[card].uses.text)
        assert len(agree(rules, positions(rules, (0, 70), 7), asking)) * 4 > len(rules.terms) * 3


@LONG
def test_the_largest_game() -> None:
    rules = compiled(PACKAGES, PACKAGES.library.scenarios["bridge_at_millbrook"], "panzer_leader")
    assert len(agree(rules, positions(rules, (90,), 3), top_questions)) * 2 > len(rules.terms)


@LONG
@pytest.mark.parametrize("card", CARDS)
def test_every_situation_with_its_options(card: str) -> None:
    for stack in wanted(PACKAGES, PACKAGES.library.scenarios[card]):
        rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], stack)
        assert len(agree(rules, positions(rules, (0, 60, 240), 3), top_questions)) * 2 > len(rules.terms)


@LONG
@pytest.mark.parametrize("card", CARDS)
def test_every_situation_by_the_interpreter(card: str) -> None:
    rules = compiled(PACKAGES, PACKAGES.library.scenarios[card], PACKAGES.library.scenarios[card].uses.text)
    assert len(agree(rules, positions(rules, (40,), 4))) * 2 > len(rules.terms)
