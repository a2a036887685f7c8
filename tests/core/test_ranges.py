"""Numbers outside of ranges, and fractions in domains, which are whole, stop every engine.

Fractions computed in play fit in modules.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from compiler.analysis.findings.dead_rule import DeadRule
from compiler.analysis.prove import prove_graph
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.engine.module import ModuleInstance
from runtime.engine.trap import TrapError
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import OutOfRangeError, Unanswered
from runtime.play.game import Game
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.state.setup import from_position
from runtime.witness import candidate
from runtime.witness.candidate import MOST_HEXES
from tests.analysis.planted import compiled
from tests.core.agreement import module_of
from tests.reference.game import ReferenceGame

RULES = {
    "layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n",
    "case.rules": """
        side north, south   kind cart has room: 0..9   track game.rounds: 0..9 = 0   record shot {n: 1..4}
        define share(n: 1..4): number = 12 / (n + 1)
        define shared(n: 0..9): number = share(n)
        define share_of(s: shot): number = s.n * 2
        define shot_with(n: 0..9): number = share_of(shot(n: n))
        define total(ns: set of 1..4): number = sum(n for n in ns)
        define total_with(n: 0..9): number = total({n, 3})
        define at_most(n: 1..4): 0..4 = n
        define clamped(n: 0..9): 0..4 = at_most(n)
        resolution fill(n: 1..4) { set game.rounds to n }
        resolution note(n: 0..9) { if share_of(shot(n: n)) > 0 { set game.rounds to n } }
        sequence game { each turn in 1..1 { phase moving "Moving" { do STEP(game.rounds) } } }
    """,
}
HALVED = """
    side north, south   kind cart has room: 0..9   track game.part: number = 0
    define times(n: 0..9): number = game.part * n
    resolution halve(n: 0..9) { set game.part to n / 2 }
    sequence game { each turn in 1..1 { phase moving "Moving" { do halve(1) } } }
"""
ASKED = {
    "shared": "`share(n)` is given {}, but is declared 1..4",
    "shot_with": "`shot.n` is set to {}, but is declared 1..4",
    "total_with": "`total(ns)` is given {}, but is declared 1..4",
    "clamped": "`at_most(n)` is given {}, but is declared 1..4",
}


def rules_with(step: str, folder: Path) -> graph.Graph:
    """Compile the rules with the given resolution as the first step."""
    return compiled({name: text.replace("STEP", step) for name, text in RULES.items()}, folder)


def empty(rules: graph.Graph) -> State:
    """Return a position without pieces."""
    return from_position(
        rules, candidate.empty_candidate(rules.stack, "north", "moving", ["A"], width=MOST_HEXES).position
    )


def test_questions(tmp_path: Path) -> None:
    rules = rules_with("fill", tmp_path)
    state = empty(rules)
    evaluators = (Interpreter(rules), GeneratedEvaluator(rules))
    terms = ModuleInstance(module_of(rules), state)
    for name, question_text in ASKED.items():
        for number in range(10):
            if 1 <= number <= 4:
                values = [evaluator.ask(state, name, (number,)).value for evaluator in evaluators]
                assert terms.ask(name, (number,)) == values[0] == values[1]
                continue
            for evaluator in evaluators:
                with pytest.raises(OutOfRangeError) as stopped:
                    evaluator.ask(state, name, (number,))
                assert str(stopped.value) == question_text.format(number)
            with pytest.raises(TrapError, match="outside"):
                terms.ask(name, (number,))


@pytest.mark.parametrize(("step", "what"), [("fill", r"`fill\(n\)` is given 0"), ("note", r"`shot.n` is set to 0")])
def test_procedures(step: str, what: str, tmp_path: Path) -> None:
    rules = rules_with(step, tmp_path)
    game = Game(rules, Interpreter(rules))
    where = " in sequence" if step == "fill" else " in resolution note"
    with pytest.raises(BrokenRules, match=f"{what}, but is declared 1..4{where}"):
        game.run(game.start("1", empty(rules)))
    with pytest.raises(BrokenRules, match=f"{what}, but is declared 1..4{where}"):
        ReferenceGame(rules, empty(rules), "1").advance()


def test_fractions_that_only_procedures_compute(tmp_path: Path) -> None:
    rules = compiled({**RULES, "case.rules": HALVED}, tmp_path)
    game = Game(rules, GeneratedEvaluator(rules))
    playthrough = game.start("1", empty(rules))
    game.run(playthrough)
    assert playthrough.state.facts["game.part"] == Fraction(1, 2)
    assert ModuleInstance(module_of(rules), playthrough.state).ask("times", (3,)) == Fraction(3, 2)


WHOLE = """
    side north, south   kind cart has room: 0..9   domain pace = 0..4   record leap {p: pace}
    track game.pace: pace = 0
    define half(n: 0..9): pace = n / 2
    define doubled(p: pace): number = p * 2
    define of_argument(n: 0..9): number = doubled(n / 2)
    define of_leap(l: leap): number = l.p * 2
    define of_field(n: 0..9): number = of_leap(leap(p: n / 2))
    define total(ps: set of pace): number = sum(p * 2 for p in ps)
    define of_member(n: 0..9): number = total({n / 2})
    define of_range(n: 0..9): 0..9 = n / 2
    condition amid(p: pace) default no
    rule between-two [house] "Between." amid holds when p > 1 and p < 2
    define of_condition(n: 0..9): yes_no = amid(n / 2)
    resolution pace(n: 0..9) { set game.pace to n / 2 }
    sequence game { each turn in 1..1 { phase moving "Moving" { do pace(3) } } }
"""


def test_fractions_in_domains(tmp_path: Path) -> None:
    rules = compiled({**RULES, "case.rules": WHOLE}, tmp_path)
    state = empty(rules)
    evaluators = (Interpreter(rules), GeneratedEvaluator(rules))
    terms = ModuleInstance(module_of(rules), state)
    for name in ("half", "of_argument", "of_field", "of_member", "of_condition"):
        for number in range(0, 9, 2):
            values = [evaluator.ask(state, name, (number,)).value for evaluator in evaluators]
            assert terms.ask(name, (number,)) == values[0] == values[1]
        for number in range(1, 8, 2):
            for evaluator in evaluators:
                with pytest.raises(Unanswered):
                    evaluator.ask(state, name, (number,))
            with pytest.raises(TrapError, match="outside"):
                terms.ask(name, (number,))
    assert terms.ask("of_range", (3,)) == evaluators[1].ask(state, "of_range", (3,)).value == Fraction(3, 2)
    assert [each.rule.label for each in prove_graph(rules).problems if isinstance(each, DeadRule)] == ["between-two"]
    with pytest.raises(BrokenRules, match="3/2"):
        (game := Game(rules, evaluators[1])).run(game.start("1", state))
    with pytest.raises(BrokenRules, match="3/2"):
        ReferenceGame(rules, state, "1").advance()
