"""A budget of steps limits the proofs of each place; the part that is not proved is a finding."""

from pathlib import Path

import pytest

from compiler.analysis import budgets
from compiler.analysis.budgets import limit_steps
from compiler.analysis.formula import Conjunction, Disjunction, Formula, Negation, formula_size
from compiler.analysis.idle_code import TooMuchToProve
from compiler.analysis.problems import DeadRule, Problem
from compiler.analysis.prove import prove_graph
from compiler.query.database import Database
from compiler.report.diagnose import diagnose
from rulewright.library.stacks import load_stack
from rulewright.library.trace_store import FileTraceStore
from tests.proved import prove
from tests.safety.confine import package
from tests.sample import sampled

GUARD = 'rule r [TOY.1] "x"\n  may_enter forbidden\n  when '
WIDE = GUARD + " and ".join(f"(not to.name = 'A{n}' or to is marsh)" for n in range(12)) + "\n"
DEAD = 'rule dead [TOY.2] "x"\n  may_enter forbidden\n  when to is marsh and to is not marsh\n'
RULES = "".join(f"rule r{n} [TOY.1] \"x\"\n  entry_cost is {n % 9} MP\n  when to.name = 'A{n}'\n" for n in range(30))


def proved(place: Path, text: str, steps: int) -> tuple[Problem, ...]:
    """Prove the toy game with more rules, with a number of steps for each place."""
    stack = load_stack("toy", [package(place, {"x.rules": text})]).graph
    assert stack is not None
    with limit_steps(steps):
        return prove(stack).problems


@pytest.mark.parametrize(("text", "what"), [(WIDE, "conditions"), (RULES, "rules")])
def test_an_exceeded_budget_is_reported_at_its_place(text: str, what: str, tmp_path: Path) -> None:
    enough, little = proved(tmp_path, text, 1_000_000), proved(tmp_path, text, 1_000)
    assert not [each for each in enough if isinstance(each, TooMuchToProve)]
    open_ = [each for each in little if isinstance(each, TooMuchToProve)]
    assert what in {each.subject for each in open_}
    assert little == proved(tmp_path, text, 1_000)
    diagnostics = [each for each in diagnose(open_, {}) if each.code == "R0566"]
    assert diagnostics
    assert all("more than 1,000 steps" in each.spans[0].text for each in diagnostics)


def test_findings_before_the_end_of_the_budget_are_reported(tmp_path: Path) -> None:
    found = proved(tmp_path, DEAD + WIDE, 20_000)
    assert [each.rule.label for each in found if isinstance(each, DeadRule)] == ["dead"]


@sampled(0)
def test_a_condition_deeper_than_the_recursion_limit_exceeds_its_budget(tmp_path: Path) -> None:
    wide = GUARD + " or ".join(f"to.name = 'A{n}'" for n in range(1_200)) + "\n"
    assert any(isinstance(each, TooMuchToProve) for each in proved(tmp_path, wide, 20_000))


def test_a_conjunction_of_80_tests_is_proved_within_150_000_steps(tmp_path: Path) -> None:
    long = GUARD + " and ".join(f"not to.name = 'A{n}'" for n in range(80)) + "\n"
    assert not [each for each in proved(tmp_path, long, 150_000) if isinstance(each, TooMuchToProve)]


def test_a_shared_part_of_a_formula_is_counted_each_time_up_to_the_limit() -> None:
    """Two hundred formulas, each twice as large as the one before, cannot be counted to the end."""
    doubled: Formula = Conjunction(())
    for _ in range(200):
        doubled = Disjunction((doubled, Negation(doubled)))
    assert 1_000 < formula_size(doubled, 1_000) < 1_100
    few = Conjunction((Negation(Conjunction(())), Disjunction((Conjunction(()), Conjunction(())))))
    assert formula_size(few, most=None) == formula_size(few, 100) == 6


def test_many_places_within_their_budgets_share_one_of_the_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty rules share one budget: the first are proved, the rest is one finding, with stored traces too."""
    text = "".join(WIDE.replace("rule r", f"rule r{n}").replace("'A", f"'B{n}") for n in range(30))
    monkeypatch.setattr(budgets, "STACK", 1)
    monkeypatch.setattr(budgets, "MOST_PROOF_STEPS", 60_000)
    rules = load_stack("toy", [package(tmp_path, {"x.rules": text})]).graph
    assert rules is not None
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    lines = []
    for _ in range(2):
        store = FileTraceStore()
        with limit_steps(60_000):
            known = prove_graph(rules, database=Database(), store=store).problems
        store.write_traces()
        lines.append([each for each in known if isinstance(each, TooMuchToProve) and each.subject == "stack"])
    assert len(lines[0]) == 1
    assert 10 < lines[0][0].size < 60
    assert lines[0] == lines[1]
