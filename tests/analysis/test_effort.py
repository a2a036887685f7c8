"""A budget of steps limits the proofs of each place; the part that is not proved is a finding."""

from pathlib import Path

import pytest

from compiler.analysis.budgets import limit_steps
from compiler.analysis.findings.dead_rule import DeadRule
from compiler.analysis.findings.too_much_to_prove import TooMuchToProve
from compiler.report.diagnose import diagnose
from compiler.source.finding import Finding
from rulewright.library.stacks import load_stack
from tests.proved import prove
from tests.safety.confine import package
from tests.sample import sampled

GUARD = 'rule r [TOY.1] "x"\n  may_enter forbidden\n  when '
WIDE = GUARD + " and ".join(f"(not to.name = 'A{n}' or to is marsh)" for n in range(12)) + "\n"
DEAD = 'rule dead [TOY.2] "x"\n  may_enter forbidden\n  when to is marsh and to is not marsh\n'
RULES = "".join(f"rule r{n} [TOY.1] \"x\"\n  entry_cost is {n % 9} MP\n  when to.name = 'A{n}'\n" for n in range(30))


def proved(place: Path, text: str, steps: int) -> tuple[Finding, ...]:
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
    assert all("more than 1,000 steps" in each.message for each in diagnostics)


def test_findings_before_the_end_of_the_budget_are_reported(tmp_path: Path) -> None:
    found = proved(tmp_path, DEAD + WIDE, 20_000)
    assert [each.rule.label for each in found if isinstance(each, DeadRule)] == ["dead"]


@sampled(0)
def test_a_condition_deeper_than_the_recursion_limit_exceeds_its_budget(tmp_path: Path) -> None:
    wide = GUARD + " or ".join(f"to.name = 'A{n}'" for n in range(1_200)) + "\n"
    assert any(isinstance(each, TooMuchToProve) for each in proved(tmp_path, wide, 20_000))
