"""The trace of a game is complete: it has all terms that the interpreter asks, and all charts that it reads."""

import random
from typing import Any

from rulewright.library.stacks import open_packages
from runtime.answer.dependency_tracer import DependencyTracer
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.play.game import Game
from runtime.play.option_evaluator import Evaluator
from runtime.play.options import Decision


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
    asked_labels: set[str] = set()

    def listen(name: str, *_: Any) -> None:
        asked_labels.add(name)

    traced = DependencyTracer(rules)
    assert play(rules, traced) == play(rules, Interpreter(rules, listen=listen)) > 0
    rests = traced.dependencies()
    assert asked_labels <= {*rests.terms, *rests.tables}
    assert {label for name in asked_labels & rules.terms.keys() for label in rules.terms[name].rules} <= {*rests.rules}
    assert len(rests.terms) < len(rules.terms) / 2
