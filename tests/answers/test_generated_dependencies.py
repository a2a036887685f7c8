"""The trace of a game is complete: it has all terms that the interpreter asks, and all charts that it reads."""

import random

from rulewright.library.stacks import open_packages
from runtime.answer.evaluator import Evaluator, EvaluatorHook
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.generated_dependencies import dependencies_of
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.state.position import State


class AskedNames(EvaluatorHook):
    """The names of terms that were asked, and of charts that were read."""

    def __init__(self) -> None:
        """Start without names."""
        self.names: set[str] = set()

    def on_question(self, name: str, *_: object, **__: object) -> None:
        """Record a term."""
        self.names.add(name)

    def on_cell(self, _: State, name: str, *__: object) -> None:
        """Record a chart."""
        self.names.add(name)


def play(rules: graph.Graph, evaluator: Evaluator) -> int:
    """Apply the first 25 choices of a random game; return their number."""
    game, dice = Game(rules, evaluator), random.Random(1)
    playthrough = game.start("traced")
    while playthrough.choice_count < 25 and isinstance(now := game.advance(playthrough), Decision):
        game.apply(playthrough, now, dice.randrange(len(now.options)))
    return playthrough.choice_count


def test_every_term_and_chart_that_the_interpreter_reads_is_in_the_trace() -> None:
    package_set = open_packages()
    node = package_set.library.scenarios["bridge_at_millbrook"]
    rules = package_set.compiled(node.uses.text, node).graph
    assert rules is not None
    asked_names, traced = AskedNames(), GeneratedEvaluator(rules, is_traced=True)
    assert play(rules, traced) == play(rules, Interpreter(rules, hooks=(asked_names,))) > 0
    rests = dependencies_of(traced)
    assert asked_names.names <= {*rests.terms, *rests.tables}
    assert {label for name in asked_names.names & rules.terms.keys() for label in rules.terms[name].rules} <= {
        *rests.rules
    }
    assert len(rests.terms) < len(rules.terms) / 2
