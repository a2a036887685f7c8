"""Proofs by arithmetic with z3: they agree with proofs by cases, and `check` reports that it skips them without z3."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from compiler.analysis.arithmetic import solver
from compiler.analysis.arithmetic.strategy import BY_ARITHMETIC
from compiler.analysis.formula import Formula
from compiler.analysis.intervals import Intervals
from compiler.analysis.laws import laws_of
from compiler.analysis.proof_context import ProofContext, open_proof_context
from compiler.analysis.solve import TooManyCases
from compiler.analysis.translate import negation_of
from rulewright.checks import proofs
from rulewright.checks.confirming_witness import confirming_witness
from rulewright.serve.cli.app import run
from rulewright.system.environment import command_for
from runtime.witness.find_witness import BOUND
from tests.analysis.planted import Case, cases, compiled, found, planted
from tests.analysis.test_soundness import TABLE, WORDS, random_rules
from tests.proved import prove
from tests.sample import sampled

z3 = pytest.importorskip("z3", reason="the extra `prover` is not installed: NO PROOF BY ARITHMETIC IS TESTED")

CASES = cases("arithmetic.rules")


@sampled(2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_arithmetic_decides_what_cases_leave_open(case: Case, tmp_path: Path) -> None:
    rules = planted(case.files, tmp_path).graph
    by_arithmetic = prove(rules, lambda suspect: confirming_witness(rules, suspect), BOUND, BY_ARITHMETIC)
    assert found(by_arithmetic.problems) == case.announced
    assert by_arithmetic.open == ()
    by_cases = prove(rules, lambda suspect: confirming_witness(rules, suspect), BOUND)
    # A clash without a witness is only a suspicion.
    assert Counter(each for each in found(by_cases.problems) if each[-1]) == Counter()
    assert by_cases.open


@sampled(6)
@pytest.mark.parametrize("seed", range(12))
def test_cases_and_arithmetic_agree_where_both_decide(seed: int, tmp_path: Path) -> None:
    """On random rules, cases find every assignment that arithmetic finds; without approximation both are equal."""
    written = random_rules(random.Random(seed))
    files = {"layer.yaml": "layer: planted\ntitle: Planted\nkind: base\ncites: house\n", "words.rules": WORDS}
    stack = compiled({**files, "rules.rules": written, "costs.yaml": TABLE}, tmp_path)
    laws = laws_of(stack)
    compared = 0
    for term in stack.terms.values():
        contexts = [open_proof_context(laws, term, Intervals(stack), *method) for method in ((), (BY_ARITHMETIC,))]
        answers = [decided(context) for context in contexts]
        for by_cases, by_arithmetic in zip(*answers, strict=True):
            if by_cases is None or by_arithmetic is None:
                continue
            compared += 1
            assert by_arithmetic <= by_cases, written
            assert by_arithmetic == by_cases or contexts[0].translator.is_approximate, written
    assert compared > 10


def decided(context: ProofContext) -> list[bool | None]:
    """Return whether each rule can be live, each pair can differ, and each rule can be off; None if undecided."""
    questions: list[tuple[Formula, ...]] = [(live,) for live in context.live.values()]
    questions += [
        (context.live[one], context.live[other], differ) for (one, other), differ in context.differences.items()
    ]
    questions += [(negation_of(live),) for live in context.live.values()]
    answers = [context.find_assignment(*formulas) for formulas in questions]
    return [None if isinstance(each, TooManyCases) else each is not None for each in answers]


def test_a_proof_that_exceeds_its_steps_has_no_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MOST_SOLVER_STEPS", 1)
    rules = planted(CASES[0].files, tmp_path).graph
    assert not prove(rules, lambda _: None, BOUND, BY_ARITHMETIC).problems


@sampled(1)
@pytest.mark.parametrize("there", [True, False])
def test_check_reports_skipped_proofs(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in CASES[0].files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(proofs, "available_strategy", lambda: BY_ARITHMETIC if there else None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run(["check", str(tmp_path), "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    run(["check", str(tmp_path)])
    printed = capsys.readouterr().out
    if there:
        assert [each["code"] for each in data["diagnostics"]] == ["R0502"]
        assert data["skipped"] == []
        assert "skipped:" not in printed
    else:
        assert data["diagnostics"] == []
        [skipped] = data["skipped"]
        assert skipped["check"] == "proofs by arithmetic (1 question: beats)"
        assert command_for("prover") in skipped["why"]
        assert [line for line in printed.splitlines() if line.startswith("skipped: proofs by arithmetic")] == [
            f"skipped: {skipped['check']}: {skipped['why']}"
        ]
