"""Long lines of generated Python are broken without changing the program, and a linter has no complaint."""

import ast
import subprocess
import sys
from importlib.util import find_spec

import pytest

from rulewright.library.stacks import open_packages
from runtime.answer.brackets import negated_test, outermost_text, without_brackets
from runtime.answer.module_text import WIDTH, break_lines, function_texts, module_text
from tests.sample import sampled


@sampled(1)
@pytest.mark.parametrize("game", ["low_tide", "panzer_leader"])
def test_a_module_is_the_same_program_with_broken_lines(game: str) -> None:
    rules = open_packages().compiled(game).graph
    assert rules is not None
    text = module_text(rules)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse("\n".join(function_texts(rules, rules.terms))))
    assert [line for line in text.splitlines() if len(line) > WIDTH and '"""' not in line] == []


# Exempt: names of the namespace, comparisons in the order of a rule, functions that end with a raise, rules one by one.
HABITS = "B,C4,E7,F,PERF,PIE,RET,RUF,SIM,UP"
FOREIGN = "E741,F821,RET503,RUF012,SIM103,SIM110,SIM114,SIM300"


@pytest.mark.parametrize("game", ["panzer_grenadier", "panzer_leader"])
def test_a_linter_has_no_finding_in_a_generated_module(game: str) -> None:
    rules = open_packages().compiled(game).graph
    assert rules is not None
    if find_spec("ruff") is None:
        pytest.skip("NOT CHECKED: ruff is not installed; `python3 -m tests` brings it")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--quiet", "--output-format", "concise"]
    command += ["--select", HABITS, "--ignore", FOREIGN, "--target-version", "py311", "-"]
    assert subprocess.run(command, input=module_text(rules), capture_output=True, text=True, check=False).stdout == ""


def test_a_condition_breaks_at_the_weakest_operator() -> None:
    parts = [f"marked_{number}(s, unit, 'and or')" for number in range(5)]
    line = f"    if {parts[0]} or ({parts[1]} and {parts[2]}) or {parts[3]}(s, {parts[4]}):"
    assert break_lines(line).splitlines() == [
        "    if (",
        f"        {parts[0]}",
        f"        or ({parts[1]} and {parts[2]})",
        f"        or {parts[3]}(s, {parts[4]})",
        "    ):",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(x == 'a != b')", "(x != 'a != b')"),
        ("(s.hex[x] in OUTSIDE)", "(s.hex[x] not in OUTSIDE)"),
        ("(a(x < 1) >= 2)", "(a(x < 1) < 2)"),
        ("(x is not None)", "(x is None)"),
        ("(not may_move(s, u))", "may_move(s, u)"),
        ("(not may_move(s, u) or x)", "(not (not may_move(s, u) or x))"),
        ("((a and b))", "(not (a and b))"),
        ("(0 <= x <= 3)", "(not 0 <= x <= 3)"),
        ("(x == 1 and y == 2)", "(not (x == 1 and y == 2))"),
        ("(1 if x else 2)", "(not (1 if x else 2))"),
        ("is_free(s, x)", "(not is_free(s, x))"),
    ],
)
def test_a_negated_test_inverts_a_single_comparison(text: str, expected: str) -> None:
    assert negated_test(text) == expected


def test_brackets_and_strings_are_blanked() -> None:
    assert outermost_text("f(a, 'b)') + ' and ' [c]") == "f          +            "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((x + 1))", "x + 1"), ("()", "()"), ("(())", "()"), ("('a',)", "('a',)"), ("('a', 'b')", "('a', 'b')"),
        ("(('a', 'b'))", "('a', 'b')"), ("(f(a, b))", "f(a, b)"), ("('a, b')", "'a, b'"), ("(a) + (b)", "(a) + (b)"),
    ],
)  # fmt: skip
def test_brackets_of_a_tuple_are_not_removed(text: str, expected: str) -> None:
    assert without_brackets(text) == expected
