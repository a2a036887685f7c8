"""Generated code is reused by a later process, which generates none of it again and gives equal answers."""

import pickle

import pytest

from bench.playing import situation
from rulewright.library.stacks import load_stack
from runtime.answer.code import CompiledCode
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.experiment.evaluation_counts import CountingEvaluator
from runtime.experiment.game_outcome import Outcome, play_outcome
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.players.player_names import PLAYERS
from tests.answers.differential import agree_on, questions
from tests.answers.shaken import shaken
from tests.sample import sampled


def reread_graph(rules: graph.Graph) -> graph.Graph:
    """Return the graph as another process reads it."""
    read: graph.Graph = pickle.loads(pickle.dumps(rules))
    return read


def reread_code(code: CompiledCode) -> CompiledCode:
    """Return the code as another process reads it."""
    read: CompiledCode = pickle.loads(pickle.dumps(code))
    return read


def played(game: Game, seed: str) -> Outcome:
    assert game.graph.scenario is not None
    return play_outcome(game, dict.fromkeys(game.graph.scenario.order, PLAYERS["random"]), seed)


@pytest.mark.parametrize(("name", "many"), [("before_the_tide", 15), ("ridge_farm", 150)])
def test_a_later_process_generates_no_function_again(name: str, many: int) -> None:
    rules = situation(name)
    first = GeneratedEvaluator(rules)
    game = played(Game(rules, first), "1")
    code, later = reread_code(first.code), reread_graph(rules)
    assert len(code.functions) > many
    evaluator = GeneratedEvaluator(later, code=code)
    assert played(Game(later, evaluator), "1") == game
    assert evaluator.code is code
    assert code.functions.keys() == first.code.functions.keys()


def test_code_serves_one_evaluator() -> None:
    """A function that the second one finds may read a constant that only the first has made."""
    rules, code = situation("before_the_tide"), CompiledCode()
    GeneratedEvaluator(rules, code)
    GeneratedEvaluator(rules, code.copy())
    with pytest.raises(ValueError, match="take a copy"):
        GeneratedEvaluator(rules, code)


def test_a_counting_evaluator_with_reused_code_counts_the_same() -> None:
    rules = situation("before_the_tide")
    later = reread_graph(rules)
    first = CountingEvaluator(rules, code=None)
    game = played(Game(rules, GeneratedEvaluator(rules), first), "1")
    later_evaluator = CountingEvaluator(later, reread_code(first.code))
    assert played(Game(later, GeneratedEvaluator(later), later_evaluator), "1") == game
    assert later_evaluator.code.functions.keys() == first.code.functions.keys()
    evaluations = first.take_evaluations()
    assert len(evaluations) > 5
    assert later_evaluator.take_evaluations() == evaluations


@sampled(0)
def test_missing_functions_are_added_to_reused_code() -> None:
    rules = load_stack("panzer_leader").graph
    assert rules is not None
    positions = [e.position for e in rules.examples if not e.names and e.position.pieces and e.position.board.hexes]
    interpreter, code, question_count = Interpreter(rules), CompiledCode(), 0
    for number, position in enumerate(positions[:50:10]):
        # Each process reads the functions of the earlier ones, and asks another fifth of the questions.
        known = len(code.functions)
        compiled = GeneratedEvaluator(rules, reread_code(code))
        state = shaken(rules, position, number)
        fifth = list(questions(state, number, 1))[number % 5 :: 5]
        more, differences = agree_on(interpreter, compiled, state, fifth)
        assert not differences
        question_count += more
        assert len(compiled.code.functions) > known
        code = compiled.code
    assert question_count > 200
