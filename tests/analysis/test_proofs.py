"""Planted defects are found once and at their lines, other lines have none, and witnesses reproduce their findings."""

from pathlib import Path

import pytest

from compiler.analysis.findings.never_read import NeverUsed
from compiler.analysis.findings.out_of_range_write import OutOfRangeWrite
from compiler.analysis.findings.term_answers import RuleOutside, RulesOverlap, TermGap
from compiler.analysis.findings.unshown_clarification import UnshownClarification
from compiler.question import type_question
from compiler.report.codes import known_findings
from compiler.report.diagnose import sentence_of
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.package import read_document
from rulewright.checks.confirming_witness import confirming_witness
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import ClashError, GapError, OutsideError
from runtime.graph.witness_position import WitnessPosition
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.find_witness import BOUND
from tests.analysis.planted import Case, Planted, cases, compiled, found, planted
from tests.proved import prove
from tests.sample import sampled

FIXTURES = (
    "answers.rules",
    "rules.rules",
    "charts.rules",
    "usage.rules",
    "ranges.rules",
    "arguments.rules",
    "steps.rules",
    "conditions.rules",
    "secrets.rules",
)
# Problems that no fixture plants; the pages of their codes show them, and other tests some of them.
ELSEWHERE = set(
    """
    BetweenRows ColumnsExchanged ContraryAim CounterAlone ExceptionForgotten
    HardToRead IdleAim NeverComesOn NeverUsed NoAim NoFigures
    NoPreference NobodyWins NumberTaken RestsOnNothing
    TooMuchToProve TurnNeverComes UnaskedCase UnaskedVerdict UnguardedStep
    """.split()
)
CASES = [pytest.param(case, id=f"{file}: {case.name}") for file in FIXTURES for case in cases(file)]


@sampled(21)
@pytest.mark.parametrize("case", CASES)
def test_planted(case: Case, tmp_path: Path) -> None:
    stack = planted(case.files, tmp_path)
    problems = proved(stack.graph)
    assert found(problems) == case.announced
    for problem in problems:
        if isinstance(problem, RulesOverlap | TermGap | RuleOutside) and problem.witness is not None:
            assert meets(problem, stack, tmp_path), problem.witness.file
        if isinstance(problem, OutOfRangeWrite) and problem.witness is not None:
            low, high = problem.domain.split("..")
            assert not int(low) <= ask_witness(problem.witness, stack, tmp_path) <= int(high), problem.witness.file


def test_every_problem_of_a_new_check_is_planted() -> None:
    found_here = {name for file in FIXTURES for case in cases(file) for name, *_ in case.announced}
    of_proofs = {facts.__name__ for facts in known_findings() if facts.__module__.startswith("compiler.analysis.")}
    assert of_proofs - found_here == ELSEWHERE, "plant it, beside near misses"


def proved(rules: graph.Graph) -> tuple[Finding, ...]:
    """Prove a stack as `check` does, without its cache."""
    return prove(rules, lambda suspect: confirming_witness(rules, suspect), BOUND).problems


def meets(problem: RulesOverlap | TermGap | RuleOutside, planted_stack: Planted, folder: Path) -> bool:
    """Ask the saved witness as `ask -p` does; return whether the interpreter stops with the error of the finding."""
    assert problem.witness is not None
    wanted = {RulesOverlap: ClashError, TermGap: GapError, RuleOutside: OutsideError}[type(problem)]
    try:
        ask_witness(problem.witness, planted_stack, folder)
    except wanted:
        return True
    return False


def ask_witness(witness: WitnessPosition, planted_stack: Planted, folder: Path) -> Value:
    """Open a saved witness as `ask -p` does, and return the answer to its question."""
    file = folder / "witness.yaml"
    file.write_text(witness.file)
    position, problems = read_document(file, source.Position)
    assert position is not None, problems
    question = type_question(planted_stack.typed.env, planted_stack.library.boards, position, witness.question)
    assert question.expression is not None, question.problems
    return Interpreter(planted_stack.graph).evaluate(
        from_position(planted_stack.graph, question.position), question.expression, {}
    )


def test_a_clash_that_no_search_confirms_has_no_witness(tmp_path: Path) -> None:
    case = next(case for case in cases("answers.rules") if case.name == "a planted clash")
    (problem,) = prove(planted(case.files, tmp_path).graph, bound="nobody looked").problems
    assert isinstance(problem, RulesOverlap)
    assert (problem.witness, problem.bound) == (None, "nobody looked")
    assert problem.when == ("to is smoky", "to is not bog")


def test_a_chart_that_nothing_reads_is_a_finding(tmp_path: Path) -> None:
    case = next(case for case in cases("usage.rules") if case.name == "a whole game in which all is used")
    chart = "table: toll\ncites: house\nkeys: {die: 1..2}\ncell: yes_no\nrows: [{die: 1, is: yes}, {die: 2, is: no}]\n"
    read = 'rule tolls-stay "Tolls."  may_go forbidden  when toll[clamp(c.spent, 1, 2)]\n'
    unread = planted(case.files | {"toll.yaml": chart}, tmp_path / "unread")
    (problem,) = proved(unread.graph)
    assert isinstance(problem, NeverUsed)
    assert sentence_of(problem).message == "the chart `toll` is declared but never used"
    looked = {**case.files, "toll.yaml": chart, "more.rules": read}
    assert proved(planted(looked, tmp_path / "read").graph) == ()


@pytest.mark.parametrize(("stack", "count"), [("frost", 1), ("planted+frost", 1), ("planted+frost+thaw", 0)])
def test_a_clarification_without_an_example_is_a_finding_of_its_layer(stack: str, count: int, tmp_path: Path) -> None:
    option = "layer: {name}\ntitle: {name}\nkind: optional\non: [planted]\ncites: house\n"
    case = next(case for case in cases("usage.rules") if case.name == "a whole game in which all is used")
    clear = 'ruling so-they-do [house] clarification, none asks "Do they?" answers "They do." clarifies dizzy-stay\n'
    files = {
        **case.files,
        "frost/layer.yaml": option.format(name="frost"),
        "frost/frost.rules": clear,
        "thaw/layer.yaml": option.format(name="thaw"),
    }
    problems = proved(compiled(files, tmp_path, stack))
    assert [type(problem) for problem in problems] == [UnshownClarification] * count
